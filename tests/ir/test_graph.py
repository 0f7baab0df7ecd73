"""The graph of a fabric, and the law that the symbolic, the expanded and the networkx answer agree."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from ir.build import Build, PortSpec, op
from ir.fabrics import three_tier, two_tier
from ir.random_designs import designs

from topolang.diagnostics import DiagnosticError
from topolang.ir.columns import components
from topolang.ir.counting import cables, degrees, is_symbolic
from topolang.ir.graph import graphs, quotient, to_networkx, vertex_name
from topolang.ir.grid import cells, mask
from topolang.ir.model import Design, DeviceType, End, Group
from topolang.ir.names import display_names, node_names
from topolang.ir.roles import roles
from topolang.ir.tables import link_table, node_table, part_index
from topolang.ir.wiring import wire


def _wired(design: Design) -> bool:
    """Whether every bundle can be wired; a bundle that is counted symbolically has to be."""
    fine = True
    for bundle in design.bundles:
        try:
            wire(bundle)
        except DiagnosticError:
            assert not is_symbolic(bundle)
            fine = False
    return fine


def _port_ranges(device: DeviceType, end: End) -> list[tuple[int, int]]:
    """Return the flattened port ranges of each flat part of an end."""
    count = int(np.prod([p.size for p in end.parts], dtype=np.int64)) if end.parts else 1
    starts = part_index(end, np.arange(count, dtype=np.int64)).tolist()
    return [(s, s + end.device.own_ports) for s in starts]


@settings(max_examples=250)
@given(designs())
def test_symbolic_counts_are_those_of_the_table_and_of_networkx(design: Design) -> None:
    assume(_wired(design))
    table, names = link_table(design), node_names(design)
    drawn = to_networkx(design)
    for bundle in design.bundles:
        event(f"symbolic: {is_symbolic(bundle)}")
        rows = table.rows_of(bundle)
        assert cables(bundle) == wire(bundle).cables == rows.stop - rows.start
        edges = [(u, v, d) for u, v, key, d in drawn.edges(keys=True, data=True) if rows.start <= key < rows.stop]
        assert len(edges) == cables(bundle)
        for end, degree, side in zip((bundle.a, bundle.z), degrees(bundle), ("a", "z"), strict=True):
            _check_degrees(design, bundle.index, end, degree, side)
            # networkx knows devices, so parts are summed
            per_device = degree.reshape(end.group.size, -1).sum(axis=1)[cells(end.group)].tolist()
            counted = Counter(d[side] for _, _, d in edges)
            assert {n: c for n, c in zip(display_names(design, end.group), per_device, strict=True) if c} == counted
            assert degree.reshape(end.group.size, -1)[~mask(end.group).ravel()].sum() == 0
    assert len(names) == len(node_table(design)) == drawn.number_of_nodes()


def _check_degrees(design: Design, bundle: int, end: End, degree: np.ndarray, side: str) -> None:
    """Compare degrees per vertex with the ports in the table."""
    table = link_table(design)
    rows = table.rows_of(design.bundles[bundle])
    node, port = (getattr(table, f"{side}_{c}")[rows] for c in ("node", "port"))
    if (port < 0).any():
        return
    first = node_table(design).first[end.group.index]
    ranges = _port_ranges(end.group.device, end)
    expected = np.zeros(degree.size, dtype=np.int64)
    for rank, cell in enumerate(cells(end.group).tolist()):
        mine = port[node == first + rank]
        for part, (low, high) in enumerate(ranges):
            expected[cell * len(ranges) + part] = int(((mine >= low) & (mine < high)).sum())
    assert degree.tolist() == expected.tolist()


@settings(max_examples=100)
@given(designs())
def test_graph_columns_agree_with_the_table(design: Design) -> None:
    assume(_wired(design))
    (graph,) = graphs(design)
    assert int(graph.count.sum()) == len(link_table(design))
    total = np.zeros(graph.vertices, dtype=np.int64)
    for bundle in design.bundles:
        for end, degree in zip((bundle.a, bundle.z), degrees(bundle), strict=True):
            element = next(e for e in graph.elements if e.key == end.element)
            total[element.base : element.base + element.size] += degree
    assert graph.degree().tolist() == total.tolist()
    counts = {b: d["count"] for _, _, b, d in quotient(design).edges(keys=True, data=True)}
    assert counts == {b.index: cables(b) for b in design.bundles}


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
def test_components_are_those_of_networkx(size: int, edges: list[tuple[int, int]]) -> None:
    edges = [(u % size, v % size) for u, v in edges]
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    u, v = (np.array([e[i] for e in edges], dtype=np.int64) for i in (0, 1))
    expected = {n: min(c) for c in nx.connected_components(graph) for n in c}
    assert components(size, u, v).tolist() == [expected[i] for i in range(size)]


def test_components_of_a_long_path_in_bad_order() -> None:
    order = np.random.default_rng(1).permutation(5000)
    label = components(5000, order[:-1], order[1:])
    assert (label == 0).all()


def test_networkx_view_names_devices_and_ports() -> None:
    design = two_tier(leaves=2, hosts=2, spines=1)
    graph = to_networkx(design, design.fabrics[0])
    assert sorted(graph) == ["leaf-0", "leaf-1", "node-0-0", "node-0-1", "node-1-0", "node-1-1", "spine-0"]
    edge = graph.get_edge_data("node-1-1", "leaf-1")
    ((key, data),) = edge.items()
    assert data["a_port"] == "eth" and data["z_port"] == "down2" and data["rate"] == 400 * 10**9
    assert data["source"].startswith("cluster.topo:") and key == 3
    assert graph.nodes["leaf-1"] == {"group": "f.leaf", "device": "leaf_sw"}


def test_inner_parts_are_elements_of_their_own() -> None:
    b = Build()
    inner = Build(b.lines)
    inner.group("gpu", inner.device("gpu", PortSpec("nvl", 2, 400), role="gpu"), g=4)
    tray = b.group("tray", b.device("tray", inside=inner.inside()), r=2, t=2)
    chips = Build(b.lines)
    chips.group("chip", chips.device("chip", PortSpec("p", 16), role="nvswitch"), c=2)
    box = b.group("box", b.device("box", inside=chips.inside()), r=2)
    f = b.fabric("nvlink", {"r": 2})
    b.connect(f, b.end(tray, "nvl", tray.device.inside.groups), b.end(box, "p", box.device.inside.groups))
    design = b.design()
    (graph,) = graphs(design)
    assert [e.name for e in graph.elements] == ["tray.gpu", "box.chip"]
    assert graph.vertices == 2 * 2 * 4 + 2 * 2
    assert graph.copies == 2 and np.bincount(graph.copy).tolist() == [16, 16]
    assert roles(graph).forwards == (False, True) and roles(graph).tier == (0, 1)
    assert vertex_name(design, graph, 6) == "tray-0-1.gpu2"
    assert sorted(quotient(design).nodes) == ["box.chip", "tray.gpu"]


def test_rates_are_whole_multiples_of_the_unit() -> None:
    design = two_tier(host_gbps=400, up_gbps=800)
    (graph,) = graphs(design)
    assert graph.unit == 400 * 10**9
    assert sorted(set(graph.rate.tolist())) == [1, 2]


def test_tiers_of_a_three_tier_fabric() -> None:
    (graph,) = graphs(three_tier())
    assert [e.name for e in graph.elements] == ["f.node", "f.leaf", "f.agg", "f.core"]
    assert roles(graph).tier == (0, 1, 2, 3)


def _unstated(*, host: PortSpec, leaf_ports: int = 16) -> Design:
    b = Build()
    node = b.group("f.node", b.device("host", host), l=2, h=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("down", leaf_ports), PortSpec("up", leaf_ports)), l=2)
    spine = b.group("f.spine", b.device("spine", PortSpec("down", 2 * leaf_ports)), k=2)
    f = b.fabric("f")
    b.connect(f, b.end(node, host.name), b.end(leaf, "down"))
    b.connect(f, b.end(leaf, "up"), b.end(spine, "down"))
    return b.design()


def test_roles_are_told_from_ports_and_from_up_and_down() -> None:
    (named,) = graphs(_unstated(host=PortSpec("eth", 0, dims={"q": range(1)})))
    assert roles(named).forwards == (False, True, True)
    (pool,) = graphs(_unstated(host=PortSpec("eth", 2)))
    assert roles(pool).forwards == (False, True, True)


def test_roles_stay_open_where_sizes_do_not_tell() -> None:
    (graph,) = graphs(_unstated(host=PortSpec("eth", 30)))
    assert roles(graph).forwards == (None, True, True)
    assert roles(graph).unclear == (0,)


def test_a_server_is_told_by_its_inside() -> None:
    b = Build()
    inner = Build(b.lines)
    inner.group("gpu", inner.device("chip"), g=2)
    node = b.group("f.node", b.device("host", PortSpec("p", 64), inside=inner.inside()), n=2)
    hub = b.group("f.hub", b.device("hub", PortSpec("p", 64), role="switch"))
    b.connect(b.fabric("f"), b.end(node, "p"), b.end(hub, "p"))
    (graph,) = graphs(b.design())
    assert roles(graph).forwards == (False, True)


def test_terminals_above_and_below_a_switch_leave_it_on_the_first_tier() -> None:
    b = Build()
    host = b.group("f.host", b.device("cpu", PortSpec("cxl", 0), role="host"), h=2)
    box = b.group("f.box", b.device("mem", PortSpec("x8", 0), role="memory"), m=2)
    sw = b.group("f.sw", b.device("sw", PortSpec("up", 4), PortSpec("down", 4), role="switch"))
    f = b.fabric("f")
    b.connect(f, b.end(host, "cxl"), b.end(sw, "up"))
    b.connect(f, b.end(sw, "down"), b.end(box, "x8"))
    (graph,) = graphs(b.design())
    assert dict(zip([e.name for e in graph.elements], roles(graph).tier, strict=True)) == {"f.host": 0, "f.sw": 1, "f.box": 0}


def test_a_spine_with_a_terminal_stays_above_its_leaves() -> None:
    b = Build()
    node = b.group("f.node", b.device("host", PortSpec("eth", 0), role="host"), l=2, h=2)
    manager = b.group("f.manager", b.device("manager", PortSpec("eth", 0), role="appliance"), k=2)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("down", 4), PortSpec("up", 4), role="switch"), l=2)
    spine = b.group("f.spine", b.device("spine", PortSpec("down", 4), PortSpec("extra", 1), role="switch"), k=2)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(leaf, "down"))
    b.connect(f, b.end(leaf, "up"), b.end(spine, "down"))
    b.connect(f, b.end(manager, "eth"), b.end(spine, "extra"))
    (graph,) = graphs(b.design())
    assert dict(zip([e.name for e in graph.elements], roles(graph).tier, strict=True))["f.spine"] == 2


def test_devices_without_a_cable_are_in_the_graph_of_their_fabric() -> None:
    b = Build()
    hub = b.device("hub", PortSpec("p", 8), role="switch")
    b.group("f.spare", hub, k=3)
    b.fabric("f")
    (graph,) = graphs(b.design())
    assert [e.name for e in graph.elements] == ["f.spare"] and graph.vertices == 3


@pytest.mark.parametrize("ports", ["p", "q"])
def test_a_loop_is_refused_whichever_ports_it_takes(ports: str) -> None:
    b = Build()
    ring: Group = b.group("f.chip", b.device("chip", PortSpec("p"), PortSpec("q")), x=1)
    bundle = b.connect(b.fabric("f"), b.end(ring, "p"), b.end(ring, ports, bind={"x": op("mod", op("+", "x", 1), 1)}))
    with pytest.raises(DiagnosticError, match="T0408"):
        wire(bundle)
