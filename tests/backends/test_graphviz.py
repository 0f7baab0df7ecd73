"""Pictures: DOT text that no name can break, drawings that say what they show, and SVG by whichever program there is."""

from __future__ import annotations

import re
import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from backends.designs import SERVER, TINY
from hypothesis import given
from hypothesis import strategies as st
from support import design_of

from topolang.backends.graphviz import render, style
from topolang.backends.graphviz.backend import Graphviz
from topolang.backends.graphviz.dot import Graph, cell, escape, font, quote, row, table
from topolang.backends.graphviz.style import TONES
from topolang.backends.model import Built, Output
from topolang.diagnostics import Diagnostic

GOLDEN = Path(__file__).parent / "golden"

CLUSTER = """topolang 1
device host { role = "host", port hca[rail: 0..3] = 400Gb/s }
device hub { role = "switch", port p[1..256] = 400Gb/s }
design d(pods: int = 4, nodes: int = 64, planes: int = 16) {
  fabric f : roce_v2 {
    node[pod: 1..pods, n: 1..nodes] : host
    leaf[pod: 1..pods, rail: 0..3] : hub { port down = p[1..128], port up = p[129..256] }
    agg[pod: 1..pods, a: 1..planes] : hub { port down = p[1..128], port up = p[129..256] }
    core[a: 1..planes, c: 1..32] : hub
    connect node.hca -- leaf.down
    connect leaf.up -- agg.down
    connect agg.up -- core.p
  }
}
"""


def pictures(text: str, **defines: str) -> dict[str, str]:
    out = Output()
    Graphviz().emit(Built(design_of(text, **defines)), out)
    assert out.findings == []
    return {name: data.decode("utf-8") for name, data in out.files.items()}


def words(svg: str) -> str:
    return " ".join("".join(element.itertext()) for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


@pytest.mark.parametrize("name", ["fabric-compute.dot", "fabric-compute-detail.dot", "device-server.dot"])
def test_the_dot_text_of_a_small_design(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / name, pictures(TINY)[name])


def test_every_picture_is_dot_and_svg() -> None:
    stems = ("device-server", "fabric-compute", "fabric-compute-detail")
    assert sorted(pictures(TINY)) == sorted(f"{stem}.{suffix}" for stem in stems for suffix in ("dot", "svg"))


def test_the_overview_counts_devices_and_cables() -> None:
    shown = words(pictures(TINY)["fabric-compute.svg"])
    shown = re.sub(r"\s+", " ", shown.replace("\xa0", " "))
    for part in ("node ×3", "leaf ×4", "spine ×2", "1 hole", "×6 @ 400Gb/s", "×16 @ 400Gb/s", "same s, rail", "each with each"):
        assert part in shown, part
    assert "9 devices · 22 cables" in shown


def test_the_detail_draws_every_device_of_a_small_fabric() -> None:
    shown = words(pictures(TINY)["fabric-compute-detail.svg"])
    for name in ("node-1-1", "node-1-2", "node-2-1", "leaf-01-0", "leaf-02-1", "spine-1", "spine-2", "rail 0", "rail 1"):
        assert name in shown
    assert "node-2-2" not in shown


def test_the_inside_names_what_the_operating_system_names() -> None:
    shown = words(pictures(TINY)["device-server.svg"])
    for name in ("cpu0", "cpu1", "plx1", "gpu0", "nic1", "0000:1b:00.0", "1/2 · osfp1", "fabric compute", "pcie5 x16, 6 links"):
        assert name in shown, name


def test_a_large_fabric_shows_one_slice_with_merged_boxes() -> None:
    dot = pictures(CLUSTER)["fabric-f-detail.dot"]
    assert "slice pod = 1 of 1..4" in dot
    assert "leaf-1-3" in dot and "leaf-2-0" not in dot
    assert "node-1-1" in dot and "node-1-64" in dot and "node-1-2<" not in dot
    assert "×64" in dot and "×32" in dot


def test_a_slice_is_taken_where_there_are_devices() -> None:
    dot = pictures(CLUSTER.replace("n: 1..nodes] : host", "n: 1..nodes] : host if pod > 2"))["fabric-f-detail.dot"]
    assert "slice pod = 3 of 1..4" in dot and "leaf-3-0" in dot


def test_a_fabric_without_devices_has_no_picture() -> None:
    text = """topolang 1
device host { role = "host", port p = 100Gb/s }
design d { fabric f : ethernet { a[i: 1..2] : host if i > 2 } }"""
    assert pictures(text) == {}


def test_a_large_mesh_is_drawn_as_two_fans() -> None:
    dot = pictures(CLUSTER, planes="64")["fabric-f-detail.dot"]
    assert "each with each: 4 × 64 pairs" in dot
    assert len(re.findall(r"^  n\d+\S* -- ", dot, re.MULTILINE)) < 400


@pytest.mark.parametrize("defines", [{}, {"pods": "32", "nodes": "512", "planes": "128"}])
def test_pictures_of_any_size_take_less_than_three_seconds(defines: dict[str, str]) -> None:
    if render.find_program() is None:
        pytest.skip("no Graphviz program")
    start = time.perf_counter()
    found = pictures(CLUSTER.replace("p[1..256]", "p[1..1024]").replace("p[1..128]", "p[1..512]").replace("p[129..256]", "p[513..1024]"), **defines)
    assert time.perf_counter() - start < 3 * 3, "three seconds, three times over for a slow machine"
    assert all(len(text) < 2_000_000 for text in found.values())


def test_tori_and_dragonflies_stand_on_circles() -> None:
    text = """topolang 1
device chip { role = "switch", port xp = 100Gb/s, port xm = 100Gb/s }
design d { fabric f : torus { chip[x: 0..7] : chip
connect chip.xp -- chip[x = (x+1) mod 8].xm } }"""
    dot = pictures(text)["fabric-f-detail.dot"]
    places = {tuple(map(float, m.split(","))) for m in re.findall(r'pos="([-0-9.,]+)!"', dot)}
    assert len(places) == 8 and len({round((x * x + y * y) ** 0.5) for x, y in places}) == 1
    assert len(re.findall(r"^  n\d+ -- n\d+ ", dot, re.MULTILINE)) == 8


def test_states_of_claims_stand_in_the_title() -> None:
    from backends.test_outputs import built

    text = TINY.replace("  fabric compute", "  assert count(node) == 3\n  fabric compute")
    out = Output()
    Graphviz().emit(built(text, "refuted"), out)
    dot = out.files["fabric-compute.dot"].decode()
    assert "refuted" in dot and "count(node) == 3" in dot


# ---------------------------------------------------------------- text


def test_names_stand_in_labels_only() -> None:
    text = TINY.replace("leaf-{s:02}-{rail}", 'a:b<c>&\\"d\\"\\\\n -- x; {s}:{rail}')
    dot = pictures(text)["fabric-compute-detail.dot"]
    assert re.findall(r"^  (n\d+) \[", dot, re.MULTILINE) == [f"n{i}" for i in range(9)]
    edges = re.findall(r"^  (\S+) -- (\S+) \[", dot, re.MULTILINE)
    assert len(edges) == 6 + 8 and all(re.fullmatch(r"n\d+(:r\d:n)?", end) for edge in edges for end in edge)
    assert 'a:b<c>&"d"\\n -- x; 1:0' in words(pictures(text)["fabric-compute-detail.svg"])


@given(st.text())
def test_a_quoted_text_ends_where_it_should(text: str) -> None:
    quoted = quote(text)
    assert re.fullmatch(r'"(?:[^"\\\n]|\\.)*"', quoted, re.DOTALL)
    quoted.encode("utf-8")


@given(st.text())
def test_an_escaped_text_is_xml(text: str) -> None:
    element = ET.fromstring(f"<a>{escape(text)}</a>")
    assert len(element) == 0
    if text.isprintable():
        assert (element.text or "") == text


def test_the_writer_nests_tables() -> None:
    inner = table([row(cell(font("a<b", 9, "red", bold=True), PORT="p"))])
    graph = Graph({"label": inner}, {}, {})
    graph.edge(graph.node(label="x"), graph.node(label=inner), color="blue")
    assert "&lt;b</B></FONT>" in graph.text() and 'n0 -- n1 [color="blue"];' in graph.text()


def test_every_role_has_colours_of_its_own() -> None:
    assert len({tone.line for tone in TONES.values()}) == len(TONES)
    assert len(set(style.RAILS)) == len(style.RAILS)


# ---------------------------------------------------------------- programs


def test_without_a_program_there_is_dot_and_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "find_program", lambda: None)
    out = Output()
    Graphviz().emit(Built(design_of(TINY)), out)
    assert [(f.code, f.severity) for f in out.findings] == [("T0902", "warning")]
    assert {name.rpartition(".")[2] for name in out.files} == {"dot"}


