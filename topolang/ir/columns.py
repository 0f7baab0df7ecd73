"""Sums and connected components over columns of integers."""

from __future__ import annotations

from typing import Final

import numpy as np

from topolang.ir.grid import IntArray

# sums of whole numbers below this are exact in the floating-point arithmetic of `numpy.bincount`
EXACT: Final = 2**53


def weighted(index: IntArray, weight: IntArray, size: int) -> IntArray:
    """Return the sum of integer weights per index, exactly (below 2^53)."""
    return np.rint(np.bincount(index, weights=weight, minlength=size)).astype(np.int64)


def components(size: int, u: IntArray, v: IntArray) -> IntArray:
    """Return for each of ``size`` vertices the least vertex that it is connected with by the edges ``u[i]``–``v[i]``."""
    label = np.arange(size, dtype=np.int64)
    while True:
        a, b = label[u], label[v]
        differ = a != b
        if not differ.any():
            return label
        u, v, a, b = u[differ], v[differ], a[differ], b[differ]
        # the least of all neighbours, not the last: dense graphs would take a round per vertex otherwise
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while not np.array_equal(shorter := label[label], label):
            label = shorter
