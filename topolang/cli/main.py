"""The command group, and the frame in which every command runs: no traceback reaches a user."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence
from typing import Final

import click

from topolang import __version__
from topolang.cli.build import build
from topolang.cli.check import check
from topolang.cli.explain import explain
from topolang.cli.internal import debugging, internal_error
from topolang.cli.new import new
from topolang.cli.terminal import colored
from topolang.cli.version import version

INTERRUPTED: Final = 130
# what standard output answers when it is full or gone
_UNWRITABLE: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT, errno.EFBIG})
BROKEN_PIPE: Final = 141
# set by the shells' completion scripts of click
_COMPLETION: Final = "_TOPOC_COMPLETE"

_EPILOG = """\b
Examples:
  topoc new superpod_h100                  write a starter program
  topoc check superpod_h100.topo           find its errors
  topoc build superpod_h100.topo -o out    write cable tables, diagrams, bills of materials
  topoc build superpod_h100.topo -D su=2   the same with another parameter
  topoc explain T0401                      what an error code means

\b
Exit codes: 0 clean, 1 the design has errors, 2 the command line is wrong.
NO_COLOR in the environment turns colours off."""


@click.group(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="topoc", message="%(prog)s %(version)s")
def cli() -> None:
    """Compile descriptions of AI-cluster networks into checked cable tables, diagrams and machine-readable topologies."""


for _command in (build, check, new, explain, version):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``topoc`` with the given arguments (those of the process if None) and return its exit code."""
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _invoke(arguments)
    except BrokenPipeError:
        return _hung_up()
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except OSError as problem:
        if problem.errno not in _UNWRITABLE or debugging():
            return _fault(problem)
        click.echo(f"topoc: the report cannot be written: {problem.strerror}", err=True)
        return 1
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except Exception as problem:
        return _fault(problem)


def _fault(problem: Exception) -> int:
    """Tell a fault of the compiler itself and return the exit code."""
    if debugging():
        raise problem
    from topolang.diagnostics.render import render

    click.echo(render(internal_error(problem), color=colored(sys.stderr)), err=True, nl=False)
    return 1


def _open_missing_streams() -> None:
    """Put the null device in the place of a stream that the caller closed (``topoc … >&-``)."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def run() -> None:
    """Run ``topoc`` as the program of this process."""
    sys.exit(main())


def _invoke(arguments: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if _COMPLETION in os.environ:
        cli.main(words, prog_name="topoc", complete_var=_COMPLETION)
    # not `cli.main`, which would make an exit with 1 of a closed pipe
    try:
        with cli.make_context("topoc", words) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as left:
        code = left.exit_code
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _hung_up() -> int:
    """Take leave of a reader that closed the pipe (``topoc … | head``), as other programs do on SIGPIPE."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
