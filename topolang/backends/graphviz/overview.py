"""The overview of a fabric: one box per array of devices, one line per `connect`, tiers from terminals at the bottom to the core at the top."""

from __future__ import annotations

from collections import defaultdict
from math import log10

import numpy as np

from topolang.backends.graphviz import style
from topolang.backends.graphviz.claims import states
from topolang.backends.graphviz.dot import Graph, Html, cell, font, row, table
from topolang.backends.graphviz.tiers import role_of, tiers
from topolang.backends.model import Built
from topolang.backends.values import dims, text
from topolang.ir.counting import cables
from topolang.ir.graph import Element, FabricGraph
from topolang.ir.model import Bundle, Fabric
from topolang.ir.wiring import wire
from topolang.units import gbps

# attributes that say what a fabric is, in the order in which the title shows them
_SHOWN = ("rate", "version", "mtu", "routing", "load_balance", "sharp", "medium")


def overview(result: Built, graph: FabricGraph) -> str:
    """Return the DOT text of a fabric's overview."""
    fabric = graph.fabric
    drawing = style.graph(_title(result, graph), rankdir="BT", nodesep="0.7", ranksep="0.75")
    level = tiers(graph)
    identifiers = [drawing.node(label=_box(element), tooltip=f"{element.name} · {element.group.span}") for element in graph.elements]
    ranks: dict[int, list[str]] = defaultdict(list)
    for identifier, tier in zip(identifiers, level, strict=True):
        ranks[tier].append(identifier)
    for tier in sorted(ranks):
        drawing.same_rank(ranks[tier])
    for lower, upper in zip(sorted(ranks), sorted(ranks)[1:], strict=False):
        drawing.edge(ranks[lower][0], ranks[upper][0], style="invis")
    index = {element.key: i for i, element in enumerate(graph.elements)}
    among: dict[int, list[Bundle]] = defaultdict(list)
    for bundle in (b for b in result.design.bundles if b.fabric is fabric):
        a, z = index[bundle.a.element], index[bundle.z.element]
        if a == z:
            among[a].append(bundle)
        else:
            _line(drawing, bundle, (a, z), identifiers, level)
    for i, bundles in among.items():
        _among(drawing, bundles, identifiers[i])
    return drawing.text()


def facts(result: Built, graph: FabricGraph) -> tuple[str, ...]:
    """Return the lines under a title: parameters, settings of the fabric, counts."""
    design, fabric = result.design, graph.fabric
    parameters = " · ".join(f"{name} = {text(value)}" for name, value in design.parameters)
    settings = " · ".join(f"{name} {text(fabric.attributes[name])}" for name in _SHOWN if name in fabric.attributes)
    devices = sum(size(element) for element in graph.elements)
    count = sum(cables(b) for b in design.bundles if b.fabric is fabric)
    copies = f" · {graph.copies:,} copies of the fabric" if graph.copies > 1 else ""
    return parameters, settings, f"{devices:,} devices · {count:,} cables{copies}"


def _title(result: Built, graph: FabricGraph) -> Html:
    fabric: Fabric = graph.fabric
    title = style.Title(result.design.name, f"fabric {fabric.name} · {fabric.kind}", facts(result, graph), states(result, fabric))
    return style.title_block(title, {role_of(e) or "" for e in graph.elements})


def size(element: Element) -> int:
    """Return how many vertices an element has, holes left out."""
    return int(np.count_nonzero(element.present()))


def _box(element: Element) -> Html:
    count = size(element)
    name = ".".join((*element.group.path[-1:], *(part.path[-1] for part in element.parts)))
    lines = [style.name_and_count(name, count), [style.Run(element.device.name, 11, style.GREY)]]
    shown = dims((*element.group.dims, *(d for part in element.parts for d in part.dims)))
    holes = element.size - count
    if shown:
        left_out = f" · {holes:,} hole{'s' * (holes != 1)}" if holes else ""
        lines.append([style.Run(shown + left_out, 10, style.GREY)])
    return style.box(lines, role_of(element), stacked=count > 1)


def _line(drawing: Graph, bundle: Bundle, ends: tuple[int, int], identifiers: list[str], level: list[int]) -> None:
    low, high = ends if level[ends[0]] <= level[ends[1]] else ends[::-1]
    tip = f"{bundle.a.text} -- {bundle.z.text} · {bundle.span}"
    level_ends = {"constraint": "false"} if level[low] == level[high] else {}
    label = table(_label(bundle))
    drawing.edge(identifiers[low], identifiers[high], label=label, penwidth=_width(bundle), tooltip=tip, labeltooltip=tip, **level_ends)


def _among(drawing: Graph, bundles: list[Bundle], identifier: str) -> None:
    """Draw cables among the devices of one box as a note beside it: loops would run through their labels."""
    head = row(cell(font("  among themselves", 10, style.GREY), ALIGN="LEFT"))
    label = table([head, *(line for bundle in bundles for line in _label(bundle))])
    note = drawing.node(label=label, tooltip=" · ".join(str(bundle.span) for bundle in bundles))
    drawing.same_rank([identifier, note])
    drawing.edge(identifier, note, penwidth=max(map(_width, bundles), key=float), style="dashed")


def _label(bundle: Bundle) -> list[str]:
    """Return the rows of a bundle's label: number and rate of its cables, and how it joins."""
    count = font(f"  ×{cables(bundle):,}", 12, bold=True) + font(f" @ {gbps(bundle.rate)}", 12)
    return [row(cell(count, ALIGN="LEFT")), row(cell(font(f"  {rule(bundle)}", 10, style.GREY), ALIGN="LEFT"))]


def _width(bundle: Bundle) -> str:
    """Return a line's width in points: thin for one cable, up to five for tens of thousands."""
    return f"{1 + min(4.0, log10(max(1, cables(bundle))) * 0.9):.1f}"


def rule(bundle: Bundle) -> str:
    """Return how a bundle joins, in a few words: shared dimensions or a mesh, the condition, cables per pair."""
    joined = [v.name for v in bundle.variables if v.side == "joined"]
    filtered = bool(bundle.relations or bundle.filters)
    parts = [f"same {', '.join(joined)}"] if joined else [] if filtered else ["each with each"]
    count = wire(bundle).count
    if count.size and int(count.max()) > 1:
        least, most = int(count.min()), int(count.max())
        parts.append(f"{most} per pair" if least == most else f"{least} to {most} per pair")
    if filtered:
        parts.append(_condition(bundle))
    return " · ".join(parts)


def _condition(bundle: Bundle) -> str:
    """Return the `where` of a statement as it is written, cut to a label's length."""
    words = " ".join(bundle.span.text.split())
    found = words.find(" where ") + 1
    text = words[found:] if found else "where …"
    return text if len(text) <= 40 else f"{text[:39].rstrip()}…"
