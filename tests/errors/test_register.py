"""The programs in the register of codes do what they are shown for."""

from __future__ import annotations

from pathlib import Path

import pytest

from topolang import driver
from topolang.diagnostics.catalogue import Code, all_codes

SHOWN = [code for code in all_codes() if code.wrong]
MENDED = [code for code in SHOWN if code.right]


def found(program: str, folder: Path) -> dict[str, str]:
    """Return the severities of the codes that a check of a program raises."""
    file = folder / "program.topo"
    file.write_text(program, encoding="utf-8")
    return {d.code: d.severity for d in driver.check(driver.Request(file)).diagnostics}


@pytest.mark.parametrize("code", SHOWN, ids=lambda code: code.code)
def test_the_wrong_program_raises_the_code_alone(code: Code, tmp_path: Path) -> None:
    assert found(code.wrong, tmp_path) == {code.code: code.severity}


@pytest.mark.parametrize("code", MENDED, ids=lambda code: code.code)
def test_the_right_program_is_clean(code: Code, tmp_path: Path) -> None:
    assert found(code.right, tmp_path) == {}


def test_only_what_no_small_program_can_show_is_without_one() -> None:
    bare = {code.code for code in all_codes() if not code.wrong}
    files_and_limits = {"T0001", "T0002", "T0003", "T0008", "T0021", "T0022", "T0023", "T0024", "T0206", "T0208", "T0219", "T9999"}
    assert sorted(code for code in bare - files_and_limits if not code.startswith("T09")) == ["T0602"]
