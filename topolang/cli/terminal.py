"""What the streams can show: colours, widths, and a progress line."""

from __future__ import annotations

import os
import shutil
from types import TracebackType
from typing import IO, Any, Final

import click

_LEAST: Final = 60
_CLEAR: Final = "\r\x1b[2K"


def _capable(stream: IO[Any]) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def colored(stream: IO[Any]) -> bool:
    """Whether to colour what goes to a stream: a terminal, and ``NO_COLOR`` is not set (https://no-color.org)."""
    return _capable(stream) and not os.environ.get("NO_COLOR")


def width(stream: IO[Any]) -> int:
    """Return the columns for a stream: those of the terminal, else a fixed number, so that redirected output is always the same."""
    from topolang.diagnostics.render import DEFAULT_WIDTH

    return max(shutil.get_terminal_size().columns, _LEAST) if stream.isatty() else DEFAULT_WIDTH


class Progress:
    """One line on a terminal that says what is being done; silent elsewhere. Used as a context, it leaves a clean line."""

    def __init__(self, stream: IO[Any], *, quiet: bool) -> None:
        self._stream = stream
        self._shown = not quiet and _capable(stream)

    def __call__(self, text: str) -> None:
        """Show what is being done now."""
        if self._shown:
            room = shutil.get_terminal_size().columns - 1
            click.echo(f"{_CLEAR}{text[:room]}", file=self._stream, nl=False, color=True)

    def __enter__(self) -> Progress:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        """Remove the line."""
        if self._shown:
            click.echo(_CLEAR, file=self._stream, nl=False, color=True)
