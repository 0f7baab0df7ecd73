"""The inside of a device type, flattened: every part at every depth, and what joins them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property

import attrs
import numpy as np

from topolang.ir.grid import IntArray, cells, unravel
from topolang.ir.memo import once_per_object
from topolang.ir.model import Bundle, DeviceType, End, Group
from topolang.ir.tables import port_ordinals
from topolang.ir.wiring import Side, wire


@attrs.frozen(eq=False)
class Part:
    """One part: ``number`` in the flattened list (0 is the device itself), the ``parent`` that holds it (-1: none) and its place in its group.

    ``values`` are its index values by dimension, those of the parts that hold it included; ``offset`` is where its ports start in the device's
    flattened port space.
    """

    number: int
    parent: int
    group: Group | None
    cell: int
    device: DeviceType
    name: str
    values: dict[str, int]
    offset: int

    @property
    def role(self) -> str | None:
        """The stated role."""
        return self.device.role


@attrs.frozen(eq=False)
class Joint:
    """Cables or traces between two parts; ``a_ports`` and ``z_ports`` are ordinals in the device's flattened port space, -1 where none was left."""

    a: int
    z: int
    bundle: Bundle
    a_ports: tuple[int, ...]
    z_ports: tuple[int, ...]

    @property
    def protocol(self) -> str:
        """The word for the fabric (``pcie``, ``nvlink``, ``trace`` …)."""
        return self.bundle.fabric.protocol

    @property
    def count(self) -> int:
        """How many links run side by side."""
        return len(self.a_ports)


@attrs.frozen(eq=False, slots=False)
class Interior:
    """All parts of a device type, the device itself first, and the joints between them."""

    parts: tuple[Part, ...]
    joints: tuple[Joint, ...]

    def of_role(self, role: str) -> list[Part]:
        """Return the parts of a role."""
        return [part for part in self.parts if part.role == role]

    @cached_property
    def around(self) -> tuple[tuple[Joint, ...], ...]:
        """The joints at each part."""
        found: list[list[Joint]] = [[] for _ in self.parts]
        for joint in self.joints:
            found[joint.a].append(joint)
            if joint.z != joint.a:
                found[joint.z].append(joint)
        return tuple(tuple(joints) for joints in found)

    def neighbours(self, part: int, protocol: str) -> Iterator[tuple[int, Joint]]:
        """Yield the parts at the other end of joints of one protocol, with the joint."""
        for joint in self.around[part]:
            if joint.protocol == protocol:
                yield (joint.z if joint.a == part else joint.a), joint


@once_per_object
def interior(device: DeviceType) -> Interior:
    """Return the flattened inside of a device type; errors are those of `wire`."""
    parts = [Part(0, -1, None, 0, device, device.name, {}, 0)]
    for holder in parts:  # grows while it is read
        parts.extend(_direct_parts(holder, len(parts)))
    owned = [part for part in sorted(parts, key=lambda part: part.offset) if part.device.own_ports]
    starts = [part.offset for part in owned]

    def owner(port: int) -> int:
        return owned[bisect_right(starts, port) - 1].number

    joints = [joint for holder in parts for bundle in holder.device.inside.bundles for joint in _joints(bundle, holder, owner)]
    return Interior(tuple(parts), tuple(joints))


def _direct_parts(holder: Part, number: int) -> Iterator[Part]:
    """Yield the parts that a part holds, numbered on from ``number``."""
    device = holder.device
    for group, offset in zip(device.inside.groups, device.part_offsets, strict=True):
        columns = [c.tolist() for c in unravel(cells(group), group.dims)]
        present = cells(group).tolist()
        rows = list(zip(*columns, strict=True)) if columns else [()] * len(present)
        for cell, row in zip(present, rows, strict=True):
            label = group.path[-1] + "-".join(map(str, row))
            name = label if holder.parent < 0 else f"{holder.name}.{label}"
            values = holder.values | {d.name: v for d, v in zip(group.dims, row, strict=True)}
            yield Part(number, holder.number, group, cell, group.device, name, values, holder.offset + offset + cell * group.device.port_space)
            number += 1


def _joints(bundle: Bundle, holder: Part, owner: Callable[[int], int]) -> Iterator[Joint]:
    """Yield one joint per pair of parts that a bundle joins; cables for which a pool had no port left are findings of the passes."""
    pairs = wire(bundle)
    ends = np.cumsum(pairs.count).tolist()
    a, z = _ports(bundle.a, pairs.a, pairs.count, holder), _ports(bundle.z, pairs.z, pairs.count, holder)
    for start, end in zip([0, *ends], ends, strict=False):
        used = [(i, k) for i, k in zip(a[start:end], z[start:end], strict=True) if i >= 0 and k >= 0]
        if used:
            yield Joint(owner(used[0][0]), owner(used[0][1]), bundle, tuple(i for i, _ in used), tuple(k for _, k in used))


def _ports(end: End, side: Side, count: IntArray, holder: Part) -> list[int]:
    """Return the ordinal of each cable's port in the whole device's flattened port space, -1 where the pool had none left."""
    ports = port_ordinals(end, side, count)
    base = np.full(side.cell.size, holder.offset, dtype=np.int64)
    if end.group.index >= 0:
        base += holder.device.part_offsets[end.group.index] + side.cell * end.group.device.port_space
    moved: list[int] = np.where(ports < 0, -1, ports + np.repeat(base, count)).tolist()
    return moved
