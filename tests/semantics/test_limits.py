"""Programs that ask for more than any machine has, or nest without end: each is refused quickly, with a code and a place."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import compile_text, design_of, errors_of

from topolang.diagnostics import DiagnosticError, Sink
from topolang.passes.run import run_passes
from topolang.semantics.limits import IDENTIFIER_LIMIT, IMPORT_DEPTH, LIST_LIMIT, NAME_LIMIT, STATEMENT_LIMIT
from topolang.semantics.program import analyse
from topolang.workspace import read_source

PARTS = """topolang 1
device host(l: list of int = [1]) { role = "host", port x[1..4] = 100Gb/s }
device hub { role = "switch", port p[1..16] = 100Gb/s }
"""
HUGE = "100000000000"


def codes(body: str, parts: str = PARTS) -> set[str]:
    design, sink = compile_text(f"{parts}design d {{\n{body}\n}}\n")
    if design is not None:
        sink.extend(run_passes(design).diagnostics)
    return {d.code for d in sink if d.severity == "error"}


def lets(first: str, step: str, count: int) -> str:
    """Return a chain of `let`s, each made of the one before it."""
    return "\n".join([f"let a0 = {first}", *(f"let a{i + 1} = {step.format(f'a{i}')}" for i in range(count))])


LAN = "fabric f : ethernet {{ h[n: 1..4] : host\n s[k: 1..2] : hub\n connect {} -- {} }}"

BODIES = {
    "a list that doubles": (lets("[1, 2]", "{0} + {0}", 40), "T0308"),
    "lists in lists": (lets("[1, 2]", "[{0}, {0}]", 40), "T0308"),
    "many large lists": (lets("[1]", "{0} + {0}", 15) + "\n" + "\n".join(f"let b{i} = a15 + [{i}]" for i in range(200)), "T0308"),
    "a list that is a range": (f"h : host(l = 1..{HUGE})", "T0308"),
    "an index beyond 64 bits": ("let b = 1000000000 * 1000000000 * 1000000000\nh[n: b..b+3] : host", "T0107"),
    "a dimension": (f"h[n: 1..{HUGE}] : host", "T0308"),
    "all arrays together": ("\n".join(f"h{i}[n: 1..2000000] : host" for i in range(4)), "T0308"),
    "seventeen dimensions": (f"h[{', '.join(f'd{i}: 1..1' for i in range(17))}] : host", "T0308"),
    "ports picked": (LAN.format(f"h.x[1..{HUGE}]", "s.p"), "T0304"),
    "indices selected": (LAN.format(f"h[n = 1..{HUGE}].x", "s.p"), "T0304"),
    "cables of one statement": ("fabric f : ethernet { a[n: 1..2000] : host\n b[k: 1..2000] : hub\n connect a.x -- b.p times 60000 }", "T0308"),
    "combinations of one statement": ("fabric f : ethernet { a[n: 1..9000] : host\n b[k: 1..9000] : hub\n connect a.x -- b.p }", "T0309"),
    "combinations of all statements": (
        "fabric f : ethernet { a[n: 1..200] : host\n b[k: 1..200] : hub\n"
        "for q in 1..4000 { connect a.x -- b.p where n * n + k * k == 10000000 + q } }",
        "T0309",
    ),
    "loops in loops": (f"h : host\nfor a in 1..{STATEMENT_LIMIT // 8} {{ for b in 1..4000 {{ assert count(h) == 1 }} }}", "T0308"),
    "loops without a statement": ("".join(f"for a{i} in 1..2 {{ " for i in range(40)) + "}" * 40, "T0308"),
    "a long name": (f"{'n' * (IDENTIFIER_LIMIT + 1)} : host", "T0308"),
    "a long template": (f'h : host {{ name = "{"n" * (NAME_LIMIT + 1)}" }}', "T0217"),
    "an empty template": ('h : host { name = " " }', "T0217"),
    "a wide field": ('h[n: 1..2] : host { name = "{n:999}" }', "T0217"),
    "digits that are not ASCII": ('h[n: 1..2] : host { name = "{n:²}" }', "T0217"),
    "rates without a common unit": (
        "fabric f : ethernet { h : fast\n s : fast\n connect h.a -- s.a\n connect h.b -- s.b }",
        "T0107",
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_too_much_in_a_design(name: str) -> None:
    body, code = BODIES[name]
    fast = 'device fast { role = "host", port a = 999999999999Tb/s, port b = 0.000001Mb/s }\n'
    assert code in codes(body, PARTS + fast)


@pytest.mark.parametrize(
    ("kind", "code"),
    [("module", "T0308"), ("device", "T0308")],
)
def test_parts_that_double_from_level_to_level(kind: str, code: str) -> None:
    levels = "".join(f"{kind} m{i} {{ a : m{i + 1}\n b : m{i + 1} }}\n" for i in range(30))
    assert codes("x : m0", f"{PARTS}{levels}{kind} m30 {{ h : host }}\n") == {code}


def test_many_types_of_large_devices() -> None:
    types = "".join(f'device big{i} {{ role = "host", port p[1..65536] = 1Gb/s }}\n' for i in range(40))
    assert codes("\n".join(f"x{i} : big{i}" for i in range(40)), PARTS + types) == {"T0308"}


def test_a_long_chain_of_values_is_refused_without_a_traceback() -> None:
    chain = "\n".join(f"let a{i} = a{i + 1} + 1" for i in range(3000)) + "\nlet a3000 = 1"
    assert codes(chain) == {"T0021"}


def test_a_long_chain_of_imports(tmp_path: Path) -> None:
    for i in range(IMPORT_DEPTH + 20):
        (tmp_path / f"f{i}.topo").write_text(f"topolang 1\nimport f{i + 1}\n", encoding="utf-8")
    sink = Sink()
    assert analyse(tmp_path / "f0.topo", (), (), read_source, sink) is None
    assert "T0021" in {d.code for d in sink}


def test_a_file_name_that_no_file_can_have() -> None:
    assert [d.code for d in errors_of(f'topolang 1\nimport "{"x" * 5000}.topo"\ndesign d {{ }}')] == ["T0205"]


def test_messages_shorten_long_values_and_show_no_control_characters() -> None:
    long = ", ".join(map(str, range(1000)))
    (found,) = errors_of(f"topolang 1\nlet a = [{long}]\ndesign d {{ assert a == 3 }}")
    assert max(len(label.text) for label in found.labels) < 200
    (found,) = errors_of('topolang 1\ndevice q { role = "host" }\ndesign d { x : q { name = "\\r\\n{z}" } }')
    assert found.message.isprintable()


def test_a_list_of_the_limit_is_taken() -> None:
    design = design_of(f"topolang 1\ndesign d(l: list of int = 1..{LIST_LIMIT}) {{ }}")
    assert len(dict(design.parameters)["l"]) == LIST_LIMIT


def test_membership_in_a_long_list_takes_one_column() -> None:
    values = ", ".join(str(v) for v in range(0, 3000, 2))
    body = f"fabric f : ethernet {{ h[n: 1..2000] : host\n s[n: 1..2000] : hub\n connect h.x -- s.p where n in [{values}] }}"
    design = design_of(f"{PARTS}design d {{ {body} }}")
    from topolang.ir.wiring import wire

    assert wire(design.bundles[0]).cables == 1000


def test_a_refused_bundle_names_its_place() -> None:
    body = "fabric f : ethernet { a[n: 1..2000] : host\n b[k: 1..2000] : hub\n connect a.x -- b.p times 60000 }"
    from topolang.ir.wiring import wire

    with pytest.raises(DiagnosticError) as caught:
        wire(design_of(f"{PARTS}design d {{ {body} }}").bundles[0])
    assert caught.value.diagnostic.span is not None
