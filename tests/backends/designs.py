"""Small programs that the tests of the backends share, and a way to build them."""

from __future__ import annotations

from topolang.backends.model import Backend, Built, Output
from topolang.ir.model import Design

SERVER = """topolang 1
device cpu_part { role = "cpu", arch = "x86_64", cpu_vendor = "GenuineIntel", familyid = 6, modelid = 143
  port root[1..4] = 63GB/s }
device switch_part { role = "pcie_switch", port up = 63GB/s, port down[1..4] = 63GB/s }
device gpu_part { role = "gpu", port pcie = 63GB/s, port nvl[1..4] = 25GB/s }
device nvs_part { role = "nvswitch", port p[1..8] = 25GB/s }
device nic_part { role = "nic", port pcie = 63GB/s, port port = 400Gb/s }
device server(
  gpu_busids: list of string = ["0000:1b:00.0", "0000:9d:00.0"],
  nic_busids: list of string = ["0000:18:00.0", "0000:9a:00.0"],
  masks: list of string = ["00000000,ffffffff", "ffffffff,00000000"],
) {
  role = "host", vendor = "Example", model = "Two-GPU server", height = 4U, power = 2.5kW
  cpu[numa: 0..1] : cpu_part { affinities = masks }
  plx[x: 0..1]    : switch_part
  gpu[g: 0..1]    : gpu_part { busids = gpu_busids }
  nic[rail: 0..1] : nic_part { busids = nic_busids }
  nvsw            : nvs_part
  fabric pcie : pcie5 {
    connect cpu.root -- plx.up where numa == x
    connect plx.down[1] -- gpu[g as x].pcie
    connect plx.down[2] -- nic[rail as x].pcie
  }
  fabric nvlink : nvlink4 { connect gpu.nvl -- nvsw.p times 4 }
  port osfp[1..1] = 800Gb/s split 2 as p
  port hca[rail: 0..1] = p[[2, 1]]
  fabric board : trace { connect nic.port -- hca }
}
device hub { role = "switch", height = 1U, power = 700W
  port osfp[1..4] = 800Gb/s split 2 as p }
"""

TINY = (
    SERVER
    + """
design tiny(units: int = 2) {
  fabric compute : infiniband {
    rate = 400Gb/s
    node[s: 1..units, n: 1..2] : server if not (s == units and n == 2)
    leaf[s: 1..units, rail: 0..1] : hub { name = "leaf-{s:02}-{rail}", port down = p[1..4], port up = p[5..8] }
    spine[k: 1..2] : hub
    connect node.hca -- leaf.down
    connect leaf.up -- spine.p fill
  }
}
"""
)


def emit(design: Design, backend: Backend) -> dict[str, str]:
    """Run a backend without a report; return its files as text."""
    out = Output()
    backend.emit(Built(design), out)
    assert out.findings == []
    return {name: data.decode("utf-8") for name, data in out.files.items()}
