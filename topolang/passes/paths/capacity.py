"""Capacity per tier: how many cables and how much bandwidth each kind of switch has downwards and upwards."""

from __future__ import annotations

from fractions import Fraction

import attrs
import numpy as np

from topolang.ir.columns import weighted
from topolang.ir.graph import Element, FabricGraph, graphs
from topolang.ir.grid import BoolArray, IntArray
from topolang.ir.memo import once_per_object
from topolang.ir.model import Design, Fabric
from topolang.ir.roles import Roles, roles
from topolang.units import Quantity


@attrs.frozen
class MinMax:
    """The least and the greatest value over the instances of an element."""

    least: int
    most: int

    def __str__(self) -> str:
        """Return one number where both agree."""
        return f"{self.least:,}" if self.least == self.most else f"{self.least:,}–{self.most:,}"


@attrs.frozen
class CapacityRow:
    """One kind of switch in one fabric.

    Cables and bandwidth (bit/s per direction) are per switch: ``down`` to lower tiers and terminals, ``up`` to higher tiers, ``peer`` inside the
    tier. ``terminals`` are cables to terminals. ``oversubscription`` is the worst ratio of bandwidth down to bandwidth up of any one switch with
    cables down and up, None on the top tier.
    """

    fabric: Fabric
    element: str
    tier: int
    switches: int
    terminals: MinMax
    down: MinMax
    up: MinMax
    peer: MinMax
    down_rate: tuple[Quantity, Quantity]
    up_rate: tuple[Quantity, Quantity]
    oversubscription: Fraction | None


@attrs.frozen(eq=False)
class _Sums:
    """Per vertex: cables and bandwidth (in the graph's unit) down and up, and cables to peers and terminals."""

    down: IntArray
    up: IntArray
    peer: IntArray
    terminals: IntArray
    down_rate: IntArray
    up_rate: IntArray


def _sums(graph: FabricGraph, known: Roles) -> _Sums:
    tier = known.tier_of(graph)
    own, other = np.concatenate((graph.u, graph.v)), np.concatenate((graph.v, graph.u))
    count = np.tile(graph.count, 2)
    rate = np.tile(graph.count * graph.rate, 2)
    lower, higher, same = tier[other] < tier[own], tier[other] > tier[own], tier[other] == tier[own]

    def total(which: BoolArray, weight: IntArray) -> IntArray:
        return weighted(own[which], weight[which], graph.vertices)

    return _Sums(
        total(lower, count), total(higher, count), total(same, count), total(tier[other] == 0, count), total(lower, rate), total(higher, rate)
    )


def _range(values: IntArray) -> MinMax:
    return MinMax(int(values.min()), int(values.max())) if values.size else MinMax(0, 0)


def _row(graph: FabricGraph, element: Element, tier: int, sums: _Sums) -> CapacityRow:
    at = element.base + np.flatnonzero(element.present())
    down, up = sums.down_rate[at], sums.up_rate[at]
    both = (down > 0) & (up > 0)
    ratios = np.unique(np.stack((down[both], up[both])), axis=1).T.tolist()
    worst = max((Fraction(d, u) for d, u in ratios), default=None)

    def rates(values: IntArray) -> tuple[Quantity, Quantity]:
        span = _range(values)
        return Quantity(span.least * graph.unit, "rate"), Quantity(span.most * graph.unit, "rate")

    terminals, lower, higher, peers = (_range(column[at]) for column in (sums.terminals, sums.down, sums.up, sums.peer))
    return CapacityRow(graph.fabric, element.name, tier, int(at.size), terminals, lower, higher, peers, rates(down), rates(up), worst)


@once_per_object
def capacity(design: Design) -> tuple[CapacityRow, ...]:
    """Return a row per fabric and kind of switch, tiers rising; switches that no terminal reaches have tier -1."""
    rows = []
    for graph in graphs(design):
        known = roles(graph)
        sums = _sums(graph, known)
        switches = [i for i, forwards in enumerate(known.forwards) if forwards]
        rows += [_row(graph, graph.elements[i], known.tier[i], sums) for i in sorted(switches, key=lambda i: (known.tier[i], i))]
    return tuple(rows)
