"""The join rule: what `connect` joins, meshes and numbers."""

from __future__ import annotations

import pytest
from support import cables, design_of, errors_of

from topolang.ir.tables import link_table
from topolang.ir.wiring import wire

PARTS = """topolang 1
device host { role = "host", port hca[rail: 0..3] = 400Gb/s, port eth[1..2] = 400Gb/s }
device hub { role = "switch", port p[1..64] = 400Gb/s }
"""


def fabric(body: str, head: str = "") -> str:
    return f"{PARTS}design d({head}) {{ fabric f : ethernet {{\n{body}\n}} }}"


def test_shared_dimensions_join_and_free_ones_pick_the_port() -> None:
    design = design_of(
        fabric("""node[s: 1..2, n: 1..3] : host
leaf[s: 1..2, rail: 0..3] : hub { port down = p[1..32]; port up = p[33..64] }
connect node.hca -- leaf.down""")
    )
    found = cables(design)
    assert len(found) == 2 * 3 * 4
    assert ("node-2-3", "hca1", "leaf-2-1", "p3") in found
    assert ("node-1-1", "hca0", "leaf-1-0", "p1") in found


def test_fill_uses_every_port_of_the_left_side() -> None:
    design = design_of(
        fabric("""leaf[l: 1..4] : hub { port up = p[33..64] }
spine[k: 1..8] : hub { port down = p[1..16] }
connect leaf.up -- spine.down fill""")
    )
    found = cables(design)
    assert len(found) == 4 * 32
    # leaf 3's cables to spine 2: its ports 5..8 of the group, and ports 9..12 of the spine
    assert {(a, z) for n, a, m, z in found if (n, m) == ("leaf-3", "spine-2")} == {(f"p{36 + i}", f"p{8 + i}") for i in range(1, 5)}


def test_fill_that_does_not_divide_names_both_counts_and_the_nearest() -> None:
    text = fabric("""leaf[l: 1..4] : hub { port up = p[1..64] }
spine[k: 1..11] : hub
connect leaf.up -- spine.p fill""")
    with pytest.raises(Exception, match="T0401") as caught:
        wire(design_of(text).bundles[0])
    diagnostic = caught.value.diagnostic  # type: ignore[attr-defined]
    assert "64" in diagnostic.message and "11" in diagnostic.message
    assert any("8 (x8) or 16 (x4)" in h for h in diagnostic.help)
    assert any("spread" in h for h in diagnostic.help)


def test_spread_gives_larger_shares_first() -> None:
    design = design_of(
        fabric("""leaf[l: 1..4] : hub
spine[k: 1..10] : hub
connect leaf.p -- spine.p spread""")
    )
    pairs = wire(design.bundles[0])
    assert pairs.count.reshape(4, 10).tolist() == [[7, 7, 7, 7, 6, 6, 6, 6, 6, 6]] * 4
    assert len(cables(design)) == 256


def test_equality_across_sides_narrows_the_pool() -> None:
    design = design_of(
        fabric("""node[pod: 1..2, n: 1..128] : host
leaf[pod: 1..2, grp: 1..2, rail: 0..3] : hub
connect node.hca -- leaf.p where grp == (n-1) div 64 + 1""")
    )
    found = cables(design)
    assert len(found) == 2 * 128 * 4
    assert ("node-2-65", "hca3", "leaf-2-2-3", "p1") in found
    assert ("node-1-128", "hca0", "leaf-1-2-0", "p64") in found


def test_torus_binds_a_dimension() -> None:
    design = design_of(
        """topolang 1
device chip { role = "gpu", port xp = 100Gb/s, port xm = 100Gb/s }
design d { fabric f : torus { chip[x: 0..3, y: 0..1] : chip
connect chip.xp -- chip[x = (x+1) mod 4].xm } }"""
    )
    found = cables(design)
    assert len(found) == 8
    assert ("chip-3-1", "xp", "chip-0-1", "xm") in found


