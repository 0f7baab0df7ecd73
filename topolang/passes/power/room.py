"""What this room offers: the power of devices."""

from __future__ import annotations

from typing import Final

from topolang.passes.model import Room
from topolang.passes.outcome import Outcome, unknown
from topolang.passes.question import Question
from topolang.passes.structure.counts import attribute_sum


def _power(question: Question) -> Outcome:
    target = question.target()
    if target is None:
        return unknown("`power` of a fabric needs the optics of every cable, which this version does not compute")
    return attribute_sum("power", target.targets, question.context, question.copy)


ROOM: Final = Room({"power": _power})
