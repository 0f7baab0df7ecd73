"""The join against its definition: every tuple enumerated in plain Python, ports counted one by one."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from join_cases import Case, cases
from support import cables, design_of

Index = dict[str, int]


def _tuples(dims: tuple[tuple[str, int], ...]) -> list[Index]:
    return [dict(zip([n for n, _ in dims], values, strict=True)) for values in product(*(range(size) for _, size in dims))]


def _holds(condition: str, *sides: Index) -> bool:
    names: Index = {}
    for side in sides:
        names |= side
    return not condition or bool(eval(condition.replace(" div ", " // ").replace(" mod ", " % "), {}, names))


def _joins(left: Index, right: Index) -> bool:
    return all(right[n] == v for n, v in left.items() if n in right)


def _times(case: Case) -> int:
    return int(case.rule.removeprefix("times") or 1)


def _ranks(case: Case, own: Index, others: list[Index], own_is_left: bool, pool: int) -> dict[tuple[int, ...], int]:
    """Return the first port of each partner at one device: its rank in the declared space, narrowed by the tie where the pool is too small."""
    partners = [o for o in others if (_joins(own, o) if own_is_left else _joins(o, own))]
    if len(partners) * _times(case) > pool and case.tie:
        partners = [o for o in partners if _holds(case.tie, own, o)]
    return {tuple(o.values()): i * _times(case) for i, o in enumerate(partners)}


def expected(case: Case, left_hole: str, right_hole: str, extra: str) -> set[tuple[str, str, str, str]]:
    lefts, rights = _tuples(case.left), _tuples(case.right)
    found = set()
    for a in lefts:
        for z in rights:
            if not (_joins(a, z) and _holds(case.tie, a, z) and _holds(extra, a, z) and _holds(left_hole, a) and _holds(right_hole, z)):
                continue
            at_a = _ranks(case, a, rights, True, case.pools[0])[tuple(z.values())]
            at_z = _ranks(case, z, lefts, False, case.pools[1])[tuple(a.values())]
            for copy in range(_times(case)):
                name_a, name_z = ("-".join(("l", *map(str, a.values()))), "-".join(("r", *map(str, z.values()))))
                found.add((name_a, f"p{at_a + copy + 1}", name_z, f"p{at_z + copy + 1}"))
    return found


@st.composite
def conditions(draw: st.DrawFn, names: list[str]) -> str:
    """Draw a condition over some dimensions, or none."""
    if draw(st.booleans()):
        return ""
    name, other = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    form = draw(st.sampled_from(("{n} != {v}", "{n} <= {o}", "{n} mod 2 == {v} mod 2", "{n} == {v}", "{n} + {o} > {v} or {n} == {o}")))
    return form.format(n=name, o=other, v=draw(st.integers(0, 3)))


@given(st.data(), cases())
@settings(max_examples=200)
def test_wiring_is_what_the_definition_says(data: st.DataObject, case: Case) -> None:
    left, right = [n for n, _ in case.left], [n for n, _ in case.right]
    holes = data.draw(conditions(left)), data.draw(conditions(right))
    extra = data.draw(conditions(sorted({*left, *right})))
    wanted = expected(case, *holes, extra)
    assume(all(int(port[1:]) <= pool for cable in wanted for port, pool in zip(cable[1::2], case.pools, strict=True)))
    assume(not _relates(case, extra))
    assert cables(design_of(case.text(*holes, extra))) == wanted


def _relates(case: Case, extra: str) -> bool:
    """Whether the added condition is itself an equality across the sides, which may narrow a pool further."""
    free_left = {n for n, _ in case.left} - {n for n, _ in case.right}
    free_right = {n for n, _ in case.right} - {n for n, _ in case.left}
    return "==" in extra and " or " not in extra and any(n in extra for n in free_left) and any(n in extra for n in free_right)
