"""Rules of the house that no linter knows: sizes, leftovers, and texts that must agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [".ci", "benchmarks", "docs", "examples", "grammar", "stdlib", "tests", "topolang"]
TEXTS = {".py", ".topo", ".lark", ".md", ".toml", ".txt", ".csv", ".json", ".xml", ".dot", ".svg", ""}


def texts() -> Iterator[Path]:
    """Yield every text file of the project."""
    yield from (path for path in sorted(ROOT.iterdir()) if path.is_file() and path.suffix in TEXTS)
    for folder in FOLDERS:
        yield from (p for p in sorted((ROOT / folder).rglob("*")) if p.is_file() and p.suffix in TEXTS and "__pycache__" not in p.parts)


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_files_are_short() -> None:
    sizes = {path: lines(path) for path in (ROOT / "topolang").rglob("*.py")}
    assert median(sizes.values()) <= 150
    assert {path.name: size for path, size in sizes.items() if size > 500} == {}


@pytest.mark.parametrize("word", ["TO" "DO", "FIX" "ME", "XX" "X"])
def test_nothing_is_left_for_later(word: str) -> None:
    assert [path.name for path in texts() if re.search(rf"\b{word}\b", path.read_text(encoding="utf-8"))] == []


def test_no_path_of_a_machine_is_left() -> None:
    pattern = re.compile(r"(?<![\w./<])/(?:home|root|Users|work|tmp/w)/")
    assert [path.name for path in texts() if pattern.search(path.read_text(encoding="utf-8"))] == []


def untidy(text: str) -> bool:
    """Whether a text has blank lines at its end, no line break there, carriage returns or blanks at the end of a line."""
    return bool(text) and (not re.search(r"[^\n]\n\Z", text) or "\r" in text or bool(re.search(r"[ \t]$", text, re.MULTILINE)))


def test_texts_are_tidy() -> None:
    files = [path for path in texts() if path.suffix in {".py", ".topo", ".lark", ".toml"}]
    assert [path.relative_to(ROOT).as_posix() for path in files if untidy(path.read_text(encoding="utf-8"))] == []


def test_every_module_says_what_it_is() -> None:
    modules = [path for path in (ROOT / "topolang").rglob("*.py") if path.read_text(encoding="utf-8")]
    assert [path.name for path in modules if not re.match(r'r?"""\S', path.read_text(encoding="utf-8"))] == []


def test_ci_runs_the_test_command_of_the_readme() -> None:
    command = "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest"
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert command in [line.strip() for line in readme]
    assert command in [line.strip() for line in script]


def test_the_program_in_the_readme_is_the_example() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"```topo\n(.*?)```", readme, re.DOTALL)
    assert shown[0] == (ROOT / "examples" / "superpod_h100.topo").read_text(encoding="utf-8")


def test_links_in_the_documentation_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
    for page in pages:
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_room_is_described() -> None:
    described = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = [p.name for p in (ROOT / "topolang").iterdir() if (p / "__init__.py").is_file()]
    assert [name for name in sorted(rooms) if f"`topolang/{name}/`" not in described] == []
