"""Folded Clos networks of any number of tiers, with rails, planes, holes and uneven trunks: proofs that they are non-blocking.

Take the switches that serve terminals away; the others fall apart into *planes*. Two theorems are applied, from the terminals upwards:

* Slots. Let D be the most terminals of one switch that may want to leave it, and m(P) the least number of cables from any such switch into plane P.
  If the m(P) sum up to D, every permutation can be carried without touching the rest: the demand between switches is a bipartite multigraph of
  degree at most D, so its edges take D colours (König 1916), and each colour, a partial permutation, is given to one slot of one plane. A plane
  that is one switch carries what reaches it; a larger plane is judged the same way, its cables from below being its terminals. This is the theorem
  of Slepian and Duguid (Beneš, Mathematical Theory of Connecting Networks and Telephone Traffic, 1965, ch. 3).
* Shares. If traffic may be spread over paths, send through P the share f(P) of all traffic. With demands b(i) and capacities c(P,i), plane P bears
  θ·f(P)·b(i) ≤ c(P,i) for every i; with the throughput θ(P) of the plane itself for its cables from below, the network carries every demand within
  the terminals' rates up to θ = Σ min(1, θ(P))·min c(P,i)/b(i). This is oblivious routing of the hose model (Valiant 1982; Duffield et al. 1999).

Every switch is taken as non-blocking in itself. Both conditions are sufficient, never necessary: what they cannot prove may hold all the same.
"""

from __future__ import annotations

from fractions import Fraction

import attrs
import numpy as np

from topolang.ir.columns import components, weighted
from topolang.ir.grid import BoolArray, IntArray
from topolang.passes.switchnet import SwitchNet


@attrs.frozen
class Step:
    """What was shown on one tier: ``switches`` of these ``elements`` with at most ``demand`` each, the number of planes above (least and greatest
    over pieces), how many of these are single switches, and the least room that the planes of a piece give each switch."""

    elements: tuple[int, ...]
    switches: int
    demand: int
    planes: tuple[int, int]
    single: bool
    room: int


@attrs.frozen(eq=False)
class _Layer:
    """One step of taking the lowest switches away.

    ``need`` is what each switch's terminals can want from others at once; ``plane`` labels the switches above. ``low``/``top``/``room`` are cables
    between a lowest switch in need and one above; ``pair_*`` the same summed per plane and lowest switch, sorted by plane. ``complete`` says which
    plane labels reach every switch in need of their piece.
    """

    need: IntArray
    bottom: BoolArray
    plane: IntArray
    low: IntArray
    top: IntArray
    room: IntArray
    pair_plane: IntArray
    pair_low: IntArray
    pair_room: IntArray
    complete: BoolArray


def _layer(net: SwitchNet, whole_elements: bool) -> _Layer:
    total = weighted(net.piece, net.demand, net.size)
    need = np.minimum(net.demand, total[net.piece] - net.demand)
    active = need > 0
    bottom = active
    if whole_elements:
        # leaves without a terminal go with the others: left in place, they would tie the planes together
        kind = net.piece * (int(net.element.max(initial=0)) + 1) + net.element
        bottom = np.isin(kind, np.unique(kind[active]))
    above = ~bottom[net.u] & ~bottom[net.v]
    plane = components(net.size, net.u[above], net.v[above])
    low_first = bottom[net.u] & ~bottom[net.v]
    cross = low_first | (bottom[net.v] & ~bottom[net.u])
    low, top = np.where(low_first, net.u, net.v)[cross], np.where(low_first, net.v, net.u)[cross]
    room = net.capacity[cross]
    wanted = active[low] & (room > 0)
    low, top, room = low[wanted], top[wanted], room[wanted]
    key, inverse = np.unique(plane[top] * net.size + low, return_inverse=True)
    pair_plane, pair_low = key // max(net.size, 1), key % max(net.size, 1)
    reached = np.bincount(pair_plane, minlength=net.size)
    in_need = np.bincount(net.piece[active], minlength=net.size)
    complete = (reached == in_need[net.piece]) & (reached > 0)
    return _Layer(need, bottom, plane, low, top, room, pair_plane, pair_low, weighted(inverse, room, key.size), complete)


def _above(net: SwitchNet, layer: _Layer, demand: IntArray) -> tuple[SwitchNet, IntArray]:
    """Return the switches above as a net of their own, each plane a piece, and the number there of each switch (-1 for those below)."""
    keep = np.flatnonzero(~layer.bottom)
    number = np.full(net.size, -1, dtype=np.int64)
    number[keep] = np.arange(keep.size, dtype=np.int64)
    inner = (number[net.u] >= 0) & (number[net.v] >= 0)
    upper = SwitchNet(net.element[keep], number[layer.plane[keep]], number[net.u[inner]], number[net.v[inner]], net.capacity[inner], demand[keep])
    return upper, number


