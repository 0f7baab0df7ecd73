"""Attributes: which keys a kind of thing has and of which type, as the standard library's `kind` declarations say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from topolang.diagnostics import DiagnosticError, Sink, did_you_mean, error
from topolang.semantics.evaluate import evaluate, fail
from topolang.semantics.params import check_allowed
from topolang.semantics.scope import Poisoned, Scope
from topolang.semantics.values import Type, convert, resolve_type
from topolang.syntax import ast


@attrs.frozen(eq=False)
class KindSpec:
    """A kind's attributes by name, and the scope that its declaration reads."""

    subject: str
    name: str | None
    params: dict[str, ast.Param]
    scope: Scope

    @property
    def title(self) -> str:
        """The kind in words."""
        return f"{self.subject} `{self.name}`" if self.name else self.subject


class KindTable:
    """All kinds by subject and name."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str | None], KindSpec] = {}

    def add(self, kind: ast.Kind, scope: Scope, sink: Sink) -> None:
        """Take a declaration; T0203 for one that exists, T0108 for an unknown type."""
        key = (kind.subject.text, kind.name.text if kind.name else None)
        if key in self._kinds:
            sink.add(error("T0203", f"the kind `{' '.join(filter(None, key))}` is declared twice", kind.span, "declared again"))
            return
        params: dict[str, ast.Param] = {}
        for param in kind.params:
            try:
                resolve_type(param.type, param.listed)
            except DiagnosticError as fault:
                sink.add(fault.diagnostic)
                continue
            if param.name.text in params:
                sink.add(error("T0203", f"`{param.name.text}` is declared twice", param.name.span, "declared again"))
                continue
            params[param.name.text] = param
        self._kinds[key] = KindSpec(*key, params, scope)

    def find(self, subject: str, name: str | None = None) -> KindSpec | None:
        """Return a kind, or None."""
        return self._kinds.get((subject, name))

    def names(self, subject: str) -> list[str]:
        """Return the names of a subject's kinds."""
        return sorted(n for s, n in self._kinds if s == subject and n is not None)

    def need(self, subject: str, name: ast.Name) -> KindSpec:
        """Return a named kind; raise T0215 with a suggestion if there is none."""
        found = self.find(subject, name.text)
        if found is None:
            names = self.names(subject)
            raise fail("T0215", f"unknown kind of {subject} `{name.text}`", name.span, "no such kind", help=did_you_mean(name.text, names))
        return found

    def union(self, *keys: tuple[str, str | None]) -> KindSpec:
        """Return one specification with the attributes of several kinds (the first one names it)."""
        specs = [spec for key in keys if (spec := self._kinds.get(key)) is not None]
        params: dict[str, ast.Param] = {}
        for spec in reversed(specs):
            params |= spec.params
        return KindSpec(keys[0][0], keys[0][1], params, specs[0].scope if specs else Scope())


def read_attributes(
    spec: KindSpec, items: Iterable[ast.Item], scope: Scope, sink: Sink, reference: Callable[[ast.Expr, str], Any] | None = None
) -> dict[str, Any]:
    """Return the attributes among ``items``, typed, with the kind's defaults for those left out.

    Faults go to ``sink``: T0210 (unknown key), T0211 (given twice), T0103/T0104 (type, allowed values). ``reference`` resolves values of type
    `ref` (to targets) and `dimension` (to the name of a dimension).
    """
    result: dict[str, Any] = {}
    seen: dict[str, ast.Attribute] = {}
    for item in items:
        if not isinstance(item, ast.Attribute):
            continue
        name = item.name.text
        try:
            if name in seen:
                raise fail("T0211", f"`{name}` is given twice", item.name.span, "given again", extra=((seen[name].span, "first here"),))
            seen[name] = item
            result[name] = _read(spec, item, scope, reference)
        except DiagnosticError as fault:
            sink.add(fault.diagnostic)
        except Poisoned:
            pass
    for name, param in spec.params.items():
        if name not in seen and param.default is not None:
            try:
                value = evaluate(param.default, spec.scope)
                result[name] = convert(value, resolve_type(param.type, param.listed), param.default.span, f"`{name}`")
            except DiagnosticError as fault:
                sink.add(fault.diagnostic)
            except Poisoned:
                pass
    return result


def _read(spec: KindSpec, item: ast.Attribute, scope: Scope, reference: Callable[[ast.Expr, str], Any] | None) -> Any:
    param = spec.params.get(item.name.text)
    if param is None:
        raise fail(
            "T0210",
            f"unknown attribute `{item.name.text}` of {spec.title}",
            item.name.span,
            "no such attribute",
            help=_instead(spec, item),
        )
    wanted: Type = resolve_type(param.type, param.listed)
    if wanted.name in ("ref", "dimension"):
        return _references(item, wanted, reference)
    value = convert(_value(item, wanted, scope), wanted, item.value.span, f"`{item.name.text}`")
    check_allowed(param, value, spec.scope, item.value.span)
    return value


def _value(item: ast.Attribute, wanted: Type, scope: Scope) -> Any:
    try:
        return evaluate(item.value, scope)
    except DiagnosticError as fault:
        word = item.value.simple if isinstance(item.value, ast.Path) else None
        if fault.diagnostic.code != "T0201" or wanted.name != "string" or word is None:
            raise
        raise DiagnosticError(attrs.evolve(fault.diagnostic, help=(f'write `"{word}"`: a text stands in quotes',))) from None


def _instead(spec: KindSpec, item: ast.Attribute) -> tuple[str, ...]:
    name = item.name.text
    if spec.title in ("device", "instance") and isinstance(item.value, ast.Path) and item.value.simple is None:
        return (f"write `port {name} = …` for a group of ports",)
    return did_you_mean(name, spec.params) or (f"write `let {name} = …` for a constant",)


def _references(item: ast.Attribute, wanted: Type, reference: Callable[[ast.Expr, str], Any] | None) -> Any:
    exprs: Sequence[ast.Expr] = item.value.items if isinstance(item.value, ast.ListExpr) else (item.value,)
    if reference is None:
        raise fail("T0103", f"`{item.name.text}` cannot name other things here", item.value.span)
    found = tuple(value for expr in exprs for value in reference(expr, wanted.name))
    if not exprs or (wanted.name == "dimension" and not wanted.listed and len(exprs) > 1):
        raise fail("T0103", f"`{item.name.text}` names {'one dimension' if wanted.name == 'dimension' else 'something'}", item.value.span)
    return found if wanted.listed or wanted.name == "ref" else found[0]
