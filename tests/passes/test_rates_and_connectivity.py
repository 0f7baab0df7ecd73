"""Rates of both ends and of the fabric; pieces of a fabric and devices without a cable; capacity per tier."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from ir.build import Build, PortSpec, eq, op, rate
from ir.fabrics import three_tier, two_tier
from passes.random_fabrics import several_planes, three_tiers, two_tiers

from topolang.diagnostics import Diagnostic
from topolang.ir.graph import to_networkx
from topolang.ir.model import Design
from topolang.passes import connectivity, rates
from topolang.passes.connectivity import facts
from topolang.passes.paths.capacity import capacity


def _rated(host: int, switch: int, fabric: int | None = None, own: int | None = None) -> list[Diagnostic]:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth", 0, host), role="host"), n=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("p", 8, switch), role="switch"), l=1)
    f = b.fabric("f", **({"rate": rate(fabric)} if fabric else {}))
    b.connect(f, b.end(node, "eth"), b.end(leaf, "p"), **({"rate": rate(own)} if own else {}))
    return list(rates.run(b.design()))


def test_equal_rates_are_silent() -> None:
    assert _rated(400, 400) == _rated(400, 400, 400) == _rated(200, 200, 400, 200) == []


def test_rates_that_differ_show_both_declarations_and_ask_for_split() -> None:
    (finding,) = _rated(400, 800)
    assert finding.code == "T0501" and finding.message == "rates differ: `leaf.p` has 800Gb/s, `node.eth` has 400Gb/s"
    assert [label.span.text for label in finding.labels] == ["connect node.eth -- leaf.p", "port p = 800Gb/s", "port eth = 400Gb/s"]
    assert any("`split 2`" in h for h in finding.help)
    (odd,) = _rated(400, 1000)
    assert odd.help == ("connect ports of one rate",)


def test_the_rate_of_the_fabric_has_to_agree() -> None:
    (finding,) = _rated(400, 400, 200)
    assert finding.code == "T0501" and finding.message == "fabric `f` states 200Gb/s, but these ports have 400Gb/s"
    assert [label.span.text for label in finding.labels[1:]] == ["fabric f", "port eth = 400Gb/s", "port p = 400Gb/s"]


def test_a_connect_may_state_a_rate_of_its_own() -> None:
    (finding,) = _rated(400, 400, 400, 200)
    assert "this `connect` states 200Gb/s" in finding.message


# ---------------------------------------------------------------- connectivity


def _split_fabric() -> Build:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), s=3, n=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("p", 8), role="switch"), s=3)
    b.connect(b.fabric("f"), b.end(node, "eth"), b.end(leaf, "p"))
    return b


def test_a_fabric_in_pieces_names_them() -> None:
    (finding,) = connectivity.run(_split_fabric().design())
    assert finding.code == "T0502" and finding.severity == "error"
    assert finding.message == "fabric `f` falls into 3 pieces that no cable joins"
    assert finding.notes[0] == "a piece of 3 devices: 2 `f.node`, 1 `f.leaf`; for example `node-0-0`"


def test_each_copy_of_a_fabric_is_judged_on_its_own() -> None:
    b = Build()
    node = b.group("rack.node", b.device("host", PortSpec("eth"), role="host"), r=3, n=2)
    leaf = b.group("rack.leaf", b.device("leaf", PortSpec("p", 8), role="switch"), r=3)
    f = b.fabric("rack.f", {"r": 3})
    b.connect(f, b.end(node, "eth"), b.end(leaf, "p"))
    design = b.design()
    assert list(connectivity.run(design)) == []
    (fact,) = facts(design)
    assert (fact.copies, fact.pieces, fact.planes, fact.devices, fact.cables, fact.unwired) == (3, 3, 3, 9, 6, 0)


def test_hosts_join_planes_and_rails() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth", dims={"plane": range(2)}), role="host"), n=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("p", 8), role="switch"), plane=2)
    b.connect(b.fabric("f"), b.end(node, "eth"), b.end(leaf, "p"))
    design = b.design()
    assert list(connectivity.run(design)) == []
    assert (facts(design)[0].pieces, facts(design)[0].planes) == (1, 2)


def test_inner_parts_of_one_device_are_joined() -> None:
    b = Build()
    inner = Build(b.lines)
    nic = inner.group("nic", inner.device("nic", PortSpec("p"), role="nic"), rail=2)
    node = b.group("f.node", b.device("host", inside=inner.inside(), role="host"), n=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("p", 8), role="switch"), rail=2)
    b.connect(b.fabric("f"), b.end(node, "p", [nic]), b.end(leaf, "p"))
    design = b.design()
    assert list(connectivity.run(design)) == [] and facts(design)[0].pieces == 1


def test_devices_without_a_cable_are_counted_and_named() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), n=range(1, 5))
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("p", 8), role="switch"), l=1)
    b.group("f.spare", b.device("leaf", PortSpec("p", 8), role="switch"), l=2)
    b.connect(b.fabric("f"), b.end(node, "eth"), b.end(leaf, "p"), where=[op("<=", "n", 3)])
    node_finding, spare = connectivity.run(b.design())
    assert (node_finding.code, node_finding.severity) == ("T0503", "warning")
    assert node_finding.message == "1 of 4 `f.node` has no cable in `f`" and node_finding.labels[0].text == "for example `node-4`"
    assert spare.message == "2 of 2 `f.spare` have no cable in `f`"


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1).map(Random), st.sampled_from([two_tiers, three_tiers, several_planes]))
def test_pieces_and_planes_are_those_of_networkx(random: Random, make: Callable[[Random], Design]) -> None:
    design = make(random)
    (fact,) = facts(design)
    whole = to_networkx(design)
    wired = [n for n in whole if whole.degree(n)]
    switches = {n for n, d in whole.nodes(data=True) if d["group"] in ("f.leaf", "f.agg", "f.core", "f.spine", "f.sw")}
    assert fact.pieces == nx.number_connected_components(whole.subgraph(wired))
    assert fact.planes == nx.number_connected_components(whole.subgraph(switches & set(wired)))
    assert fact.unwired == len(whole) - len(wired) and fact.cables == whole.number_of_edges()
    assert any(d.code == "T0502" for d in connectivity.run(design)) == (fact.pieces > 1)


# ---------------------------------------------------------------- capacity


def test_capacity_per_tier() -> None:
    leaf, agg, core = capacity(three_tier(pods=2, leaves=4, hosts=3, planes=2, cores=1, core_times=2))
    assert (leaf.element, leaf.tier, leaf.switches) == ("f.leaf", 1, 8)
    assert (leaf.terminals.most, leaf.down.most, leaf.up.most, leaf.oversubscription) == (3, 3, 2, Fraction(3, 2))
    assert (agg.tier, agg.down.least, agg.up.least, agg.oversubscription) == (2, 4, 2, 2)
    assert (core.tier, core.down.most, core.up.most, core.oversubscription) == (3, 4, 0, None)
    assert str(leaf.down_rate[1]) == "1200Gb/s" and str(core.down_rate[0]) == "1600Gb/s"


def test_capacity_shows_the_least_and_the_most() -> None:
    design = two_tier(leaves=2, hosts=3, spines=2, host_holes=op("or", eq("l", 0), op("<", "h", 2)), up_gbps=800)
    leaf, _ = capacity(design)
    assert str(leaf.down) == "2–3" and str(leaf.up) == "2"
    assert leaf.oversubscription == Fraction(3 * 400, 2 * 800)
