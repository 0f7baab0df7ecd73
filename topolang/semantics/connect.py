"""The join rule: two endpoints, the dimensions that they share, and the rule of how many cables a pair gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

from topolang.diagnostics import Span
from topolang.ir.index import Const, IndexExpr, Op, Var, bounds, conjuncts, names
from topolang.ir.model import Bundle, Dim, End, Fabric, Rule, Variable
from topolang.semantics.compile import condition, integer
from topolang.semantics.endpoint import Choice, Resolved, resolve
from topolang.semantics.evaluate import fail
from topolang.semantics.namespace import Namespace
from topolang.semantics.scope import Scope
from topolang.semantics.values import show
from topolang.syntax import ast


@attrs.frozen(eq=False)
class _Named:
    """A side's dimension under the name by which the statement knows it."""

    dim: Dim
    allowed: tuple[int, ...] | None


def _named(end: Resolved) -> dict[str, _Named]:
    """Return the dimensions of a side that keep a name: all but the bound ones."""
    result: dict[str, _Named] = {}
    spans: dict[str, Span] = {}
    for i, dim in enumerate(end.dims):
        choice = end.choices.get(i)
        if choice is not None and choice.expr is not None:
            continue
        name = choice.alias if choice is not None and choice.alias is not None else dim.name
        if name in result:
            raise fail(
                "T0302",
                f"dimension `{name}` occurs twice in `{end.path.dotted}`",
                end.path.span,
                extra=((spans[name], "here"), (dim.span, "and here")),
                help="rename one of them, e.g. `[n as m]`",
            )
        result[name] = _Named(dim, choice.values if choice is not None else None)
        spans[name] = dim.span
    return result


def _join(name: str, a: _Named, z: _Named, ends: tuple[Resolved, Resolved]) -> Variable:
    """Join a dimension of one name; raise T0305 naming the indices left over where the ranges differ and neither side selects."""
    left, right = a.allowed or tuple(a.dim.values), z.allowed or tuple(z.dim.values)
    if set(left) == set(right) and a.allowed is None and z.allowed is None:
        return Variable(name, a.dim, "joined")
    if a.allowed is None and z.allowed is None:
        raise _left_over(name, a.dim, z.dim, ends)
    both = set(left) & set(right)
    if not both:
        raise fail("T0305", f"dimension `{name}` has no index in common", ends[1].path.span, extra=((ends[0].path.span, f"selects {show(left)}"),))
    return Variable(name, a.dim, "joined", tuple(sorted(both)))


def _left_over(name: str, a: Dim, z: Dim, ends: tuple[Resolved, Resolved]) -> Exception:
    only_a = [v for v in a.values if v not in z.values]
    only_z = [v for v in z.values if v not in a.values]
    notes = [f"{_span_of(values)} of `{end.path.dotted}` would stay unconnected" for values, end in ((only_a, ends[0]), (only_z, ends[1])) if values]
    smaller = ends[0] if len(only_z) >= len(only_a) else ends[1]
    common = [v for v in a.values if v in z.values]
    helps = ["declare the same range on both sides"]
    if common:
        helps.append(f"or select on one side: `[{name} = {_range_text(common)}]`")
    return fail(
        "T0305",
        f"dimension `{name}` has different values on the two sides",
        smaller.path.span,
        "joined by this name",
        extra=((a.span, f"`{ends[0].path.dotted}`: {a}"), (z.span, f"`{ends[1].path.dotted}`: {z}")),
        notes=notes,
        help=helps,
    )


def _range_text(values: Sequence[int]) -> str:
    whole = values[0] == values[-1] or len(values) == values[-1] - values[0] + 1
    return (f"{values[0]}..{values[-1]}" if len(values) > 1 else str(values[0])) if whole else f"[{', '.join(map(str, values))}]"


def _span_of(values: Sequence[int]) -> str:
    return f"index {values[0]}" if len(values) == 1 else f"indices {_range_text(values) if len(values) <= 8 else f'{values[0]}..{values[-1]}'}"


