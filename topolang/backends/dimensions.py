"""Index values of a named dimension, such as `rail` or `plane`, for every pair that a bundle joins."""

from __future__ import annotations

import numpy as np

from topolang.ir.grid import BoolArray, IntArray, unravel
from topolang.ir.model import Bundle, Dim, End
from topolang.ir.wiring import Side, wire


def of_pairs(bundle: Bundle, name: str) -> tuple[IntArray, BoolArray] | None:
    """Return per pair the index of a dimension and whether it is certain: that of both ends, or of the one that has it; None if no end has it."""
    pairs = wire(bundle)
    found = [values for values in (of_end(bundle.a, pairs.a, name), of_end(bundle.z, pairs.z, name)) if values is not None]
    if not found:
        return None
    return found[0], np.asarray(found[0] == found[-1])


def of_end(end: End, side: Side, name: str) -> IntArray | None:
    """Return a dimension's index value per pair on one side, or None if the side has none of that name."""
    parts: tuple[Dim, ...] = tuple(d for part in end.parts for d in part.dims)
    for dims, flat in ((end.group.dims, side.cell), (parts, side.part), (end.ports.dims, side.row)):
        for dim, values in zip(dims, unravel(flat, dims), strict=True):
            if dim.name == name:
                return values
    return None
