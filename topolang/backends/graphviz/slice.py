"""A representative part of a fabric, small enough to be drawn device by device: one pod, with the tiers above it.

The slice is taken along the outermost dimension by which terminals are joined to switches (a pod, a scalable unit), at its first value. Vertices
that are alike are merged where there are too many of them: those of one kind that have the same neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import attrs
import numpy as np

from topolang.backends.dimensions import of_pairs
from topolang.backends.graphviz.tiers import tiers
from topolang.ir.graph import Element, FabricGraph
from topolang.ir.grid import BoolArray, IntArray, mask
from topolang.ir.model import Dim


@attrs.frozen
class Limits:
    """How many boxes a row of terminals and any other row may have; beyond, boxes that are alike are merged."""

    terminals: int = 40
    row: int = 96


# an undivided fabric of up to so many devices and pairs needs no slice
_WHOLE: Final = (40, 500)


@attrs.frozen(eq=False)
class Box:
    """One or several merged vertices of an element, from ``vertex`` to ``last``."""

    element: int
    vertex: int
    last: int
    count: int


@attrs.frozen(eq=False)
class Strand:
    """The cables of one bundle between two boxes (indices of boxes); ``rail`` is the index of the rail or plane where all of them have the same."""

    low: int
    high: int
    bundle: int
    cables: int
    rail: int | None


@attrs.frozen
class Cut:
    """A dimension and the one value of it that is drawn."""

    dim: Dim
    value: int


@attrs.frozen(eq=False)
class Slice:
    """What is drawn: boxes in rows from the bottom (``level`` per element), strands between them, and where it is cut (None: all is drawn)."""

    graph: FabricGraph
    level: tuple[int, ...]
    cut: Cut | None
    boxes: tuple[Box, ...]
    strands: tuple[Strand, ...]

    @property
    def merged(self) -> bool:
        """Whether some boxes stand for several vertices."""
        return any(box.count > 1 for box in self.boxes)


def take(graph: FabricGraph, limits: Limits) -> Slice:
    """Return the slice of a fabric."""
    level = tiers(graph)
    cut = None if _small(graph, _all(graph)) else _cut(graph, level)
    chosen = _all(graph) if cut is None else _chosen(graph, cut, level)
    rows = np.flatnonzero(chosen[graph.u] & chosen[graph.v])
    return _draw(graph, level, cut, chosen, _merge(graph, level, chosen, rows, limits), rows)


def _all(graph: FabricGraph) -> BoolArray:
    return np.concatenate([e.present() for e in graph.elements]) if graph.elements else np.zeros(0, dtype=np.bool_)


def _small(graph: FabricGraph, chosen: BoolArray) -> bool:
    return int(np.count_nonzero(chosen)) <= _WHOLE[0] and graph.count.size <= _WHOLE[1]


def _cut(graph: FabricGraph, level: Sequence[int]) -> Cut | None:
    """Return the outermost dimension of the largest kind of terminals by which a bundle joins it to something else, at its first value in use."""
    order = sorted(range(len(graph.elements)), key=lambda i: (level[i], -graph.elements[i].size, i))
    found = [(graph.elements[i], axis) for i in order for axis, d in enumerate(graph.elements[i].group.dims) if d.size > 1]
    joined = [(e, axis) for e, axis in found if any(_joins(graph, k, e, e.group.dims[axis]) for k in range(len(graph.bundles)))]
    for element, axis in (joined or found)[:1]:
        exists = mask(element.group)
        used = np.flatnonzero(exists.any(axis=tuple(i for i in range(exists.ndim) if i != axis)))
        dim = element.group.dims[axis]
        return Cut(dim, dim.values[int(used[0])] if used.size else dim.values[0])
    return None


def _joins(graph: FabricGraph, k: int, element: Element, dim: Dim) -> bool:
    bundle = graph.bundles[k]
    if element.key not in (bundle.a.element, bundle.z.element) or bundle.a.element == bundle.z.element:
        return False
    both = all(any(d.name == dim.name for d in end.group.dims) for end in (bundle.a, bundle.z))
    return both and any(v.side == "joined" and v.name == dim.name for v in bundle.variables)


def _chosen(graph: FabricGraph, cut: Cut, level: Sequence[int]) -> BoolArray:
    """Return the vertices of the slice: those at the cut's value, what they are joined to outside it, and what is reached upward from there."""
    chosen = np.zeros(graph.vertices, dtype=np.bool_)
    outside = np.zeros(graph.vertices, dtype=np.bool_)
    for element in graph.elements:
        where = slice(element.base, element.base + element.size)
        axis = next((i for i, d in enumerate(element.group.dims) if d.name == cut.dim.name), None)
        if axis is None:
            outside[where] = element.present()
            continue
        values = np.asarray(element.group.dims[axis].values) == cut.value
        shape = [values.size if i == axis else 1 for i in range(len(element.group.dims))]
        cells = np.broadcast_to(values.reshape(shape), element.group.shape).ravel()
        chosen[where] = np.repeat(cells, element.per_cell) & element.present()
    height = np.asarray(level, dtype=np.int64)[graph.element]
    up = height[graph.v] - height[graph.u]
    front = chosen
    steps = (np.ones_like(up, dtype=np.bool_),) * 2
    while front.any():
        touched = np.zeros(graph.vertices, dtype=np.bool_)
        touched[graph.v[front[graph.u] & steps[0]]] = True
        touched[graph.u[front[graph.v] & steps[1]]] = True
        front = touched & outside & ~chosen
        chosen = chosen | front
        steps = (up > 0, up < 0)
    return chosen


