"""Text as a terminal shows it: one cell per visible character, with its width in columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

import attrs

TAB_STOP: Final = 4
_REACH: Final = 1000
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_ESCAPED: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


@attrs.frozen
class Cell:
    """One visible character: the text to print, the column it starts at (from 0), and how many columns it takes."""

    text: str
    column: int
    width: int


@attrs.frozen
class Row:
    """A line of source as cells; ``index[i]`` is the cell that holds code point ``skipped + i``, up to the end of the line."""

    cells: tuple[Cell, ...]
    index: tuple[int, ...]
    skipped: int = 0

    @property
    def width(self) -> int:
        """The columns that the whole line takes."""
        return self.cells[-1].column + self.cells[-1].width if self.cells else 0

    def column(self, offset: int) -> int:
        """Return the column (from 0) of a code point; an offset outside the row has that of its nearer end."""
        cell = self.index[max(0, min(offset - self.skipped, len(self.index) - 1))]
        return self.cells[cell].column if cell < len(self.cells) else self.width


def visible(char: str) -> str:
    """Return what is printed for a character that a terminal would obey, hide or reorder; any other stays as it is."""
    return f"\\u{{{ord(char):x}}}" if unicodedata.category(char) in _ESCAPED else char


def plain(text: str) -> str:
    """Return a message in which nothing moves the cursor or turns the direction of writing; line breaks stay."""
    return "".join(char if char in {"\n", _JOINER} else visible(char) for char in text)


def _char_width(char: str) -> int:
    """Return the columns of one character: 2 for East Asian wide ones and emoji, 0 for marks that join their base."""
    if unicodedata.category(char) in {"Mn", "Me"} or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _flag(char: str) -> bool:
    """Whether a character is one half of a flag."""
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _joins(char: str, before: str) -> bool:
    """Whether a character belongs to the cell before it: combining marks, joined emoji, skin tones, second halves of flags."""
    if not before:
        return False
    symbol = unicodedata.category(before[0]) == "So"
    if char == _JOINER or before.endswith(_JOINER):
        return symbol and (char == _JOINER or unicodedata.category(char) == "So")
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return symbol
    return _char_width(char) == 0 or (len(before) == 1 and _flag(before) and _flag(char))


def _fresh(char: str, column: int) -> Cell:
    """Return the cell of a character that stands on its own."""
    if char == "\t":
        width = TAB_STOP - column % TAB_STOP
        return Cell(" " * width, column, width)
    text = visible(char)
    if text != char:
        return Cell(text, column, len(text))
    return Cell(char, column, _char_width(char)) if _char_width(char) else Cell(f"◌{char}", column, 1)


def row(line: str, focus: int = 0) -> Row:
    """Lay a line out: tabs widen to the next multiple of four columns, control characters show as ``\\u{1b}``.

    Of a line of more than 2,000 code points only the 1,000 on each side of ``focus`` are looked at.
    """
    skipped = 0
    if len(line) > 2 * _REACH:
        start, end = max(focus - _REACH, 0), focus + _REACH
        skipped = max(start - 1, 0)
        line = f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"
    cells: list[Cell] = []
    index: list[int] = []
    before = ""
    for char in line:
        if _joins(char, before):
            last = cells[-1]
            wide = 2 if char == _EMOJI_STYLE or _flag(char) else last.width
            cells[-1] = Cell(last.text + char, last.column, wide)
            before += char
        else:
            cells.append(_fresh(char, cells[-1].column + cells[-1].width if cells else 0))
            before = char if cells[-1].text.endswith(char) else ""
        index.append(len(cells) - 1)
    return Row(tuple(cells), (*index, len(cells)), skipped)


def displayed(line: str) -> str:
    """Return a line of source as it is printed."""
    return "".join(cell.text for cell in row(line.rstrip("\r")).cells)


def crop(line: Row, first: int, last: int, width: int) -> tuple[str, int]:
    """Return at most ``width`` columns of a line, around the columns ``[first, last)``, and how many columns were cut on the left.

    Cut ends show as ``…``. The columns asked for are centred; where they are wider than the room, their start is kept.
    """
    if line.width <= width:
        return "".join(cell.text for cell in line.cells), 0
    spare = max(width - (last - first) - 2, 0)
    start = max(0, min(first - min(spare // 2, first) - 1, line.width - width))
    kept = _within(line.cells, start, start + width)
    left = kept[0].column
    head = "…" if left > 0 else ""
    tail = "…" if kept[-1].column + kept[-1].width < line.width else ""
    if head:
        kept = kept[1:]
    if tail:
        kept = kept[:-1]
    shown = "".join(cell.text for cell in kept)
    return f"{head}{shown}{tail}", (kept[0].column - 1 if head else 0)


def _within(cells: Sequence[Cell], start: int, end: int) -> list[Cell]:
    """Return the cells that lie wholly in the columns ``[start, end)``."""
    return [cell for cell in cells if cell.column >= start and cell.column + cell.width <= end]
