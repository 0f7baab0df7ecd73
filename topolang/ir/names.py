"""Names of devices and ports, computed a column at a time and never stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from topolang.ir.grid import IntArray, cells, unravel
from topolang.ir.memo import once_per_object
from topolang.ir.model import Design, DeviceType, Group, PortBank, PortGroup


@once_per_object
def stems(design: Design) -> tuple[str, ...]:
    """Return the stem of each group's default names: its own name, or as much of its path as makes it unique."""
    depth = [1] * len(design.groups)

    def stem(i: int) -> str:
        return "-".join(design.groups[i].path[-depth[i] :])

    for _ in range(max((len(g.path) for g in design.groups), default=0)):
        counts = Counter(stem(i) for i in range(len(depth)))
        for i, group in enumerate(design.groups):
            if counts[stem(i)] > 1 and depth[i] < len(group.path):
                depth[i] += 1
    return tuple(stem(i) for i in range(len(depth)))


def display_names(design: Design, group: Group) -> list[str]:
    """Return the display names of a group's devices in node order: the template filled in, or ``stem-1-0``."""
    columns = [c.tolist() for c in unravel(cells(group), group.dims)]
    count = len(columns[0]) if columns else (1 if cells(group).size else 0)
    if group.name_template is not None:
        fields = [d.name for d in group.dims]
        template = group.name_template
        return [template.format(**dict(zip(fields, row, strict=True))) for row in _rows(columns, count)]
    stem = stems(design)[group.index]
    return ["-".join((stem, *map(str, row))) for row in _rows(columns, count)]


def _rows(columns: Sequence[list[int]], count: int) -> list[tuple[int, ...]]:
    return list(zip(*columns, strict=True)) if columns else [()] * count


def canonical_names(group: Group) -> list[str]:
    """Return ``compute.leaf[s=1,rail=0]`` for each device of a group, in node order."""
    columns = [c.tolist() for c in unravel(cells(group), group.dims)]
    if not columns:
        return [group.name] * int(cells(group).size)
    labels = [d.name for d in group.dims]
    return [f"{group.name}[{','.join(f'{n}={v}' for n, v in zip(labels, row, strict=True))}]" for row in zip(*columns, strict=True)]


@once_per_object
def node_names(design: Design) -> tuple[str, ...]:
    """Return the display name of every device, by node id."""
    return tuple(name for group in design.groups for name in display_names(design, group))


@once_per_object
def port_names(device: DeviceType) -> tuple[str, ...]:
    """Return the name of every port of the flattened port space: own ports by their bank's labels, inner ones as ``gpu0.nvl3``."""
    own = [label for bank in device.banks for label in _labels(device.groups[bank.name])]
    for group in device.inside.groups:
        inner = port_names(group.device)
        for row in _rows([c.tolist() for c in _all_cells(group)], group.size):
            prefix = group.path[-1] + "-".join(map(str, row))
            own.extend(f"{prefix}.{name}" for name in inner)
    return tuple(own)


def _all_cells(group: Group) -> list[IntArray]:
    return unravel(np.arange(group.size, dtype=np.int64), group.dims)


def _labels(group: PortGroup) -> tuple[str, ...]:
    if group.labels is not None:
        return group.labels
    return tuple(default_label(group, i) for i in range(len(group.ports)))


def default_label(group: PortGroup, position: int) -> str:
    """Return the label of a port without a template: name and indices, e.g. ``hca0``, ``p12``, or ``x8-1`` where the name ends in a digit."""
    indices: list[int] = []
    pool = group.pool
    rest = position
    if pool is not None:
        rest, at = divmod(position, len(pool))
        indices.append(pool[at])
    for dim in reversed(group.dims):
        rest, at = divmod(rest, dim.size)
        indices.insert(0, dim.values[at])
    gap = "-" if indices and group.name[-1].isdigit() else ""
    return group.name + gap + "-".join(map(str, indices))


def port_labels(group: PortGroup) -> tuple[str, ...]:
    """Return the labels of a port group's ports, in the order of its ``ports``."""
    return _labels(group)


def cage_name(device: DeviceType, ordinal: int) -> str | None:
    """Return ``osfp4 port 2`` style name of the cage that holds an own logical port, or None for a port that is no part of a cage."""
    bank = device.bank_of(ordinal)
    if bank.cage_bank is None:
        return None
    cages = device.groups[bank.cage_bank]
    return f"{_labels(cages)[(ordinal - bank.first) // bank.per_cage]}/{(ordinal - bank.first) % bank.per_cage + 1}"


def cage_ordinal(device: DeviceType, bank: PortBank, ordinal: int) -> int:
    """Return the ordinal of the cage of a logical port of a split bank."""
    cage = next(b for b in device.banks if b.name == bank.cage_bank)
    return cage.first + (ordinal - bank.first) // bank.per_cage
