"""What is said about each mistake: code, place, and the mended text where one is offered."""

from __future__ import annotations

import pytest

from topolang.diagnostics import Diagnostic, Sink, SourceFile
from topolang.syntax import ast
from topolang.syntax.parser import parse_expression

from .samples import clean, read


def one(text: str) -> Diagnostic:
    """Return the only finding of a text; the edition is added."""
    _, found = read(f"topolang 1\n{text}")
    assert len(found) == 1, [(d.code, d.message, d.span) for d in found]
    return found[0]


def mended(text: str, diagnostic: Diagnostic) -> str:
    """Apply the change that a finding offers."""
    assert diagnostic.fix is not None
    whole = f"topolang 1\n{text}"
    return whole[: diagnostic.fix.span.start] + diagnostic.fix.replacement + whole[diagnostic.fix.span.end :]


@pytest.mark.parametrize(
    ("text", "code", "place", "said"),
    [
        ("fabric f infiniband {}", "T0010", "infiniband", "expected `:`, found `infiniband`"),
        ("fabric f : {}", "T0010", "{", "expected a name, found `{`"),
        ("x = 1 y = 2", "T0010", "y", "expected an operator or the end of the statement, found `y`"),
        ("x = )", "T0014", ")", "`)` closes nothing"),
        ("x = ;", "T0010", ";", "expected a value, found `;`"),
        ("design d(su int = 4) {}", "T0010", "int", "expected `:`, found `int`"),
        ("design d(su: 4) {}", "T0010", "4", "expected a type, found `4`"),
        ("design d(su: list int) {}", "T0010", "int", "expected `of`, found `int`"),
        ("import", "T0010", "", "expected a name or a file in quotes, found the end of the file"),
        ("import a.\nlet x = 1", "T0010", "", "expected a name, found the end of the line"),
        ("port p = 1Gb/s split 2", "T0010", "", "expected `as`, found the end of the file"),
        ("for k = 1..3 {}", "T0010", "=", "expected `in`, found `=`"),
        ("rate =\nmtu = 9216", "T0010", "=", "the line ends after `=`, where a value is expected"),
        ("connect a --\nconnect b -- c", "T0010", "--", "the line ends after `--`, where the other end is expected"),
        ("leaf :\nspine[s: 1..2] : x", "T0010", ":", "the line ends after `:`, where a part is expected"),
        ("assert a < b < c", "T0010", "<", "comparisons do not chain"),
        ("x = 400 Gb/s", "T0010", "400 Gb/s", "a unit follows its number without a blank"),
        ("x = 5 m", "T0010", "5 m", "a unit follows its number without a blank"),
        ("connect a -- b\n  where x == 1", "T0010", "where", "a statement cannot begin with `where`"),
        ("connect a -- b\n  times 2", "T0010", "times", "a statement cannot begin with `times`"),
        ("connect a -- b[s: 1]", "T0010", ":", "a dimension is selected by `=`, not by `:`"),
        ("leaf-1 : qm9700", "T0010", "leaf-1", "a name holds no `-`"),
        ("fabric east-west : cxl {}", "T0010", "east-west", "a name holds no `-`"),
        ("rate: 400Gb/s", "T0010", ":", "an attribute takes its value by `=`, not by `:`"),
        ("x = 3 § 4", "T0011", "§", "`§` (section sign) has no meaning here"),
        ("größe = 1", "T0011", "ö", "`ö` (latin small letter o with diaeresis) has no meaning here"),
        ("x = 10 % 3", "T0011", "%", "`%` has no meaning here"),
        ("x = 1\x07", "T0011", "\x07", "U+0007 has no meaning here"),
        ('x = "abc', "T0012", '"abc', "a string is not closed in its line"),
        ('x = "abc\\', "T0012", '"abc\\', "a string is not closed in its line"),
        ("leaf[s: 1..4 : qm9700", "T0013", "[", "`[` is never closed"),
        ("x = [1, 2\ny = 3", "T0013", "[", "`[` is never closed"),
        ("x = f(1, (2)\nconnect a -- b", "T0013", "(", "`(` is never closed"),
        ("design d {\n  a : b\n", "T0013", "{", "`{` is never closed"),
        ("}", "T0014", "}", "`}` closes nothing"),
        ("let port = 3", "T0015", "port", "`port` is a keyword and cannot be used as a name here"),
        ("module[s: 1..2] : x", "T0015", "module", "`module` is a keyword and cannot be used as a name here"),
        ("assert a && b", "T0016", "&&", "there is no `&&`"),
        ("assert !a", "T0016", "!", "there is no `!`"),
        ("// comment", "T0016", "//", "there is no `//`"),
        ("x = 'abc'", "T0016", "'abc'", "strings are written in double quotes"),
        ("connect a - b", "T0017", "-", "`connect` joins its two ends by `--`"),
        ("connect a -> b", "T0017", "->", "`connect` joins its two ends by `--`"),
        ("connect a – b", "T0017", "–", "`connect` joins its two ends by `--`"),
        ("connect a b", "T0017", "b", "`connect` joins its two ends by `--`"),
        ("connect a\nx = 1", "T0017", "", "`connect` joins its two ends by `--`"),
        ("port p[0:32] = 1Gb/s", "T0018", ":", "a range is not written with `:`"),
        ("x = p[:4]", "T0018", ":", "a range is not written with `:`"),
        ("assert a = 3", "T0019", "=", "`=` gives a value; a comparison is written `==`"),
        ("assert (a = 3)", "T0019", "=", "`=` gives a value; a comparison is written `==`"),
        ("x = 1234567890123456789", "T0023", "1234567890123456789", "a number of 19 digits is too long"),
        ("x = 1.000000000000000000001m", "T0023", "1.000000000000000000001", "a number of 22 digits is too long"),
        (r'x = "a\qb"', "T0025", r"\q", r"unknown escape `\q`"),
        ("x = 400G", "T0102", "400G", "the unit of `400G` is ambiguous"),
        ("x = 3parsecs", "T0102", "parsecs", "unknown unit `parsecs`"),
        ("x = 400Gbps", "T0102", "Gbps", "unknown unit `Gbps`"),
        ("topolang 1", "T0005", "topolang 1", "the edition is stated once, in the first line: `topolang 1`"),
    ],
)
def test_messages(text: str, code: str, place: str, said: str) -> None:
    found = one(text)
    assert found.span is not None
    assert (found.code, found.span.text, found.message) == (code, place, said)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("rate: 400Gb/s", "rate = 400Gb/s"),
        ("connect a - b", "connect a -- b"),
        ("connect a b", "connect a -- b"),
        ("connect a -> b", "connect a -- b"),
        ("assert a = 3", "assert a == 3"),
        ("assert a && b", "assert a and b"),
        ("assert !a", "assert not a"),
        ("x = 400 Gb/s", "x = 400Gb/s"),
        ("x = 400Gbps", "x = 400Gb/s"),
        ("x = 3meters", "x = 3m"),
        ("x = 'abc'", 'x = "abc"'),
    ],
)
def test_changes_that_are_offered_mend_the_text(text: str, right: str) -> None:
    changed = mended(text, one(text))
    assert clean(changed.partition("\n")[2]) == clean(right)


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("port p[0:32] = 1Gb/s", "write `0..31`, or `0..32` to include 32: a range holds both its ends"),
        ("connect a -- b if c", "write `where` before a condition on cables"),
        ("connect a -- b x 4", "write `times` before a number of parallel cables"),
        ("a.up -- b.p", "write `connect a.… -- …` for cables"),
        ("ports p = 1Gb/s", "write `port`"),
        ("rate 400Gb/s", "write `rate = 400Gb/s`"),
        ("from nvidia import qm9700", "imports are written for example `import nvidia.qm9700`"),
        ("p[1..4] = 1Gb/s", "write `p[…] : DEVICE` for an array of devices, `port p[…] = RATE` for ports"),
        ("fabric f { }", "write the kind of fabric, for example `fabric f : ethernet {`"),
        ("design d(n = 4) { }", "write the type, for example `n: int = …`"),
        ("x = 400G", "write `400Gb/s` (line rate, in bits) or `400GB/s` (bytes)"),
        ("x = 1_000", "write the number without `_`: `1000`"),
        ("x = 1e9", "write the number in full, in decimal digits"),
        ("x = 1 y = 2", "separate statements by a newline or a comma"),
        ("connect a -- b\n where c", "write `where` at the end of the line above"),
    ],
)
def test_help(text: str, help_: str) -> None:
    assert one(text).help == (help_,)


