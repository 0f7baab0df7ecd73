"""The join, run on index grids: from a bundle's rule to the pairs it joins and the ports that each cable takes.

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
from typing import Any

import attrs
import numpy as np

from topolang.ir import wiring_errors as errors
from topolang.ir.grid import GRID_LIMIT, BoolArray, IntArray, mask
from topolang.ir.index import Const as Constant
from topolang.ir.index import IndexExpr, Op, Var, evaluate, names, solve
from topolang.ir.memo import once_per_object
from topolang.ir.model import Bundle, End, Variable


@attrs.frozen(eq=False)
class Side:
    """One end of every pair, as columns: flat ``cell`` in the group, flat ``part`` in the chain of inner parts, flat ``row`` over the port
    group's named dimensions, and the first ``slot`` in its pool."""

    cell: IntArray
    part: IntArray
    row: IntArray
    slot: IntArray


@attrs.frozen(eq=False)
class Pairs:
    """What a bundle joins: one row per pair of ports rows, with the number of parallel cables (always ≥ 1).

    ``left_over`` are free ports per element that `fill` leaves on the right side (0 where nothing was filled).
    """

    a: Side
    z: Side
    count: IntArray
    left_over: int = 0

    @property
    def cables(self) -> int:
        """The number of cables."""
        return int(self.count.sum())


@attrs.frozen(eq=False)
class _Tuples:
    """Index tuples as columns by variable name; ``size`` rows."""

    values: dict[str, IntArray]
    size: int

    def take(self, keep: BoolArray) -> _Tuples:
        return _Tuples({k: v[keep] for k, v in self.values.items()}, int(np.count_nonzero(keep)))


def _full(value: Any, size: int) -> IntArray:
    return np.broadcast_to(np.asarray(value, dtype=np.int64), (size,))


def _true(value: Any, size: int) -> BoolArray:
    return np.broadcast_to(np.asarray(value, dtype=np.bool_), (size,))


def _on_axis(values: IntArray, variable: Variable) -> BoolArray:
    """Return which values lie in the variable's declared range."""
    r = variable.dim.values
    low, high = variable.dim.limits
    found: BoolArray = (values >= low) & (values <= high) & ((values - r.start) % r.step == 0)
    return found


def _plan(bundle: Bundle, equalities: Sequence[IndexExpr]) -> tuple[list[tuple[Variable, IndexExpr]], list[IndexExpr]]:
    """Choose the variables that equalities solve, in an order in which each reads only drivers and solved ones before it; and the rest."""
    variables = sorted(bundle.variables, key=lambda v: -v.dim.size)
    solved: dict[str, IndexExpr] = {}
    rest: list[IndexExpr] = []

    def reads(expr: IndexExpr) -> frozenset[str]:
        found = names(expr)
        return found | frozenset[str]().union(*(reads(solved[n]) for n in found if n in solved))

    order: list[tuple[Variable, IndexExpr]] = []
    for equality in equalities:
        for variable in variables:
            if variable.name in solved or any(variable.name in reads(e) for e in solved.values()):
                continue
            value = solve(equality, variable.name)
            if value is not None and variable.name not in reads(value):
                solved[variable.name] = value
                order.append((variable, value))
                break
        else:
            rest.append(equality)
    return order, rest


def _run(bundle: Bundle, equalities: Sequence[IndexExpr], tests: Sequence[IndexExpr], allowed: bool) -> _Tuples:
    """Return the tuples that satisfy equalities and tests, in lexicographic order of the driving variables."""
    order, rest = _plan(bundle, equalities)
    solved = {v.name for v, _ in order}
    drivers = [v for v in bundle.variables if v.name not in solved]
    size = prod(v.dim.size for v in drivers)
    if size > GRID_LIMIT:
        raise errors.too_large(bundle, size)
    grids = np.indices([v.dim.size for v in drivers], dtype=np.int64).reshape(len(drivers), size)
    values = {v.name: v.dim.values.start + grids[i] * v.dim.values.step for i, v in enumerate(drivers)}
    tuples = _Tuples(values, size)
    for variable, expr in order:
        value = _full(evaluate(expr, tuples.values), tuples.size)
        keep = _on_axis(value, variable)
        tuples = _Tuples({**tuples.values, variable.name: value}, tuples.size)
        if not keep.all():
            tuples = tuples.take(keep)
    for test in (*rest, *tests):
        keep = _true(evaluate(test, tuples.values), tuples.size)
        if not keep.all():
            tuples = tuples.take(keep)
    if allowed:
        for variable in bundle.variables:
            if variable.allowed is not None:
                tuples = tuples.take(np.isin(tuples.values[variable.name], np.asarray(variable.allowed, dtype=np.int64)))
    return tuples


