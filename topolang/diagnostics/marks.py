"""The rows under a line of source: underlines and what they say."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from topolang.diagnostics.style import Piece, Role


@attrs.frozen
class Mark:
    """A part of one line to be underlined: columns ``[start, end)``, a text that may be empty, and the colour's role."""

    start: int
    end: int
    text: str
    role: Role
    primary: bool

    @property
    def sign(self) -> str:
        """The character of the underline."""
        return "^" if self.primary else "-"


def _spread(chars: dict[int, tuple[Role, str]]) -> list[Piece]:
    """Return the pieces of a row given by single characters at columns."""
    pieces: list[Piece] = []
    column = 0
    for at in sorted(chars):
        pieces.append(("", " " * (at - column)))
        pieces.append(chars[at])
        column = at + 1
    return pieces


def _underline(marks: Sequence[Mark]) -> dict[int, tuple[Role, str]]:
    """Return the underlines; a narrower mark stands above a wider one, so that both can be seen."""
    chars: dict[int, tuple[Role, str]] = {}
    for mark in sorted(marks, key=lambda m: (m.start - m.end, m.primary)):
        chars.update(dict.fromkeys(range(mark.start, mark.end), (mark.role, mark.sign)))
    return chars


def rows(marks: Sequence[Mark]) -> list[list[Piece]]:
    """Return the rows under one line: the underlines with the last mark's text behind them, then the other texts from right to left."""
    chars = _underline(marks)
    last = max(marks, key=lambda m: (m.end, m.start, m.primary))
    first_row = _spread(chars)
    if last.text:
        first_row.append((last.role, f" {last.text}"))
    result = [first_row]
    hanging = sorted((m for m in marks if m.text and m is not last), key=lambda m: -m.start)
    if hanging:
        result.append(_spread({m.start: (m.role, "|") for m in reversed(hanging)}))
    for i, mark in enumerate(hanging):
        bars = {m.start: (m.role, "|") for m in reversed(hanging[i + 1 :]) if m.start < mark.start}
        column = max(bars, default=-1) + 1
        result.append([*_spread(bars), ("", " " * (mark.start - column)), (mark.role, mark.text)])
    return result