def test_a_missing_brace_is_shown_where_it_was_opened() -> None:
    found = one("design d {\n  fabric f : x {\n    a : b\n\n  site hall { rows = 1 }\n}\n")
    assert found.span is not None
    assert (found.code, found.span.line) == ("T0013", 3)
    assert found.labels[1].span.line == 7


def test_expectations_are_sorted_and_in_the_users_terms() -> None:
    said = {one("design d { x y }").message for _ in range(3)}
    assert said == {"expected `:`, `=` or `[`, found `y`"}


@pytest.mark.parametrize(
    ("text", "code", "edition"),
    [
        ("design d {}", "T0004", None),
        ("# c\n\ndesign d {}", "T0004", None),
        ("topolang 2\nwhatever ((", "T0005", 2),
        ("topolang 0\n", "T0005", 0),
        ("topolang x\n", "T0005", None),
        ("topolang\n", "T0005", None),
        ("topolang 1.0\n", "T0005", None),
    ],
)
def test_editions(text: str, code: str, edition: int | None) -> None:
    file, found = read(text)
    assert [d.code for d in found] == [code]
    assert file.edition == edition
    assert (found[0].severity == "warning") == (code == "T0004")


def test_the_offered_edition_mends_the_file() -> None:
    text = "design d {}\n"
    (found,) = read(text)[1]
    assert found.fix is not None and found.fix.span.start == found.fix.span.end == 0
    assert read(found.fix.replacement + text)[1] == []


