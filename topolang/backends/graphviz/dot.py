"""DOT text: graphs, nodes and edges with every value quoted, and HTML-like labels with every text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

# what XML 1.0 cannot hold even as a reference
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Html(str):
    """An HTML-like label, already escaped; written between angle brackets instead of quotes."""

    __slots__ = ()


def escape(text: str) -> str:
    """Return a text for use inside an HTML-like label; line breaks become blanks."""
    text = _UNWRITABLE.sub("\ufffd", text).replace("\r", " ").replace("\n", " ").replace("\t", " ")
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def quote(value: str) -> str:
    """Return a value as DOT writes it: HTML-like labels in angle brackets, anything else in quotes with backslashes doubled."""
    if isinstance(value, Html):
        return f"<{value}>"
    text = _UNWRITABLE.sub("\ufffd", value).replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", "\\n")
    return f'"{text}"'


def font(text: str, size: int | None = None, color: str | None = None, bold: bool = False) -> str:
    """Return escaped text in a size (points), colour and weight."""
    inner = escape(text)
    if bold:
        inner = f"<B>{inner}</B>"
    given = (f' POINT-SIZE="{size}"' if size is not None else "") + (f' COLOR="{color}"' if color is not None else "")
    return f"<FONT{given}>{inner}</FONT>" if given and inner else inner


def cell(content: str, **given: str | int) -> str:
    """Return a table cell."""
    return f"<TD{_tag(given)}>{content}</TD>"


def row(*cells: str) -> str:
    """Return a table row."""
    return f"<TR>{''.join(cells)}</TR>"


def table(rows: Iterable[str], **given: str | int) -> Html:
    """Return a table without borders and gaps unless they are given."""
    return Html(f"<TABLE{_tag({'BORDER': 0, 'CELLBORDER': 0, 'CELLSPACING': 0, 'CELLPADDING': 0} | given)}>{''.join(rows)}</TABLE>")


def pos(x: float, y: float) -> str:
    """Return a fixed place in points; the graph says ``inputscale=72``."""
    return f"{round(x, 1) + 0.0:.1f},{round(y, 1) + 0.0:.1f}!"


def _tag(given: Mapping[str, str | int]) -> str:
    return "".join(f' {name}="{escape(str(value))}"' for name, value in given.items())


def _list(given: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={quote(value)}" for name, value in given.items())


@attrs.define
class Graph:
    """An undirected graph that is written statement by statement; identifiers are those that `node` returns."""

    attributes: dict[str, str]
    node_defaults: dict[str, str]
    edge_defaults: dict[str, str]
    _lines: list[str] = attrs.field(factory=list)
    _nodes: int = 0
    _clusters: int = 0
    _depth: int = 1

    def node(self, **given: str) -> str:
        """Add a node and return its identifier."""
        identifier = f"n{self._nodes}"
        self._nodes += 1
        self._add(f"{identifier} [{_list(given)}];")
        return identifier

    def edge(self, tail: str, head: str, **given: str) -> None:
        """Add an edge; the ends are identifiers, perhaps with a port of a table (``n3:p0:n``)."""
        self._add(f"{tail} -- {head} [{_list(given)}];")

    def same_rank(self, identifiers: Iterable[str]) -> None:
        """Put nodes on one level."""
        self._add(f"{{ rank=same; {'; '.join(identifiers)} }}")

    def open_cluster(self, **given: str) -> None:
        """Begin a box around the nodes that follow."""
        self._add(f"subgraph cluster{self._clusters} {{")
        self._clusters += 1
        self._depth += 1
        self._add(f"graph [{_list(given)}];")

    def close_cluster(self) -> None:
        """End the box that was begun last."""
        self._depth -= 1
        self._add("}")

    def _add(self, line: str) -> None:
        self._lines.append("  " * self._depth + line)

    def text(self) -> str:
        """Return the DOT text."""
        heads = (("graph", self.attributes), ("node", self.node_defaults), ("edge", self.edge_defaults))
        return "\n".join(["graph {", *(f"  {what} [{_list(given)}];" for what, given in heads), *self._lines, "}", ""])
