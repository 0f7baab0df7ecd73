"""What a cluster *is*, in symbols: groups of equal devices and bundles of cables that follow one rule.

A 100,000-GPU fabric is tens of these objects. Everything here is frozen; arrays appear only in `wiring` and `tables`, which expand them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import attrs

from topolang.diagnostics import SourceFile, Span
from topolang.ir.index import IndexExpr
from topolang.ir.memo import memo_field
from topolang.units import Quantity

if TYPE_CHECKING:
    from topolang.ir.graph import MultiGraph
    from topolang.ir.tables import LinkTable, NodeTable

# a value of the language: int, Fraction, bool, str, Quantity, tuple (list), range, DeviceType, or a reference kept as text
Value: TypeAlias = Any


@attrs.frozen
class Dim:
    """A named dimension and its declared index values, both ends included."""

    name: str
    values: range
    span: Span = attrs.field(eq=False, repr=False)

    @property
    def size(self) -> int:
        """The number of index values."""
        return len(self.values)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest index value."""
        ends = self.values[0], self.values[-1]
        return min(ends), max(ends)

    def __str__(self) -> str:
        """Return ``name: 1..8`` as in the source."""
        step = f" by {self.values.step}" if self.values.step != 1 else ""
        return f"{self.name}: {self.values[0]}..{self.values[-1]}{step}"


@attrs.frozen
class PortBank:
    """The ports that one `port` statement with a rate makes on a device.

    ``first`` is the ordinal of its first port among the device's own ports. Logical ports of a split cage name their cage bank and how many
    share one cage; the cage bank itself stays addressable at its full rate. ``attributes`` are those of the statement's body (cage type …).
    """

    name: str
    dims: tuple[Dim, ...]
    pool: range | None
    rate: Quantity
    first: int
    cage_bank: str | None = None
    per_cage: int = 1
    attributes: Mapping[str, Value] = attrs.field(factory=dict, eq=False, repr=False, kw_only=True)
    span: Span = attrs.field(eq=False, repr=False, kw_only=True)

    @property
    def count(self) -> int:
        """The number of ports."""
        return prod(d.size for d in self.dims) * (len(self.pool) if self.pool is not None else 1)


@attrs.frozen
class PortGroup:
    """A name for ports of a device: a whole bank, or a list of ports such as ``p[1..32]``.

    ``ports`` are ordinals among the device's own ports in C order over ``dims`` and then the anonymous pool; ``pool`` holds the pool's index
    values (None: one port per named index). ``labels`` are explicit port names in the same order.
    """

    name: str
    dims: tuple[Dim, ...]
    pool: range | None
    ports: tuple[int, ...]
    rate: Quantity
    labels: tuple[str, ...] | None = None
    span: Span = attrs.field(eq=False, repr=False, kw_only=True)

    @property
    def pool_size(self) -> int:
        """The number of ports per named index."""
        return len(self.pool) if self.pool is not None else 1


@attrs.frozen(eq=False, slots=False)
class DeviceType:
    """A thing one can buy: ports, attributes and an inside, stored once however many instances there are.

    ``arguments`` are its parameters' values; ``groups`` maps a port group's name to it (banks included). A group of instances with a body has a
    derived type: same ``name``, more port groups, other attributes.
    """

    name: str
    arguments: tuple[tuple[str, Value], ...]
    attributes: Mapping[str, Value]
    banks: tuple[PortBank, ...]
    groups: Mapping[str, PortGroup]
    inside: Inside
    span: Span = attrs.field(repr=False)
    memo: dict[Any, Any] = memo_field()

    @cached_property
    def own_ports(self) -> int:
        """The number of ports of the device itself, cages included."""
        return sum(bank.count for bank in self.banks)

    @cached_property
    def part_offsets(self) -> tuple[int, ...]:
        """Where the ports of each inner group start in the flattened port space."""
        offsets, at = [], self.own_ports
        for group in self.inside.groups:
            offsets.append(at)
            at += group.size * group.device.port_space
        return tuple(offsets)

    @cached_property
    def port_space(self) -> int:
        """The size of the flattened port space: own ports, then those of every inner part."""
        return self.own_ports + sum(group.size * group.device.port_space for group in self.inside.groups)

    @cached_property
    def part_space(self) -> int:
        """The number of inner parts, those of parts included, whether they exist or are holes."""
        return sum(group.size * (1 + group.device.part_space) for group in self.inside.groups)

    @property
    def role(self) -> str | None:
        """The declared role (``switch``, ``host``, ``gpu`` …)."""
        return self.attributes.get("role")

    def bank_of(self, ordinal: int) -> PortBank:
        """Return the bank that holds an own port."""
        for bank in self.banks:
            if bank.first <= ordinal < bank.first + bank.count:
                return bank
        raise IndexError(ordinal)


