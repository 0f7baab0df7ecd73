"""Mistakes of syntax and of meaning are reported in one run, without findings that only follow from a statement that could not be read."""

from __future__ import annotations

from support import compile_text

TEXT = """topolang 1
device h { role = "host", port p = 100Gb/s }
device s { role = "switch", port p[1..8] = }
design d {
  fabric f : ethernet {
    a[i: 1..4] : h
    b : s
    c : hh
    connect a.p -- b.p
    connect a.q -- b.p
    rte = 400Gb/s
  }
}
"""


def test_both_kinds_and_no_more() -> None:
    _, sink = compile_text(TEXT)
    assert [(d.code, d.span.text if d.span else "") for d in sink.sorted()] == [("T0010", "}"), ("T0201", "hh"), ("T0202", "q"), ("T0210", "rte")]


def test_a_device_that_could_not_be_read_is_not_unknown() -> None:
    _, sink = compile_text(TEXT.replace("device s {", "device s s {").replace("= }", "= 100Gb/s }").replace("c : hh", "").replace("rte", "rate"))
    assert [d.code for d in sink.sorted()] == ["T0010", "T0202"]


def test_a_broken_import_may_have_brought_any_name() -> None:
    _, sink = compile_text("topolang 1\nimport nvidia.\ndesign d { fabric f : infiniband { a : qm9700 } }\n")
    assert [d.code for d in sink.sorted() if d.code != "T0010"] == []
