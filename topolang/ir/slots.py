"""Slots: which port of an anonymous pool a cable takes, and how many cables a pair gets.

The rules (docs/design.md, "The join rule") in the terms used here:

* A *tuple* is one assignment of the bundle's variables; it joins one pair. Equalities that isolate a variable are solved, the rest is masked.
* A cable's *slot* in an anonymous pool is the number of cables that come before it at the same port group when the other side's free indices run
  through their declared index space. Holes and filters remove cables; they never move one.
* Where the declared space is larger than the pool, it is narrowed, one step after the other until it fits: to the values that a selector leaves,
  to other devices than itself (for cables inside one group), by each equality that ties the two sides, in the order written, then by each other
  equality.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeAlias

import attrs
import numpy as np

from topolang.diagnostics import DiagnosticError
from topolang.ir import wiring_errors as errors
from topolang.ir.grid import IntArray
from topolang.ir.index import Const as Constant
from topolang.ir.index import IndexExpr, Op, Var, evaluate, names
from topolang.ir.model import Bundle
from topolang.ir.tuples import Tuples, free_key, full, place, run, tuple_key


def _before(own: IntArray, other: IntArray, count: IntArray) -> tuple[IntArray, IntArray]:
    """Return, per row, the sum of ``count`` over the rows of the same ``own`` with a smaller ``other``, and the total of its ``own``."""
    order = np.lexsort((other, own))
    sorted_own, sorted_count = own[order], count[order]
    ends = np.cumsum(sorted_count)
    starts = ends - sorted_count
    first = np.flatnonzero(np.r_[True, sorted_own[1:] != sorted_own[:-1]]) if own.size else np.zeros(0, dtype=np.int64)
    lengths = np.diff(np.r_[first, own.size])
    before = np.empty_like(count)
    total = np.empty_like(count)
    before[order] = starts - np.repeat(starts[first], lengths)
    total[order] = np.repeat(np.add.reduceat(sorted_count, first), lengths) if own.size else 0
    return before, total


def is_self(bundle: Bundle) -> bool:
    """Whether both ends are the same ports of the same kind of device, so that ranks of both sides share one pool."""
    return bundle.a.element == bundle.z.element and bundle.a.ports.name == bundle.z.ports.name and bundle.a.picks == bundle.z.picks


@attrs.frozen(eq=False)
class Multiplicity:
    """Cables per tuple of a space: a constant, or (`spread`) a share by the rank of the right side's free indices."""

    bundle: Bundle
    constant: int | None

    def of(self, tuples: Tuples) -> IntArray:
        """Return the cables of each tuple of a space."""
        if self.constant is not None:
            return np.full(tuples.size, self.constant, dtype=np.int64)
        rule = self.bundle.rule
        if rule.kind == "times":
            count = full(evaluate(rule.count, tuples.values), tuples.size)
            if tuples.size and int(count.min()) < 0:
                raise errors.negative_times(self.bundle)
            return count
        own = place(self.bundle.a, tuples).key(self.bundle.a)
        rank, partners = _before(own, free_key(self.bundle, "z", tuples), np.ones(tuples.size, dtype=np.int64))
        pool = len(self.bundle.a.picks)
        return pool // np.maximum(partners, 1) + (rank < pool % np.maximum(partners, 1))