@attrs.frozen(eq=False, slots=False)
class Group:
    """An array of equal devices: ``path`` from the design (or the device that holds it), all named dimensions on that path, holes.

    ``holes`` is the condition under which an index tuple exists (None: always). ``index`` is its position in the design's or device's groups.
    """

    index: int
    path: tuple[str, ...]
    dims: tuple[Dim, ...]
    device: DeviceType
    holes: IndexExpr | None
    name_template: str | None
    span: Span = attrs.field(repr=False)
    memo: dict[Any, Any] = memo_field()

    @property
    def name(self) -> str:
        """The canonical name, e.g. ``compute.leaf``."""
        return ".".join(self.path)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return tuple(d.size for d in self.dims)

    @property
    def size(self) -> int:
        """The number of index tuples, holes included."""
        return prod(self.shape)

    def __repr__(self) -> str:
        """Return the name with its dimensions."""
        return f"<Group {self.name}[{', '.join(map(str, self.dims))}] : {self.device.name}>"


@attrs.frozen(eq=False)
class Fabric:
    """A network of one kind; ``context`` are the dimensions of the module copies that each hold one of it."""

    index: int
    path: tuple[str, ...]
    kind: str
    attributes: Mapping[str, Value]
    context: tuple[Dim, ...]
    span: Span = attrs.field(repr=False)

    @property
    def name(self) -> str:
        """The canonical name."""
        return ".".join(self.path)

    @property
    def protocol(self) -> str:
        """The word for it in cable tables (``ib``, ``ethernet``, ``nvlink`` …)."""
        return str(self.attributes.get("protocol", self.kind))


@attrs.frozen(eq=False)
class End:
    """One side of a `connect`: devices, the chain of inner parts down to the one that carries the ports, and the port group.

    ``slots`` gives the index value of every dimension of group, parts and port group, in that order, in terms of the bundle's variables.
    ``picks`` are the positions in the port group's pool that may be used, in order.
    """

    group: Group
    parts: tuple[Group, ...]
    ports: PortGroup
    slots: tuple[IndexExpr, ...]
    picks: tuple[int, ...]
    text: str
    span: Span = attrs.field(repr=False)

    @property
    def dims(self) -> tuple[Dim, ...]:
        """All dimensions, in the order of ``slots``."""
        return (*self.group.dims, *(d for part in self.parts for d in part.dims), *self.ports.dims)

    @property
    def device(self) -> DeviceType:
        """The device or inner part that carries the ports."""
        return self.parts[-1].device if self.parts else self.group.device

    @property
    def element(self) -> tuple[int, ...]:
        """The key of the kind of vertex that this end is: group index and inner group indices."""
        return (self.group.index, *(part.index for part in self.parts))


@attrs.frozen
class Variable:
    """An index that a `connect` runs over: joined (both sides) or free on side ``a`` or ``z``.

    ``allowed`` are the index values that a selector left over, or None for all.
    """

    name: str
    dim: Dim
    side: Literal["joined", "a", "z"]
    allowed: tuple[int, ...] | None = None


@attrs.frozen
class Rule:
    """How many cables a pair gets: ``times`` an expression, ``fill`` or ``spread``."""

    kind: Literal["times", "fill", "spread"]
    count: IndexExpr
    span: Span | None = attrs.field(default=None, eq=False, repr=False)


@attrs.frozen(eq=False)
class Bundle:
    """All cables of one `connect`: two ends and the rule that joins them.

    ``relations`` are the equalities of `where` that tie one side to the other, in the order written; ``filters`` are its other conditions.
    ``rate`` is per direction. ``span`` is the statement's head, the `source` of every cable.
    """

    index: int
    fabric: Fabric
    a: End
    z: End
    variables: tuple[Variable, ...]
    rule: Rule
    relations: tuple[IndexExpr, ...]
    filters: tuple[IndexExpr, ...]
    rate: Quantity
    attributes: Mapping[str, Value]
    span: Span = attrs.field(repr=False)
    memo: dict[Any, Any] = memo_field()

    def __repr__(self) -> str:
        """Return the two ends."""
        return f"<Bundle {self.fabric.name}: {self.a.text} -- {self.z.text}>"


