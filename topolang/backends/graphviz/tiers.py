"""Which level of a picture an element stands on, and the role that gives it its colour."""

from __future__ import annotations

from topolang.ir.graph import Element, FabricGraph
from topolang.ir.roles import roles


def role_of(element: Element) -> str | None:
    """Return the role of the device or part that a vertex is; a part without one takes its own name where that is a role."""
    return element.device.role


def tiers(graph: FabricGraph) -> list[int]:
    """Return the level of each element: terminals 0, switches by distance, memory above the switches; unreachable elements stand at the bottom."""
    level = [max(tier, 0) for tier in roles(graph).tier]
    top = max(level, default=0)
    return [top + 1 if role_of(element) == "memory" and top else tier for element, tier in zip(graph.elements, level, strict=True)]
