"""Endpoints: from a path such as `rack.tray.gpu.nvl` with its selectors to devices, inner parts and a port group."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import attrs

from topolang.diagnostics import DiagnosticError, did_you_mean
from topolang.ir.model import DeviceType, Dim, Group, PortGroup, Target
from topolang.semantics.compile import reads
from topolang.semantics.dims import CELL_LIMIT, limit_dims
from topolang.semantics.evaluate import evaluate, fail
from topolang.semantics.limits import outside, whole_numbers
from topolang.semantics.namespace import Entry, FabricEntry, GroupEntry, HintEntry, ModuleEntry, Namespace, PortEntry
from topolang.semantics.ports import pick
from topolang.semantics.scope import Scope
from topolang.semantics.values import described, show
from topolang.syntax import ast


@attrs.frozen
class Choice:
    """What a selector says of one dimension: an ``alias``, the ``values`` that remain, or an ``expr`` that binds it."""

    dim: Dim
    selector: ast.Selector
    alias: str | None = None
    values: tuple[int, ...] | None = None
    expr: ast.Expr | None = None


@attrs.frozen(eq=False)
class Resolved:
    """An endpoint with its selectors read but not yet joined; ``choices`` by position in group, part and port dimensions."""

    path: ast.Path
    group: Group
    parts: tuple[Group, ...]
    ports: PortGroup | None
    dims: tuple[Dim, ...]
    choices: dict[int, Choice]
    picks: tuple[int, ...]


class _Walk:
    """Follow a path step by step, collecting dimensions and what is selected of them."""

    def __init__(self, path: ast.Path, scope: Scope) -> None:
        self.path = path
        self.scope = scope
        self.group: Group | None = None
        self.parts: list[Group] = []
        self.ports: PortGroup | None = None
        self.hint: HintEntry | None = None
        self.named: dict[str, ast.Selector] = {}
        self.own: dict[str, Dim] = {}
        self.picks: tuple[int, ...] | None = None

    def select(self, step: ast.Step, dims: Sequence[Dim]) -> None:
        """Note what the step's selectors say of its own dimensions."""
        by_name = {d.name: d for d in dims}
        positional = list(dims)
        for selector in step.selectors:
            if isinstance(selector, ast.SelectPosition):
                if not positional:
                    raise fail("T0307", f"`{step.name.text}` has {len(dims)} dimensions, but more indices are given", selector.span)
                dim = positional.pop(0)
            else:
                found = by_name.get(selector.name.text)
                if found is None:
                    helps = did_you_mean(selector.name.text, by_name) if by_name else ()
                    raise fail(
                        "T0307", f"`{step.name.text}` has no dimension `{selector.name.text}`", selector.name.span, "no such dimension", help=helps
                    )
                dim = found
                positional = [d for d in positional if d.name != dim.name]
            if dim.name in self.named:
                raise fail("T0307", f"dimension `{dim.name}` is selected twice", selector.span)
            self.named[dim.name] = selector
            self.own[dim.name] = dim

    def enter_ports(self, step: ast.Step, ports: PortGroup) -> None:
        """Take the port group and pick from its pool."""
        self.ports = ports
        selectors = list(step.selectors)
        positional = sum(isinstance(s, ast.SelectPosition) for s in selectors)
        open_dims = len(ports.dims) - (len(selectors) - positional)
        last = selectors[-1] if selectors else None
        if ports.pool is not None and isinstance(last, ast.SelectPosition) and (positional > open_dims or not ports.dims):
            self.picks = pick(ports, last, self.scope)
            selectors.pop()
        self.select(attrs.evolve(step, selectors=tuple(selectors)), ports.dims)


def _part(device: DeviceType, name: ast.Name) -> Group | None:
    found = [g for g in device.inside.groups if g.path[-1] == name.text]
    if len(found) > 1:
        raise fail("T0216", f"`{name.text}` is declared in several fabrics of `{device.name}`", name.span, "which one?")
    return found[0] if found else None


