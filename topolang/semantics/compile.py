"""From expressions over dimensions to index expressions that run on whole grids."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from topolang.diagnostics import DiagnosticError, Span, did_you_mean
from topolang.ir.index import BoundsError, Const, IndexExpr, Lookup, Op, Var, bounds
from topolang.ir.model import Dim
from topolang.semantics.evaluate import evaluate, fail
from topolang.semantics.scope import Missing, Scope
from topolang.semantics.values import show, type_of
from topolang.syntax import ast

Dims = Mapping[str, Dim]

_COMPARE: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_FUNCTIONS: Final = frozenset({"min", "max", "abs"})


def reads(expr: ast.Expr, dims: Dims) -> bool:
    """Whether the expression reads a dimension."""
    if isinstance(expr, ast.Path):
        head = expr.steps[0]
        indexed = any(reads(s.value, dims) for step in expr.steps for s in step.selectors if isinstance(s, (ast.SelectPosition, ast.SelectBind)))
        return indexed or (len(expr.steps) == 1 and not head.selectors and head.name.text in dims)
    if isinstance(expr, ast.ListExpr):
        return any(reads(item, dims) for item in expr.items)
    if isinstance(expr, ast.RangeExpr):
        return any(reads(part, dims) for part in (expr.first, expr.last, expr.step) if part is not None)
    if isinstance(expr, ast.Binary):
        return reads(expr.left, dims) or reads(expr.right, dims)
    if isinstance(expr, ast.Unary):
        return reads(expr.operand, dims)
    if isinstance(expr, ast.Call):
        return any(reads(argument.value, dims) for argument in expr.arguments)
    return False


def condition(expr: ast.Expr, dims: Dims, scope: Scope) -> IndexExpr:
    """Compile a condition; raise T0103 if it is no bool, T0107 if it cannot be computed exactly."""
    return _checked(expr, dims, scope, "bool")


def integer(expr: ast.Expr, dims: Dims, scope: Scope) -> IndexExpr:
    """Compile a whole number; raise T0103 if it is none, T0107 if it cannot be computed exactly."""
    return _checked(expr, dims, scope, "int")


def _checked(expr: ast.Expr, dims: Dims, scope: Scope, wanted: str) -> IndexExpr:
    result, kind = _compile(expr, dims, scope)
    if kind != wanted:
        raise fail("T0103", f"a {'condition' if wanted == 'bool' else 'whole number'} is needed, but this is a {kind}", expr.span, kind)
    try:
        bounds(result, {name: dim.limits for name, dim in dims.items()})
    except BoundsError as fault:
        raise fail("T0107", f"this cannot be computed for every index: {fault}", expr.span) from None
    return result


def _constant(value: Any, span: Span) -> tuple[IndexExpr, str]:
    if isinstance(value, bool):
        return Const(int(value)), "bool"
    if isinstance(value, int):
        return Const(value), "int"
    if isinstance(value, Fraction):
        raise fail("T0103", f"indices are whole numbers, but this is {show(value)}", span, help="write `div`, or `floor(…)`")
    raise fail("T0103", f"indices are whole numbers, but this is a {type_of(value)}", span, show(value))


def _compile(expr: ast.Expr, dims: Dims, scope: Scope) -> tuple[IndexExpr, str]:
    if not reads(expr, dims):
        return _constant(_evaluate(expr, dims, scope), expr.span)
    if isinstance(expr, ast.Path):
        return _name(expr, dims, scope)
    if isinstance(expr, ast.Unary):
        wanted = "bool" if expr.op == "not" else "int"
        operand = _need(expr.operand, dims, scope, wanted)
        return Op("not" if expr.op == "not" else "neg", (operand,)), wanted
    if isinstance(expr, ast.Call):
        return _call(expr, dims, scope)
    if isinstance(expr, ast.Binary):
        return _binary(expr, dims, scope)
    raise fail("T0103", "a whole number or a condition is needed, but this is a list or a range", expr.span)


def _evaluate(expr: ast.Expr, dims: Dims, scope: Scope) -> Any:
    """Evaluate a constant; an unknown name is also looked for among the dimensions."""
    try:
        return evaluate(expr, scope)
    except DiagnosticError as fault:
        d = fault.diagnostic
        if d.code == "T0201" and d.span is not None:
            raise fail(
                "T0201", d.message, d.span, "neither a dimension here nor a constant", help=did_you_mean(d.span.text, [*dims, *scope.names()])
            ) from None
        raise


def _need(expr: ast.Expr, dims: Dims, scope: Scope, wanted: str) -> IndexExpr:
    result, kind = _compile(expr, dims, scope)
    if kind != wanted:
        raise fail("T0103", f"a {'condition' if wanted == 'bool' else 'whole number'} is needed, but this is a {kind}", expr.span, kind)
    return result


def _name(expr: ast.Path, dims: Dims, scope: Scope) -> tuple[IndexExpr, str]:
    head = expr.steps[0]
    if not head.selectors:
        return Var(head.name.text), "int"
    try:
        value = scope.get(head.name.text)
    except Missing:
        raise fail(
            "T0201", f"unknown name `{head.name.text}`", head.name.span, "not declared here", help=did_you_mean(head.name.text, scope.names())
        ) from None
    selector = head.selectors[0]
    if len(head.selectors) != 1 or len(expr.steps) != 1 or not isinstance(selector, ast.SelectPosition):
        raise fail("T0103", "a list is indexed by one position", expr.span, help="write for example `lanes[k]`")
    if not isinstance(value, tuple) or not value or not all(isinstance(v, int) and not isinstance(v, bool) for v in value):
        raise fail("T0103", f"`{head.name.text}` is no list of whole numbers", head.name.span, show(value))
    return Lookup(value, _need(selector.value, dims, scope, "int")), "int"


def _call(expr: ast.Call, dims: Dims, scope: Scope) -> tuple[IndexExpr, str]:
    if expr.name.text not in _FUNCTIONS:
        raise fail(
            "T0105",
            f"`{expr.name.text}` cannot be applied to dimensions",
            expr.name.span,
            help=f"on indices there are {', '.join(f'`{f}`' for f in sorted(_FUNCTIONS))}, `div` and `mod`",
        )
    if not expr.arguments or (expr.name.text == "abs" and len(expr.arguments) != 1):
        raise fail("T0105", f"`{expr.name.text}` needs {'one argument' if expr.name.text == 'abs' else 'an argument'}", expr.span)
    return Op(expr.name.text, tuple(_need(argument.value, dims, scope, "int") for argument in expr.arguments)), "int"


def _binary(expr: ast.Binary, dims: Dims, scope: Scope) -> tuple[IndexExpr, str]:
    op = expr.op
    if op in ("and", "or"):
        return Op(op, (_need(expr.left, dims, scope, "bool"), _need(expr.right, dims, scope, "bool"))), "bool"
    if op == "in":
        return _member(expr, dims, scope), "bool"
    if op == "/":
        raise fail("T0103", "`/` does not give a whole number for every index", expr.op_span, help="write `div`, the quotient rounded down")
    left, left_kind = _compile(expr.left, dims, scope)
    right, right_kind = _compile(expr.right, dims, scope)
    if op in _COMPARE:
        if left_kind != right_kind or (left_kind == "bool" and op not in ("==", "!=")):
            raise fail("T0101", f"`{op}` cannot combine a {left_kind} and a {right_kind}", expr.op_span, "types differ")
        return Op(op, (left, right)), "bool"
    for kind, side in ((left_kind, expr.left), (right_kind, expr.right)):
        if kind != "int":
            raise fail("T0103", f"`{op}` takes whole numbers, but this is a {kind}", side.span, kind)
    return Op(op, (left, right)), "int"


def _member(expr: ast.Binary, dims: Dims, scope: Scope) -> IndexExpr:
    left = _need(expr.left, dims, scope, "int")
    if isinstance(expr.right, ast.RangeExpr) and reads(expr.right, dims):
        low, high = (_need(part, dims, scope, "int") for part in (expr.right.first, expr.right.last))
        if expr.right.step is not None:
            raise fail("T0103", "a range whose ends read dimensions has no `by`", expr.right.step.span)
        return Op("and", (Op(">=", (left, low)), Op("<=", (left, high))))
    values = _evaluate(expr.right, dims, scope)
    if isinstance(values, range):
        inside = Op("and", (Op(">=", (left, Const(values[0]))), Op("<=", (left, Const(values[-1])))))
        if values.step == 1:
            return inside
        return Op("and", (inside, Op("==", (Op("mod", (Op("-", (left, Const(values[0]))), Const(values.step))), Const(0)))))
    if not isinstance(values, tuple) or not all(isinstance(v, int) and not isinstance(v, bool) for v in values):
        raise fail("T0103", "`in` needs a range or a list of whole numbers on its right", expr.right.span)
    if len(values) > 1:
        return Op("among", (left, *(Const(v) for v in values)))
    # one value is an equality, which the join solves instead of searching
    return Op("==", (left, Const(values[0]))) if values else Const(0)
