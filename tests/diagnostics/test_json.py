"""The JSON rendering."""

from __future__ import annotations

import json

from topolang.diagnostics import Fix, SourceFile, Span, error
from topolang.diagnostics.jsonout import document, dumps

SOURCE = SourceFile("a.topo", "topolang 1\nlet é = 400G\n")
SPAN = Span(SOURCE, 19, 23)


def test_document_has_places_in_lines_columns_and_offsets() -> None:
    finding = error("T0102", "`400G` is ambiguous", SPAN, "this", notes=["n"], help="write `400Gb/s`", fix=Fix(SPAN, "400Gb/s"))
    span = {"file": "a.topo", "start": {"line": 2, "column": 9, "offset": 19}, "end": {"line": 2, "column": 13, "offset": 23}}
    assert document([finding]) == {
        "version": 1,
        "diagnostics": [
            {
                "code": "T0102",
                "severity": "error",
                "message": "`400G` is ambiguous",
                "labels": [{"span": span, "text": "this"}],
                "notes": ["n"],
                "help": ["write `400Gb/s`"],
                "fix": {"span": span, "replacement": "400Gb/s"},
            }
        ],
        "summary": {"errors": 1, "warnings": 0, "notes": 0},
    }


def test_a_finding_without_a_place_has_no_labels() -> None:
    assert document([error("T0002", "the file is not text")])["diagnostics"][0]["labels"] == []


def test_text_is_ascii_and_repeatable() -> None:
    text = dumps([error("T0102", "é", SPAN)], {"files": ["a.svg"]})
    assert text == dumps([error("T0102", "é", SPAN)], {"files": ["a.svg"]})
    assert text.isascii()
    assert text.endswith("}\n")
    assert json.loads(text)["files"] == ["a.svg"]
