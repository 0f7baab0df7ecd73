"""What is called proved carries every permutation tried, and what is called refuted has a demand that it cannot carry."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from ir.fabrics import three_tier
from passes.oracle import Network
from passes.random_fabrics import meshes, mixed_rates, several_planes, three_tiers, two_tiers

from topolang.ir.graph import graphs, vertex_name
from topolang.ir.model import Design
from topolang.ir.roles import roles
from topolang.passes.switchnet import reduce
from topolang.passes.throughput.clos import by_shares, by_slots
from topolang.passes.throughput.cuts import families, tightest
from topolang.passes.throughput.nonblocking import nonblocking


def _check(design: Design, permutations: int) -> None:
    verdict = nonblocking(design, design.fabrics[0])
    event(verdict.status)
    network = Network(design)
    tried = network.permutations(permutations, 7)
    if verdict.status == "proved":
        for demand in tried:
            assert network.throughput(demand) >= 1 - 1e-6, (verdict, demand)
        for switch in network.switches:
            assert network.throughput(network.across({switch})) >= 1 - 1e-6
    elif verdict.status == "refuted":
        graph = graphs(design)[0]
        reduced = reduce(graph, roles(graph))
        cut = tightest(reduced.rates, families(graph, roles(graph), reduced))
        assert cut is not None
        inside = {vertex_name(design, graph, v) for v in reduced.vertex[cut.members].tolist()}
        leaving = sum(c for (u, v), c in network.capacity.items() if u in inside and v not in inside)
        assert leaving * 400 * 10**9 == cut.out * graph.unit
        assert network.throughput(network.across(inside)) <= float(cut.throughput) + 1e-6 < 1


SEEDS = st.integers(0, 2**32 - 1).map(Random)
EVERY = [two_tiers, three_tiers, meshes, several_planes, mixed_rates]


@pytest.mark.parametrize("make", EVERY)
@settings(max_examples=80)
@given(SEEDS)
def test_verdicts_agree_with_linear_programming(make: Callable[[Random], Design], random: Random) -> None:
    _check(make(random), 4)


@pytest.mark.parametrize("make", [two_tiers, three_tiers])
@settings(max_examples=60)
@given(SEEDS)
def test_a_proof_by_slots_routes_every_connection_on_one_path(make: Callable[[Random], Design], random: Random) -> None:
    design = make(random)
    graph = graphs(design)[0]
    reduced = reduce(graph, roles(graph))
    busy = reduced.slots.demand > 0
    for whole_elements in (True, False):
        carried = by_slots(reduced.slots, whole_elements)
        if not carried[reduced.slots.piece[busy]].all():
            continue
        network = Network(design)
        scale = 400 * 10**9 / float(graph.unit) / reduced.slot
        # a slot is the rate of the fastest terminal: cables that carry less than one carry none
        network.capacity.update({a: np.floor(c * scale + 1e-9) - c for a, c in network.capacity.items()})
        network.ports = [(s, 1.0) for s, _ in network.ports]
        for demand in network.permutations(3, 11):
            assert network.routes_whole(demand)


@pytest.mark.parametrize("make", EVERY)
@settings(max_examples=40)
@given(SEEDS)
def test_shares_are_a_lower_bound_of_the_throughput(make: Callable[[Random], Design], random: Random) -> None:
    design = make(random)
    graph = graphs(design)[0]
    reduced = reduce(graph, roles(graph))
    if not reduced.rates.demand.any():
        return
    pieces = np.unique(reduced.rates.piece[reduced.rates.demand > 0]).tolist()
    lower = max(min(by_shares(reduced.rates, w)[p] for p in pieces) for w in (True, False))
    event(f"bound {'1' if lower == 1 else 'below 1' if lower else '0'}")
    network = Network(design)
    for demand in network.permutations(3, 5):
        assert network.throughput(demand) >= float(lower) - 1e-6


@pytest.mark.parametrize("k", [4, 6])
def test_a_fat_tree_of_k_ports_serves_a_quarter_of_k_cubed_hosts(k: int) -> None:
    half = k // 2
    design = three_tier(pods=k, leaves=half, hosts=half, planes=half, cores=half)
    verdict = nonblocking(design, design.fabrics[0])
    assert verdict.status == "proved", verdict
    assert f"{k**3 // 4:,} terminal ports" in verdict.certificate[0]
    if k == 4:
        network = Network(design)
        assert all(network.throughput(d) >= 1 - 1e-6 for d in network.permutations(4, 3))
