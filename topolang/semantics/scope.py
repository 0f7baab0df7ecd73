"""Where a name in a constant expression is looked up: loop variables, then a container's parameters and lets, then the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from topolang.diagnostics import DiagnosticError, Span, error
from topolang.syntax import ast


class Poisoned(Exception):
    """Stop the evaluation of something that depends on a statement whose error was reported already."""


class Missing(Exception):
    """Say that a scope holds no such name."""


class Lazy:
    """A `let` that is evaluated when first read, so that declarations are free of order."""

    def __init__(self, expr: ast.Expr, name: ast.Name, evaluate: Callable[[ast.Expr], Any]) -> None:
        self.name = name
        self._expr = expr
        self._evaluate = evaluate
        self._state = "new"
        self._value: Any = None

    def force(self) -> Any:
        """Return the value; raise T0204 if it is defined by itself, `Poisoned` after an error."""
        if self._state == "done":
            return self._value
        if self._state == "busy":
            self._state = "bad"
            raise DiagnosticError(error("T0204", f"`{self.name.text}` is defined by itself", self.name.span, "needs its own value"))
        if self._state == "bad":
            raise Poisoned
        self._state = "busy"
        try:
            self._value = self._evaluate(self._expr)
        except RecursionError:
            self._state = "bad"
            raise DiagnosticError(
                error("T0021", f"`{self.name.text}` is defined through too many other names", self.name.span, "a long chain", help="put it first")
            ) from None
        except BaseException:
            self._state = "bad"
            raise
        self._state = "done"
        return self._value


class Scope:
    """Values by name, with a parent that is asked next."""

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.incomplete = False
        self._items = 0
        self.values: dict[str, Any] = {}
        self.spans: dict[str, Span] = {}

    def define(self, name: ast.Name, value: Any) -> None:
        """Add a value; raise T0203 if the name is taken in this scope."""
        if name.text in self.values:
            raise DiagnosticError(
                error("T0203", f"`{name.text}` is declared twice", name.span, "declared again", extra=((self.spans[name.text], "first here"),))
            )
        self.values[name.text] = value
        self.spans[name.text] = name.span

    def poison(self, name: ast.Name) -> None:
        """Note that a name exists but its declaration failed."""
        self.values.setdefault(name.text, Poisoned)
        self.spans.setdefault(name.text, name.span)

    def get(self, name: str) -> Any:
        """Return the value of a name; raise `Missing`, or `Poisoned` where a failed import may have declared it."""
        scope: Scope | None = self
        incomplete = False
        while scope is not None:
            if name in scope.values:
                value = scope.values[name]
                if value is Poisoned:
                    raise Poisoned
                return value.force() if isinstance(value, Lazy) else value
            incomplete |= scope.incomplete
            scope = scope.parent
        if incomplete:
            raise Poisoned
        raise Missing

    def count_items(self, count: int) -> int:
        """Count items of lists and return how many the outermost scope has seen, which all bodies of a file share."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        scope._items += count
        return scope._items

    def names(self) -> Iterator[str]:
        """Yield every name in reach."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.values
            scope = scope.parent
