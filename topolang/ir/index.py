"""Index expressions: what `if`, `where` and selectors say about dimensions, ready to be run on whole index grids.

A small closed algebra over integers (truth values are 0 and 1). `evaluate` runs an expression on broadcastable NumPy arrays in one go; there is
never a Python call per index tuple. `bounds` gives exact limits first, so that 64-bit arithmetic cannot overflow unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import attrs

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    IntArray: TypeAlias = npt.NDArray[np.int64]

LIMIT: Final = 2**62


@attrs.frozen
class Const:
    """An integer."""

    value: int


@attrs.frozen
class Var:
    """A dimension's index value."""

    name: str


@attrs.frozen
class Op:
    """An operation: ``+ - * div mod neg == != < <= > >= and or not min max abs``, and ``among``: the first operand is one of the constants."""

    op: str
    args: tuple[IndexExpr, ...]


@attrs.frozen
class Lookup:
    """A list of integers indexed from 0."""

    values: tuple[int, ...]
    index: IndexExpr


IndexExpr: TypeAlias = Const | Var | Op | Lookup


class BoundsError(Exception):
    """Say why an index expression cannot be run exactly: overflow, a divisor that may be 0, a list index out of range."""


def names(expr: IndexExpr) -> frozenset[str]:
    """Return the dimensions that the expression reads."""
    if isinstance(expr, Var):
        return frozenset((expr.name,))
    if isinstance(expr, Lookup):
        return names(expr.index)
    if isinstance(expr, Op):
        return frozenset[str]().union(*(names(arg) for arg in expr.args))
    return frozenset()


def rename(expr: IndexExpr, mapping: Mapping[str, str]) -> IndexExpr:
    """Return the expression with dimensions renamed."""
    if isinstance(expr, Var):
        return Var(mapping.get(expr.name, expr.name))
    if isinstance(expr, Lookup):
        return Lookup(expr.values, rename(expr.index, mapping))
    if isinstance(expr, Op):
        return Op(expr.op, tuple(rename(arg, mapping) for arg in expr.args))
    return expr


def conjuncts(expr: IndexExpr) -> Iterator[IndexExpr]:
    """Yield the parts of a conjunction, left to right."""
    if isinstance(expr, Op) and expr.op == "and":
        for arg in expr.args:
            yield from conjuncts(arg)
    else:
        yield expr


def conjoin(*parts: IndexExpr | None) -> IndexExpr | None:
    """Return the conjunction of the parts that are given, or None."""
    given = tuple(part for part in parts if part is not None)
    if len(given) <= 1:
        return given[0] if given else None
    return Op("and", given)


Interval: TypeAlias = tuple[int, int]


def _corners(function: Callable[[int, int], int], a: Interval, b: Interval) -> Interval:
    values = [function(x, y) for x in a for y in b]
    return min(values), max(values)


def _divide(op: str, a: Interval, b: Interval) -> Interval:
    if b[0] <= 0 <= b[1]:
        raise BoundsError(f"the right side of `{op}` can be 0")
    if op == "div":
        return _corners(lambda x, y: x // y, a, b)
    return (0, b[1] - 1) if b[0] > 0 else (b[0] + 1, 0)


_TRUTH: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "among"})


def bounds(expr: IndexExpr, ranges: Mapping[str, Interval]) -> Interval:
    """Return limits of the expression's value; raise `BoundsError` where it could not be computed exactly in 64 bits."""
    if isinstance(expr, Const):
        result = (expr.value, expr.value)
    elif isinstance(expr, Var):
        result = ranges[expr.name]
    elif isinstance(expr, Lookup):
        low, high = bounds(expr.index, ranges)
        if low < 0 or high >= len(expr.values):
            raise BoundsError(f"the list has {len(expr.values)} items, numbered from 0, but the index runs from {low} to {high}")
        result = (min(expr.values), max(expr.values))
    else:
        result = _op_bounds(expr.op, [bounds(arg, ranges) for arg in expr.args])
    if result[0] < -LIMIT or result[1] > LIMIT:
        raise BoundsError("the value can exceed 2^62")
    return result


def _op_bounds(op: str, args: list[Interval]) -> Interval:
    if op in _TRUTH:
        return (0, 1)
    if op == "neg":
        return (-args[0][1], -args[0][0])
    if op == "abs":
        low, high = args[0]
        return (0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
    if op in ("min", "max"):
        pick = min if op == "min" else max
        return pick(a[0] for a in args), pick(a[1] for a in args)
    a, b = args
    if op in ("div", "mod"):
        return _divide(op, a, b)
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    return _corners(lambda x, y: x * y, a, b)


def evaluate(expr: IndexExpr, env: Mapping[str, IntArray]) -> Any:
    """Run the expression on broadcastable arrays of index values; the result broadcasts like them (a scalar if it reads none)."""
    import numpy as np

    if isinstance(expr, Const):
        return np.int64(expr.value)
    if isinstance(expr, Var):
        return env[expr.name]
    if isinstance(expr, Lookup):
        return np.asarray(expr.values, dtype=np.int64)[evaluate(expr.index, env)]
    return _apply(expr.op, [evaluate(arg, env) for arg in expr.args])


def _apply(op: str, args: list[Any]) -> Any:
    import functools

    import numpy as np

    if op == "among":
        return np.isin(args[0], np.asarray(args[1:], dtype=np.int64))
    functions: dict[str, Callable[..., Any]] = {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "div": np.floor_divide,
        "mod": np.mod,
        "neg": np.negative,
        "abs": np.abs,
        "==": np.equal,
        "!=": np.not_equal,
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
        "and": np.logical_and,
        "or": np.logical_or,
        "not": np.logical_not,
        "min": np.minimum,
        "max": np.maximum,
    }
    function = functions[op]
    return function(args[0]) if len(args) == 1 else functools.reduce(function, args)


def solve(equation: IndexExpr, name: str) -> IndexExpr | None:
    """Return the expression that ``name`` equals by an equality, if it can be isolated by adding and subtracting; else None."""
    if not (isinstance(equation, Op) and equation.op == "=="):
        return None
    left, right = equation.args
    for side, other in ((left, right), (right, left)):
        if name in names(side) and name not in names(other):
            return _isolate(side, other, name)
    return None


def _isolate(side: IndexExpr, other: IndexExpr, name: str) -> IndexExpr | None:
    """Move everything but ``name`` from ``side`` to ``other``; None where that takes more than adding and subtracting."""
    if isinstance(side, Var):
        return other
    if not isinstance(side, Op) or side.op not in ("+", "-") or len(side.args) != 2:
        return None
    first, second = side.args
    inside_first = name in names(first)
    if inside_first == (name in names(second)):
        return None
    if inside_first:
        return _isolate(first, Op("-" if side.op == "+" else "+", (other, second)), name)
    if side.op == "+":
        return _isolate(second, Op("-", (other, first)), name)
    return _isolate(second, Op("-", (first, other)), name)
