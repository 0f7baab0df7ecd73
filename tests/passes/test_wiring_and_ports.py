"""Wiring and the port budget: pools, double use, cages, inner ports."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from ir.build import Build, PortSpec, eq, op
from ir.fabrics import train, two_tier
from ir.random_designs import designs

from topolang.diagnostics import Diagnostic, DiagnosticError
from topolang.ir.limits import clos_hosts
from topolang.ir.model import Design
from topolang.ir.tables import link_table
from topolang.ir.wiring import wire
from topolang.passes import ports, wiring


def found(design: Design) -> list[Diagnostic]:
    return [*wiring.run(design), *ports.run(design)]


def codes(design: Design) -> list[str]:
    return [d.code for d in found(design)]


def hub(build: Build, ports: int = 8, name: str = "hub"):
    return build.device(name, PortSpec("p", ports), role="switch")


def test_a_clean_fabric_has_no_findings() -> None:
    assert codes(two_tier(leaves=3, hosts=3, spines=3)) == []


def test_pool_too_small_names_both_numbers_the_declaration_and_the_limits_of_clos() -> None:
    b = Build()
    leaf = b.group("f.leaf", hub(b, 64), l=40)
    spine = b.group("f.spine", hub(b, 64), k=4)
    b.connect(b.fabric("f"), b.end(leaf, "p"), b.end(spine, "p"), 2)
    (finding,) = found(b.design())
    assert finding.code == "T0404" and finding.severity == "error"
    assert finding.message == "each `spine.p` needs 80 ports for this `connect`, but has 64 ports"
    assert finding.labels[0].text == "80 needed, 64 there" and finding.labels[0].span.text == "connect leaf.p -- spine.p"
    assert finding.labels[1].span.text == "port p = 400Gb/s"
    assert "2,048 hosts in two tiers and 65,536 in three" in finding.notes[1]


@pytest.mark.parametrize(("ports", "two", "three"), [(32, 512, 8192), (36, 648, 11_664), (64, 2048, 65_536), (128, 8192, 524_288)])
def test_limits_of_clos(ports: int, two: int, three: int) -> None:
    assert (clos_hosts(ports, 2), clos_hosts(ports, 3)) == (two, three)


def test_a_named_port_with_two_partners_asks_for_a_shared_dimension() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("hca", dims={"rail": range(2)}), role="host"), n=2)
    leaf = b.group("f.leaf", hub(b, 64), s=3, rail=2)
    b.connect(b.fabric("f"), b.end(node, "hca"), b.end(leaf, "p"))
    (finding,) = found(b.design())
    assert finding.code == "T0404" and "each `node.hca` needs 3 ports" in finding.message
    assert any("share a dimension" in h for h in finding.help)


def test_a_port_used_by_two_statements() -> None:
    b = Build()
    one = b.group("f.one", b.device("host", PortSpec("eth"), role="host"), n=3)
    two = b.group("f.two", b.device("box", PortSpec("eth"), role="host"), m=2)
    leaf = b.group("f.leaf", hub(b), l=1)
    f = b.fabric("f")
    b.connect(f, b.end(one, "eth"), b.end(leaf, "p"))
    b.connect(f, b.end(two, "eth"), b.end(leaf, "p", picks=[2, 3]))
    (finding,) = found(b.design())
    assert finding.code == "T0406"
    assert finding.message == "1 port of `leaf.p` is used twice"
    assert [label.span.text for label in finding.labels] == ["connect two.eth -- leaf.p", "connect one.eth -- leaf.p", "port p = 400Gb/s"]
    assert finding.notes == ("for example `leaf-0` port p3: cabled to `one-2` port eth and to `two-0` port eth",)


def test_the_same_cables_twice_are_parallel_cables() -> None:
    b = Build()
    leaf, spine = b.group("f.leaf", hub(b), l=2), b.group("f.spine", hub(b), k=2)
    f = b.fabric("f")
    for _ in range(2):
        b.connect(f, b.end(leaf, "p"), b.end(spine, "p"))
    (finding,) = found(b.design())
    assert finding.code == "T0407" and "the same 4 cables" in finding.message
    assert any("`times 2`" in h for h in finding.help)


def test_both_orders_of_a_pair_in_one_statement() -> None:
    b = Build()
    ring = b.group("f.router", hub(b), r=3)
    b.connect(b.fabric("f"), b.end(ring, "p"), b.end(ring, "p", bind={"r": "r2"}), where=[op("!=", "r", "r2")])
    (first, *_) = found(b.design())
    assert first.code == "T0406" and any("r < r2" in h for h in first.help)


def test_a_cage_used_whole_and_split() -> None:
    b = Build()
    leaf = b.group("f.leaf", b.device("qm", PortSpec("osfp", 4, 800, split=(2, "p")), role="switch"), l=2)
    fast = b.group("f.fast", b.device("fast", PortSpec("eth", 0, 800), role="host"), l=2)
    slow = b.group("f.slow", b.device("slow", PortSpec("eth", 0, 400), role="host"), l=2, n=3)
    f = b.fabric("f")
    b.connect(f, b.end(fast, "eth"), b.end(leaf, "osfp", picks=[1]))
    b.connect(f, b.end(slow, "eth"), b.end(leaf, "p"))
    (finding,) = found(b.design())
    assert finding.code == "T0409" and finding.message == "2 cages of `leaf.osfp` are used whole and split"
    assert finding.notes == ("for example `leaf-0` port osfp2 and `leaf-0` port p3",)


def test_split_ports_of_one_cage_are_no_conflict() -> None:
    b = Build()
    leaf = b.group("f.leaf", b.device("qm", PortSpec("osfp", 4, 800, split=(2, "p")), role="switch"), l=2)
    slow = b.group("f.slow", b.device("slow", PortSpec("eth", 0, 400), role="host"), l=2, n=8)
    b.connect(b.fabric("f"), b.end(slow, "eth"), b.end(leaf, "p"))
    assert codes(b.design()) == []


def _server(build: Build, *, gpu_ports: int = 2):
    """Return a server whose two GPUs are joined by one of their ports each."""
    inner = Build(build.lines)
    gpu = inner.group("gpu", inner.device("gpu", PortSpec("nvl", gpu_ports), role="gpu"), g=2)
    inner.connect(inner.fabric("nv"), inner.end(gpu, "nvl"), inner.end(gpu, "nvl", bind={"g": "h"}), where=[op("<", "g", "h")])
    return build.device("server", inside=inner.inside(), role="host"), gpu


def test_an_inner_port_taken_inside_and_outside() -> None:
    b = Build()
    server, gpu = _server(b)
    node, box = b.group("f.node", server, n=2), b.group("f.box", hub(b, 16), j=1)
    b.connect(b.fabric("f"), b.end(node, "nvl", [gpu], picks=[0]), b.end(box, "p"))
    (finding,) = found(b.design())
    assert finding.code == "T0406" and "used inside `server` too" in finding.message
    assert finding.notes == ("for example port gpu1.nvl1",)


def test_other_ports_of_an_inner_part_are_free() -> None:
    b = Build()
    server, gpu = _server(b, gpu_ports=3)
    node, box = b.group("f.node", server, n=2), b.group("f.box", hub(b, 16), j=1)
    b.connect(b.fabric("f"), b.end(node, "nvl", [gpu], picks=[2]), b.end(box, "p"))
    assert codes(b.design()) == []


def test_pools_inside_a_device_are_compared_once_per_type() -> None:
    b = Build()
    server, _ = _server(b, gpu_ports=1)
    inner = server.inside.bundles[0]
    assert wire(inner).cables == 1
    b.group("f.node", server, n=5)
    b.group("f.other", server, n=5)
    assert codes(b.design()) == []


def test_a_connect_that_joins_nothing() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), n=range(1, 4))
    leaf = b.group("f.leaf", hub(b), l=1)
    b.connect(b.fabric("f"), b.end(node, "eth"), b.end(leaf, "p"), where=[eq("n", 9)])
    (finding,) = found(b.design())
    assert (finding.code, finding.severity) == ("T0310", "error") and "its conditions hold for no index" in finding.message


def test_a_connect_switched_off_by_a_parameter_is_silent() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), n=3)
    leaf = b.group("f.leaf", hub(b), l=1)
    b.connect(b.fabric("f"), b.end(node, "eth"), b.end(leaf, "p"), where=[op("<", 2, 1)])
    assert codes(b.design()) == []


def test_a_connect_of_a_group_without_devices_is_a_warning() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), op("<", "n", 0), n=3)
    leaf = b.group("f.leaf", hub(b), l=1)
    b.connect(b.fabric("f"), b.end(node, "eth"), b.end(leaf, "p"))
    (finding,) = found(b.design())
    assert (finding.code, finding.severity) == ("T0310", "warning") and "no `f.node` exists" in finding.message


def test_ports_that_fill_leaves_over_are_named() -> None:
    b = Build()
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("up", 4), role="switch"), l=3)
    spine = b.group("f.spine", hub(b, 8), k=2)
    f = b.fabric("f")
    b.connect(f, b.end(leaf, "up"), b.end(spine, "p"), "fill")
    (finding,) = found(b.design())
    assert (finding.code, finding.severity) == ("T0405", "warning")
    assert finding.message == "`fill` leaves 2 of 8 ports of every `spine.p` free" and finding.labels[0].text == "`p[7..8]` unused"
    extra = b.group("f.extra", b.device("box", PortSpec("eth"), role="appliance"), k=2)
    b.connect(f, b.end(extra, "eth"), b.end(spine, "p", picks=[7]))
    assert codes(b.design()) == []


def test_a_fault_in_one_statement_does_not_hide_the_pools_of_others() -> None:
    b = Build()
    leaf, spine = b.group("f.leaf", hub(b, 5), l=2), b.group("f.spine", hub(b, 2), k=3)
    f = b.fabric("f")
    b.connect(f, b.end(leaf, "p"), b.end(spine, "p"), "fill")
    b.connect(f, b.end(leaf, "p"), b.end(spine, "p"), 2)
    assert sorted(codes(b.design())) == ["T0401", "T0404", "T0404"]


@settings(max_examples=150)
@given(designs())
def test_findings_about_ports_are_those_of_counting_every_cable(design: Design) -> None:
    try:
        for bundle in design.bundles:
            wire(bundle)
    except DiagnosticError:
        assume(False)
    table = link_table(design)
    use: Counter[tuple[int, int]] = Counter()
    exhausted = False
    for link in table:
        for node, port in ((link.a_node, link.a_port), (link.z_node, link.z_port)):
            exhausted |= port < 0
            use[node, port] += port >= 0
    found_codes = {d.code for d in ports.run(design)}
    assert ("T0404" in found_codes) == exhausted
    assert bool(found_codes & {"T0406", "T0407"}) == (max(use.values(), default=0) > 1)


def test_overbuilt_train_is_an_error_with_the_limit_of_its_switches() -> None:
    design = train(gpus=131_072, pods=33)
    finding = next(d for d in found(design) if d.severity == "error")
    assert finding.code == "T0404" and "each `core.down` needs 132 ports" in finding.message
    assert "524,288 in three" in finding.notes[1]
