"""Evaluation of constant expressions, exact and dimension-checked."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from topolang.diagnostics import DiagnosticError, Span, did_you_mean, error
from topolang.resources import library_parts
from topolang.semantics.functions import FUNCTIONS, Misuse
from topolang.semantics.limits import INDEX_LIMIT, bounded_list
from topolang.semantics.scope import Missing, Scope
from topolang.semantics.values import DeviceRef, described, show, type_of
from topolang.syntax import ast
from topolang.units import Quantity, exact

# numbers in a design stay far below this; the limit keeps a hostile file from growing them without end
NUMBER_LIMIT: Final = 10**30


def fail(code: str, message: str, span: Span, label: str = "", **more: Any) -> DiagnosticError:
    """Return the error to raise."""
    return DiagnosticError(error(code, message, span, label, **more))


def unknown_name(name: ast.Name, scope_names: Any) -> DiagnosticError:
    """Return T0201 for a name that nothing declares."""
    part = next((p for p in library_parts() if p.endswith(f".{name.text}")), None)
    if part is not None:
        help_ = f"write `{part}`" if name.span.source.name.startswith("-D ") else f"add `import {part}` at the top of the file"
        return fail("T0201", f"unknown name `{name.text}`", name.span, "not declared here", help=help_)
    return fail("T0201", f"unknown name `{name.text}`", name.span, "not declared here", help=did_you_mean(name.text, scope_names))


def evaluate(expr: ast.Expr, scope: Scope) -> Any:
    """Return the value of a constant expression; raise `DiagnosticError` or `Poisoned`."""
    if isinstance(expr, (ast.Int, ast.Amount, ast.Str, ast.Bool)):
        return expr.value
    if isinstance(expr, ast.Decimal):
        return exact(expr.value)
    if isinstance(expr, ast.ListExpr):
        return bounded_list((evaluate(item, scope) for item in expr.items), scope, expr.span)
    if isinstance(expr, ast.RangeExpr):
        return make_range(expr, scope)
    if isinstance(expr, ast.Path):
        return _path(expr, scope)
    if isinstance(expr, ast.Call):
        return _call(expr, scope)
    if isinstance(expr, ast.Unary):
        return _unary(expr, evaluate(expr.operand, scope))
    if expr.op in ("and", "or"):
        return _logic(expr, scope)
    value = binary(expr, evaluate(expr.left, scope), evaluate(expr.right, scope))
    return bounded_list(value, scope, expr.span) if isinstance(value, tuple) else value


def make_range(expr: ast.RangeExpr, scope: Scope) -> Any:
    """Return a `range` of integers or, for ``"A".."D"``, a tuple of letters; raise T0303 for one that is empty or not of whole numbers."""
    first, last = evaluate(expr.first, scope), evaluate(expr.last, scope)
    step = 1 if expr.step is None else evaluate(expr.step, scope)
    if isinstance(first, str) and isinstance(last, str):
        return _letters(expr, first, last, step)
    for value, part in ((first, expr.first), (last, expr.last), (step, expr.step or expr.last)):
        if not isinstance(value, int) or isinstance(value, bool):
            help_ = "write `div` for whole-number division" if isinstance(value, Fraction) else ()
            raise fail("T0303", f"a range runs over whole numbers, but this is {described(value)}", part.span, show(value), help=help_)
    if max(abs(first), abs(last), abs(step)) > INDEX_LIMIT:
        raise fail("T0107", "the number is too large for an index", expr.span, f"beyond {INDEX_LIMIT:,}")
    if step <= 0:
        raise fail("T0303", f"the step of a range is above 0, but this is {step}", expr.span, help="write the smaller end first")
    if first > last:
        raise fail(
            "T0303",
            f"the range {first}..{last} is empty",
            expr.span,
            "runs downwards",
            help="write the smaller end first; both ends are included",
        )
    return range(first, last + 1, step)


def _letters(expr: ast.RangeExpr, first: str, last: str, step: Any) -> tuple[str, ...]:
    if len(first) != 1 or len(last) != 1 or not (first.isascii() and last.isascii() and first.isalpha() and last.isalpha()):
        raise fail("T0303", "a range of letters runs from one letter to another", expr.span, help='write for example `"A".."D"`')
    if ord(first) > ord(last) or first.isupper() != last.isupper() or not isinstance(step, int) or step < 1:
        raise fail("T0303", f'the range "{first}".."{last}" is empty', expr.span, "runs downwards", help="write the earlier letter first")
    return tuple(chr(c) for c in range(ord(first), ord(last) + 1, step))


def _path(expr: ast.Path, scope: Scope) -> Any:
    head = expr.steps[0]
    try:
        value = scope.get(head.name.text)
    except Missing:
        raise unknown_name(head.name, scope.names()) from None
    value = _index(value, head, scope)
    for step in expr.steps[1:]:
        value = _index(_member(value, step, expr), step, scope)
    return value


def _member(value: Any, step: ast.Step, expr: ast.Path) -> Any:
    if isinstance(value, Scope):
        try:
            return value.get(step.name.text)
        except Missing:
            raise unknown_name(step.name, value.values) from None
    raise fail("T0202", f"`{expr.dotted}` is no constant: {described(value)} has no member `{step.name.text}`", step.span, "no such member")


def _index(value: Any, step: ast.Step, scope: Scope) -> Any:
    for selector in step.selectors:
        if not isinstance(selector, ast.SelectPosition):
            raise fail("T0303", "a list is indexed by position, from 0", selector.span, help="write for example `lanes[0]`")
        at = evaluate(selector.value, scope)
        if not isinstance(value, tuple):
            raise fail("T0103", f"only lists are indexed, but `{step.name.text}` is {described(value)}", step.span)
        if not isinstance(at, int) or isinstance(at, bool):
            raise fail("T0103", f"a list is indexed by a whole number, but this is {described(at)}", selector.span)
        if not 0 <= at < len(value):
            raise fail(
                "T0304", f"index {at} is outside the list: it has {len(value)} items, numbered from 0", selector.span, f"0..{len(value) - 1} exist"
            )
        value = value[at]
    return value


def _call(expr: ast.Call, scope: Scope) -> Any:
    function = FUNCTIONS.get(expr.name.text)
    if function is None:
        raise fail(
            "T0201",
            f"unknown function `{expr.name.text}`",
            expr.name.span,
            "not a function of constants",
            help=did_you_mean(expr.name.text, FUNCTIONS),
        )
    for argument in expr.arguments:
        if argument.name is not None:
            raise fail("T0105", f"`{expr.name.text}` takes no named arguments", argument.span, help="write the value alone")
    args = [evaluate(argument.value, scope) for argument in expr.arguments]
    if function.arity is not None and len(args) != function.arity:
        raise fail(
            "T0105", f"`{expr.name.text}` takes {function.arity} argument{'s' * (function.arity != 1)}, not {len(args)}", expr.span, function.doc
        )
    try:
        return _limited(function.call(*args), expr.span)
    except Misuse as misuse:
        raise fail("T0105", f"`{expr.name.text}` {misuse}", expr.span, function.doc) from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def _unary(expr: ast.Unary, value: Any) -> Any:
    if expr.op == "not":
        if not isinstance(value, bool):
            raise fail("T0103", f"`not` takes a bool, but this is {described(value)}", expr.operand.span, show(value))
        return not value
    if _is_number(value):
        return -value
    if isinstance(value, Quantity):
        return Quantity(-value.amount, value.dimension)
    raise fail("T0103", f"`-` takes a number, but this is {described(value)}", expr.operand.span, show(value))


def _logic(expr: ast.Binary, scope: Scope) -> bool:
    left = evaluate(expr.left, scope)
    right = evaluate(expr.right, scope)
    for value, side in ((left, expr.left), (right, expr.right)):
        if not isinstance(value, bool):
            raise fail("T0103", f"`{expr.op}` takes bools, but this is {described(value)}", side.span, show(value))
    return bool(left and right) if expr.op == "and" else bool(left or right)


_ORDER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def binary(expr: ast.Binary, left: Any, right: Any) -> Any:
    """Return ``left op right`` on values; raise T0101 (units clash), T0103 (wrong types), T0106 (division by 0)."""
    if expr.op == "in":
        return _contains(expr, left, right)
    if expr.op in ("==", "!="):
        if not _comparable(left, right):
            raise clash(expr, left, right)
        return (left == right) == (expr.op == "==")
    if expr.op in _ORDER:
        if not _comparable(left, right) or isinstance(left, (bool, str, tuple, DeviceRef)):
            raise clash(expr, left, right)
        a, b = (x.amount if isinstance(x, Quantity) else x for x in (left, right))
        return _ORDER[expr.op](a, b)
    return _limited(_arithmetic(expr, left, right), expr.span)


def _contains(expr: ast.Binary, left: Any, right: Any) -> bool:
    if not isinstance(right, (tuple, range)):
        raise fail("T0103", f"`in` needs a list or a range on its right, but this is {described(right)}", expr.right.span)
    return left in right and not isinstance(left, bool)


def _comparable(left: Any, right: Any) -> bool:
    if _is_number(left) and _is_number(right):
        return True
    return type_of(left) == type_of(right)


def clash(expr: ast.Binary, left: Any, right: Any) -> DiagnosticError:
    """Return T0101: the operands' types or units do not go together."""
    return fail(
        "T0101",
        f"`{expr.op}` cannot combine {described(left)} and {described(right)}",
        expr.op_span,
        "types differ",
        extra=((expr.left.span, f"{show(left)}: {type_of(left)}"), (expr.right.span, f"{show(right)}: {type_of(right)}")),
    )


