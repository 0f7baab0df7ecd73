"""Random small joins: two arrays of devices and how they are connected."""

from __future__ import annotations

import attrs
from hypothesis import strategies as st

NAMES = ("s", "n", "k")


@attrs.frozen
class Case:
    """Two arrays of devices by the dimensions (name, size) of each, and how they are connected."""

    left: tuple[tuple[str, int], ...]
    right: tuple[tuple[str, int], ...]
    rule: str
    tie: str
    pools: tuple[int, int]

    def text(self, left_hole: str = "", right_hole: str = "", extra: str = "") -> str:
        where = " and ".join(filter(None, (self.tie, extra and f"({extra})")))
        return f"""topolang 1
device a {{ role = "host", port p[1..{self.pools[0]}] = 400Gb/s }}
device z {{ role = "switch", port p[1..{self.pools[1]}] = 400Gb/s }}
design d {{ fabric f : ethernet {{
  l{_dims(self.left)} : a{f" if {left_hole}" if left_hole else ""}
  r{_dims(self.right)} : z{f" if {right_hole}" if right_hole else ""}
  connect l.p -- r.p {self.rule}{f" where {where}" if where else ""}
}} }}"""


def _dims(dims: tuple[tuple[str, int], ...]) -> str:
    return f"[{', '.join(f'{n}: 0..{size - 1}' for n, size in dims)}]"


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw arrays that share some dimensions, perhaps tied by an equality across the sides."""
    sizes = {n: draw(st.integers(1, 4)) for n in NAMES}
    left = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    right = draw(st.lists(st.sampled_from((*NAMES, "m")), unique=True, min_size=1))
    sizes["m"] = draw(st.integers(1, 4))
    free_left, free_right = [n for n in left if n not in right], [n for n in right if n not in left]
    tie = ""
    if free_left and free_right and draw(st.booleans()):
        tie = f"{free_right[0]} == {free_left[0]} div {draw(st.integers(1, 3))}"
    rule = draw(st.sampled_from(("", "times 2", "times 3")))
    pools = draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
    return Case(tuple((n, sizes[n]) for n in left), tuple((n, sizes[n]) for n in right), rule, tie, pools)
