"""Connectivity: each copy of a fabric is one piece once devices join their ports, and every device in it has a cable."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np

from topolang.diagnostics import Diagnostic, error, warning
from topolang.ir.columns import components
from topolang.ir.graph import FabricGraph, graphs
from topolang.ir.grid import IntArray, first_nodes, mask
from topolang.ir.memo import once_per_object
from topolang.ir.model import Design, Fabric, Group
from topolang.ir.names import node_names
from topolang.ir.roles import roles
from topolang.ir.tables import node_table
from topolang.passes.model import Pass


@attrs.frozen
class FabricFacts:
    """How a fabric hangs together.

    ``pieces`` counts the connected pieces of all copies when devices join their ports, ``planes`` those of switches alone (rails or planes that
    meet only in hosts are separate planes), ``unwired`` the devices declared in the fabric that have no cable in it.
    """

    fabric: Fabric
    copies: int
    devices: int
    cables: int
    pieces: int
    planes: int
    unwired: int


@attrs.frozen(eq=False)
class _Pieces:
    """Vertices (copy × nodes + node) that have a cable, and the piece of each."""

    vertex: IntArray
    piece: IntArray


def _cells(design: Design, graph: FabricGraph) -> IntArray:
    """Return the node id of every vertex of a graph (holes get that of the device before them; no cable ends there)."""
    first = first_nodes(design)
    columns = [np.zeros(0, dtype=np.int64)]
    for element in graph.elements:
        exists = mask(element.group).ravel()
        node = first[element.group.index] + np.cumsum(exists, dtype=np.int64) - 1
        columns.append(np.repeat(node, element.per_cell))
    return np.concatenate(columns)


@once_per_object
def _all_pieces(design: Design) -> tuple[tuple[FabricGraph, _Pieces], ...]:
    return tuple((graph, _pieces(design, graph)) for graph in graphs(design))


def _pieces(design: Design, graph: FabricGraph) -> _Pieces:
    node = _cells(design, graph)
    nodes = first_nodes(design)[-1]
    u, v = (graph.copy * nodes + node[side] for side in (graph.u, graph.v))
    vertex, inverse = np.unique(np.concatenate((u, v)), return_inverse=True)
    piece = components(vertex.size, inverse[: u.size], inverse[u.size :])
    return _Pieces(vertex, piece)


def _planes(graph: FabricGraph) -> int:
    switch = roles(graph).switch_mask(graph)
    wired = np.zeros(graph.vertices, dtype=np.bool_)
    wired[graph.u] = True
    wired[graph.v] = True
    inner = switch[graph.u] & switch[graph.v]
    label = components(graph.vertices, graph.u[inner], graph.v[inner])
    return int(np.unique(label[switch & wired]).size)


def _members(design: Design, graph: FabricGraph) -> list[Group]:
    """Return the groups that are declared in a fabric or have a cable in it."""
    indices = sorted({element.group.index for element in graph.elements})
    return [design.groups[i] for i in indices]


def _unwired(design: Design, graph: FabricGraph, pieces: _Pieces) -> dict[int, IntArray]:
    """Return per group of a fabric the nodes that have no cable in it."""
    nodes = node_table(design)
    wired = np.zeros(len(nodes), dtype=np.bool_)
    wired[pieces.vertex % max(len(nodes), 1)] = True
    result = {}
    for group in _members(design, graph):
        start, end = nodes.first[group.index], nodes.first[group.index + 1]
        missing = start + np.flatnonzero(~wired[start:end])
        if missing.size:
            result[group.index] = missing
    return result


@once_per_object
def facts(design: Design) -> tuple[FabricFacts, ...]:
    """Return how each fabric hangs together, in the design's order."""
    result = []
    for graph, pieces in _all_pieces(design):
        unwired = sum(int(nodes.size) for nodes in _unwired(design, graph, pieces).values())
        devices = int(np.unique(pieces.vertex % max(len(node_table(design)), 1)).size)
        cables = int(graph.count.sum())
        result.append(FabricFacts(graph.fabric, graph.copies, devices, cables, int(np.unique(pieces.piece).size), _planes(graph), unwired))
    return tuple(result)


def run(design: Design) -> Iterator[Diagnostic]:
    """Yield T0502 for a fabric in several pieces and T0503 for devices without a cable in their fabric."""
    for graph, pieces in _all_pieces(design):
        yield from _disconnected(design, graph, pieces)
        for index, missing in _unwired(design, graph, pieces).items():
            group = design.groups[index]
            total = node_table(design).first[index + 1] - node_table(design).first[index]
            which = f"`{node_names(design)[int(missing[0])]}`"
            # a few devices may wait for their cables; a whole array in a fabric that is cabled was forgotten
            say = error if missing.size == total and graph.u.size and not _cabled(design, index) else warning
            yield say(
                "T0503",
                f"{missing.size:,} of {total:,} `{group.name}` {'have' if missing.size != 1 else 'has'} no cable in `{graph.fabric.name}`",
                group.span,
                f"for example {which}",
                extra=((graph.fabric.span, "the fabric"),),
                help="connect these devices, or leave them out with `if`",
            )


def _cabled(design: Design, group: int) -> bool:
    """Whether some statement of any fabric names the group."""
    return any(group in (b.a.group.index, b.z.group.index) for b in design.bundles)


def _disconnected(design: Design, graph: FabricGraph, pieces: _Pieces) -> Iterator[Diagnostic]:
    nodes = len(node_table(design))
    if not pieces.vertex.size:
        return
    copy = pieces.vertex // nodes
    count = np.bincount(copy[np.unique(pieces.piece)], minlength=graph.copies)
    broken = np.flatnonzero(count > 1)
    if not broken.size:
        return
    inside = copy == broken[0]
    labels, sizes = np.unique(pieces.piece[inside], return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    notes = [_describe(design, pieces.vertex[pieces.piece == labels[i]] % nodes) for i in order[:4].tolist()]
    if labels.size > 4:
        notes.append(f"… and {labels.size - 4:,} more pieces")
    if graph.copies > 1:
        notes.insert(0, f"in {broken.size} of the fabric's {graph.copies} copies")
    yield error(
        "T0502",
        f"fabric `{graph.fabric.name}` falls into {labels.size:,} pieces that no cable joins",
        graph.fabric.span,
        f"{labels.size:,} pieces",
        extra=tuple((b.span, f"{b.a.text} -- {b.z.text}") for b in graph.bundles[:6]),
        notes=notes,
        help="add the missing cables, or declare each piece as a fabric of its own",
    )


def _describe(design: Design, nodes: IntArray) -> str:
    table = node_table(design)
    groups, first, counts = np.unique(table.group[nodes], return_index=True, return_counts=True)
    parts = [f"{c:,} `{design.groups[g].name}`" for g, c in zip(groups.tolist(), counts.tolist(), strict=True)]
    example = node_names(design)[int(nodes[first[0]])]
    return f"a piece of {nodes.size:,} devices: {', '.join(parts)}; for example `{example}`"


PASS = Pass("connectivity", ("T0502", "T0503"), run, needs_tables=True)
