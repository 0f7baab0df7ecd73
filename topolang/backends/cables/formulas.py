"""Spreadsheets run cells that begin with ``=``, ``+``, ``-`` or ``@``: no name that could reach a table may begin so."""

from __future__ import annotations

from collections.abc import Iterator

from topolang.backends.values import medium
from topolang.diagnostics import DiagnosticError, Span, error
from topolang.ir.model import Design
from topolang.ir.names import display_names
from topolang.ir.port_labels import port_labels

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def check_cells(design: Design) -> None:
    """Raise T0905 for the first name of a device, port, medium or protocol that begins like a formula or holds a control character."""
    for what, names, span in _names(design):
        for name in names:
            if name.startswith(_STARTS) or not name.isprintable():
                raise _refused(what, name, span)


def _names(design: Design) -> Iterator[tuple[str, list[str], Span]]:
    seen = set()
    for group in design.groups:
        yield "device", display_names(design, group) if group.name_template is not None else [], group.span
        if id(group.device) not in seen:
            seen.add(id(group.device))
            yield "port", list(port_labels(group.device)), group.device.span
    for bundle in design.bundles:
        yield "medium", [medium(bundle)], bundle.span
        yield "protocol", [bundle.fabric.protocol], bundle.fabric.span


def _refused(what: str, name: str, span: Span) -> DiagnosticError:
    shown = name if name.isprintable() else repr(name)[1:-1]
    return DiagnosticError(
        error(
            "T0905",
            f"the {what} name `{shown}` would not be read as text in a table",
            span,
            "begins like a formula" if name.isprintable() else "holds a control character",
            help="begin the name with a letter or a digit, and use printable characters",
        )
    )