def _step_into_device(walk: _Walk, device: DeviceType, step: ast.Step) -> DeviceType | None:
    """Take a step inside a device: to a part (returned) or to its ports (None)."""
    ports = device.groups.get(step.name.text)
    part = _part(device, step.name)
    if part is not None:
        walk.parts.append(part)
        walk.select(step, part.dims)
        return part.device
    if ports is None:
        known = [*device.groups, *(g.path[-1] for g in device.inside.groups)]
        raise fail(
            "T0202",
            f"`{device.name}` has no port or part `{step.name.text}`",
            step.name.span,
            "no such port or part",
            extra=((device.span, f"`{device.name}` is declared here"),),
            help=did_you_mean(step.name.text, known),
        )
    walk.enter_ports(step, ports)
    return None


def _enter(walk: _Walk, entry: Entry, step: ast.Step) -> Namespace | DeviceType | None:
    """Take the step to an entry; return where the next step is looked up (None after ports)."""
    if isinstance(entry, FabricEntry):
        if step.selectors:
            raise fail("T0307", f"the fabric `{step.name.text}` has no dimensions", step.span, "nothing to select")
        return entry.namespace
    if isinstance(entry, HintEntry):
        walk.hint = entry
        walk.select(step, ())
        return None
    if isinstance(entry, PortEntry):
        walk.group = entry.holder
        walk.enter_ports(step, entry.ports)
        return None
    walk.select(step, entry.own)
    if isinstance(entry, ModuleEntry):
        return entry.namespace
    walk.group = entry.group
    return entry.group.device


def _walk(path: ast.Path, namespace: Namespace, scope: Scope) -> tuple[_Walk, Namespace | DeviceType | None]:
    walk = _Walk(path, scope)
    at: Namespace | DeviceType | None = _enter(walk, namespace.need(path.steps[0].name), path.steps[0])
    for step in path.steps[1:]:
        if isinstance(at, Namespace):
            entry = at.member(step.name)
            if entry is None:
                raise fail(
                    "T0202",
                    f"`{at.title}` has no `{step.name.text}`",
                    step.name.span,
                    "no such member",
                    help=did_you_mean(step.name.text, at.names()),
                )
            at = _enter(walk, entry, step)
        elif isinstance(at, DeviceType):
            at = _step_into_device(walk, at, step)
        else:
            what = "a port" if walk.hint is None else f"`{walk.hint.name}`"
            raise fail("T0202", f"{what} has no parts", step.name.span, f"nothing stands behind {what}")
    return walk, at


def resolve(path: ast.Path, namespace: Namespace, scope: Scope) -> Resolved:
    """Return what an endpoint names.

    Raises:
        DiagnosticError: T0201, T0202 (unknown), T0216 (ambiguous), T0304 (index out of range), T0307 (wrong selector), T0411 (no ports).
    """
    walk, at = _walk(path, namespace, scope)
    if walk.ports is None or walk.group is None:
        raise _no_ports(path, at)
    group = walk.group
    dims = (*group.dims, *(d for part in walk.parts for d in part.dims), *walk.ports.dims)
    limit_dims(dims, path.span)
    if prod(d.size for d in dims) > CELL_LIMIT * 4:
        raise fail("T0308", f"`{path.dotted}` names {prod(d.size for d in dims):,} port rows, more than can be built", path.span)
    choices = _choices(walk, dims, scope)
    picks = walk.picks if walk.picks is not None else tuple(range(walk.ports.pool_size))
    return Resolved(path, group, tuple(walk.parts), walk.ports, dims, choices, picks)


def _no_ports(path: ast.Path, at: Namespace | DeviceType | None) -> DiagnosticError:
    known: list[str] = []
    if isinstance(at, DeviceType):
        known = [*at.groups, *(f"{g.path[-1]}.{p}" for g in at.inside.groups for p in g.device.groups)]
    helps = f"end with a port, such as {', '.join(f'`{path.dotted}.{k}`' for k in known[:6])}" if known else "end the path with a device and its port"
    return fail("T0411", f"`{path.dotted}` names no ports", path.span, "a cable needs a port", help=helps)


