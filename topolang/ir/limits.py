"""How large a fabric switches of one size can build."""

from __future__ import annotations

from topolang.ir.model import DeviceType


def radix(device: DeviceType) -> int:
    """Return the ports of a device's largest bank, counting the logical ports of split cages and not the cages."""
    cages = {bank.cage_bank for bank in device.banks}
    return max((bank.count for bank in device.banks if bank.name not in cages), default=0)


def clos_hosts(ports: int, tiers: int) -> int:
    """Return the most hosts that a non-blocking fat-tree of switches with ``ports`` ports serves: 2·(k/2)^tiers.

    k²/2 in two tiers, k³/4 in three (Al-Fares, Loukissas, Vahdat: A scalable, commodity data center network architecture, SIGCOMM 2008).
    """
    hosts: int = 2 * (ports // 2) ** tiers
    return hosts


def clos_note(ports: int) -> str:
    """Say how many hosts switches with so many ports serve at most without blocking."""
    two, three = clos_hosts(ports, 2), clos_hosts(ports, 3)
    return f"switches of {ports} ports build at most {two:,} hosts in two tiers and {three:,} in three without blocking"
