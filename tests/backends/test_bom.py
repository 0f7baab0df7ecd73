"""The bill of materials: counts, ports used and spare, power where it is known."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backends.designs import TINY, emit
from support import design_of

from topolang.backends.bom.backend import Bom

GOLDEN = Path(__file__).parent / "golden"


def bill(text: str) -> Any:
    return json.loads(emit(design_of(text), Bom())["bom.json"])


def test_the_bill_of_a_small_design(golden: Callable[[Path, str], None]) -> None:
    files = emit(design_of(TINY), Bom())
    assert list(files) == ["bom.csv", "bom.json"]
    golden(GOLDEN / "bom.csv", files["bom.csv"])
    golden(GOLDEN / "bom.json", files["bom.json"])


def test_table_and_document_agree() -> None:
    files = emit(design_of(TINY), Bom())
    document = json.loads(files["bom.json"])
    rows = list(csv.DictReader(io.StringIO(files["bom.csv"])))
    for category, key in (("device", "devices"), ("cable", "cables")):
        assert [int(r["count"]) for r in rows if r["category"] == category] == [item["count"] for item in document[key]]
    assert sum(int(r["count"]) for r in rows if r["category"] == "cable") == document["totals"]["cables"]


def test_ports_and_cages_are_counted() -> None:
    devices = {item["group"]: item for item in bill(TINY)["devices"]}
    (ports,) = devices["compute.leaf"]["ports"]
    # 4 leaves of 8 ports in 4 cages; 3 servers take a port of each of their unit's leaves, every uplink is used
    assert (ports["ports"], ports["used"], ports["spare"]) == (32, 6 + 16, 10)
    assert (ports["cages"], ports["cages_used"]) == (16, 12)
    (ports,) = devices["compute.node"]["ports"]
    assert (ports["used"], ports["spare"], ports["cages_used"]) == (6, 0, 3)


def test_a_cable_on_a_whole_cage_takes_its_ports() -> None:
    text = """topolang 1
device hub { role = "switch", port osfp[1..4] = 800Gb/s split 2 as p }
design d { fabric f : ethernet { a : hub, b : hub
connect a.osfp[1] -- b.osfp[1]
connect a.p[3] -- b.p[3] } }"""
    (ports,) = bill(text)["devices"][0]["ports"]
    assert (ports["bank"], ports["ports"], ports["used"], ports["cages"], ports["cages_used"]) == ("p", 8, 3, 4, 2)


def test_ports_of_inner_parts_are_counted_where_cables_reach_them() -> None:
    text = """topolang 1
device gpu { role = "gpu", port nvl[k: 1..2] = 50GB/s }
device tray { role = "host", gpu[g: 0..1] : gpu, other : gpu }
device chip { role = "nvswitch", port p[1..8] = 50GB/s }
design d { fabric f : nvlink5 { t[i: 1..2] : tray, c[k: 1..2] : chip
connect t.gpu.nvl -- c.p } }"""
    devices = bill(text)["devices"]
    assert [(u["part"], u["bank"], u["ports"], u["used"]) for u in devices[0]["ports"]] == [("gpu", "nvl", 8, 8)]
    assert [(u["ports"], u["used"]) for u in devices[1]["ports"]] == [(16, 8)]


def test_power_is_summed_where_it_is_known() -> None:
    totals = bill(TINY)["totals"]
    assert totals["power_w"] == 3 * 2500 + 6 * 700
    assert totals["power_unknown"] == []
    assert bill(TINY.replace(", power = 700W", ""))["totals"]["power_unknown"] == ["hub"]


def test_cables_say_that_nothing_is_placed() -> None:
    assert {item["status"] for item in bill(TINY)["cables"]} == {"length and part open: not placed"}


def test_holes_inside_a_device_have_no_ports() -> None:
    parts = 'device gpu { role = "gpu", port x[1..2] = 50GB/s }\ndevice box { role = "host", gpu[g: 1..4] : gpu if g != 3 }\n'
    hub = 'device hub { role = "switch", port p[1..16] = 50GB/s }\n'
    text = f"topolang 1\n{parts}{hub}design d {{ fabric f : nvlink5 {{ h[n: 1..2] : box\n s : hub\n connect h.gpu.x[1] -- s.p }} }}"
    devices = {item["group"]: item for item in bill(text)["devices"]}
    (ports,) = devices["f.h"]["ports"]
    assert (ports["part"], ports["ports"], ports["used"], ports["spare"]) == ("gpu", 12, 6, 6)
