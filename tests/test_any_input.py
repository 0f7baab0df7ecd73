"""Whatever stands in a `.topo` file, the compiler answers with findings: no exception, no internal error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from topolang.driver import Request, check

ROOT = Path(__file__).resolve().parents[1]
# the two quick ones; the others differ in size, not in kind
PROGRAMS = [(ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("superpod_h100.topo", "cxl_pool.topo", "gb200_nvl72x8.topo")]
MIXED = """topolang 1
import nvidia.qm9700 as nv
let lanes = [5, 4, 4, 5]
device gpu { role = "gpu", port nvl[1..18] = 25GB/s }
device chip { role = "nvswitch", port p[1..64] = 25GB/s }
device box(n: int = 8 in 1..16) {
  role = "host"
  gpu[g: 0..n-1] : gpu
  sw[k: 0..3] : chip if k < 4
  fabric nvlink : nvlink4 { connect gpu.nvl -- sw.p times lanes[k] }
  port cage[1..4] = 800Gb/s split 2 as p { name = "{cage}/{sub}" }
  port hca[rail: 0..7] = p[[8, 6, 5, 7, 2, 4, 3, 1]]
}
module pod(size: int = 4) {
  fabric net : infiniband {
    rate = 400Gb/s
    node[n: 1..size] : box(n = 8) if not (n == size) { name = "n{n:02}" }
    leaf[rail: 0..7] : nv.qm9700 { port down = p[1..8], port up = p[33..40] }
    top[t: 1..2] : nv.qm9700
    connect node.hca -- leaf.down
    connect leaf.up -- top.p spread where t <= 2 { medium = "dr4" }
    for i in [1, 2] { connect top[t = i].p[64] -- leaf[rail = i].p[64] }
  }
  assert nonblocking(net) or count(node) >= 1 : "either"
}
design d(pods: int = 2 in 1..8, label: string = "x") {
  pod[i: 1..pods] : pod(size = pods + 1)
  site hall { rows = "A".."D", racks = 1..16, height = 48U, power = 44kW }
  place pod { row = "A" }
  warn count(pod.node.gpu) == 8 * pods * pods and 3m <= 300cm
}
"""
TOKEN = re.compile(r"\s+|\w+|\"[^\"\n]*\"|[-=.<>!]{2}|.", re.DOTALL)
WORDS = [
    "0",
    "-1",
    "1",
    "7",
    "1..3",
    "999999999999999999",
    "n",
    "rail",
    "node",
    "p",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    "\n",
    "=",
    "--",
    "..",
    ".",
    "if",
    "where",
]
WORDS += [
    "fill",
    "spread",
    "times",
    "mod",
    "div",
    "and",
    "not",
    "in",
    "400Gb/s",
    "3m",
    '"{s}"',
    "on",
    "let",
    "for",
    "as",
    "count",
    "nonblocking",
    "é",
    "\0",
    "'",
]


@st.composite
def edited(draw: st.DrawFn) -> str:
    """Draw a program with one to four tokens removed, doubled, exchanged or replaced."""
    tokens = TOKEN.findall(draw(st.sampled_from([*PROGRAMS, MIXED, MIXED])))
    for _ in range(draw(st.integers(1, 4))):
        at, other = draw(st.integers(0, len(tokens) - 1)), draw(st.integers(0, len(tokens) - 1))
        edit = draw(st.sampled_from(("remove", "double", "exchange", "word", "word", "take")))
        if edit == "remove":
            tokens[at] = ""
        elif edit == "double":
            tokens[at] *= 2
        elif edit == "exchange":
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = tokens[other] if edit == "take" else draw(st.sampled_from(WORDS))
    return "".join(tokens)


def answer(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    result = check(Request(path))
    assert "T9999" not in [d.code for d in result.diagnostics]
    assert all(d.message and (d.span is None or d.span.end >= d.span.start) for d in result.diagnostics)
    result.summary_lines()


def test_the_mixed_program_is_clean(tmp_path: Path) -> None:
    (tmp_path / "a.topo").write_text(MIXED, encoding="utf-8")
    assert [d.message for d in check(Request(tmp_path / "a.topo")).diagnostics if d.severity == "error"] == []


@given(st.binary(max_size=300))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes(tmp_path: Path, content: bytes) -> None:
    answer(tmp_path / "a.topo", content)
    answer(tmp_path / "a.topo", b"topolang 1\n" + content)


@given(edited())
@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_edited_programs(tmp_path: Path, text: str) -> None:
    answer(tmp_path / "a.topo", text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", b"\xff\xfe\x00\x00", b"topolang 1\n" + b"[" * 5000, b"topolang 1\nlet x = " + b"-" * 9000 + b"1"]
)
def test_odd_files(tmp_path: Path, content: bytes) -> None:
    answer(tmp_path / "a.topo", content)
