"""Inputs that other tools accept in silence: each is an error of its own, at the right place, with what to write instead."""

from __future__ import annotations

import pytest
from support import compile_text

from topolang.diagnostics import Diagnostic

HEAD = """topolang 1
device server { role = "host", port nic[i: 0..15] = 400Gb/s, port eth[1..4] = 400Gb/s }
device hub { role = "switch", port p[1..4] = 400Gb/s }
device big { role = "switch", port p[1..64] = 400Gb/s }
"""


def findings(body: str, *, attributes: str = "") -> list[Diagnostic]:
    design, sink = compile_text(f"{HEAD}design d {{ fabric f : ethernet {{ {attributes}\n{body}\n}} }}\n")
    if design is not None:
        from topolang.passes.run import run_passes

        sink.extend(run_passes(design).diagnostics)
    return [d for d in sink.sorted() if d.severity == "error"]


CASES = {
    "16 NICs on 4 ports: no cable is dropped": ("s : server\nh : hub\nconnect s.nic -- h.p", "T0404", "connect s.nic -- h.p"),
    "a port used twice": (
        "s : server\nt : server\nh : hub\nconnect s.eth[1] -- h.p[1]\nconnect t.eth[1] -- h.p[1]",
        "T0406",
        "connect t.eth[1] -- h.p[1]",
    ),
    "a misspelt component": ("s : server\nh : big\nconnect s.nik -- h.p", "T0202", "nik"),
    "an index out of range": ("s : server\nh : big\nconnect s.nic[i = 99] -- h.p", "T0304", "i = 99"),
    "an undefined name": ("s : server\nh : big\nconnect s.nic -- hh.p", "T0201", "hh"),
    "parallel links written one by one": (
        "s : server\nh : big\nconnect s.eth[1..2] -- h.p\nconnect s.eth[1..2] -- h.p",
        "T0407",
        "connect s.eth[1..2] -- h.p",
    ),
    "a bad range": ("s[n: 5..1] : server\nh : big\nconnect s.nic -- h.p", "T0303", "5..1"),
    "a disconnected fabric": ("s[n: 1..2] : server\nh[n: 1..2] : big\nconnect s.nic -- h.p", "T0502", "fabric f"),
}


@pytest.mark.parametrize("name", CASES)
def test_wrong_input(name: str) -> None:
    body, code, place = CASES[name]
    found = findings(body)
    assert [d.code for d in found] == [code]
    assert found[0].span is not None
    assert found[0].span.text.startswith(place)


HELP = {
    "a library part without its import": ("h : qm9700", "add `import nvidia.qm9700` at the top of the file"),
    "an index without a range": ("h[4] : hub", "write for example `n: 1..4`; both ends are included"),
    "a division that leaves a rest": ("h[n: 1..7/2] : hub", "write `div` for whole-number division"),
    "a dash for a range": ("h : hub { port up = p[1-4] }", "write `1..4` for a range"),
    "a group without its word": ("h : hub { up = p[1..4] }", "write `port up = …` for a group of ports"),
    "a height without its unit": ("h : hub { height = 8 }", "write it like `3m` or `8U` (rack units)"),
    "a text without quotes": ("h : hub { role = host }", 'write `"host"`: a text stands in quotes'),
    "a design as a part": ("h : d", "declare it as a `module` to use it as a part"),
    "a claim in a fabric": ("h : hub\nassert count(h) == 1", "claims stand in the design or module, after the fabric"),
}


@pytest.mark.parametrize("name", HELP)
def test_help(name: str) -> None:
    body, text = HELP[name]
    assert [d.help for d in findings(body)] == [(text,)]


def test_a_fault_in_a_loop_is_told_once() -> None:
    assert len(findings("s : server\nh : big\nfor n in 90..99 { connect s.nic[i = n] -- h.p }")) == 1


def test_bits_and_bytes_are_told_apart() -> None:
    (found,) = findings("s : server\nh : big\nconnect s.eth -- h.p", attributes="rate = 400GB/s")
    assert found.notes == ("`GB/s` counts bytes and `Gb/s` bits: 1GB/s is 8Gb/s",)


def test_a_misspelt_key() -> None:
    (found,) = findings("s : server\nh : big\nconnect s.nic -- h.p", attributes="raite = 400Gb/s")
    assert found.code == "T0210"
    assert found.help == ("write `rate`",)


def test_all_are_distinct() -> None:
    codes = [code for _, code, _ in CASES.values()] + ["T0210"]
    assert len(set(codes)) == len(codes)


