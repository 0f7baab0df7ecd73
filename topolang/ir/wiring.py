"""The join, run on index grids: from a bundle's rule to the pairs that it joins and the ports that each cable takes.

`tuples` enumerates the index tuples, `slots` numbers the ports; docs/design.md ("The join rule") has the rules.
"""

from __future__ import annotations

import attrs
import numpy as np

from topolang.ir import wiring_errors as errors
from topolang.ir.grid import CABLE_LIMIT, BoolArray, IntArray, mask
from topolang.ir.memo import once_per_object
from topolang.ir.model import Bundle, End
from topolang.ir.slots import counts, equalities, first_slots, left_over, multiplicity_of, unfilled
from topolang.ir.tuples import Place, Tuples, place, run, tuple_key


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

    ``left_over`` are free ports per element that `fill` leaves on the right side, ``unfilled`` those that a condition makes it leave on the left
    (0 where nothing was filled).
    """

    a: Side
    z: Side
    count: IntArray
    left_over: int = 0
    unfilled: int = 0

    @property
    def cables(self) -> int:
        """The number of cables."""
        return int(self.count.sum())


def _parts_mask(end: End) -> BoolArray | None:
    """Return which flat cells of the chain of inner parts exist, or None where all do."""
    if all(part.holes is None for part in end.parts):
        return None
    result = np.ones(1, dtype=np.bool_)
    for part in end.parts:
        result = (result[:, None] & mask(part).ravel()[None, :]).ravel()
    return result


def _exists(end: End, place: Place) -> BoolArray:
    found: BoolArray = mask(end.group).ravel()[place.cell]
    parts = _parts_mask(end)
    return found if parts is None else found & parts[place.part]


@once_per_object
def wire(bundle: Bundle) -> Pairs:
    """Return the pairs that a bundle joins, in lexicographic order of its variables.

    Raises:
        DiagnosticError: T0304 (a bound index leaves its dimension), T0308 (too many cables), T0309 (index space too large), T0401, T0402 (`fill`
            does not divide), T0403 (a negative multiplicity), T0408 (a device would be cabled to itself).
    """
    equal = equalities(bundle)
    final = run(bundle, equal, tuple(f for f in bundle.filters if f not in equal), allowed=True)
    final = final.take(_exists_both(bundle, final))
    a, z = place(bundle.a, final), place(bundle.z, final)
    inside = a.inside & z.inside
    if not inside.all():
        raise errors.out_of_dimension(bundle, {k: int(v[np.argmin(inside)]) for k, v in final.values.items()})
    multiplicity = multiplicity_of(bundle)
    count = counts(bundle, multiplicity, final)
    if int(count.sum()) > CABLE_LIMIT:
        raise errors.too_many_cables(bundle, int(count.sum()))
    slot_a, slot_z = (first_slots(bundle, side, multiplicity, final, count) for side in ("a", "z"))
    # a loop is wrong whichever ports it takes
    if bundle.a.element == bundle.z.element and bool((same := (a.cell == z.cell) & (a.part == z.part) & (count > 0)).any()):
        raise errors.to_itself(bundle, {k: int(v[np.argmax(same)]) for k, v in final.values.items()})
    keep = np.flatnonzero(count > 0)
    order = keep[np.argsort(tuple_key(bundle, final)[keep], kind="stable")]
    sides = [Side(p.cell[order], p.part[order], p.row[order], slot[order]) for p, slot in ((a, slot_a), (z, slot_z))]
    return Pairs(sides[0], sides[1], count[order], left_over(bundle, multiplicity), unfilled(bundle, multiplicity))


def _exists_both(bundle: Bundle, tuples: Tuples) -> BoolArray:
    a, z = place(bundle.a, tuples), place(bundle.z, tuples)
    # a tuple that leaves its dimension is kept here so that it can be reported
    return (~a.inside | _exists(bundle.a, a)) & (~z.inside | _exists(bundle.z, z))
