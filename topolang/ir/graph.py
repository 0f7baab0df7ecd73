"""The graph of a fabric: vertices are devices or inner parts, edges are pairs of them with a number of parallel cables.

Vertices of one kind (a group, or the GPUs inside a group's trays) form an *element* and are numbered without gaps: element base + cell × parts +
part, holes included. `to_networkx` and `quotient` hand the same to networkx.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm, prod
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

from topolang.ir.columns import weighted
from topolang.ir.grid import BoolArray, IntArray, mask, ranks
from topolang.ir.memo import memo_field, once_per_object
from topolang.ir.model import Bundle, Design, DeviceType, End, Fabric, Group
from topolang.ir.names import node_names, port_names
from topolang.ir.tables import link_table, node_table
from topolang.ir.wiring import Pairs, Side, wire

if TYPE_CHECKING:
    import networkx as nx

    # generic for type checkers only
    MultiGraph: TypeAlias = nx.MultiGraph[str]


@attrs.frozen(eq=False)
class Element:
    """A kind of vertices: a group, or the chain of inner ``parts`` of its devices; ``base`` is its first vertex."""

    group: Group
    parts: tuple[Group, ...]
    base: int

    @property
    def key(self) -> tuple[int, ...]:
        """The key that `End.element` gives."""
        return (self.group.index, *(part.index for part in self.parts))

    @property
    def per_cell(self) -> int:
        """The number of vertices per device, holes included."""
        return prod(part.size for part in self.parts)

    @property
    def size(self) -> int:
        """The number of vertices, holes included."""
        return self.group.size * self.per_cell

    @property
    def device(self) -> DeviceType:
        """The device or inner part that a vertex is."""
        return self.parts[-1].device if self.parts else self.group.device

    @property
    def name(self) -> str:
        """The canonical name, e.g. ``compute.leaf`` or ``rack.tray.gpu``."""
        return ".".join((self.group.name, *(part.name for part in self.parts)))

    def present(self) -> BoolArray:
        """Return which vertices exist, in order."""
        result: BoolArray = mask(self.group).ravel()
        for part in self.parts:
            result = (result[:, None] & mask(part).ravel()[None, :]).ravel()
        return result


@attrs.frozen(eq=False)
class FabricGraph:
    """All pairs of a fabric as columns of equal length.

    ``u``/``v`` are vertices of the bundle's sides a and z, ``count`` parallel cables, ``bundle`` the design's bundle index, ``rate`` per cable and
    direction in multiples of ``unit`` (bit/s, the greatest that makes all rates whole). ``copy`` tells to which copy of the fabric a pair belongs
    (flat index over ``fabric.context``). ``element`` is each vertex's element.
    """

    fabric: Fabric
    bundles: tuple[Bundle, ...]
    elements: tuple[Element, ...]
    element: IntArray
    u: IntArray
    v: IntArray
    count: IntArray
    bundle: IntArray
    rate: IntArray
    copy: IntArray
    unit: Fraction
    memo: dict[Any, Any] = memo_field()

    @property
    def vertices(self) -> int:
        """The number of vertices, holes included."""
        return int(self.element.size)

    @property
    def copies(self) -> int:
        """The number of copies of the fabric, one per copy of the module that holds it."""
        return prod(d.size for d in self.fabric.context)

    def degree(self) -> IntArray:
        """Return the number of cables per vertex."""
        ends = np.concatenate((self.u, self.v))
        return weighted(ends, np.concatenate((self.count, self.count)), self.vertices)

    def cell(self, vertices: IntArray) -> IntArray:
        """Return the flat cell in its group of each vertex."""
        base = np.array([e.base for e in self.elements], dtype=np.int64)[self.element[vertices]]
        per_cell = np.array([e.per_cell for e in self.elements], dtype=np.int64)[self.element[vertices]]
        cell: IntArray = (vertices - base) // per_cell
        return cell


def _part_vertex(end: End, side: Side, base: int) -> IntArray:
    return base + side.cell * prod(part.size for part in end.parts) + side.part


def _elements(fabric: Fabric, groups: Iterable[Group], bundles: Iterable[Bundle]) -> dict[tuple[int, ...], Element]:
    """Return the elements that the bundles join, then groups declared in the fabric that no bundle touches."""
    found: dict[tuple[int, ...], Element] = {}
    at = 0
    ends = [(end.group, end.parts) for bundle in bundles for end in (bundle.a, bundle.z)]
    touched = {group.index for group, _ in ends}
    depth = len(fabric.path)
    ends += [(g, ()) for g in groups if g.path[:depth] == fabric.path and g.index not in touched]
    for group, parts in ends:
        element = Element(group, parts, at)
        if element.key not in found:
            found[element.key] = element
            at += element.size
    return found


def _copy_of(bundle: Bundle, pairs: Pairs) -> IntArray:
    """Return to which copy of the fabric each pair belongs: the context's dimensions, read at an end that has all of them."""
    wanted = [d.name for d in bundle.fabric.context]
    for end, side in ((bundle.a, pairs.a), (bundle.z, pairs.z)):
        names = [d.name for d in end.group.dims]
        if wanted and all(name in names for name in wanted):
            positions = np.unravel_index(side.cell, end.group.shape)
            flat = np.zeros(side.cell.size, dtype=np.int64)
            for dim in bundle.fabric.context:
                flat = flat * dim.size + positions[names.index(dim.name)]
            return flat
    return np.zeros(pairs.count.size, dtype=np.int64)


