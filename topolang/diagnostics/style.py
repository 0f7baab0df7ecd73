"""Colours: what a piece of a rendering is, and how a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Final, Literal, TypeAlias

Role = Literal["", "error", "warning", "note", "help", "strong", "gutter", "added", "removed"]
Piece: TypeAlias = tuple[Role, str]

_RESET: Final = "\x1b[0m"
_ANSI: Final[dict[Role, str]] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "help": "\x1b[1;32m",
    "strong": "\x1b[1m",
    "gutter": "\x1b[1;34m",
    "added": "\x1b[32m",
    "removed": "\x1b[31m",
}


def paint(pieces: Iterable[Piece], color: bool) -> str:
    """Join the pieces of one line, without blanks at its end; with ``color``, wrap them in ANSI sequences."""
    kept = [(role, text) for role, text in pieces if text]
    while kept and not kept[-1][1].rstrip():
        kept.pop()
    if kept:
        kept[-1] = (kept[-1][0], kept[-1][1].rstrip())
    if not color:
        return "".join(text for _, text in kept)
    runs = [(role, "".join(text for _, text in group)) for role, group in groupby(kept, key=itemgetter(0))]
    return "".join(f"{_ANSI[role]}{text}{_RESET}" if role else text for role, text in runs)
