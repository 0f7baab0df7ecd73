"""Verdicts of ``nonblocking`` in words and numbers."""

from __future__ import annotations

import pytest
from ir.build import Build, PortSpec, eq, op
from ir.fabrics import three_tier, train, two_tier

from topolang.ir.model import Design
from topolang.passes.model import Verdict
from topolang.passes.throughput.nonblocking import nonblocking


def verdict(design: Design) -> Verdict:
    return nonblocking(design, design.fabrics[0])


def test_two_tiers_are_proved_with_the_numbers_of_each_tier() -> None:
    v = verdict(two_tier(leaves=4, hosts=4, spines=2, times=2))
    assert v.status == "proved" and v.reason == "rearrangeably non-blocking in 2 tiers: 4 slots upwards for at most 4 terminals of a switch"
    assert v.certificate[0] == "16 terminal ports of at most 400Gb/s, each switch taken as a crossbar"
    assert v.certificate[1] == ("tier 1: 4 `f.leaf`, at most 4 terminal ports each; 2 single switches above have room for 4 from every one: 4 >= 4")


def test_an_oversubscribed_leaf_is_refuted_with_cables_and_source_lines() -> None:
    v = verdict(two_tier(leaves=3, hosts=8, spines=7))
    assert v.status == "refuted"
    assert v.reason == "8 x 400Gb/s down against 7 x 400Gb/s up at `leaf-0`, ratio 1.14:1"
    assert [(span.text, text) for span, text in v.places] == [
        ("connect node.eth -- leaf.down", "8 x 400Gb/s down"),
        ("connect leaf.up -- spine.down", "7 x 400Gb/s up"),
    ]


def test_the_tightest_tier_is_the_one_that_is_shown() -> None:
    v = verdict(three_tier(pods=3, leaves=4, hosts=4, planes=4, cores=3))
    assert v.status == "refuted" and v.reason.startswith("16 x 400Gb/s down against 12 x 400Gb/s up at 8 switches (`leaf-0-0` to `agg-0-3`)")


def test_what_the_others_can_want_limits_a_cut() -> None:
    # one full leaf and a small one: only two ports can be wanted of the large leaf's six
    lonely = op("or", eq("l", 0), op("<", "h", 2))
    v = verdict(two_tier(leaves=2, hosts=6, spines=2, host_holes=lonely))
    assert v.status == "proved" and "2 slots upwards for at most 2 terminals" in v.reason
    v = verdict(two_tier(leaves=2, hosts=6, spines=1, host_holes=lonely))
    assert v.status == "refuted" and v.certificate[-1] == "the others can want 800Gb/s of these terminals, and no more"


def test_faster_uplinks_count_as_several_slots() -> None:
    assert verdict(two_tier(leaves=3, hosts=4, spines=2, up_gbps=800)).status == "proved"
    assert verdict(two_tier(leaves=3, hosts=5, spines=2, up_gbps=800)).status == "refuted"


def test_slower_uplinks_need_traffic_to_be_spread() -> None:
    v = verdict(two_tier(leaves=3, hosts=2, spines=4, host_gbps=400, up_gbps=200))
    assert v.status == "proved" and v.reason == "non-blocking where traffic is spread over all paths"
    assert any("packet spraying" in line for line in v.certificate)


def test_leaves_without_hosts_do_not_tie_the_planes_together() -> None:
    # the last pod is empty but for one leaf
    v = verdict(three_tier(pods=3, leaves=2, hosts=2, planes=2, cores=1, core_times=2, host_holes=op("or", op("<", "pod", 2), eq("l", 0))))
    assert v.status == "proved"


def test_single_switches_and_separate_rails_are_proved_on_their_own() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("hca", dims={"rail": range(4)}), role="host"), n=6)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("p", 8), role="switch"), rail=4)
    b.connect(b.fabric("f"), b.end(node, "hca"), b.end(leaf, "p"))
    v = verdict(b.design())
    assert v.status == "proved" and v.reason.startswith("each of 4 switches (`f.leaf`) carries the traffic of its terminals alone")


def test_planes_that_never_meet_are_counted() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth", dims={"plane": range(2)}), role="host"), l=2, n=3)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("d", 8), PortSpec("u", 8), role="switch"), plane=2, l=2)
    spine = b.group("f.spine", b.device("spine", PortSpec("d", 8), role="switch"), plane=2, k=3)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(leaf, "d"))
    b.connect(f, b.end(leaf, "u"), b.end(spine, "d"))
    v = verdict(b.design())
    assert v.status == "proved" and v.reason.endswith("; its 2 separate planes or rails are proved each on its own")


