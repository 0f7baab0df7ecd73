"""Which port each end of each cable takes, as columns: one number per port of the whole design."""

from __future__ import annotations

import attrs
import numpy as np

from topolang.ir.grid import BoolArray, IntArray, first_nodes
from topolang.ir.model import DeviceType
from topolang.ir.names import cage_ordinal
from topolang.ir.tables import LinkTable, link_table
from topolang.passes.scopes import Scope


@attrs.frozen(eq=False)
class PortUse:
    """The ends of all cables, sides a first and then sides z, without those whose pool was exhausted.

    ``key`` numbers ports without gaps over devices, ``other`` is the key at the cable's far end (-1 if that has none), ``row`` the cable,
    ``side`` 0 or 1, ``node``, ``group`` (-1 for the device whose inside this is) and ``port`` what the key stands for.
    """

    key: IntArray
    other: IntArray
    row: IntArray
    side: IntArray
    node: IntArray
    group: IntArray
    port: IntArray


def port_use(scope: Scope) -> PortUse:
    """Return the ports that a scope's cables take; errors are those of `link_table`."""
    links = link_table(scope.design)
    devices = [group.device for group in scope.design.groups]
    # the device whose inside this is comes last: its group has the index -1 and its node follows all others
    spaces = [d.port_space for d in devices] + [scope.device.port_space if scope.device is not None else 0]
    first = np.array(first_nodes(scope.design), dtype=np.int64)
    populations = np.r_[np.diff(first), 1]
    starts = np.cumsum(populations * spaces) - populations * spaces
    sides = [_side(links, side, first, starts, np.array(spaces, dtype=np.int64)) for side in (0, 1)]
    key = np.concatenate([s[0] for s in sides])
    other = np.concatenate([sides[1][0], sides[0][0]])
    row = np.tile(np.arange(len(links), dtype=np.int64), 2)
    side = np.repeat(np.array([0, 1], dtype=np.int64), len(links))
    node, group, port = (np.concatenate([s[i] for s in sides]) for i in (1, 2, 3))
    keep = key >= 0
    return PortUse(*(column[keep] for column in (key, other, row, side, node, group, port)))


def _side(links: LinkTable, side: int, first: IntArray, starts: IntArray, spaces: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return key, node, group and port of one side of every cable."""
    bundles = links.design.bundles
    groups = np.array([(b.a if side == 0 else b.z).group.index for b in bundles], dtype=np.int64)
    group = groups[links.bundle]
    node = (links.a_node if side == 0 else links.z_node).astype(np.int64)
    port = (links.a_port if side == 0 else links.z_port).astype(np.int64)
    key = np.where(port >= 0, starts[group] + (node - first[group]) * spaces[group] + port, -1)
    return key, node, group, port


@attrs.frozen(eq=False)
class Clashes:
    """Pairs of cable ends on one port: positions ``one`` and ``two`` in a `PortUse`, in the order of cables."""

    one: IntArray
    two: IntArray


def clashes(use: PortUse) -> Clashes:
    """Return every port that is taken more than once, as pairs of consecutive users."""
    order = np.argsort(use.key, kind="stable")
    again = np.flatnonzero(use.key[order][1:] == use.key[order][:-1])
    first, second = order[again], order[again + 1]
    swap = use.row[first] > use.row[second]
    return Clashes(np.where(swap, second, first), np.where(swap, first, second))


def parallel(use: PortUse, found: Clashes) -> BoolArray:
    """Return which clashes are between cables that share both ports."""
    same: BoolArray = (use.other[found.one] == use.other[found.two]) & (use.other[found.one] >= 0)
    return same


def cages(device: DeviceType) -> IntArray:
    """Return for each port of the flattened port space the cage that it is a part of, or -1."""
    own = [cage_ordinal(device, bank, p) if bank.cage_bank else -1 for bank in device.banks for p in range(bank.first, bank.first + bank.count)]
    columns = [np.array(own, dtype=np.int64)]
    at = device.own_ports
    for group in device.inside.groups:
        inner = cages(group.device)
        for _ in range(group.size):
            columns.append(np.where(inner >= 0, inner + at, -1))
            at += inner.size
    return np.concatenate(columns)
