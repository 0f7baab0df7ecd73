"""Port budget: every cable has a port at both ends, and no port has two cables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from topolang.diagnostics import Diagnostic, DiagnosticError, Span, error
from topolang.ir.grid import IntArray
from topolang.ir.limits import clos_note, radix
from topolang.ir.model import Bundle, Design, End
from topolang.ir.roles import FORWARDING
from topolang.ir.tables import link_table
from topolang.ir.wiring import Side
from topolang.passes.cages import cage_conflicts, inner_conflicts
from topolang.passes.model import Pass
from topolang.passes.portuse import Clashes, PortUse, clashes, parallel, port_use
from topolang.passes.scopes import Scope, scopes, wired


def run(design: Design) -> Iterator[Diagnostic]:
    """Yield T0404 (pool too small), T0406 (port used twice), T0407 (parallel cables by repetition) and T0409 (cage used whole and split).

    Where a statement could not be wired, only the pools of the others are compared.
    """
    for scope in scopes(design):
        whole = True
        for bundle, pairs in wired(scope.design):
            if isinstance(pairs, DiagnosticError):
                whole = False
                continue
            for end, side in ((bundle.a, pairs.a), (bundle.z, pairs.z)):
                needed = int((side.slot + pairs.count).max(initial=0))
                if needed > len(end.picks):
                    yield _too_small(bundle, end, side, pairs.count, needed)
        if whole:
            use = port_use(scope)
            yield from _used_twice(scope, use)
            yield from cage_conflicts(scope, use)
            yield from inner_conflicts(scope, use)


def _too_small(bundle: Bundle, end: End, side: Side, count: IntArray, needed: int) -> Diagnostic:
    there = len(end.picks)
    device = end.device
    pooled = end.ports.pool is not None
    is_switch = pooled and (device.role in FORWARDING or device.role is None)
    short = int(np.count_nonzero(side.slot + count > there))
    notes = [f"{short:,} pair{'s get' if short != 1 else ' gets'} no port, or too few"]
    notes += [clos_note(radix(device))] if is_switch and radix(device) >= 4 else []
    each = f"each `{end.text}`"
    ports = f"{there} port{'s' * (there != 1)}"
    return error(
        "T0404",
        f"{each} needs {needed:,} ports for this `connect`, but has {ports}",
        bundle.span,
        f"{needed:,} needed, {there:,} there",
        extra=((end.ports.span, f"`{end.ports.name}`: {ports} per index declared here" if end.ports.dims else f"`{end.ports.name}`: {ports}"),),
        notes=notes,
        help=(
            "use more or larger devices on this side, or fewer on the other"
            if pooled
            else "share a dimension name with the other side, or select there, so that each port gets one cable"
        ),
    )


class _Kind(NamedTuple):
    """Clashes of one sort: the two statements, the two sides, and whether the cables are parallel."""

    one: int
    two: int
    side_one: int
    side_two: int
    parallel: int


def _used_twice(scope: Scope, use: PortUse) -> Iterator[Diagnostic]:
    found = clashes(use)
    if not found.one.size:
        return
    bundle_of = _bundle_of(scope, use)
    same = parallel(use, found)
    columns = (bundle_of[found.one], bundle_of[found.two], use.side[found.one], use.side[found.two], same.astype(np.int64))
    kinds, first, counts = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_counts=True)
    seen: set[tuple[int, int]] = set()
    for row, at, count in zip(kinds.tolist(), first.tolist(), counts.tolist(), strict=True):
        kind = _Kind(*row)
        if kind.parallel and kind.one != kind.two:
            # both ends of the same cables clash: say it once
            if (kind.one, kind.two) not in seen:
                seen.add((kind.one, kind.two))
                yield _repeated(scope, use, found, kind, at, count)
        else:
            yield _twice(scope, use, found, kind, at, count)


def _bundle_of(scope: Scope, use: PortUse) -> IntArray:
    return link_table(scope.design).bundle.astype(np.int64)[use.row]


def _name(scope: Scope, use: PortUse, at: int) -> str:
    return scope.port_name(int(use.node[at]), int(use.group[at]), int(use.port[at]))


def _far_name(scope: Scope, use: PortUse, at: int) -> str:
    """Return the name of the port at the far end of the cable end ``at``."""
    far = np.flatnonzero((use.row == use.row[at]) & (use.side != use.side[at]))
    return _name(scope, use, int(far[0])) if far.size else "a port that does not exist"


def _ends(scope: Scope, kind: _Kind) -> tuple[Bundle, Bundle, End, End]:
    one, two = scope.design.bundles[kind.one], scope.design.bundles[kind.two]
    return one, two, (one.z if kind.side_one else one.a), (two.z if kind.side_two else two.a)


def _declared(*ends: End) -> list[tuple[Span, str]]:
    """Return labels of the port declarations, each once."""
    return list({end.ports.span: (end.ports.span, f"`{end.ports.name}` declared here") for end in ends}.values())


def _twice(scope: Scope, use: PortUse, found: Clashes, kind: _Kind, at: int, count: int) -> Diagnostic:
    one, two, end_one, end_two = _ends(scope, kind)
    a, b = int(found.one[at]), int(found.two[at])
    port = _name(scope, use, a)
    within = kind.one == kind.two
    if kind.parallel:
        advice = "both orders of each pair are joined; add a `where` that keeps one, e.g. `where r < r2`"
    elif within:
        advice = "write the conditions so that each index of one side meets one of the other"
    else:
        advice = f"take other ports for one of them, e.g. a port group of its own or `{end_two.text}[…]`"
    return error(
        "T0406",
        f"{count:,} port{'s' * (count != 1)} of `{end_one.text}` {'are' if count != 1 else 'is'} used twice{scope.where}",
        two.span,
        "used here" if not within else "each of these ports gets two cables",
        extra=(*([] if within else [(one.span, "and here")]), *_declared(end_one, end_two)),
        notes=(f"for example {port}: cabled to {_far_name(scope, use, a)} and to {_far_name(scope, use, b)}",),
        help=advice,
    )


def _repeated(scope: Scope, use: PortUse, found: Clashes, kind: _Kind, at: int, count: int) -> Diagnostic:
    one, two, end, _ = _ends(scope, kind)
    a = int(found.one[at])
    return error(
        "T0407",
        f"two statements lay the same {count:,} cable{'s' * (count != 1)} on the same ports{scope.where}",
        two.span,
        "the same cables again",
        extra=((one.span, "first here"), *_declared(end)),
        notes=(f"for example {_name(scope, use, a)} to {_far_name(scope, use, a)}",),
        help="write `times 2` in one statement for two parallel cables per pair, and remove the other",
    )


PASS = Pass("ports", ("T0404", "T0406", "T0407", "T0409"), run, makes_tables=True)
