"""Ports of a device: banks with a rate, cages that split, and groups that name some of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from string import Formatter
from typing import Any, Final

import attrs

from topolang.diagnostics import DiagnosticError, Sink, Span, did_you_mean
from topolang.ir.model import Dim, PortBank, PortGroup
from topolang.ir.names import port_labels
from topolang.semantics.dims import PORT_LIMIT, Shape, port_shape
from topolang.semantics.evaluate import evaluate, fail
from topolang.semantics.kinds import KindSpec, read_attributes
from topolang.semantics.limits import NAME_LIMIT, bounded_name, outside, whole_numbers
from topolang.semantics.scope import Missing, Poisoned, Scope
from topolang.semantics.values import described, show
from topolang.syntax import ast
from topolang.units import Quantity


class PortTable:
    """The port banks and groups of one device type, filled statement by statement.

    ``notes`` are added where a port is named that the device does not have.
    """

    def __init__(self, banks: Sequence[PortBank] = (), groups: dict[str, PortGroup] | None = None, notes: Sequence[str] = ()) -> None:
        self._notes = tuple(notes)
        self.banks: list[PortBank] = []
        self._next = 0
        self.groups: dict[str, PortGroup] = dict(groups or {})
        self._bad: set[str] = set()
        for bank in banks:
            self._add(bank)

    def _add(self, bank: PortBank) -> None:
        self.banks.append(bank)
        self._next += bank.count

    def declare(self, items: Sequence[ast.Item], scope: Scope, spec: KindSpec, sink: Sink) -> None:
        """Read all `port` statements, banks first and then groups in the order in which they need each other; faults go to ``sink``."""
        ports = [item for item in items if isinstance(item, ast.Port)]
        names = self._names(ports)
        pending = []
        for port in ports:
            if _is_bank(port, scope, names):
                self._try(port, scope, spec, sink, names)
            else:
                pending.append(port)
        while pending:
            waiting = {p.name.text for p in pending}
            ready = [p for p in pending if not (_mentions(p) & waiting)] or pending
            for port in ready:
                self._try(port, scope, spec, sink, names)
            done = set(map(id, ready))
            pending = [p for p in pending if id(p) not in done]

    def _names(self, ports: Sequence[ast.Port]) -> set[str]:
        return {p.name.text for p in ports} | set(self.groups) | {p.split_name.text for p in ports if p.split_name is not None}

    def _try(self, port: ast.Port, scope: Scope, spec: KindSpec, sink: Sink, names: set[str]) -> None:
        try:
            self._one(port, scope, spec, sink, names)
        except DiagnosticError as fault:
            sink.add(fault.diagnostic)
            self._poison(port)
        except Poisoned:
            self._poison(port)

    def _poison(self, port: ast.Port) -> None:
        self._bad.add(port.name.text)
        if port.split_name is not None:
            self._bad.add(port.split_name.text)

    def _one(self, port: ast.Port, scope: Scope, spec: KindSpec, sink: Sink, names: set[str]) -> None:
        shape = port_shape(port.dims, scope)
        attributes = read_attributes(spec, port.body, scope, sink)
        if _is_bank(port, scope, names):
            self._bank(port, shape, attributes, scope)
        else:
            self._group(port, shape, attributes, scope)

    def _free(self, name: ast.Name) -> None:
        bounded_name(name)
        if name.text in self.groups:
            raise fail(
                "T0203", f"port `{name.text}` is declared twice", name.span, "declared again", extra=((self.groups[name.text].span, "first here"),)
            )

    def _bank(self, port: ast.Port, shape: Shape, attributes: dict[str, Any], scope: Scope) -> None:
        self._free(port.name)
        rate = evaluate(port.value, scope)
        if not isinstance(rate, Quantity) or rate.dimension != "rate":
            raise fail("T0103", f"a port has a rate, but this is {described(rate)}", port.value.span, show(rate), help="write for example `400Gb/s`")
        if rate.amount <= 0:
            raise fail("T0104", "the rate of a port is above 0", port.value.span, show(rate))
        bank = PortBank(port.name.text, shape.dims, shape.pool, rate, self._next, attributes=attributes, span=port.span)
        self._limit(bank.count, port.span)
        split = _split(port, scope)
        labels = _labels(attributes, bank, port) if split is None else None
        self._add(bank)
        self.groups[bank.name] = _whole(bank, labels)
        if split is not None and port.split_name is not None:
            self._split_bank(port, bank, split, attributes)

    def _split_bank(self, port: ast.Port, cages: PortBank, split: int, attributes: dict[str, Any]) -> None:
        assert port.split_name is not None
        self._free(port.split_name)
        per_index = (len(cages.pool) if cages.pool is not None else 1) * split
        rate = Quantity.of(Fraction(cages.rate.in_unit("Gb/s")) / split, "Gb/s")
        bank = PortBank(
            port.split_name.text, cages.dims, range(1, per_index + 1), rate, self._next, cages.name, split, attributes=attributes, span=port.span
        )
        self._limit(bank.count, port.span)
        whole = _whole(bank, _labels(attributes, bank, port, cages.pool))
        self._add(bank)
        self.groups[bank.name] = whole

    def _limit(self, count: int, span: Span) -> None:
        if self._next + count > PORT_LIMIT:
            raise fail("T0308", f"{self._next + count:,} ports are more than a device can have", span, f"at most {PORT_LIMIT:,}")

    def _group(self, port: ast.Port, shape: Shape, attributes: dict[str, Any], scope: Scope) -> None:
        self._free(port.name)
        if port.split is not None:
            raise fail("T0410", "only ports with a rate of their own are split", port.split.span, help="split the cages where they are declared")
        items = port.value.items if isinstance(port.value, ast.ListExpr) else (port.value,)
        chosen = [self._select(item, scope) for item in items]
        rates = {group.rate for group, _ in chosen}
        if len(rates) > 1:
            raise fail("T0410", f"a group has ports of one rate, but these have {' and '.join(sorted(map(str, rates)))}", port.value.span)
        ports = tuple(p for _, picked in chosen for p in picked)
        if len(set(ports)) != len(ports):
            raise fail("T0410", "a port stands twice in the group", port.value.span, "listed more than once")
        pool = shape.pool if port.dims else range(1, len(ports) + 1)
        wanted = prod(d.size for d in shape.dims) * (len(pool) if pool is not None else 1)
        if wanted != len(ports):
            raise fail(
                "T0410",
                f"`{port.name.text}` declares {wanted} ports, but {len(ports)} are listed",
                port.value.span,
                f"{len(ports)} ports",
                extra=((port.name.span, f"{wanted} declared"),),
            )
        group = PortGroup(port.name.text, shape.dims, pool, ports, chosen[0][0].rate, self._inherited(ports), span=port.span)
        bank = PortBank(port.name.text, shape.dims, pool, group.rate, 0, span=port.span)
        labels = _labels(attributes, bank, port)
        self.groups[group.name] = (
            group if labels is None else PortGroup(group.name, group.dims, group.pool, ports, group.rate, labels, span=port.span)
        )

    def _inherited(self, ports: Sequence[int]) -> tuple[str, ...]:
        labels = [label for bank in self.banks for label in port_labels(self.groups[bank.name])]
        return tuple(labels[p] for p in ports)

    def _select(self, expr: ast.Expr, scope: Scope) -> tuple[PortGroup, tuple[int, ...]]:
        """Return a port group and the ports of it that ``p[1..32]`` picks."""
        if not isinstance(expr, ast.Path) or len(expr.steps) != 1:
            raise fail("T0410", "a group lists ports of this device", expr.span, help="write for example `p[1..32]`")
        step = expr.steps[0]
        if step.name.text in self._bad:
            raise Poisoned
        group = self.groups.get(step.name.text)
        if group is None:
            raise fail(
                "T0202", f"the device has no port `{step.name.text}`", step.name.span, "no such port", help=did_you_mean(step.name.text, self.groups)
            )
        if not step.selectors:
            return group, group.ports
        if group.dims or len(step.selectors) != 1 or not isinstance(step.selectors[0], ast.SelectPosition):
            raise fail("T0410", "ports are picked from an anonymous pool by number", step.span, help="write for example `p[1..32]` or `p[[8, 6, 5]]`")
        try:
            picked = pick(group, step.selectors[0], scope)
        except DiagnosticError as fault:
            if fault.diagnostic.code != "T0304":
                raise
            raise DiagnosticError(attrs.evolve(fault.diagnostic, notes=self._notes)) from None
        return group, tuple(group.ports[i] for i in picked)


def _is_bank(port: ast.Port, scope: Scope, ports: set[str]) -> bool:
    """Whether the statement gives a rate; otherwise it names ports (a name of a port wins over a constant's)."""
    items = port.value.items if isinstance(port.value, ast.ListExpr) else (port.value,)
    first = items[0] if items else port.value
    if not isinstance(first, ast.Path):
        return True
    if first.steps[0].name.text in ports:
        return False
    try:
        return isinstance(scope.get(first.steps[0].name.text), (Quantity, Scope))
    except (Missing, Poisoned, DiagnosticError):
        return False


def _mentions(port: ast.Port) -> set[str]:
    items = port.value.items if isinstance(port.value, ast.ListExpr) else (port.value,)
    return {item.steps[0].name.text for item in items if isinstance(item, ast.Path)}


def _split(port: ast.Port, scope: Scope) -> int | None:
    if port.split is None:
        return None
    count = evaluate(port.split, scope)
    if not isinstance(count, int) or isinstance(count, bool) or not 2 <= count <= 16:
        raise fail("T0104", "a cage splits into 2 to 16 ports", port.split.span, show(count))
    return count


def _whole(bank: PortBank, labels: tuple[str, ...] | None) -> PortGroup:
    return PortGroup(bank.name, bank.dims, bank.pool, tuple(range(bank.first, bank.first + bank.count)), bank.rate, labels, span=bank.span)


def pick(group: PortGroup, selector: ast.SelectPosition, scope: Scope) -> tuple[int, ...]:
    """Return the positions in a pool that a selector picks; raise T0304 with the limits for a port that does not exist."""
    value = evaluate(selector.value, scope)
    wanted = whole_numbers(value)
    if wanted is None:
        raise fail("T0103", f"ports are picked by number, range or list, but this is {described(value)}", selector.span, show(value))
    pool = group.pool if group.pool is not None else range(0)
    missing = outside(wanted, pool)
    if missing is not None:
        have = f"{pool[0]}..{pool[-1]}" if len(pool) else "no pool"
        raise fail(
            "T0304",
            f"`{group.name}[{show(value)}]` is out of range: `{group.name}` has ports {have}",
            selector.span,
            f"port {missing[0]} does not exist" if missing[0] == missing[1] else f"ports {missing[0]} to {missing[1]} do not exist",
            extra=((group.span, f"{len(group.ports)} ports declared here"),),
            help=_dash(selector.value),
        )
    return tuple(pool.index(v) for v in wanted)


def _dash(expr: ast.Expr) -> str:
    """Return how to write `1-32` where a range was meant, else an empty text."""
    numbers = isinstance(expr, ast.Binary) and expr.op == "-" and isinstance(expr.left, ast.Int) and isinstance(expr.right, ast.Int)
    return f"write `{expr.span.text.replace('-', '..', 1).replace(' ', '')}` for a range" if numbers else ""


def _labels(attributes: dict[str, Any], bank: PortBank, port: ast.Port, cages: range | None = None) -> tuple[str, ...] | None:
    """Return explicit labels from ``names`` or the template ``name``, or None."""
    names = attributes.get("names")
    if names is not None:
        if len(names) != bank.count:
            raise fail("T0410", f"`names` lists {len(names)} labels for {bank.count} ports", port.span)
        if len(set(names)) != len(names):
            raise fail("T0410", "`names` gives two ports the same label", port.span)
        bad = next((name for name in names if not name.strip() or len(name) > NAME_LIMIT), None)
        if bad is not None:
            raise fail("T0410", f"`names` holds a label {'without text' if not bad.strip() else f'of {len(bad):,} characters'}", port.span)
        return tuple(names)
    template = attributes.get("name")
    if template is None:
        if bank.cage_bank is None:
            return None
        template = "{cage}/{sub}" if not bank.dims else None
    return None if template is None else _from_template(str(template), bank, port, cages)


def _from_template(template: str, bank: PortBank, port: ast.Port, cages: range | None) -> tuple[str, ...]:
    pool = bank.pool
    fields = {"n", "n0", "cage", "sub", "sub0", *(d.name for d in bank.dims)}
    check_template(template, fields, port.span)
    labels = []
    for position in range(bank.count):
        rest, at = divmod(position, len(pool)) if pool is not None else (position, 0)
        values = {"n": pool[at] if pool is not None else rest, "n0": at if pool is not None else rest}
        cage = at // bank.per_cage
        values |= {"cage": cages[cage] if cages is not None else cage + 1, "sub": at % bank.per_cage + 1, "sub0": at % bank.per_cage}
        values |= _dim_values(bank.dims, rest)
        labels.append(template.format(**values))
    if len(set(labels)) != len(labels):
        raise fail("T0410", f"the template {show(template)} gives two ports the same label", port.span, help="use every dimension of the port in it")
    return tuple(labels)


def _dim_values(dims: Sequence[Dim], flat: int) -> dict[str, int]:
    result = {}
    for dim in reversed(dims):
        flat, at = divmod(flat, dim.size)
        result[dim.name] = dim.values[at]
    return result


_WIDTH: Final = re.compile("0?[0-9]{1,2}")


def check_template(template: str, fields: set[str], span: Span) -> set[str]:
    """Return the fields that a name template uses; raise T0217 if one does not exist, or the template cannot be read."""
    if not template.strip() or len(template) > NAME_LIMIT:
        what = f"has {len(template):,} characters" if template.strip() else "is empty"
        raise fail("T0217", f"the name {what}", span, help=f"a name has 1 to {NAME_LIMIT} characters")
    try:
        used = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(template) if name is not None]
    except ValueError as fault:
        raise fail("T0217", f"the template {show(template)} cannot be read: {fault}", span) from None
    for name, spec, conversion in used:
        if name not in fields:
            known = ", ".join(f"{{{f}}}" for f in sorted(fields)) or "none"
            raise fail("T0217", f"the template {show(template)} has no field {{{name}}}", span, help=f"fields here: {known}")
        if conversion is not None or (spec and not _WIDTH.fullmatch(spec)):
            raise fail(
                "T0217",
                f"the template {show(template)} has an unknown format in {{{name}}}",
                span,
                help="write for example `{s:02}`, at most two digits",
            )
    return {name for name, _, _ in used}
