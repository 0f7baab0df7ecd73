"""Running a phase of the driver and telling its result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topolang.cli.internal import debugging, internal_error
from topolang.cli.terminal import Progress, colored, width

if TYPE_CHECKING:
    from topolang.diagnostics import Diagnostic
    from topolang.driver import Result


def perform(work: Callable[[Callable[[str], None]], Result], *, form: str, limit: int, quiet: bool) -> int:
    """Run ``work`` under a progress line, print what came of it, and return the exit code."""
    from topolang.diagnostics import DiagnosticError

    try:
        with Progress(sys.stderr, quiet=quiet) as progress:
            result = work(progress)
    except DiagnosticError as stop:
        return _tell((stop.diagnostic,), None, form=form, limit=limit, quiet=quiet)
    except (BrokenPipeError, click.ClickException):
        raise
    except Exception as problem:
        if debugging():
            raise
        return _tell((internal_error(problem),), None, form=form, limit=limit, quiet=quiet)
    return _tell(result.diagnostics, result, form=form, limit=limit, quiet=quiet)


def exit_code(diagnostics: Sequence[Diagnostic]) -> int:
    """Return 0 without errors, 2 if all errors are about how the compiler was called, else 1."""
    errors = [d for d in diagnostics if d.severity == "error"]
    if not errors:
        return 0
    return 2 if all(map(_about_the_call, errors)) else 1


def _about_the_call(diagnostic: Diagnostic) -> bool:
    """Whether an error lies in the value of a ``-D``, or has no place and a code for the command line."""
    from topolang.diagnostics.catalogue import find

    if diagnostic.span is not None:
        return diagnostic.span.source.name.startswith("-D ")
    known = find(diagnostic.code)
    return known is not None and known.usage


def _tell(diagnostics: Sequence[Diagnostic], result: Result | None, *, form: str, limit: int, quiet: bool) -> int:
    if form == "json":
        from topolang.diagnostics.jsonout import dumps

        click.echo(dumps(diagnostics, _extra(result)), nl=False)
        return exit_code(diagnostics)
    from topolang.diagnostics.cells import plain
    from topolang.diagnostics.render import render_all, summary

    text = render_all(diagnostics, color=colored(sys.stdout), width=width(sys.stdout), limit=limit)
    lines = [] if quiet else [*(result.summary_lines() if result is not None else ()), *_written(result), summary(diagnostics)]
    lines = [*_table_lines(result), *lines]
    click.echo(text + "".join(f"{plain(line)}\n" for line in lines), nl=False)
    return exit_code(diagnostics)


def _extra(result: Result | None) -> dict[str, Any]:
    """Return what the JSON report holds beside findings: the verdict of each claim, and the files written."""
    report = result.report if result is not None else None
    verdicts = [
        {
            "kind": check.kind,
            "claim": check.span.text,
            "source": f"{check.span.source.name}:{check.span.line}",
            "status": verdict.status,
            "reason": verdict.reason,
            "certificate": list(verdict.certificate),
        }
        for check, verdict in (report.verdicts if report is not None else ())
    ]
    extra = {"verdicts": verdicts, "files": [path.as_posix() for path in result.files] if result is not None else []}
    if result is not None and result.tables is not None:
        from topolang.tables import as_json

        extra["report"] = {table.key: as_json(table) for table in result.tables}
    return extra


def _table_lines(result: Result | None) -> list[str]:
    """Return the report's tables as text."""
    if result is None or not result.tables:
        return []
    from topolang.tables import as_text

    return [line for table in result.tables for line in (*as_text(table), "")]


def _written(result: Result | None) -> list[str]:
    """Say where files were written."""
    if result is None or not result.files:
        return []
    folder = Path(*_common(result.files)).as_posix()
    return [f"wrote {len(result.files):,} file{'s' * (len(result.files) != 1)} to {folder}"]


def _common(files: Sequence[Path]) -> tuple[str, ...]:
    """Return the parts of the folder that holds all files."""
    parents = [path.parent.parts for path in files]
    shortest = min(parents, key=len)
    same = next((i for i, part in enumerate(shortest) if any(p[i] != part for p in parents)), len(shortest))
    return shortest[:same]
