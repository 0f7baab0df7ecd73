"""``alltoall(fabric)``: every terminal reaches every other through one switch, over every switch equally (an NVLink domain)."""

from __future__ import annotations

import numpy as np

from topolang.ir.columns import weighted
from topolang.ir.graph import FabricGraph, graphs, vertex_name
from topolang.ir.grid import IntArray
from topolang.ir.model import Design, Fabric
from topolang.ir.roles import Roles, roles
from topolang.passes.model import Verdict


def alltoall(design: Design, fabric: Fabric) -> Verdict:
    """Return the verdict: in each copy of the fabric every switch has the same number of cables, at least one, to every terminal."""
    graph = graphs(design)[fabric.index]
    known = roles(graph)
    if known.unclear:
        return Verdict("open", "the role of some devices is not stated")
    switch = known.switch_mask(graph)
    if not graph.u.size:
        return Verdict("open", "the fabric has no cables")
    if not switch.any():
        return _mesh(graph)
    if (switch[graph.u] == switch[graph.v]).any():
        return Verdict("open", "cables between switches, or between terminals, are not a domain of one switch hop")
    terminal, other = np.where(switch[graph.u], graph.v, graph.u), np.where(switch[graph.u], graph.u, graph.v)
    return _stranded(design, graph, known, terminal) or _even(design, graph, terminal, other)


def _stranded(design: Design, graph: FabricGraph, known: Roles, terminal: IntArray) -> Verdict | None:
    """Return the refutation by a terminal that has no cable."""
    wired = np.zeros(graph.vertices, dtype=np.bool_)
    wired[terminal] = True
    for element, forwards in zip(graph.elements, known.forwards, strict=True):
        at = element.base + np.flatnonzero(element.present())
        missing = at[~wired[at]]
        if not forwards and missing.size:
            return Verdict("refuted", f"`{vertex_name(design, graph, int(missing[0]))}` and {missing.size - 1:,} more have no cable in the fabric")
    return None


def _even(design: Design, graph: FabricGraph, terminal: IntArray, other: IntArray) -> Verdict:
    size = graph.vertices
    # a terminal belongs to one copy of the fabric; each of a copy's switches has to meet all of them
    _, at = np.unique(graph.copy * size + terminal, return_index=True)
    per_copy = np.bincount(graph.copy[at], minlength=graph.copies)
    key, inverse = np.unique((graph.copy * size + other) * size + terminal, return_inverse=True)
    count = weighted(inverse, graph.count, key.size)
    holder, first, met = np.unique(key // size, return_index=True, return_counts=True)
    least, most = np.minimum.reduceat(count, first), np.maximum.reduceat(count, first)
    bad = np.flatnonzero((met != per_copy[holder // size]) | (least != most))
    if bad.size:
        return _uneven(design, graph, int(holder[bad[0]] % size), (int(met[bad[0]]), int(per_copy[holder[bad[0]] // size])), (least, most), bad)
    domains, switches = int(np.count_nonzero(per_copy)), holder.size
    each = f"{per_copy.max():,} terminals on {switches // max(domains, 1):,} switches"
    return Verdict("proved", f"every switch has as many cables to every terminal: {each}{f' in each of {domains:,} copies' if domains > 1 else ''}")


def _uneven(design: Design, graph: FabricGraph, switch: int, met: tuple[int, int], limits: tuple[IntArray, IntArray], bad: IntArray) -> Verdict:
    name = f"`{vertex_name(design, graph, switch)}`"
    places = tuple((b.span, "these cables") for b in graph.bundles)
    if met[0] != met[1]:
        reason = f"{name} has cables to {met[0]:,} of {met[1]:,} terminals"
    else:
        reason = f"{name} has {int(limits[0][bad[0]])} to {int(limits[1][bad[0]])} cables to a terminal"
    return Verdict("refuted", reason, (f"{bad.size:,} switches are uneven",), places)


def _mesh(graph: FabricGraph) -> Verdict:
    """Judge a fabric without switches: a full mesh with as many cables between any two terminals."""
    low, high = np.minimum(graph.u, graph.v), np.maximum(graph.u, graph.v)
    key, inverse = np.unique((graph.copy * graph.vertices + low) * graph.vertices + high, return_inverse=True)
    count = weighted(inverse, graph.count, key.size)
    copies = key // graph.vertices // graph.vertices
    ends = np.unique(np.concatenate((graph.copy * graph.vertices + low, graph.copy * graph.vertices + high)))
    members = np.bincount(ends // graph.vertices, minlength=graph.copies)
    pairs = np.bincount(copies, minlength=graph.copies)
    if (pairs == members * (members - 1) // 2).all() and int(count.min()) == int(count.max()):
        return Verdict("proved", f"a full mesh: {int(count[0])} cables between any two of {int(members.max()):,} terminals")
    return Verdict("open", "the fabric has no switches and is no even full mesh; whether its devices pass traffic on is not stated")
