"""The elaboration of one container's body into groups, fabrics, bundles, hints and checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs

from topolang.diagnostics import DiagnosticError, Sink, did_you_mean
from topolang.ir.index import IndexExpr, conjoin
from topolang.ir.model import Bundle, Check, Dim, Fabric, Group, Hint
from topolang.semantics.claims import lower
from topolang.semantics.compile import condition
from topolang.semantics.connect import connect
from topolang.semantics.dims import instance_dims
from topolang.semantics.endpoint import resolve_target
from topolang.semantics.evaluate import evaluate, fail
from topolang.semantics.kinds import read_attributes
from topolang.semantics.namespace import FabricEntry, GroupEntry, HintEntry, ModuleEntry, Namespace
from topolang.semantics.ports import check_template
from topolang.semantics.scope import Lazy, Poisoned, Scope
from topolang.semantics.values import DeviceRef, described
from topolang.syntax import ast

if TYPE_CHECKING:
    from topolang.semantics.elaborate import Elaborator


@attrs.frozen
class Context:
    """Where a container's copies stand: path, dimensions that number the copies, and the condition under which a copy exists.

    ``modules`` are the instances of modules on the path, each with its own dimensions.
    """

    path: tuple[str, ...] = ()
    dims: tuple[Dim, ...] = ()
    holes: IndexExpr | None = None
    modules: tuple[tuple[str, tuple[Dim, ...]], ...] = ()

    def inside(self, name: str) -> Context:
        """Return the context of a fabric's members."""
        return attrs.evolve(self, path=(*self.path, name))


@attrs.define(eq=False)
class Assembly:
    """What the bodies elaborated so far hold; shared by a design and all its modules."""

    groups: list[Group] = attrs.field(factory=list)
    fabrics: list[Fabric] = attrs.field(factory=list)
    bundles: list[Bundle] = attrs.field(factory=list)
    hints: list[Hint] = attrs.field(factory=list)
    checks: list[Check] = attrs.field(factory=list)


# which statements a body may hold, beside attributes and `let`
ALLOWED: dict[str, tuple[type, ...]] = {
    "design": (ast.Instance, ast.Fabric, ast.Connect, ast.Place, ast.Check, ast.For, ast.Container),
    "module": (ast.Instance, ast.Fabric, ast.Connect, ast.Place, ast.Check, ast.For),
    "device": (ast.Instance, ast.Fabric, ast.Connect, ast.Port, ast.For, ast.Check),
    "fabric": (ast.Instance, ast.Connect, ast.For),
    "instance": (ast.Port,),
    "for": (ast.Connect, ast.Place, ast.Check, ast.For),
}

# what is declared like an instance, but by a kind of its own
_NAMED_HINTS: Final[tuple[Literal["pool", "traffic"], ...]] = ("pool", "traffic")

_WORDS = {
    ast.Import: "import",
    ast.Container: "declaration",
    ast.Kind: "kind",
    ast.Fabric: "fabric",
    ast.Instance: "instance",
    ast.Attribute: "attribute",
    ast.Let: "let",
    ast.Port: "port",
    ast.Connect: "connect",
    ast.Place: "place or optics",
    ast.Check: "assert or warn",
    ast.For: "for",
}


