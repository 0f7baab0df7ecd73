"""Compile program texts in tests, without files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from topolang.diagnostics import Diagnostic, Sink, SourceFile
from topolang.ir.model import Design
from topolang.ir.names import node_names, port_names
from topolang.ir.tables import link_table
from topolang.semantics.program import analyse
from topolang.workspace import read_source

ROOT = Path("cluster.topo")


def compile_text(text: str, defines: Mapping[str, str] | None = None) -> tuple[Design | None, Sink]:
    """Analyse a text as ``cluster.topo``."""

    def read(path: Path, name: str) -> SourceFile:
        return SourceFile(name, text) if path == ROOT else read_source(path, name)

    sink = Sink()
    return analyse(ROOT, tuple((defines or {}).items()), (), read, sink), sink


def design_of(text: str, **defines: str) -> Design:
    """Return the design of a clean text."""
    design, sink = compile_text(text, defines)
    assert design is not None, [f"{d.code} {d.message} @ {d.span!r}" for d in sink]
    return design


def errors_of(text: str, defines: Mapping[str, str] | None = None) -> list[Diagnostic]:
    """Return the errors of a text, sorted."""
    return [d for d in compile_text(text, defines)[1].sorted() if d.severity == "error"]


def cables(design: Design) -> set[tuple[str, str, str, str]]:
    """Return every cable as (device, port, device, port) by display names."""
    table, names = link_table(design), node_names(design)
    found = set()
    for link in table:
        a, z = link.bundle.a.group.device, link.bundle.z.group.device
        found.add((names[link.a_node], port_names(a)[link.a_port], names[link.z_node], port_names(z)[link.z_port]))
    assert len(found) == len(table)
    return found