def test_the_program_of_the_package_is_found_without_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("importlib.metadata").distribution("graphviz-pure")
    monkeypatch.setenv("PATH", "")
    render.find_program.cache_clear()
    try:
        found = render.find_program()
    finally:
        render.find_program.cache_clear()
    assert found is not None and Path(found).stem == "graphviz-pure"


def test_a_program_that_fails_or_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*args: object, **given: object) -> object:
        raise subprocess.TimeoutExpired("dot", 60)

    finding = render.svg("graph {}", "a.svg", "no-such-program")
    assert isinstance(finding, Diagnostic) and finding.code == "T0906"
    monkeypatch.setattr(subprocess, "run", hang)
    finding = render.svg("graph {}", "a.svg", "dot")
    assert isinstance(finding, Diagnostic) and "60 s" in finding.message


def test_a_program_that_cannot_read_the_text_is_told() -> None:
    program = render.find_program()
    if program is None:
        pytest.skip("no Graphviz program")
    finding = render.svg("graph { n0 [", "a.svg", program)
    assert isinstance(finding, Diagnostic) and finding.code == "T0906" and "a.svg" in finding.message


def test_svg_holds_no_version() -> None:
    data = b'<?xml version="1.0"?>\r\n<!-- Generated by graphviz version 2.43.0 (0)\r\n -->\r\n<svg font-family="Arial"></svg>\r\n'
    assert render.normal(data) == b'<?xml version="1.0"?>\n<svg font-family="Arial,Helvetica,sans-serif"></svg>\n'


def test_servers_without_inner_links_have_no_picture() -> None:
    text = (
        SERVER.split("design")[0]
        + """device tray { role = "host", gpu[g: 0..1] : gpu_part }
design d { fabric f : nvlink5 { t[i: 1..2] : tray, c : nvs_part
connect t.gpu.nvl[1] -- c.p } }"""
    )
    assert not any(name.startswith("device") for name in pictures(text))
