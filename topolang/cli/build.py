"""``topoc build``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from topolang.cli import options
from topolang.cli.report import perform

if TYPE_CHECKING:
    from topolang.driver import Result

_EPILOG = """\b
Examples:
  topoc build cluster.topo
  topoc build cluster.topo -o review -D su=2
  topoc build cluster.topo --only cables --only bom"""


@click.command(epilog=_EPILOG)
@options.source
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Where to write.  [default: out/<name of FILE>]")
@click.option("--only", multiple=True, metavar="NAME", help="Write only this output. May be given several times.")
@options.language
@options.reporting
def build(
    file: Path,
    out: Path | None,
    only: tuple[str, ...],
    defines: tuple[tuple[str, str], ...],
    include: tuple[Path, ...],
    form: str,
    limit: int,
    quiet: bool,
) -> int:
    """Check a design and write its outputs.

    Nothing is written while the design has errors, and files appear only when all of them are complete.
    """

    def work(progress: Callable[[str], None]) -> Result:
        from topolang import driver

        folder = out if out is not None else driver.default_folder(file)
        return driver.build(driver.Request(path=file, defines=defines, include=include, only=only, out=folder, progress=progress))

    return perform(work, form=form, limit=limit, quiet=quiet)