def multiplicity_of(bundle: Bundle) -> Multiplicity:
    """Return a bundle's rule in numbers; `fill` is counted among the partners that the statement leaves, holes included.

    Raises:
        DiagnosticError: T0401, T0402 where `fill` does not divide.
    """
    rule = bundle.rule
    if rule.kind == "times":
        return Multiplicity(bundle, rule.count.value if isinstance(rule.count, Constant) else None)
    if rule.kind == "spread":
        return Multiplicity(bundle, None)
    tuples = _declared(bundle, len(bundle.relations), selected=True)
    partners = _partners(bundle, tuples, "a")
    pool = len(bundle.a.picks)
    if partners.size == 0:
        return Multiplicity(bundle, 1)
    least, most = int(partners.min()), int(partners.max())
    if least != most:
        raise errors.uneven_fill(bundle, least, most)
    if pool % least:
        raise errors.fill_does_not_divide(bundle, pool, least)
    return Multiplicity(bundle, pool // least)


def _partners(bundle: Bundle, tuples: Tuples, side: str) -> IntArray:
    """Return how many partners each element of a side has, elements without one left out."""
    end = bundle.a if side == "a" else bundle.z
    counts = np.unique(place(end, tuples).key(end), return_counts=True)[1]
    return counts.astype(np.int64)


def equalities(bundle: Bundle) -> tuple[IndexExpr, ...]:
    """Return the equalities of `where`: those that tie the two sides, then those of one side, which select as `[s = 4]` does."""
    return (*bundle.relations, *(f for f in bundle.filters if isinstance(f, Op) and f.op == "=="))


def _declared(bundle: Bundle, relations: int, selected: bool) -> Tuples:
    """Return the tuples of the declared index space, narrowed by the first ``relations`` equalities; bindings off their axis left out."""
    tuples = run(bundle, equalities(bundle)[:relations], (), allowed=selected)
    inside = place(bundle.a, tuples).inside & place(bundle.z, tuples).inside
    return tuples if inside.all() else tuples.take(inside)


def _plain(bundle: Bundle) -> bool:
    """Whether every index of an end is a constant or one of its own variables, so that the other side's free indices are not tied to it."""
    sides = {v.name: v.side for v in bundle.variables}
    for end, own in ((bundle.a, "a"), (bundle.z, "z")):
        for slot in end.slots:
            if isinstance(slot, Var):
                if sides[slot.name] not in ("joined", own):
                    return False
            elif names(slot):
                return False
    return True


def first_slots(bundle: Bundle, side: str, multiplicity: Multiplicity, final: Tuples, count: IntArray) -> IntArray:
    """Return the first slot of each final tuple on one side: narrow the declared space until it fits, then rank in it."""
    end, other = (bundle.a, "z") if side == "a" else (bundle.z, "a")
    pool = len(end.picks)
    declared = prod(v.dim.size for v in bundle.variables if v.side == other)
    spaces, selections = _levels(bundle)
    if _plain(bundle) and multiplicity.constant is not None and (declared * multiplicity.constant <= pool or len(spaces) == 1):
        slots, fits = free_key(bundle, other, final) * multiplicity.constant, declared * multiplicity.constant <= pool
    else:
        slots, fits = _first_that_fits(bundle, side, multiplicity, final, spaces)
    # ports that do for every cable stay where they are, so that one more condition on one side moves none of them
    if fits or not selections or int((slots + count).max(initial=0)) <= pool:
        return slots
    return _first_that_fits(bundle, side, multiplicity, final, selections)[0]


def _first_that_fits(bundle: Bundle, side: str, multiplicity: Multiplicity, final: Tuples, levels: Sequence[_Level]) -> tuple[IntArray, bool]:
    """Return the slots in the first space that fits the pool, or else in the last one, and whether it fits."""
    slots, fits = np.zeros(final.size, dtype=np.int64), False
    for i, level in enumerate(levels):
        try:
            slots, fits = _rank_in(bundle, side, multiplicity, final, level)
        except DiagnosticError as fault:
            # a space too large to enumerate is larger than any pool; the next one is smaller
            if fault.diagnostic.code != "T0309" or i + 1 == len(levels):
                raise
        if fits:
            break
    return slots, fits


# how far the declared space is narrowed: to selected values, without the device itself, by so many equalities
_Level: TypeAlias = tuple[bool, bool, int]


def _levels(bundle: Bundle) -> tuple[list[_Level], list[_Level]]:
    """Return the steps of narrowing: those that hold whatever else the statement says, then those by equalities of one side."""
    own, ties = is_self(bundle), len(bundle.relations)
    if bundle.rule.kind == "spread":
        # shares are counted among the partners that the statement leaves, so ranks are too
        return [(True, own, ties)], []
    spaces = [(False, False, 0)]
    if any(v.allowed is not None for v in bundle.variables):
        spaces.append((True, False, 0))
    if own:
        spaces.append((True, True, 0))
    spaces += [(True, own, n) for n in range(1, ties + 1)]
    return spaces, [(True, own, n) for n in range(ties + 1, len(equalities(bundle)) + 1)]


def _rank_in(bundle: Bundle, side: str, multiplicity: Multiplicity, final: Tuples, level: _Level) -> tuple[IntArray, bool]:
    """Return the final tuples' first slots, ranked in the space of one level, and whether that space fits the pool."""
    selected, without_self, relations = level
    pool = len(bundle.a.picks if side == "a" else bundle.z.picks)
    space = _declared(bundle, relations, selected)
    count = multiplicity.of(space)
    a, z = place(bundle.a, space).key(bundle.a), place(bundle.z, space).key(bundle.z)
    if is_self(bundle):
        return _rank_self(bundle, (a, z, count), side, final, without_self, pool)
    own, free = (a, free_key(bundle, "z", space)) if side == "a" else (z, free_key(bundle, "a", space))
    before, total = _before(own, free, count)
    fits = not total.size or int(total.max()) <= pool
    return before[_rows_of(bundle, final, space)], fits


def _rank_self(
    bundle: Bundle, space: tuple[IntArray, IntArray, IntArray], side: str, final: Tuples, without_self: bool, pool: int
) -> tuple[IntArray, bool]:
    """Rank partners inside one group: a device sees the same partner in the same place whichever side of the statement it stands on."""
    a, z, count = space
    own, partner, both = np.r_[a, z], np.r_[z, a], np.r_[count, count]
    if without_self:
        keep = own != partner
        own, partner, both = own[keep], partner[keep], both[keep]
    base = int(max(own.max(initial=0), partner.max(initial=0))) + 1
    key, first = np.unique(own * base + partner, return_index=True)
    before, total = _before(own[first], partner[first], both[first])
    fits = not total.size or int(total.max()) <= pool
    fa, fz = place(bundle.a, final).key(bundle.a), place(bundle.z, final).key(bundle.z)
    wanted = fa * base + fz if side == "a" else fz * base + fa
    at = np.minimum(np.searchsorted(key, wanted), max(key.size - 1, 0))
    return (before[at] if key.size else np.zeros(final.size, dtype=np.int64)), fits


def counts(bundle: Bundle, multiplicity: Multiplicity, final: Tuples) -> IntArray:
    """Return the cables of each final tuple."""
    if multiplicity.constant is not None or bundle.rule.kind == "times":
        return multiplicity.of(final)
    space = _declared(bundle, len(bundle.relations), True)
    return multiplicity.of(space)[_rows_of(bundle, final, space)]


def _rows_of(bundle: Bundle, some: Tuples, space: Tuples) -> IntArray:
    """Return the row in ``space`` of each of ``some`` of its tuples."""
    keys = tuple_key(bundle, space)
    order = np.argsort(keys, kind="stable")
    return order[np.searchsorted(keys, tuple_key(bundle, some), sorter=order)] if some.size else np.zeros(0, dtype=np.int64)


def left_over(bundle: Bundle, multiplicity: Multiplicity) -> int:
    """Return how many ports per element `fill` leaves free on the right side."""
    if bundle.rule.kind != "fill" or multiplicity.constant is None:
        return 0
    partners = _partners(bundle, _declared(bundle, len(bundle.relations), True), "z")
    most = int(partners.max()) if partners.size else 0
    return max(0, len(bundle.z.picks) - most * multiplicity.constant)


def unfilled(bundle: Bundle, multiplicity: Multiplicity) -> int:
    """Return the most ports per element that `fill` leaves free on the left side because a condition takes partners away (holes do not count)."""
    if bundle.rule.kind != "fill" or multiplicity.constant is None or not bundle.filters:
        return 0
    equal = equalities(bundle)
    tuples = run(bundle, equal, tuple(f for f in bundle.filters if f not in equal), allowed=True)
    partners = _partners(bundle, tuples, "a")
    fewest = int(partners.min()) if partners.size else 0
    return max(0, len(bundle.a.picks) - fewest * multiplicity.constant) if fewest else 0
