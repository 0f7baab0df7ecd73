"""Claims: `assert` and `warn` expressions, folded where constant, with metrics and names left for the passes."""

from __future__ import annotations

from typing import Final

from topolang.diagnostics import DiagnosticError, did_you_mean, error
from topolang.ir.metrics import METRICS, SYMBOLS
from topolang.ir.model import Claim, Known, Metric, Operation, Symbol, TargetArg
from topolang.semantics.endpoint import resolve_target
from topolang.semantics.evaluate import binary, evaluate, fail
from topolang.semantics.functions import FUNCTIONS
from topolang.semantics.namespace import Namespace
from topolang.semantics.scope import Missing, Poisoned, Scope
from topolang.semantics.values import type_of
from topolang.syntax import ast

_BOOLEAN: Final = frozenset({"and", "or", "not", "==", "!=", "<", "<=", ">", ">=", "in"})


def lower(expr: ast.Expr, namespace: Namespace, scope: Scope) -> Claim:
    """Return the claim of an expression that is true or false.

    Raises:
        DiagnosticError: T0201 (unknown name or metric), T0105 (wrong arguments), T0101/T0103 (types), and those of constants.
    """
    claim = _lower(expr, namespace, scope)
    kind = claim_type(claim)
    if kind not in ("bool", "verdict"):
        raise fail("T0103", f"a claim is true or false, but this is a {kind}", expr.span, kind, help="compare it with something")
    return claim


def claim_type(claim: Claim) -> str:
    """Return the type of a claim's value; ``?`` where only the passes know."""
    if isinstance(claim, Known):
        return type_of(claim.value)
    if isinstance(claim, Metric):
        return METRICS[claim.name].returns
    if isinstance(claim, Operation):
        return (
            "bool"
            if claim.op in _BOOLEAN
            else next((t for a in claim.args if (t := claim_type(a)) not in ("int", "float")), claim_type(claim.args[0]))
        )
    return "name"


def _constant(expr: ast.Expr, scope: Scope) -> bool:
    """Whether the expression reads only constants and built-in functions of them."""
    if isinstance(expr, ast.Path):
        try:
            scope.get(expr.steps[0].name.text)
        except Missing:
            return False
        except (Poisoned, DiagnosticError):
            return True
        return True
    if isinstance(expr, ast.Call):
        return expr.name.text in FUNCTIONS and all(_constant(a.value, scope) for a in expr.arguments)
    if isinstance(expr, ast.Binary):
        return _constant(expr.left, scope) and _constant(expr.right, scope)
    if isinstance(expr, ast.Unary):
        return _constant(expr.operand, scope)
    if isinstance(expr, ast.ListExpr):
        return all(_constant(item, scope) for item in expr.items)
    if isinstance(expr, ast.RangeExpr):
        return all(_constant(part, scope) for part in (expr.first, expr.last, expr.step) if part is not None)
    return True


def _lower(expr: ast.Expr, namespace: Namespace, scope: Scope) -> Claim:
    comparison = isinstance(expr, (ast.Binary, ast.Unary)) and expr.op in _BOOLEAN
    if _constant(expr, scope) and not comparison:
        return Known(evaluate(expr, scope), expr.span)
    if isinstance(expr, ast.Binary):
        return _operation(expr, namespace, scope)
    if isinstance(expr, ast.Unary):
        return Operation("not" if expr.op == "not" else "neg", (_lower(expr.operand, namespace, scope),), expr.span)
    if isinstance(expr, ast.Call):
        return _metric(expr, namespace, scope)
    if isinstance(expr, ast.Path):
        return _name(expr, namespace, scope)
    raise fail("T0103", "a claim compares numbers, quantities and metrics", expr.span)


def _operation(expr: ast.Binary, namespace: Namespace, scope: Scope) -> Operation:
    if _constant(expr, scope):
        evaluate(expr, scope)  # reports clashes of types
    left = _lower(expr.left, namespace, scope)
    right = _lower(expr.right, namespace, scope)
    claim = Operation(expr.op, (left, right), expr.span)
    _check_types(expr, left, right)
    return claim