def _arithmetic(expr: ast.Binary, left: Any, right: Any) -> Any:
    op = expr.op
    both = isinstance(left, Quantity) and isinstance(right, Quantity)
    if op in ("+", "-"):
        if not _comparable(left, right) or not (_is_number(left) or isinstance(left, Quantity)):
            if op == "+" and isinstance(left, tuple) and isinstance(right, tuple):
                return left + right
            raise clash(expr, left, right)
        if isinstance(left, Quantity):
            sign = 1 if op == "+" else -1
            return Quantity(exact(Fraction(left.amount) + sign * right.amount), left.dimension, left.unit if left.unit == right.unit else None)
        return exact(Fraction(left + right if op == "+" else left - right))
    if op == "*":
        return _product(expr, left, right)
    if both and left.dimension != right.dimension:
        raise clash(expr, left, right)
    a, b = (Fraction(x.amount) if isinstance(x, Quantity) else x for x in (left, right))
    if not (_is_number(a) and _is_number(b)) or (isinstance(right, Quantity) and not both):
        raise clash(expr, left, right)
    if b == 0:
        raise fail("T0106", f"`{op}` by 0", expr.right.span, "is 0")
    if op == "/":
        quotient = exact(Fraction(a) / Fraction(b))
        return Quantity(quotient, left.dimension, left.unit) if isinstance(left, Quantity) and not both else quotient
    if not both and not (isinstance(left, int) and isinstance(right, int)):
        raise fail("T0103", f"`{op}` takes whole numbers", expr.op_span, help="write `/` for an exact quotient, or `floor(a / b)`")
    return int(a // b) if op == "div" else (Quantity(exact(Fraction(a % b)), left.dimension) if both else a % b)


def _product(expr: ast.Binary, left: Any, right: Any) -> Any:
    if _is_number(left) and _is_number(right):
        return exact(Fraction(left) * right)
    for quantity, number in ((left, right), (right, left)):
        if isinstance(quantity, Quantity) and _is_number(number):
            return Quantity(exact(Fraction(quantity.amount) * number), quantity.dimension, quantity.unit)
    raise clash(expr, left, right)


def _limited(value: Any, span: Span) -> Any:
    amount = value.amount if isinstance(value, Quantity) else value
    if _is_number(amount) and (abs(amount) > NUMBER_LIMIT or (isinstance(amount, Fraction) and amount.denominator > NUMBER_LIMIT)):
        raise fail("T0107", "the number is too large to be meant", span, "beyond 10^30")
    return value
