"""``topoc check``."""

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
  topoc check cluster.topo
  topoc check cluster.topo -D su=2 -I parts
  topoc check cluster.topo --report
  topoc check cluster.topo --format json"""


@click.command(epilog=_EPILOG, short_help="Find the errors of a design; write nothing.")
@options.source
@options.language
@options.reporting
@click.option("--report", "tables", is_flag=True, help="Print tables of what was measured: tiers, paths, failures, power …")
def check(file: Path, defines: tuple[tuple[str, str], ...], include: tuple[Path, ...], form: str, limit: int, quiet: bool, tables: bool) -> int:
    """Find the errors of a design and decide its assertions; write nothing."""

    def work(progress: Callable[[str], None]) -> Result:
        from topolang import driver

        return driver.check(driver.Request(path=file, defines=defines, include=include, report=tables, progress=progress))

    return perform(work, form=form, limit=limit, quiet=quiet)