class Body:
    """Elaborate the statements of one container (and of its fabrics and loops)."""

    def __init__(self, owner: Elaborator, kind: str, namespace: Namespace, context: Context, assembly: Assembly) -> None:
        self.owner = owner
        self.kind = kind
        self.namespace = namespace
        self.context = context
        self.assembly = assembly
        self.sink: Sink = owner.sink
        self._fabrics: list[tuple[ast.Fabric, FabricEntry, Scope]] = []
        self._hints: list[tuple[ast.Instance, HintEntry, Context, Scope]] = []

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Report what goes wrong in one statement and go on with the next."""
        try:
            yield
        except DiagnosticError as fault:
            self.sink.add(fault.diagnostic)
        except Poisoned:
            pass

    def lets(self, items: Sequence[ast.Item], scope: Scope) -> None:
        """Define the `let`s of a body."""
        for item in items:
            if isinstance(item, ast.Let):
                with self.guard():
                    scope.define(item.name, Lazy(item.value, item.name, lambda expr: evaluate(expr, scope)))
        for item in items:
            if isinstance(item, ast.Let):
                with self.guard():
                    scope.get(item.name.text)

    def forbid(self, items: Sequence[ast.Item], kind: str) -> None:
        """Report statements that do not belong in a body of this kind (T0212)."""
        for item in items:
            if isinstance(item, (ast.Attribute, ast.Let, *ALLOWED[kind])):
                continue
            with self.guard():
                raise fail("T0212", f"{_statement(item)} statement does not belong in {_an(kind)}", item.span, "not here", help=_where(item, kind))

    # ------------------------------------------------------------ declarations

    def declare(self, items: Sequence[ast.Item], scope: Scope) -> None:
        """Make groups, module copies and fabrics of a body, so that every name is known before the first `connect` is read."""
        for item in items:
            if isinstance(item, ast.Instance):
                self._instance(item, self.namespace, self.context, scope)
            elif isinstance(item, ast.Fabric):
                self._fabric(item, scope)

    def _fabric(self, item: ast.Fabric, scope: Scope) -> None:
        with self.guard():
            self.owner.count_statement(item.span)
            try:
                spec = self.owner.kinds.need("fabric", item.kind)
                self.forbid(item.body, "fabric")
                inner = Scope(scope)
                self.lets(item.body, inner)
                attributes = read_attributes(spec, item.body, inner, self.sink, lambda e, kind: self.targets(e, kind, inner))
                fabric = Fabric(
                    len(self.assembly.fabrics), (*self.context.path, item.name.text), item.kind.text, attributes, self.context.dims, item.span
                )
                namespace = Namespace(item.name.text, self.namespace)
                entry = FabricEntry(fabric, namespace)
                self.namespace.add(item.name, entry)
            except (DiagnosticError, Poisoned):
                self.namespace.poison(item.name)
                raise
            self.assembly.fabrics.append(fabric)
            self._fabrics.append((item, entry, inner))
            for member in item.body:
                if isinstance(member, ast.Instance):
                    self._instance(member, namespace, self.context.inside(item.name.text), inner)

    def _instance(self, item: ast.Instance, namespace: Namespace, context: Context, scope: Scope) -> None:
        with self.guard():
            self.owner.count_statement(item.head)
            try:
                if self._named_hint(item, namespace, context, scope):
                    return
                own = instance_dims(item.dims, context.dims, scope)
                part = self.owner.part(item.part, scope)
                holes = context.holes
                if item.condition is not None:
                    holes = conjoin(holes, condition(item.condition, {d.name: d for d in own}, scope))
                inner = attrs.evolve(context, path=(*context.path, item.name.text), dims=(*context.dims, *own), holes=holes)
                if part.declaration.kind == "module":
                    self._module(item, part, own, inner, namespace, scope)
                else:
                    self._group(item, part, own, inner, namespace, scope)
            except (DiagnosticError, Poisoned):
                namespace.poison(item.name)
                raise

    def _named_hint(self, item: ast.Instance, namespace: Namespace, context: Context, scope: Scope) -> bool:
        """Take ``kv : pool { … }`` or ``step : traffic { … }`` by its name, to be read once all devices are known; say whether it was one."""
        word = item.part[0].text
        subject = next((s for s in _NAMED_HINTS if self.owner.kinds.find(s, word) is not None), None)
        if subject is None or len(item.part) > 1 or word in set(scope.names()):
            return False
        entry = HintEntry(subject, ".".join((*context.path, item.name.text)))
        namespace.add(item.name, entry)
        self._hints.append((item, entry, context, scope))
        return True

    def _read_hint(self, item: ast.Instance, entry: HintEntry, context: Context, scope: Scope) -> None:
        subject, spec = entry.subject, self.owner.kinds.need(entry.subject, item.part[0])
        if item.dims or item.arguments or item.condition is not None:
            raise fail("T0212", f"a `{subject}` has neither dimensions nor arguments nor a condition", item.head, help="state all in its braces")
        attributes = read_attributes(spec, item.body, scope, self.sink, lambda e, kind: self.targets(e, kind, scope))
        self.assembly.hints.append(Hint(subject, entry.name, (), attributes, item.span, context.dims))

    def _module(self, item: ast.Instance, part: DeviceRef, own: tuple[Dim, ...], context: Context, namespace: Namespace, scope: Scope) -> None:
        inner = self.owner.arguments(part, item.arguments, scope, item.head)
        context = attrs.evolve(context, modules=(*context.modules, (item.name.text, own)))
        copies = Namespace(item.name.text)
        namespace.add(item.name, ModuleEntry(copies, own))
        with self.owner.entered(part, item.head):
            self.owner.module_body(part.declaration, copies, context, self.assembly, inner)

    def _group(self, item: ast.Instance, part: DeviceRef, own: tuple[Dim, ...], context: Context, namespace: Namespace, scope: Scope) -> None:
        device = self.owner.device(part, item.arguments, scope, item.head)
        template = None
        if item.body:
            self.forbid(item.body, "instance")
            device, template = self.owner.derive(device, item, Scope(scope), self)
        if template is not None:
            used = check_template(template, {d.name for d in context.dims}, item.span)
            template = _of_copy(context, used) + template
        group = Group(len(self.assembly.groups), context.path, context.dims, device, context.holes, template, item.head)
        if self.kind != "device":
            self.owner.count_cells(group)
        namespace.add(item.name, GroupEntry(group, own))
        self.assembly.groups.append(group)

    # ------------------------------------------------------------ statements

    def targets(self, expr: ast.Expr, kind: str, scope: Scope, dims: Sequence[Dim] = ()) -> tuple[Any, ...]:
        """Return what an attribute's reference names: targets, or (for a `dimension`) the name of one of ``dims``."""
        word = expr.simple if isinstance(expr, ast.Path) else None
        if kind == "dimension" or word in {d.name for d in dims}:
            if word not in {d.name for d in dims}:
                known = [d.name for d in dims]
                raise fail("T0307", f"`{expr.span.text}` is no dimension of what is placed", expr.span, help=did_you_mean(expr.span.text, known))
            return (word,)
        if not isinstance(expr, ast.Path):
            raise fail("T0103", f"a name of devices is needed, but this is {described(evaluate(expr, scope))}", expr.span)
        return resolve_target(expr, self.namespace, scope)

    def state(self, items: Sequence[ast.Item], scope: Scope) -> None:
        """Read the statements that speak of instances: connects, hints, checks, loops."""
        for item, entry, inner in self._fabrics:
            self._statements(item.body, inner, entry)
        for named, hint, context, inner in self._hints:
            with self.guard():
                self._read_hint(named, hint, context, inner)
        self._statements(items, scope, None)

    def _statements(self, items: Sequence[ast.Item], scope: Scope, fabric: FabricEntry | None) -> None:
        for item in items:
            with self.guard():
                if isinstance(item, (ast.Connect, ast.Place, ast.Check)):
                    self.owner.count_statement(item.span)
                if isinstance(item, ast.Connect):
                    self._connect(item, scope, fabric)
                elif isinstance(item, ast.Place):
                    self._hint(item, scope)
                elif isinstance(item, ast.Check):
                    namespace = fabric.namespace if fabric is not None else self.namespace
                    claim = lower(item.claim, namespace, scope)
                    reason = item.reason.value if item.reason is not None else None
                    self.assembly.checks.append(Check(item.kind, claim, reason, self.context.dims, item.span))
                elif isinstance(item, ast.For):
                    self._loop(item, scope, fabric)

    def _connect(self, item: ast.Connect, scope: Scope, fabric: FabricEntry | None) -> None:
        if fabric is None:
            raise fail(
                "T0504",
                "a `connect` stands in a fabric",
                item.head,
                "belongs to no fabric",
                help="move it into a `fabric` block; a fabric of the design also joins devices of modules: `connect pod.leaf.up -- spine.down`",
            )
        attributes = read_attributes(self.owner.kinds.union(("connect", None)), item.body, scope, self.sink)
        bundle = connect(item, fabric.fabric, fabric.namespace, scope, attributes, len(self.assembly.bundles))
        self.assembly.bundles.append(bundle)

    def _hint(self, item: ast.Place, scope: Scope) -> None:
        targets = resolve_target(item.target, self.namespace, scope)
        wants_fabric = item.kind == "optics"
        if any((t.fabric is not None) != wants_fabric for t in targets):
            wanted = "a fabric" if wants_fabric else "devices"
            raise fail("T0212", f"`{item.kind}` speaks of {wanted}", item.target.span, f"not {wanted}")
        spec = self.owner.kinds.union((item.kind, None))
        dims = [d for t in targets if t.group is not None for d in (*t.group.dims, *(d for p in t.parts for d in p.dims))]
        attributes = read_attributes(spec, item.body, scope, self.sink, lambda e, kind: self.targets(e, kind, scope, dims))
        self.assembly.hints.append(Hint(item.kind, item.target.dotted, targets, attributes, item.span))

    def _loop(self, item: ast.For, scope: Scope, fabric: FabricEntry | None) -> None:
        values = evaluate(item.values, scope)
        if not isinstance(values, (range, tuple)):
            raise fail("T0103", f"`for` runs over a range or a list, but this is {described(values)}", item.values.span)
        if len(values) > 4096:
            raise fail("T0308", f"`for` over {len(values):,} values is too long", item.values.span, "at most 4,096", help="use a named dimension")
        self.forbid(item.body, "for")
        for value in values:
            self.owner.count_statement(item.span)
            inner = Scope(scope)
            inner.define(item.name, value)
            found = len(self.sink)
            self.lets(item.body, inner)
            self._statements(item.body, inner, fabric)
            if any(d.severity == "error" for d in list(self.sink)[found:]):
                break  # the other values would most likely say the same again


