"""Counts and sums over the devices, parts and ports that a name in a claim means."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from topolang.ir.grid import BoolArray, IntArray, mask
from topolang.ir.model import Dim, Group, Target
from topolang.passes.outcome import Outcome, unknown
from topolang.units import Quantity


def _selected(dims: Sequence[Dim], target: Target, first: int) -> BoolArray:
    """Return which cells of some dimensions the target's selectors leave, one axis per dimension; ``first`` is where these stand among all."""
    chosen = dict(target.restrictions)
    result = np.ones([d.size for d in dims], dtype=np.bool_)
    for axis, dim in enumerate(dims):
        if first + axis in chosen:
            keep = np.isin(np.array(dim.values, dtype=np.int64), np.array(chosen[first + axis], dtype=np.int64))
            result &= keep.reshape([-1 if i == axis else 1 for i in range(len(dims))])
    return result


def _existing(group: Group, target: Target, first: int = 0) -> BoolArray:
    return mask(group) & _selected(group.dims, target, first)


def per_copy(target: Target, context: Sequence[Dim]) -> IntArray:
    """Return how many there are in each copy of the module that holds the claim; one number where it stands in the design."""
    assert target.group is not None
    group = target.group
    exists = _existing(group, target)
    depth = len(context)
    inside = [d.name for d in group.dims[:depth]] == [d.name for d in context]
    cells = exists.reshape((*exists.shape[:depth], -1)).sum(axis=-1).ravel() if inside else np.array([np.count_nonzero(exists)])
    each, at = 1, len(group.dims)
    for part in target.parts:
        each *= int(np.count_nonzero(_existing(part, target, at)))
        at += len(part.dims)
    if target.ports is not None:
        each *= int(np.count_nonzero(_selected(target.ports.dims, target, at))) * target.ports.pool_size
    result: IntArray = cells.astype(np.int64) * each
    return result


def count(targets: Sequence[Target], context: Sequence[Dim], copy: int) -> Outcome:
    """Return how many devices, parts or ports a name means in one copy."""
    total = 0
    for target in targets:
        if target.group is None:
            return unknown(f"`{target.text}` is a fabric, and `count` takes devices, parts or ports")
        counts = per_copy(target, context)
        total += int(counts[copy if counts.size > 1 else 0])
    return Outcome(total)


def attribute_sum(name: str, targets: Sequence[Target], context: Sequence[Dim], copy: int) -> Outcome:
    """Return the sum of a quantity over devices or parts, each by what its type states."""
    total, like = Fraction(0), None
    for target in targets:
        if target.group is None or target.ports is not None:
            return unknown(f"`{name}` of `{target.text}` is not computed in this version")
        device = target.parts[-1].device if target.parts else target.group.device
        value = device.attributes.get(name)
        if not isinstance(value, Quantity):
            return unknown(f"`{device.name}` states no `{name}`")
        counts = per_copy(target, context)
        total += Fraction(value.amount) * int(counts[copy if counts.size > 1 else 0])
        like = value
    return Outcome(Quantity(total, like.dimension)) if like is not None else unknown("the name means no devices")