@attrs.frozen(eq=False)
class _Place:
    """Where tuples stand on one end: flat positions per group, part and port row, and whether every slot expression hit its axis."""

    cell: IntArray
    part: IntArray
    row: IntArray
    inside: BoolArray

    def key(self, end: End) -> IntArray:
        """Return one number per (cell, part, row)."""
        parts = prod(part.size for part in end.parts)
        rows = prod(d.size for d in end.ports.dims)
        return (self.cell * parts + self.part) * rows + self.row


def _place(end: End, tuples: _Tuples) -> _Place:
    inside = np.ones(tuples.size, dtype=np.bool_)
    flats = []
    at = 0
    for dims in (end.group.dims, tuple(d for part in end.parts for d in part.dims), end.ports.dims):
        flat = np.zeros(tuples.size, dtype=np.int64)
        for dim in dims:
            value = _full(evaluate(end.slots[at], tuples.values), tuples.size)
            position = (value - dim.values.start) // dim.values.step
            good = (position >= 0) & (position < dim.size) & (position * dim.values.step + dim.values.start == value)
            inside &= good
            flat = flat * dim.size + np.where(good, position, 0)
            at += 1
        flats.append(flat)
    return _Place(flats[0], flats[1], flats[2], inside)


def _free_key(bundle: Bundle, side: str, tuples: _Tuples) -> IntArray:
    """Return the rank of a side's free indices in their declared index space."""
    key = np.zeros(tuples.size, dtype=np.int64)
    for v in bundle.variables:
        if v.side == side:
            key = key * v.dim.size + (tuples.values[v.name] - v.dim.values.start) // v.dim.values.step
    return key


def _tuple_key(bundle: Bundle, tuples: _Tuples) -> IntArray:
    key = np.zeros(tuples.size, dtype=np.int64)
    for v in bundle.variables:
        key = key * v.dim.size + (tuples.values[v.name] - v.dim.values.start) // v.dim.values.step
    return key


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


def _is_self(bundle: Bundle) -> bool:
    return bundle.a.element == bundle.z.element and bundle.a.ports.name == bundle.z.ports.name and bundle.a.picks == bundle.z.picks


@attrs.frozen(eq=False)
class _Multiplicity:
    """Cables per tuple of a space: a constant, or (`spread`) a share by the rank of the right side's free indices."""

    bundle: Bundle
    constant: int | None

    def of(self, tuples: _Tuples) -> IntArray:
        if self.constant is not None:
            return np.full(tuples.size, self.constant, dtype=np.int64)
        rule = self.bundle.rule
        if rule.kind == "times":
            count = _full(evaluate(rule.count, tuples.values), tuples.size)
            if tuples.size and int(count.min()) < 0:
                raise errors.negative_times(self.bundle)
            return count
        own = _place(self.bundle.a, tuples).key(self.bundle.a)
        rank, partners = _before(own, _free_key(self.bundle, "z", tuples), np.ones(tuples.size, dtype=np.int64))
        pool = len(self.bundle.a.picks)
        return pool // np.maximum(partners, 1) + (rank < pool % np.maximum(partners, 1))


