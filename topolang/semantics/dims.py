"""Dimensions: reading `[s: 1..su, rail: 0..7]` of instances and ports."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import attrs

from topolang.diagnostics import DiagnosticError, Span, error
from topolang.ir.model import Dim
from topolang.semantics.evaluate import fail, make_range
from topolang.semantics.limits import bounded_name
from topolang.semantics.scope import Scope
from topolang.syntax import ast

# all instances of a design, and the ports of one device; a 1,000,000-GPU design stays far below
CELL_LIMIT: Final = 2**22
PORT_LIMIT: Final = 2**16
# the parts of one device, and their ports, at all depths
PART_LIMIT: Final = 2**18
# named dimensions on the path of one end; two ends make a grid that NumPy can hold
DIMENSION_LIMIT: Final = 16


@attrs.frozen
class Shape:
    """Named dimensions, then at most one anonymous pool of ports."""

    dims: tuple[Dim, ...]
    pool: range | None


def _named(dimension: ast.Dimension) -> str:
    if isinstance(dimension.range, ast.Int):
        return f"write for example `n: 1..{dimension.range.value}`; both ends are included"
    return f"write `n: {dimension.span.text}`" if isinstance(dimension.range, ast.RangeExpr) else "write for example `n: 1..8`"


def _range(dimension: ast.Dimension, scope: Scope) -> range:
    if not isinstance(dimension.range, ast.RangeExpr):
        raise fail("T0303", "a dimension needs a range", dimension.range.span, help="write for example `n: 1..8`; both ends are included")
    values = make_range(dimension.range, scope)
    if not isinstance(values, range):
        raise fail("T0303", "a dimension runs over whole numbers", dimension.range.span, help="write for example `n: 1..8`")
    if len(values) > CELL_LIMIT:
        raise fail("T0308", f"a dimension of {len(values):,} values is larger than can be built", dimension.range.span, f"at most {CELL_LIMIT:,}")
    return values


def instance_dims(dims: Sequence[ast.Dimension], outer: Sequence[Dim], scope: Scope) -> tuple[Dim, ...]:
    """Return the dimensions of an instance statement.

    Raises:
        DiagnosticError: T0301 (a dimension without a name), T0302 (a name that occurs twice on the path), T0303 (bad range),
            T0308 (too many instances).
    """
    result: list[Dim] = []
    for dimension in dims:
        if dimension.name is None:
            raise fail("T0301", "every dimension of an array of instances has a name", dimension.span, help=_named(dimension))
        bounded_name(dimension.name)
        known = {d.name: d for d in (*outer, *result)}
        if dimension.name.text in known:
            raise twice(dimension.name.text, dimension.name.span, known[dimension.name.text].span)
        result.append(Dim(dimension.name.text, _range(dimension, scope), dimension.span))
    if dims:
        limit_dims([*outer, *result], dims[0].span.to(dims[-1].span))
        limit_cells([*outer, *result], dims[0].span.to(dims[-1].span))
    return tuple(result)


def twice(name: str, here: Span, there: Span) -> DiagnosticError:
    """Return T0302: a dimension's name occurs twice on one path."""
    return DiagnosticError(
        error(
            "T0302",
            f"dimension `{name}` occurs twice on one path",
            here,
            "used again",
            extra=((there, "first here"),),
            help="give one of them another name: equal names are what a `connect` joins",
        )
    )


def limit_dims(dims: Sequence[Dim], span: Span) -> None:
    """Raise T0308 where a path has more dimensions than can be built."""
    if len(dims) > DIMENSION_LIMIT:
        raise fail("T0308", f"{len(dims)} dimensions on one path are more than can be built", span, f"at most {DIMENSION_LIMIT}")


def limit_cells(dims: Sequence[Dim], span: Span) -> None:
    """Raise T0308 where the dimensions count more instances than can be built."""
    count = prod(d.size for d in dims)
    if count > CELL_LIMIT:
        raise too_many_cells(count, span)


def too_many_cells(count: int, span: Span) -> DiagnosticError:
    """Return T0308: more instances than can be built."""
    return fail("T0308", f"{count:,} instances are more than can be built", span, f"at most {CELL_LIMIT:,}")


def port_shape(dims: Sequence[ast.Dimension], scope: Scope) -> Shape:
    """Return the named dimensions and the pool of a `port` statement; errors as for `instance_dims`, and T0306 for a second pool."""
    named: list[Dim] = []
    pool: range | None = None
    for dimension in dims:
        if pool is not None:
            raise fail("T0306", "an anonymous pool comes last and only once", dimension.span, help="give the other dimension a name")
        values = _range(dimension, scope)
        if dimension.name is None:
            pool = values
            continue
        bounded_name(dimension.name)
        known = {d.name: d for d in named}
        if dimension.name.text in known:
            raise twice(dimension.name.text, dimension.name.span, known[dimension.name.text].span)
        named.append(Dim(dimension.name.text, values, dimension.span))
    if dims:
        limit_dims(named, dims[0].span.to(dims[-1].span))
    count = prod(d.size for d in named) * (len(pool) if pool is not None else 1)
    if count > PORT_LIMIT:
        raise fail("T0308", f"{count:,} ports are more than a device can have", dims[0].span.to(dims[-1].span), f"at most {PORT_LIMIT:,}")
    return Shape(tuple(named), pool)
