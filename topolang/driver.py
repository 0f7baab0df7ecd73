"""The compiler on one screen: text, meaning, checks, outputs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from topolang.diagnostics import Diagnostic, Sink

if TYPE_CHECKING:
    from topolang.ir.model import Design
    from topolang.passes.model import Table
    from topolang.passes.run import PassReport


@attrs.frozen
class Request:
    """What is to be compiled: the root file, ``-D`` pairs, ``-I`` folders; for a build, the outputs wanted (all) and the folder to
    write; ``report`` asks a check for its tables."""

    path: Path
    defines: tuple[tuple[str, str], ...] = ()
    include: tuple[Path, ...] = ()
    only: tuple[str, ...] = ()
    report: bool = False
    out: Path | None = None
    progress: Callable[[str], None] = attrs.field(default=lambda _: None, eq=False, repr=False)


@attrs.frozen(eq=False)
class Result:
    """What came of it: findings in the order of the source, the design and the passes' report where it got so far, the files written."""

    diagnostics: tuple[Diagnostic, ...]
    design: Design | None = None
    report: PassReport | None = None
    files: tuple[Path, ...] = ()
    tables: tuple[Table, ...] | None = None

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not any(d.severity == "error" for d in self.diagnostics)

    def summary_lines(self) -> list[str]:
        """Return what was compiled, in a few lines of text."""
        from topolang.summary import summary_lines

        return summary_lines(self.design, self.report) if self.design is not None else []


def default_folder(source: Path) -> Path:
    """Return where the outputs of a file are written if nothing else is said; a name of dots only would lead elsewhere."""
    return Path("out") / (source.stem.strip(".") or "design")


def check(request: Request) -> Result:
    """Parse, analyse and check a program; write nothing. A file of parts without a design is checked too."""
    sink = Sink()
    design = _analyse(request, sink, need_design=False)
    report = _passes(design, request, sink) if design is not None else None
    return Result(sink.sorted(), design, report, tables=_tables(design, report) if request.report and report is not None else None)


def build(request: Request) -> Result:
    """Check a program and write its outputs to ``request.out``; nothing is written while there are errors."""
    from topolang.backends import run

    sink = Sink()
    design = _analyse(request, sink, need_design=True)
    if design is None:
        return Result(sink.sorted())
    report = _passes(design, request, sink)
    if sink.has_errors:
        return Result(sink.sorted(), design, report)
    out = request.out or default_folder(request.path)
    files = run(design, report, request.only, out, request.progress, sink)
    return Result(sink.sorted(), design, report, files)


def explain_line(request: Request, line: int) -> tuple[Result, list[str]]:
    """Check a program and return what a line of its root file declares, joins and multiplies (nothing where it has no meaning yet)."""
    from topolang.summary import explain_line as explain

    result = check(request)
    return result, explain(result.design, line) if result.design is not None else []


def _analyse(request: Request, sink: Sink, *, need_design: bool) -> Design | None:
    from topolang.semantics.program import analyse
    from topolang.workspace import read_source

    request.progress("reading")
    return analyse(request.path, request.defines, request.include, read_source, sink, need_design=need_design)


def _passes(design: Design, request: Request, sink: Sink) -> PassReport:
    from topolang.passes.run import run_passes

    request.progress("checking")
    report = run_passes(design)
    sink.extend(report.diagnostics)
    return report


def _tables(design: Design | None, report: PassReport) -> tuple[Table, ...]:
    """Return the tables of the report, none where errors in the wiring left nothing to measure."""
    from topolang.passes.rooms import tables

    return tables(design) if design is not None and not report.broken else ()
