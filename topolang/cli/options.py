"""The options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

LIMIT: Final = 50
_DEFINE: Final = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)=(?P<value>.+)", re.DOTALL)

F = TypeVar("F", bound=Callable[..., Any])


def existing(name: str) -> Path:
    """Return the path of a source file; raise a usage error that names the nearest file if there is none."""
    from topolang.diagnostics import did_you_mean

    path = Path(name)
    if path.is_dir():
        raise click.UsageError(f"`{name}` is a folder, not a file")
    if path.exists():
        return path
    folder = path.parent if path.parent.is_dir() else Path()
    if path.with_name(f"{path.name}.topo").is_file():
        raise click.UsageError(f"there is no file `{name}`; write `{name}.topo`")
    known = [(path.parent / found.name).as_posix() for found in folder.glob("*.topo")]
    hint = "".join(f"; {text}" for text in did_you_mean(path.as_posix(), known))
    raise click.UsageError(f"there is no file `{name}`{hint}")


def _file(context: click.Context, parameter: click.Parameter, value: str) -> Path:
    return existing(value)


def _defines(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Split ``name=value``; raise a usage error for anything else and for a name given twice."""
    result: dict[str, str] = {}
    for text in values:
        found = _DEFINE.fullmatch(text)
        if found is None:
            raise click.BadParameter(f"`{text}` is not of the form `name=value`, e.g. `-D su=8`", context, parameter)
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise click.BadParameter(f"the value of `{found['name']}` is no UTF-8 text", context, parameter)
        if found["name"] in result:
            raise click.BadParameter(f"`{found['name']}` is given twice", context, parameter)
        result[found["name"]] = found["value"]
    return tuple(result.items())


def source(command: F) -> F:
    """Add ``FILE``."""
    return click.argument("file", callback=_file, metavar="FILE")(command)


def language(command: F) -> F:
    """Add what changes the meaning of a source: ``-D`` and ``-I``."""
    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    include = click.option("-I", "--include", "include", multiple=True, type=folder, metavar="DIR", help="A folder to look for imports in.")
    text = "Set a parameter of the design. May be given several times."
    define = click.option("-D", "--define", "defines", multiple=True, metavar="NAME=VALUE", callback=_defines, help=text)
    return define(include(command))


def reporting(command: F) -> F:
    """Add how results are shown: ``--format``, ``--limit``, ``--quiet``."""
    form = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the report.")
    limit_text = f"How many findings the text report shows; 0 for all.  [default: {LIMIT}]"
    limit = click.option("--limit", type=click.IntRange(min=0), default=LIMIT, metavar="N", help=limit_text)
    quiet = click.option("-q", "--quiet", is_flag=True, help="Show findings only: no progress, no summary.")
    return form(limit(quiet(command)))
