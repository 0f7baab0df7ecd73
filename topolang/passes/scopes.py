"""The places in which cables are wired: the design, and the inside of each device type."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from topolang.diagnostics import DiagnosticError
from topolang.ir.grid import CABLE_LIMIT, SEARCH_LIMIT
from topolang.ir.memo import once_per_object
from topolang.ir.model import Bundle, Design, DeviceType
from topolang.ir.names import node_names, port_names
from topolang.ir.slots import equalities
from topolang.ir.tuples import searched
from topolang.ir.wiring import Pairs, wire
from topolang.ir.wiring_errors import too_large, too_many_cables


@attrs.frozen(eq=False)
class Scope:
    """A design, or a device's inside presented as one (``device`` is then its type)."""

    design: Design
    device: DeviceType | None

    @property
    def where(self) -> str:
        """The words that a message adds for a device's inside."""
        return f" inside `{self.device.name}`" if self.device is not None else ""

    def port_name(self, node: int, group: int, port: int) -> str:
        """Return the display name of a device and of a port of it; group -1 is the device whose inside this is."""
        if group < 0:
            assert self.device is not None
            return f"`{self.device.name}` port {port_names(self.device)[port]}"
        return f"`{node_names(self.design)[node]}` port {port_names(self.design.groups[group].device)[port]}"


def device_types(design: Design) -> Iterator[DeviceType]:
    """Yield every device type of a design once, those that stand inside others after them."""
    waiting = [group.device for group in design.groups]
    seen: set[int] = set()
    for device in waiting:
        if id(device) not in seen:
            seen.add(id(device))
            yield device
            waiting.extend(group.device for group in device.inside.groups)


@once_per_object
def insides(design: Design) -> tuple[Scope, ...]:
    """Return the insides of the device types that wire something; instances of one type with and without a body share theirs."""
    result: dict[int, Scope] = {}
    for device in device_types(design):
        inside = device.inside
        if inside.bundles and id(inside) not in result:
            seen_as = Design(device.name, (), inside.groups, inside.fabrics, inside.bundles, (), (), design.sources, device.span)
            result[id(inside)] = Scope(seen_as, device)
    return tuple(result.values())


def wired(design: Design) -> Iterator[tuple[Bundle, Pairs | DiagnosticError]]:
    """Yield each `connect` with the pairs that it joins or what is wrong with it; end where a design has too much to search or to lay out."""
    work = cables = 0
    for bundle in design.bundles:
        work += searched(bundle, equalities(bundle))
        try:
            if work > SEARCH_LIMIT:
                raise too_large(bundle, work)
            pairs = wire(bundle)
            cables += pairs.cables
            if cables > CABLE_LIMIT:
                raise too_many_cables(bundle, cables)
        except DiagnosticError as fault:
            yield bundle, fault
            if work > SEARCH_LIMIT or cables > CABLE_LIMIT:
                return
            continue
        yield bundle, pairs


def scopes(design: Design) -> tuple[Scope, ...]:
    """Return the design and then the insides of its device types."""
    return (Scope(design, None), *insides(design))
