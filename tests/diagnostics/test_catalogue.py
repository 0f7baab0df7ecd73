"""The register of codes is complete, and its page is up to date."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import topolang
from topolang.diagnostics.catalogue import RANGES, Code, all_codes, find
from topolang.diagnostics.catalogue.page import explain, page

PACKAGE = Path(topolang.__file__).parent


def used() -> set[str]:
    """Return the codes that stand as strings in the compiler's source, the register left out."""
    register = PACKAGE / "diagnostics" / "catalogue"
    files = [path for path in PACKAGE.rglob("*.py") if register not in path.parents]
    return {code for path in files for code in re.findall(r"[\"'](T\d{4})[\"']", path.read_text(encoding="utf-8"))}


def test_every_code_used_is_in_the_register() -> None:
    assert sorted(used() - {code.code for code in all_codes()}) == []


def test_every_code_in_the_register_is_used() -> None:
    assert sorted({code.code for code in all_codes()} - used()) == []


def test_codes_are_unique_and_in_their_range() -> None:
    codes = [code.code for code in all_codes()]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"T\d{4}", code) and code[:3] in RANGES for code in codes)


@pytest.mark.parametrize("code", all_codes(), ids=lambda code: code.code)
def test_texts_are_whole(code: Code) -> None:
    assert code.title[0].islower() or code.title[0] in "`0123456789" or code.title[:3].isupper() or code.title.split()[0] in {"InfiniBand"}
    assert not code.title.endswith(".")
    assert len(code.explanation.split()) >= 15
    assert code.explanation.strip().endswith((".", "`", ")"))
    assert bool(code.right) <= bool(code.wrong)
    assert f"{code.code}: {code.title}" in explain(code)


def test_find_ignores_case() -> None:
    assert find("t9999") is find("T9999")
    assert find("T0000") is None


def test_the_page_is_up_to_date(golden: Callable[[Path, str], None], root: Path) -> None:
    golden(root / "docs" / "errors.md", page())
