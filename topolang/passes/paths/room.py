"""What this room offers: hops, tiers and their capacity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from topolang.ir.graph import graphs
from topolang.ir.model import Design
from topolang.ir.roles import roles
from topolang.passes.model import Room, Table
from topolang.passes.outcome import Outcome, unknown
from topolang.passes.paths.capacity import capacity
from topolang.passes.paths.hops import hops
from topolang.passes.question import Question, no_fabric


def _hops(question: Question) -> Outcome:
    fabric, scope = question.fabric, question.symbol()
    if scope not in (None, "any"):
        return unknown(f"`hops(…, {scope})` needs the ports' rails and pods, which this version does not compare")
    return hops(question.design, fabric) if fabric is not None else no_fabric(question)


def _levels(question: Question) -> Outcome:
    fabric = question.fabric
    if fabric is None:
        return no_fabric(question)
    known = roles(graphs(question.design)[fabric.index])
    tiers = [t for t, forwards in zip(known.tier, known.forwards, strict=True) if forwards]
    if known.unclear or any(t < 0 for t in tiers):
        return unknown("the tier of some devices is not known: state their `role`")
    return Outcome(max(tiers, default=0))


def _oversubscription(question: Question) -> Outcome:
    fabric = question.fabric
    if fabric is None:
        return no_fabric(question)
    if roles(graphs(question.design)[fabric.index]).unclear:
        return unknown("the role of some devices is not stated")
    ratios = [r.oversubscription for r in capacity(question.design) if r.fabric.index == fabric.index and r.oversubscription is not None]
    return Outcome(max(ratios)) if ratios else unknown("the fabric has one tier of switches, so nothing is oversubscribed")


def _tiers(design: Design) -> Iterator[Table]:
    columns = ("fabric", "switch", "tier", "count", "down", "up", "peers", "oversubscription")
    rows = [(r.fabric.name, r.element, r.tier, r.switches, str(r.down), str(r.up), str(r.peer), r.oversubscription) for r in capacity(design)]
    yield Table("tiers", "Tiers", columns, tuple(rows), ("cables per switch; oversubscription is the worst ratio of bandwidth down to bandwidth up",))


ROOM: Final = Room({"hops": _hops, "levels": _levels, "oversubscription": _oversubscription}, tables=(_tiers,))
