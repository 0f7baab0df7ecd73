"""The law of stable ports: a hole or a `where` filter removes cables and changes no other."""

from __future__ import annotations

import attrs
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import cables, design_of

from topolang.diagnostics import DiagnosticError
from topolang.ir.wiring import wire

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
        where = " and ".join(filter(None, (self.tie, extra)))
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


@st.composite
def conditions(draw: st.DrawFn, names: list[str]) -> str:
    """Draw a condition over some dimensions."""
    name = draw(st.sampled_from(names))
    value = draw(st.integers(0, 4))
    form = draw(st.sampled_from(("{n} != {v}", "{n} <= {v}", "not ({n} == {v})", "{n} mod 2 == {v} mod 2", "{n} in [0, {v}]", "{n} == {v}")))
    return form.format(n=name, v=value)


def _fits(text: str) -> bool:
    try:
        pairs = wire(design_of(text).bundles[0])
    except DiagnosticError:
        return False
    bundle = design_of(text).bundles[0]
    ends = ((pairs.a, bundle.a), (pairs.z, bundle.z))
    return all(int((side.slot + pairs.count).max(initial=0)) <= len(end.picks) for side, end in ends)


@given(st.data(), cases())
@settings(max_examples=150)
def test_a_hole_or_filter_changes_no_other_cable(data: st.DataObject, case: Case) -> None:
    assume(_fits(case.text()))
    before = cables(design_of(case.text()))
    left, right = [n for n, _ in case.left], [n for n, _ in case.right]
    kind = data.draw(st.sampled_from(("left", "right", "where", "relation")))
    if kind == "left":
        changed = case.text(left_hole=data.draw(conditions(left)))
    elif kind == "right":
        changed = case.text(right_hole=data.draw(conditions(right)))
    elif kind == "where":
        changed = case.text(extra=data.draw(conditions(sorted({*left, *right}))))
    else:
        changed = case.text(extra=f"{data.draw(st.sampled_from(left))} <= {data.draw(st.sampled_from(right))}")
    assert cables(design_of(changed)) <= before


@given(st.data(), cases())
@settings(max_examples=60)
def test_an_equality_added_at_the_end_changes_no_other_cable(data: st.DataObject, case: Case) -> None:
    assume(_fits(case.text()))
    before = cables(design_of(case.text()))
    left, right = data.draw(st.sampled_from(case.left))[0], data.draw(st.sampled_from(case.right))[0]
    changed = case.text(extra=f"{left} == {right} + {data.draw(st.integers(-1, 1))}")
    assert cables(design_of(changed)) <= before


@given(cases(), st.integers(1, 3))
@settings(max_examples=60)
def test_growth_at_the_end_changes_no_other_cable(case: Case, more: int) -> None:
    case = attrs.evolve(case, right=(("m", more),), tie="", pools=(1024, 1024))
    (name, size), *rest = case.left
    grown = attrs.evolve(case, left=((name, size + more), *rest))
    assert cables(design_of(case.text())) <= cables(design_of(grown.text()))
