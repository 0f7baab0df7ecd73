"""The metrics that a claim may call: their arguments and what they return. `passes` computes them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import attrs

# what an argument names: a fabric, devices (or their parts or ports), one of both, a `traffic` or `pool`, or a word
Kind: TypeAlias = Literal["fabric", "devices", "fabric or devices", "traffic", "devices or pool", "scope", "devices or scope"]


@attrs.frozen
class Signature:
    """A metric's arguments (those from ``least`` on may be left out), the type of its value (``verdict`` for a claim that is proved or refuted) and a
    one-line description."""

    args: tuple[Kind, ...]
    returns: str
    doc: str
    least: int = attrs.field()

    @least.default
    def _all(self) -> int:
        return len(self.args)

    @property
    def most(self) -> int:
        """The greatest number of arguments."""
        return len(self.args)


METRICS: Final[dict[str, Signature]] = {
    "affinity": Signature(("devices",), "verdict", "every GPU of these servers has a NIC under its own PCIe switch or root port"),
    "alltoall": Signature(("fabric",), "verdict", "every terminal of the fabric reaches every other through one switch, equally"),
    "bandwidth": Signature(
        ("fabric or devices", "devices or scope"), "rate", "the rate guaranteed between two kinds of devices, or to each GPU of a fabric", least=1
    ),
    "bandwidth_lost": Signature(("fabric", "devices"), "percent", "the share of a fabric's bandwidth that the loss of one such device takes"),
    "bisection": Signature(("fabric",), "rate", "the rate across the tightest known cut of the terminals into halves"),
    "buffer_needed": Signature(("traffic",), "capacity", "the bytes that wait at the last switch when all senders of a pattern start at once"),
    "capacity": Signature(("devices or pool",), "capacity", "the memory of all these devices together"),
    "count": Signature(("devices",), "int", "how many of these exist, holes left out"),
    "deadlock_free": Signature(("fabric",), "verdict", "no cycle of buffers can wait for itself (credit loops, priority flow control)"),
    "diameter": Signature(("fabric",), "int", "the most cables on a shortest path between two terminals"),
    "distance": Signature(("devices", "devices"), "length", "the longest cable between two kinds of devices"),
    "diversity": Signature(("fabric", "scope"), "int", "the least number of equal-cost shortest paths between two terminals", least=1),
    "duration": Signature(("traffic",), "time", "the shortest time in which a pattern can be carried"),
    "full_bisection": Signature(("fabric",), "verdict", "every half of the terminals can send all it has to the other half: no cut blocks"),
    "full_throughput": Signature(("fabric",), "verdict", "every traffic matrix that the terminals' ports allow can be carried (hose model)"),
    "gpus_cut": Signature(("fabric", "devices"), "int", "how many GPUs lose a port when one such device fails"),
    "hops": Signature(("fabric", "scope"), "int", "the most switches on a shortest path", least=1),
    "latency": Signature(("devices", "devices or pool"), "time", "the latency between two kinds of devices"),
    "levels": Signature(("fabric",), "int", "the number of switch tiers of the fabric"),
    "nics_cut": Signature(("fabric", "devices"), "int", "how many NIC ports are cut off when one such device fails"),
    "nonblocking": Signature(("fabric",), "verdict", "every permutation of the terminals can be carried at full rate"),
    "oversubscription": Signature(
        ("fabric or devices",), "float", "the worst ratio of bandwidth down to bandwidth up over all tiers, or of these switches"
    ),
    "power": Signature(("fabric or devices",), "power", "the power that these devices, or a fabric's switches and optics, draw"),
    "rack_power_max": Signature((), "power", "the power of the fullest rack"),
    "share": Signature(("traffic",), "rate", "what each sender of a pattern gets at the receiver's port"),
    "strict_nonblocking": Signature(("fabric",), "verdict", "any free pair can be joined without moving what is joined already (m >= 2n - 1)"),
    "survives": Signature(("fabric", "devices"), "verdict", "whichever one such device fails, all terminals with a port left still reach each other"),
    "throughput": Signature(("fabric",), "float", "the share of the full rate that the worst traffic matrix gets (hose model, best routing)"),
    "unused": Signature(("devices",), "int", "how many ports of these devices carry no cable"),
}

# words that an argument of the kind `scope` may be
SYMBOLS: Final = frozenset({"same_rail", "same_pod", "cross_pod", "any"})
