"""What users get: the wheel, installed beside nothing of the checkout, runs from any folder."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("examples", "grammar", "stdlib")


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command apart from the checkout and return what it prints; its failure fails the test with both streams."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "TOPOLANG"))}
    words = list(map(str, command))
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a fresh environment and return its folder of programs.

    The dependencies are those of the running environment, so that no network is needed; its own topolang stands behind the wheel's.
    """
    home = tmp_path_factory.mktemp("fresh") / "venv"
    run(sys.executable, "-m", "venv", home, cwd=home.parent)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--no-deps", "--no-index", built["wheel"], cwd=home.parent)
    packages = Path(run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home.parent).strip())
    (packages / "zz_dependencies.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    return programs


def checkout(folder: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def test_wheel_ships_every_file_of_the_data_folders(built: dict[str, Path]) -> None:
    names = set(zipfile.ZipFile(built["wheel"]).namelist())
    for folder in SHIPPED:
        wanted = {f"topolang/_data/{name}" for name in checkout(folder)}
        assert wanted
        assert sorted(wanted - names) == []
    assert "topolang/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert [name for name in names if name.startswith(("tests/", "docs/", "grammar/", "stdlib/"))] == []


def test_source_archive_can_build_and_test_itself(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in (*SHIPPED, "tests", "topolang"):
        assert sorted(checkout(folder) - names) == []
    assert {"LICENSE", "README.md", "pyproject.toml", "CHANGELOG.md"} <= names


def test_topoc_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    topoc = installed / "topoc"
    where = run(installed / "python", "-c", "import topolang; print(topolang.__file__)", cwd=tmp_path).strip()
    assert Path(where).is_relative_to(installed.parent)
    assert run(topoc, "--version", cwd=tmp_path).startswith("topoc ")
    run(topoc, "new", "superpod_h100", cwd=tmp_path)
    run(topoc, "build", "superpod_h100.topo", "-o", "result", cwd=tmp_path)
    assert (tmp_path / "result" / "manifest.json").is_file()
    assert list((tmp_path / "result").rglob("*.svg"))


def test_module_form_runs(installed: Path, tmp_path: Path) -> None:
    assert "Commands:" in run(installed / "python", "-m", "topolang", "--help", cwd=tmp_path)
