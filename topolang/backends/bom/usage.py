"""Which ports of a group's devices the cables of a design use."""

from __future__ import annotations

import attrs
import numpy as np

from topolang.backends.model import Built
from topolang.ir.grid import BoolArray, mask, population
from topolang.ir.memo import once_per_object
from topolang.ir.model import Design, DeviceType, Group, PortBank
from topolang.ir.port_labels import is_cage
from topolang.ir.tables import link_table, node_table


@attrs.frozen
class Usage:
    """Ports of one bank of all devices of a group: how many there are, how many a cable uses; for a split bank also the cages.

    ``path`` is empty for the device's own ports, else the inner part that carries them (``gpu``).
    """

    path: str
    bank: str
    rate: str
    ports: int
    used: int
    cages: int | None = None
    cages_used: int | None = None

    @property
    def spare(self) -> int:
        """Ports that no cable uses."""
        return self.ports - self.used


def usage(result: Built, group: Group) -> list[Usage]:
    """Return the use of every bank of a group's devices; of inner parts only the banks that the design's cables reach.

    A cage that splits is counted through its logical ports; a cable that takes a whole cage uses all of them.
    """
    rows = _used(result.design)[group.index]
    devices = population(group)
    found = _of_device(group.device, rows, devices)
    return found + _of_parts(group.device, rows, devices, ())


@once_per_object
def _used(design: Design) -> tuple[BoolArray, ...]:
    """Return per group which port of which device is used, shape (devices, port space)."""
    nodes, links = node_table(design), link_table(design)
    result = [np.zeros((population(g), g.device.port_space), dtype=np.bool_) for g in design.groups]
    for bundle in design.bundles:
        rows = links.rows_of(bundle)
        for end, node, port in ((bundle.a, links.a_node, links.a_port), (bundle.z, links.z_node, links.z_port)):
            at, ordinal = node[rows] - nodes.first[end.group.index], port[rows]
            known = ordinal >= 0
            result[end.group.index][at[known], ordinal[known]] = True
    return tuple(result)


def _of_device(device: DeviceType, used: BoolArray, devices: int, path: str = "") -> list[Usage]:
    found = []
    for bank in device.banks:
        if is_cage(device, bank):
            continue
        mine = used[:, bank.first : bank.first + bank.count]
        if bank.cage_bank is None:
            found.append(Usage(path, bank.name, str(bank.rate), mine.size, int(np.count_nonzero(mine))))
        else:
            found.append(_split(device, bank, used, path))
    return found


def _split(device: DeviceType, bank: PortBank, used: BoolArray, path: str) -> Usage:
    cages = next(b for b in device.banks if b.name == bank.cage_bank)
    whole = used[:, cages.first : cages.first + cages.count]
    ports = used[:, bank.first : bank.first + bank.count].reshape(used.shape[0], cages.count, bank.per_cage) | whole[:, :, None]
    taken = ports.any(axis=2)
    return Usage(path, bank.name, str(bank.rate), ports.size, int(np.count_nonzero(ports)), taken.size, int(np.count_nonzero(taken)))


def _of_parts(device: DeviceType, used: BoolArray, devices: int, path: tuple[str, ...]) -> list[Usage]:
    found: list[Usage] = []
    for group, offset in zip(device.inside.groups, device.part_offsets, strict=True):
        space = group.device.port_space
        mine = used[:, offset : offset + group.size * space]
        if not mine.any():
            continue
        # holes are no parts: their ports are neither there nor spare
        rows = mine.reshape(devices, group.size, space)[:, mask(group).ravel()].reshape(-1, space)
        name = (*path, group.path[-1])
        found += [u for u in _of_device(group.device, rows, rows.shape[0], ".".join(name)) if u.used]
        found += _of_parts(group.device, rows, rows.shape[0], name)
    return found
