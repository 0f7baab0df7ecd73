"""The cable table: columns, stable identifiers, cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from backends.designs import SERVER, TINY, emit
from support import compile_text, design_of

from topolang.backends.cables.backend import Cables
from topolang.backends.model import Built, Output
from topolang.diagnostics import DiagnosticError
from topolang.ir.tables import link_table

GOLDEN = Path(__file__).parent / "golden"

HEADING = (
    "cable_id,bundle,fabric,plane,rail,protocol,speed,"
    "a_hall,a_rack,a_u,a_node,a_type,a_port,a_cage,a_module_pn,z_hall,z_rack,z_u,z_node,z_type,z_port,z_cage,z_module_pn,"
    "medium,cable_pn,shuffle_id,route_m,length_m,color,label_a,label_z,failure_domain,source"
)


def table(text: str, **defines: str) -> list[dict[str, str]]:
    content = emit(design_of(text, **defines), Cables())["cables.csv"]
    return list(csv.DictReader(io.StringIO(content, newline="")))


def test_the_table_of_a_small_design(golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "cables.csv", emit(design_of(TINY), Cables())["cables.csv"])


def test_the_heading_is_the_published_one_and_lines_end_in_lf() -> None:
    text = emit(design_of(TINY), Cables())["cables.csv"]
    assert text.splitlines()[0] == HEADING
    assert "\r" not in text and text.endswith("\n")


def test_a_design_without_cables_has_a_heading() -> None:
    text = f"{SERVER}\ndesign d {{ fabric f : infiniband {{ node[n: 1..2] : server }} }}"
    assert emit(design_of(text), Cables())["cables.csv"] == f"{HEADING}\n"


def test_every_cable_has_a_row_an_identifier_and_a_source() -> None:
    design = design_of(TINY)
    rows = table(TINY)
    assert len(rows) == len(link_table(design))
    assert len({row["cable_id"] for row in rows}) == len(rows)
    lines = TINY.splitlines()
    for row in rows:
        file, _, line = row["source"].rpartition(":")
        assert file == "cluster.topo"
        assert f"connect {row['bundle'].split(' -- ')[0]}" in lines[int(line) - 1]


def test_rails_cages_and_names() -> None:
    rows = {row["cable_id"]: row for row in table(TINY)}
    row = rows["node-1-2:1/2"]
    assert (row["rail"], row["a_cage"], row["a_type"], row["z_node"], row["z_port"]) == ("0", "osfp1", "server", "leaf-01-0", "1/2")
    assert rows["node-1-2:1/1"]["rail"] == "1"


def test_an_identifier_stays_when_other_cables_go() -> None:
    whole = {row["cable_id"]: row for row in table(TINY, units="2")}
    holes = TINY.replace("if not (s == units and n == 2)", "if s == 2")
    fewer = {row["cable_id"]: row for row in table(holes)}
    assert 0 < len(fewer) < len(whole)
    common = set(fewer) & set(whole)
    assert common and all({**fewer[i], "source": ""} == {**whole[i], "source": ""} for i in common if not i.startswith("node-2-2"))
    grown = {row["cable_id"]: row for row in table(TINY.replace("if not (s == units and n == 2)", "if not (s == 2 and n == 2)"), units="3")}
    node_cables = {i for i in whole if i.startswith("node")}
    assert node_cables <= set(grown) and all(grown[i] == whole[i] for i in node_cables)


def test_parallel_banks_of_one_label_stay_apart() -> None:
    text = """topolang 1
device box { role = "host", port a[1..2] = 100Gb/s { name = "{n}" }, port b[1..2] = 100Gb/s { name = "{n}" } }
design d { fabric f : ethernet { x : box, y : box
connect x.a -- y.a
connect x.b -- y.b } }"""
    rows = table(text)
    assert len({row["cable_id"] for row in rows}) == len(rows) > 0


def test_cells_are_quoted_as_rfc_4180_says() -> None:
    text = TINY.replace('name = "leaf-{s:02}-{rail}"', 'name = "leaf, {s} \\"{rail}\\""')
    names = {row["z_node"] for row in table(text) if row["a_node"].startswith("node")}
    assert 'leaf, 1 "0"' in names


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!{s}{rail}", "+1{s}{rail}", "-{s}{rail}", "@SUM({s}{rail})"])
def test_names_that_a_spreadsheet_would_run_are_refused(name: str) -> None:
    design, _ = compile_text(TINY.replace("leaf-{s:02}-{rail}", name))
    assert design is not None
    with pytest.raises(DiagnosticError) as caught:
        Cables().emit(Built(design), Output())
    assert caught.value.diagnostic.code == "T0905"
    assert caught.value.diagnostic.span is not None


def test_port_labels_that_a_spreadsheet_would_run_are_refused() -> None:
    design, _ = compile_text(TINY.replace("split 2 as p }", 'split 2 as p { name = "={cage}{sub}" } }'))
    assert design is not None
    with pytest.raises(DiagnosticError, match="T0905"):
        Cables().emit(Built(design), Output())


@pytest.mark.slow
def test_three_hundred_thousand_cables_take_seconds(root: Path) -> None:
    design = design_of((root / "examples" / "train_100k.topo").read_text(encoding="utf-8"))
    start = time.perf_counter()
    text = emit(design, Cables())["cables.csv"]
    assert time.perf_counter() - start < 10
    rows = text.splitlines()[1:]
    assert len(rows) == 304_800 == len({row.partition(",")[0] for row in rows})


def test_the_medium_is_that_of_the_program() -> None:
    text = TINY.replace("connect leaf.up -- spine.p fill", 'connect leaf.up -- spine.p fill { medium = "dac" }')
    assert {row["medium"] for row in table(text)} == {"", "dac"}
