"""Colours, boxes, title block and legend: how the pictures look.

Colours are from the palette of Okabe and Ito (2008), which readers with any common colour vision tell apart; roles differ in their words too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import attrs

from topolang.backends.graphviz.dot import Graph, Html, cell, font, row, table

FONT: Final = "Arial"
GREY: Final = "#555555"
LINE: Final = "#4d5a66"


@attrs.frozen
class Tone:
    """A fill and the line around it; ``back`` is the shade behind a stack of boxes."""

    fill: str
    line: str
    back: str


TONES: Final[dict[str, Tone]] = {
    "host": Tone("#eaeff3", "#3d4f5c", "#b7c4cd"),
    "switch": Tone("#cfe0ef", "#0072b2", "#8fb8d8"),
    "nvswitch": Tone("#f5e1ec", "#a8527f", "#dfb0cb"),
    "pcie_switch": Tone("#fbf7c9", "#a39a1c", "#e2da8a"),
    "gpu": Tone("#d1eee4", "#00805c", "#93d3bd"),
    "cpu": Tone("#e8e8e8", "#666666", "#c4c4c4"),
    "nic": Tone("#fae8c4", "#b97c00", "#e9c783"),
    "memory": Tone("#f8dcc9", "#b84e00", "#e6ad85"),
    "appliance": Tone("#efeaf7", "#6a51a3", "#c9bce2"),
    "cage": Tone("#f4f4f4", "#8a8a8a", "#d8d8d8"),
}
OTHER: Final = Tone("#f7f7f7", "#777777", "#d0d0d0")

# rails and planes: eight lines that stay apart in print
RAILS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b97c00", "#56b4e9", "#000000", "#8c6d1f")

STATES: Final[dict[str, tuple[str, str]]] = {"proved": ("#00664a", "proved"), "refuted": ("#b02a00", "refuted"), "open": ("#8a6100", "open")}


def tone(role: str | None) -> Tone:
    """Return the colours of a role."""
    return TONES.get(role or "", OTHER)


def graph(title: Html, **given: str) -> Graph:
    """Return an empty drawing with the house's fonts and its title block."""
    return Graph(
        {
            "bgcolor": "white",
            "fontname": FONT,
            "fontsize": "12",
            "label": title,
            "labelloc": "t",
            "labeljust": "l",
            "margin": "0.3",
            "outputorder": "edgesfirst",
            **given,
        },
        {"shape": "plain", "fontname": FONT, "fontsize": "12"},
        {"fontname": FONT, "fontsize": "11", "color": LINE},
    )


@attrs.frozen
class Run:
    """Text of one size (points), colour and weight."""

    text: str
    size: int = 11
    color: str | None = None
    bold: bool = False

    def html(self) -> str:
        """Return it for an HTML-like label."""
        return font(self.text, self.size, self.color, self.bold)

    def width(self) -> float:
        """Return about how many points it is wide, rather too many: Arial's letters are 0.5 to 0.6 of its size."""
        return len(self.text) * self.size * (0.6 if self.bold else 0.55)


Line: TypeAlias = Sequence[Run]


def name_and_count(name: str, count: int) -> Line:
    """Return the first line of a box: a name, and how many there are if it is not one."""
    return (Run(name, 13, bold=True), Run(f"  ×{count:,}" if count != 1 else "", 13))


def lines(texts: Iterable[Line]) -> Html:
    """Return lines of text below each other with a little air between them."""
    return table((row(cell("".join(run.html() for run in line))) for line in texts), CELLPADDING=1)


def box(texts: Sequence[Line], role: str | None, *, stacked: bool = False) -> Html:
    """Return a box of lines; ``stacked`` shows by a second box behind it that it stands for several devices."""
    colors = tone(role)
    inner = lines(texts)
    frame: dict[str, str | int] = {"BORDER": 1, "COLOR": colors.line, "BGCOLOR": colors.fill, "CELLPADDING": 6}
    if not stacked:
        return table([row(cell(inner, **frame))])
    # a cell over two rows shares its size evenly between them unless the rows claim it, so sizes are claimed here
    width = round(max(sum(run.width() for run in line) for line in texts)) + 16
    height = round(sum(max(run.size for run in line) * 1.2 + 2 for line in texts)) + 16
    main = cell(inner, ROWSPAN=2, COLSPAN=2, WIDTH=width, HEIGHT=height, **frame)
    corner = cell("", WIDTH=5, HEIGHT=5)
    right = cell("", WIDTH=5, HEIGHT=height - 5, BGCOLOR=colors.back)
    below = cell("", WIDTH=width - 5, HEIGHT=5, BGCOLOR=colors.back)
    return table([row(main, corner), row(right), row(corner, below, cell("", WIDTH=5, HEIGHT=5, BGCOLOR=colors.back))])


@attrs.frozen
class Title:
    """What stands above a picture: ``subject`` behind the design's name, ``facts`` line by line, ``states`` of claims as (status, text)."""

    name: str
    subject: str
    facts: tuple[str, ...]
    states: tuple[tuple[str, str], ...] = ()


def title_block(title: Title, roles: Iterable[str], rails: Sequence[tuple[str, str]] = (), scale: float = 1.0) -> Html:
    """Return the title block with the legend: the roles drawn, and ``rails`` as (label, colour); ``scale`` enlarges it for large pictures."""

    def size(points: int) -> int:
        return round(points * scale)

    rows = [font(title.name, size(20), bold=True) + font(f"  {title.subject}", size(14), GREY)]
    rows += [font(fact, size(11), GREY) for fact in title.facts if fact]
    for status, text in title.states:
        color, word = STATES.get(status, (GREY, status))
        rows.append(font(word, size(11), color, bold=True) + font(f"  {text}", size(11), GREY))
    drawn = set(roles)
    for items in ([(role.replace("_", " "), tone(role).line) for role in TONES if role in drawn], rails):
        rows.append("".join(font("■ ", size(13), color) + font(f"{label}     ", size(10), GREY) for label, color in items))
    return table(row(cell(line, ALIGN="LEFT", CELLPADDING=2)) for line in rows if line)