@attrs.frozen(eq=False)
class Inside:
    """What stands in a device: inner groups, fabrics and bundles (empty for a simple part)."""

    groups: tuple[Group, ...] = ()
    fabrics: tuple[Fabric, ...] = ()
    bundles: tuple[Bundle, ...] = ()


@attrs.frozen(eq=False)
class Hint:
    """A `place`, `optics`, `site`, `pool` or `traffic` statement: typed and kept for the passes and the physical stage.

    ``targets`` are the groups or fabrics it speaks of; ``name`` is a site's own name, or the canonical name of a pool or traffic. Attributes that
    name devices or fabrics hold targets. ``context`` are the dimensions of the module copies that each hold one of it.
    """

    subject: Literal["place", "optics", "site", "pool", "traffic"]
    name: str
    targets: tuple[Target, ...]
    attributes: Mapping[str, Value]
    span: Span = attrs.field(repr=False)
    context: tuple[Dim, ...] = ()


@attrs.frozen(eq=False)
class Target:
    """What a name in a claim or hint means: devices (``group``, with the chain of inner ``parts`` or ``ports``), a fabric, or a ``hint``.

    A ``hint`` is what it is and its canonical name.

    ``restrictions`` are the index values that selectors leave, by position among the dimensions of group, parts and ports.
    """

    text: str
    group: Group | None = None
    parts: tuple[Group, ...] = ()
    ports: PortGroup | None = None
    fabric: Fabric | None = None
    hint: tuple[Literal["pool", "traffic"], str] | None = None
    restrictions: tuple[tuple[int, tuple[int, ...]], ...] = ()
    span: Span = attrs.field(repr=False, kw_only=True)


# ---------------------------------------------------------------- claims


@attrs.frozen(eq=False)
class Known:
    """A value known at compile time."""

    value: Value
    span: Span = attrs.field(repr=False)


@attrs.frozen(eq=False)
class TargetArg:
    """A name of devices or fabrics; several where modules of one name each hold it."""

    targets: tuple[Target, ...]
    text: str
    span: Span = attrs.field(repr=False)


@attrs.frozen(eq=False)
class Symbol:
    """A bare word that a metric understands, e.g. ``same_rail``."""

    name: str
    span: Span = attrs.field(repr=False)


@attrs.frozen(eq=False)
class Operation:
    """An operator with operands."""

    op: str
    args: tuple[Claim, ...]
    span: Span = attrs.field(repr=False)


@attrs.frozen(eq=False)
class Metric:
    """A call of a metric: ``nonblocking(compute)``."""

    name: str
    args: tuple[Claim, ...]
    span: Span = attrs.field(repr=False)


Claim: TypeAlias = Known | TargetArg | Symbol | Operation | Metric


@attrs.frozen(eq=False)
class Check:
    """An `assert` or `warn` and the reason given for it.

    A check that stands in a module speaks of one copy of it: ``context`` are the leading dimensions of its targets that number the copies.
    """

    kind: Literal["assert", "warn"]
    claim: Claim
    reason: str | None
    context: tuple[Dim, ...]
    span: Span = attrs.field(repr=False)


@attrs.frozen(eq=False)
class Design:
    """A whole cluster. ``sources`` are the files that it was made from, the root file first."""

    name: str
    parameters: tuple[tuple[str, Value], ...]
    groups: tuple[Group, ...]
    fabrics: tuple[Fabric, ...]
    bundles: tuple[Bundle, ...]
    hints: tuple[Hint, ...]
    checks: tuple[Check, ...]
    sources: tuple[SourceFile, ...]
    span: Span = attrs.field(repr=False)
    memo: dict[Any, Any] = memo_field()

    @property
    def nodes(self) -> NodeTable:
        """Every device as columns, expanded on first use."""
        from topolang.ir.tables import node_table

        return node_table(self)

    @property
    def links(self) -> LinkTable:
        """Every cable as columns, expanded on first use; errors are those of `topolang.ir.wiring.wire`."""
        from topolang.ir.tables import link_table

        return link_table(self)

    def to_networkx(self, fabric: Fabric | None = None) -> MultiGraph:
        """Return the design, or one of its fabrics, as a graph of devices with an edge per cable; for designs of some ten thousand cables."""
        from topolang.ir.graph import to_networkx

        return to_networkx(self, fabric)
