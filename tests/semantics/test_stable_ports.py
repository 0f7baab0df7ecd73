"""The law of stable ports: a hole or a `where` filter removes cables and changes no other."""

from __future__ import annotations

import attrs
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from join_cases import Case, cases
from support import cables, design_of

from topolang.diagnostics import DiagnosticError
from topolang.ir.wiring import wire


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
