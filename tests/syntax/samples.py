"""Programs that hold every construct of the language, for several tests."""

from __future__ import annotations

from typing import Final

from topolang.diagnostics import Diagnostic, Sink, SourceFile
from topolang.syntax import ast
from topolang.syntax.parser import parse

EVERYTHING: Final = """# a comment before the edition

topolang 1
import nvidia.dgx_h100
import generic.port as part
import "./racks.topo" as racks

kind fabric infiniband (rate: rate, sharp: bool = off, routing: string = "minhop" in ["minhop", "adaptive"])
kind device (height: length, split: count, spread: string)
kind pool pool (members: list of ref)
let per_pod = 512

device dgx(busid: string = "", sw: device = qm9700, ids: list of int = [1, 2], cap: power = 44kW in 1kW..100kW) {
  height = 8U; power = 10.2kW, cooling = "air"
  split = 2, times = 3, of = 4, list = [], kind = "x", in = on, port = off, optics = "y"
  port osfp[1..32] = 800Gb/s split 2 as p { name = "{cage}/{sub}", names = ["a", "b"] }
  port hca[rail: 0..7] = p[[8, 6, 5, 7, 2, 4, 3, 1]]
  port port[1..2] = 100Gb/s
  port in = 1.5Tb/s
  for k in 1..3 { cpu[numa: 0..1] : xeon }
  for rail in [0, 2] { x = rail }
}

design superpod(
  su: int = 4 in 1..4,  # the number of units
  per_su: int = 32,
  spines: int = 16,
) {
  fabric compute : infiniband {
    rate = 400Gb/s, sharp = on, routing = "adaptive"
    node[s: 1..su, n: 1..per_su] : dgx(busid = "x") if not (s == su and n == per_su) { name = "node-{s}" }
    leaf[s: 1..su, rail: 0..7 by 2,] : parts.qm9700 { port down = p[1..32]; port up = p[33..64] }
    list : hub

    connect node.hca -- leaf.down
    connect ufm.ib   -- leaf.down[per_su] where s == su and rail == 2*(u-1) + q
    connect leaf.up  -- spine.down fill
    connect router.local  -- router[r as r2].local where r < r2 { medium = "dac" }
    connect chip.xp -- chip[x = (x+1) mod 4].xm times lanes[k] - 1
    connect nic.port -- hca spread
    connect a.in --
      b.out[1, 2]
  }
  site hall1 { rows = "A".."D", racks = 1..16, height = 48U, power = 44kW, tray = 3m }
  place node  { per_rack = 4, row_by = s }
  place core[s = 1] { hall = 3, spread = "power_feed" }
  optics compute { allow = ["dac", "acc"], prefer = "cost" }
  kv : pool { members = box, grant = 1TiB }

  assert count(node.gpu) == 8 * (su * per_su - 1)
  assert nonblocking(compute) : "must be \\"1:1\\""
  assert hops(compute, same_rail = true) == 1 and hops(compute) <= 3 or
    not -x / 2 div 3 in 1..4
  assert true : "always"
  warn bandwidth_lost(be, core) <= 1%
}

module empty {}
"""


def read(text: str, name: str = "x.topo") -> tuple[ast.File, list[Diagnostic]]:
    """Parse a text as it is."""
    sink = Sink()
    return parse(SourceFile(name, text), sink), list(sink.sorted())


def clean(text: str) -> tuple[ast.Item, ...]:
    """Return the statements of a text without findings; the edition is added."""
    file, found = read(f"topolang 1\n{text}")
    assert found == [], [(d.code, d.message, d.span) for d in found]
    return file.items


def codes(text: str) -> list[str]:
    """Return the codes of the findings of a text; the edition is added."""
    return [d.code for d in read(f"topolang 1\n{text}")[1]]
