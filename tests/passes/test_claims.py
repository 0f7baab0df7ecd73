"""Claims: three-valued logic, exact values, metrics, and how a failed assertion is shown."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir.build import Build, PortSpec, op
from ir.fabrics import three_tier, two_tier
from passes.random_fabrics import meshes, three_tiers, two_tiers
from support import design_of

from topolang.diagnostics import Diagnostic
from topolang.ir.graph import graphs, to_networkx
from topolang.ir.metrics import METRICS
from topolang.ir.model import Design, Known, Operation
from topolang.passes import claims
from topolang.passes.claims import judge
from topolang.passes.model import Verdict
from topolang.passes.outcome import Outcome, apply, logic, unknown
from topolang.passes.paths.hops import hops
from topolang.passes.structure.alltoall import alltoall
from topolang.units import Quantity

TRUE, FALSE, OPEN = Outcome(True), Outcome(False), unknown("not known")


@pytest.mark.parametrize(
    ("op_", "operands", "value"),
    [
        ("and", [TRUE, OPEN], None),
        ("and", [OPEN, FALSE], False),
        ("and", [TRUE, TRUE], True),
        ("or", [OPEN, TRUE], True),
        ("or", [FALSE, OPEN], None),
        ("or", [FALSE, FALSE], False),
        ("not", [OPEN], None),
        ("not", [FALSE], True),
    ],
)
def test_three_valued_logic(op_: str, operands: list[Outcome], value: bool | None) -> None:
    assert logic(op_, operands).value is value


def q(text: str) -> Quantity:
    return Quantity.parse(text)


@pytest.mark.parametrize(
    ("op_", "a", "z", "value"),
    [
        ("==", 2, Fraction(2), True),
        ("<", Fraction(1, 3), Fraction(1, 2), True),
        ("<=", q("50GB/s"), q("400Gb/s"), True),
        ("!=", q("1km"), q("1000m"), False),
        ("+", q("1kW"), q("500W"), q("1.5kW")),
        ("*", 3, q("2TiB"), q("6TiB")),
        ("/", q("1kW"), q("4W"), 250),
        ("/", q("1kW"), 4, q("250W")),
        ("/", 1, 3, Fraction(1, 3)),
        ("div", 7, 2, 3),
        ("mod", 7, 4, 3),
        ("in", 3, range(1, 4), True),
        ("in", 5, (1, 2), False),
        ("/", 1, 0, None),
        ("<", q("1m"), q("1W"), None),
        ("<", "a", "b", None),
        ("+", 1, q("1m"), None),
        ("*", q("1m"), q("1m"), None),
    ],
)
def test_exact_arithmetic(op_: str, a: Any, z: Any, value: Any) -> None:
    assert apply(op_, [Outcome(a), Outcome(z)]).value == value


def test_an_open_operand_leaves_a_comparison_open_with_its_reason() -> None:
    outcome = apply("<=", [unknown("needs lengths"), Outcome(3)])
    assert outcome.open and outcome.reason == "needs lengths"


# ---------------------------------------------------------------- checks


def judged(build: Build) -> list[tuple[Verdict, Diagnostic | None]]:
    return [(j.verdict, j.finding) for j in judge(build.design())]


def _fabric(build: Build) -> tuple[Any, Any, Any]:
    node = build.group("f.node", build.device("host", PortSpec("eth"), role="host", power=q("10kW")), op("<", "n", 5), n=6)
    leaf = build.group("f.leaf", build.device("leaf", PortSpec("p", 8), role="switch"), l=1)
    fabric = build.fabric("f")
    build.connect(fabric, build.end(node, "eth"), build.end(leaf, "p"))
    return node, leaf, fabric


def test_a_count_is_exact_and_leaves_holes_out() -> None:
    b = Build()
    node, leaf, _ = _fabric(b)
    for target, number in ((node, 5), (leaf, 1), (b.target(leaf, ports=leaf.device.groups["p"]), 8), (b.target(node, select={"n": [0, 5]}), 1)):
        b.check(b.compare(b.metric("count", target), "==", b.number(number)))
    assert [v.status for v, _ in judged(b)] == ["proved"] * 4


def test_a_failed_assertion_shows_values_like_pytest() -> None:
    b = Build()
    node, _, _ = _fabric(b)
    b.check(b.compare(b.metric("count", node), "==", b.number(32, "4 * per_su")), reason="every slot is taken")
    ((v, finding),) = judged(b)
    assert v.status == "refuted" and v.reason == "5 == 32"
    assert finding is not None and finding.code == "T0601" and finding.severity == "error"
    assert finding.message == "assertion does not hold: every slot is taken"
    assert finding.notes == ("`count(node)` is 5", "`4 * per_su` is 32")
    assert finding.labels[0].span.text == "count(node) == 4 * per_su"


def test_only_the_failing_part_of_a_conjunction_is_shown() -> None:
    b = Build()
    node, leaf, _ = _fabric(b)
    good = b.compare(b.metric("count", leaf), "==", b.number(1))
    bad = b.compare(b.metric("count", node), ">=", b.number(6))
    b.check(Operation("and", (good, bad), b.lines.span("count(leaf) == 1 and count(node) >= 6")))
    ((_, finding),) = judged(b)
    assert finding is not None and finding.labels[0].span.text == "count(node) >= 6" and finding.notes == ("`count(node)` is 5",)


def test_a_warning_and_what_is_not_decided() -> None:
    b = Build()
    node, leaf, f = _fabric(b)
    b.check(b.compare(b.metric("count", node), ">", b.number(9)), "warn")
    b.check(b.compare(b.metric("distance", node, leaf), "<=", b.number(q("30m"), "30m")))
    b.check(b.compare(b.metric("gpus_cut", f, leaf), "<=", b.number(36)), "warn")
    found = [finding for _, finding in judged(b)]
    assert [(d.code, d.severity) for d in found if d] == [("T0603", "warning"), ("T0602", "warning"), ("T0602", "note")]
    assert found[1] is not None and "distance" in found[1].labels[0].text
    assert next(iter(claims.run(b.design()))).code == "T0603"


def test_a_refuted_fabric_carries_its_certificate_into_the_finding() -> None:
    b = Build()
    design = two_tier(hosts=5)
    b.groups, b.fabrics, b.bundles = list(design.groups), list(design.fabrics), list(design.bundles)
    b.check(b.metric("nonblocking", design.fabrics[0]), reason="1:1")
    ((v, finding),) = judged(b)
    assert v.status == "refuted" and finding is not None
    assert finding.labels[0].text == "5 x 400Gb/s down against 4 x 400Gb/s up at `leaf-0`, ratio 1.25:1"
    assert [label.text for label in finding.labels[1:]] == ["5 x 400Gb/s down", "4 x 400Gb/s up"]


def test_not_and_constants() -> None:
    b = Build()
    _, _, f = _fabric(b)
    b.check(Operation("not", (b.metric("nonblocking", f),), b.lines.span("not nonblocking(f)")))
    b.check(Operation("<=", (Known(4, b.lines.span("hosts")), Known(16, b.lines.span("16"))), b.lines.span("hosts <= 16")))
    assert [v.status for v, _ in judged(b)] == ["refuted", "proved"]


def test_every_metric_takes_what_its_signature_says_and_answers_with_a_reason() -> None:
    b = Build()
    node, leaf, f = _fabric(b)
    takes: dict[str, Any] = {"fabric": f, "devices": node, "fabric or devices": f, "devices or pool": leaf, "scope": "any", "devices or scope": leaf}
    tried = {name: signature for name, signature in METRICS.items() if "traffic" not in signature.args}
    for name, signature in tried.items():
        claim = b.metric(name, *(takes[kind] for kind in signature.args[: signature.least]))
        b.check(b.compare(claim, "==", b.number(0)) if signature.returns != "verdict" else claim)
    for (verdict, _), name in zip(judged(b), tried, strict=True):
        assert verdict.reason and verdict.status in ("proved", "refuted", "open"), name


def test_sums_of_an_attribute() -> None:
    b = Build()
    node, leaf, f = _fabric(b)
    b.check(b.compare(b.metric("power", node), "==", b.number(q("50kW"))))
    b.check(b.compare(b.metric("power", leaf), "<=", b.number(q("50kW"))))
    b.check(b.compare(b.metric("power", f), "<=", b.number(q("50kW"))))
    assert [v.status for v, _ in judged(b)] == ["proved", "open", "open"]


def test_a_claim_in_a_module_holds_in_every_copy() -> None:
    b = Build()
    # the last copy has one device less
    holes = op("or", op("<", "r", 3), op("<", "t", 3))
    tray = b.group("rack.tray", b.device("tray", PortSpec("p", 2), role="host"), holes, r=range(1, 4), t=range(1, 4))
    b.check(b.compare(b.metric("count", tray), ">=", b.number(2)), context=tray.dims[:1])
    b.check(b.compare(b.metric("count", tray), "==", b.number(3)), context=tray.dims[:1])
    (good, _), (bad, finding) = judged(b)
    assert good.status == "proved" and bad.status == "refuted"
    assert finding is not None and finding.notes == ("in the copy r = 3", "`count(tray)` is 2")


def test_copies_that_do_not_exist_are_not_judged() -> None:
    b = Build()
    tray = b.group("rack.tray", b.device("tray", PortSpec("p", 2), role="host"), op("!=", "r", 2), r=range(1, 4), t=2)
    b.check(b.compare(b.metric("count", tray), "==", b.number(2)), context=tray.dims[:1])
    assert judged(b)[0][0].status == "proved"


# ---------------------------------------------------------------- metrics of fabrics


def test_levels_and_oversubscription() -> None:
    b = Build()
    design = three_tier(leaves=2, hosts=3, planes=2, cores=2)
    b.groups, b.fabrics, b.bundles = list(design.groups), list(design.fabrics), list(design.bundles)
    f = design.fabrics[0]
    b.check(b.compare(b.metric("levels", f), "==", b.number(3)))
    b.check(b.compare(b.metric("oversubscription", f), "==", b.number(Fraction(3, 2))))
    b.check(b.compare(b.metric("hops", f), "==", b.number(5)))
    b.check(b.compare(b.metric("hops", f, "same_rail"), "==", b.number(1)))
    assert [v.status for v, _ in judged(b)] == ["proved", "proved", "proved", "open"]


@settings(max_examples=120)
@given(st.integers(0, 2**32 - 1).map(Random), st.sampled_from([two_tiers, three_tiers, meshes]))
def test_hops_are_those_of_networkx(random: Random, make: Any) -> None:
    design: Design = make(random)
    answer = hops(design, design.fabrics[0])
    graph = nx.Graph(to_networkx(design))
    hosts = [n for n, d in graph.nodes(data=True) if d["group"] == "f.node" and graph.degree(n)]
    if not hosts:
        assert answer.open
        return
    switches = graph.subgraph([n for n in graph if not n.startswith("node")])
    at = {next(iter(graph[h])) for h in hosts}
    paths = [nx.single_source_shortest_path_length(switches, s) for s in sorted(at)]
    if any(t not in p for p in paths for t in at):
        assert answer.open
    else:
        assert answer.value == 1 + max(p[t] for p in paths for t in at)


def _domain(*, racks: int = 2, missing: bool = False, uneven: bool = False) -> Design:
    b = Build()
    gpu = b.group("rack.gpu", b.device("gpu", PortSpec("nvl", dims={"k": range(4)}), PortSpec("x", 4), role="gpu"), r=racks, g=6)
    chip = b.group("rack.chip", b.device("chip", PortSpec("p", 16), role="nvswitch"), r=racks, k=4)
    f = b.fabric("rack.nvlink", {"r": racks})
    where = [op("not", op("and", op("==", "g", 5), op("==", "k", 2)))] if missing else []
    b.connect(f, b.end(gpu, "nvl"), b.end(chip, "p"), where=where)
    if uneven:
        b.connect(f, b.end(gpu, "x"), b.end(chip, "p", picks=[15]), where=[op("==", "g", 0)])
    return b.design()


def test_an_nvlink_domain_is_proved_in_every_copy() -> None:
    design = _domain()
    v = alltoall(design, design.fabrics[0])
    assert v.status == "proved" and v.reason.endswith("6 terminals on 4 switches in each of 2 copies")


def test_a_missing_or_an_extra_link_breaks_the_domain() -> None:
    design = _domain(missing=True)
    v = alltoall(design, design.fabrics[0])
    assert v.status == "refuted" and v.reason == "`chip-0-2` has cables to 5 of 6 terminals"
    design = _domain(uneven=True)
    v = alltoall(design, design.fabrics[0])
    assert v.status == "refuted" and v.reason == "`chip-0-0` has 1 to 2 cables to a terminal"


def test_switches_over_switches_are_no_domain() -> None:
    design = two_tier()
    assert alltoall(design, design.fabrics[0]).status == "open"


@pytest.mark.parametrize(("where", "status"), [("<", "proved"), ("ring", "open")])
def test_a_mesh_without_switches(where: str, status: str) -> None:
    b = Build()
    gpu = b.group("f.gpu", b.device("gpu", PortSpec("nvl", 12), role="gpu"), g=4)
    conditions = [op("<", "g", "h")] + ([op("!=", op("-", "h", "g"), 2)] if where == "ring" else [])
    b.connect(b.fabric("f"), b.end(gpu, "nvl"), b.end(gpu, "nvl", bind={"g": "h"}), 3, conditions)
    design = b.design()
    assert len(graphs(design)) == 1 and alltoall(design, design.fabrics[0]).status == status


def test_a_terminal_without_a_link_is_no_member() -> None:
    b = Build()
    gpu = b.group("f.gpu", b.device("gpu", PortSpec("nvl"), role="gpu"), g=4)
    chip = b.group("f.chip", b.device("chip", PortSpec("p", 8), role="nvswitch"), k=1)
    f = b.fabric("f")
    b.connect(f, b.end(gpu, "nvl"), b.end(chip, "p"), where=[op("<", "g", 3)])
    design = b.design()
    assert alltoall(design, f).reason == "`gpu-3` and 0 more have no cable in the fabric"


SERVERS = """topolang 1
device gpu { role = "gpu", port x = 50GB/s }
device server { role = "host", gpu[g: 1..8] : gpu if g != 8 }
design d { h[g: 1..4] : server if g != 4
"""


@pytest.mark.parametrize(
    ("name", "number"), [("h", 3), ("h.gpu", 21), ("h[g = 1].gpu", 7), ("h.gpu[g = 1]", 3), ("h.gpu[g = 7..8]", 3), ("h[g = 3..4]", 1)]
)
def test_a_selector_speaks_of_its_own_dimension_where_names_are_equal(name: str, number: int) -> None:
    (judgement,) = judge(design_of(f"{SERVERS}assert count({name}) == {number} }}"))
    assert judgement.verdict.holds, judgement.verdict
