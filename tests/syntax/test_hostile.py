"""Texts meant to hurt: each ends in a finding with a place, soon, and never in an exception."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from topolang.diagnostics import Sink, SourceFile
from topolang.syntax import ast
from topolang.syntax.brackets import NESTING_LIMIT
from topolang.syntax.build import EXPRESSION_DEPTH
from topolang.syntax.parser import TEXT_LIMIT, parse, parse_expression
from topolang.syntax.reader import MISTAKE_LIMIT, STATEMENT_LIMIT

from .samples import EVERYTHING, clean, codes, read

# generous: these machines are slow at times; what is meant is that nothing grows with the square of the size
SECONDS = 10.0


@pytest.mark.parametrize("opening", ["(", "[", "{", "([", "a[", "f(", "m : x {", "module m {\n", "[("])
def test_nesting(opening: str) -> None:
    for closing in ("", ")" * 500):
        found = codes(f"x = 1\n{opening * 500}{closing}")
        assert "T0021" in found
        assert len(found) <= MISTAKE_LIMIT + 2


def test_nesting_at_the_limit() -> None:
    depth = NESTING_LIMIT - 1
    assert len(clean(f"x = {'(' * depth}1{')' * depth}")) == 1
    assert len(clean("module m {\n" + "for k in 1..2 {" * depth + "}" * depth + "\n}")) == 1


@pytest.mark.parametrize("link", [" + a", " and a", " * a", " == a", ".a", ", a"])
def test_long_chains(link: str) -> None:
    found = codes(f"x = [a{link * STATEMENT_LIMIT}]\ny = 1")
    assert len(found) == 1
    assert found[0] in ("T0010", "T0022")


@pytest.mark.parametrize(
    "text",
    [
        f"x = a{' + a' * EXPRESSION_DEPTH}",
        f"x = {'not ' * 1000}a",
        f"x = {'- ' * 1000}a",
        f"assert {'not (' * 60}a{')' * 60} and {'- ' * 200}b",
        f"x = {'f(' * 60}{'- ' * 100}a{')' * 60}",
    ],
)
def test_deep_expressions(text: str) -> None:
    file, found = read(f"topolang 1\n{text}\ny = 1")
    assert [d.code for d in found] == ["T0021"]
    assert [i.name.text for i in file.items if isinstance(i, ast.Attribute)] == ["y"]


def test_an_expression_at_the_limit() -> None:
    assert len(clean(f"x = a{' + a' * (EXPRESSION_DEPTH - 1)}")) == 1


def test_a_long_list_is_one_finding_and_the_next_statement_is_read() -> None:
    file, found = read(f"topolang 1\nx = [{', '.join(['1'] * 3000)}]\ny = 1")
    assert [d.code for d in found] == ["T0022"]
    assert len(file.items) == 1


def test_too_large() -> None:
    sink = Sink()
    source = SourceFile("x.topo", "topolang 1\n" + "#" * TEXT_LIMIT)
    assert parse(source, sink).items == ()
    assert parse_expression(source, sink) is None
    assert [d.code for d in sink] == ["T0002"]


def test_long_numbers() -> None:
    assert codes(f"x = {'9' * 100_000}") == ["T0023"]
    assert codes(f"x = {'9' * 100_000}Gb/s") == ["T0023"]
    assert codes(f"topolang {'9' * 100_000}") == ["T0005"]
    assert [d.code for d in read(f"topolang {'9' * 100_000}")[1]] == ["T0005"]
    assert codes(f"x = p[{'9' * 100_000}:{'9' * 100_000}]") == ["T0018"]


def _noise(characters: str) -> str:
    chosen = random.Random(1).choices(characters, k=100_000)
    return "".join(chosen)


GARBAGE: dict[str, Callable[[], str]] = {
    "everything": lambda: _noise("".join(map(chr, range(1, 400)))),
    "signs": lambda: _noise("(){}[]=:;,.-+*/<>!&|\n \"'#"),
    "braces in one line": lambda: "{}" * 50_000,
    "opening braces": lambda: "{\n" * 50_000,
    "closing braces": lambda: "}\n" * 50_000,
    "closing braces in one line": lambda: "}" * 100_000,
    "separators": lambda: ";" * 100_000,
    "words": lambda: _noise("ab \n"),
    "statements": lambda: "connect a.b\n" * 8_000,
    "one line of words": lambda: "a " * 50_000,
    "quotes": lambda: '"\n' * 50_000,
    "one long quote": lambda: '"' + "\\" * 100_000,
    "one long name": lambda: "a" * 100_000,
    "one long unit": lambda: "1" + "b" * 100_000,
    "one long number": lambda: "1" * 100_000,
    "points": lambda: "1." * 50_000,
    "comments": lambda: "#" * 100_000,
    "many comments": lambda: "# #\n" * 25_000,
    "slashes": lambda: "//" * 50_000,
    "stars": lambda: "/*" * 50_000,
    "dashes": lambda: "a -" + "a-" * 50_000,
    "blank lines": lambda: "\n \t" * 33_000 + "x",
    "yaml": lambda: "a:\n" * 33_000,
    "carriage returns": lambda: "\r" * 100_000,
    "open brackets, one a line": lambda: "x = [\n" * 16_000,
    "headers": lambda: "design d(\n" * 10_000,
    "soft words": lambda: "times " * 16_000,
    "nots": lambda: "x = " + "not " * 25_000,
    "edition": lambda: "topolang " * 11_000,
}


@pytest.mark.parametrize("kind", GARBAGE)
@pytest.mark.parametrize("head", ["", "topolang 1\n"])
def test_garbage_ends_soon(kind: str, head: str) -> None:
    text = head + GARBAGE[kind]()
    started = time.perf_counter()
    _, found = read(text)
    assert time.perf_counter() - started < SECONDS
    assert len(found) <= MISTAKE_LIMIT + 3
    if kind not in ("separators", "comments", "many comments", "carriage returns"):
        assert any(d.severity == "error" for d in found)
    for diagnostic in found:
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)


def test_reading_stops_after_many_mistakes() -> None:
    found = codes("x = \n}\n" * 1000)
    assert found.count("T0024") == 1
    assert len(found) == MISTAKE_LIMIT + 1


def test_time_grows_with_the_text_only() -> None:
    body = EVERYTHING[EVERYTHING.index("design") :].split("module empty")[0]

    def seconds(times: int) -> float:
        text = "topolang 1\n" + body * times
        started = time.process_time()
        assert read(text)[1] == []
        return time.process_time() - started

    seconds(1)
    small = min(seconds(20) for _ in range(3))
    assert min(seconds(80) for _ in range(2)) < 4 * small * 2.5


def test_the_parser_loads_no_heavy_library() -> None:
    code = "import sys, topolang.syntax.parser; print(sorted({'numpy', 'networkx', 'scipy', 'graphviz', 'pandas', 'ortools'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
