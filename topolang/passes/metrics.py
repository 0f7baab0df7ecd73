"""The metrics of claims that this version computes; every other one is open, with what it would need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import attrs

from topolang.ir.model import Design, Dim, Fabric, Metric, Symbol, TargetArg
from topolang.passes.outcome import Outcome, decided, unknown

# what is still missing for a metric
_NEEDS: Final = {
    "bandwidth": "a routing of the demands between two kinds of devices",
    "bandwidth_lost": "the effects of a failure",
    "distance": "cable lengths and so the places of racks",
    "gpus_cut": "the effects of a failure",
    "latency": "paths with their latencies",
    "power": "the optics of every cable",
    "rack_power_max": "the places of racks",
}


@attrs.frozen(eq=False)
class Question:
    """A call of a metric: the design, the call, the dimensions that number the copies of the module it stands in, and the copy (flat index)."""

    design: Design
    metric: Metric
    context: tuple[Dim, ...]
    copy: int

    @property
    def fabric(self) -> Fabric | None:
        """The fabric that the first argument names."""
        first = self.metric.args[0] if self.metric.args else None
        return first.targets[0].fabric if isinstance(first, TargetArg) and first.targets else None

    @property
    def target(self) -> TargetArg | None:
        """The first argument as a name of devices."""
        first = self.metric.args[0] if self.metric.args else None
        return first if isinstance(first, TargetArg) else None


Answer: TypeAlias = Callable[[Question], Outcome]


def _no_fabric(question: Question) -> Outcome:
    return unknown(f"`{question.metric.name}` speaks of one fabric")


def _nonblocking(question: Question) -> Outcome:
    from topolang.passes.nonblocking import nonblocking

    fabric = question.fabric
    return decided(nonblocking(question.design, fabric)) if fabric is not None else _no_fabric(question)


def _alltoall(question: Question) -> Outcome:
    from topolang.passes.alltoall import alltoall

    fabric = question.fabric
    return decided(alltoall(question.design, fabric)) if fabric is not None else _no_fabric(question)


def _hops(question: Question) -> Outcome:
    from topolang.passes.hops import hops

    fabric = question.fabric
    words = [a.name for a in question.metric.args[1:] if isinstance(a, Symbol)]
    if words not in ([], ["any"]):
        return unknown(f"`hops(…, {words[0] if words else 'devices'})` needs the ports' rails and pods, which this version does not compare")
    return hops(question.design, fabric) if fabric is not None else _no_fabric(question)


def _levels(question: Question) -> Outcome:
    from topolang.ir.graph import graphs
    from topolang.ir.roles import roles

    fabric = question.fabric
    if fabric is None:
        return _no_fabric(question)
    known = roles(graphs(question.design)[fabric.index])
    tiers = [t for t, forwards in zip(known.tier, known.forwards, strict=True) if forwards]
    if known.unclear or any(t < 0 for t in tiers):
        return unknown("the tier of some devices is not known: state their `role`")
    return Outcome(max(tiers, default=0))


def _oversubscription(question: Question) -> Outcome:
    from topolang.ir.graph import graphs
    from topolang.ir.roles import roles
    from topolang.passes.capacity import capacity

    fabric = question.fabric
    if fabric is None:
        return _no_fabric(question)
    if roles(graphs(question.design)[fabric.index]).unclear:
        return unknown("the role of some devices is not stated")
    ratios = [r.oversubscription for r in capacity(question.design) if r.fabric.index == fabric.index and r.oversubscription is not None]
    return Outcome(max(ratios)) if ratios else unknown("the fabric has one tier of switches, so nothing is oversubscribed")


def _count(question: Question) -> Outcome:
    from topolang.passes.counts import count

    target = question.target
    return count(target.targets, question.context, question.copy) if target is not None else unknown("`count` takes devices")


def _sum_of(name: str) -> Answer:
    def answer(question: Question) -> Outcome:
        from topolang.passes.counts import attribute_sum

        target = question.target
        if target is None or question.fabric is not None:
            return unknown(f"`{question.metric.name}` needs {_NEEDS.get(name, 'devices')}, which this version does not compute")
        return attribute_sum(name, target.targets, question.context, question.copy)

    return answer


_METRICS: Final[dict[str, Answer]] = {
    "alltoall": _alltoall,
    "capacity": _sum_of("capacity"),
    "count": _count,
    "hops": _hops,
    "levels": _levels,
    "nonblocking": _nonblocking,
    "oversubscription": _oversubscription,
    "power": _sum_of("power"),
}


def computed() -> Sequence[str]:
    """Return the names of the metrics that this version computes."""
    return tuple(_METRICS)


def ask(question: Question) -> Outcome:
    """Return what a metric comes to."""
    answer = _METRICS.get(question.metric.name)
    if answer is not None:
        return answer(question)
    needs = _NEEDS.get(question.metric.name, "data")
    return unknown(f"`{question.metric.name}` needs {needs}, which this version does not compute")
