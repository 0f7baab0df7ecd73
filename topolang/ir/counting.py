"""Cables and used ports counted from the rule of a bundle, without expanding it.

Where a `connect` neither binds nor filters, its tuples are the product of the two hole masks, equal along the joined dimensions: a count is a
reduction of one mask times a reduction of the other. Other bundles are counted from the pairs that `wire` returns.
"""

from __future__ import annotations

from math import prod

import attrs
import numpy as np

from topolang.ir.columns import weighted
from topolang.ir.grid import BoolArray, IntArray, mask
from topolang.ir.index import Const, Var
from topolang.ir.model import Bundle, End, Variable
from topolang.ir.wiring import wire


@attrs.frozen(eq=False)
class _Factor:
    """One end's part of the product: which of its index tuples exist, axes in the order of ``names`` (the bundle's variables)."""

    exists: BoolArray
    names: tuple[str, ...]


def _end_mask(end: End) -> BoolArray:
    """Return which index tuples of an end exist, one axis per dimension in the order of `End.dims`."""
    result = mask(end.group)
    for part in end.parts:
        result = result[(..., *(None for _ in part.dims))] & mask(part)
    return np.broadcast_to(result[(..., *(None for _ in end.ports.dims))], [d.size for d in end.dims])


def _positions(variable: Variable, end: End, axis: int) -> IntArray | None:
    """Return where the variable's values stand on an axis, or None if one is outside."""
    values = variable.allowed if variable.allowed is not None else variable.dim.values
    on_axis = end.dims[axis].values
    if any(v not in on_axis for v in values):
        return None
    return np.array([on_axis.index(v) for v in values], dtype=np.int64)


def _factor(bundle: Bundle, end: End) -> _Factor | None:
    """Return an end's factor, or None where a dimension is bound to anything but one variable of its own."""
    variables = {v.name: v for v in bundle.variables}
    names = [slot.name for slot in end.slots if isinstance(slot, Var)]
    if len(names) != len(end.slots) or len(set(names)) != len(names):
        return None
    exists = _end_mask(end)
    for axis, name in enumerate(names):
        at = _positions(variables[name], end, axis)
        if at is None:
            return None
        exists = exists.take(at, axis=axis)
    return _Factor(exists, tuple(names))


def _multiplicity(bundle: Bundle) -> int | None:
    """Return the number of cables per pair, or None where it is no constant or not certain to be valid."""
    rule = bundle.rule
    if rule.kind == "times":
        return rule.count.value if isinstance(rule.count, Const) and rule.count.value > 0 else None
    if rule.kind == "spread":
        return None
    partners = prod(len(v.allowed) if v.allowed is not None else v.dim.size for v in bundle.variables if v.side == "z")
    pool = len(bundle.a.picks)
    return pool // partners if partners and pool >= partners and pool % partners == 0 else None


@attrs.frozen(eq=False)
class _Product:
    """Both factors, the joined variables and the cables per pair."""

    a: _Factor
    z: _Factor
    joined: tuple[str, ...]
    times: int

    def partners(self, own: _Factor, other: _Factor) -> IntArray:
        """Return per index tuple of ``own`` the number of tuples of ``other`` that it meets, shaped like ``own.exists``."""
        free = tuple(i for i, name in enumerate(other.names) if name not in self.joined)
        totals = np.count_nonzero(other.exists, axis=free) if free else other.exists.astype(np.int64)
        left = [name for name in other.names if name in self.joined]
        order = [left.index(name) for name in own.names if name in left]
        shape = [size if name in left else 1 for name, size in zip(own.names, own.exists.shape, strict=True)]
        met: IntArray = np.transpose(np.asarray(totals, dtype=np.int64), order).reshape(shape)
        return own.exists * met


def _product(bundle: Bundle) -> _Product | None:
    if bundle.relations or bundle.filters or bundle.a.element == bundle.z.element:
        return None
    joined = tuple(v.name for v in bundle.variables if v.side == "joined")
    a, z, times = _factor(bundle, bundle.a), _factor(bundle, bundle.z), _multiplicity(bundle)
    if a is None or z is None or times is None or not set(joined) <= set(a.names) & set(z.names):
        return None
    return _Product(a, z, joined, times)


def is_symbolic(bundle: Bundle) -> bool:
    """Whether the bundle is counted without being expanded."""
    return _product(bundle) is not None


def cables(bundle: Bundle) -> int:
    """Return the number of cables; errors are those of `wire`, for bundles that have to be expanded."""
    product = _product(bundle)
    if product is None:
        return wire(bundle).cables
    return int(product.partners(product.a, product.z).sum()) * product.times


def degrees(bundle: Bundle) -> tuple[IntArray, IntArray]:
    """Return the number of cables per vertex of the element of side a and of side z (flat cell × parts + part); errors as for `cables`."""
    product = _product(bundle)
    if product is None:
        pairs = wire(bundle)
        flats = [(side.cell * _parts(end) + side.part, end) for end, side in ((bundle.a, pairs.a), (bundle.z, pairs.z))]
        a, z = (weighted(flat, pairs.count, end.group.size * _parts(end)) for flat, end in flats)
        return a, z
    a, z = (
        _spread_out(bundle, end, own, product.partners(own, other) * product.times)
        for end, own, other in ((bundle.a, product.a, product.z), (bundle.z, product.z, product.a))
    )
    return a, z


def _parts(end: End) -> int:
    return prod(part.size for part in end.parts)


def _spread_out(bundle: Bundle, end: End, own: _Factor, count: IntArray) -> IntArray:
    """Return counts on a factor's axes as counts per vertex: selected values go back to their places, port rows are summed."""
    variables = {v.name: v for v in bundle.variables}
    full = np.zeros([d.size for d in end.dims], dtype=np.int64)
    places = [_positions(variables[name], end, axis) for axis, name in enumerate(own.names)]
    full[np.ix_(*(p for p in places if p is not None))] = count
    vertices = end.group.size * _parts(end)
    total: IntArray = full.reshape(vertices, -1).sum(axis=1)
    return total
