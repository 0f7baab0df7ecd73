"""Connected components: right, and in few rounds on graphs that are hard for label propagation."""

from __future__ import annotations

import time

import networkx as nx
import numpy as np
import pytest

from topolang.ir.columns import components


@pytest.mark.parametrize("seed", range(20))
def test_components_are_those_of_networkx(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, edges = int(rng.integers(1, 60)), int(rng.integers(0, 60))
    u, v = rng.integers(0, size, edges), rng.integers(0, size, edges)
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(zip(u.tolist(), v.tolist(), strict=True))
    expected = {vertex: min(part) for part in nx.connected_components(graph) for vertex in part}
    assert components(size, u, v).tolist() == [expected[vertex] for vertex in range(size)]


def test_dense_and_long_graphs_take_no_time() -> None:
    size = 1200
    left, right = np.divmod(np.arange(size * size, dtype=np.int64), size)
    mesh = (left != right) & ((left * right) % 5 < 4)
    path = np.arange(200_000, dtype=np.int64)
    start = time.perf_counter()
    assert components(2 * size, left[mesh], right[mesh] + size)[:size].max() == 0
    assert components(path.size, path[:-1], path[1:]).max() == 0
    assert time.perf_counter() - start < 5
