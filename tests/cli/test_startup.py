"""``topoc`` starts quickly: what only prints loads no heavy library."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"graphviz", "hypothesis", "lark", "networkx", "numpy", "ortools", "pandas", "rich", "scipy"}


def loaded_by(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has loaded after running some code."""
    done = subprocess.run([sys.executable, "-c", f"{code}\nimport sys\nprint(*sorted(sys.modules))"], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.split("\n")[-2].split()}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["version"], ["build", "--help"], ["explain"], ["new", "--list"]])
def test_nothing_heavy_is_loaded(arguments: list[str]) -> None:
    assert not loaded_by(f"import topolang.cli; assert topolang.cli.main({arguments!r}) == 0") & HEAVY


def test_the_package_alone_loads_none_of_its_rooms() -> None:
    loaded = loaded_by("import topolang; topolang.__version__; dir(topolang)")
    assert not loaded & (HEAVY | {"attrs", "attr", "click"})


def test_the_syntax_room_needs_only_the_parser() -> None:
    assert not loaded_by("import topolang.syntax") & (HEAVY - {"lark"})
