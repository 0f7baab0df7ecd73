"""The PCIe tree of a server: which GPUs and NICs hang under which switch or CPU."""

from __future__ import annotations

import attrs

from topolang.backends.nccl import refusals
from topolang.ir.inside import Interior, Joint, Part
from topolang.ir.model import DeviceType

LEAVES = ("gpu", "nic")


@attrs.frozen(eq=False)
class Leaf:
    """A GPU or NIC and its PCIe link upward."""

    part: Part
    link: Joint


@attrs.frozen(eq=False)
class Switch:
    """A PCIe switch with its uplink and what hangs under it."""

    part: Part
    link: Joint
    leaves: tuple[Leaf, ...]


@attrs.frozen(eq=False)
class Root:
    """A CPU with the switches and the leaves directly under it."""

    part: Part
    switches: tuple[Switch, ...]
    leaves: tuple[Leaf, ...]


def trees(device: DeviceType, inner: Interior) -> list[Root]:
    """Return the CPUs that have GPUs or NICs below them, in the order of the device's parts.

    A switch whose only child is a switch is left out: what hangs below is as near to each other without it.

    Raises:
        DiagnosticError: T0912 (a part with two ways up, switches in two levels, a switch that no CPU reaches).
    """
    reached: dict[int, Part] = {}
    found = []
    for cpu in inner.of_role("cpu"):
        switches: list[Switch] = []
        leaves: list[Leaf] = []
        for part, link in _below(device, inner, cpu, reached, {cpu.number}):
            if part.role == "pcie_switch":
                switches += _switch(device, inner, part, link, reached, {cpu.number, part.number})
            else:
                leaves.append(Leaf(part, link))
        if switches or leaves:
            found.append(Root(cpu, tuple(switches), tuple(leaves)))
    lost = [p for p in inner.of_role("pcie_switch") if p.number not in reached and any(p.role in LEAVES for p in _around(inner, p))]
    if lost:
        help = "connect it to a CPU in the PCIe fabric"
        raise refusals.structure(device, lost[0], f"no CPU reaches the PCIe switch `{lost[0].name}`", "hangs in the air", help)
    return found


def _around(inner: Interior, part: Part) -> list[Part]:
    return [inner.parts[i] for i, _ in inner.neighbours(part.number, "pcie")]


def _below(device: DeviceType, inner: Interior, holder: Part, reached: dict[int, Part], above: set[int]) -> list[tuple[Part, Joint]]:
    """Return the switches, GPUs and NICs that hang directly below a part; T0912 for one that hangs below another part too."""
    found: dict[int, Joint] = {}
    for number, link in inner.neighbours(holder.number, "pcie"):
        part = inner.parts[number]
        if number in above or part.role not in (*LEAVES, "pcie_switch"):
            continue
        other = reached.setdefault(number, holder)
        if other is not holder:
            why = f"`{part.name}` hangs below both `{other.name}` and `{holder.name}`, but the format is a tree"
            raise refusals.structure(device, part, why, "two ways up", "keep one of the two PCIe links")
        found.setdefault(number, link)
    return [(inner.parts[number], link) for number, link in sorted(found.items())]


def _switch(device: DeviceType, inner: Interior, part: Part, link: Joint, reached: dict[int, Part], above: set[int]) -> list[Switch]:
    """Return a switch with its leaves; none if nothing hangs below it."""
    children = _below(device, inner, part, reached, above)
    lower = [(child, down) for child, down in children if child.role == "pcie_switch"]
    if len(lower) == 1 and len(children) == 1:
        return _switch(device, inner, lower[0][0], link, reached, above | {lower[0][0].number})
    if lower:
        why = f"PCIe switches stand in two levels (`{lower[0][0].name}` below `{part.name}`), and the portable form has one"
        raise refusals.structure(device, lower[0][0], why, "second level", "connect it to the CPU, or its GPUs and NICs to the upper switch")
    if not children:
        return []
    return [Switch(part, link, tuple(Leaf(child, down) for child, down in children))]
