"""The detail of a fabric: one slice of it, device by device, with rails as colours.

Places are computed here, not by Graphviz: terminals in the bottom row, each tier above, in the order of their indices. So equal designs look equal,
and a mesh of thousands of lines takes no layout time. Fabrics whose switches are joined among themselves (tori, dragonflies) stand on circles.
"""

from __future__ import annotations

from math import cos, pi, sin

from topolang.backends.graphviz import style
from topolang.backends.graphviz.dot import Graph, Html, cell, font, pos, row, table
from topolang.backends.graphviz.meshes import Mesh, meshes
from topolang.backends.graphviz.overview import facts
from topolang.backends.graphviz.slice import Box, Limits, Slice, Strand, take
from topolang.backends.graphviz.tiers import role_of
from topolang.backends.model import Built
from topolang.backends.values import span
from topolang.ir.graph import FabricGraph, vertex_name
from topolang.units import gbps

_GAP = 14.0

# lines that a picture can hold and still be read
_LINES = 1500

# what is tried in turn until the lines are few enough
_TRIES = (Limits(), Limits(16, 40), Limits(8, 12), Limits(1, 1))


def detail(result: Built, graph: FabricGraph) -> str:
    """Return the DOT text of a slice of a fabric, as fine as can be drawn."""
    drawings = (_Detail(result, take(graph, limits)) for limits in _TRIES)
    return next(d for d in drawings if len(d.lines) <= _LINES or all(box.count > 1 for box in d.part.boxes)).draw()


