"""What this room offers: counts, sums over devices and even domains."""

from __future__ import annotations

from typing import Final

from topolang.passes.model import Room
from topolang.passes.outcome import Outcome, decided, unknown
from topolang.passes.question import Question, no_fabric
from topolang.passes.structure.alltoall import alltoall
from topolang.passes.structure.counts import attribute_sum, count


def _alltoall(question: Question) -> Outcome:
    fabric = question.fabric
    return decided(alltoall(question.design, fabric)) if fabric is not None else no_fabric(question)


def _count(question: Question) -> Outcome:
    target = question.target()
    return count(target.targets, question.context, question.copy) if target is not None else unknown("`count` takes devices")


def _capacity(question: Question) -> Outcome:
    target = question.target()
    if target is None:
        return unknown("`capacity` takes devices")
    return attribute_sum("capacity", target.targets, question.context, question.copy)


ROOM: Final = Room({"alltoall": _alltoall, "capacity": _capacity, "count": _count})