def _of_copy(context: Context, used: set[str]) -> str:
    """Return what goes before a name template in a module, so that copies differ: the copy's name, unless the template tells copies apart itself."""
    if used & {d.name for _, dims in context.modules for d in dims}:
        return ""
    return "".join(f"{name}{''.join(f'-{{{d.name}}}' for d in dims)}-" for name, dims in context.modules)


def _an(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _statement(item: ast.Item) -> str:
    word = item.kind if isinstance(item, (ast.Check, ast.Place)) else _WORDS[type(item)]
    return f"an `{word}`" if word[0] in "aeiou" else f"a `{word}`"


def _where(item: ast.Item, kind: str) -> str:
    if isinstance(item, ast.Instance) and kind == "for":
        return "declare an array with a named dimension instead of a loop"
    if isinstance(item, ast.Connect):
        return "a `connect` stands in a fabric"
    if isinstance(item, ast.Check) and kind == "fabric":
        return "claims stand in the design or module, after the fabric"
    if isinstance(item, ast.Import):
        return "imports stand at the top of the file"
    if isinstance(item, ast.Port):
        return "ports stand in a `device` or in an instance's braces"
    return f"{_an(kind)} holds {', '.join(sorted(_WORDS[t] for t in ALLOWED[kind] if t in _WORDS))}"
