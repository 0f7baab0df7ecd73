"""Files and imports: every file is read once; what it declares enters the scope of those that import it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from topolang.diagnostics import DiagnosticError, Sink, SourceFile, Span, did_you_mean, error
from topolang.semantics.evaluate import evaluate, fail
from topolang.semantics.kinds import KindTable
from topolang.semantics.limits import IMPORT_DEPTH, bounded_name
from topolang.semantics.scope import Lazy, Poisoned, Scope
from topolang.semantics.values import DeviceRef
from topolang.syntax import ast
from topolang.syntax.parser import parse

# read a file and give it the name that messages show
Reader = Callable[[Path, str], SourceFile]


@attrs.frozen(eq=False)
class Unit:
    """A loaded file: its tree, the scope of its top level and what it declares itself (by name)."""

    file: ast.File
    scope: Scope
    own: dict[str, ast.Container]


class Loader:
    """Load files and their imports: beside the importing file, then in ``search``, then in the standard library."""

    def __init__(self, read: Reader, search: Sequence[Path], library: Path, kinds: KindTable, sink: Sink) -> None:
        self._read = read
        self._search = tuple(search)
        self._library = library
        self._kinds = kinds
        self._sink = sink
        self._units: dict[Path, Unit | None] = {}
        self._open: list[Path] = []

    @property
    def sources(self) -> tuple[SourceFile, ...]:
        """The files read so far, in the order of reading."""
        return tuple(unit.file.source for unit in self._units.values() if unit is not None)

    def load(self, path: Path, name: str, at: Span | None = None) -> Unit:
        """Return a file with all that it imports.

        Raises:
            DiagnosticError: T0205 (cannot be read), T0206 (imports itself).
            Poisoned: if it was reported already.
        """
        key = path.resolve()
        if key in self._open:
            chain = " -> ".join(p.name for p in (*self._open[self._open.index(key) :], key))
            raise DiagnosticError(error("T0206", f"these files import each other: {chain}", at, "closes the circle"))
        if key in self._units:
            unit = self._units[key]
            if unit is None:
                raise Poisoned
            return unit
        if len(self._open) > IMPORT_DEPTH:
            raise DiagnosticError(error("T0021", f"files import each other more than {IMPORT_DEPTH} deep", at, "reading stopped here"))
        self._units[key] = None
        file = _parse(self._read(path, name), self._sink) if name.startswith("stdlib/") else parse(self._read(path, name), self._sink)
        self._open.append(key)
        try:
            unit = self._unit(file, path)
        finally:
            self._open.pop()
        self._units.pop(key)
        self._units[key] = unit
        return unit

    def _unit(self, file: ast.File, path: Path) -> Unit:
        imported = Scope()
        scope = Scope(imported)
        own: dict[str, ast.Container] = {}
        files: dict[Path, Span] = {}
        for item in file.items:
            try:
                if isinstance(item, ast.Import):
                    self._import(item, path, imported, files)
                else:
                    self._top(item, scope, own)
            except DiagnosticError as fault:
                self._sink.add(fault.diagnostic)
            except Poisoned:
                pass
        for text, container in own.items():
            if text in imported.values:
                first = imported.spans[text]
                clash = error("T0203", f"`{text}` is declared here and imported", container.name.span, "declared again", extra=((first, "imported"),))
                self._sink.add(clash)
        return Unit(file, scope, own)

    def _top(self, item: ast.Item, scope: Scope, own: dict[str, ast.Container]) -> None:
        if isinstance(item, ast.Container):
            bounded_name(item.name)
            scope.define(item.name, DeviceRef(item, scope))
            own[item.name.text] = item
        elif isinstance(item, ast.Let):
            scope.define(item.name, Lazy(item.value, item.name, lambda expr: evaluate(expr, scope)))
        elif isinstance(item, ast.Kind):
            self._kinds.add(item, scope, self._sink)
        else:
            raise fail(
                "T0212",
                "only imports, `let` and declarations stand at the top of a file",
                item.span,
                "outside a design",
                help="put it into the braces of a `design`",
            )

    def _import(self, item: ast.Import, path: Path, imported: Scope, files: dict[Path, Span]) -> None:
        """Bring what a file declares into a scope; ``files`` are those imported without a name of their own so far, and where."""
        try:
            found, name = self._find(item, path)
            if item.alias is None:
                _once(found, name, item.span, files)
            unit = self.load(found, name, item.span)
        except (DiagnosticError, Poisoned):
            imported.incomplete = True
            raise
        if item.alias is not None:
            imported.define(item.alias, _exports(unit, item.span))
            return
        exports = _exports(unit, item.span)
        for text, value in exports.values.items():
            known = imported.values.get(text)
            if known is not None and known is not Poisoned:
                extra = ((imported.spans[text], "imported first here"),)
                raise fail(
                    "T0203",
                    f"`{text}` is imported twice from different files",
                    item.span,
                    "imported again",
                    extra=extra,
                    help="import one of them `as` a name",
                )
            imported.values[text] = value
            imported.spans[text] = item.span

    def import_into(self, item: ast.Import, scope: Scope) -> None:
        """Import a library file by its path into a scope; errors as for `load`."""
        self._import(item, self._library / "none.topo", scope, {})

    def _find(self, item: ast.Import, path: Path) -> tuple[Path, str]:
        """Return the file that an import names and the name to show for it; raise T0205 if there is none."""
        if item.file is not None:
            if not item.file.value.endswith(".topo"):
                raise fail("T0205", "an imported file ends in `.topo`", item.file.span, help=self._unquoted(item.file.value))
            target = path.parent / item.file.value
            if not _is_file(target):
                raise fail(
                    "T0205", f"there is no file {item.file.value}", item.file.span, "not found", help="paths are relative to the importing file"
                )
            return target, _shown(target)
        relative = Path(*(n.text for n in item.path)).with_suffix(".topo")
        for folder in (path.parent, *self._search):
            if _is_file(folder / relative):
                return folder / relative, _shown(folder / relative)
        if _is_file(self._library / relative):
            return self._library / relative, f"stdlib/{relative.as_posix()}"
        dotted = ".".join(n.text for n in item.path)
        raise fail("T0205", f"there is no part file `{dotted}`", item.span, "not found", help=self._near(dotted))

    def _near(self, dotted: str) -> tuple[str, ...]:
        """Return the help for an unknown part: those of the folder that it names, or the nearest."""
        names = self.library_names()
        inside = [n for n in names if n.startswith(f"{dotted}.")]
        return (f"choose one of {', '.join(f'`{n}`' for n in inside)}",) if inside else did_you_mean(dotted, names)

    def _unquoted(self, text: str) -> str:
        if text in self.library_names():
            return f"write `import {text}` without quotes for a part of the library"
        return f'write `"{text}.topo"` for a file, or a name without quotes for a part of the library'

    def library_names(self) -> list[str]:
        """Return the dotted names of all files of the standard library but the prelude."""
        files = sorted(self._library.rglob("*.topo"))
        return [".".join(f.relative_to(self._library).with_suffix("").parts) for f in files if f.parent.name != "std"]


_library: dict[tuple[str, str], ast.File] = {}


def _parse(source: SourceFile, sink: Sink) -> ast.File:
    """Parse a file of the standard library once per process: its text does not change, and trees are frozen."""
    key = (source.name, source.text)
    if key not in _library:
        before = len(sink)
        file = parse(source, sink)
        if len(sink) > before:
            return file
        _library[key] = file
    return _library[key]


def _once(found: Path, name: str, span: Span, files: dict[Path, Span]) -> None:
    """Note that a file is imported; raise T0203 if it was before."""
    first = files.setdefault(found.resolve(), span)
    if first is not span:
        extra = ((first, "imported first here"),)
        raise fail("T0203", f"{name} is imported twice", span, "imported again", extra=extra, help="remove one of the two")


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have has none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _shown(path: Path) -> str:
    """Return a path as given, relative to the working folder where it lies below it."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.as_posix()


def _exports(unit: Unit, span: Span) -> Scope:
    """Return what a file declares itself, without what it imports."""
    scope = Scope()
    scope.values = dict(unit.scope.values)
    scope.spans = dict.fromkeys(unit.scope.values, span)
    return scope
