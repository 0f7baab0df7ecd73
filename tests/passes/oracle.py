"""What a fabric can carry, by linear programming over its cables: nothing of the compiler's own graph is used but the networkx view."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import networkx as nx
import numpy as np
from ir.build import GBPS
from scipy.optimize import LinearConstraint, linprog, milp
from scipy.sparse import coo_matrix

from topolang.ir.graph import to_networkx
from topolang.ir.model import Design

UNIT = int(GBPS.amount)
Demand = dict[tuple[str, str], float]


class Network:
    """Switches with capacities between them (in units of 400 Gb/s) and one entry per terminal port: its switch and rate."""

    def __init__(self, design: Design, roles: Sequence[str] = ("switch",)) -> None:
        graph = to_networkx(design)
        devices = {g.name: g.device for g in design.groups}
        switches = {n for n, d in graph.nodes(data=True) if devices[d["group"]].role in roles}
        self.capacity: Counter[tuple[str, str]] = Counter()
        self.ports: list[tuple[str, float]] = []
        for u, v, data in graph.edges(data=True):
            rate = data["rate"] / UNIT
            if u in switches and v in switches:
                self.capacity[u, v] += rate
                self.capacity[v, u] += rate
            elif u in switches or v in switches:
                self.ports.append((u if u in switches else v, rate))
        self.switches = sorted(switches)
        plain = nx.Graph(list(self.capacity))
        plain.add_nodes_from(self.switches)
        self.piece = {n: i for i, c in enumerate(nx.connected_components(plain)) for n in c}

    def permutations(self, count: int, seed: int) -> list[Demand]:
        """Return random permutations of the ports of each piece, and shifts that send everything away from its switch."""
        rng = np.random.default_rng(seed)
        groups: dict[int, list[int]] = defaultdict(list)
        for i, (switch, _) in enumerate(self.ports):
            groups[self.piece[switch]].append(i)
        result = []
        for k in range(count):
            demand: Demand = defaultdict(float)
            for members in groups.values():
                ordered = sorted(members, key=lambda i: self.ports[i][0])
                size = len(ordered)
                shift = (k // 2 + 1) * max(1, size // 4)
                targets = [ordered[(j + shift) % size] for j in range(size)] if k % 2 else rng.permutation(ordered).tolist()
                for a, z in zip(ordered, targets, strict=True):
                    one, two = self.ports[a], self.ports[z]
                    if one[0] != two[0]:
                        demand[one[0], two[0]] += min(one[1], two[1])
            result.append(dict(demand))
        return result

    def across(self, inside: set[str]) -> Demand:
        """Return a demand within all ports' rates that asks the most of the cables around a set of switches, both ways."""
        pieces = {self.piece[s] for s in inside}
        at: Counter[str] = Counter()
        for switch, rate in self.ports:
            if self.piece[switch] in pieces:
                at[switch] += rate
        low, high = ({s: r for s, r in at.items() if (s in inside) is side} for side in (True, False))
        total_low, total_high = sum(low.values()), sum(high.values())
        wanted = min(total_low, total_high)
        demand: Demand = {}
        for s, r in low.items():
            for t, q in high.items():
                demand[s, t] = demand[t, s] = wanted * r / total_low * q / total_high
        return demand

    def throughput(self, demand: Demand) -> float:
        """Return the greatest share of a demand that can be routed at once (at most 10), splitting flows as needed."""
        arcs, rows, sources = self._arcs(), self._rows(), sorted({s for s, _ in demand})
        if not sources:
            return 10.0
        flow, capacity = self._flow(sources, arcs)
        size = len(sources) * len(arcs)
        supply = np.zeros(len(sources) * len(rows))
        for (s, t), amount in demand.items():
            k = sources.index(s) * len(rows)
            supply[k + rows[s]] += amount
            supply[k + rows[t]] -= amount
        column = coo_matrix(-supply.reshape(-1, 1))
        from scipy.sparse import hstack

        result = linprog(
            np.r_[np.zeros(size), -1.0],
            A_eq=hstack([flow, column]).tocsr(),
            b_eq=np.zeros(flow.shape[0]),
            A_ub=hstack([capacity, coo_matrix((capacity.shape[0], 1))]).tocsr(),
            b_ub=[self.capacity[a] for a in arcs],
            bounds=[(0, None)] * size + [(0, 10)],
            method="highs",
        )
        assert result.status == 0
        return float(-result.fun)

    def routes_whole(self, demand: Demand) -> bool:
        """Whether every connection of one unit can take one path: an integer flow."""
        arcs, rows, sources = self._arcs(), self._rows(), sorted({s for s, _ in demand})
        if not sources:
            return True
        flow, capacity = self._flow(sources, arcs)
        supply = np.zeros(len(sources) * len(rows))
        for (s, t), amount in demand.items():
            k = sources.index(s) * len(rows)
            supply[k + rows[s]] += amount
            supply[k + rows[t]] -= amount
        size = len(sources) * len(arcs)
        limits = np.floor([self.capacity[a] for a in arcs])
        constraints = [LinearConstraint(flow.tocsr(), supply, supply), LinearConstraint(capacity.tocsr(), 0, limits)]
        result = milp(np.zeros(size), constraints=constraints, integrality=np.ones(size))
        return result.status == 0

    def _arcs(self) -> list[tuple[str, str]]:
        return sorted(self.capacity)

    def _rows(self) -> dict[str, int]:
        return {s: i for i, s in enumerate(self.switches)}

    def _flow(self, sources: list[str], arcs: list[tuple[str, str]]) -> tuple[coo_matrix, coo_matrix]:
        """Return the matrices of flow conservation per source and switch, and of the sum over sources per arc."""
        rows = self._rows()
        i, j, value = [], [], []
        for s in range(len(sources)):
            for a, (u, v) in enumerate(arcs):
                i += [s * len(rows) + rows[u], s * len(rows) + rows[v]]
                j += [s * len(arcs) + a] * 2
                value += [1.0, -1.0]
        size = len(sources) * len(arcs)
        flow = coo_matrix((value, (i, j)), shape=(len(sources) * len(rows), size))
        columns = np.arange(size)
        return flow, coo_matrix((np.ones(size), (columns % len(arcs), columns)), shape=(len(arcs), size))
