"""What is bought: devices by type and group, cables by fabric, rate and what they join."""

from __future__ import annotations

import attrs

from topolang.backends.bom.usage import Usage, usage
from topolang.backends.model import Built
from topolang.backends.values import medium, watts
from topolang.ir.counting import cables
from topolang.ir.grid import population
from topolang.ir.model import Bundle, End, Group
from topolang.units import Quantity, gbps


@attrs.frozen
class DeviceItem:
    """The devices of one group; powers in W, heights in rack units, None where the part's data do not say."""

    part: str
    group: str
    role: str | None
    count: int
    height_u: int | float | None
    power_w: int | float | None
    ports: tuple[Usage, ...]
    source: str

    @property
    def power_total_w(self) -> int | float | None:
        """The power of all of them."""
        return None if self.power_w is None else self.count * self.power_w


@attrs.frozen
class CableItem:
    """Cables that are alike as far as the design says: fabric, rate, medium and the ports that they join."""

    fabric: str
    protocol: str
    rate: str
    a: str
    z: str
    medium: str
    count: int = 0
    sources: tuple[str, ...] = ()


def device_items(result: Built) -> list[DeviceItem]:
    """Return the devices in the order of the design's groups; groups without devices are left out."""
    return [_device(result, group) for group in result.design.groups if population(group)]


def _device(result: Built, group: Group) -> DeviceItem:
    attributes = group.device.attributes
    return DeviceItem(
        group.device.name,
        group.name,
        group.device.role,
        population(group),
        _height(attributes.get("height")),
        watts(attributes.get("power")),
        tuple(usage(result, group)),
        str(group.span),
    )


def _height(value: object) -> int | float | None:
    if not isinstance(value, Quantity) or value.dimension != "rack_units":
        return None
    return value.amount if isinstance(value.amount, int) else float(value.amount)


def cable_items(result: Built) -> list[CableItem]:
    """Return the cables in the order in which a bundle of their kind first appears."""
    found: dict[CableItem, tuple[int, dict[str, None]]] = {}
    for bundle in result.design.bundles:
        count = cables(bundle)
        if count:
            kind = _kind(bundle)
            total, sources = found.get(kind, (0, {}))
            found[kind] = (total + count, sources | {str(bundle.span): None})
    return [attrs.evolve(kind, count=total, sources=tuple(sources)) for kind, (total, sources) in found.items()]


def _kind(bundle: Bundle) -> CableItem:
    fabric = bundle.fabric
    return CableItem(fabric.name, fabric.protocol, gbps(bundle.rate), _port(bundle.a), _port(bundle.z), medium(bundle))


def _port(end: End) -> str:
    """Return the kind of port at an end: the part that carries it and the bank that makes it, e.g. ``qm9700 p``."""
    device = end.device
    bank = device.bank_of(end.ports.ports[0]).name if end.ports.ports else end.ports.name
    return f"{device.name} {bank}"
