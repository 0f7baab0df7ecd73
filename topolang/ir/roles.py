"""What vertices do in a fabric: which elements forward traffic, which are terminals, and on which tier a switch stands."""

from __future__ import annotations

from typing import Final

import attrs
import numpy as np

from topolang.ir.graph import Element, FabricGraph
from topolang.ir.grid import BoolArray, IntArray
from topolang.ir.memo import once_per_object
from topolang.ir.model import Bundle, End

# roles that forward traffic; any other stated role (host, gpu, nic, memory, appliance, cpu …) is a terminal
FORWARDING: Final = frozenset({"switch", "nvswitch", "pcie_switch"})

# inner parts that make a device a server when it states no role
_SERVER_PARTS: Final = frozenset({"gpu", "cpu", "nic"})


@attrs.frozen(eq=False)
class Roles:
    """Per element of a graph: ``forwards`` (None: could not be told), and the ``tier`` (terminals 0, switches from 1, -1 where unreachable)."""

    forwards: tuple[bool | None, ...]
    tier: tuple[int, ...]

    @property
    def unclear(self) -> tuple[int, ...]:
        """The elements of unknown role."""
        return tuple(i for i, f in enumerate(self.forwards) if f is None)

    def switch_mask(self, graph: FabricGraph) -> BoolArray:
        """Return which vertices forward traffic; those of unknown role do not."""
        return np.array([f is True for f in self.forwards], dtype=np.bool_)[graph.element]

    def tier_of(self, graph: FabricGraph) -> IntArray:
        """Return the tier of each vertex."""
        return np.array(self.tier, dtype=np.int64)[graph.element]


@once_per_object
def roles(graph: FabricGraph) -> Roles:
    """Return the roles of a graph's elements: stated, or told from inner parts, then from the kind of ports, then from `up` and `down`."""
    above = _above(graph)
    ends = _ends(graph)
    forwards = [_role(graph, i, above, ends[i]) for i in range(len(graph.elements))]
    return Roles(tuple(forwards), _tiers(graph, forwards, above))


def _role(graph: FabricGraph, i: int, above: set[tuple[int, int]], ends: list[End]) -> bool | None:
    element = graph.elements[i]
    stated = _stated(element)
    if stated is not None:
        return stated
    if any({group.device.role, group.path[-1]} & _SERVER_PARTS for group in element.device.inside.groups):
        return False
    over = any(high == i for _, high in above)
    if ends and all(end.ports.pool is None for end in ends):
        # every port has a name of its own: rails, planes, directions of a torus; a switch above others contradicts that
        return None if over else False
    if over:
        return True
    # the smallest switch has more ports than a server: what has over half as many as the element above it stays unknown
    uppers = [graph.elements[high].device.own_ports for low, high in above if low == i]
    return False if uppers and 2 * element.device.own_ports <= min(uppers) else None


def _stated(element: Element) -> bool | None:
    """Return whether the innermost device that states a role forwards traffic."""
    for device in (*(part.device for part in reversed(element.parts)), element.group.device):
        if device.role is not None:
            return device.role in FORWARDING
    return None


def _ends(graph: FabricGraph) -> list[list[End]]:
    index = {element.key: i for i, element in enumerate(graph.elements)}
    result: list[list[End]] = [[] for _ in graph.elements]
    for bundle in graph.bundles:
        for end in (bundle.a, bundle.z):
            result[index[end.element]].append(end)
    return result


def _upward(bundle: Bundle) -> int:
    """Return 1 if side z stands above side a by the names of their ports, -1 for the reverse, 0 where they do not say."""
    a, z = (end.ports.name.lower() for end in (bundle.a, bundle.z))
    if a.startswith("up") or z.startswith("down"):
        return 0 if a.startswith("down") or z.startswith("up") else 1
    return -1 if a.startswith("down") or z.startswith("up") else 0


def _above(graph: FabricGraph) -> set[tuple[int, int]]:
    """Return pairs (lower, upper) of elements, as their port names say."""
    index = {element.key: i for i, element in enumerate(graph.elements)}
    pairs = set()
    for bundle in graph.bundles:
        a, z = index[bundle.a.element], index[bundle.z.element]
        direction = _upward(bundle)
        if direction and a != z:
            pairs.add((a, z) if direction > 0 else (z, a))
    return pairs


def _tiers(graph: FabricGraph, forwards: list[bool | None], above: set[tuple[int, int]]) -> tuple[int, ...]:
    """Return 1 + the least number of switches between an element and terminals, raised where port names say that it stands above another."""
    index = {element.key: i for i, element in enumerate(graph.elements)}
    used = set(np.unique(graph.bundle).tolist())
    edges = [(index[b.a.element], index[b.z.element]) for b in graph.bundles if b.index in used]
    near: dict[int, set[int]] = {i: set() for i in range(len(forwards))}
    for a, z in edges:
        near[a].add(z)
        near[z].add(a)
    tier = [0 if f is False else -1 for f in forwards]
    front = [i for i, f in enumerate(forwards) if f and any(forwards[j] is False for j in near[i])]
    level = 1
    while front:
        for i in front:
            tier[i] = level
        front = sorted({j for i in front for j in near[i] if forwards[j] and tier[j] < 0})
        level += 1
    return tuple(_raised(tier, sorted(above)))


def _raised(tier: list[int], pairs: list[tuple[int, int]]) -> list[int]:
    """Lift switches above those they stand on; where port names run in a circle, leave the distances as they are."""
    result = list(tier)
    for _ in range(len(tier) + 1):
        lifts = {high: result[low] + 1 for low, high in pairs if result[low] > 0 and 0 < result[high] <= result[low]}
        if not lifts:
            return result
        for high, level in lifts.items():
            result[high] = max(result[high], level)
    return tier
