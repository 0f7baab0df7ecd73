"""Findings as text for people: code, message, the lines they are about, notes and help.

The form is that of compilers people know: ``error[T0401]: …``, ``--> file:line:column``, numbered lines with carets, ``= note:``, ``help:``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from topolang.diagnostics.cells import displayed, plain
from topolang.diagnostics.model import Diagnostic, Fix, Label
from topolang.diagnostics.snippet import Snippet, place
from topolang.diagnostics.source import SourceFile
from topolang.diagnostics.style import Piece, Role, paint

DEFAULT_WIDTH: Final = 140


def render(diagnostic: Diagnostic, *, color: bool = False, width: int = DEFAULT_WIDTH) -> str:
    """Return one finding as text that ends in a line break; lines of source are cropped to ``width`` columns, messages never."""
    return "".join(f"{paint(pieces, color)}\n" for pieces in _pieces(diagnostic, width))


def render_all(
    diagnostics: Sequence[Diagnostic],
    *,
    color: bool = False,
    width: int = DEFAULT_WIDTH,
    limit: int = 0,
) -> str:
    """Return findings as text, a blank line after each, at most ``limit`` of them (0: all), errors before others where some are left out."""
    shown = diagnostics
    left_out = len(diagnostics) - limit if limit > 0 else 0
    if left_out > 0:
        ranked = sorted(range(len(diagnostics)), key=lambda i: diagnostics[i].severity != "error")
        shown = [diagnostics[i] for i in sorted(ranked[:limit])]
    text = "".join(f"{render(d, color=color, width=width)}\n" for d in shown)
    return f"{text}... and {left_out:,} more, not shown\n\n" if left_out > 0 else text


def counts(diagnostics: Sequence[Diagnostic]) -> dict[str, int]:
    """Return how many findings of each severity there are."""
    found = [d.severity for d in diagnostics]
    return {"errors": found.count("error"), "warnings": found.count("warning"), "notes": found.count("note")}


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the counts in words: ``2 errors, 1 warning``; ``no findings`` where there are none."""
    parts = [f"{n:,} {name if n != 1 else name[:-1]}" for name, n in counts(diagnostics).items() if n]
    return ", ".join(parts) or "no findings"


def _pieces(diagnostic: Diagnostic, width: int) -> Iterator[list[Piece]]:
    severity: Role = diagnostic.severity
    message = plain(diagnostic.message).split("\n")
    yield [(severity, f"{diagnostic.severity}[{diagnostic.code}]"), ("strong", f": {message[0]}")]
    for line in message[1:]:
        yield [("strong", f"  {line}")]
    gutter = _gutter(diagnostic)
    for i, (source, labels) in enumerate(_by_file(diagnostic.labels)):
        if i:
            yield [("gutter", f"{' ' * gutter} |")]
        yield from _file(source, labels, diagnostic, gutter, width)
    if diagnostic.labels and (diagnostic.notes or diagnostic.help or diagnostic.fix):
        yield [("gutter", f"{' ' * gutter} |")]
    for note in diagnostic.notes:
        yield from _remark([("gutter", f"{' ' * gutter} = "), ("strong", "note"), ("", ": ")], gutter + 9, note)
    for text in diagnostic.help:
        yield from _remark([("help", "help"), ("", ": ")], 6, text)
    if diagnostic.fix is not None:
        yield from _change(diagnostic.fix, gutter)


def _by_file(labels: Sequence[Label]) -> list[tuple[SourceFile, list[Label]]]:
    """Group labels by file in the order in which the files are first named."""
    groups: list[tuple[SourceFile, list[Label]]] = []
    for label in labels:
        known = next((found for source, found in groups if source is label.span.source), None)
        if known is None:
            groups.append((label.span.source, [label]))
        else:
            known.append(label)
    return groups


def _gutter(diagnostic: Diagnostic) -> int:
    """Return the digits of the largest line number shown."""
    last = [place(label).last for label in diagnostic.labels]
    if diagnostic.fix is not None:
        last.append(diagnostic.fix.span.line)
    return len(str(max(last, default=1)))


def _file(source: SourceFile, labels: Sequence[Label], diagnostic: Diagnostic, gutter: int, width: int) -> Iterator[list[Piece]]:
    primary = diagnostic.labels[0]
    at = primary if primary in labels else labels[0]
    where = place(at)
    arrow = "-->" if at is primary else ":::"
    yield [("gutter", f"{' ' * gutter}{arrow} "), ("", f"{plain(source.name)}:{where.first}:{where.start + 1}")]
    roles: list[tuple[Label, Role, bool]] = [(label, diagnostic.severity if label is primary else "gutter", label is primary) for label in labels]
    yield from Snippet(source, roles, gutter, width).render()


def _remark(head: list[Piece], indent: int, text: str) -> Iterator[list[Piece]]:
    lines = plain(text).split("\n")
    yield [*head, ("", lines[0])]
    for line in lines[1:]:
        yield [("", f"{' ' * indent}{line}")]


def _change(fix: Fix, gutter: int) -> Iterator[list[Piece]]:
    """Show the lines of a fix before and after it."""
    span = fix.span
    source = span.source
    last = source.line_of(span.end)
    start, end = source.line_starts[span.line - 1], source.line_starts[last - 1] + len(source.line_text(last))
    before = source.text[start:end].split("\n")
    after = (source.text[start : span.start] + fix.replacement + source.text[span.end : end]).split("\n")
    same = _shared(before, after)
    tail = _shared(before[same:][::-1], after[same:][::-1])
    changes: tuple[tuple[str, Role, list[str]], ...] = (("-", "removed", before), ("+", "added", after))
    for sign, role, lines in changes:
        for i in range(same, len(lines) - tail):
            yield [("gutter", f"{str(span.line + i).rjust(gutter)} "), (role, f"{sign} {displayed(lines[i])}")]


def _shared(a: Sequence[str], b: Sequence[str]) -> int:
    """Return how many lines two texts begin with in common."""
    return next((i for i, (one, two) in enumerate(zip(a, b, strict=False)) if one != two), min(len(a), len(b)))
