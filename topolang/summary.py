"""What was compiled, in a few lines of text: for the end of a run, and for one line of a source."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from topolang.diagnostics import Span
from topolang.ir.grid import population
from topolang.ir.model import Bundle, Design, End, Group, PortGroup
from topolang.ir.names import display_names
from topolang.ir.wiring import wire
from topolang.semantics.values import show
from topolang.tables import aligned
from topolang.units import gbps

if TYPE_CHECKING:
    from topolang.passes.run import PassReport


def _parameters(design: Design) -> str:
    return ", ".join(f"{name} = {show(value)}" for name, value in design.parameters)


def summary_lines(design: Design, report: PassReport | None) -> list[str]:
    """Return the design's groups, bundles and verdicts, aligned."""
    parameters = _parameters(design)
    lines = [f"{design.name}({parameters})" if parameters else design.name]
    rows = [(f"  {g.name}", f"{population(g):,}", g.device.name) for g in design.groups]
    lines += aligned(rows, frozenset({1}))
    if report is not None and not any(d.severity == "error" for d in report.diagnostics):
        lines += aligned([_bundle_row(b) for b in design.bundles], frozenset({2}))
    if report is not None:
        for check, verdict in report.verdicts:
            lines.append(f"  {verdict.status}: {check.span.text.splitlines()[0]}")
            lines.append(f"      {verdict.reason}")
    return lines


def _bundle_row(bundle: Bundle) -> tuple[str, ...]:
    return (f"  {bundle.fabric.name}", f"{bundle.a.text} -- {bundle.z.text}", f"{wire(bundle).cables:,}", f"cables @ {gbps(bundle.rate)}")


def _holds(span: Span, design: Design, line: int) -> bool:
    last = span.source.line_of(max(span.start, span.end - 1))
    return span.source is design.sources[0] and span.line <= line <= last


def explain_line(design: Design, line: int) -> list[str]:
    """Return what one line of the root file declares, joins and multiplies."""
    lines: list[str] = []
    for group in design.groups:
        if _holds(group.span, design, line):
            lines += _group_lines(design, group)
    for bundle in design.bundles:
        if _holds(bundle.span, design, line):
            lines += _bundle_lines(bundle)
    for check in design.checks:
        if _holds(check.span, design, line):
            lines.append(f"{check.kind}: {check.span.text}")
    if not lines:
        lines = [f"line {line} of {design.sources[0].name} declares no devices, cables or claims"]
    return lines


def _group_lines(design: Design, group: Group) -> list[str]:
    names = display_names(design, group)
    count = population(group)
    missing = group.size - count
    holes = f", {missing:,} hole{'s' * (missing != 1)}" if missing else ""
    dims = " x ".join(f"{d.name} {d.values[0]}..{d.values[-1]}" for d in group.dims) or "one"
    shown = f"{names[0]} … {names[-1]}" if count > 1 else "".join(names)
    return [f"{group.name}: {count:,} of {group.device.name}", f"  index space: {dims}{holes}", f"  names: {shown}"]


def _bundle_lines(bundle: Bundle) -> list[str]:
    pairs = wire(bundle)
    lines = [
        f"{bundle.a.text} -- {bundle.z.text}: {pairs.cables:,} cable{'s' * (pairs.cables != 1)} @ {gbps(bundle.rate)} in fabric {bundle.fabric.name}"
    ]
    joined = [v for v in bundle.variables if v.side == "joined"]
    lines.append(f"  joins {', '.join(_dim(v) for v in joined)}" if joined else "  joins nothing")
    for side, end in (("a", bundle.a), ("z", bundle.z)):
        free = [_dim(v) for v in bundle.variables if v.side == side]
        if free:
            lines.append(f"  {end.text} runs over {', '.join(free)}")
    if bundle.relations:
        lines.append(f"  {len(bundle.relations)} equalit{'y ties' if len(bundle.relations) == 1 else 'ies tie'} the two sides")
    if pairs.count.size:
        most, least = int(pairs.count.max()), int(pairs.count.min())
        lines.append(f"  {most} cable{'s' * (most != 1)} per pair" if most == least else f"  {least} to {most} cables per pair")
    return lines + [_ports_line(end) for end in (bundle.a, bundle.z)]


def _dim(variable: Any) -> str:
    return f"{variable.name} {variable.dim.values[0]}..{variable.dim.values[-1]}"


def _ports_line(end: End) -> str:
    ports: PortGroup = end.ports
    rows = prod(d.size for d in ports.dims)
    pool = f"a pool of {len(end.picks)} ports" if ports.pool is not None and len(end.picks) != 1 else "one port"
    each = f", for each of {rows} ({', '.join(d.name for d in ports.dims)})" if ports.dims else ""
    return f"  {end.text}: {pool}{each} @ {gbps(ports.rate)}"
