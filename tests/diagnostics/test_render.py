"""Text renderings, compared with golden files that read like a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topolang.diagnostics import Diagnostic, Fix, SourceFile, Span, error, warning
from topolang.diagnostics.cells import row
from topolang.diagnostics.render import render, render_all, summary

GOLDEN = Path(__file__).parent / "golden"

POD = SourceFile(
    "pod.topo",
    """topolang 1

design pod(su: int = 4) {
  fabric compute : infiniband {
    rate = 400Gb/s
    leaf[s: 1..su] : qm9700 {
      port down = p[1..32]
      port up = p[33..64]
    }
    spine[k: 1..16] : q3400

    connect leaf.up -- spine.down fill
  }
}
""",
)
PART = SourceFile("nvidia/q3400.topo", "topolang 1\ndevice q3400 {\n  port osfp[1..72] = 1600Gb/s split 2 as p\n}\n")
WIDE = SourceFile("wide.topo", '\tlet 名前 = "👨‍👩‍👧 ❤️ é 🇩🇪"  + 400G  # 漢字\n')
LONG = SourceFile("long.topo", "let x = " + "y + " * 100 + "400G" + " + w" * 100 + "\n")


def at(source: SourceFile, text: str, nth: int = 0) -> Span:
    """Return the span of the nth occurrence of a text."""
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(text, start + 1)
    return Span(source, start, start + len(text))


CASES: dict[str, Diagnostic] = {
    "several_labels_and_files": error(
        "T0401",
        "72 uplinks cannot be spread evenly over 16 spines",
        at(POD, "leaf.up"),
        "72 ports",
        extra=[
            (at(POD, "spine.down"), "needs 72 / 16 = 4.5 links per pair"),
            (at(POD, "spine[k: 1..16]"), "16 declared here"),
            (at(PART, "osfp[1..72]"), "these ports"),
        ],
        notes=["72 = 8 x 9", "a second fact\nthat takes two lines"],
        help="18 spines (x4 links) or 12 spines (x6 links) divide evenly",
    ),
    "multi_line": error(
        "T0502",
        "the fabric `compute` falls into 2 parts",
        at(POD, "fabric compute").to(at(POD, "  }\n}")),
        "declared here",
        extra=[(at(POD, "{", 2).to(at(POD, "}")), "these leaves have no cable"), (at(POD, "infiniband"), "its kind")],
    ),
    "far_lines": error("T0305", "dimension `s` is not used", at(POD, "su: int"), "declared", extra=[(at(POD, "fill"), "not here")]),
    "nested_marks": error(
        "T0102", "units differ", at(POD, "400Gb/s"), "a rate", extra=[(at(POD, "rate = 400Gb/s"), "in this"), (at(POD, "rate"), "named here")]
    ),
    "same_place_twice": error("T0102", "two things at one place", at(POD, "q3400"), "first", extra=[(at(POD, "q3400"), "second")]),
    "wide_characters": error("T0102", "`400G` is ambiguous", at(WIDE, "400G"), "Gb/s or GB/s", extra=[(at(WIDE, "名前"), "for this")]),
    "long_line": error("T0102", "`400G` is ambiguous", at(LONG, "400G"), "here", extra=[(at(LONG, "x"), "for this")]),
    "fix": warning("T0210", "unknown part `q3400`", at(POD, "q3400"), fix=Fix(at(POD, "q3400"), "q3401"), help="write `q3401`"),
    "fix_of_a_whole_line": warning("T0004", "no edition", Span(POD, 0, 8), fix=Fix(Span(POD, 0, 0), "topolang 1\n"), help="begin with `topolang 1`"),
    "no_place": error("T0002", "the file is not text", notes=["byte 0xff at offset 3"], help="save it as UTF-8"),
    "empty_file": error("T0003", "the file holds no design", Span(SourceFile("empty.topo", ""), 0, 0), "it is empty"),
    "end_of_file": error("T0004", "the block is not closed", Span(POD, len(POD.text), len(POD.text)), "expected `}`"),
    "control_characters": error(
        "T0005",
        "a message with \x1b[31m in it",
        at(source := SourceFile("bad\x1b.topo", "let a\x1b[31m = \u202e1\u200b\r\n"), "\x1b"),
        "an \x07 escape",
        extra=[(at(source, "1"), "")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_rendering(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{name}.txt", render(CASES[name], width=100))


def test_color_only_adds_sequences(golden: Callable[[Path, str], None]) -> None:
    colored = render(CASES["several_labels_and_files"], color=True, width=100)
    golden(GOLDEN / "color.txt", colored.replace("\x1b", "<ESC>"))
    plain = render(CASES["several_labels_and_files"], width=100)
    assert "\x1b" not in plain
    for code in ("0", "1", "1;31", "1;32", "1;34", "1;36"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == plain


def test_cap_keeps_errors() -> None:
    findings = [CASES["fix"]] * 3 + [CASES["no_place"]]
    text = render_all(findings, limit=2)
    assert text.count("warning[T0210]") == 1
    assert text.count("error[T0002]") == 1
    assert text.endswith("... and 2 more, not shown\n\n")
    assert render_all(findings, limit=0).count("[T0210]") == 3
    assert "not shown" not in render_all(findings, limit=4)


def test_summary_counts_in_words() -> None:
    assert summary([]) == "no findings"
    assert summary([CASES["fix"]]) == "1 warning"
    assert summary([CASES["fix"], CASES["no_place"], CASES["no_place"]]) == "2 errors, 1 warning"
    assert summary([CASES["no_place"]] * 1200) == "1,200 errors"


def test_a_line_of_megabytes_is_quick_and_short() -> None:
    source = SourceFile("big.topo", "abc " * 1_000_000)
    text = render(error("T0001", "x", Span(source, 2_000_000, 2_000_003), "here", extra=[(Span(source, 0, 3), "start")]), width=80)
    assert max(map(len, text.splitlines())) <= 100
    assert "abc" in text


PLACES = st.tuples(st.integers(0, 90), st.integers(0, 90), st.text(max_size=5))


@given(st.text(max_size=80), st.lists(PLACES, min_size=1, max_size=5), st.integers(20, 120))
def test_any_text_and_spans_render(text: str, places: list[tuple[int, int, str]], width: int) -> None:
    source = SourceFile("any.topo", text)
    spans = [(Span(source, min(a, b), max(a, b)), label) for a, b, label in places]
    rendered = render(error("T0001", "any", *spans[0], extra=spans[1:]), width=width)
    assert rendered.startswith("error[T0001]: any\n")
    assert all(line == line.rstrip() for line in rendered.split("\n"))
    assert rendered.encode("utf-8")
    assert not {"\x1b", "\x07", "\t", "\u202e"} & set(rendered)


@given(st.text(max_size=60), st.integers(0, 70))
def test_columns_grow_with_offsets(line: str, offset: int) -> None:
    laid = row(line)
    columns = [laid.column(i) for i in range(len(line) + 1)]
    assert columns == sorted(columns)
    assert columns[-1] == laid.width
    assert laid.column(offset) <= laid.width
