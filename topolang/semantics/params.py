"""Parameters: typed, bounded, with defaults that may read the parameters before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from topolang.diagnostics import DiagnosticError, Sink, Span, did_you_mean, error, nearest
from topolang.semantics.evaluate import evaluate, fail
from topolang.semantics.scope import Poisoned, Scope
from topolang.semantics.values import Type, convert, resolve_type, show
from topolang.syntax import ast


@attrs.frozen
class Given:
    """A value given for a parameter or attribute, and where."""

    value: Any
    span: Span


def check_allowed(param: ast.Param, value: Any, scope: Scope, span: Span) -> None:
    """Raise T0104 if the value is not among those that the declaration allows."""
    if param.allowed is None:
        return
    allowed = evaluate(param.allowed, scope)
    if not isinstance(allowed, (tuple, range)):
        raise fail("T0103", "`in` needs a range or a list", param.allowed.span)
    values = value if isinstance(value, tuple) else (value,)
    for item in values:
        if item not in allowed:
            best = nearest(item, [v for v in allowed if isinstance(v, str)]) if isinstance(item, str) else None
            raise DiagnosticError(
                error(
                    "T0104",
                    f"`{param.name.text}` = {show(item)} is not allowed",
                    span,
                    f"not in {show(allowed)}",
                    extra=((param.allowed.span, "allowed values"),) if param.allowed.span != span else (),
                    help=f"write `{show(best)}`" if best else f"choose from {show(allowed)}",
                )
            )


def bind(owner: str, params: Sequence[ast.Param], given: Mapping[str, Given], parent: Scope, span: Span, sink: Sink) -> Scope:
    """Return a scope that holds the parameters' values.

    Raises:
        DiagnosticError: T0214 (no such parameter), T0213 (a value is needed); other faults of single parameters go to ``sink``, and the
            parameter counts as failed.
    """
    scope = Scope(parent)
    known = [p.name.text for p in params]
    for name, value in given.items():
        if name not in known:
            raise DiagnosticError(
                error("T0214", f"`{owner}` has no parameter `{name}`", value.span, "unknown parameter", help=did_you_mean(name, known))
            )
    for param in params:
        try:
            scope.define(param.name, _value(param, given.get(param.name.text), scope, owner, span))
        except DiagnosticError as fault:
            sink.add(fault.diagnostic)
            scope.poison(param.name)
        except Poisoned:
            scope.poison(param.name)
    return scope


def _value(param: ast.Param, given: Given | None, scope: Scope, owner: str, span: Span) -> Any:
    wanted: Type = resolve_type(param.type, param.listed)
    if given is not None:
        value, where = given.value, given.span
    elif param.default is not None:
        value, where = evaluate(param.default, scope), param.default.span
    else:
        raise DiagnosticError(
            error(
                "T0213",
                f"`{owner}` needs a value for `{param.name.text}`",
                span,
                "no value given",
                extra=((param.span, "declared without a default"),),
                help=f"give it as `{param.name.text} = …`, on the command line as `-D {param.name.text}=…`",
            )
        )
    value = convert(value, wanted, where, f"`{param.name.text}`")
    check_allowed(param, value, scope, where)
    return value
