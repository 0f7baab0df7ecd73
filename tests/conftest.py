"""What all tests share: the checkout's folders, golden files with one switch to accept them, and a steady hypothesis profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

import topolang

ROOT = Path(__file__).resolve().parents[1]

# Shared machines are slow at times, so no deadline; examples are the same in every run, so that a red run can be repeated.
hypothesis.settings.register_profile("topolang", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("topolang")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what was produced into the golden files, to be reviewed in the diff")


def pytest_report_header() -> str:
    return f"topolang {topolang.__version__} from {Path(topolang.__file__).parent}"


@pytest.fixture
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a golden file; ``--accept`` writes the file instead."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), f"no golden file {path.name}: run pytest with --accept"
        assert text == path.read_text(encoding="utf-8")

    return compare
