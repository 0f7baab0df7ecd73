"""The analysis of a whole program: from a root file and the command line's parameters to a design."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os.path import relpath
from pathlib import Path

import attrs

from topolang.diagnostics import Diagnostic, DiagnosticError, Sink, SourceFile, Span, did_you_mean, error
from topolang.ir.model import Design
from topolang.resources import data_dir
from topolang.semantics.elaborate import Elaborator, check_parts
from topolang.semantics.evaluate import evaluate
from topolang.semantics.kinds import KindTable
from topolang.semantics.loader import Loader, Reader, Unit
from topolang.semantics.params import Given, bind
from topolang.semantics.scope import Missing, Poisoned, Scope
from topolang.semantics.values import DeviceRef
from topolang.syntax import ast
from topolang.syntax.parser import parse_expression


def analyse(
    path: Path, defines: Sequence[tuple[str, str]], search: Sequence[Path], read: Reader, sink: Sink, *, need_design: bool = True
) -> Design | None:
    """Return the design of a root file, or None where ``sink`` holds errors (or the file holds no design and none is needed).

    ``defines`` are ``-D`` pairs; ``search`` the ``-I`` folders; ``read`` the only access to files.
    """
    kinds = KindTable()
    library = data_dir("stdlib")
    loader = Loader(_with_origins(read, path.parent, library), search, library, kinds, sink)
    try:
        loader.load(library / "std" / "kinds.topo", "stdlib/std/kinds.topo")
        unit = loader.load(path, path.as_posix())
    except DiagnosticError as fault:
        sink.add(fault.diagnostic)
        return None
    if any(_misread(d) for d in sink):
        _after_mistakes(unit, defines, loader, kinds, sink)
        return None
    return _design(unit, defines, loader, kinds, sink, need_design=need_design)


# what is missing, misplaced or incomplete may only be so because a statement could not be read
_FOLLOWS_FROM_MISTAKES = frozenset({"T0208", "T0212", "T0213", "T0214", "T0219", "T0307", "T0411"})
_UNKNOWN_NAMES = frozenset({"T0201", "T0202"})


def _misread(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity == "error" and diagnostic.code.startswith("T00")


def _after_mistakes(unit: Unit, defines: Sequence[tuple[str, str]], loader: Loader, kinds: KindTable, sink: Sink) -> None:
    """Analyse what could be read of a program with mistakes, and report only what no mistake can have caused."""
    inner = Sink()
    _design(unit, defines, loader, kinds, inner, need_design=False)
    imports = any(_misread(d) and d.span is not None and d.span.source.line_text(d.span.line).lstrip().startswith("import") for d in sink)
    sink.extend([d for d in inner if not _follows(d, imports)])


def _follows(diagnostic: Diagnostic, imports: bool) -> bool:
    """Whether a finding may come from a statement that could not be read: an unknown name does if it stands elsewhere in the file too, or if an
    import is among these statements."""
    if diagnostic.code in _UNKNOWN_NAMES and diagnostic.span is not None:
        span = diagnostic.span
        return imports or len(re.findall(rf"\b{re.escape(span.text)}\b", span.source.text)) > 1
    return diagnostic.code in _FOLLOWS_FROM_MISTAKES


def _design(unit: Unit, defines: Sequence[tuple[str, str]], loader: Loader, kinds: KindTable, sink: Sink, *, need_design: bool) -> Design | None:
    elaborator = Elaborator(kinds, sink)
    declaration = _design_of(unit, sink, need_design)
    if declaration is None:
        if not sink.has_errors:
            check_parts(elaborator, [v for v in unit.scope.values.values() if isinstance(v, DeviceRef)])
        return None
    given = _given(declaration, defines, unit, loader, sink)
    if sink.has_errors and given is None:
        return None
    try:
        scope = bind(declaration.name.text, declaration.params, given or {}, unit.scope, declaration.name.span, sink)
    except DiagnosticError as fault:
        sink.add(fault.diagnostic)
        return None
    design = elaborator.design(declaration, scope)
    check_parts(elaborator, [v for v in unit.scope.values.values() if isinstance(v, DeviceRef)])
    if sink.has_errors:
        return None
    return attrs.evolve(design, sources=_ordered(unit.file.source, loader.sources))


def _with_origins(read: Reader, folder: Path, library: Path) -> Reader:
    """Return a reader that notes where each file lies relative to the root file's folder; library files keep their names."""

    def reader(path: Path, name: str) -> SourceFile:
        source = read(path, name)
        return source if path.is_relative_to(library) else attrs.evolve(source, origin=Path(relpath(path, folder)).as_posix())

    return reader


