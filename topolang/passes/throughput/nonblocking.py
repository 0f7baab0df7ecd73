"""``nonblocking(fabric)``: can every permutation of the terminals' ports be carried at full rate?

Refuted by a cut (`cuts`), proved by structure (`clos`), otherwise open with bounds on the throughput of the worst demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from topolang.diagnostics import Span
from topolang.ir.graph import FabricGraph, graphs, vertex_name
from topolang.ir.grid import BoolArray, IntArray
from topolang.ir.model import Design, Fabric
from topolang.ir.roles import Roles, roles
from topolang.passes.model import Verdict
from topolang.passes.switchnet import Reduced, reduce
from topolang.passes.throughput.clos import Step, by_shares, by_slots
from topolang.passes.throughput.cuts import Cut, families, tightest
from topolang.units import Quantity, decimal, gbps


def nonblocking(design: Design, fabric: Fabric) -> Verdict:
    """Return the verdict, proved or refuted with the numbers that show it."""
    graph = graphs(design)[fabric.index]
    known = roles(graph)
    return _unclear(graph, known) or _without_switches(graph, known) or _judge(design, graph, known)


def _unclear(graph: FabricGraph, known: Roles) -> Verdict | None:
    """Return an open verdict where it is not known which devices forward traffic, or where a terminal has cables past the switches."""
    if known.unclear:
        names = ", ".join(f"`{graph.elements[i].device.name}`" for i in known.unclear)
        places = tuple((graph.elements[i].device.span, 'write `role = "switch"` or `role = "host"` here') for i in known.unclear)
        return Verdict("open", f"it is not stated whether {names} forwards traffic: state `role`", (), places)
    switch = known.switch_mask(graph)
    direct = ~switch[graph.u] & ~switch[graph.v]
    if direct.any() and not direct.all():
        bundles = np.unique(graph.bundle[direct]).tolist()
        places = tuple((b.span, "joins terminals directly") for b in graph.bundles if b.index in bundles)
        return Verdict("open", "some terminals are joined directly and others through switches, which is not decided", (), places)
    return None


def _without_switches(graph: FabricGraph, known: Roles) -> Verdict | None:
    if not graph.u.size:
        return Verdict("open", "the fabric has no cables")
    if known.switch_mask(graph)[np.concatenate((graph.u, graph.v))].any():
        return None
    degree = np.bincount(np.concatenate((graph.u, graph.v)), minlength=graph.vertices)
    pairs = np.unique(np.minimum(graph.u, graph.v) * graph.vertices + np.maximum(graph.u, graph.v)).size
    if 2 * pairs == np.count_nonzero(degree):
        return Verdict("proved", "every device has one other to talk to, joined by all of its ports")
    return Verdict("open", "the fabric has no switches, and whether its devices pass traffic on is not stated")


def _judge(design: Design, graph: FabricGraph, known: Roles) -> Verdict:
    reduced = reduce(graph, known)
    if not reduced.rates.demand.any():
        return Verdict("open", "no terminal has a cable to a switch of the fabric")
    cut = tightest(reduced.rates, families(graph, known, reduced))
    if cut is not None and cut.out < cut.wanted:
        return _refuted(design, graph, reduced, cut)
    pieces = np.unique(reduced.rates.piece[reduced.rates.demand > 0])
    carried = np.zeros(reduced.slots.size, dtype=np.bool_)
    for whole_elements in (True, False):
        steps: list[Step] = []
        alone = by_slots(reduced.slots, whole_elements, steps)
        if alone[pieces].all():
            return _proved(graph, reduced, steps, pieces)
        carried |= alone
    shares = [by_shares(reduced.rates, whole_elements) for whole_elements in (True, False)]
    lower = [Fraction(1) if carried[p] else max(s[p] for s in shares) for p in pieces.tolist()]
    if min(lower) >= 1:
        return _proved_by_shares(graph, reduced, pieces)
    return _open(graph, reduced, min(lower), cut)


# ---------------------------------------------------------------- wording


def _alone(pieces: IntArray) -> str:
    return f"; its {pieces.size:,} separate planes or rails are proved each on its own" if pieces.size > 1 else ""


def _names(graph: FabricGraph, elements: Sequence[int]) -> str:
    return ", ".join(f"`{graph.elements[i].name}`" for i in elements)


def _proved(graph: FabricGraph, reduced: Reduced, steps: list[Step], pieces: IntArray) -> Verdict:
    shown = [s for s in steps if s.demand]
    terminals = int(reduced.slots.demand.sum())
    if not shown:
        busy = int(np.count_nonzero(reduced.slots.demand))
        elements = np.unique(reduced.slots.element[reduced.slots.demand > 0]).tolist()
        carried = "carries the traffic of its terminals alone or over direct cables"
        reason = f"each of {busy:,} switches ({_names(graph, elements)}) {carried}{_alone(pieces)}"
        return Verdict("proved", reason, (f"{terminals:,} terminal ports, each switch taken as a crossbar",))
    unit = gbps(_rate(graph, reduced.slot))
    certificate = [f"{terminals:,} terminal ports of at most {unit}, each switch taken as a crossbar"]
    certificate += [_step(graph, step, level) for level, step in enumerate(shown, start=1)]
    certificate.append("every permutation takes one path per connection (Slepian and Duguid; edge colouring, König)")
    room = f"{shown[0].room} slots upwards for at most {shown[0].demand} terminals of a switch"
    return Verdict("proved", f"rearrangeably non-blocking in {len(shown) + 1} tiers: {room}{_alone(pieces)}", tuple(certificate))


def _step(graph: FabricGraph, step: Step, level: int) -> str:
    what = "terminal ports" if level == 1 else "cables from below"
    least, most = step.planes
    planes = f"{least}" if least == most else f"{least} to {most}"
    kind = "single switches" if step.single else "planes"
    return (
        f"tier {level}: {step.switches:,} {_names(graph, step.elements)}, at most {step.demand} {what} each; "
        f"{planes} {kind} above have room for {step.room} from every one: {step.room} >= {step.demand}"
    )


def _proved_by_shares(graph: FabricGraph, reduced: Reduced, pieces: IntArray) -> Verdict:
    terminals = int(reduced.slots.demand.sum())
    certificate = (
        f"{terminals:,} terminal ports of at most {gbps(_rate(graph, reduced.slot))}, each switch taken as a crossbar",
        "each plane takes a fixed share of all traffic, and no cable carries more than its rate (hose model)",
        "a single connection may need several paths: packet spraying or as many flows",
    )
    return Verdict("proved", f"non-blocking where traffic is spread over all paths{_alone(pieces)}", certificate)


def _rate(graph: FabricGraph, amount: int) -> Quantity:
    return Quantity(amount * graph.unit, "rate")


def _open(graph: FabricGraph, reduced: Reduced, lower: Fraction, cut: Cut | None) -> Verdict:
    upper = f"{decimal(min(Fraction(1), cut.throughput))}" if cut is not None else "1"
    served = np.unique(reduced.rates.element[reduced.rates.demand > 0]).tolist()
    certificate = (
        f"between {decimal(lower)} and {upper} of the full rate for the worst demand",
        f"terminals stand on {_names(graph, served)}",
        "no tier, index or single switch is a bottleneck, and no planes of a folded Clos carry it all",
    )
    return Verdict("open", "neither a folded Clos with enough planes nor cut by a bottleneck", certificate)


def _refuted(design: Design, graph: FabricGraph, reduced: Reduced, cut: Cut) -> Verdict:
    inside = np.zeros(graph.vertices, dtype=np.bool_)
    inside[reduced.vertex[cut.members]] = True
    switch = np.zeros(graph.vertices, dtype=np.bool_)
    switch[reduced.vertex] = True
    down = (inside[graph.u] & ~switch[graph.v]) | (inside[graph.v] & ~switch[graph.u])
    up = (inside[graph.u] != inside[graph.v]) & switch[graph.u] & switch[graph.v]
    where = _where(design, graph, reduced.vertex[cut.members])
    ratio = "no cable leaves it" if not cut.out else f"ratio {_ratio(cut)}:1"
    reason = f"{_cables(graph, down)} down against {_cables(graph, up)} up at {where}, {ratio}"
    certificate = [
        f"terminals below: {gbps(_rate(graph, cut.inside))}; the others in this piece: {gbps(_rate(graph, cut.rest))}",
        f"cables out: {gbps(_rate(graph, cut.out))}, so at most {decimal(cut.throughput)} of the full rate",
    ]
    if cut.rest < cut.inside:
        certificate.append(f"the others can want {gbps(_rate(graph, cut.rest))} of these terminals, and no more")
    return Verdict("refuted", reason, tuple(certificate), (*_places(graph, down, "down"), *_places(graph, up, "up")))


def _ratio(cut: Cut) -> str:
    return f"{float(1 / cut.throughput):.2f}"


def _where(design: Design, graph: FabricGraph, members: IntArray) -> str:
    first = f"`{vertex_name(design, graph, int(members[0]))}`"
    if members.size == 1:
        return first
    return f"{members.size:,} switches ({first} to `{vertex_name(design, graph, int(members[-1]))}`)"


def _cables(graph: FabricGraph, rows: BoolArray) -> str:
    rates, at = np.unique(graph.rate[rows], return_inverse=True)
    counts = np.bincount(at, weights=graph.count[rows], minlength=rates.size).astype(np.int64)
    parts = [f"{count:,} x {gbps(_rate(graph, rate))}" for rate, count in zip(rates[::-1].tolist(), counts[::-1].tolist(), strict=True)]
    return " + ".join(parts) if parts else "nothing"


def _places(graph: FabricGraph, rows: BoolArray, way: str) -> list[tuple[Span, str]]:
    places = []
    for bundle in graph.bundles:
        mine = rows & (graph.bundle == bundle.index)
        if mine.any():
            places.append((bundle.span, f"{_cables(graph, mine)} {way}"))
    return places