def _meshed(net: SwitchNet, need: IntArray) -> BoolArray:
    """Return the pieces (by label) in which every two switches in need are joined directly by as much as they can want of each other."""
    active = need > 0
    count = np.bincount(net.piece[active], minlength=net.size)
    enough = active[net.u] & active[net.v] & (net.capacity >= np.minimum(need[net.u], need[net.v]))
    pairs = np.bincount(net.piece[net.u[enough]], minlength=net.size)
    meshed: BoolArray = pairs == count * (count - 1) // 2
    return meshed


def by_slots(net: SwitchNet, whole_elements: bool, steps: list[Step] | None = None) -> BoolArray:
    """Return which pieces (by label) carry every permutation of their terminals, each connection on one path; ``net`` measured in slots.

    What was shown is appended to ``steps``, from the terminals upwards.
    """
    layer = _layer(net, whole_elements)
    wanted = np.zeros(net.size, dtype=np.int64)
    np.maximum.at(wanted, net.piece, layer.need)
    done: BoolArray = (wanted == 0) | _meshed(net, layer.need)
    if done[net.piece].all():
        return done
    room = np.zeros(net.size, dtype=np.int64)
    starts = np.flatnonzero(np.r_[True, layer.pair_plane[1:] != layer.pair_plane[:-1]]) if layer.pair_plane.size else np.zeros(0, dtype=np.int64)
    planes = layer.pair_plane[starts]
    least = np.minimum.reduceat(layer.pair_room, starts) if starts.size else starts
    room[planes] = np.where(layer.complete[planes], np.minimum(least, wanted[net.piece[planes]]), 0)
    upper, number = _above(net, layer, weighted(layer.top, np.minimum(layer.room, room[layer.plane[layer.top]]), net.size))
    step = len(steps) if steps is not None else 0
    carried = by_slots(upper, whole_elements, steps)
    good = planes[carried[number[planes]] & (room[planes] > 0)]
    total = weighted(net.piece[good], room[good], net.size)
    if steps is not None:
        steps.insert(step, _step(net, layer, wanted, good, total))
    done |= total >= wanted
    return done


def _step(net: SwitchNet, layer: _Layer, wanted: IntArray, good: IntArray, total: IntArray) -> Step:
    active = np.flatnonzero(layer.need > 0)
    pieces = np.unique(net.piece[active])
    counts = np.bincount(net.piece[good], minlength=net.size)[pieces]
    sizes = np.bincount(layer.plane[~layer.bottom], minlength=net.size)[good]
    elements = tuple(np.unique(net.element[active]).tolist())
    return Step(
        elements,
        int(active.size),
        int(wanted.max()),
        (int(counts.min()), int(counts.max())),
        bool((sizes == 1).all()),
        int(total[pieces].min()),
    )


def by_shares(net: SwitchNet, whole_elements: bool) -> dict[int, Fraction]:
    """Return a throughput per piece (by label, at most 1) up to which all demands within the terminals' rates are carried; ``net`` in rates."""
    layer = _layer(net, whole_elements)
    labels = np.unique(net.piece).tolist()
    active = np.unique(net.piece[layer.need > 0]).tolist()
    result = dict.fromkeys(labels, Fraction(1))
    if not active:
        return result
    shares = _shares(layer)
    upper, number = _above(net, layer, weighted(layer.top, layer.room, net.size))
    above = by_shares(upper, whole_elements) if shares else {}
    for piece in active:
        result[piece] = Fraction(0)
    for plane, share in shares.items():
        piece = int(net.piece[plane])
        result[piece] = min(Fraction(1), result[piece] + share * above[int(number[plane])])
    return result


def _shares(layer: _Layer) -> dict[int, Fraction]:
    """Return for each complete plane the least ratio of capacity to need over the switches below it, exactly."""
    need = layer.need[layer.pair_low]
    base = int(need.max(initial=0)) + 1
    key, inverse = np.unique(layer.pair_room * base + need, return_inverse=True)
    ratios = [Fraction(k // base, k % base) for k in key.tolist()]
    order = sorted(range(len(ratios)), key=ratios.__getitem__)
    rank = np.empty(len(ratios), dtype=np.int64)
    rank[order] = np.arange(len(ratios), dtype=np.int64)
    planes, at = np.unique(layer.pair_plane, return_inverse=True)
    lowest = np.full(planes.size, len(ratios), dtype=np.int64)
    np.minimum.at(lowest, at, rank[inverse])
    return {p: ratios[order[r]] for p, r in zip(planes.tolist(), lowest.tolist(), strict=True) if layer.complete[p]}
