"""``topoc explain``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click

from topolang.cli import options
from topolang.cli.report import perform

_CODE: Final = re.compile(r"[Tt]\d+")
_PLACE: Final = re.compile(r"(?P<file>.+?):(?P<line>\d+)(:\d+)?")

_EPILOG = """\b
Examples:
  topoc explain                      list all codes
  topoc explain T0401                what a code means, with a wrong and a right program
  topoc explain cluster.topo:14      what a line declares, joins and multiplies"""


@click.command(epilog=_EPILOG)
@click.argument("subject", required=False, metavar="[CODE | FILE:LINE]")
@options.language
def explain(subject: str | None, defines: tuple[tuple[str, str], ...], include: tuple[Path, ...]) -> int:
    """Explain a code of a finding, or a line of a program."""
    if subject is None:
        _list()
    elif _CODE.fullmatch(subject):
        _code(subject.upper())
    elif place := _PLACE.fullmatch(subject):
        return _line(options.existing(place["file"]), int(place["line"]), defines, include)
    else:
        raise click.UsageError(f"`{subject}` is neither a code such as `T0401` nor a place such as `cluster.topo:14`")
    return 0


def _list() -> None:
    from topolang.diagnostics.catalogue import RANGES, all_codes

    lines: list[str] = []
    for prefix, title in RANGES.items():
        codes = [code for code in all_codes() if code.code.startswith(prefix)]
        if codes:
            lines += [f"{prefix}  {title}", *(f"  {code.code}  {code.title}" for code in codes)]
    click.echo("\n".join(lines))


def _code(name: str) -> None:
    from topolang.diagnostics import did_you_mean
    from topolang.diagnostics.catalogue import all_codes, find
    from topolang.diagnostics.catalogue.page import explain as text

    known = find(name)
    if known is None:
        hint = "".join(f"; {line}" for line in did_you_mean(name, [code.code for code in all_codes()]))
        raise click.UsageError(f"there is no code `{name}`{hint}")
    click.echo(text(known), nl=False)


def _line(path: Path, line: int, defines: tuple[tuple[str, str], ...], include: tuple[Path, ...]) -> int:
    """Explain a line; of a program without a meaning, show the errors instead."""
    from topolang import driver

    result, lines = driver.explain_line(driver.Request(path=path, defines=defines, include=include), line)
    if result.design is None:
        return perform(lambda _: result, form="text", limit=options.LIMIT, quiet=False)
    for text in lines:
        click.echo(text)
    return 0
