"""The only reader of sources and writer of outputs.

A folder of outputs belongs to the build that wrote it last, as its manifest says: files of an earlier build that are not made again are removed,
files of anybody else are never touched. Everything is written aside and moved into place when it is complete; if a move fails, those before it
are undone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from topolang.diagnostics import Diagnostic, DiagnosticError, SourceFile, error

# far above any program written by hand; the largest expression that the compiler takes is bounded by it too
SOURCE_LIMIT: Final = 8 * 2**20

MANIFEST: Final = "manifest.json"
MANIFEST_FORMAT: Final = "topolang-manifest"

_PART: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+ -]*")
_RESERVED: Final = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")


def read_source(path: Path, name: str) -> SourceFile:
    """Return the text of a program; a byte order mark is no part of it.

    Raises:
        DiagnosticError: T0001 (cannot be opened or read), T0002 (larger than 8 MiB), T0003 (no UTF-8 text).
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(SOURCE_LIMIT + 1)
    except (OSError, ValueError) as problem:
        raise DiagnosticError(error("T0001", f"{name} cannot be read: {_why(problem)}")) from None
    if len(data) > SOURCE_LIMIT:
        raise DiagnosticError(error("T0002", f"{name} is larger than {SOURCE_LIMIT // 2**20} MiB", help="split it into files that import each other"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise DiagnosticError(_no_text(name, data, problem)) from None
    return SourceFile(name, text)


def _no_text(name: str, data: bytes, problem: UnicodeDecodeError) -> Diagnostic:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return error("T0003", f"{name} is UTF-16 text, but programs are UTF-8", help="save the file as UTF-8")
    line = data.count(b"\n", 0, problem.start) + 1
    return error("T0003", f"{name} is no UTF-8 text: byte 0x{data[problem.start]:02x} in line {line}", help="save the file as UTF-8")


def _why(problem: Exception) -> str:
    """Return the reason of a failure in lower case, without the path that messages name anyway."""
    text = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
    return text[:1].lower() + text[1:]


def check_name(name: str) -> str | None:
    """Return what is wrong with the name of an output, or None: it stays in its folder, at most one level deep, and every file system takes it."""
    parts = name.split("/")
    if len(parts) > 2:
        return "it lies more than one folder deep"
    for part in parts:
        if not _PART.fullmatch(part) or part.endswith((".", " ")) or len(part) > 120:
            return "it holds characters that not every file system takes"
        if _RESERVED.fullmatch(part):
            return "Windows keeps this name for a device"
    return None


def write_outputs(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write a whole set of outputs, the manifest among them, and return their paths in order.

    Raises:
        DiagnosticError: T0901 (cannot be written; nothing has changed), T0904 (a file of somebody else is in the way).
    """
    for name in files:
        fault = check_name(name)
        if fault is not None:
            raise DiagnosticError(error("T0901", f"`{name}` cannot be the name of an output: {fault}"))
    try:
        if os.path.lexists(folder):
            _renew(folder, files)
        else:
            _create(folder, files)
    except (OSError, ValueError) as problem:
        where = Path(problem.filename).name if isinstance(problem, OSError) and isinstance(problem.filename, str) else folder.name
        message = f"the outputs cannot be written to {folder.as_posix()}: {_why(problem)}"
        note = f"at `{where}`; nothing was changed"
        raise DiagnosticError(error("T0901", message, notes=[note], help="name another folder with `-o`")) from None
    return tuple(folder / name for name in sorted(files))


def _create(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder beside its place and move it there."""
    missing = [folder.parent, *folder.parent.parents]
    made = [parent for parent in missing if not parent.exists()]
    aside = folder.parent / f".{folder.name}.topoc-{os.getpid()}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _stage(aside, files)
        aside.rename(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        for parent in made:
            if parent.exists():
                parent.rmdir()
        raise


def _stage(aside: Path, files: Mapping[str, bytes]) -> None:
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    for name, data in files.items():
        target = aside / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)


def _renew(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace an earlier build; staged inside the folder, which may be a file system of its own."""
    if not folder.is_dir():
        raise DiagnosticError(error("T0904", f"{folder.as_posix()} is no folder", help="name another place with `-o`"))
    owned = _owned(folder)
    foreign = sorted(n for n in {*files, *owned} if _is_foreign(folder, n, owned))
    foreign += [d for d in sorted({Path(n).parent.as_posix() for n in {*files, *owned} if "/" in n}) if _no_folder(folder / d)]
    if foreign:
        shown = ", ".join(f"`{n}`" for n in foreign[:3])
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        message = f"{folder.as_posix()} holds files that no build wrote: {shown}{more}"
        raise DiagnosticError(error("T0904", message, help="move them away, or name another folder with `-o`"))
    aside = folder / f".topoc-{os.getpid()}"
    try:
        _stage(aside, {f"new/{i}": data for i, data in enumerate(files.values())})
        (aside / "old").mkdir()
        _swap(folder, aside, list(files), sorted(owned - set(files)))
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _is_foreign(folder: Path, name: str, owned: set[str]) -> bool:
    """Whether something stands at an output's place that is none: not listed (save under another case of letters), or a folder by now."""
    path = folder / name
    if not os.path.lexists(path):
        return False
    same = [other for other in owned if other.casefold() == name.casefold()]
    listed = name in same or any(os.path.lexists(folder / other) and path.samefile(folder / other) for other in same)
    return not listed or (path.is_dir() and not path.is_symlink())


def _no_folder(path: Path) -> bool:
    """Whether something else stands where a subfolder is needed; a link would lead out of the outputs."""
    return os.path.lexists(path) and (path.is_symlink() or not path.is_dir())


def _owned(folder: Path) -> set[str]:
    """Return the outputs of the last build as its manifest lists them; nothing where there is none of ours."""
    try:
        known = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if known["format"] != MANIFEST_FORMAT:
            return set()
        names = [entry["name"] for entry in known["outputs"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {MANIFEST, *(name for name in names if isinstance(name, str) and check_name(name) is None)}


def _swap(folder: Path, aside: Path, names: list[str], stale: list[str]) -> None:
    """Move old files out and new ones in; on failure move everything back."""
    done: list[tuple[Path, Path]] = []
    made: list[Path] = []

    def move(source: Path, target: Path) -> None:
        source.replace(target)
        done.append((source, target))

    try:
        for i, name in enumerate([*names, *stale]):
            if os.path.lexists(folder / name):
                move(folder / name, aside / "old" / str(i))
        for i, name in enumerate(names):
            parent = (folder / name).parent
            if not parent.is_dir():
                parent.mkdir()
                made.append(parent)
            move(aside / "new" / str(i), folder / name)
    except BaseException:
        for source, target in reversed(done):
            target.replace(source)
        for parent in made:
            parent.rmdir()
        raise
    for parent in sorted({(folder / name).parent for name in stale} - {folder}):
        if not any(parent.iterdir()):
            parent.rmdir()
