"""Source files and spans: where in which text something stands."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

import attrs


def writable(name: str) -> str:
    """Return the name of a file for messages and outputs: bytes of it that are no UTF-8 are escaped."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


@attrs.frozen(eq=False, slots=False)
class SourceFile:
    """A text with the name under which a user knows it.

    ``name`` is what messages print (relative to the working folder, with ``/``); ``origin`` is what outputs print, relative to
    the folder of the program's root file, so that they are the same wherever the compiler was called; it is the name if not given.
    Offsets are code points, lines and columns count from 1.
    """

    name: str = attrs.field(converter=writable)
    text: str = attrs.field(repr=False)
    origin: str = attrs.field(default=attrs.Factory(lambda self: self.name, takes_self=True), converter=writable, repr=False)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Return the offset of the first character of each line."""
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return tuple(starts)

    def line_of(self, offset: int) -> int:
        """Return the 1-based line that holds ``offset``."""
        return bisect_right(self.line_starts, offset)

    def column_of(self, offset: int) -> int:
        """Return the 1-based column of ``offset`` in code points."""
        return offset - self.line_starts[self.line_of(offset) - 1] + 1

    def line_text(self, line: int) -> str:
        """Return the text of a 1-based line without its line break."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] - 1 if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@attrs.frozen(repr=False)
class Span:
    """A half-open range of code points ``[start, end)`` in one source file."""

    source: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        """The 1-based line of the first character."""
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        """The 1-based column of the first character."""
        return self.source.column_of(self.start)

    @property
    def text(self) -> str:
        """The text that the span covers."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of ``other`` (same file)."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        """Return ``file:line``, the form that outputs use as `source`."""
        return f"{self.source.origin}:{self.line}"

    def __repr__(self) -> str:
        """Return ``file:line:column``."""
        return f"<{self.source.name}:{self.line}:{self.column}>"