SEMANTIC = {
    "missing import": ("import nvidia.dgx_h101\n", "T0205"),
    "declared twice": ("device server { }\n", "T0203"),
    "a let that needs itself": ("let a = b\nlet b = a\ndesign d { let c = a }\n", "T0204"),
    "holds itself": ("device loop { x : loop }\ndesign d { l : loop }\n", "T0207"),
    "no design": ("", "T0208"),
    "two designs": ("design a { }\ndesign b { }\n", "T0209"),
    "unit clash": ("design d { let x = 3m + 4kW }\n", "T0101"),
    "wrong type": ("design d(n: int = 3m) { }\n", "T0103"),
    "unknown type": ("design d(n: integr = 3) { }\n", "T0108"),
    "division by zero": ("design d { let x = 4 div 0 }\n", "T0106"),
    "index of a list": ("design d { let l = [1, 2], let x = l[2] }\n", "T0304"),
    "argument count": ("design d { let x = ceil(1, 2) }\n", "T0105"),
    "unnamed dimension": ("design d { fabric f : ethernet { s[1..4] : server } }\n", "T0301"),
    "dimension twice": ("design d { fabric f : ethernet { s[n: 1..4, n: 1..2] : server } }\n", "T0302"),
    "endless dimension": ("design d { fabric f : ethernet { s[n: 1..99999999] : server } }\n", "T0308"),
    "unknown fabric kind": ("design d { fabric f : infinibannd { } }\n", "T0215"),
    "connect outside a fabric": ("design d { s : server, h : big\nconnect s.nic -- h.p }\n", "T0504"),
    "no ports": ("design d { fabric f : ethernet { s : server, h : big\nconnect s -- h.p } }\n", "T0411"),
    "unknown argument": ("design d { s : server(x = 1) }\n", "T0214"),
    "part is no part": ("let x = 3\ndesign d { s : x }\n", "T0218"),
    "template field": ('design d { s[n: 1..2] : server { name = "s{m}" } }\n', "T0217"),
    "attribute twice": ('design d { s : server { name = "a", name = "b" } }\n', "T0211"),
    "statement in the wrong place": ("design d { port p = 3Gb/s }\n", "T0212"),
    "group of unknown ports": ("device x { port a = b[1..2] }\ndesign d { x : x }\n", "T0202"),
    "group beyond the pool": ("device x { port p[1..4] = 1Gb/s, port a = p[3..6] }\ndesign d { }\n", "T0304"),
    "metric of the wrong thing": ("design d { fabric f : ethernet { s : server }\nassert nonblocking(s) }\n", "T0105"),
    "unknown metric": ("design d { s : server\nassert cout(s) == 1 }\n", "T0201"),
    "claim that is a number": ("design d { s : server\nassert count(s) }\n", "T0103"),
    "claim of different units": ("design d { s : server\nassert power(s) <= 3m }\n", "T0101"),
    "condition on an unknown name": ("design d { s[n: 1..4] : server if m > 2 }\n", "T0201"),
    "division that is not whole": ("design d { s[n: 1..4] : server if n / 2 > 1 }\n", "T0103"),
    "overflow": ("design d { s[n: 1..4] : server if n * 999999999999999999 * 999 > 2 }\n", "T0107"),
}


@pytest.mark.parametrize("name", SEMANTIC)
def test_semantic_error(name: str) -> None:
    text, code = SEMANTIC[name]
    _, sink = compile_text(HEAD + text)
    assert [d.code for d in sink.sorted() if d.severity == "error"] == [code]


def test_one_fault_does_not_hide_or_multiply_others() -> None:
    text = f"""{HEAD}design d {{ fabric f : ethernet {{
  s : servr
  t : server
  h : big
  connect s.nic -- h.p
  connect t.nick -- h.p
  connect t.nic -- h.q
}}
assert count(s) == 1
assert cuont(t) == 1 }}
"""
    _, sink = compile_text(text)
    assert [d.code for d in sink.sorted()] == ["T0201", "T0202", "T0202", "T0201"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("h : hub\nconnect h.p -- h.p", "this would cable a device to itself"),
        ("h[k: 1..2] : hub\nconnect h.p -- h[k as j].p", "this would cable a device to itself, for example at k = 1, j = 1"),
    ],
)
def test_a_device_joined_to_itself(body: str, message: str) -> None:
    (found,) = findings(body)
    assert (found.code, found.message) == ("T0408", message)


@pytest.mark.parametrize("value", ["[]", "[n, n]"])
def test_an_attribute_that_names_one_dimension(value: str) -> None:
    text = f"{HEAD}design d {{ fabric f : ethernet {{ s[n: 1..4] : server }}\nplace s {{ row_by = {value} }} }}"
    assert [d.code for d in compile_text(text)[1]] == ["T0103"]


def test_a_faulty_default_of_a_kind_is_a_finding() -> None:
    text = f"{HEAD}let bad = 1 div 0\nkind fabric odd(q: int = bad)\ndesign d {{ fabric f : odd {{ s : server }} }}"
    assert "T0106" in {d.code for d in compile_text(text)[1]}


def test_labels_that_do_not_fit_a_split_leave_no_half_bank() -> None:
    device = 'device q { role = "host", port o[1..2] = 800Gb/s split 2 as p { names = ["a"] }\n port g = p[1]\n port h = o[1] }\n'
    text = f"{HEAD}{device}design d {{ x : q }}"
    assert [d.code for d in compile_text(text)[1]] == ["T0410"]


def test_a_blank_label() -> None:
    text = HEAD + 'device q { role = "host", port o[1..2] = 800Gb/s { names = ["a", " "] } }\ndesign d { x : q }'
    assert [d.code for d in compile_text(text)[1]] == ["T0410"]
