"""Wiring: every `connect` is run, and has to join something."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from topolang.diagnostics import Diagnostic, DiagnosticError, error, warning
from topolang.ir.columns import EXACT
from topolang.ir.graph import common_unit
from topolang.ir.grid import population
from topolang.ir.index import names
from topolang.ir.model import Bundle, Design, End
from topolang.ir.wiring import wire
from topolang.passes.model import Pass
from topolang.passes.scopes import scopes, wired


def run(design: Design) -> Iterator[Diagnostic]:
    """Yield the faults of `wire`, T0308 (too many cables), T0310 for a `connect` without a cable, T0405 for ports that `fill` leaves over."""
    for scope in scopes(design):
        complete = True
        for bundle, pairs in wired(scope.design):
            if isinstance(pairs, DiagnosticError):
                complete = False
                yield pairs.diagnostic
                continue
            if not pairs.cables:
                yield from _nothing(bundle)
            if pairs.left_over and not _taken(scope.design, bundle, pairs.left_over):
                yield _left_over(bundle, pairs.left_over)
            if pairs.unfilled:
                yield _unfilled(bundle, pairs.unfilled)
        if complete:
            yield from _incommensurable(scope.design)


def _incommensurable(design: Design) -> Iterator[Diagnostic]:
    """Yield T0107 for a fabric whose rates, in their common unit, add up to more than is summed exactly."""
    for fabric in design.fabrics:
        bundles = [b for b in design.bundles if b.fabric.index == fabric.index]
        unit = common_unit(b.rate.amount for b in bundles)
        total = sum(Fraction(b.rate.amount) * wire(b).cables for b in bundles)
        if total / unit > EXACT:
            rates = sorted({b.rate for b in bundles}, key=lambda rate: rate.amount)
            what = f"the rates of `{fabric.name}` run from {rates[0]} to {rates[-1]} and have no common unit in which they add up exactly"
            yield error("T0107", what, fabric.span, "too far apart", help="state rates in whole Gb/s")


def _nothing(bundle: Bundle) -> Iterator[Diagnostic]:
    """Yield T0310, unless a condition that reads no dimension (only parameters) switches the statement off."""
    if any(not names(f) for f in bundle.filters):
        return
    empty = [end for end in (bundle.a, bundle.z) if not population(end.group)]
    if empty:
        yield warning(
            "T0310",
            f"this `connect` joins nothing: no `{empty[0].group.name}` exists",
            bundle.span,
            "no cable",
            extra=((empty[0].group.span, "its `if` leaves none"),),
        )
        return
    conditions = "its conditions hold for no index" if bundle.relations or bundle.filters else "no pair of devices is left"
    yield error(
        "T0310",
        f"this `connect` joins nothing: {conditions}",
        bundle.span,
        "no cable",
        extra=tuple((end.group.span, f"`{end.group.name}` has {population(end.group):,} devices") for end in (bundle.a, bundle.z)),
        help="correct the conditions so that some index satisfies them, or remove the statement",
    )


def _free_picks(end: End, left: int) -> tuple[int, ...]:
    """Return the positions in the pool that `fill` leaves free: the last ones, since ports are taken in order."""
    return end.picks[len(end.picks) - left :]


def _taken(design: Design, bundle: Bundle, left: int) -> bool:
    """Whether another statement can use the ports that are left over."""
    free = _ordinals(bundle.z, _free_picks(bundle.z, left))
    ends = [end for other in design.bundles if other is not bundle for end in (other.a, other.z)]
    return any(end.element == bundle.z.element and free & _ordinals(end, end.picks) for end in ends)


def _ordinals(end: End, picks: tuple[int, ...]) -> set[int]:
    size = end.ports.pool_size
    return {end.ports.ports[row + pick] for row in range(0, len(end.ports.ports), size) for pick in picks}


def _left_over(bundle: Bundle, left: int) -> Diagnostic:
    end = bundle.z
    pool = end.ports.pool
    numbers = [pool[i] for i in _free_picks(end, left)] if pool is not None else []
    contiguous = bool(numbers) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    which = (f"{numbers[0]}..{numbers[-1]}" if left > 1 else str(numbers[0])) if contiguous else ", ".join(map(str, numbers))
    return warning(
        "T0405",
        f"`fill` leaves {left} of {len(end.picks)} ports of every `{end.text}` free",
        bundle.rule.span or bundle.span,
        f"`{end.ports.name}[{which}]` unused",
        extra=((end.ports.span, f"{len(end.ports.ports)} ports declared here"),),
        help=f"name the ports that are meant, e.g. a group of {len(end.picks) - left}, to keep the others in reserve",
    )


def _unfilled(bundle: Bundle, left: int) -> Diagnostic:
    return warning(
        "T0405",
        f"`fill` leaves {left} of {len(bundle.a.picks)} ports of some `{bundle.a.text}` free, because `where` takes partners away",
        bundle.rule.span or bundle.span,
        "counts the partners before the condition",
        extra=((bundle.span, "the condition of this statement"),),
        help="select the partners instead, e.g. `[k = 1..4]`, which `fill` counts, or give the number with `times`",
    )


PASS = Pass("wiring", ("T0107", "T0304", "T0308", "T0309", "T0310", "T0401", "T0402", "T0403", "T0405", "T0408"), run, makes_tables=True)
