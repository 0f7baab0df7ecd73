"""Fabrics that are hard to say elsewhere, each in a few lines, with its count of cables."""

from __future__ import annotations

import pytest
from support import cables, design_of

from topolang.ir.tables import link_table
from topolang.ir.wiring import wire
from topolang.passes.run import run_passes

HEAD = """topolang 1
device cx { role = "nic", port p[plane: 0..1] = 200Gb/s }
device server { role = "host", nic[rail: 0..3] : cx, port sto[q: 1..2] = 200Gb/s, port bmc = 1Gb/s }
device sw { role = "switch", port osfp[1..64] = 400Gb/s split 2 as p }
device oob { role = "switch", port e[1..48] = 1Gb/s, port x[1..4] = 100Gb/s }
"""

CASES: dict[str, tuple[str, list[int]]] = {
    "dual plane, dual ToR: planes are never joined": (
        """fabric f : ethernet {
  node[seg: 1..3, n: 1..16] : server
  tor[seg: 1..3, rail: 0..3, plane: 0..1] : sw { port down = p[1..16]; port up = p[17..32] }
  agg[plane: 0..1, k: 1..4] : sw { port down = p[1..48] }
  connect node.nic.p -- tor.down
  connect tor.up -- agg.down fill }""",
        [3 * 16 * 4 * 2, 3 * 4 * 2 * 16],
    ),
    "rails joined only above the leaf": (
        """fabric f : ethernet {
  node[n: 1..16] : server
  leaf[rail: 0..3, plane: 0..1] : sw { port down = p[1..16]; port up = p[17..32] }
  spine[k: 1..4] : sw { port down = p[1..32] }
  connect node.nic.p -- leaf.down
  connect leaf.up -- spine.down fill }""",
        [16 * 8, 8 * 16],
    ),
    "a partially filled last pod": (
        """let servers = 21
fabric f : ethernet {
  node[pod: 1..3, n: 1..8] : server if 8*(pod-1) + n <= servers
  leaf[pod: 1..3, rail: 0..3, plane: 0..1] : sw
  connect node.nic.p -- leaf.p }""",
        [21 * 8],
    ),
    "storage and out-of-band fabrics beside the compute fabric, on the same servers": (
        """node[n: 1..20] : server
fabric compute : ethernet {
  leaf[rail: 0..3, plane: 0..1] : sw
  connect node.nic.p -- leaf.p }
fabric storage : ethernet {
  st[q: 1..2] : sw
  connect node.sto -- st.p }
fabric mgmt : ethernet {
  sw1 : oob
  connect node.bmc -- sw1.e }""",
        [160, 40, 20],
    ),
    "breakout on some ports only": (
        """fabric f : ethernet {
  sw1 : mixed
  a[n: 1..4] : fast
  b[n: 1..8] : slow
  connect a.p -- sw1.whole[1..4]
  connect b.p -- sw1.half[[1, 2, 3, 4, 5, 6, 7, 8]] }""",
        [4, 8],
    ),
    "a switch that is two devices in one chassis": (
        """fabric f : ethernet {
  box[b: 1..2] : twin
  node[n: 1..8] : server
  connect node.sto -- box.half.p where b == 1 and half == q }""",
        [16],
    ),
    "a torus with a twisted wrap": (
        """fabric f : torus {
  chip[x: 0..3, y: 0..1] : chip
  connect chip.xp -- chip[x = (x+1) mod 4, y = (y + (x+1) div 4) mod 2].xm }""",
        [8],
    ),
    "a mesh with dead cores": (
        """fabric f : torus {
  core[x: 0..7, y: 0..7] : chip if not (x == 3 and y == 3) and not (x == 4 and y == 4)
  connect core.xp -- core[x as x2].xm where x2 == x + 1
  connect core.yp -- core[y as y2].ym where y2 == y + 1 }""",
        [56 - 4, 56 - 4],
    ),
    "a dragonfly": (
        """let g = 9
let a = 4
fabric f : ethernet {
  r[grp: 0..g-1, i: 0..a-1] : router
  connect r.local -- r[i as j].local where i < j
  connect r.global -- r[grp as h, i as j].global where grp < h and i == (h - grp - 1) div 2 and j == (g - h + grp - 1) div 2 }""",
        [9 * 6, 36],
    ),
    "several heads of one memory device": (
        """fabric f : cxl {
  host[h: 1..4] : cxlhost
  box[b: 1..2] : mhd
  connect host.root -- box.head }""",
        [8],
    ),
    "uneven trunks": (
        """fabric f : ethernet {
  leaf[l: 1..6] : sw { port up = p[1..10] }
  spine[k: 1..4] : sw
  connect leaf.up -- spine.p spread }""",
        [60],
    ),
    "a loop over statements": (
        """let pairs = [1, 3]
fabric f : ethernet {
  a[n: 1..4] : fast
  z[n: 1..4] : fast
  for i in pairs { connect a[n = i].p -- z[n = i + 1].p } }""",
        [1, 1],
    ),
}

PARTS = """device mixed { role = "switch", port w[1..4] = 400Gb/s, port c[5..8] = 400Gb/s split 2 as half, port whole = w }
device fast { role = "host", port p = 400Gb/s }
device slow { role = "host", port p = 200Gb/s }
device asic { role = "switch", port p[1..8] = 200Gb/s }
device twin { role = "switch", half[half: 1..2] : asic }
device chip { role = "gpu", port xp = 100Gb/s, port xm = 100Gb/s, port yp = 100Gb/s, port ym = 100Gb/s }
device router { role = "switch", port local[1..3] = 200Gb/s, port global[1..2] = 200Gb/s }
device cxlhost { role = "host", port root[1..2] = 32GB/s }
device mhd { role = "memory", port head[1..4] = 32GB/s }
"""


@pytest.mark.parametrize("name", CASES)
def test_counts_and_ports(name: str) -> None:
    body, counts = CASES[name]
    design = design_of(f"{HEAD}{PARTS}design d {{ {body} }}")
    assert [wire(bundle).cables for bundle in design.bundles] == counts
    cables(design)
    wrong = [d.code for d in run_passes(design).diagnostics if d.severity == "error" and not d.code.startswith("T05")]
    assert wrong == []


def test_rates_of_breakout_ports() -> None:
    body, _ = CASES["breakout on some ports only"]
    design = design_of(f"{HEAD}{PARTS}design d {{ {body} }}")
    assert [str(b.rate) for b in design.bundles] == ["400Gb/s", "200Gb/s"]
    names = {(a, p, z, q) for a, p, z, q in cables(design)}
    assert ("b-3", "p", "sw1", "6/1") in names


def test_the_table_has_a_row_for_each_cable() -> None:
    body, counts = CASES["dual plane, dual ToR: planes are never joined"]
    table = link_table(design_of(f"{HEAD}{PARTS}design d {{ {body} }}"))
    assert len(table) == sum(counts)
    assert int(table.a_port.min()) >= 0
    assert int(table.z_port.min()) >= 0
