"""Small parts that the programs in the register share, so that each program shows little beside its point."""

from __future__ import annotations

from typing import Final

PARTS: Final = """topolang 1
device host { role = "host", port p = 400Gb/s }
device hub { role = "switch", port p[1..4] = 400Gb/s }
"""

LAN: Final = """topolang 1
device host { role = "host", port p = 400Gb/s }
device hub { role = "switch", port p[1..4] = 400Gb/s }
design d {
  fabric lan : ethernet {
    node[n: 1..4] : host
    sw : hub
    connect node.p -- sw.p
  }
}
"""

CLOS: Final = """topolang 1
device tor { role = "switch", port up[1..6] = 400Gb/s }
device spine { role = "switch", port p[1..4] = 400Gb/s }
design d {
  fabric f : ethernet {
    leaf[s: 1..2] : tor
    top[k: 1..3] : spine
    connect leaf.up -- top.p fill
  }
}
"""


RAILS: Final = """topolang 1
device host { role = "host", port hca[rail: 0..1] = 400Gb/s }
device hub { role = "switch", port p[1..4] = 400Gb/s }
design d {
  fabric f : ethernet {
    node[n: 1..4] : host
    sw[rail: 0..1] : hub
    connect node.hca -- sw.p
  }
}
"""


def changed(program: str, *changes: tuple[str, str]) -> str:
    """Return a program with texts replaced; raise ValueError where one does not occur exactly once."""
    for old, new in changes:
        if program.count(old) != 1:
            raise ValueError(f"{old!r} occurs {program.count(old)} times")
        program = program.replace(old, new)
    return program