def test_four_tiers_are_proved_the_same_way() -> None:
    b = Build()
    host = b.device("host", PortSpec("eth"), role="host")
    sw = b.device("sw", PortSpec("d", 16), PortSpec("u", 16), role="switch")
    node = b.group("f.node", host, q=2, p=2, l=2, h=2)
    one, two = b.group("f.t1", sw, q=2, p=2, l=2), b.group("f.t2", sw, q=2, p=2, a=2)
    three, four = b.group("f.t3", sw, q=2, a=2, c=2), b.group("f.t4", sw, a=2, c=2, e=2)
    f = b.fabric("f")
    for low, ports, high in ((node, "eth", one), (one, "u", two), (two, "u", three), (three, "u", four)):
        b.connect(f, b.end(low, ports), b.end(high, "d"))
    v = verdict(b.design())
    assert v.status == "proved" and "in 4 tiers" in v.reason and len(v.certificate) == 5


def test_a_ring_of_switches_is_refuted_or_open() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), s=6, h=3)
    sw = b.group("f.sw", b.device("sw", PortSpec("d", 4), PortSpec("e"), PortSpec("w"), role="switch"), s=6)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(sw, "d"))
    b.connect(f, b.end(sw, "e"), b.end(sw, "w", bind={"s": op("mod", op("+", "s", 1), 6)}))
    v = verdict(b.design())
    assert v.status == "refuted" and "9 x 400Gb/s down against 2 x 400Gb/s up at 3 switches" in v.reason


def test_terminals_on_leaf_and_spine_are_open_with_bounds() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), l=2, h=2)
    box = b.group("f.box", b.device("box", PortSpec("eth"), role="appliance"), k=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("d", 4), PortSpec("u", 4), role="switch"), l=2)
    spine = b.group("f.spine", b.device("spine", PortSpec("d", 8), PortSpec("x", 1), role="switch"), k=2)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(leaf, "d"))
    b.connect(f, b.end(leaf, "u"), b.end(spine, "d"))
    b.connect(f, b.end(box, "eth"), b.end(spine, "x"))
    v = verdict(b.design())
    assert v.status == "open" and v.certificate[0] == "between 0 and 1 of the full rate for the worst demand"


def test_an_unstated_role_is_open_with_the_advice_to_state_it() -> None:
    b = Build()
    one, two = b.group("f.one", b.device("one", PortSpec("p", 8)), n=2), b.group("f.two", b.device("two", PortSpec("p", 8)), m=2)
    b.connect(b.fabric("f"), b.end(one, "p"), b.end(two, "p"))
    v = verdict(b.design())
    assert v.status == "open" and "state `role`" in v.reason and [span.text for span, _ in v.places] == ["device one", "device two"]


def test_terminals_joined_past_the_switches_are_open() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth"), PortSpec("x", 4), role="host"), n=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("p", 8), role="switch"), l=1)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(leaf, "p"))
    b.connect(f, b.end(node, "x"), b.end(node, "x", bind={"n": "m"}), where=[op("<", "n", "m")])
    assert verdict(b.design()).status == "open"


@pytest.mark.parametrize(("n", "status"), [(2, "proved"), (3, "open")])
def test_fabrics_without_switches(n: int, status: str) -> None:
    b = Build()
    gpu = b.group("f.gpu", b.device("gpu", PortSpec("nvl", 8), role="gpu"), g=n)
    b.connect(b.fabric("f"), b.end(gpu, "nvl"), b.end(gpu, "nvl", bind={"g": "h"}), 2, [op("<", "g", "h")])
    assert verdict(b.design()).status == status


def test_a_fabric_without_terminals_or_cables_is_open() -> None:
    b = Build()
    sw = b.device("sw", PortSpec("p", 8), role="switch")
    one, two = b.group("f.one", sw, n=2), b.group("f.two", sw, m=2)
    f = b.fabric("f")
    assert verdict(b.design()).reason == "the fabric has no cables"
    b.connect(f, b.end(one, "p"), b.end(two, "p"))
    assert verdict(b.design()).status == "open"


def test_a_hundred_thousand_gpus_in_three_tiers() -> None:
    v = verdict(train())
    assert v.status == "proved" and "100,000 terminal ports" in v.certificate[0]
    assert "1,568 `be.leaf`" in v.certificate[1] and "64 planes above" in v.certificate[1]
    assert "16 single switches above" in v.certificate[2]


def test_fewer_planes_are_refuted_at_the_leaf() -> None:
    v = verdict(train(planes=56))
    assert v.status == "refuted" and v.reason == "64 x 400Gb/s down against 56 x 400Gb/s up at `leaf-1-1-0`, ratio 1.14:1"


def test_thirteen_cores_spread_keep_it_non_blocking() -> None:
    assert verdict(train(cores=13, spread=True)).status == "proved"