def _merge(graph: FabricGraph, level: Sequence[int], chosen: BoolArray, rows: IntArray, limits: Limits) -> IntArray:
    """Return for each vertex the least vertex that it is merged with: row by row from the bottom, where a row has too many boxes."""
    label = np.arange(graph.vertices, dtype=np.int64)
    for i in sorted(range(len(graph.elements)), key=lambda i: level[i]):
        element = graph.elements[i]
        mine = np.flatnonzero(chosen[element.base : element.base + element.size]) + element.base
        if mine.size > (limits.terminals if level[i] == 0 else limits.row):
            _merge_twins(graph, label, mine, rows)
        if np.unique(label[mine]).size > limits.row:
            label[mine] = mine[0]
    return label


def _merge_twins(graph: FabricGraph, label: IntArray, mine: IntArray, rows: IntArray) -> None:
    """Merge vertices of one element that have the same neighbours (merged ones count as one) by the same bundles with the same cables."""
    inside = np.zeros(graph.vertices, dtype=np.bool_)
    inside[mine] = True
    u, v = graph.u[rows], graph.v[rows]
    own = np.concatenate((u[inside[u]], v[inside[v]]))
    rest = [np.concatenate((x[inside[u]], y[inside[v]])) for x, y in ((label[v], label[u]), (graph.bundle[rows],) * 2, (graph.count[rows],) * 2)]
    order = np.lexsort((*reversed(rest), own))
    own, columns = own[order], np.stack([column[order] for column in rest], axis=1)
    starts = np.searchsorted(own, mine)
    ends = np.searchsorted(own, mine, side="right")
    first: dict[bytes, int] = {}
    for vertex, start, end in zip(mine.tolist(), starts.tolist(), ends.tolist(), strict=True):
        label[vertex] = first.setdefault(columns[start:end].tobytes(), vertex)


def _draw(graph: FabricGraph, level: Sequence[int], cut: Cut | None, chosen: BoolArray, label: IntArray, rows: IntArray) -> Slice:
    vertices = np.flatnonzero(chosen)
    merged = label[vertices].tolist()
    counts, last = Counter(merged), dict(zip(merged, vertices.tolist(), strict=True))
    index = {vertex: i for i, vertex in enumerate(sorted(counts))}
    boxes = tuple(Box(int(graph.element[vertex]), vertex, last[vertex], counts[vertex]) for vertex in index)
    found: dict[tuple[int, int, int], tuple[int, set[int | None]]] = {}
    columns = (label[graph.u[rows]], label[graph.v[rows]], graph.bundle[rows], graph.count[rows])
    rails = _rails(graph)
    for row, u, v, bundle, count in zip(rows.tolist(), *(c.tolist() for c in columns), strict=True):
        a, z = index[u], index[v]
        low, high = (a, z) if level[boxes[a].element] <= level[boxes[z].element] else (z, a)
        total, seen = found.get((low, high, bundle), (0, set()))
        found[low, high, bundle] = (total + count, seen | {rails[row]})
    strands = tuple(Strand(*key, total, next(iter(seen)) if len(seen) == 1 else None) for key, (total, seen) in found.items())
    return Slice(graph, tuple(level), cut, boxes, strands)


def _rails(graph: FabricGraph) -> list[int | None]:
    """Return per pair the index of the dimension `rail` (else `plane`), None where it has none or its ends differ."""
    result: list[int | None] = []
    for bundle in graph.bundles:
        found = of_pairs(bundle, "rail") or of_pairs(bundle, "plane")
        if found is None:
            result += [None] * int(np.count_nonzero(graph.bundle == bundle.index))
        else:
            result += [value if sure else None for value, sure in zip(*(column.tolist() for column in found), strict=True)]
    return result
