"""The metrics that a claim may call: their arguments and what they return. `passes` computes them."""

from __future__ import annotations

from typing import Final

import attrs


@attrs.frozen
class Signature:
    """A metric's number of arguments, the type of its value (``verdict`` for a claim that is proved or refuted) and a one-line description."""

    least: int
    most: int
    returns: str
    doc: str


METRICS: Final[dict[str, Signature]] = {
    "alltoall": Signature(1, 1, "verdict", "every terminal of the fabric reaches every other through one switch, equally"),
    "bandwidth": Signature(2, 2, "rate", "the rate guaranteed between two kinds of devices"),
    "bandwidth_lost": Signature(2, 2, "percent", "the share of a fabric's bandwidth that the loss of one such device takes"),
    "capacity": Signature(1, 1, "capacity", "the memory of all these devices together"),
    "count": Signature(1, 1, "int", "how many of these exist, holes left out"),
    "distance": Signature(2, 2, "length", "the longest cable between two kinds of devices"),
    "gpus_cut": Signature(2, 2, "int", "how many GPUs lose a port when one such device fails"),
    "hops": Signature(1, 2, "int", "the most switches on a shortest path"),
    "latency": Signature(2, 2, "time", "the latency between two kinds of devices"),
    "levels": Signature(1, 1, "int", "the number of switch tiers of the fabric"),
    "nonblocking": Signature(1, 1, "verdict", "every permutation of the terminals can be carried at full rate"),
    "oversubscription": Signature(1, 1, "float", "the worst ratio of bandwidth down to bandwidth up over all tiers"),
    "power": Signature(1, 1, "power", "the power that these devices, or a fabric's switches, draw"),
    "rack_power_max": Signature(0, 0, "power", "the power of the fullest rack"),
}

# words that a metric's second argument may be
SYMBOLS: Final = frozenset({"same_rail", "same_pod", "any"})
