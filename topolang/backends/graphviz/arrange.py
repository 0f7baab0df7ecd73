"""Where the parts of a device stand in its picture: trees of what hangs on each CPU, side by side, and rows below for what hangs on none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import attrs

from topolang.ir.inside import Interior, Part

# what ties a part to the CPU above it
_TIES: Final = ("pcie", "nvlink_c2c", "cxl")
_GAP: Final = 16.0
_RISE: Final = 112.0


@attrs.frozen(eq=False)
class Place:
    """The centre of a part's box (points) and the CPU that it hangs on (None: none)."""

    x: float
    y: float
    cpu: int | None


def arrange(inner: Interior, width: Callable[[Part], float]) -> dict[int, Place]:
    """Return a place for every part; ``width`` tells how wide a box is."""
    children, cpus = _trees(inner)
    places: dict[int, Place] = {}
    at = 0.0
    for cpu in cpus:
        at = _hang(cpu, cpu, at, 0, children, inner, width, places) + 2 * _GAP
    depth = min((place.y for place in places.values()), default=_RISE)
    rest = [part for part in inner.parts[1:] if part.number not in places]
    for row in (["pcie_switch"], ["gpu", "nic"], ["nvswitch"], None):
        mine = [p for p in rest if p.number not in places and (row is None or p.role in row)]
        if mine:
            total = max(at - 2 * _GAP, 0.0)
            # lines to NVSwitches run across the whole picture and need height to be told apart
            depth -= max(1.25 * _RISE, 0.12 * total) if row == ["nvswitch"] else _RISE
            _spread(mine, depth, total, width, places)
    return places


def _trees(inner: Interior) -> tuple[dict[int, list[int]], list[int]]:
    """Return what hangs on each part, nearest CPU first, and the CPUs."""
    cpus = [part.number for part in inner.of_role("cpu")]
    reached = set(cpus)
    children: dict[int, list[int]] = {}
    front = list(cpus)
    while front:
        number = front.pop(0)
        for protocol in _TIES:
            for other in sorted({n for n, _ in inner.neighbours(number, protocol)} - reached - {0}):
                reached.add(other)
                children.setdefault(number, []).append(other)
                front.append(other)
    return children, cpus


def _hang(
    number: int,
    cpu: int,
    left: float,
    depth: int,
    children: Mapping[int, Sequence[int]],
    inner: Interior,
    width: Callable[[Part], float],
    places: dict[int, Place],
) -> float:
    """Place a part over what hangs on it, from ``left`` on; return where the next one may begin."""
    right = left
    for child in children.get(number, ()):
        right = _hang(child, cpu, right, depth + 1, children, inner, width, places)
    own = width(inner.parts[number]) + _GAP
    right = max(right, left + own)
    places[number] = Place((left + right - _GAP) / 2, -depth * _RISE, cpu)
    return right


def _spread(parts: Sequence[Part], y: float, total: float, width: Callable[[Part], float], places: dict[int, Place]) -> None:
    """Spread parts evenly over a row, the middle half of the picture where that is enough."""
    need = sum(width(part) + _GAP for part in parts)
    span = max(need, total / 2)
    x = max(0.0, (total - span) / 2)
    for part in parts:
        step = width(part) + _GAP + (span - need) / len(parts)
        places[part.number] = Place(x + step / 2, y, None)
        x += step
