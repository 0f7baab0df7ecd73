"""Full meshes in a slice: where every box of one set is joined to every box of another, two fans say the same as thousands of crossing lines."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import attrs

from topolang.backends.graphviz.slice import Slice, Strand

# a mesh of fewer lines is drawn line by line
LEAST: Final = 160


@attrs.frozen(eq=False)
class Mesh:
    """A set of boxes each joined to each of another set by the same number of cables (``cables`` per pair)."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    bundle: int
    cables: int


def meshes(part: Slice) -> tuple[list[Mesh], list[Strand]]:
    """Return the meshes between switches, and the strands that belong to none; cables of terminals are always drawn one by one."""
    found: list[Mesh] = []
    rest: list[Strand] = []
    by_bundle: dict[int, list[Strand]] = defaultdict(list)
    for strand in part.strands:
        by_bundle[strand.bundle].append(strand)
    for strands in by_bundle.values():
        if len(strands) < LEAST or part.level[part.boxes[strands[0].low].element] == 0:
            rest += strands
            continue
        for together in _components(strands):
            mesh = _mesh(together)
            if mesh is None or len(together) < LEAST:
                rest += together
            else:
                found.append(mesh)
    return found, rest


def _components(strands: list[Strand]) -> list[list[Strand]]:
    """Return the strands that hang together, in the order of their first one."""
    root: dict[int, int] = {}

    def find(i: int) -> int:
        while root.setdefault(i, i) != i:
            i = root[i]
        return i

    for strand in strands:
        root[find(strand.low)] = find(strand.high)
    groups: dict[int, list[Strand]] = defaultdict(list)
    for strand in strands:
        groups[find(strand.low)].append(strand)
    return list(groups.values())


def _mesh(strands: list[Strand]) -> Mesh | None:
    low, high = (tuple(dict.fromkeys(getattr(s, side) for s in strands)) for side in ("low", "high"))
    if len(strands) != len(low) * len(high) or set(low) & set(high) or len({s.cables for s in strands}) > 1:
        return None
    return Mesh(tuple(sorted(low)), tuple(sorted(high)), strands[0].bundle, strands[0].cables)
