"""Programs in the documentation are programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import compile_text

from topolang.ir.metrics import METRICS
from topolang.passes.run import run_passes
from topolang.resources import library_parts
from topolang.semantics.functions import FUNCTIONS
from topolang.units import UNITS

DOCS = Path(__file__).resolve().parents[1] / "docs"
LANGUAGE = (DOCS / "language.md").read_text(encoding="utf-8")
PROGRAMS = [block for block in re.findall(r"```topo\n(.*?)```", LANGUAGE, re.DOTALL) if block.startswith("topolang 1")]


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_are_clean(text: str) -> None:
    design, sink = compile_text(text)
    assert design is not None
    assert [d.message for d in (*sink, *run_passes(design).diagnostics)] == []


@pytest.mark.parametrize("name", [*METRICS, *FUNCTIONS, *UNITS])
def test_every_metric_function_and_unit_is_described(name: str) -> None:
    assert re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", LANGUAGE)


def test_python_in_the_documentation_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(DOCS.parent)
    (program,) = re.findall(r"```python\n(.*?)```", (DOCS / "index.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(program, "index.md", "exec"), {})
    assert capsys.readouterr().out.startswith("89 devices, 1020 cables")


def test_every_part_of_the_library_is_listed() -> None:
    assert [part for part in library_parts() if f"`{part}`" not in (DOCS / "index.md").read_text(encoding="utf-8")] == []
