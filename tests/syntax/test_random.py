"""Laws over random texts and trees: what is printed is read back, and nothing makes the parser raise."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from topolang.diagnostics import DiagnosticError, Sink, SourceFile
from topolang.diagnostics.render import render
from topolang.syntax import ast
from topolang.syntax.parser import parse, parse_expression
from topolang.syntax.printer import print_expression, print_file
from topolang.syntax.words import KEYWORDS
from topolang.workspace import read_source

from .samples import EVERYTHING, read
from .trees import expressions, files

WORDS = re.findall(r'"[^"\n]*"|\w+|\s+|\.\.|--|[^\w\s]', EVERYTHING)
ODD = ["&&", "->", "'", '"', "\0", "\r", "\t", "ä", "400G", "1..", "@", "#", "//", "topolang 2", "}" * 3, "{" * 3, "\\", "9" * 30, "\u2028", "\ufeff"]


def check(text: str) -> list[str]:
    """Parse a text; its findings have places inside it and can be shown. Return their codes."""
    file, found = read(text)
    assert isinstance(file, ast.File)
    for diagnostic in found:
        assert re.fullmatch(r"T0(0\d\d|102)", diagnostic.code)
        for label in diagnostic.labels:
            assert 0 <= label.span.start <= label.span.end <= len(text)
        assert diagnostic.labels
        assert not re.search("Token|Unexpected|_SEP|__ANON|None", diagnostic.message.replace(text, ""))
        render(diagnostic)
    return [d.code for d in found]


def check_expression(text: str) -> None:
    """Parse a text as an expression: there is a tree, or a finding."""
    sink = Sink()
    expr = parse_expression(SourceFile("-D x", text), sink)
    assert (expr is None) == sink.has_errors
    for diagnostic in sink:
        render(diagnostic)


@given(files())
@settings(max_examples=150)
def test_what_is_printed_is_read_back(file: ast.File) -> None:
    text = print_file(file)
    again, found = read(text)
    assert found == [], text
    assert again == file, text
    assert print_file(again) == text


@given(expressions())
@settings(max_examples=150)
def test_expressions_are_read_back(expr: ast.Expr) -> None:
    sink = Sink()
    text = print_expression(expr)
    assert parse_expression(SourceFile("", text), sink) == expr, text


def test_printing_is_stable() -> None:
    once = print_file(read(EVERYTHING)[0])
    assert print_file(read(once)[0]) == once
    assert read(once)[0] == read(EVERYTHING)[0]


@given(st.text())
@example("topolang 1\n)")
@example("\ufeff\ufeff")
def test_any_text(text: str) -> None:
    check(text)
    check(f"topolang 1\n{text}")
    check_expression(text)


@given(st.binary())
@example(b"\xff\xfet\0o\0")
@example(b"topolang 1\n\xff")
@settings(max_examples=200)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.topo"
    for content in (data, b"topolang 1\n" + data):
        path.write_bytes(content)
        try:
            source = read_source(path, "any.topo")
        except DiagnosticError as fault:
            assert fault.diagnostic.code == "T0003"
        else:
            check(source.text)


@given(st.lists(st.sampled_from([*WORDS, *KEYWORDS, *ODD]), max_size=60))
@settings(max_examples=200)
def test_any_words(words: list[str]) -> None:
    check("topolang 1\n" + "".join(words))
    check("topolang 1\ndesign d {\n" + " ".join(words))
    check_expression("".join(words[:12]))


@given(
    st.lists(
        st.tuples(st.integers(0, len(WORDS)), st.integers(0, 6), st.lists(st.sampled_from([*WORDS, *ODD]), max_size=3)),
        min_size=1,
        max_size=6,
    )
)
@settings(max_examples=200)
def test_changed_programs(changes: list[tuple[int, int, list[str]]]) -> None:
    words = list(WORDS)
    for at, removed, added in changes:
        words[at : at + removed] = added
    check("".join(words))


def test_half_typed_programs() -> None:
    for end in range(0, len(EVERYTHING), 3):
        found = check(EVERYTHING[:end])
        assert len(found) <= 3, (EVERYTHING[:end][-60:], found)


def test_a_word_left_out_costs_one_finding_or_two() -> None:
    solid = [i for i, word in enumerate(WORDS) if not word.isspace()]
    counts = [len(check("".join(WORDS[:i] + WORDS[i + 1 :]))) for i in solid[::2]]
    assert max(counts) <= 5
    assert sum(n > 1 for n in counts) <= len(counts) // 10


def test_findings_do_not_depend_on_the_run() -> None:
    text = EVERYTHING.replace("--", "-").replace("=", "==")
    first = [render(d) for d in read(text)[1]]
    assert first == [render(d) for d in read(text)[1]]
    assert parse(SourceFile("x", text), Sink()) == read(text)[0]
