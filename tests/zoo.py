"""Small fabrics of the kinds that the field knows, as programs: fat-trees, torus, dragonfly, HyperX, Slim Fly, Jellyfish, rail-only, dual-plane.

Each is a `Net`: switches, cables between them, and terminals per switch. `text` writes it in the language, one `connect` per pair of switches, and
`graph` gives the same to networkx, so that a brute-force computation sees what the compiler sees. `damaged` takes cables away at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product
from random import Random

import attrs
import networkx as nx
from support import design_of

from topolang.ir.model import Design

Switch = tuple[str, int]


@attrs.frozen
class Net:
    """Switches as (group, number), ``cables`` between pairs of them (repeated: parallel), and how many terminals each serves.

    Port q of terminal t is on ``homes[t][q]``. Rates are in Gb/s: ``host`` of a terminal's cable, ``trunk`` of others.
    """

    name: str
    switches: tuple[Switch, ...]
    cables: tuple[tuple[Switch, Switch], ...]
    homes: tuple[tuple[Switch, ...], ...]
    host: int = 400
    trunk: int = 400

    @property
    def groups(self) -> dict[str, int]:
        """The number of switches per group."""
        return dict(Counter(group for group, _ in self.switches))

    def text(self, claims: Iterable[str] = ()) -> str:
        """Return the program; the fabric is ``f``, terminals are ``host``, their ports ``nic[q]``."""
        ports = max((len(home) for home in self.homes), default=1)
        degree = Counter(end for home in self.homes for end in home)
        trunks = Counter(end for pair in self.cables for end in pair)
        lines = [
            "topolang 1",
            f"device host_t {{ role = \"host\"; port nic[rail: 0..{ports - 1}] = {self.host}Gb/s }}",
            f"device sw_t {{ role = \"switch\"; port d[1..{max(degree.values(), default=1)}] = {self.host}Gb/s; "
            f"port u[1..{max(trunks.values(), default=1)}] = {self.trunk}Gb/s }}",
            "design net {",
            "  fabric f : ethernet {",
        ]
        if self.homes:
            lines.append(f"    host[t: 0..{len(self.homes) - 1}] : host_t")
        lines += [f"    {group}[i{group}: 0..{count - 1}] : sw_t" for group, count in self.groups.items()]
        lines += [f"    connect host[{t}].nic[{q}] -- {g}[{i}].d" for t, home in enumerate(self.homes) for q, (g, i) in enumerate(home)]
        pairs = Counter(self.cables)
        lines += [f"    connect {a}[{i}].u -- {b}[{j}].u times {count}" for ((a, i), (b, j)), count in pairs.items()]
        return "\n".join([*lines, "  }", *(f"  {claim}" for claim in claims), "}", ""])

    def design(self, claims: Iterable[str] = ()) -> Design:
        """Return the compiled design."""
        return design_of(self.text(claims))

    def graph(self) -> nx.Graph[object]:
        """Return switches and terminals (``("host", t)``) with ``count`` cables and ``rate`` (Gb/s, of all of them) on each edge."""
        graph: nx.Graph[object] = nx.Graph()
        graph.add_nodes_from(self.switches, switch=True)
        graph.add_nodes_from((("host", t) for t in range(len(self.homes))), switch=False)
        for a, b in self.cables:
            _add(graph, a, b, self.trunk)
        for t, home in enumerate(self.homes):
            for end in home:
                _add(graph, ("host", t), end, self.host)
        return graph


def _add(graph: nx.Graph[object], a: object, b: object, rate: int) -> None:
    old = graph.get_edge_data(a, b, {"count": 0, "rate": 0})
    graph.add_edge(a, b, count=old["count"] + 1, rate=old["rate"] + rate)


def flat(name: str, graph: nx.Graph[int], hosts: int, **rates: int) -> Net:
    """Return switches joined as a graph of integers says, each with ``hosts`` terminals."""
    order = {node: i for i, node in enumerate(sorted(graph.nodes))}
    switches = tuple(("sw", i) for i in range(len(order)))
    cables = tuple((("sw", order[a]), ("sw", order[b])) for a, b in sorted(tuple(sorted(edge)) for edge in graph.edges))
    return Net(name, switches, cables, tuple((s,) for s in switches for _ in range(hosts)), **rates)


def leaf_spine(leaves: int = 4, hosts: int = 4, spines: int = 4, trunks: int = 1, **rates: int) -> Net:
    """Return a two-tier tree: every leaf has ``trunks`` cables to every spine."""
    leaf, spine = [("leaf", i) for i in range(leaves)], [("spine", i) for i in range(spines)]
    cables = tuple((a, b) for a in leaf for b in spine for _ in range(trunks))
    return Net("leaf_spine", (*leaf, *spine), cables, tuple((s,) for s in leaf for _ in range(hosts)), **rates)


def fat_tree(k: int = 4, hosts: int | None = None) -> Net:
    """Return the k-ary three-tier fat-tree (Al-Fares et al., SIGCOMM 2008): k^3/4 terminals, or ``hosts`` per leaf."""
    half = k // 2
    leaf = [("leaf", i) for i in range(k * half)]
    agg = [("agg", i) for i in range(k * half)]
    core = [("core", i) for i in range(half * half)]
    low = [(leaf[p * half + i], agg[p * half + j]) for p in range(k) for i in range(half) for j in range(half)]
    high = [(agg[p * half + j], core[j * half + c]) for p in range(k) for j in range(half) for c in range(half)]
    homes = tuple((s,) for s in leaf for _ in range(half if hosts is None else hosts))
    return Net("fat_tree", (*leaf, *agg, *core), (*low, *high), homes)


def rail_only(nodes: int = 6, rails: int = 4) -> Net:
    """Return one switch per rail and nothing between rails (Wang et al., Rail-only, HotI 2024)."""
    switches = tuple(("leaf", r) for r in range(rails))
    return Net("rail_only", switches, (), tuple(switches for _ in range(nodes)))


def dual_plane(leaves: int = 3, hosts: int = 3, spines: int = 2) -> Net:
    """Return two equal trees; each terminal has one port on either."""
    switches = [(f"leaf{p}", i) for p in (0, 1) for i in range(leaves)] + [(f"spine{p}", i) for p in (0, 1) for i in range(spines)]
    cables = tuple(((f"leaf{p}", i), (f"spine{p}", j)) for p in (0, 1) for i in range(leaves) for j in range(spines))
    return Net("dual_plane", tuple(switches), cables, tuple((("leaf0", i), ("leaf1", i)) for i in range(leaves) for _ in range(hosts)))


def torus(shape: tuple[int, ...] = (3, 4), hosts: int = 1) -> Net:
    """Return a torus with one terminal or more per switch."""
    return flat("torus", nx.convert_node_labels_to_integers(nx.grid_graph(list(shape), periodic=True), ordering="sorted"), hosts)


def hyperx(shape: tuple[int, ...] = (3, 3), hosts: int = 2) -> Net:
    """Return a HyperX: switches that differ in one coordinate are joined (Ahn et al., SC 2009)."""
    nodes = list(product(*map(range, shape)))
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from((i, j) for (i, a), (j, b) in combinations(enumerate(nodes), 2) if sum(x != y for x, y in zip(a, b, strict=True)) == 1)
    return flat("hyperx", graph, hosts)


def dragonfly(a: int = 4, h: int = 1, hosts: int = 2) -> Net:
    """Return a balanced dragonfly of a*h + 1 groups of ``a`` switches with ``h`` global cables each (Kim et al., ISCA 2008)."""
    groups = a * h + 1
    graph: nx.Graph[int] = nx.Graph()
    graph.add_edges_from((g * a + i, g * a + j) for g in range(groups) for i, j in combinations(range(a), 2))
    for g in range(groups):
        for c in range(a * h):
            other = (g + c + 1) % groups
            back = (g - other - 1) % groups
            graph.add_edge(g * a + c // h, other * a + back // h)
    return flat("dragonfly", graph, hosts)


def slim_fly(hosts: int = 2) -> Net:
    """Return the Slim Fly MMS graph of q = 5: 50 switches of degree 7, diameter 2 (Besta and Hoefler, SC 2014)."""
    q, even, odd = 5, (1, 4), (2, 3)
    graph: nx.Graph[int] = nx.Graph()
    for x, y, z in product(range(q), repeat=3):
        if (y - z) % q in even:
            graph.add_edge(x * q + y, x * q + z)
        if (y - z) % q in odd:
            graph.add_edge(25 + x * q + y, 25 + x * q + z)
        graph.add_edge(x * q + y, 25 + z * q + (y - x * z) % q)
    return flat("slim_fly", graph, hosts)


def jellyfish(switches: int = 12, degree: int = 4, hosts: int = 2, seed: int = 1) -> Net:
    """Return a random regular graph of switches (Singla et al., NSDI 2012)."""
    return flat("jellyfish", nx.random_regular_graph(degree, switches, seed=seed), hosts)


def damaged(net: Net, share: float, seed: int) -> Net:
    """Return a net that has lost a share of the cables between its switches."""
    random = Random(seed)
    return attrs.evolve(net, name=f"{net.name}_damaged", cables=tuple(c for c in net.cables if random.random() >= share))


def zoo() -> tuple[Net, ...]:
    """Return one small net of every kind, and damaged ones."""
    whole = (
        leaf_spine(),
        leaf_spine(3, 6, 2),
        fat_tree(4),
        fat_tree(4, hosts=4),
        rail_only(),
        dual_plane(),
        torus(),
        torus((2, 3, 3)),
        hyperx(),
        dragonfly(),
        slim_fly(1),
        jellyfish(),
        leaf_spine(4, 4, 2, host=200, trunk=400),
    )
    return (*whole, *(damaged(net, 0.15, seed) for seed, net in enumerate(whole) if net.cables))
