"""Cages that are used whole and split at the same time, and ports of inner parts that are taken inside and outside their device."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topolang.diagnostics import Diagnostic, error
from topolang.ir.grid import IntArray
from topolang.ir.model import Bundle, DeviceType, End
from topolang.ir.names import port_names
from topolang.ir.tables import link_table, part_index
from topolang.ir.wiring import wire
from topolang.passes.portuse import PortUse, cages
from topolang.passes.scopes import Scope


def _statement(scope: Scope, use: PortUse, at: int) -> tuple[Bundle, End]:
    bundle = scope.design.bundles[int(link_table(scope.design).bundle[use.row[at]])]
    return bundle, bundle.z if use.side[at] else bundle.a


def cage_conflicts(scope: Scope, use: PortUse) -> Iterator[Diagnostic]:
    """Yield T0409, once per pair of statements, for cages that carry a cable at full rate and one at a split port."""
    devices = [*(g.device for g in scope.design.groups), *([scope.device] if scope.device is not None else [])]
    seen: set[tuple[int, int]] = set()
    for i, device in enumerate(devices):
        if not any(bank.cage_bank for bank in device.banks) and not device.inside.groups:
            continue
        group = i if i < len(scope.design.groups) else -1
        mine = np.flatnonzero(use.group == group)
        cage = cages(device)[use.port[mine]]
        split = mine[cage >= 0]
        of_split = use.key[split] - use.port[split] + cage[cage >= 0]
        _, at_split, at_whole = np.intersect1d(of_split, use.key[mine], return_indices=True)
        for s, w in zip(split[at_split].tolist(), mine[at_whole].tolist(), strict=True):
            one, two = _statement(scope, use, w), _statement(scope, use, s)
            if (one[0].index, two[0].index) not in seen:
                seen.add((one[0].index, two[0].index))
                yield _conflict(scope, use, (w, s), (one, two), at_split.size)


def _conflict(scope: Scope, use: PortUse, at: tuple[int, int], statements: tuple[tuple[Bundle, End], tuple[Bundle, End]], count: int) -> Diagnostic:
    whole, split = (scope.port_name(int(use.node[i]), int(use.group[i]), int(use.port[i])) for i in at)
    (one, end), (two, part) = statements
    return error(
        "T0409",
        f"{count:,} cage{'s' * (count != 1)} of `{end.text}` {'are' if count != 1 else 'is'} used whole and split{scope.where}",
        two.span,
        "takes a part of the cage",
        extra=((one.span, "takes the whole cage"), (part.ports.span, f"`{part.ports.name}`"), (end.ports.span, f"`{end.ports.name}`")),
        notes=(f"for example {whole} and {split}",),
        help="use either the cage or the ports into which it splits",
    )


def _inner_users(device: DeviceType) -> dict[int, Bundle]:
    """Return the statement inside a device that takes each port of its inner parts, by port of the flattened port space."""
    result: dict[int, Bundle] = {}
    for bundle in device.inside.bundles:
        pairs = wire(bundle)
        for end, side in ((bundle.a, pairs.a), (bundle.z, pairs.z)):
            if end.group.index >= 0:
                start = device.part_offsets[end.group.index] + side.cell * end.group.device.port_space + part_index(end, side.part)
                result |= dict.fromkeys(_ports(end, side.row, side.slot, pairs.count, start).tolist(), bundle)
    for group, offset in zip(device.inside.groups, device.part_offsets, strict=True):
        inner = _inner_users(group.device)
        for cell in range(group.size if inner else 0):
            result |= {offset + cell * group.device.port_space + port: bundle for port, bundle in inner.items()}
    return result


def _ports(end: End, row: IntArray, slot: IntArray, count: IntArray, start: IntArray) -> IntArray:
    copy = np.arange(int(count.sum()), dtype=np.int64) - np.repeat(np.cumsum(count) - count, count)
    at = np.repeat(slot, count) + copy
    fits = at < len(end.picks)
    picked = np.asarray(end.picks, dtype=np.int64)[at[fits]]
    own = np.asarray(end.ports.ports, dtype=np.int64)[np.repeat(row, count)[fits] * end.ports.pool_size + picked]
    ports: IntArray = own + np.repeat(start, count)[fits]
    return ports


def inner_conflicts(scope: Scope, use: PortUse) -> Iterator[Diagnostic]:
    """Yield T0406, once per pair of statements, for ports of inner parts that are cabled from outside though taken inside the device."""
    seen: set[tuple[int, int]] = set()
    for i, group in enumerate(scope.design.groups):
        users = _inner_users(group.device) if group.device.inside.bundles or group.device.inside.groups else {}
        if not users:
            continue
        mine = np.flatnonzero(use.group == i)
        taken = np.isin(use.port[mine], np.fromiter(users, dtype=np.int64))
        for at in mine[taken].tolist():
            bundle, end = _statement(scope, use, at)
            inner = users[int(use.port[at])]
            if (bundle.index, id(inner)) in seen:
                continue
            seen.add((bundle.index, id(inner)))
            yield error(
                "T0406",
                f"ports of `{end.text}` are used inside `{group.device.name}` too",
                bundle.span,
                "used here",
                extra=((inner.span, "and here, inside the device"), (end.ports.span, f"`{end.ports.name}` declared here")),
                notes=(f"for example port {port_names(group.device)[int(use.port[at])]}",),
                help="cable a port of the device itself, or other ports of the part",
            )
