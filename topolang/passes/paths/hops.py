"""``hops(fabric)``: the most switches on a shortest path between two terminal ports."""

from __future__ import annotations

from typing import Final

import attrs
import numpy as np

from topolang.ir.graph import graphs
from topolang.ir.grid import BoolArray, IntArray
from topolang.ir.model import Design, Fabric
from topolang.ir.roles import roles
from topolang.passes.outcome import Outcome, unknown
from topolang.passes.switchnet import SwitchNet, reduce

# searches × pairs of switches that are still done; a second or two
_LIMIT: Final = 3 * 10**8
# steps from one ring of switches to the next in all searches together
_STEPS: Final = 2 * 10**5


@attrs.frozen(eq=False)
class _Neighbours:
    """Neighbours of each switch, sorted, in compressed rows."""

    start: IntArray
    other: IntArray

    def of(self, switches: IntArray) -> IntArray:
        """Return the neighbours of several switches, concatenated."""
        lengths = self.start[switches + 1] - self.start[switches]
        ends = np.cumsum(lengths)
        offsets = np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(ends - lengths, lengths)
        found: IntArray = self.other[np.repeat(self.start[switches], lengths) + offsets]
        return found


def _neighbours(net: SwitchNet) -> _Neighbours:
    own, other = np.concatenate((net.u, net.v)), np.concatenate((net.v, net.u))
    order = np.lexsort((other, own))
    start = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(np.bincount(own, minlength=net.size))))
    return _Neighbours(start, other[order])


def _distances(near: _Neighbours, source: int, size: int) -> IntArray:
    """Return the number of cables between switches on the way from one to each, -1 where there is none."""
    distance = np.full(size, -1, dtype=np.int64)
    front = np.array([source], dtype=np.int64)
    level = 0
    while front.size:
        distance[front] = level
        reached = np.zeros(size, dtype=np.bool_)
        reached[near.of(front)] = True
        front = np.flatnonzero(reached & (distance < 0))
        level += 1
    return distance


def _representatives(near: _Neighbours, switches: IntArray) -> list[int]:
    """Return one of each class of switches that have the same neighbours: their distances to all others agree."""
    known: dict[bytes, int] = {}
    for switch in switches.tolist():
        known.setdefault(near.other[near.start[switch] : near.start[switch + 1]].tobytes(), switch)
    return list(known.values())


def hops(design: Design, fabric: Fabric) -> Outcome:
    """Return the number, or why it is not known."""
    graph = graphs(design)[fabric.index]
    known = roles(graph)
    if known.unclear:
        return unknown("the role of some devices is not stated")
    net = reduce(graph, known).rates
    serving = np.flatnonzero(net.demand > 0)
    if not serving.size:
        return unknown("no terminal has a cable to a switch of the fabric")
    busy: BoolArray = net.demand > 0
    near = _neighbours(net)
    sources = _representatives(near, serving)
    if len(sources) * max(net.u.size, 1) > _LIMIT:
        return unknown(f"{len(sources):,} searches over {net.u.size:,} pairs of switches are too many")
    most = 0
    for source in sources:
        distance = _distances(near, source, net.size)[busy]
        if int(distance.min()) < 0:
            return unknown("some terminals cannot reach each other through this fabric's switches: it has separate planes or rails")
        most = max(most, int(distance.max()))
        if most * len(sources) > _STEPS:
            return unknown(f"{len(sources):,} searches over paths of {most:,} switches are too many")
    return Outcome(most + 1)
