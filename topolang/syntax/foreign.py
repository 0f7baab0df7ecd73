"""Files that are no programs of ours: the suffix `.topo` is shared with other tools, and a wrong file deserves its own name."""

from __future__ import annotations

import re
from typing import Final

import attrs

from topolang.diagnostics import Diagnostic, SourceFile, Span, error

# what a file is shows in its first lines; reading more would only cost time
_LINES: Final = 400
_CHARACTERS: Final = 40_000


@attrs.frozen
class Format:
    """A format of another tool: what it is called, and a pattern (multi-line) of which one match in the first lines is proof.

    The group ``at``, if there is one, is the place to show.
    """

    title: str
    pattern: re.Pattern[str]


def _format(title: str, pattern: str) -> Format:
    return Format(title, re.compile(pattern, re.MULTILINE))


# the first match names the file, so the special stands before the general
FORMATS: Final[tuple[Format, ...]] = (
    _format("output of ibnetdiscover", r'^(# Topology file: generated on|(Switch|Ca|Rt)\s+\d+\s+"[SHR]-|(switch|ca|rt)guid=0x)'),
    _format(
        "an InfiniBand topology file (as written by ibdiagnet, UFM and IBDM)",
        r"^[ \t]*[\w/.-]+[ \t]+-(\w+-)*>[ \t]+\S+[ \t]+\S+[ \t]+\S+[ \t]*\r?$",
    ),
    _format("a topology of the htsim simulator", r"^(Nodes[ \t]+\d+|Tiers[ \t]+[23]|Podsize[ \t]+\d+|Downlink_speed_Gbps[ \t]+\d+)[ \t]*\r?$"),
    _format("a topology of the NCCL library (XML)", r"\A\s*(<\?xml[^>]*>\s*)?<(system|graphs)\b"),
    _format("an XML file", r"\A\s*<[?!\w]"),
    _format(
        "a Graphviz graph (DOT)",
        r'\A([ \t\r]*\n|(#|//)[^\n]*\n|/\*([^*]|\*(?!/))*\*/)*[ \t]*(?P<at>(strict\s+)?(di)?graph\b\s*(\w+|"[^"\n]*")?\s*\{)',
    ),
    _format("an InfraGraph description (JSON)", r'\A\s*\{\s*("name"[^{\[]*)?"(devices|instances|edges|links|infrastructure)"\s*:'),
    _format("a JSON file", r"\A\s*[\[{]\s*[\]}\"\[{]"),
    _format("a containerlab topology (YAML)", r"^topology:[ \t]*\r?\n(#[^\n]*\n|[ \t\r]*\n)*[ \t]+(nodes|links|kinds|defaults|groups):"),
    _format("an InfraGraph description (YAML)", r"^(devices|instances|edges|infrastructure):[ \t]*\r?\n(#[^\n]*\n|[ \t\r]*\n)*[ \t]*(- )?\w+:"),
    _format("a YAML file", r"\A(#[^\n]*\n|[ \t\r]*\n)*(---[ \t]*\r?$|[\w-]+:[ \t]*\r?\n[ \t]+(- |[\w-]+:)|apiVersion:)"),
)

_STATEMENT: Final = re.compile(r"^[ \t\ufeff]*[^#\s\ufeff]", re.MULTILINE)
_EDITION: Final = re.compile(r"^[ \t\ufeff]*topolang\b", re.MULTILINE)
_HELP: Final = "topolang does not read such files: describe the network in a program that begins with `topolang 1`"


def recognise(source: SourceFile) -> Diagnostic | None:
    """Return what is wrong with a file that is no program of ours at all (T0006 to T0008), or None."""
    text = source.text
    if _STATEMENT.search(text) is None:
        message = f"{source.name} is empty" if "#" not in text else f"{source.name} holds comments only"
        return error("T0008", message, Span(source, 0, 0), "nothing here", help="a program begins with `topolang 1`; `topoc new` writes one")
    binary = text.find("\0")
    if binary >= 0:
        message = f"{source.name} is a binary file: it holds a NUL character"
        return error("T0007", message, Span(source, binary, binary + 1), "not text", help="name a text file; programs are UTF-8")
    head = _head(text)
    if _EDITION.search(head):
        return None
    for format_ in FORMATS:
        found = format_.pattern.search(head)
        if found is not None:
            at = found.start("at") if "at" in format_.pattern.groupindex else found.start()
            span = _line(source, at + len(head[at:]) - len(head[at:].lstrip()))
            return error("T0006", f"{source.name} is {format_.title}, not a topolang program", span, "written by another tool", help=_HELP)
    return None


def _head(text: str) -> str:
    """Return the first whole lines of a text."""
    lines = text[:_CHARACTERS].splitlines(keepends=True)
    if len(text) > _CHARACTERS and len(lines) > 1:
        lines.pop()
    return "".join(lines[:_LINES])


def _line(source: SourceFile, offset: int) -> Span:
    """Return the visible part of the line at an offset."""
    line = source.line_of(offset)
    text = source.line_text(line)
    start = source.line_starts[line - 1] + len(text) - len(text.lstrip())
    return Span(source, start, max(start, source.line_starts[line - 1] + len(text.rstrip())))
