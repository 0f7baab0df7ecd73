"""Findings as one JSON document for programs.

``{"version": 1, "diagnostics": […], "summary": {"errors": 0, "warnings": 0, "notes": 0}}``. Lines and columns count from 1, offsets from 0, all
in code points; an end is exclusive. The first label of a finding is its primary place; a finding about a whole file has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from topolang.diagnostics.model import Diagnostic
from topolang.diagnostics.render import counts
from topolang.diagnostics.source import SourceFile, Span

FORMAT_VERSION: Final = 1


def document(diagnostics: Sequence[Diagnostic], extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the document; ``extra`` holds further top-level entries of a command."""
    found = [_diagnostic(d) for d in diagnostics]
    return {"version": FORMAT_VERSION, "diagnostics": found, "summary": counts(diagnostics), **(extra or {})}


def dumps(diagnostics: Sequence[Diagnostic], extra: Mapping[str, Any] | None = None) -> str:
    """Return the document as indented ASCII JSON that ends in a line break; the same findings give the same bytes."""
    return json.dumps(document(diagnostics, extra), indent=2) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "labels": [{"span": _span(label.span), "text": label.text} for label in diagnostic.labels],
        "notes": list(diagnostic.notes),
        "help": list(diagnostic.help),
        "fix": None if fix is None else {"span": _span(fix.span), "replacement": fix.replacement},
    }


def _span(span: Span) -> dict[str, Any]:
    return {"file": span.source.name, "start": _point(span.source, span.start), "end": _point(span.source, span.end)}


def _point(source: SourceFile, offset: int) -> dict[str, int]:
    return {"line": source.line_of(offset), "column": source.column_of(offset), "offset": offset}
