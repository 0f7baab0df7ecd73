"""`manifest.json`: what was built from what, and the digest of every file. It holds no time, so that the same input gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import topolang
from topolang.backends.model import Built, VerdictLike
from topolang.backends.values import plain
from topolang.diagnostics import Diagnostic
from topolang.ir.counting import cables
from topolang.ir.grid import population
from topolang.ir.model import Check
from topolang.workspace import MANIFEST, MANIFEST_FORMAT

NAME = MANIFEST


def render(result: Built, files: Mapping[str, bytes], makers: Mapping[str, str], findings: Sequence[Diagnostic]) -> bytes:
    """Return the manifest of a set of files; ``makers`` names the backend of each, ``findings`` tell what is left out and why."""
    design = result.design
    document = {
        "format": MANIFEST_FORMAT,
        "version": 1,
        "compiler": {"name": "topolang", "version": topolang.__version__},
        "design": design.name,
        "parameters": {name: plain(value) for name, value in design.parameters},
        "sources": [{"name": s.origin, "sha256": sha256(s.text.encode("utf-8", "surrogatepass")).hexdigest()} for s in design.sources],
        "counts": _counts(result),
        "verdicts": [_verdict(check, verdict) for check, verdict in result.verdicts()],
        "outputs": [
            {"name": name, "backend": makers[name], "bytes": len(data), "sha256": sha256(data).hexdigest()} for name, data in sorted(files.items())
        ],
        "left_out": [{"code": f.code, "message": f.message} for f in findings],
    }
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _counts(result: Built) -> dict[str, Any]:
    design = result.design
    fabrics = {f.name: sum(cables(b) for b in design.bundles if b.fabric is f) for f in design.fabrics}
    groups = {g.name: population(g) for g in design.groups}
    return {"devices": sum(groups.values()), "cables": sum(fabrics.values()), "devices_by_group": groups, "cables_by_fabric": fabrics}


def _verdict(check: Check, verdict: VerdictLike) -> dict[str, Any]:
    return {
        "kind": check.kind,
        "claim": " ".join(check.claim.span.text.split()),
        "why_it_matters": check.reason,
        "status": verdict.status,
        "reason": verdict.reason,
        "source": str(check.span),
    }
