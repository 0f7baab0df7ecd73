"""Cuts: sets of switches whose cables to the rest carry less than what their terminals can want of the others."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import attrs
import numpy as np

from topolang.ir.columns import components, weighted
from topolang.ir.graph import FabricGraph
from topolang.ir.grid import IntArray
from topolang.ir.roles import Roles
from topolang.passes.switchnet import Reduced, SwitchNet


@attrs.frozen(eq=False)
class Cut:
    """A set of switches (``members``) in one piece: the rate ``out`` of it, of its terminals (``inside``) and of the piece's others (``rest``), all
    in the graph's unit. A demand of min(inside, rest) can be made of the cables out."""

    members: IntArray
    out: int
    inside: int
    rest: int

    @property
    def wanted(self) -> int:
        """The most that the terminals inside can want of the others."""
        return min(self.inside, self.rest)

    @property
    def throughput(self) -> Fraction:
        """The share of that demand which the cables out carry: an upper bound, blocking where below 1."""
        return Fraction(self.out, self.wanted)


def tightest(net: SwitchNet, families: Iterator[IntArray]) -> Cut | None:
    """Return the cut of least throughput among families of disjoint sets, the first of equals; ``net`` measured in rates.

    A family gives each switch the label of its set, or -1. Returns None if no set holds terminals that have others to talk to.
    """
    best: Cut | None = None
    for label in families:
        found = _tightest(net, label)
        if found is not None and (best is None or found.throughput < best.throughput):
            best = found
    return best


def _tightest(net: SwitchNet, label: IntArray) -> Cut | None:
    inside = np.flatnonzero(label >= 0)
    if not inside.size:
        return None
    key, number = np.unique(net.piece[inside] * (int(label.max()) + 1) + label[inside], return_inverse=True)
    sets = np.full(net.size, -1, dtype=np.int64)
    sets[inside] = number
    demand = weighted(number, net.demand[inside], key.size)
    total = weighted(net.piece, net.demand, net.size)
    piece = np.zeros(key.size, dtype=np.int64)
    piece[number] = net.piece[inside]
    rest = total[piece] - demand
    crossing = sets[net.u] != sets[net.v]
    ends = np.concatenate((sets[net.u[crossing]], sets[net.v[crossing]]))
    weight = np.tile(net.capacity[crossing], 2)
    out = weighted(ends[ends >= 0], weight[ends >= 0], key.size)
    wanted = np.minimum(demand, rest)
    possible = np.flatnonzero(wanted > 0)
    if not possible.size:
        return None
    at = int(possible[np.argmin(out[possible] / wanted[possible])])
    return Cut(np.flatnonzero(sets == at), int(out[at]), int(demand[at]), int(rest[at]))


def families(graph: FabricGraph, known: Roles, reduced: Reduced) -> Iterator[IntArray]:
    """Yield labels of disjoint sets: what hangs together below each tier, single switches, and switches of equal index (or lower half of it)."""
    net = reduced.rates
    tier = known.tier_of(graph)[reduced.vertex]
    for level in range(1, int(tier.max(initial=0))):
        low = (tier > 0) & (tier <= level)
        edges = low[net.u] & low[net.v]
        yield np.where(low, components(net.size, net.u[edges], net.v[edges]), -1)
    yield np.arange(net.size, dtype=np.int64)
    names = sorted({d.name for i in np.unique(net.element).tolist() for d in graph.elements[i].group.dims})
    for name in names:
        position, half = _by_dimension(graph, reduced, name)
        yield position
        yield half


def _by_dimension(graph: FabricGraph, reduced: Reduced, name: str) -> tuple[IntArray, IntArray]:
    """Return each switch's position along a dimension (-1 for those without it), and 0 for those in its lower half."""
    label = np.full(reduced.vertex.size, -1, dtype=np.int64)
    half = label.copy()
    cell = graph.cell(reduced.vertex)
    for i, element in enumerate(graph.elements):
        for axis, dim in enumerate(element.group.dims):
            if dim.name == name:
                mine = np.flatnonzero(reduced.rates.element == i)
                label[mine] = np.unravel_index(cell[mine], element.group.shape)[axis]
                half[mine] = np.where(label[mine] < dim.size // 2, 0, -1)
    return label, half
