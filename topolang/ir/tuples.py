"""Index tuples of a bundle: enumerated on grids, with equalities solved, and where each stands on the two ends."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import attrs
import numpy as np

from topolang.ir import wiring_errors as errors
from topolang.ir.grid import GRID_LIMIT, BoolArray, IntArray
from topolang.ir.index import IndexExpr, evaluate, names, solve
from topolang.ir.model import Bundle, End, Variable


@attrs.frozen(eq=False)
class Tuples:
    """Index tuples as columns by variable name; ``size`` rows."""

    values: dict[str, IntArray]
    size: int

    def take(self, keep: BoolArray) -> Tuples:
        """Return the tuples that a mask keeps."""
        return Tuples({k: v[keep] for k, v in self.values.items()}, int(np.count_nonzero(keep)))


def full(value: Any, size: int) -> IntArray:
    """Return a column of ``size`` rows from a column or a single value (read-only)."""
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


def searched(bundle: Bundle, equalities: Sequence[IndexExpr]) -> int:
    """Return how many index tuples `run` enumerates."""
    solved = {v.name for v, _ in _plan(bundle, equalities)[0]}
    return prod(v.dim.size for v in bundle.variables if v.name not in solved)


def run(bundle: Bundle, equalities: Sequence[IndexExpr], tests: Sequence[IndexExpr], allowed: bool) -> Tuples:
    """Return the tuples that satisfy equalities and tests, in lexicographic order of the driving variables."""
    order, rest = _plan(bundle, equalities)
    solved = {v.name for v, _ in order}
    drivers = [v for v in bundle.variables if v.name not in solved]
    size = prod(v.dim.size for v in drivers)
    if size > GRID_LIMIT:
        raise errors.too_large(bundle, size)
    grids = np.indices([v.dim.size for v in drivers], dtype=np.int64).reshape(len(drivers), size)
    values = {v.name: v.dim.values.start + grids[i] * v.dim.values.step for i, v in enumerate(drivers)}
    tuples = Tuples(values, size)
    for variable, expr in order:
        value = full(evaluate(expr, tuples.values), tuples.size)
        keep = _on_axis(value, variable)
        tuples = Tuples({**tuples.values, variable.name: value}, tuples.size)
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
class Place:
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


def place(end: End, tuples: Tuples) -> Place:
    """Return where tuples stand on one end."""
    inside = np.ones(tuples.size, dtype=np.bool_)
    flats = []
    at = 0
    for dims in (end.group.dims, tuple(d for part in end.parts for d in part.dims), end.ports.dims):
        flat = np.zeros(tuples.size, dtype=np.int64)
        for dim in dims:
            value = full(evaluate(end.slots[at], tuples.values), tuples.size)
            position = (value - dim.values.start) // dim.values.step
            good = (position >= 0) & (position < dim.size) & (position * dim.values.step + dim.values.start == value)
            inside &= good
            flat = flat * dim.size + np.where(good, position, 0)
            at += 1
        flats.append(flat)
    return Place(flats[0], flats[1], flats[2], inside)


def free_key(bundle: Bundle, side: str, tuples: Tuples) -> IntArray:
    """Return the rank of a side's free indices in their declared index space."""
    key = np.zeros(tuples.size, dtype=np.int64)
    for v in bundle.variables:
        if v.side == side:
            key = key * v.dim.size + (tuples.values[v.name] - v.dim.values.start) // v.dim.values.step
    return key


def tuple_key(bundle: Bundle, tuples: Tuples) -> IntArray:
    """Return one number per tuple, in the lexicographic order of the bundle's variables."""
    key = np.zeros(tuples.size, dtype=np.int64)
    for v in bundle.variables:
        key = key * v.dim.size + (tuples.values[v.name] - v.dim.values.start) // v.dim.values.step
    return key
