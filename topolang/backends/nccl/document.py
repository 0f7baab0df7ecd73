"""The portable form of a server's topology file.

CPUs with complete data, one level of PCIe switches with invented ids (``ffff:ff:01.0`` …), and below them GPUs and NICs by bus id only; NCCL fills in
what it knows better itself. This is the form that cloud providers ship: it gives the same graph as a complete dump, on hosts and in virtual machines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from topolang.backends.nccl import refusals, values
from topolang.backends.nccl.tree import Leaf, Root, Switch, trees
from topolang.backends.nccl.xml import ELEMENT_LIMIT, VALUE_LIMIT, Element
from topolang.ir.inside import Interior, Joint, Part
from topolang.ir.model import DeviceType

_UNKNOWN_IDS = tuple((name, "0xffff") for name in ("vendor", "device", "subsystem_vendor", "subsystem_device"))


@attrs.define(eq=False)
class Document:
    """Builds the file of one server type; ``cabled`` gives the protocols of the outer fabrics that each NIC (part number) is cabled in."""

    device: DeviceType
    inner: Interior
    cabled: Mapping[int, Sequence[str]]
    _taken: dict[str, Part] = attrs.field(factory=dict)
    _switches: int = 0

    def build(self) -> Element:
        """Return the root element.

        Raises:
            DiagnosticError: T0910 to T0914, see `refusals`.
        """
        roots = [root for root in map(self._without_idle, trees(self.device, self.inner)) if root.switches or root.leaves]
        self._check_reached(roots)
        self._check_masks(roots)
        system = Element("system", (("version", "1"),), tuple(self._cpu(root) for root in roots))
        self._check_limits(system)
        return system

    def _without_idle(self, root: Root) -> Root:
        """Leave out NICs that no fabric uses and that have no bus id: they play no part in the design."""
        switches = tuple(attrs.evolve(s, leaves=tuple(filter(self._wanted, s.leaves))) for s in root.switches)
        return attrs.evolve(root, switches=tuple(s for s in switches if s.leaves), leaves=tuple(filter(self._wanted, root.leaves)))

    def _wanted(self, leaf: Leaf) -> bool:
        return leaf.part.role == "gpu" or leaf.part.number in self.cabled or values.has_bus_id(leaf.part)

    def _cpu(self, root: Root) -> Element:
        children = [*(self._switch(switch) for switch in root.switches), *(self._leaf(leaf) for leaf in root.leaves)]
        return Element("cpu", values.cpu(self.device, root.part), tuple(children))

    def _switch(self, switch: Switch) -> Element:
        self._switches += 1
        link = values.pcie_link(self.device, switch.part, switch.link)
        attributes = (("busid", f"ffff:ff:{self._switches:02x}.0"), ("class", values.CLASS_SWITCH), *_UNKNOWN_IDS, *link)
        leaves = sorted(switch.leaves, key=lambda leaf: (leaf.part.role != "gpu", leaf.part.number))
        return Element("pci", attributes, tuple(self._leaf(leaf) for leaf in leaves))

    def _leaf(self, leaf: Leaf) -> Element:
        part = leaf.part
        busid = values.bus_id(self.device, part, self._taken)
        gpu = part.role == "gpu"
        kind = values.CLASS_GPU if gpu else values.nic_class(part, list(self.cabled.get(part.number, ())))
        filled = self._gpu_fill(part) if gpu else 1 + max(1, len(self.cabled.get(part.number, ())))
        return Element("pci", (("busid", busid), ("class", kind), *values.pcie_link(self.device, part, leaf.link)), (), filled)

    def _gpu_fill(self, part: Part) -> int:
        """Return how many elements NCCL adds to a GPU: itself, one per NVLink neighbour (at least one), one for C2C."""
        near = {number for number, _ in self.inner.neighbours(part.number, "nvlink")}
        c2c = any(True for _ in self.inner.neighbours(part.number, "nvlink_c2c"))
        return 1 + max(1, len(near)) + int(c2c)

    def _check_reached(self, roots: Sequence[Root]) -> None:
        leaves = {leaf.part.number for root in roots for leaf in (*root.leaves, *(x for s in root.switches for x in s.leaves))}
        wanted = [*self.inner.of_role("gpu"), *(p for p in self.inner.of_role("nic") if p.number in self.cabled)]
        lost = [part for part in wanted if part.number not in leaves]
        if lost:
            more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
            help = f"connect `{lost[0].group.path[-1] if lost[0].group else lost[0].name}` to a CPU or a PCIe switch in the PCIe fabric"
            raise refusals.structure(self.device, lost[0], f"no PCIe link leads from a CPU to `{lost[0].name}`{more}", "not reached", help)

    def _check_masks(self, roots: Sequence[Root]) -> None:
        """Refuse CPUs that share a NUMA node's number or a bit of their masks (T0911): threads would be pinned to the wrong socket."""
        seen: list[tuple[Part, dict[str, str]]] = []
        for root in roots:
            data = dict(values.cpu(self.device, root.part))
            for other, known in seen:
                both = f"`{other.name}` and `{root.part.name}`"
                if known["numaid"] == data["numaid"]:
                    why = f"{both} are both NUMA node {data['numaid']}"
                    raise refusals.cpu_data(self.device, root.part, why, "give each CPU its own index of `numa`")
                if values.mask(known["affinity"]) & values.mask(data["affinity"]):
                    why = f"the CPU masks of {both} overlap"
                    raise refusals.cpu_data(self.device, root.part, why, "state for each the CPUs of its own NUMA node")
            seen.append((root.part, data))

    def _check_limits(self, system: Element) -> None:
        if system.total > ELEMENT_LIMIT:
            raise refusals.too_many(self.device, system.total)
        for element in system.walk():
            for name, value in element.attributes:
                if len(value) > VALUE_LIMIT:
                    raise refusals.too_long(self.device, name, len(value), VALUE_LIMIT)


def cabled(inner: Interior, used: Mapping[int, Sequence[str]]) -> dict[int, list[str]]:
    """Return for each NIC the protocols of the outer fabrics that its ports are cabled in, one per port.

    ``used`` gives the protocols per port of the device's flattened port space; a NIC's port is cabled itself, or stands behind an own port of the
    device.
    """
    found: dict[int, list[str]] = {}
    for nic in inner.of_role("nic"):
        own = range(nic.offset, nic.offset + nic.device.own_ports)
        ports = [*own, *(port for joint in inner.around[nic.number] for port in _behind(joint, nic))]
        protocols = [protocol for port in ports for protocol in used.get(port, ())]
        if protocols:
            found[nic.number] = protocols
    return found


def _behind(joint: Joint, nic: Part) -> tuple[int, ...]:
    """Return the device's own ports that a joint ties to a NIC."""
    if joint.protocol == "pcie":
        return ()
    other, ports = (joint.z, joint.z_ports) if joint.a == nic.number else (joint.a, joint.a_ports)
    return ports if other == 0 else ()
