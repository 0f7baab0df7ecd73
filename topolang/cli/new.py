"""``topoc new``."""

from __future__ import annotations

from pathlib import Path

import click

_EPILOG = """\b
Examples:
  topoc new --list
  topoc new superpod_h100
  topoc new superpod_h100 -o pod7.topo"""


@click.command(epilog=_EPILOG, short_help="Write a starter program.")
@click.argument("name", required=False)
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to write.  [default: NAME.topo]")
@click.option("--list", "listed", is_flag=True, help="List the starters.")
def new(name: str | None, out: Path | None, listed: bool) -> None:
    """Write a starter program: one of the examples that ship with the compiler."""
    starters = _starters()
    if listed:
        width = max(map(len, starters), default=0)
        click.echo("\n".join(f"{known:{width}}  {_headline(path)}".rstrip() for known, path in starters.items()))
        return
    if name is None:
        raise click.UsageError("name a starter, or list them with `topoc new --list`")
    if name not in starters:
        from topolang.diagnostics import did_you_mean

        hint = "".join(f"; {line}" for line in did_you_mean(name, starters))
        raise click.UsageError(f"there is no starter `{name}`{hint}")
    target = out if out is not None else Path(f"{name}.topo")
    try:
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(starters[name].read_text(encoding="utf-8"))
    except FileExistsError:
        raise click.UsageError(f"`{target}` exists and is left as it is; write to another file with `-o FILE`") from None
    except OSError as problem:
        raise click.UsageError(f"`{target}` cannot be written: {problem.strerror}") from None
    click.echo(f"wrote {target}; next: topoc build {target}")


def _starters() -> dict[str, Path]:
    """Return the shipped examples by name."""
    from topolang.resources import data_dir

    return {path.stem: path for path in sorted(data_dir("examples").glob("*.topo"))}


def _headline(path: Path) -> str:
    """Return the first comment of a program."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line.lstrip("# ").rstrip() for line in lines if line.startswith("#")), "")