def test_renamed_dimension_meshes_a_group_with_itself() -> None:
    text = """topolang 1
device r { role = "switch", port local[1..7] = 100Gb/s }
design d { fabric f : ethernet { r[grp: 0..1, i: 0..7] : r
connect r.local -- r[i as j].local where i < j } }"""
    found = cables(design_of(text))
    assert len(found) == 2 * 28
    # a device's own index is left out, so that seven ports do for eight devices
    assert ("r-0-2", "local2", "r-0-5", "local3") not in found
    assert ("r-0-2", "local5", "r-0-5", "local3") in found


def test_ranges_that_differ_are_an_error_that_names_what_is_left_over() -> None:
    (error,) = errors_of(
        fabric("""node[n: 1..2] : host
leaf[rail: 0..1] : hub
connect node.hca -- leaf.p""")
    )
    assert error.code == "T0305"
    assert any("2..3" in note for note in error.notes)


def test_one_side_may_select() -> None:
    design = design_of(
        fabric("""node[n: 1..2] : host
leaf[rail: 0..1] : hub
connect node.hca[rail = 0..1] -- leaf.p""")
    )
    assert len(link_table(design)) == 4


def test_module_copies_stay_apart() -> None:
    design = design_of(
        PARTS
        + """module pod { fabric f : ethernet { node[n: 1..2] : host
leaf[rail: 0..3] : hub
connect node.hca -- leaf.p } }
design d { pod[i: 1..3] : pod }"""
    )
    found = cables(design)
    assert len(found) == 3 * 8
    assert ("node-3-2", "hca1", "leaf-3-1", "p2") in found
    assert design.groups[0].name == "pod.f.node"


def test_nvl72() -> None:
    design = design_of(
        """topolang 1
device gpu { role = "gpu", port nvl[k: 1..18] = 400Gb/s }
device chip { role = "nvswitch", port p[1..72] = 400Gb/s }
device tray { role = "host", gpu[g: 0..3] : gpu }
device swtray { role = "nvswitch", chip[c: 1..2] : chip }
design d { fabric nvlink : nvlink5 { tray[t: 1..18] : tray
nvsw[j: 1..9] : swtray
connect tray.gpu.nvl -- nvsw.chip.p where k == 2*(j-1) + c } }"""
    )
    found = cables(design)
    assert len(found) == 1296
    assert ("tray-1", "gpu0.nvl1", "nvsw-1", "chip1.p1") in found
    assert ("tray-18", "gpu3.nvl18", "nvsw-9", "chip2.p72") in found


def test_a_list_gives_the_multiplicity() -> None:
    design = design_of(
        """topolang 1
device gpu { role = "gpu", port nvl[1..18] = 400Gb/s }
device sw { role = "nvswitch", port p[1..64] = 400Gb/s }
design d { let lanes = [5, 5, 4, 4]
fabric f : nvlink4 { gpu[g: 0..7] : gpu
sw[k: 0..3] : sw
connect gpu.nvl -- sw.p times lanes[k] } }"""
    )
    found = cables(design)
    assert len(found) == 8 * 18
    assert ("gpu-7", "nvl18", "sw-3", "p32") in found
    assert ("gpu-0", "nvl6", "sw-1", "p1") in found


def test_one_port_is_picked_from_a_pool() -> None:
    design = design_of(
        fabric("""node : host
leaf[s: 1..2] : hub { port down = p[1..32] }
connect node.eth[2] -- leaf.down[32] where s == 2""")
    )
    assert cables(design) == {("node", "eth2", "leaf-2", "p32")}


def test_name_templates_in_a_module_tell_its_copies_apart() -> None:
    text = (
        PARTS
        + """module pod { fabric f : ethernet { node[n: 1..2] : host { name = "gpu{n:02}" }
leaf : hub
connect node.eth -- leaf.p } }
design d { a[i: 1..2] : pod
b : pod }"""
    )
    names = {cable[0] for cable in cables(design_of(text))}
    assert names == {"a-1-gpu01", "a-1-gpu02", "a-2-gpu01", "a-2-gpu02", "b-gpu01", "b-gpu02"}