@pytest.mark.parametrize("text", ["1 +", '"a', "[1,2", "a b", "400G", "", "x,y", "x = 1", "a;b", "}", "{", "99999999999999999999", "let", "1\n2"])
def test_an_expression_that_is_none(text: str) -> None:
    sink = Sink()
    assert parse_expression(SourceFile("-D x", text), sink) is None
    (found,) = sink
    assert found.severity == "error" and found.span is not None


def test_five_mistakes_are_five_findings_and_the_rest_survives() -> None:
    file, found = read(
        """topolang 1
import nvidia.qm9700
design d(su: int = 4) {
  fabric f : infiniband {
    rate = 400G
    node[s: 1..su] : dgx
    leaf[s: 1..su, rail: 0:8] : qm9700 { port down = p[1..32] }
    connect node.hca - leaf.down
    connect leaf.up -- spine.down fill
  }
  site hall { rows = , racks = 1..16 }
  assert count(node) = 4
  warn count(leaf) == 2
}
module m { a : b }
"""
    )
    assert [d.code for d in found] == ["T0102", "T0018", "T0017", "T0010", "T0019"]
    assert [type(i).__name__ for i in file.items] == ["Import", "Container", "Container"]
    design = file.items[1]
    assert isinstance(design, ast.Container)
    assert [type(i).__name__ for i in design.body] == ["Fabric", "Container", "Check", "Check"]
    fabric, site, _, _ = design.body
    assert isinstance(fabric, ast.Fabric) and isinstance(site, ast.Container)
    assert [type(i).__name__ for i in fabric.body] == ["Attribute", "Instance", "Connect", "Connect"]
    assert [a.name.text for a in site.body if isinstance(a, ast.Attribute)] == ["racks"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("assert a = 3 && !b || c === 4", "assert a == 3 and not b or c == 4"),
        ("connect a.x - b.y times 2", "connect a.x -- b.y times 2"),
        ("connect a.x b.y where i = j", "connect a.x -- b.y where i == j"),
        ("connect a.x ->\n  b.y where i = j &&\n  k", "connect a.x -- b.y where i == j and k"),
        ("x := 3", "x = 3"),
        ("x = ['a', 'b']", 'x = ["a", "b"]'),
    ],
)
def test_a_mistake_whose_change_is_certain_costs_no_statement(wrong: str, right: str) -> None:
    file, found = read(f"topolang 1\n{wrong}\n")
    assert found
    assert file.items == clean(right)


def test_a_block_with_a_broken_header_is_read_for_its_own_mistakes() -> None:
    file, found = read("topolang 1\ndesign d {\n  fabric f infiniband {\n    a : b c\n    d : e\n  }\n  x = 1\n}\n")
    assert [(d.code, d.span.line) for d in found if d.span] == [("T0010", 3), ("T0010", 4)]
    (design,) = file.items
    assert isinstance(design, ast.Container)
    assert [i.name.text for i in design.body if isinstance(i, ast.Attribute)] == ["x"]


def test_a_container_with_broken_parameters_keeps_its_body() -> None:
    file, found = read("topolang 1\ndesign d(su int = 4, x: int = 3) {\n  a : b\n}\n")
    assert [d.code for d in found] == ["T0010"]
    (design,) = file.items
    assert isinstance(design, ast.Container)
    assert (design.name.text, design.params, len(design.body)) == ("d", (), 1)


def test_an_open_bracket_does_not_swallow_the_next_lines() -> None:
    file, found = read("topolang 1\nx = f(1,\nconnect a -- b\ny = [2\nz = 3\n")
    assert [(d.code, d.span.line) for d in found if d.span] == [("T0013", 2), ("T0013", 4)]
    assert [type(i).__name__ for i in file.items] == ["Connect", "Attribute"]
