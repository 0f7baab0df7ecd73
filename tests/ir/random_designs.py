"""Small random designs: groups that share some dimensions, holes, and joins of every kind."""

from __future__ import annotations

from hypothesis import strategies as st
from ir.build import Build, PortSpec, eq, op

from topolang.ir.model import Design, Group

NAMES = ("w", "x", "y", "z")


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Draw a design of two or three groups and one to three bundles; its `wire` may raise."""
    build = Build()
    ranges = {name: range(first, first + draw(st.integers(1, 3))) for name in NAMES for first in [draw(st.integers(0, 2))]}
    groups = [_group(draw, build, ranges, i) for i in range(draw(st.integers(2, 3)))]
    fabric = build.fabric("f")
    for _ in range(draw(st.integers(1, 3))):
        _connect(draw, build, fabric, groups)
    return build.design()


def _subset(draw: st.DrawFn, names: tuple[str, ...], most: int) -> list[str]:
    return sorted(draw(st.sets(st.sampled_from(names), max_size=most)))


def _group(draw: st.DrawFn, build: Build, ranges: dict[str, range], i: int) -> Group:
    dims = _subset(draw, NAMES, 3)
    inner = None
    if draw(st.integers(0, 3)) == 0:
        part = Build(build.lines)
        chip = part.device("chip", PortSpec("p", draw(st.integers(4, 40))), role="switch")
        part.group("chip", chip, c=draw(st.integers(1, 2)))
        inner = part.inside()
    named = {"r": range(draw(st.integers(1, 2)))} if draw(st.booleans()) else {}
    device = build.device(f"dev{i}", PortSpec("p", draw(st.sampled_from([0, 6, 12, 24, 48])), dims=named), inside=inner)
    holes = None
    if dims and draw(st.booleans()):
        total = dims[0] if len(dims) == 1 else op("+", op("*", 2, dims[0]), dims[1])
        holes = op("!=", op("mod", total, draw(st.integers(2, 4))), draw(st.integers(0, 1)))
    return build.group(f"f.g{i}", device, holes, **{name: ranges[name] for name in dims})


def _connect(draw: st.DrawFn, build: Build, fabric: object, groups: list[Group]) -> None:
    a = draw(st.sampled_from(groups))
    # one in four bundles stays inside a group
    z = a if draw(st.integers(0, 3)) == 0 else draw(st.sampled_from([g for g in groups if g is not a]))
    bind: dict[str, object] = {}
    where = []
    if a is z:
        # rename one dimension so that there is something to run over
        if not a.dims:
            return
        name = a.dims[0].name
        bind[name] = "other"
        where.append(op("<", name, "other"))
    elif draw(st.integers(0, 5)) == 0 and z.dims:
        bind[z.dims[-1].name] = z.dims[-1].values[0]
    end_a, end_z = build.end(a, "p", _parts(draw, a)), build.end(z, "p", _parts(draw, z), bind)
    variables = [n for n in ("w", "x", "y", "z", "r") if any(d.name == n for d in (*end_a.dims, *end_z.dims)) and n not in bind]
    only_a = [n for n in variables if all(d.name != n for d in end_z.dims)]
    only_z = [n for n in variables if all(d.name != n for d in end_a.dims)]
    if only_a and only_z and draw(st.integers(0, 4)) == 0:
        where.append(eq(only_a[0], only_z[0]))
    if variables and draw(st.integers(0, 5)) == 0:
        where.append(op("<=", variables[0], draw(st.integers(0, 3))))
    if draw(st.integers(0, 3)) == 0:
        times: object = draw(st.sampled_from(["fill", "spread"]))
    elif variables and draw(st.integers(0, 4)) == 0:
        times = op("mod", variables[-1], 3)
    else:
        times = draw(st.integers(1, 3))
    allowed = None
    if variables and draw(st.integers(0, 3)) == 0:
        values = next(d.values for d in (*end_a.dims, *end_z.dims) if d.name == variables[0])
        allowed = {variables[0]: sorted(draw(st.sets(st.sampled_from(list(values)), min_size=1)))}
    build.connect(fabric, end_a, end_z, times, where, allowed)


def _parts(draw: st.DrawFn, group: Group) -> tuple[Group, ...]:
    inner = group.device.inside.groups
    return (inner[0],) if inner and draw(st.booleans()) else ()
