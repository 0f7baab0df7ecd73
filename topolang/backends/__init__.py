"""Outputs: one file or small folder per format. `run` makes those that are wanted and writes them as one complete set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs

from topolang.backends.model import Built, Output, ReportLike
from topolang.diagnostics import Diagnostic, DiagnosticError, Sink
from topolang.ir.model import Design


@attrs.frozen(eq=False)
class Emitted:
    """The files of a build by name, the backend that made each, and the findings."""

    files: dict[str, bytes]
    makers: dict[str, str]
    findings: tuple[Diagnostic, ...]


def emit(result: Built, only: tuple[str, ...] = (), progress: Callable[[str], None] = lambda _: None) -> Emitted:
    """Make the files of the backends named (all), the manifest last; write nothing.

    Raises:
        DiagnosticError: T0903 (an unknown name).
    """
    from topolang.backends import manifest, registry

    files: dict[str, bytes] = {}
    makers: dict[str, str] = {}
    findings: list[Diagnostic] = []
    for name in registry.choose(only):
        progress(f"writing {name}")
        out = _emit_one(name, result, Output((manifest.NAME, *files)), asked=bool(only))
        findings += out.findings
        files |= out.files
        makers |= dict.fromkeys(out.files, name)
    files[manifest.NAME] = manifest.render(result, files, makers, findings)
    return Emitted(files, makers, tuple(findings))


def _emit_one(name: str, result: Built, out: Output, *, asked: bool) -> Output:
    """Run one backend; its refusal is an error where it was asked for by name, else a warning."""
    from topolang.backends import registry

    try:
        _guarded(name, result, out)
    except DiagnosticError as refusal:
        out.report(refusal.diagnostic if asked else attrs.evolve(refusal.diagnostic, severity="warning"))
        out.files.clear()
    if any(f.severity == "error" for f in out.findings):
        out.files.clear()
    if asked and not out.files and not out.findings:
        out.report(registry.nothing_to_write(name))
    return out


def _guarded(name: str, result: Built, out: Output) -> None:
    """Run a backend; a fault of another package's is told as a finding, one of ours stays an exception."""
    from topolang.backends import registry

    backend = registry.load(name)
    if name in registry.SHIPPED:
        backend.emit(result, out)
        return
    try:
        backend.emit(result, out)
    except DiagnosticError:
        raise
    except Exception as problem:
        raise registry.plugin_failed(name, "failed", problem) from None


def run(design: Design, report: ReportLike | None, only: tuple[str, ...], out: Path, progress: Callable[[str], None], sink: Sink) -> tuple[Path, ...]:
    """Make the outputs named (all) and write them to the folder ``out``; nothing is written where one that was asked for is refused.

    Findings go to ``sink``: T0901, T0903, T0904 and those of the backends. Returns the paths written.
    """
    from topolang.workspace import write_outputs

    try:
        emitted = emit(Built(design, report), only, progress)
        sink.extend(emitted.findings)
        if sink.has_errors:
            return ()
        progress("writing")
        return write_outputs(out, emitted.files)
    except DiagnosticError as problem:
        sink.add(problem.diagnostic)
        return ()
