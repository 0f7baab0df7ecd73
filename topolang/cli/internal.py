"""A fault of the compiler itself, told as a finding."""

from __future__ import annotations

import os
import platform
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import topolang

if TYPE_CHECKING:
    from topolang.diagnostics import Diagnostic


def debugging() -> bool:
    """Whether faults of the compiler shall show as tracebacks (``TOPOLANG_DEBUG=1``)."""
    return os.environ.get("TOPOLANG_DEBUG", "") not in {"", "0"}


def internal_error(problem: Exception) -> Diagnostic:
    """Return the finding for an exception that nothing in the compiler expected."""
    from topolang.diagnostics import error

    said = " ".join(str(problem).split())
    kind = type(problem).__name__
    versions = f"topolang {topolang.__version__}, Python {platform.python_version()}, {platform.system()}"
    return error(
        "T9999",
        f"internal error: {kind}{f': {said}' if said else ''}",
        notes=[*_place(problem), versions, "this is a fault of the compiler, not of your program"],
        help="report it with the program and what this command prints when `TOPOLANG_DEBUG=1` is set",
    )


def _place(problem: Exception) -> list[str]:
    """Return where in the compiler the exception arose, relative to the package."""
    package = Path(topolang.__file__).resolve().parent
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(package):
            return [f"raised at {path.relative_to(package.parent).as_posix()}:{frame.lineno}, in `{frame.name}`"]
    return []