def _variables(ends: tuple[Resolved, Resolved]) -> list[Variable]:
    a, z = _named(ends[0]), _named(ends[1])
    joined = [_join(name, a[name], z[name], ends) for name in a if name in z]
    free_a = [Variable(name, named.dim, "a", named.allowed) for name, named in a.items() if name not in z]
    free_z = [Variable(name, named.dim, "z", named.allowed) for name, named in z.items() if name not in a]
    return [*joined, *free_a, *free_z]


def _slot(choice: Choice | None, dim: Dim, dims: Mapping[str, Dim], scope: Scope) -> IndexExpr:
    if choice is None or choice.values is not None:
        return Var(dim.name)
    if choice.alias is not None:
        return Var(choice.alias)
    assert choice.expr is not None
    return integer(choice.expr, dims, scope)


def _end(end: Resolved, dims: Mapping[str, Dim], scope: Scope) -> End:
    slots = tuple(_slot(end.choices.get(i), dim, dims, scope) for i, dim in enumerate(end.dims))
    assert end.ports is not None
    return End(end.group, end.parts, end.ports, slots, end.picks, end.path.dotted, end.path.span)


def _tie(variables: list[Variable], ends: tuple[End, End]) -> list[Variable]:
    """Make a variable joined where the other side binds a dimension of the same range to it: ``[x = y]`` joins ``x`` with ``y``."""
    result = []
    for v in variables:
        other = ends[1] if v.side == "a" else ends[0]
        tied = v.side != "joined" and any(
            slot == Var(v.name) and dim.values == v.dim.values for slot, dim in zip(other.slots, other.dims, strict=True)
        )
        result.append(attrs.evolve(v, side="joined") if tied else v)
    order = {"joined": 0, "a": 1, "z": 2}
    return sorted(result, key=lambda v: order[v.side])


def _relates(expr: IndexExpr, sides: Mapping[str, str]) -> bool:
    """Whether a condition is an equality that ties free dimensions of one side to free dimensions of the other."""
    if not (isinstance(expr, Op) and expr.op == "=="):
        return False
    found = {sides[name] for name in names(expr)}
    return {"a", "z"} <= found


def _rule(statement: ast.Connect, dims: Mapping[str, Dim], scope: Scope) -> Rule:
    multiplicity = statement.multiplicity
    if multiplicity is None:
        return Rule("times", Const(1))
    if multiplicity.kind != "times":
        return Rule(multiplicity.kind, Const(0), multiplicity.span)
    assert multiplicity.count is not None
    count = integer(multiplicity.count, dims, scope)
    low, high = bounds(count, {name: dim.limits for name, dim in dims.items()})
    if isinstance(count, Const) and low < 1:
        raise fail("T0403", f"`times {low}` makes no cable", multiplicity.span, "at least 1 is needed")
    if high > 2**16:
        raise fail("T0403", f"up to {high:,} cables per pair are more than a port pool holds", multiplicity.span)
    return Rule("times", count, multiplicity.span)


def connect(
    statement: ast.Connect,
    fabric: Fabric,
    namespace: Namespace,
    scope: Scope,
    attributes: Mapping[str, Any],
    index: int,
) -> Bundle:
    """Return the bundle of a `connect`.

    Raises:
        DiagnosticError: those of `resolve`, T0302 (ambiguous dimension), T0305 (ranges differ), T0403, and those of conditions.
    """
    resolved = (resolve(statement.a, namespace, scope), resolve(statement.z, namespace, scope))
    variables = _variables(resolved)
    dims = {v.name: v.dim for v in variables}
    a, z = (_end(end, dims, scope) for end in resolved)
    variables = _tie(variables, (a, z))
    sides: dict[str, Literal["joined", "a", "z"]] = {v.name: v.side for v in variables}
    parts = list(conjuncts(condition(statement.where, dims, scope))) if statement.where is not None else []
    relations = tuple(p for p in parts if _relates(p, sides))
    filters = tuple(p for p in parts if not _relates(p, sides))
    rate = min(a.ports.rate, z.ports.rate, key=lambda r: r.amount)
    return Bundle(index, fabric, a, z, tuple(variables), _rule(statement, dims, scope), relations, filters, rate, attributes, statement.head)
