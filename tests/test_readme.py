"""What the README shows is what the compiler does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from topolang.cli import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("session", re.findall(r"```console\n(\$ topoc .*?)```", README, re.DOTALL))
def test_sessions(session: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command, _, shown = session.partition("\n")
    monkeypatch.chdir(ROOT)
    main(command.split()[2:])
    assert capsys.readouterr().out.rstrip() == shown.rstrip()


def test_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = README.partition("## Outputs")[2].partition("##")[0]
    rows = [re.findall(r"`([^`]+)`", line.split("|")[1]) for line in table.splitlines() if line.startswith("| `")]
    named = {name if not name.startswith(".") else Path(names[0]).stem + name for names in rows for name in names}
    monkeypatch.chdir(ROOT)
    assert main(["build", "--quiet", "examples/superpod_h100.topo", "-o", str(tmp_path / "out")]) == 0
    assert {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()} == named
