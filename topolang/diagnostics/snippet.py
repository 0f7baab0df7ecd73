"""One file's part of a rendering: numbered lines of source with everything that is to be said about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from topolang.diagnostics import cells, marks
from topolang.diagnostics.marks import Mark
from topolang.diagnostics.model import Label
from topolang.diagnostics.source import SourceFile
from topolang.diagnostics.style import Piece, Role

# a span over more lines than this shows its first two and its last line
_SHOWN_LINES: Final = 5
_LEAST_WIDTH: Final = 30


@attrs.frozen
class Block:
    """A span over several lines; columns count from 0 in the uncropped line, ``slot`` is its bar's place in the margin.

    A block that ``hugs`` begins with its line, so its bar starts beside it; another begins under its line, tied to the column.
    """

    first: int
    last: int
    start: int
    end: int
    text: str
    role: Role
    primary: bool
    slot: int
    hugs: bool


@attrs.frozen
class Place:
    """Where a label lies: lines from 1, code points within a line from 0, ``end`` exclusive."""

    first: int
    start: int
    last: int
    end: int


def place(label: Label) -> Place:
    """Return where a label lies; blanks at the end of a span over several lines are not part of it.

    The end of a file is shown behind its last line, not on an empty line of its own.
    """
    span = label.span
    source, length = span.source, len(span.source.text)
    start = max(0, min(span.start, length))
    if start == length:
        start = length = len(source.text.rstrip())
    end = max(start, min(span.end, length))
    first = source.line_of(start)
    if source.line_of(end) != first:
        end = max(start, start + len(source.text[start:end].rstrip()))
    last = source.line_of(end)
    starts = source.line_starts
    return Place(first, start - starts[first - 1], last, end - starts[last - 1])


class Snippet:
    """The lines of one source that labels point at, laid out for a width in columns."""

    def __init__(self, source: SourceFile, labels: Sequence[tuple[Label, Role, bool]], gutter: int, width: int) -> None:
        self._source = source
        self._gutter = gutter
        self._rows: dict[int, cells.Row] = {}
        self._marks: dict[int, list[Mark]] = {}
        self._blocks: list[Block] = []
        for label, role, primary in labels:
            self._take(label, role, primary)
        slots = max((b.slot for b in self._blocks), default=-1) + 1
        self._margin = 2 * slots
        self._open: dict[int, Block] = {}
        self._width = max(width - gutter - 3 - self._margin, _LEAST_WIDTH)

    def _row(self, line: int, focus: int = 0) -> cells.Row:
        """Return the layout of a line; ``focus``, a code point, matters in a very long one when it is first asked for."""
        if line not in self._rows:
            self._rows[line] = cells.row(self._source.line_text(line), focus)
        return self._rows[line]

    def _take(self, label: Label, role: Role, primary: bool) -> None:
        at = place(label)
        text = " ".join(cells.plain(label.text).split())
        line = self._row(at.first, at.start)
        start = line.column(at.start)
        if at.first == at.last:
            mark = Mark(start, max(line.column(at.end), start + 1), text, role, primary)
            self._marks.setdefault(at.first, []).append(mark)
            return
        end = max(self._row(at.last, at.end).column(at.end), 1)
        hugs = not self._source.line_text(at.first)[: at.start].strip()
        taken = {b.slot for b in self._blocks if b.first <= at.last and at.first <= b.last}
        slot = next(n for n in range(len(taken) + 1) if n not in taken)
        self._blocks.append(Block(at.first, at.last, start, end, text, role, primary, slot, hugs))

    def lines(self) -> list[int]:
        """Return the numbers of the lines shown, in order."""
        shown = set(self._marks)
        for block in self._blocks:
            whole = block.last - block.first < _SHOWN_LINES
            shown.update(range(block.first, block.last + 1) if whole else (block.first, block.first + 1, block.last))
        shown.update(line + 1 for line in sorted(shown) if line + 2 in shown)
        return sorted(shown)

    def render(self) -> Iterator[list[Piece]]:
        """Yield the rows: a blank one, then lines of source with the rows that belong to them."""
        yield self._head("")
        before = None
        for line in self.lines():
            if before is not None and line > before + 1:
                yield [("gutter", "...".ljust(self._gutter + 3)), *self._bars()]
            yield from self._line(line)
            before = line

    def _head(self, number: str) -> list[Piece]:
        return [("gutter", f"{number.rjust(self._gutter)} | ")]

    def _bars(self) -> list[Piece]:
        """Return the margin: the bars of the blocks that are open."""
        chars: list[Piece] = [("", " ")] * self._margin
        for slot, block in self._open.items():
            chars[2 * slot] = (block.role, "|")
        return chars

    def _line(self, line: int) -> Iterator[list[Piece]]:
        here = self._marks.get(line, [])
        opening = [b for b in self._blocks if b.first == line]
        closing = [b for b in self._blocks if b.last == line]
        text, cut = self._cropped(line, here, opening, closing)
        bars = self._bars()
        for block in (b for b in opening if b.hugs):
            bars[2 * block.slot] = (block.role, "/")
            self._open[block.slot] = block
        yield [*self._head(str(line)), *bars, ("", text)]
        if here:
            for pieces in marks.rows([self._moved(m, cut) for m in here]):
                yield [*self._head(""), *self._bars(), *pieces]
        for block in (b for b in opening if not b.hugs):
            yield self._corner(block, self._clip(block.start - cut), "")
            self._open[block.slot] = block
        for block in closing:
            yield self._corner(block, self._clip(block.end - 1 - cut), block.text)
            del self._open[block.slot]

    def _cropped(self, line: int, here: Sequence[Mark], opening: Sequence[Block], closing: Sequence[Block]) -> tuple[str, int]:
        """Return a line's text within the width, and the columns cut: all that is marked is shown if it fits, else the primary place."""
        spans = [(m.start, m.end) for m in here]
        spans += [(b.start, b.start + 1) for b in opening if not b.hugs] + [(b.end - 1, b.end) for b in closing]
        if not spans:
            spans = [(0, 1)]
        first, last = min(start for start, _ in spans), max(end for _, end in spans)
        if last - first > self._width - 2:
            first, last = next(((m.start, m.end) for m in here if m.primary), spans[0])
        return cells.crop(self._row(line), first, last, self._width)

    def _moved(self, mark: Mark, cut: int) -> Mark:
        """Return the mark in the columns of a cropped line."""
        start = self._clip(mark.start - cut)
        return attrs.evolve(mark, start=start, end=max(self._clip(mark.end - cut), start + 1))

    def _clip(self, column: int) -> int:
        return max(0, min(column, self._width))

    def _corner(self, block: Block, column: int, text: str) -> list[Piece]:
        """Return the row that ties a block's bar to the column where the block begins or ends."""
        at = 2 * block.slot + 1
        run = "_" * (self._margin + column - at)
        sign = "^" if block.primary else "-"
        return [*self._head(""), *self._bars()[:at], (block.role, f"{run}{sign}{' ' + text if text else ''}")]