def _multiplicity(bundle: Bundle) -> _Multiplicity:
    rule = bundle.rule
    if rule.kind == "times":
        return _Multiplicity(bundle, rule.count.value if isinstance(rule.count, Constant) else None)
    if rule.kind == "spread":
        return _Multiplicity(bundle, None)
    tuples = _declared(bundle, len(bundle.relations), selected=True)
    partners = _partners(bundle, tuples, "a")
    pool = len(bundle.a.picks)
    if partners.size == 0:
        return _Multiplicity(bundle, 1)
    least, most = int(partners.min()), int(partners.max())
    if least != most:
        raise errors.uneven_fill(bundle, least, most)
    if pool % least:
        raise errors.fill_does_not_divide(bundle, pool, least)
    return _Multiplicity(bundle, pool // least)


def _partners(bundle: Bundle, tuples: _Tuples, side: str) -> IntArray:
    """Return how many partners each element of a side has, elements without one left out."""
    end = bundle.a if side == "a" else bundle.z
    counts = np.unique(_place(end, tuples).key(end), return_counts=True)[1]
    return counts.astype(np.int64)


def _equalities(bundle: Bundle) -> tuple[IndexExpr, ...]:
    """Return the equalities of `where`: those that tie the two sides, then those of one side, which select as `[s = 4]` does."""
    return (*bundle.relations, *(f for f in bundle.filters if isinstance(f, Op) and f.op == "=="))


def _declared(bundle: Bundle, relations: int, selected: bool) -> _Tuples:
    """Return the tuples of the declared index space, narrowed by the first ``relations`` equalities; bindings off their axis left out."""
    tuples = _run(bundle, _equalities(bundle)[:relations], (), allowed=selected)
    inside = _place(bundle.a, tuples).inside & _place(bundle.z, tuples).inside
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


def _slots(bundle: Bundle, side: str, multiplicity: _Multiplicity, final: _Tuples) -> IntArray:
    """Return the first slot of each final tuple on one side: narrow the declared space until it fits, then rank in it."""
    end, other = (bundle.a, "z") if side == "a" else (bundle.z, "a")
    pool = len(end.picks)
    declared = prod(v.dim.size for v in bundle.variables if v.side == other)
    if _plain(bundle) and multiplicity.constant is not None and (declared * multiplicity.constant <= pool or not _can_narrow(bundle)):
        return _free_key(bundle, other, final) * multiplicity.constant
    slots = np.zeros(final.size, dtype=np.int64)
    for selected, without_self, relations in _levels(bundle):
        slots, fits = _rank_in(bundle, side, multiplicity, final, (selected, without_self, relations), pool)
        if fits:
            break
    return slots


def _can_narrow(bundle: Bundle) -> bool:
    return bool(_equalities(bundle)) or _is_self(bundle) or any(v.allowed is not None for v in bundle.variables)


def _levels(bundle: Bundle) -> list[tuple[bool, bool, int]]:
    """Return the steps of narrowing: (to selected values, without itself, number of equalities)."""
    own = _is_self(bundle)
    if bundle.rule.kind == "spread":
        # shares are counted among the partners that the statement leaves, so ranks are too
        return [(True, own, len(bundle.relations))]
    steps = [(False, False, 0)]
    if any(v.allowed is not None for v in bundle.variables):
        steps.append((True, False, 0))
    if own:
        steps.append((True, True, 0))
    steps += [(True, own, n) for n in range(1, len(_equalities(bundle)) + 1)]
    return steps


def _rank_in(
    bundle: Bundle, side: str, multiplicity: _Multiplicity, final: _Tuples, level: tuple[bool, bool, int], pool: int
) -> tuple[IntArray, bool]:
    """Return the final tuples' first slots, ranked in the space of one level, and whether that space fits the pool."""
    selected, without_self, relations = level
    space = _declared(bundle, relations, selected)
    count = multiplicity.of(space)
    a, z = _place(bundle.a, space).key(bundle.a), _place(bundle.z, space).key(bundle.z)
    if _is_self(bundle):
        return _rank_self(bundle, (a, z, count), side, final, without_self, pool)
    own, free = (a, _free_key(bundle, "z", space)) if side == "a" else (z, _free_key(bundle, "a", space))
    before, total = _before(own, free, count)
    fits = not total.size or int(total.max()) <= pool
    keys = _tuple_key(bundle, space)
    order = np.argsort(keys, kind="stable")
    at = order[np.searchsorted(keys, _tuple_key(bundle, final), sorter=order)] if final.size else np.zeros(0, dtype=np.int64)
    return before[at], fits


def _rank_self(
    bundle: Bundle, space: tuple[IntArray, IntArray, IntArray], side: str, final: _Tuples, without_self: bool, pool: int
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
    fa, fz = _place(bundle.a, final).key(bundle.a), _place(bundle.z, final).key(bundle.z)
    wanted = fa * base + fz if side == "a" else fz * base + fa
    at = np.minimum(np.searchsorted(key, wanted), max(key.size - 1, 0))
    return (before[at] if key.size else np.zeros(final.size, dtype=np.int64)), fits


def _parts_mask(end: End) -> BoolArray | None:
    """Return which flat cells of the chain of inner parts exist, or None where all do."""
    if all(part.holes is None for part in end.parts):
        return None
    result = np.ones(1, dtype=np.bool_)
    for part in end.parts:
        result = (result[:, None] & mask(part).ravel()[None, :]).ravel()
    return result


def _exists(end: End, place: _Place) -> BoolArray:
    found: BoolArray = mask(end.group).ravel()[place.cell]
    parts = _parts_mask(end)
    return found if parts is None else found & parts[place.part]


@once_per_object
def wire(bundle: Bundle) -> Pairs:
    """Return the pairs that a bundle joins, in lexicographic order of its variables.

    Raises:
        DiagnosticError: T0304 (a bound index leaves its dimension), T0309 (index space too large to search), T0401, T0402 (`fill` does not
            divide), T0403 (a negative multiplicity), T0408 (a device would be cabled to itself).
    """
    equal = _equalities(bundle)
    final = _run(bundle, equal, tuple(f for f in bundle.filters if f not in equal), allowed=True)
    final = final.take(_exists_both(bundle, final))
    a, z = _place(bundle.a, final), _place(bundle.z, final)
    inside = a.inside & z.inside
    if not inside.all():
        raise errors.out_of_dimension(bundle, {k: int(v[np.argmin(inside)]) for k, v in final.values.items()})
    multiplicity = _multiplicity(bundle)
    count, slot_a, slot_z = _counts(bundle, multiplicity, final)
    # a loop is wrong whichever ports it takes
    if bundle.a.element == bundle.z.element and bool((same := (a.cell == z.cell) & (a.part == z.part) & (count > 0)).any()):
        raise errors.to_itself(bundle, {k: int(v[np.argmax(same)]) for k, v in final.values.items()})
    keep = np.flatnonzero(count > 0)
    order = keep[np.argsort(_tuple_key(bundle, final)[keep], kind="stable")]
    sides = [Side(p.cell[order], p.part[order], p.row[order], slot[order]) for p, slot in ((a, slot_a), (z, slot_z))]
    return Pairs(sides[0], sides[1], count[order], _left_over(bundle, multiplicity))


def _exists_both(bundle: Bundle, tuples: _Tuples) -> BoolArray:
    a, z = _place(bundle.a, tuples), _place(bundle.z, tuples)
    # a tuple that leaves its dimension is kept here so that it can be reported
    return (~a.inside | _exists(bundle.a, a)) & (~z.inside | _exists(bundle.z, z))


def _counts(bundle: Bundle, multiplicity: _Multiplicity, final: _Tuples) -> tuple[IntArray, IntArray, IntArray]:
    slot_a = _slots(bundle, "a", multiplicity, final)
    slot_z = _slots(bundle, "z", multiplicity, final)
    if multiplicity.constant is not None or bundle.rule.kind == "times":
        return multiplicity.of(final), slot_a, slot_z
    space = _declared(bundle, len(bundle.relations), True)
    shares = multiplicity.of(space)
    keys = _tuple_key(bundle, space)
    order = np.argsort(keys, kind="stable")
    at = order[np.searchsorted(keys, _tuple_key(bundle, final), sorter=order)]
    return shares[at], slot_a, slot_z


def _left_over(bundle: Bundle, multiplicity: _Multiplicity) -> int:
    """Return how many ports per element `fill` leaves free on the right side."""
    if bundle.rule.kind != "fill" or multiplicity.constant is None:
        return 0
    partners = _partners(bundle, _declared(bundle, len(bundle.relations), True), "z")
    most = int(partners.max()) if partners.size else 0
    return max(0, len(bundle.z.picks) - most * multiplicity.constant)
