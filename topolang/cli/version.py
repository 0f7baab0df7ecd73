"""``topoc version``."""

from __future__ import annotations

import platform

import click

from topolang import __version__


@click.command()
def version() -> None:
    """Print the version of the compiler and of what it runs on."""
    click.echo(f"topolang {__version__}, language edition 1, Python {platform.python_version()} on {platform.system()} {platform.machine()}")
