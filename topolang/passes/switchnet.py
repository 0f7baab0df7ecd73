"""A fabric reduced to its switches: capacities between them and the terminals that each one serves."""

from __future__ import annotations

import attrs
import numpy as np

from topolang.ir.columns import components, weighted
from topolang.ir.graph import FabricGraph
from topolang.ir.grid import BoolArray, IntArray
from topolang.ir.roles import Roles


@attrs.frozen(eq=False)
class SwitchNet:
    """Switches numbered without gaps, and pairs of switches ``u`` < ``v`` (each once) with their capacity per direction.

    ``element`` is each switch's kind. ``demand`` is what its terminals send or receive, ``piece`` the label of the connected piece of switches.
    Capacities and demands are whole numbers of one unit (slots or a rate); a terminal's cable never exceeds one unit of slots.
    """

    element: IntArray
    piece: IntArray
    u: IntArray
    v: IntArray
    capacity: IntArray
    demand: IntArray

    @property
    def size(self) -> int:
        """The number of switches."""
        return int(self.element.size)


@attrs.frozen(eq=False)
class Reduced:
    """A fabric's switches measured twice: in ``slots`` (cables of the fastest terminal's rate, rounded down) and in ``rates`` (multiples of
    the graph's unit). ``vertex`` is the graph's vertex of each switch, ``slot`` the rate of a slot in the graph's unit."""

    vertex: IntArray
    slots: SwitchNet
    rates: SwitchNet
    slot: int

    def number(self, vertices: int) -> IntArray:
        """Return the switch of each of the graph's vertices, -1 for others."""
        result = np.full(vertices, -1, dtype=np.int64)
        result[self.vertex] = np.arange(self.vertex.size, dtype=np.int64)
        return result


@attrs.frozen(eq=False)
class _Ends:
    """Rows of the graph that join a terminal to a switch: the switch, cables, and rate per cable."""

    switch: IntArray
    count: IntArray
    rate: IntArray


def _terminal_rows(graph: FabricGraph, switch: BoolArray, number: IntArray) -> _Ends:
    at_u, at_v = switch[graph.u] & ~switch[graph.v], switch[graph.v] & ~switch[graph.u]
    rows = at_u | at_v
    end = np.where(at_u, graph.u, graph.v)[rows]
    return _Ends(number[end], graph.count[rows], graph.rate[rows])


def _merged(u: IntArray, v: IntArray, capacity: IntArray, size: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return each pair of a capacity above 0 once, the smaller number first, with summed capacity."""
    u, v, capacity = u[capacity > 0], v[capacity > 0], capacity[capacity > 0]
    key, inverse = np.unique(np.minimum(u, v) * size + np.maximum(u, v), return_inverse=True)
    return key // size, key % size, weighted(inverse, capacity, key.size)


def reduce(graph: FabricGraph, known: Roles) -> Reduced:
    """Return the switches of a fabric that have a cable."""
    switch = known.switch_mask(graph)
    wired = np.zeros(graph.vertices, dtype=np.bool_)
    wired[graph.u] = True
    wired[graph.v] = True
    vertex = np.flatnonzero(switch & wired)
    number = np.full(graph.vertices, -1, dtype=np.int64)
    number[vertex] = np.arange(vertex.size, dtype=np.int64)
    ends = _terminal_rows(graph, switch, number)
    slot = int(ends.rate.max(initial=1))
    inner = switch[graph.u] & switch[graph.v] & (graph.u != graph.v)
    u, v, count, rate = number[graph.u[inner]], number[graph.v[inner]], graph.count[inner], graph.rate[inner]
    piece = components(vertex.size, u, v)
    element = graph.element[vertex]

    def net(capacity: IntArray, demand: IntArray) -> SwitchNet:
        low, high, total = _merged(u, v, capacity, max(vertex.size, 1))
        return SwitchNet(element, piece, low, high, total, weighted(ends.switch, demand, vertex.size))

    return Reduced(vertex, net(count * (rate // slot), ends.count), net(count * rate, ends.count * ends.rate), slot)
