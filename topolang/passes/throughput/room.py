"""What this room offers: whether a fabric is non-blocking."""

from __future__ import annotations

from typing import Final

from topolang.passes.model import Room
from topolang.passes.outcome import Outcome, decided
from topolang.passes.question import Question, no_fabric
from topolang.passes.throughput.nonblocking import nonblocking


def _nonblocking(question: Question) -> Outcome:
    fabric = question.fabric
    return decided(nonblocking(question.design, fabric)) if fabric is not None else no_fabric(question)


ROOM: Final = Room({"nonblocking": _nonblocking})
