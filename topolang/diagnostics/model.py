"""What a finding is: data until the last moment, rendered elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from topolang.diagnostics.source import Span

Severity = Literal["error", "warning", "note"]


@attrs.frozen
class Label:
    """A place in a source text and what is to be said about it."""

    span: Span
    text: str = ""


@attrs.frozen
class Fix:
    """A replacement of a span's text that mends the finding."""

    span: Span
    replacement: str


@attrs.frozen
class Diagnostic:
    """One finding: a code, what is wrong, where, and how to mend it.

    ``labels[0]`` is the primary place (absent only for findings about a file or the command line as a whole); further labels may
    lie in other files. ``notes`` add facts (numbers, certificates); ``help`` says what to write.
    """

    code: str
    severity: Severity
    message: str
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    fix: Fix | None = None

    @property
    def span(self) -> Span | None:
        """The primary place."""
        return self.labels[0].span if self.labels else None


class DiagnosticError(Exception):
    """Carry one diagnostic out of a nested evaluation to the statement that reports it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic


def _build(
    severity: Severity,
    code: str,
    message: str,
    span: Span | None,
    label: str,
    extra: Sequence[tuple[Span, str]],
    notes: Sequence[str],
    help: str | Sequence[str],
    fix: Fix | None,
) -> Diagnostic:
    labels = [Label(span, label)] if span is not None else []
    labels += [Label(*pair) for pair in extra]
    helps = (help,) if isinstance(help, str) and help else tuple(help)
    return Diagnostic(code, severity, message, tuple(labels), tuple(notes), helps, fix)


def error(
    code: str,
    message: str,
    span: Span | None = None,
    label: str = "",
    *,
    extra: Sequence[tuple[Span, str]] = (),
    notes: Sequence[str] = (),
    help: str | Sequence[str] = (),
    fix: Fix | None = None,
) -> Diagnostic:
    """Make an error; ``extra`` are further ``(span, text)`` labels."""
    return _build("error", code, message, span, label, extra, notes, help, fix)


def warning(
    code: str,
    message: str,
    span: Span | None = None,
    label: str = "",
    *,
    extra: Sequence[tuple[Span, str]] = (),
    notes: Sequence[str] = (),
    help: str | Sequence[str] = (),
    fix: Fix | None = None,
) -> Diagnostic:
    """Make a warning; arguments as for `error`."""
    return _build("warning", code, message, span, label, extra, notes, help, fix)


class Sink:
    """Collect findings; the same finding (code, place, message) is kept once."""

    def __init__(self) -> None:
        self._items: list[Diagnostic] = []
        self._seen: set[tuple[str, str, Span | None]] = set()

    def add(self, diagnostic: Diagnostic) -> None:
        """Take a finding."""
        key = (diagnostic.code, diagnostic.message, diagnostic.span)
        if key not in self._seen:
            self._seen.add(key)
            self._items.append(diagnostic)

    def extend(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Take several findings."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    @property
    def has_errors(self) -> bool:
        """Whether an error was found."""
        return any(d.severity == "error" for d in self._items)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return the findings in the order of file, place and code."""

        def key(d: Diagnostic) -> tuple[str, int, str, str]:
            return (d.span.source.name, d.span.start, d.code, d.message) if d.span else ("", -1, d.code, d.message)

        return tuple(sorted(self._items, key=key))

    def __iter__(self) -> Iterator[Diagnostic]:
        """Iterate over the findings in the order of arrival."""
        return iter(self._items)

    def __len__(self) -> int:
        """Return the number of findings."""
        return len(self._items)
