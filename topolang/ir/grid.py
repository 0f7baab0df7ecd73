"""Index grids: which index tuples of a group exist, and which node each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from topolang.ir.index import evaluate
from topolang.ir.memo import once_per_object
from topolang.ir.model import Design, Dim, Group

IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

# the largest index space of one `connect` that is enumerated: the columns of one step of the join stay below 1 GB
GRID_LIMIT: Final = 2**22
# index tuples that all statements of a design enumerate together
SEARCH_LIMIT: Final = 2**25
# the most cables of a design: a million GPUs on four tiers have some four million, which take 2 GB
CABLE_LIMIT: Final = 5_000_000


def axes(dims: Sequence[Dim]) -> dict[str, IntArray]:
    """Return the index values of each dimension as an open grid (array ``i`` has length ``dims[i].size`` on axis ``i``)."""
    n = len(dims)
    return {
        d.name: np.arange(d.values.start, d.values.stop, d.values.step, dtype=np.int64).reshape([-1 if i == k else 1 for k in range(n)])
        for i, d in enumerate(dims)
    }


@once_per_object
def mask(group: Group) -> BoolArray:
    """Return which index tuples exist, shape ``group.shape`` (read-only)."""
    result = np.ones(group.shape, dtype=np.bool_)
    if group.holes is not None:
        result = np.broadcast_to(np.asarray(evaluate(group.holes, axes(group.dims)), dtype=np.bool_), group.shape).copy()
    result.flags.writeable = False
    return result


def population(group: Group) -> int:
    """Return the number of devices in the group, holes left out."""
    return group.size if group.holes is None else int(np.count_nonzero(mask(group)))


@once_per_object
def first_nodes(design: Design) -> tuple[int, ...]:
    """Return the node id of the first device of each group, then the number of nodes."""
    starts = [0]
    for group in design.groups:
        starts.append(starts[-1] + population(group))
    return tuple(starts)


@once_per_object
def ranks(group: Group) -> IntArray:
    """Return for each cell (flat C-order index tuple) its position among the devices that exist; -1 for a hole."""
    flat = mask(group).ravel()
    result = np.where(flat, np.cumsum(flat, dtype=np.int64) - 1, -1)
    result.flags.writeable = False
    return result


def cells(group: Group) -> IntArray:
    """Return the flat cells that exist, in order."""
    return np.flatnonzero(mask(group)).astype(np.int64)


def unravel(cell: IntArray, dims: Sequence[Dim]) -> list[IntArray]:
    """Return the index values (not positions) of flat cells, one array per dimension."""
    if not dims:
        return []
    positions = np.unravel_index(cell, [d.size for d in dims])
    return [d.values.start + p.astype(np.int64) * d.values.step for d, p in zip(dims, positions, strict=True)]
