"""Labels of ports and cages over the flattened port space of a device type, unique within the device."""

from __future__ import annotations

from collections import Counter

import numpy as np

from topolang.ir.grid import unravel
from topolang.ir.memo import once_per_object
from topolang.ir.model import DeviceType, PortBank
from topolang.ir.names import port_labels as labels_of
from topolang.ir.names import port_names


@once_per_object
def port_labels(device: DeviceType) -> tuple[str, ...]:
    """Return the label of every port; where two banks of a device use the same label, the bank's name stands before it."""
    names = list(port_names(device))
    counts = Counter(names)
    for bank in device.banks:
        for i in range(bank.first, bank.first + bank.count):
            if counts[names[i]] > 1:
                names[i] = f"{bank.name}:{names[i]}"
    return tuple(names)


@once_per_object
def cage_labels(device: DeviceType) -> tuple[str, ...]:
    """Return for every port the label of the cage that it is in (a cage is in itself), or an empty text."""
    own: list[str] = []
    split = {bank.cage_bank for bank in device.banks}
    for bank in device.banks:
        if bank.cage_bank is not None:
            cages = labels_of(device.groups[bank.cage_bank])
            own.extend(cages[i // bank.per_cage] for i in range(bank.count))
        else:
            own.extend(labels_of(device.groups[bank.name]) if bank.name in split else [""] * bank.count)
    for group in device.inside.groups:
        prefixes = port_prefixes(device, group.index)
        own.extend(f"{prefix}.{cage}" if cage else "" for prefix in prefixes for cage in cage_labels(group.device))
    return tuple(own)


def port_prefixes(device: DeviceType, part: int) -> list[str]:
    """Return the names of the parts of an inner group as port labels use them (``gpu0``), holes included."""
    group = device.inside.groups[part]
    columns = [c.tolist() for c in unravel(np.arange(group.size, dtype=np.int64), group.dims)]
    rows = list(zip(*columns, strict=True)) if columns else [()] * group.size
    return [group.path[-1] + "-".join(map(str, row)) for row in rows]


def is_cage(device: DeviceType, bank: PortBank) -> bool:
    """Whether a bank's ports are cages that split into the ports of another bank."""
    return any(other.cage_bank == bank.name for other in device.banks)
