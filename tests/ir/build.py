"""Build intermediate representation by hand: the join rule on names, without a source text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import attrs

from topolang.diagnostics import SourceFile, Span
from topolang.ir.index import Const, IndexExpr, Op, Var, names
from topolang.ir.model import (
    Bundle,
    Check,
    Claim,
    Design,
    DeviceType,
    Dim,
    End,
    Fabric,
    Group,
    Inside,
    Known,
    Metric,
    Operation,
    PortBank,
    PortGroup,
    Rule,
    Symbol,
    Target,
    TargetArg,
    Variable,
)
from topolang.units import Quantity

GBPS = Quantity.of(400, "Gb/s")


class Lines:
    """Spans that look as if the objects had been written one per line."""

    def __init__(self) -> None:
        self.count = 0

    def span(self, text: str) -> Span:
        start = self.count
        self.count += 1
        return Span(SourceFile("cluster.topo", "\n" * start + text + "\n"), start, start + len(text))


def rate(gbps: int) -> Quantity:
    return Quantity.of(gbps, "Gb/s")


def at(name: str) -> Var:
    return Var(name)


def expr(value: Any) -> IndexExpr:
    if isinstance(value, bool | int):
        return Const(int(value))
    return Var(value) if isinstance(value, str) else value


def op(name: str, *args: Any) -> Op:
    return Op(name, tuple(expr(a) for a in args))


def eq(a: Any, z: Any) -> Op:
    return op("==", a, z)


@attrs.define
class PortSpec:
    """A port statement: named dimensions, the size of the pool (0: none) and the rate in Gb/s; ``split`` makes cages of it."""

    name: str
    pool: int = 0
    gbps: int = 400
    dims: Mapping[str, range] = attrs.field(factory=dict)
    split: tuple[int, str] | None = None


@attrs.define
class GroupSpec:
    """A named choice of ports: ``down = p[1..32]`` as positions (from 0) in a bank."""

    name: str
    bank: str
    positions: Sequence[int]


class Build:
    """Collects groups, fabrics and bundles of one design."""

    def __init__(self, lines: Lines | None = None) -> None:
        self.lines = lines or Lines()
        self.groups: list[Group] = []
        self.fabrics: list[Fabric] = []
        self.bundles: list[Bundle] = []
        self.checks: list[Check] = []

    def dims(self, dims: Mapping[str, range | int]) -> tuple[Dim, ...]:
        return tuple(Dim(n, r if isinstance(r, range) else range(r), self.lines.span(n)) for n, r in dims.items())

    def device(self, name: str, *ports: PortSpec | GroupSpec, role: str | None = None, inside: Inside | None = None, **more: Any) -> DeviceType:
        banks: list[PortBank] = []
        groups: dict[str, PortGroup] = {}

        def bank(spec: PortSpec, dims: tuple[Dim, ...], size: int, gbps: int, **more: Any) -> None:
            first = sum(b.count for b in banks)
            pool = range(1, size + 1) if size else None
            span = self.lines.span(f"port {spec.name} = {gbps}Gb/s")
            made = PortBank(spec.name, dims, pool, rate(gbps), first, span=span, **more)
            banks.append(made)
            groups[spec.name] = PortGroup(spec.name, dims, pool, tuple(range(first, first + made.count)), made.rate, span=span)

        for spec in ports:
            if isinstance(spec, PortSpec):
                dims = self.dims(spec.dims)
                bank(spec, dims, spec.pool, spec.gbps)
                if spec.split is not None:
                    n, split_name = spec.split
                    inner = attrs.evolve(spec, name=split_name)
                    bank(inner, dims, (spec.pool or 1) * n, spec.gbps // n, cage_bank=spec.name, per_cage=n)
            else:
                whole = groups[spec.bank]
                chosen = tuple(whole.ports[i] for i in spec.positions)
                span = self.lines.span(f"port {spec.name}")
                groups[spec.name] = PortGroup(spec.name, (), range(1, len(chosen) + 1), chosen, whole.rate, span=span)
        attributes = {**({"role": role} if role is not None else {}), **more}
        return DeviceType(name, (), attributes, tuple(banks), groups, inside or Inside(), self.lines.span(f"device {name}"))

    def group(self, path: str, device: DeviceType, holes: IndexExpr | None = None, **dims: range | int) -> Group:
        made = Group(len(self.groups), tuple(path.split(".")), self.dims(dims), device, holes, None, self.lines.span(f"{path} : {device.name}"))
        self.groups.append(made)
        return made

    def fabric(self, path: str = "f", context: Mapping[str, range | int] | None = None, **attributes: Any) -> Fabric:
        made = Fabric(len(self.fabrics), tuple(path.split(".")), "ethernet", attributes, self.dims(context or {}), self.lines.span(f"fabric {path}"))
        self.fabrics.append(made)
        return made

    def end(
        self, group: Group, ports: str, parts: Sequence[Group] = (), bind: Mapping[str, Any] | None = None, picks: Sequence[int] | None = None
    ) -> End:
        """Make an end; ``bind`` maps a dimension to an expression that fixes or renames it."""
        device = parts[-1].device if parts else group.device
        port_group = device.groups[ports]
        dims = (*group.dims, *(d for p in parts for d in p.dims), *port_group.dims)
        slots = tuple(expr((bind or {}).get(d.name, d.name)) for d in dims)
        text = ".".join((group.path[-1], *(p.path[-1] for p in parts), ports))
        chosen = tuple(picks) if picks is not None else tuple(range(port_group.pool_size))
        return End(group, tuple(parts), port_group, slots, chosen, text, self.lines.span(text))

    def connect(
        self,
        fabric: Fabric,
        a: End,
        z: End,
        times: Any = 1,
        where: Sequence[IndexExpr] = (),
        allowed: Mapping[str, Sequence[int]] | None = None,
        **attributes: Any,
    ) -> Bundle:
        free_a, free_z = (_free(end) for end in (a, z))
        variables = [Variable(n, d, "joined") for n, d in free_a.items() if n in free_z]
        variables += [Variable(n, d, "a") for n, d in free_a.items() if n not in free_z]
        variables += [Variable(n, d, "z") for n, d in free_z.items() if n not in free_a]
        variables = [attrs.evolve(v, allowed=tuple(allowed[v.name])) if allowed and v.name in allowed else v for v in variables]
        sides = {v.name: v.side for v in variables}
        relations = tuple(w for w in where if isinstance(w, Op) and w.op == "==" and {"a", "z"} <= {sides[n] for n in names(w)})
        filters = tuple(w for w in where if w not in relations)
        span = self.lines.span(f"connect {a.text} -- {z.text}")
        rule = Rule(times, Const(0), span) if times in ("fill", "spread") else Rule("times", expr(times))
        slower = min(a.ports.rate, z.ports.rate, key=lambda r: r.amount)
        made = Bundle(len(self.bundles), fabric, a, z, tuple(variables), rule, relations, filters, slower, attributes, span)
        self.bundles.append(made)
        return made

    def check(self, claim: Claim, kind: Any = "assert", reason: str | None = None, context: Sequence[Dim] = ()) -> Check:
        made = Check(kind, claim, reason, tuple(context), self.lines.span(f"{kind} {claim.span.text}"))
        self.checks.append(made)
        return made

    # ------------------------------------------------------------ claims

    def number(self, value: Any, text: str | None = None) -> Known:
        return Known(value, self.lines.span(text if text is not None else str(value)))

    def target(self, group: Group, *parts: Group, ports: PortGroup | None = None, select: Mapping[str, Sequence[int]] | None = None) -> TargetArg:
        text = ".".join((group.path[-1], *(p.path[-1] for p in parts), *((ports.name,) if ports else ())))
        span = self.lines.span(text)
        names = [d.name for d in (*group.dims, *(d for part in parts for d in part.dims), *(ports.dims if ports is not None else ()))]
        restrictions = tuple((names.index(n), tuple(v)) for n, v in (select or {}).items())
        return TargetArg((Target(text, group, parts, ports, restrictions=restrictions, span=span),), text, span)

    def metric(self, name: str, *args: Any) -> Metric:
        made: list[Claim] = []
        for arg in args:
            if isinstance(arg, Fabric):
                span = self.lines.span(arg.name)
                made.append(TargetArg((Target(arg.name, fabric=arg, span=span),), arg.name, span))
            elif isinstance(arg, Group):
                made.append(self.target(arg))
            else:
                made.append(Symbol(arg, self.lines.span(arg)) if isinstance(arg, str) else arg)
        return Metric(name, tuple(made), self.lines.span(f"{name}({', '.join(m.span.text for m in made)})"))

    def compare(self, a: Claim, op: str, z: Claim) -> Operation:
        return Operation(op, (a, z), self.lines.span(f"{a.span.text} {op} {z.span.text}"))

    def inside(self) -> Inside:
        return Inside(tuple(self.groups), tuple(self.fabrics), tuple(self.bundles))

    def design(self) -> Design:
        source = SourceFile("cluster.topo", "")
        return Design(
            "d", (), tuple(self.groups), tuple(self.fabrics), tuple(self.bundles), (), tuple(self.checks), (source,), self.lines.span("design d")
        )


def _free(end: End) -> dict[str, Dim]:
    """Return the dimensions that keep or get a name: slots that are one variable."""
    found: dict[str, Dim] = {}
    for slot, dim in zip(end.slots, end.dims, strict=True):
        if isinstance(slot, Var):
            found.setdefault(slot.name, dim)
    return found


def sizes(dims: Sequence[Dim]) -> int:
    return prod(d.size for d in dims)
