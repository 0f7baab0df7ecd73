"""The tree of each construct, and where its nodes stand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from topolang.diagnostics import Sink, SourceFile, Span
from topolang.syntax import ast
from topolang.syntax.parser import parse, parse_expression
from topolang.units import Quantity

from .samples import EVERYTHING, clean, read

NOWHERE = Span(SourceFile("", ""), 0, 0)
ROOT = Path(__file__).resolve().parents[2]


def name(text: str) -> ast.Name:
    return ast.Name(text, span=NOWHERE)


def path(*names: str) -> ast.Path:
    return ast.Path(tuple(ast.Step(name(n), span=NOWHERE) for n in names), span=NOWHERE)


def number(value: int) -> ast.Int:
    return ast.Int(value, span=NOWHERE)


def binary(left: ast.Expr, op: Any, right: ast.Expr) -> ast.Binary:
    return ast.Binary(op, left, right, op_span=NOWHERE, span=NOWHERE)


def value(text: str) -> ast.Expr:
    sink = Sink()
    expr = parse_expression(SourceFile("-D x", text), sink)
    assert expr is not None and not len(sink), list(sink)
    return expr


def test_everything_is_read() -> None:
    file, found = read(EVERYTHING)
    assert found == []
    assert file.edition == 1
    assert [type(i).__name__ for i in file.items] == ["Import"] * 3 + ["Kind"] * 3 + ["Let"] + ["Container"] * 3


@pytest.mark.parametrize("shipped", sorted([*ROOT.glob("examples/*.topo"), *ROOT.glob("stdlib/**/*.topo")]), ids=lambda p: p.stem)
def test_shipped_programs_are_clean(shipped: Path) -> None:
    sink = Sink()
    assert parse(SourceFile(shipped.name, shipped.read_text(encoding="utf-8")), sink).items
    assert list(sink) == []


def test_imports() -> None:
    assert clean('import a.b\nimport "./c.topo" as c') == (
        ast.Import((name("a"), name("b")), span=NOWHERE),
        ast.Import((), ast.Str("./c.topo", span=NOWHERE), name("c"), span=NOWHERE),
    )


def test_params() -> None:
    (design,) = clean("design d(su: int = 4 in 1..8, ids: list of string, sw: device = x,) {}")
    assert isinstance(design, ast.Container)
    su, ids, sw = design.params
    assert (su.type.text, su.default) == ("int", number(4))
    assert su.allowed == ast.RangeExpr(number(1), number(8), span=NOWHERE)
    assert (ids.type.text, ids.listed, ids.default) == ("string", True, None)
    assert (sw.type.text, sw.listed, sw.default) == ("device", False, path("x"))


def test_instance() -> None:
    (node,) = clean("node[s: 1..2, n: 1..3] : lib.dgx(busid = 1) if s == n { name = 1 }")
    assert isinstance(node, ast.Instance)
    assert [d.name and d.name.text for d in node.dims] == ["s", "n"]
    assert [n.text for n in node.part] == ["lib", "dgx"]
    assert node.arguments == (ast.Argument(name("busid"), number(1), span=NOWHERE),)
    assert node.condition == binary(path("s"), "==", path("n"))
    assert node.body == (ast.Attribute(name("name"), number(1), span=NOWHERE),)
    assert node.head.text == "node[s: 1..2, n: 1..3] : lib.dgx(busid = 1) if s == n"


def test_ports() -> None:
    pool, cages, group = clean("port p[1..64] = 400Gb/s\nport osfp[1..32] = 800Gb/s split 2 as q\nport hca[rail: 0..1] = p[[2, 1]]")
    assert isinstance(pool, ast.Port) and isinstance(cages, ast.Port) and isinstance(group, ast.Port)
    assert pool.dims == (ast.Dimension(None, ast.RangeExpr(number(1), number(64), span=NOWHERE), span=NOWHERE),)
    assert (cages.split, cages.split_name) == (number(2), name("q"))
    assert isinstance(group.value, ast.Path)
    (selector,) = group.value.steps[0].selectors
    assert selector == ast.SelectPosition(ast.ListExpr((number(2), number(1)), span=NOWHERE), span=NOWHERE)


@pytest.mark.parametrize(
    ("text", "kind", "count"), [("", None, None), ("times 2", "times", number(2)), ("fill", "fill", None), ("spread", "spread", None)]
)
def test_multiplicity(text: str, kind: str | None, count: ast.Expr | None) -> None:
    (connect,) = clean(f"connect a.x -- b.y {text} where i < j")
    assert isinstance(connect, ast.Connect)
    assert connect.where == binary(path("i"), "<", path("j"))
    if kind is None:
        assert connect.multiplicity is None
    else:
        assert connect.multiplicity is not None
        assert (connect.multiplicity.kind, connect.multiplicity.count) == (kind, count)


def test_selectors() -> None:
    (connect,) = clean("connect chip.xp -- chip[x = (x+1) mod 4, y as z, 3].xm[1..2]")
    assert isinstance(connect, ast.Connect)
    bind, rename, position = connect.z.steps[0].selectors
    assert bind == ast.SelectBind(name("x"), binary(binary(path("x"), "+", number(1)), "mod", number(4)), span=NOWHERE)
    assert rename == ast.SelectRename(name("y"), name("z"), span=NOWHERE)
    assert position == ast.SelectPosition(number(3), span=NOWHERE)
    assert connect.z.dotted == "chip.xm"


def test_precedence() -> None:
    assert value("1 + 2 * 3") == binary(number(1), "+", binary(number(2), "*", number(3)))
    assert value("1 - 2 - 3") == binary(binary(number(1), "-", number(2)), "-", number(3))
    assert value("a or b and not c == 1") == binary(
        path("a"), "or", binary(path("b"), "and", ast.Unary("not", binary(path("c"), "==", number(1)), span=NOWHERE))
    )
    assert value("x in 1..4") == binary(path("x"), "in", ast.RangeExpr(number(1), number(4), span=NOWHERE))
    assert value("-x div 2") == binary(ast.Unary("-", path("x"), span=NOWHERE), "div", number(2))
    assert value("1..n-1 by 2") == ast.RangeExpr(number(1), binary(path("n"), "-", number(1)), number(2), span=NOWHERE)


def test_literals() -> None:
    assert value("2.50") == ast.Decimal(Fraction(5, 2), span=NOWHERE)
    assert value("1.5usd") == ast.Amount(Quantity(150, "money"), span=NOWHERE)
    assert value("900GB/s") == ast.Amount(Quantity.of(7200, "Gb/s"), span=NOWHERE)
    assert value("1%") == ast.Amount(Quantity(1, "percent"), span=NOWHERE)
    assert value(r'"a\"b\\c\n"') == ast.Str('a"b\\c\n', span=NOWHERE)
    assert value("[on, false]") == ast.ListExpr((ast.Bool(True, span=NOWHERE), ast.Bool(False, span=NOWHERE)), span=NOWHERE)
    assert value('"A".."D"') == ast.RangeExpr(ast.Str("A", span=NOWHERE), ast.Str("D", span=NOWHERE), span=NOWHERE)
    assert value("[]") == ast.ListExpr((), span=NOWHERE)
    assert value("3m/2") == binary(ast.Amount(Quantity(3000, "length"), span=NOWHERE), "/", number(2))


def test_calls() -> None:
    call = value("hops(compute, same_rail = true, if = 1)")
    assert isinstance(call, ast.Call)
    assert [a.name and a.name.text for a in call.arguments] == [None, "same_rail", "if"]


def test_spans_are_exact_code_points() -> None:
    text = 'topolang 1\r\ndesign d {\r\n  x = "Ä😀"  # ü\r\n  y = (a + b) * c\r\n}\r\n'
    file, found = read(text)
    assert found == []
    (design,) = file.items
    assert design.span.text == text[text.index("design") :].rstrip()
    assert isinstance(design, ast.Container)
    x, y = design.body
    assert isinstance(x, ast.Attribute) and isinstance(y, ast.Attribute)
    assert (x.span.text, x.name.span.text, x.value.span.text) == ('x = "Ä😀"', "x", '"Ä😀"')
    assert isinstance(y.value, ast.Binary)
    assert (y.value.span.text, y.value.op_span.text, y.value.left.span.text) == ("(a + b) * c", "*", "a + b")
    assert (y.span.line, y.span.column) == (4, 3)


def test_a_byte_order_mark_is_no_part_of_the_program() -> None:
    file, found = read("\ufefftopolang 1\ndesign d {}")
    assert found == [] and file.edition == 1
    assert file.items[0].span.text == "design d {}"


def test_heads_end_before_bodies() -> None:
    (connect,) = clean("connect a -- b fill { medium = 1 }")
    assert isinstance(connect, ast.Connect)
    assert connect.head.text == "connect a -- b fill"
    assert connect.span.text.endswith("}")


@pytest.mark.parametrize("text", [" a.b[1]\n ", "lanes[k]", "nvidia.qm9700"])
def test_an_expression_alone_may_stand_between_blanks(text: str) -> None:
    assert value(text).span.text == text.strip()