def _check_types(expr: ast.Binary, left: Claim, right: Claim) -> None:
    a, b = claim_type(left), claim_type(right)
    if isinstance(left, Known) and isinstance(right, Known):
        if expr.op not in ("and", "or"):
            binary(expr, left.value, right.value)
        return
    numbers = {"int", "float"}
    if expr.op in ("and", "or"):
        for kind, side in ((a, expr.left), (b, expr.right)):
            if kind not in ("bool", "verdict"):
                raise fail("T0103", f"`{expr.op}` takes claims, but this is a {kind}", side.span, kind)
    elif expr.op == "in":
        if b not in ("range", "list"):
            raise fail("T0103", f"`in` needs a list or a range on its right, but this is a {b}", expr.right.span)
    elif expr.op in ("*", "/", "div", "mod"):
        return
    elif a != b and not {a, b} <= numbers:
        extra = ((expr.left.span, a), (expr.right.span, b))
        raise fail("T0101", f"`{expr.op}` cannot combine a {a} and a {b}", expr.op_span, "types differ", extra=extra)


def _metric(expr: ast.Call, namespace: Namespace, scope: Scope) -> Metric:
    signature = METRICS.get(expr.name.text)
    if signature is None:
        known = [*METRICS, *FUNCTIONS]
        raise fail(
            "T0201", f"unknown metric `{expr.name.text}`", expr.name.span, "neither a metric nor a function", help=did_you_mean(expr.name.text, known)
        )
    if not signature.least <= len(expr.arguments) <= signature.most:
        count = f"{signature.least}" if signature.least == signature.most else f"{signature.least} or {signature.most}"
        raise fail("T0105", f"`{expr.name.text}` takes {count} argument{'s' * (count != '1')}, not {len(expr.arguments)}", expr.span, signature.doc)
    args: list[Claim] = []
    for argument in expr.arguments:
        if argument.name is not None:
            raise fail("T0105", f"`{expr.name.text}` takes no named arguments", argument.span)
        if not isinstance(argument.value, ast.Path):
            raise fail("T0105", f"`{expr.name.text}` takes names of devices and fabrics", argument.value.span, signature.doc)
        args.append(_argument(argument.value, namespace, scope))
    _check_arguments(expr, args)
    return Metric(expr.name.text, tuple(args), expr.span)


def _check_arguments(expr: ast.Call, args: list[Claim]) -> None:
    signature = METRICS[expr.name.text]
    for claim, argument, kind in zip(args, expr.arguments, signature.args, strict=False):
        wanted = kind.split(" or ")
        got = _names(claim)
        if not set(got) <= set(wanted):
            article = {"devices": "devices", "scope": f"one of {', '.join(sorted(SYMBOLS))}"}
            said = " or ".join(article.get(word, f"a {word}") for word in wanted)
            shown = article.get(got[0], f"a {got[0]}") if got[0] != "scope" else "a word"
            text = f"`{expr.name.text}` takes {said} here, but `{argument.value.span.text}` names {shown}"
            raise DiagnosticError(error("T0105", text, argument.span, signature.doc))


def _names(claim: Claim) -> list[str]:
    """Return what kinds of things an argument names."""
    if isinstance(claim, Symbol):
        return ["scope"]
    assert isinstance(claim, TargetArg)
    return sorted({"fabric" if t.fabric is not None else t.hint[0] if t.hint is not None else "devices" for t in claim.targets}) or ["devices"]


def _argument(expr: ast.Path, namespace: Namespace, scope: Scope) -> Claim:
    word = expr.simple
    if word is not None and word in SYMBOLS and namespace.find(expr.steps[0].name) is None:
        return Symbol(word, expr.span)
    return TargetArg(resolve_target(expr, namespace, scope), expr.dotted, expr.span)


def _name(expr: ast.Path, namespace: Namespace, scope: Scope) -> Claim:
    word = expr.simple
    if word is not None and word in METRICS and METRICS[word].least == 0 and namespace.find(expr.steps[0].name) is None:
        return Metric(word, (), expr.span)
    name = expr.steps[0].name
    if namespace.find(name) is None:
        known = [*namespace.names(), *scope.names(), *METRICS]
        raise fail("T0201", f"unknown name `{name.text}`", name.span, "not declared here", help=did_you_mean(name.text, known))
    raise fail("T0103", f"`{expr.dotted}` names devices, not a value", expr.span, help=f"write for example `count({expr.dotted})`")