def _choices(walk: _Walk, dims: Sequence[Dim], scope: Scope) -> dict[int, Choice]:
    result: dict[int, Choice] = {}
    for i, dim in enumerate(dims):
        selector = walk.named.get(dim.name)
        if selector is not None and walk.own[dim.name] is dim:
            result[i] = _choice(dim, selector, scope)
    return result


def _choice(dim: Dim, selector: ast.Selector, scope: Scope) -> Choice:
    if isinstance(selector, ast.SelectRename):
        return Choice(dim, selector, alias=selector.alias.text)
    if not _constant(selector.value, scope):
        return Choice(dim, selector, expr=selector.value)
    value = evaluate(selector.value, scope)
    values = whole_numbers(value)
    if values is None:
        raise fail("T0103", f"a dimension is selected by number, range or list, but this is {described(value)}", selector.span, show(value))
    missing = outside(values, dim.values)
    if missing is not None:
        raise fail(
            "T0304",
            f"index {missing[0]} is outside dimension `{dim.name}`: it runs over {dim.values[0]}..{dim.values[-1]}",
            selector.span,
            "out of range",
            extra=((dim.span, "declared here"),),
        )
    if isinstance(value, int):
        return Choice(dim, selector, expr=ast.Int(value, span=selector.span))
    return Choice(dim, selector, values=tuple(values))


def _constant(expr: ast.Expr, scope: Scope) -> bool:
    """Whether an expression reads only names that the scope knows."""
    known = set(scope.names())

    class _Everything(dict[str, Dim]):
        def __contains__(self, key: object) -> bool:
            return key not in known

    return not reads(expr, _Everything())


def resolve_target(path: ast.Path, namespace: Namespace, scope: Scope) -> tuple[Target, ...]:
    """Return what a name in a claim or a hint means: devices, parts, ports, a fabric, all groups of a module, a pool or traffic.

    Selectors must be constants here; they become ``restrictions``.
    """
    if len(path.steps) == 1:
        entry = namespace.need(path.steps[0].name)
        if isinstance(entry, FabricEntry) and not path.steps[0].selectors:
            return (Target(path.dotted, fabric=entry.fabric, span=path.span),)
    walk, at = _walk(path, namespace, scope)
    if isinstance(at, Namespace):
        return _all_of(path, at, walk, scope)
    if walk.hint is not None:
        return (Target(path.dotted, hint=(walk.hint.subject, walk.hint.name), span=path.span),)
    if walk.group is None:
        raise fail("T0202", f"`{path.dotted}` names no devices", path.span)
    dims = (*walk.group.dims, *(d for part in walk.parts for d in part.dims), *(walk.ports.dims if walk.ports else ()))
    return (Target(path.dotted, walk.group, tuple(walk.parts), walk.ports, restrictions=_restrictions(walk, dims, scope), span=path.span),)


def _all_of(path: ast.Path, namespace: Namespace, walk: _Walk, scope: Scope) -> tuple[Target, ...]:
    fabrics = [e for e in namespace.entries() if isinstance(e, FabricEntry)]
    result: list[Target] = []
    for entry in [*namespace.entries(), *(e for f in fabrics for e in f.namespace.entries())]:
        if isinstance(entry, GroupEntry):
            result.append(Target(path.dotted, entry.group, restrictions=_restrictions(walk, entry.group.dims, scope), span=path.span))
        elif isinstance(entry, ModuleEntry):
            result.extend(_all_of(path, entry.namespace, walk, scope))
    return tuple(result)


def _restrictions(walk: _Walk, dims: Sequence[Dim], scope: Scope) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found: list[tuple[int, tuple[int, ...]]] = []
    for axis, choice in _choices(walk, dims, scope).items():
        if isinstance(choice.expr, ast.Int):
            found.append((axis, (choice.expr.value,)))
        elif choice.values is not None:
            found.append((axis, choice.values))
        else:
            raise fail("T0307", "a name in a claim or hint selects by constants", choice.selector.span, help="write a number, range or list")
    return tuple(found)
