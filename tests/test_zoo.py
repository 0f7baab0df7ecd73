"""The zoo's programs say what its graphs say."""

from __future__ import annotations

import networkx as nx
import pytest
import zoo
from support import cables


@pytest.mark.parametrize("net", zoo.zoo(), ids=lambda net: net.name)
def test_every_net_compiles_to_its_cables(net: zoo.Net) -> None:
    assert len(cables(net.design())) == sum(count for _, _, count in net.graph().edges(data="count"))


def test_published_sizes() -> None:
    fly = zoo.slim_fly().graph().subgraph(zoo.slim_fly().switches)
    assert fly.number_of_nodes() == 50 and {d for _, d in fly.degree} == {7} and nx.diameter(fly) == 2
    dragon = zoo.dragonfly(4, 2).graph().subgraph(zoo.dragonfly(4, 2).switches)
    assert dragon.number_of_nodes() == 36 and {d for _, d in dragon.degree} == {5} and nx.diameter(dragon) == 3
    assert len(zoo.fat_tree(4).homes) == 4**3 // 4 and nx.diameter(zoo.fat_tree(4).graph()) == 6
