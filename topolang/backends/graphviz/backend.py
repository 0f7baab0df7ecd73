"""`fabric-<name>.dot` and `.svg`: the overview of each fabric and one slice of it in detail; `device-<name>.…`: the inside of each server type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from topolang.backends.graphviz import render
from topolang.backends.graphviz.detail import detail
from topolang.backends.graphviz.device import MOST_PARTS, device_drawing
from topolang.backends.graphviz.overview import overview, size
from topolang.backends.model import Built, Output, file_stem
from topolang.diagnostics import warning
from topolang.ir.graph import graphs
from topolang.ir.grid import population
from topolang.ir.inside import interior
from topolang.ir.model import Design, Group

# a program of more is written by a program, and nobody looks at so many pictures or boxes
MOST_FABRICS: Final = 100
MOST_ELEMENTS: Final = 300


@attrs.frozen
class Graphviz:
    """Pictures as DOT and SVG. Without a Graphviz program only the DOT text is written (T0902)."""

    name: str = "graphviz"
    files: str = "fabric-<name>.dot and .svg, fabric-<name>-detail.dot and .svg, device-<name>.dot and .svg"
    needs: tuple[str, ...] = ("report",)

    def emit(self, result: Built, out: Output) -> None:
        """Write the pictures; T0902 (no program) and T0906 (a picture failed) are warnings."""
        program = render.find_program()
        if program is None:
            out.report(render.missing())
        for stem, text in _unique(_drawings(result, out)):
            out.write(f"{stem}.dot", text)
            if program is None:
                continue
            picture = render.svg(text, f"{stem}.svg", program)
            if isinstance(picture, bytes):
                out.write(f"{stem}.svg", picture)
            else:
                out.report(picture)


def _drawings(result: Built, out: Output) -> Iterator[tuple[str, str]]:
    drawn = 0
    for graph in graphs(result.design):
        if not any(size(element) for element in graph.elements):
            continue
        stem = file_stem("fabric", *graph.fabric.path)
        drawn += 1
        if drawn > MOST_FABRICS or len(graph.elements) > MOST_ELEMENTS:
            what = f"fabric {drawn} of the design" if drawn > MOST_FABRICS else f"{len(graph.elements):,} arrays"
            out.report(
                warning("T0906", f"no picture {stem}: {what} {'are' if drawn <= MOST_FABRICS else 'is'} more than is drawn", graph.fabric.span)
            )
            continue
        yield stem, overview(result, graph)
        yield f"{stem}-detail", detail(result, graph)
    for group in _with_inside(result.design):
        yield file_stem("device", group.device.name), device_drawing(group.device, interior(group.device), _fabrics(result.design, group))


def _with_inside(design: Design) -> Iterator[Group]:
    """Yield the first group of each device type that has an inside to show."""
    seen: set[tuple[str, int]] = set()
    for group in design.groups:
        inside = group.device.inside
        key = (group.device.name, id(inside))
        if inside.bundles and population(group) and key not in seen:
            seen.add(key)
            if len(interior(group.device).parts) <= MOST_PARTS:
                yield group


def _fabrics(design: Design, group: Group) -> dict[int, str]:
    """Return the fabrics at each own port of a group's devices, as words."""
    found: dict[int, dict[str, None]] = {}
    for bundle in design.bundles:
        for end in (bundle.a, bundle.z):
            if end.group is group and not end.parts:
                for port in end.ports.ports:
                    found.setdefault(port, {})[f"fabric {bundle.fabric.name}"] = None
    return {port: ", ".join(names) for port, names in found.items()}


def _unique(drawings: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Number stems that would be the same file on a file system that ignores case."""
    taken: set[str] = set()
    for stem, text in drawings:
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        yield name, text
