"""The rooms of `passes`: what they offer, and the metrics of all of them by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Final

from topolang.ir.model import Design
from topolang.passes.model import Pass, Room, Table
from topolang.passes.outcome import Outcome, unknown
from topolang.passes.question import Answer, Question

# in the order in which their checks run and their tables are printed; each has a module `room` that says what it offers
ROOMS: Final = ("structure", "throughput", "paths", "failures", "protocols", "nvlink", "affinity", "memory", "power", "traffic", "advice")


@lru_cache(maxsize=1)
def rooms() -> tuple[Room, ...]:
    """Return what each room offers, in order."""
    return tuple(import_module(f"topolang.passes.{name}.room").ROOM for name in ROOMS)


@lru_cache(maxsize=1)
def answers() -> Mapping[str, Answer]:
    """Return who answers each metric that this version computes."""
    return {name: answer for room in rooms() for name, answer in room.answers.items()}


def room_passes() -> Iterator[Pass]:
    """Yield the checks of all rooms."""
    for room in rooms():
        yield from room.passes


def tables(design: Design) -> tuple[Table, ...]:
    """Return the tables of the report that have rows. Errors in the wiring must have been ruled out."""
    return tuple(table for room in rooms() for make in room.tables for table in make(design) if table.rows)


def ask(question: Question) -> Outcome:
    """Return what a metric comes to."""
    answer = answers().get(question.metric.name)
    return answer(question) if answer is not None else unknown(f"this version does not compute `{question.metric.name}`")