class _Detail:
    def __init__(self, result: Built, part: Slice) -> None:
        self.result = result
        self.part = part
        self.rails = sorted({s.rail for s in part.strands if s.rail is not None})
        self.names = [self._name(box) for box in part.boxes]
        self.hubs, self.lines = meshes(part)
        self.strips = self._strips()
        self.flat = any(self._level(s.low) == self._level(s.high) for s in part.strands)
        self.rows = self._levels()
        self.width = max(sum(self._wide(i, 10) + _GAP for i in boxes) for boxes in self.rows)
        self.sizes = [self._size(boxes) for boxes in self.rows]
        self.places = self._on_circles() if self.flat else self._in_rows()

    def draw(self) -> str:
        drawing = style.graph(self._title(), layout="neato", inputscale="72", splines="line")
        identifiers = [drawing.node(label=self._label(i), pos=pos(*self.places[i]), tooltip=self._tip(box)) for i, box in enumerate(self.part.boxes)]
        for strand in self.lines:
            self._line(drawing, strand, identifiers)
        for mesh in self.hubs:
            self._hub(drawing, mesh, identifiers)
        return drawing.text()

    # ------------------------------------------------------------ places

    def _level(self, i: int) -> int:
        return self.part.level[self.part.boxes[i].element]

    def _levels(self) -> list[list[int]]:
        """Return the boxes of each row, from the bottom; `flat` pictures have one circle per row."""
        found: dict[int, list[int]] = {}
        for i in range(len(self.part.boxes)):
            found.setdefault(self._level(i), []).append(i)
        return [found[level] for level in sorted(found)]

    def _wide(self, i: int, size: int) -> float:
        """Return about how wide a box is with text of a size."""
        return max(0.58 * size * max(map(len, self.names[i])), 9.0 * len(self.strips[i])) + 12

    def _size(self, boxes: list[int]) -> int:
        """Return the size of a row's text: larger where the row has room."""
        if self.flat:
            return 10
        room = next(size for size in range(18, 9, -1) if size == 10 or sum(self._wide(i, size) + 3 * _GAP for i in boxes) <= self.width)
        return min(room, 10 + round(self.width / 500))

    def _in_rows(self) -> list[tuple[float, float]]:
        """Return the centre of each box: rows of equal width, boxes of a row evenly spread over it."""
        rise = min(420.0, max(130.0, self.width * 0.16))
        places = [(0.0, 0.0)] * len(self.part.boxes)
        for level, (boxes, size) in enumerate(zip(self.rows, self.sizes, strict=True)):
            spare = (self.width - sum(self._wide(i, size) + _GAP for i in boxes)) / len(boxes)
            x = 0.0
            for i in boxes:
                step = self._wide(i, size) + _GAP + spare
                places[i] = (x + step / 2, level * rise)
                x += step
        return places

    def _on_circles(self) -> list[tuple[float, float]]:
        """Return the centre of each box: one circle per row, terminals outermost."""
        places = [(0.0, 0.0)] * len(self.part.boxes)
        inner = 0.0
        for boxes in reversed(self.rows):
            around = sum(max(self._wide(i, 10), 34.0) + _GAP for i in boxes)
            radius = max(around / (2 * pi), inner + 90.0 if inner else 60.0)
            for k, i in enumerate(boxes):
                turn = pi / 2 - 2 * pi * k / len(boxes)
                places[i] = (radius * cos(turn), radius * sin(turn))
            inner = radius
        return places

    # ------------------------------------------------------------ texts

    def _name(self, box: Box) -> tuple[str, ...]:
        """Return the lines of a box's text: its name, or the first and the last of the devices merged in it and their number."""
        first, last = (vertex_name(self.result.design, self.part.graph, vertex) for vertex in (box.vertex, box.last))
        return (first,) if box.count == 1 else (first, f"… {last}", f"×{box.count:,}")

    def _tip(self, box: Box) -> str:
        element = self.part.graph.elements[box.element]
        return f"{element.name} · {element.device.name} · {element.group.span}"

    def _label(self, i: int) -> Html:
        box = self.part.boxes[i]
        element = self.part.graph.elements[box.element]
        colors = style.tone(role_of(element))
        size = self.sizes[next(k for k, boxes in enumerate(self.rows) if i in boxes)]
        text = "<BR/>".join(font(line, size, style.GREY if k else None) for k, line in enumerate(self.names[i]))
        strip = [
            cell("", PORT=f"r{k}", BORDER=1, COLOR="white", BGCOLOR=self._color(rail), WIDTH=9, HEIGHT=7, FIXEDSIZE="TRUE")
            for k, rail in enumerate([] if self.flat else self.strips[i])
        ]
        columns = max(1, len(strip))
        frame: dict[str, str | int] = {"BORDER": 1, "COLOR": colors.line, "BGCOLOR": colors.fill, "CELLPADDING": 3}
        return table([*([row(*strip)] if strip else []), row(cell(text, COLSPAN=columns, **frame))])

    def _strips(self) -> list[list[int]]:
        """Return the rails to which a terminal's cables lead, for a strip of colours on its box; nothing where there are not several."""
        found: list[set[int]] = [set() for _ in self.part.boxes]
        for strand in self.lines:
            if strand.rail is not None and self._level(strand.low) == 0 < self._level(strand.high):
                found[strand.low].add(strand.rail)
        return [sorted(rails) if len(rails) > 1 else [] for rails in found]

    def _color(self, rail: int | None) -> str:
        return style.LINE if rail is None else style.RAILS[self.rails.index(rail) % len(style.RAILS)]

    def _title(self) -> Html:
        part, fabric = self.part, self.part.graph.fabric
        drawn = "all devices"
        if part.cut is not None:
            drawn = f"slice {part.cut.dim.name} = {part.cut.value} of {span(part.cut.dim.values)}, and what it leads to"
        merged = " · boxes with × stand for devices that are joined alike" if part.merged else ""
        lines = (*facts(self.result, part.graph)[:1], drawn + merged)
        title = style.Title(self.result.design.name, f"fabric {fabric.name} · {fabric.kind} · detail", lines)
        kind = "rail" if any("rail" in _dims(s, part) for s in part.strands) else "plane"
        rails = [(f"{kind} {rail}", self._color(rail)) for rail in self.rails]
        scale = min(2.6, max(1.0, self.width / 1500))
        return style.title_block(title, {role_of(part.graph.elements[b.element]) or "" for b in part.boxes}, rails, scale)

    # ------------------------------------------------------------ lines

    def _line(self, drawing: Graph, strand: Strand, identifiers: list[str]) -> None:
        tail = identifiers[strand.low]
        strip = self.strips[strand.low]
        if strand.rail is not None and strip and not self.flat:
            tail += f":r{strip.index(strand.rail)}:n"
        given = {"color": self._color(strand.rail), "penwidth": "1.6" if strand.cables > 1 else "0.9", "tooltip": self._what(strand)}
        if strand.cables > 1 and len(self.lines) <= 24:
            given["label"] = f" ×{strand.cables:,} "
        drawing.edge(tail, identifiers[strand.high], **given)

    def _what(self, strand: Strand) -> str:
        bundle = self.result.design.bundles[strand.bundle]
        low, high = self.names[strand.low][0], self.names[strand.high][0]
        return f"{low} -- {high} · ×{strand.cables:,} @ {gbps(bundle.rate)} · {bundle.span}"

    def _hub(self, drawing: Graph, mesh: Mesh, identifiers: list[str]) -> None:
        """Draw a full mesh as two fans that meet in a knot."""
        ends = [self.places[i] for i in (*mesh.low, *mesh.high)]
        low, high = self.places[mesh.low[0]][1], self.places[mesh.high[0]][1]
        x = (min(p[0] for p in ends) + max(p[0] for p in ends)) / 2
        bundle = self.result.design.bundles[mesh.bundle]
        size = 11 + round(self.width / 800)
        text = f"each with each: {len(mesh.low)} × {len(mesh.high)} pairs, ×{mesh.cables:,} @ {gbps(bundle.rate)}"
        frame: dict[str, str | int] = {"BORDER": 1, "COLOR": style.LINE, "BGCOLOR": "white", "CELLPADDING": 5}
        knot = drawing.node(label=table([row(cell(font(text, size), **frame))]), pos=pos(x, (low + high) / 2), tooltip=str(bundle.span))
        for i in (*mesh.low, *mesh.high):
            drawing.edge(identifiers[i], knot, penwidth="0.9", tooltip=text)


def _dims(strand: Strand, part: Slice) -> set[str]:
    bundle = next(b for b in part.graph.bundles if b.index == strand.bundle)
    return {d.name for end in (bundle.a, bundle.z) for d in end.dims}
