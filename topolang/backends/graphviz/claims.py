"""Which claims speak of a fabric, so that its pictures show their states."""

from __future__ import annotations

from collections.abc import Iterator

from topolang.backends.model import Built
from topolang.ir.model import Claim, Fabric, Metric, Operation, Target, TargetArg

# more lines than this make a title taller than its picture
_MOST = 6


def states(result: Built, fabric: Fabric) -> tuple[tuple[str, str], ...]:
    """Return (status, text) of the claims that speak of this fabric, its devices or nothing in particular; what is left out is counted."""
    found = [(v.status, " ".join(c.claim.span.text.split())) for c, v in result.verdicts() if _about(result, c.claim, fabric)]
    if len(found) <= _MOST:
        return tuple(found)
    rest = found[_MOST - 1 :]
    worst = next((s for s in ("refuted", "open", "proved") if any(s == status for status, _ in rest)), "open")
    return (*found[: _MOST - 1], (worst, f"and {len(rest) - 1} more" if len(rest) > 1 else rest[0][1]))


def _about(result: Built, claim: Claim, fabric: Fabric) -> bool:
    targets = list(_targets(claim))
    fabrics = [t.fabric for t in targets if t.fabric is not None]
    if fabrics:
        return fabric in fabrics
    groups = {id(end.group) for b in result.design.bundles if b.fabric is fabric for end in (b.a, b.z)}
    return not targets or any(id(t.group) in groups for t in targets)


def _targets(claim: Claim) -> Iterator[Target]:
    if isinstance(claim, TargetArg):
        yield from claim.targets
    elif isinstance(claim, (Operation, Metric)):
        for arg in claim.args:
            yield from _targets(arg)