def common_unit(amounts: Iterable[int | Fraction]) -> Fraction:
    """Return the greatest amount of which all the given ones are whole multiples (1 for none)."""
    given = [Fraction(a) for a in amounts]
    if not given:
        return Fraction(1)
    bottom = lcm(*(a.denominator for a in given))
    return Fraction(gcd(*(int(a * bottom) for a in given)) or bottom, bottom)


@once_per_object
def graphs(design: Design) -> tuple[FabricGraph, ...]:
    """Return the graph of each fabric, in the design's order; errors are those of `wire`."""
    return tuple(_graph(design, fabric) for fabric in design.fabrics)


def _graph(design: Design, fabric: Fabric) -> FabricGraph:
    bundles = tuple(b for b in design.bundles if b.fabric.index == fabric.index)
    elements = _elements(fabric, design.groups, bundles)
    unit = common_unit(b.rate.amount for b in bundles)
    columns: list[list[npt.NDArray[np.int64]]] = [[np.zeros(0, dtype=np.int64)] for _ in range(6)]
    for bundle in bundles:
        pairs = wire(bundle)
        size = pairs.count.size
        columns[0].append(_part_vertex(bundle.a, pairs.a, elements[bundle.a.element].base))
        columns[1].append(_part_vertex(bundle.z, pairs.z, elements[bundle.z.element].base))
        columns[2].append(pairs.count)
        columns[3].append(np.full(size, bundle.index, dtype=np.int64))
        columns[4].append(np.full(size, int(bundle.rate.amount / unit), dtype=np.int64))
        columns[5].append(_copy_of(bundle, pairs))
    u, v, count, index, rate, copy = (np.concatenate(c) for c in columns)
    ordered = tuple(elements.values())
    element = np.repeat(np.arange(len(ordered), dtype=np.int64), [e.size for e in ordered])
    return FabricGraph(fabric, bundles, ordered, element, u, v, count, index, rate, copy, unit)


def vertex_name(design: Design, graph: FabricGraph, vertex: int) -> str:
    """Return the display name of a vertex: the device's, and the inner part behind a dot."""
    element = graph.elements[int(graph.element[vertex])]
    cell, part = divmod(vertex - element.base, element.per_cell)
    name = node_names(design)[node_table(design).first[element.group.index] + int(ranks(element.group)[cell])]
    inner: list[str] = []
    for group in reversed(element.parts):
        part, at = divmod(part, group.size)
        indices = np.unravel_index(at, group.shape) if group.dims else ()
        inner.insert(0, group.path[-1] + "-".join(str(d.values[int(i)]) for d, i in zip(group.dims, indices, strict=True)))
    return ".".join((name, *inner))


def to_networkx(design: Design, fabric: Fabric | None = None) -> MultiGraph:
    """Return devices as vertices (by display name) and every cable as an edge, of one fabric or of all.

    Vertices carry ``group`` and ``device``; edges ``fabric``, ``a``, ``a_port``, ``z``, ``z_port``, ``rate`` (bit/s) and ``source`` (file:line).
    """
    import networkx

    nodes, links, names = node_table(design), link_table(design), node_names(design)
    wanted = [b for b in design.bundles if fabric is None or b.fabric.index == fabric.index]
    result: MultiGraph = networkx.MultiGraph()
    kept = set(range(len(design.groups)))
    if fabric is not None:
        kept = {e.group.index for e in _elements(fabric, design.groups, wanted).values()}
    for node, group in enumerate(nodes.group.tolist()):
        if group in kept:
            result.add_node(names[node], group=design.groups[group].name, device=design.groups[group].device.name)
    for bundle in wanted:
        # the last name is that of port -1, which a cable has where its pool is exhausted
        ports = [(*port_names(end.group.device), "") for end in (bundle.a, bundle.z)]
        for row in range(*links.rows_of(bundle).indices(len(links))):
            link = links[row]
            a, z = names[link.a_node], names[link.z_node]
            result.add_edge(
                a,
                z,
                key=row,
                fabric=bundle.fabric.name,
                a=a,
                a_port=ports[0][link.a_port],
                z=z,
                z_port=ports[1][link.z_port],
                rate=bundle.rate.amount,
                source=str(bundle.span),
            )
    return result


def quotient(design: Design) -> MultiGraph:
    """Return one vertex per element (by canonical name) and one edge per bundle, with the number of cables as ``count``."""
    import networkx

    from topolang.ir.counting import cables

    result: MultiGraph = networkx.MultiGraph()
    for graph in graphs(design):
        for element in graph.elements:
            result.add_node(element.name, device=element.device.name, size=int(np.count_nonzero(element.present())))
    for bundle in design.bundles:
        names = [".".join((end.group.name, *(part.name for part in end.parts))) for end in (bundle.a, bundle.z)]
        result.add_edge(names[0], names[1], key=bundle.index, fabric=bundle.fabric.name, count=cables(bundle), rate=bundle.rate.amount)
    return result