def _ordered(root: SourceFile, sources: Sequence[SourceFile]) -> tuple[SourceFile, ...]:
    return (root, *sorted((s for s in sources if s is not root), key=lambda s: s.origin))


def _design_of(unit: Unit, sink: Sink, need_design: bool) -> ast.Container | None:
    designs = [c for c in unit.own.values() if c.kind == "design"]
    if len(designs) > 1:
        first, second = designs[0].name, designs[1].name
        sink.add(
            error(
                "T0209",
                "a file holds one design",
                second.span,
                "another design",
                extra=((first.span, "first here"),),
                help="move it to a file of its own",
            )
        )
        return None
    if not designs:
        if need_design and not sink.has_errors:
            sink.add(
                error("T0208", f"{unit.file.source.name} holds no design", None, help="add `design NAME { … }`; `topoc check` checks a file of parts")
            )
        return None
    return designs[0]


def _given(declaration: ast.Container, defines: Sequence[tuple[str, str]], unit: Unit, loader: Loader, sink: Sink) -> Mapping[str, Given] | None:
    """Return the parameters given on the command line; None where one cannot be read."""
    given: dict[str, Given] = {}
    params = {p.name.text: p for p in declaration.params}
    failed = False
    for name, text in defines:
        if name not in params:
            sink.add(error("T0219", f"-D {name}: design `{declaration.name.text}` has no parameter `{name}`", help=did_you_mean(name, params)))
            failed = True
            continue
        source = SourceFile(f"-D {name}", text)
        try:
            value = _define(params[name], source, unit, loader, sink)
        except DiagnosticError as fault:
            sink.add(fault.diagnostic)
            value = None
        except Poisoned:
            value = None
        failed |= value is None
        if value is not None:
            given[name] = value
    return None if failed else given


def _define(param: ast.Param, source: SourceFile, unit: Unit, loader: Loader, sink: Sink) -> Given | None:
    before = len(sink)
    if param.type.text == "string" and not param.listed and not source.text.startswith('"'):
        return Given(source.text, _whole(source))
    expr = parse_expression(source, sink)
    if expr is None:
        if len(sink) == before:
            sink.add(error("T0010", f"`{source.text}` is no value", _whole(source), "cannot be read"))
        return None
    if isinstance(expr, ast.Path) and len(expr.steps) > 1 and not any(s.selectors for s in expr.steps):
        return Given(_library_part(expr, unit, loader, sink), expr.span)
    return Given(evaluate(expr, unit.scope), expr.span)


def _library_part(expr: ast.Path, unit: Unit, loader: Loader, sink: Sink) -> object:
    """Return a part named by its library path, ``-D sw=nvidia.qm9700``, or the member of an import's alias."""
    try:
        unit.scope.get(expr.steps[0].name.text)
    except Missing:
        names = tuple(step.name for step in expr.steps)
        item = ast.Import(path=names, span=expr.span)
        scope = Scope()
        loader.import_into(item, scope)
        return scope.get(names[-1].text) if names[-1].text in scope.values else evaluate(expr, unit.scope)
    return evaluate(expr, unit.scope)


def _whole(source: SourceFile) -> Span:
    return Span(source, 0, len(source.text))
