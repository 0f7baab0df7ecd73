"""Random syntax trees, such as a user could have written, for hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

from hypothesis import strategies as st

from topolang.diagnostics import SourceFile, Span
from topolang.syntax import ast
from topolang.syntax.words import BOOLEAN_WORDS, CLAUSE_WORDS, KEYWORDS, SOFT_WORDS, STATEMENT_WORDS
from topolang.units import UNITS, Quantity

T = TypeVar("T")

SPAN = Span(SourceFile("", ""), 0, 0)
AT: dict[str, Any] = {"span": SPAN}
RESERVED = {*STATEMENT_WORDS, *CLAUSE_WORDS, *BOOLEAN_WORDS}
OPERATORS = ["or", "and", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "div", "mod"]

words = st.one_of(
    st.sampled_from(["s", "rail", "leaf", "node_1", "_x", "portal", "X9", *SOFT_WORDS]),
    st.text("abmnopx_A9", min_size=1, max_size=4).filter(lambda word: word not in RESERVED and not word[0].isdigit()),
)
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=6)


class Maker:
    """Draw trees of bounded depth."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, most: int) -> int:
        return self._draw(st.integers(0, most))

    def choice(self, values: list[T]) -> T:
        return values[self.number(len(values) - 1)]

    def some(self, make: Callable[[], T], most: int = 2) -> tuple[T, ...]:
        return tuple(make() for _ in range(self.number(most)))

    def maybe(self, make: Callable[[], T]) -> T | None:
        return make() if self.number(2) == 0 else None

    def name(self) -> ast.Name:
        return ast.Name(self._draw(words), **AT)

    def key(self) -> ast.Name:
        return ast.Name(self.choice(list(KEYWORDS)), **AT) if self.number(2) == 0 else self.name()

    def dotted(self) -> tuple[ast.Name, ...]:
        return (self.name(), *self.some(self.key))

    # ------------------------------------------------------------ expressions

    def decimal(self) -> Fraction:
        return Fraction(self.number(10**9), 10 ** self.number(6))

    def string(self) -> ast.Str:
        return ast.Str(self._draw(texts), **AT)

    def expr(self, depth: int = 2) -> ast.Expr:
        leaves: list[Callable[[], ast.Expr]] = [
            lambda: ast.Int(self.number(10**18 - 1), **AT),
            lambda: ast.Decimal(self.decimal(), **AT),
            lambda: ast.Amount(Quantity.of(self.decimal(), self.choice(sorted(UNITS))), **AT),
            self.string,
            lambda: ast.Bool(self.number(1) == 1, **AT),
            lambda: ast.Path((ast.Step(self.name(), **AT),), **AT),
        ]
        if depth == 0:
            return self.choice(leaves)()

        def inner() -> ast.Expr:
            return self.expr(depth - 1)

        nodes: list[Callable[[], ast.Expr]] = [
            lambda: ast.ListExpr(self.some(inner), **AT),
            lambda: ast.RangeExpr(inner(), inner(), self.maybe(inner), **AT),
            lambda: ast.Binary(self.choice(OPERATORS), inner(), inner(), op_span=SPAN, **AT),  # type: ignore[arg-type]
            lambda: ast.Unary("not" if self.number(1) else "-", inner(), **AT),
            lambda: ast.Call(self.name(), self.arguments(depth - 1), **AT),
            lambda: self.path(depth - 1),
        ]
        return self.choice([*nodes, *nodes, *leaves])()

    def arguments(self, depth: int = 1) -> tuple[ast.Argument, ...]:
        return self.some(lambda: ast.Argument(self.maybe(self.key), self.expr(depth), **AT))

    def path(self, depth: int = 1) -> ast.Path:
        def selector() -> ast.Selector:
            kinds: list[Callable[[], ast.Selector]] = [
                lambda: ast.SelectBind(self.name(), self.expr(depth), **AT),
                lambda: ast.SelectRename(self.name(), self.name(), **AT),
                lambda: ast.SelectPosition(self.expr(depth), **AT),
            ]
            return self.choice(kinds)()

        first = ast.Step(self.name(), self.some(selector), **AT)
        return ast.Path((first, *self.some(lambda: ast.Step(self.key(), self.some(selector), **AT))), **AT)

    # ------------------------------------------------------------ statements

    def params(self, name: Callable[[], ast.Name]) -> tuple[ast.Param, ...]:
        def type_() -> ast.Name:
            return ast.Name(self.choice(["int", "device", "rate", "times"]), **AT)

        return self.some(lambda: ast.Param(name(), type_(), self.number(1) == 1, self.maybe(self.expr), self.maybe(self.expr), **AT))

    def dims(self) -> tuple[ast.Dimension, ...]:
        return self.some(lambda: ast.Dimension(self.maybe(self.name), self.expr(1), **AT))

    def multiplicity(self) -> ast.Multiplicity:
        return ast.Multiplicity("times", self.expr(), **AT) if self.number(1) else ast.Multiplicity("fill" if self.number(1) else "spread", **AT)

    def port(self, body: tuple[ast.Item, ...]) -> ast.Port:
        split, name = (self.expr(1), self.name()) if self.number(1) else (None, None)
        return ast.Port(self.key(), self.dims(), self.expr(), split, name, body, **AT)

    def item(self, depth: int = 2) -> ast.Item:
        body = self.some(lambda: self.item(depth - 1)) if depth else ()
        makers: list[Callable[[], ast.Item]] = [
            lambda: ast.Import(self.dotted(), None, self.maybe(self.name), **AT),
            lambda: ast.Import((), self.string(), self.maybe(self.name), **AT),
            lambda: ast.Kind(self.subject(), self.maybe(self.name), self.params(self.key), **AT),
            lambda: ast.Attribute(self.key(), self.expr(), **AT),
            lambda: ast.Let(self.name(), self.expr(), **AT),
            lambda: ast.Check("assert" if self.number(1) else "warn", self.expr(), self.maybe(self.string), **AT),
            lambda: ast.Container(self.choice(["design", "module", "device", "site"]), self.name(), self.params(self.name), body, **AT),  # type: ignore[arg-type]
            lambda: ast.Fabric(self.name(), self.name(), body, **AT),
            lambda: ast.Instance(self.name(), self.dims(), self.dotted(), self.arguments(), self.maybe(self.expr), body, head=SPAN, **AT),
            lambda: self.port(body),
            lambda: ast.Connect(self.path(), self.path(), self.maybe(self.multiplicity), self.maybe(self.expr), body, head=SPAN, **AT),
            lambda: ast.Place("place" if self.number(1) else "optics", self.path(), body, **AT),
            lambda: ast.For(self.name(), self.expr(), body, **AT),
        ]
        return self.choice(makers)()

    def subject(self) -> ast.Name:
        return ast.Name(self.choice(["fabric", "device", "instance", "port", "connect", "site", "place", "optics", "pool"]), **AT)


@st.composite
def expressions(draw: st.DrawFn) -> ast.Expr:
    return Maker(draw).expr(3)


@st.composite
def files(draw: st.DrawFn) -> ast.File:
    maker = Maker(draw)
    return ast.File(SPAN.source, 1, maker.some(maker.item, 3))
