"""The cluster as columns: one row per device, one row per cable, expanded when a consumer needs every one.

What is constant per group or bundle (part, rate, source line) is looked up through the ``group`` or ``bundle`` column, never stored per row.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np
import numpy.typing as npt

from topolang.ir.grid import IntArray, first_nodes, population, ranks
from topolang.ir.memo import once_per_object
from topolang.ir.model import Bundle, Design, DeviceType, End, Group
from topolang.ir.wiring import Side, wire

Int32Array = npt.NDArray[np.int32]


@attrs.frozen(eq=False)
class NodeTable:
    """All devices. ``group`` (int32) is the design's group of each; ``first`` the first node id of each group, then the count."""

    design: Design
    group: Int32Array
    first: tuple[int, ...]

    def __len__(self) -> int:
        """Return the number of devices."""
        return int(self.group.size)


@attrs.frozen
class Link:
    """A view of one cable."""

    bundle: Bundle
    a_node: int
    a_port: int
    z_node: int
    z_port: int


@attrs.frozen(eq=False)
class LinkTable:
    """All cables as int32 columns of equal length.

    ``a_port``/``z_port`` are ordinals in the flattened port space of the end's device type, -1 where the pool had no port left.
    Rows are sorted by bundle, then by the bundle's variables, then by the copy number of parallel cables.
    """

    design: Design
    bundle: Int32Array
    a_node: Int32Array
    a_port: Int32Array
    z_node: Int32Array
    z_port: Int32Array
    first: tuple[int, ...]

    def __len__(self) -> int:
        """Return the number of cables."""
        return int(self.bundle.size)

    def __getitem__(self, row: int) -> Link:
        """Return the view of one row."""
        columns = (self.a_node, self.a_port, self.z_node, self.z_port)
        return Link(self.design.bundles[int(self.bundle[row])], *(int(c[row]) for c in columns))

    def __iter__(self) -> Iterator[Link]:
        """Iterate over views; for tests and small designs."""
        return (self[i] for i in range(len(self)))

    def rows_of(self, bundle: Bundle) -> slice:
        """Return the rows of one bundle."""
        return slice(self.first[bundle.index], self.first[bundle.index + 1])


def part_index(end: End, part: IntArray) -> IntArray:
    """Return the offset of the inner part's port space in the device's flattened port space, per flat ``part`` index."""
    offset = np.zeros(part.size, dtype=np.int64)
    sizes = [p.size for p in end.parts]
    holder: DeviceType = end.group.device
    rest = part
    positions: list[IntArray] = []
    for size in reversed(sizes):
        positions.insert(0, rest % size)
        rest = rest // size
    for group, position in zip(end.parts, positions, strict=True):
        offset = offset + holder.part_offsets[group.index] + position * group.device.port_space
        holder = group.device
    return offset


def port_ordinals(end: End, side: Side, count: IntArray) -> IntArray:
    """Return the flattened port ordinal of every cable of one end (``count`` parallel cables per row); -1 where the pool is exhausted."""
    total = int(count.sum())
    start = np.cumsum(count) - count
    copy = np.arange(total, dtype=np.int64) - np.repeat(start, count)
    slot = np.repeat(side.slot, count) + copy
    picks = np.asarray(end.picks, dtype=np.int64)
    fits = (slot < picks.size) & (slot >= 0)
    row = np.repeat(side.row, count)
    position = row * end.ports.pool_size + picks[np.where(fits, slot, 0)]
    own = np.asarray(end.ports.ports, dtype=np.int64)[position]
    return np.where(fits, own + np.repeat(part_index(end, side.part), count), -1)


def node_ids(first: tuple[int, ...], group: Group, cell: IntArray) -> IntArray:
    """Return the node ids of flat cells of a group of the design."""
    return first[group.index] + ranks(group)[cell]


@once_per_object
def node_table(design: Design) -> NodeTable:
    """Expand every device of the design."""
    sizes = [population(group) for group in design.groups]
    group = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    group.flags.writeable = False
    return NodeTable(design, group, first_nodes(design))


@once_per_object
def link_table(design: Design) -> LinkTable:
    """Expand every cable of the design; errors are those of `wire`."""
    first = first_nodes(design)
    columns: list[list[IntArray]] = [[], [], [], [], []]
    starts = [0]
    for bundle in design.bundles:
        pairs = wire(bundle)
        n = pairs.cables
        starts.append(starts[-1] + n)
        columns[0].append(np.full(n, bundle.index, dtype=np.int64))
        for at, end, side in ((1, bundle.a, pairs.a), (3, bundle.z, pairs.z)):
            columns[at].append(np.repeat(node_ids(first, end.group, side.cell), pairs.count))
            columns[at + 1].append(port_ordinals(end, side, pairs.count))
    joined = [np.concatenate(c).astype(np.int32) if c else np.zeros(0, dtype=np.int32) for c in columns]
    for column in joined:
        column.flags.writeable = False
    bundles, a_node, a_port, z_node, z_port = joined
    return LinkTable(design, bundles, a_node, a_port, z_node, z_port, tuple(starts))
