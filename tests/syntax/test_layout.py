"""Newlines, commas and keywords: what ends a statement, and what is a name."""

from __future__ import annotations

import logging

import lark
import pytest

from topolang.resources import data_dir
from topolang.syntax import ast
from topolang.syntax.grammar import load
from topolang.syntax.words import BOOLEAN_WORDS, CLAUSE_WORDS, KEYWORDS, SOFT_WORDS, STATEMENT_WORDS

from .samples import clean, codes


@pytest.mark.parametrize("separator", ["\n", "\r\n", ";", ",", "\n\n", ", # comment\n", ";;", ",\n,", "\n # c\n\t\n"])
def test_separators(separator: str) -> None:
    (module,) = clean(f"module m {{{separator}a = 1{separator}b = 2{separator}}}")
    assert isinstance(module, ast.Container)
    assert [a.name.text for a in module.body if isinstance(a, ast.Attribute)] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "x = a +\n b",
        "x =\n 1",
        "x = (a\n + b\n)",
        "x = [1,\n 2,\n]",
        "connect a --\n b",
        "connect a -- b where\n x == 1 and\n y == 2 or\n not\n z",
        "x = f(\n1,\n a = 2\n)",
        "x = 1 ..\n 2 by\n 3",
        "x = # why\n 1",
        "node[s: 1..2,\n n: 1..3\n] :\n dgx if\n s == 1",
        "assert a :\n 'why'".replace("'", '"'),
    ],
)
def test_an_unfinished_line_goes_on(text: str) -> None:
    assert len(clean(f"{text}\n")) == 1


def test_a_block_may_open_on_its_own_line() -> None:
    (design,) = clean("design d\n{\n a : b\n}\n")
    assert isinstance(design, ast.Container) and len(design.body) == 1


@pytest.mark.parametrize("text", ["module m {}", "module m { }", "module m {\n}", "module m {\n\n# c\n}", "module m { , }"])
def test_empty_blocks(text: str) -> None:
    (module,) = clean(text)
    assert isinstance(module, ast.Container) and module.body == ()


@pytest.mark.parametrize(
    "word", [f"{w}{tail}" for w in KEYWORDS for tail in ("al", "_", "1")] + ["inner", "divide", "model", "island", "notice", "format"]
)
def test_no_keyword_is_carved_out_of_a_name(word: str) -> None:
    (let,) = clean(f"let {word} = {word}")
    assert isinstance(let, ast.Let)
    assert let.name.text == word
    assert isinstance(let.value, ast.Path) and let.value.simple == word


@pytest.mark.parametrize("word", KEYWORDS)
def test_every_keyword_is_a_key_a_member_and_a_port(word: str) -> None:
    key, port, connect, kind, call = clean(
        f"{word} = 1\nport {word} = 2Gb/s\nconnect a.{word} -- b.{word}[1]\nkind x ({word}: int)\nx = f({word} = 1)"
    )
    assert isinstance(key, ast.Attribute) and key.name.text == word
    assert isinstance(port, ast.Port) and port.name.text == word
    assert isinstance(connect, ast.Connect) and connect.a.dotted == f"a.{word}"
    assert isinstance(kind, ast.Kind) and kind.params[0].name.text == word
    assert isinstance(call, ast.Attribute) and isinstance(call.value, ast.Call)


@pytest.mark.parametrize("word", SOFT_WORDS)
def test_soft_words_are_names_everywhere(word: str) -> None:
    texts = [
        "let {0} = 1\n{0}[{0}: 1..{0}] : {0} if {0} == 2",
        "connect {0}.{0} -- {0}[{0} as {0}] where {0} < 1\nconnect {0} -- {0} times {0} where {0}",
        "design {0}({0}: int = {0}) {{ fabric {0} : {0} {{}} }}\nplace {0} {{}}",
        "x = {0}({0}, {0} = {0})\ny = {0}..{0}\nz = [{0}]\nw = {0}\nport {0} = {0} split {0} as {0}",
    ]
    assert [len(clean(text.format(word))) for text in texts] == [2, 2, 2, 5]


@pytest.mark.parametrize("word", [*STATEMENT_WORDS, *CLAUSE_WORDS, *BOOLEAN_WORDS])
@pytest.mark.parametrize("text", ["let {} = 1", "fabric {} : x {{}}", "design d({}: int) {{}}", "x[{}: 1..2] : y", "connect a[b as {}] -- c"])
def test_other_keywords_are_no_names(text: str, word: str) -> None:
    assert codes(text.format(word)) == ["T0015"]


def test_kinds_are_declared_of_every_subject() -> None:
    subjects = ["fabric", "device", "instance", "port", "connect", "site", "place", "optics", "pool", "design", "module"]
    items = clean("\n".join(f"kind {subject} (a: int)\nkind {subject} b" for subject in subjects))
    assert [i.subject.text for i in items if isinstance(i, ast.Kind)] == [s for s in subjects for _ in range(2)]


def test_the_list_of_keywords_is_that_of_the_grammar() -> None:
    pattern = next(t for t in load().lark.terminals if t.name == "BOOLEAN").pattern.value
    assert set(KEYWORDS) == set(load().keywords) | set(pattern[1 : pattern.index(")")].split("|"))
    assert len(KEYWORDS) == len(set(KEYWORDS))


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    text = (data_dir("grammar") / "topo.lark").read_text(encoding="utf-8")
    with caplog.at_level(logging.DEBUG, logger="lark"):
        lark.Lark(text, parser="lalr", start=["file", "value", "mistake"], debug=True)
        assert "onflict" not in caplog.text
        # the same means finds one
        lark.Lark('start: "a" start | "a" start "b" start | "c"', parser="lalr", debug=True)
        assert "onflict" in caplog.text
