"""The elaboration of designs, modules and devices: one room for what is made once per type and what is made per copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from topolang.diagnostics import DiagnosticError, Sink, Span
from topolang.ir.limits import clos_note, radix
from topolang.ir.model import Design, DeviceType, Group, Hint, Inside
from topolang.semantics.assembly import Assembly, Body, Context
from topolang.semantics.dims import CELL_LIMIT, PART_LIMIT, too_many_cells
from topolang.semantics.evaluate import evaluate, fail, unknown_name
from topolang.semantics.kinds import KindTable, read_attributes
from topolang.semantics.limits import PORTS_LIMIT, STATEMENT_LIMIT
from topolang.semantics.namespace import Namespace, PortEntry
from topolang.semantics.params import Given, bind
from topolang.semantics.ports import PortTable
from topolang.semantics.scope import Missing, Poisoned, Scope
from topolang.semantics.values import DeviceRef, described
from topolang.syntax import ast

_DEPTH_LIMIT = 32


class Elaborator:
    """Make IR from declarations; device types are made once per declaration and arguments."""

    def __init__(self, kinds: KindTable, sink: Sink) -> None:
        self.kinds = kinds
        self.sink = sink
        self._devices: dict[tuple[int, tuple[tuple[str, Any], ...]], DeviceType | None] = {}
        self._open: list[DeviceRef] = []
        self._statements = 0
        self._cells = 0
        self._ports = 0

    # ------------------------------------------------------------ limits

    def count_statement(self, span: Span) -> None:
        """Count a statement that modules and loops repeat; raise T0308 at the first one too many and `Poisoned` at those after it."""
        self._statements += 1
        if self._statements > STATEMENT_LIMIT + 1:
            raise Poisoned
        if self._statements > STATEMENT_LIMIT:
            what = f"more than {STATEMENT_LIMIT:,} statements, with modules copied and loops run, are more than can be built"
            raise fail("T0308", what, span, "reached here", help="use named dimensions instead of copies and loops")

    def count_ports(self, count: int, span: Span) -> None:
        """Count the ports of all types of devices; raise T0308 at the first one too many and `Poisoned` at those after it."""
        if self._ports > PORTS_LIMIT:
            raise Poisoned
        self._ports += count
        if self._ports > PORTS_LIMIT:
            what = f"{self._ports:,} ports of all types of devices are more than can be built"
            raise fail("T0308", what, span, f"at most {PORTS_LIMIT:,}")

    def count_cells(self, group: Group) -> None:
        """Count the instances of a design; raise T0308 where all arrays together are too large."""
        self._cells += group.size
        if self._cells > CELL_LIMIT:
            raise too_many_cells(self._cells, group.span)

    # ------------------------------------------------------------ names of parts

    def part(self, path: Sequence[ast.Name], scope: Scope) -> DeviceRef:
        """Return the device or module that a part's name stands for; raise T0201, T0202, or T0218 if it is something else."""
        try:
            value = scope.get(path[0].text)
        except Missing:
            raise unknown_name(path[0], scope.names()) from None
        for name in path[1:]:
            if not isinstance(value, Scope):
                raise fail("T0202", f"`{path[0].text}` has no member `{name.text}`", name.span, "no such member")
            try:
                value = value.get(name.text)
            except Missing:
                raise unknown_name(name, value.names()) from None
        if not isinstance(value, DeviceRef) or value.declaration.kind not in ("device", "module"):
            what = described(value)
            help_ = "declare it as a `module` to use it as a part" if what == "a design" else ()
            raise fail("T0218", f"`{path[-1].text}` is {what}, but instances are of devices and modules", path[-1].span, what, help=help_)
        return value

    def arguments(self, part: DeviceRef, arguments: Sequence[ast.Argument], scope: Scope, span: Span) -> Scope:
        """Return the scope of a part's parameters, given an instance's arguments."""
        given: dict[str, Given] = {}
        for argument in arguments:
            if argument.name is None:
                raise fail("T0214", f"arguments of `{part.name}` are named", argument.span, help="write `name = value`")
            if argument.name.text in given:
                raise fail("T0211", f"`{argument.name.text}` is given twice", argument.name.span, "given again")
            given[argument.name.text] = Given(evaluate(argument.value, scope), argument.span)
        return bind(part.name, part.declaration.params, given, part.scope, span, self.sink)

    @contextmanager
    def entered(self, part: DeviceRef, span: Span) -> Iterator[None]:
        """Guard against a part that holds itself (T0207)."""
        if any(p.declaration is part.declaration for p in self._open) or len(self._open) > _DEPTH_LIMIT:
            raise fail("T0207", f"`{part.name}` would hold itself", span, "endless", extra=((part.declaration.name.span, "declared here"),))
        self._open.append(part)
        try:
            yield
        finally:
            self._open.pop()

    # ------------------------------------------------------------ devices

    def device(self, part: DeviceRef, arguments: Sequence[ast.Argument], scope: Scope, span: Span) -> DeviceType:
        """Return the device type of an instance; raise `Poisoned` if its declaration has errors that were reported already."""
        inner = self.arguments(part, arguments, scope, span)
        names = [p.name.text for p in part.declaration.params]
        values = tuple((n, inner.values[n]) for n in names)
        if any(v is Poisoned for _, v in values):
            raise Poisoned
        key = (id(part.declaration), values)
        if key not in self._devices:
            with self.entered(part, span):
                self._devices[key] = self._device(part, inner, values)
        device = self._devices[key]
        if device is None:
            raise Poisoned
        return device

    def _device(self, part: DeviceRef, scope: Scope, arguments: tuple[tuple[str, Any], ...]) -> DeviceType | None:
        declaration = part.declaration
        errors = _errors(self.sink)
        assembly = Assembly()
        namespace = Namespace(part.name)
        body = Body(self, "device", namespace, Context(), assembly)
        body.forbid(declaration.body, "device")
        body.lets(declaration.body, scope)
        attributes = read_attributes(self.kinds.union(("device", None)), declaration.body, scope, self.sink)
        body.declare(declaration.body, scope)
        ports = PortTable()
        ports.declare(declaration.body, scope, self.kinds.union(("port", None)), self.sink)
        self.count_ports(sum(bank.count for bank in ports.banks), declaration.name.span)
        shell = DeviceType(part.name, arguments, attributes, tuple(ports.banks), ports.groups, Inside(tuple(assembly.groups)), declaration.name.span)
        holder = Group(-1, (part.name,), (), shell, None, None, declaration.name.span)
        for item in declaration.body:
            if isinstance(item, ast.Port):
                for name in (item.name, item.split_name):
                    if name is not None and name.text in ports.groups:
                        with body.guard():
                            namespace.add(name, PortEntry(ports.groups[name.text], holder))
        body.state(declaration.body, scope)
        if _errors(self.sink) > errors:
            return None
        made = attrs.evolve(shell, inside=Inside(tuple(assembly.groups), tuple(assembly.fabrics), tuple(assembly.bundles)))
        parts = made.part_space + made.port_space
        if parts > PART_LIMIT:
            what = f"{parts:,} parts and ports inside one device are more than can be built"
            raise fail("T0308", what, declaration.name.span, f"at most {PART_LIMIT:,}")
        return made

    def derive(self, device: DeviceType, item: ast.Instance, scope: Scope, body: Body) -> tuple[DeviceType, str | None]:
        """Return the device type of an instance with a body, and its name template."""
        errors = _errors(self.sink)
        body.lets(item.body, scope)
        spec = self.kinds.union(("instance", None), ("device", None))
        attributes = read_attributes(spec, item.body, scope, self.sink, lambda e, kind: body.targets(e, kind, scope))
        stated = {a.name.text for a in item.body if isinstance(a, ast.Attribute)}
        template = attributes.pop("name", None)
        ports = PortTable(device.banks, dict(device.groups), (clos_note(radix(device)),) if device.role == "switch" else ())
        ports.declare(item.body, scope, self.kinds.union(("port", None)), self.sink)
        self.count_ports(device.port_space, item.head)
        if _errors(self.sink) > errors:
            raise Poisoned
        merged = {**device.attributes, **{k: v for k, v in attributes.items() if k in stated or k not in device.attributes}}
        if len(ports.banks) > len(device.banks) and device.inside.groups:
            raise fail("T0410", f"`{device.name}` gets no new ports of its own here", item.head, help="declare them in the device")
        return attrs.evolve(device, attributes=merged, banks=tuple(ports.banks), groups=ports.groups), template

    # ------------------------------------------------------------ modules and designs

    def module_body(self, declaration: ast.Container, namespace: Namespace, context: Context, assembly: Assembly, scope: Scope) -> None:
        """Elaborate a module's or design's body into the assembly."""
        body = Body(self, declaration.kind, namespace, context, assembly)
        body.forbid(declaration.body, declaration.kind)
        body.lets(declaration.body, scope)
        read_attributes(self.kinds.union((declaration.kind, None)), declaration.body, scope, self.sink)
        body.declare(declaration.body, scope)
        for item in declaration.body:
            if isinstance(item, ast.Container):
                with body.guard():
                    self._site(item, assembly, scope, body)
        body.state(declaration.body, scope)

    def _site(self, item: ast.Container, assembly: Assembly, scope: Scope, body: Body) -> None:
        if item.kind != "site":
            raise fail(
                "T0212", f"a {item.kind} is declared at the top of a file", item.name.span, "not inside a design", help="move it out of the braces"
            )
        inner = bind(item.name.text, item.params, {}, scope, item.name.span, self.sink)
        body.lets(item.body, inner)
        attributes = read_attributes(self.kinds.union(("site", None)), item.body, inner, self.sink)
        assembly.hints.append(Hint("site", item.name.text, (), attributes, item.span))

    def design(self, declaration: ast.Container, scope: Scope) -> Design:
        """Return the IR of a design whose parameters are bound in ``scope``."""
        assembly = Assembly()
        self.module_body(declaration, Namespace(declaration.name.text), Context(), assembly, scope)
        parameters = tuple((p.name.text, scope.values[p.name.text]) for p in declaration.params)
        return Design(
            declaration.name.text,
            parameters,
            tuple(assembly.groups),
            tuple(assembly.fabrics),
            tuple(assembly.bundles),
            tuple(assembly.hints),
            tuple(assembly.checks),
            (),
            declaration.name.span,
        )


def _errors(sink: Sink) -> int:
    return sum(1 for d in sink if d.severity == "error")


def check_parts(elaborator: Elaborator, refs: Sequence[DeviceRef]) -> None:
    """Elaborate devices whose parameters all have defaults, so that a library file is checked without a design."""
    for ref in refs:
        if ref.declaration.kind == "device" and all(p.default is not None for p in ref.declaration.params):
            try:
                elaborator.device(ref, (), ref.scope, ref.declaration.name.span)
            except DiagnosticError as fault:
                elaborator.sink.add(fault.diagnostic)
            except Poisoned:
                continue
