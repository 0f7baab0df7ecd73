"""What `fill` leaves free is said, on either side."""

from __future__ import annotations

import pytest
from support import design_of

from topolang.passes.run import run_passes

TEXT = """topolang 1
device leaf {{ role = "switch", port up[1..8] = 400Gb/s, port h[1..8] = 400Gb/s }}
device spine {{ role = "switch", port p[1..{right}] = 400Gb/s }}
device host {{ role = "host", port p = 400Gb/s }}
design d {{ fabric f : ethernet {{
  n[l: 1..2] : host
  l[l: 1..2] : leaf
  s[k: 1..4] : spine{hole}
  connect n.p -- l.h[1]
  connect l.up -- s{select}.p fill{where}
}} }}
"""


@pytest.mark.parametrize(
    ("right", "hole", "select", "where", "messages"),
    [
        (4, "", "[k as j]", "", []),
        (6, "", "", "", ["`fill` leaves 2 of 6 ports of every `s.p` free"]),
        (4, "", "", " where k <= 3", ["`fill` leaves 2 of 8 ports of some `l.up` free, because `where` takes partners away"]),
        (8, "", "[k = 1..2]", "", []),
        # a hole is a device to come, whose ports wait for it
        (4, " if k <= 3", "", "", []),
    ],
)
def test_ports_left_free(right: int, hole: str, select: str, where: str, messages: list[str]) -> None:
    text = TEXT.format(right=right, hole=hole, select=select, where=where)
    found = [d.message for d in run_passes(design_of(text)).diagnostics if d.code == "T0405"]
    assert found == messages
