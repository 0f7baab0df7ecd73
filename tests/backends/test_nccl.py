"""NCCL topology files: what is written passes a strict reader, and what cannot be written is refused with a code."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from backends.designs import SERVER, TINY, emit
from backends.nccl_reader import Fault, check
from support import compile_text, design_of

from topolang.backends.model import Built, Output
from topolang.backends.nccl.backend import Nccl
from topolang.diagnostics import Diagnostic, DiagnosticError

GOLDEN = Path(__file__).parent / "golden"


def one(body: str, kind: str = "infiniband", server: str = SERVER) -> str:
    """A design of one server type and a switch."""
    return f"{server}\ndesign d {{ fabric f : {kind} {{\nnode[n: 1..2] : {body}\nleaf[rail: 0..1] : hub\nconnect node.hca -- leaf.p\n}} }}"


def refusal(text: str) -> Diagnostic:
    design, sink = compile_text(text)
    assert design is not None, [f"{d.code} {d.message}" for d in sink]
    with pytest.raises(DiagnosticError) as caught:
        Nccl().emit(Built(design), Output())
    return caught.value.diagnostic


def test_the_file_of_a_small_server(golden: Callable[[Path, str], None]) -> None:
    files = emit(design_of(TINY), Nccl())
    assert list(files) == ["nccl-server.xml"]
    golden(GOLDEN / "nccl-server.xml", files["nccl-server.xml"])


def test_the_file_passes_the_strict_reader() -> None:
    root = check(emit(design_of(TINY), Nccl())["nccl-server.xml"].encode())
    assert [cpu.attributes["numaid"] for cpu in root.children] == ["0", "1"]
    for cpu in root.children:
        (switch,) = cpu.children
        assert [leaf.attributes["class"] for leaf in switch.children] == ["0x030200", "0x020700"]


@pytest.mark.parametrize(("name", "server", "nic"), [("superpod_h100", "dgx_h100", "0x020700"), ("train_100k", "hgx_roce", "0x020000")])
def test_the_servers_of_the_examples_pass_the_strict_reader(name: str, server: str, nic: str, root: Path) -> None:
    files = emit(design_of((root / "examples" / f"{name}.topo").read_text(encoding="utf-8")), Nccl())
    assert list(files) == [f"nccl-{server}.xml"]
    system = check(files[f"nccl-{server}.xml"].encode())
    switches = [switch for cpu in system.children for switch in cpu.children]
    assert [[leaf.attributes["class"] for leaf in switch.children] for switch in switches] == [["0x030200", nic]] * 8


def test_the_class_of_a_nic_follows_the_fabric_that_it_is_cabled_in() -> None:
    text = emit(design_of(one("server", kind="roce_v2")), Nccl())["nccl-server.xml"]
    assert text.count('class="0x020000"') == 2 and "0x020700" not in text


def test_servers_without_gpus_have_no_file() -> None:
    text = SERVER.replace('role = "gpu"', 'role = "memory"')
    assert emit(design_of(one("server", server=text)), Nccl()) == {}


def test_two_kinds_of_servers_of_one_name_have_two_files() -> None:
    text = f"""{SERVER}
design d {{ fabric f : infiniband {{
  node[n: 1..2] : server
  other[m: 1..2] : server(gpu_busids = ["0000:01:00.0", "0000:02:00.0"])
  same : server
}} }}"""
    files = emit(design_of(text), Nccl())
    assert sorted(files) == ["nccl-server-f-node.xml", "nccl-server-f-other.xml"]


def test_a_switch_that_only_passes_on_is_left_out() -> None:
    text = SERVER.replace("plx[x: 0..1]    : switch_part", "plx[x: 0..1] : switch_part\n  top[x: 0..1] : switch_part").replace(
        "connect cpu.root -- plx.up where numa == x", "connect cpu.root -- top.up where numa == x\nconnect top.down[1] -- plx.up"
    )
    assert emit(design_of(one("server", server=text)), Nccl()) == emit(design_of(one("server")), Nccl())


def test_gpus_and_nics_may_hang_on_the_cpu_itself() -> None:
    text = SERVER.replace("plx[x: 0..1]    : switch_part\n", "")
    text = text.replace("connect cpu.root -- plx.up where numa == x\n", "")
    text = text.replace("plx.down[1] -- gpu[g as x].pcie", "cpu.root[1] -- gpu[g as numa].pcie")
    text = text.replace("plx.down[2] -- nic[rail as x].pcie", "cpu.root[2] -- nic[rail as numa].pcie")
    root = check(emit(design_of(one("server", server=text)), Nccl())["nccl-server.xml"].encode())
    assert [[leaf.attributes["class"] for leaf in cpu.children] for cpu in root.children] == [["0x030200", "0x020700"]] * 2


def test_a_nic_that_no_fabric_uses_needs_no_bus_id() -> None:
    text = SERVER.replace("  nvsw            : nvs_part", "  nvsw : nvs_part\n  dpu : nic_part").replace(
        "fabric nvlink", "fabric pcie2 : pcie5 { connect plx[0].down[3] -- dpu.pcie }\n  fabric nvlink"
    )
    assert emit(design_of(one("server", server=text)), Nccl()) == emit(design_of(one("server")), Nccl())


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("{ busids = gpu_busids }", "", "T0910", "the bus id of `gpu0` is not stated"),
        ("{ busids = nic_busids }", "", "T0910", "the bus id of `nic0` is not stated"),
        ('["0000:1b:00.0", "0000:9d:00.0"]', '["0000:1b:00.0"]', "T0910", "lists 1 for 2"),
        ('"0000:9d:00.0"', '"0000:9D:00.0"', "T0910", "no bus id"),
        ('"0000:9d:00.0"', '"00000000:9d:00.0"', "T0910", "no bus id"),
        ('"0000:9d:00.0"', '"0000:9d:00.1"', "T0910", "function 1"),
        ('"0000:9a:00.0"', '"0000:1b:00.0"', "T0910", "the same bus id"),
        ("{ affinities = masks }", "", "T0911", "the CPU mask of `cpu0` is not stated"),
        ('["00000000,ffffffff", "ffffffff,00000000"]', '["ffffffff"]', "T0911", "1 masks for 2"),
        ('["00000000,ffffffff", "ffffffff,00000000"]', '["0-31", "32-63"]', "T0911", "no CPU mask"),
        ('["00000000,ffffffff", "ffffffff,00000000"]', '["ffffffff", "0000000f"]', "T0911", "overlap"),
        ('["00000000,ffffffff",', f'["{",".join(["ffffffff"] * 30)}",', "T0911", "overlap"),
        ('["00000000,ffffffff", "ffffffff,00000000"]', f'["f{",00000000" * 30}", "ff"]', "T0913", "`affinity` has 271 characters"),
        ('arch = "x86_64", ', "", "T0911", "`arch` of the CPU"),
        ('cpu_vendor = "GenuineIntel", ', "", "T0911", "`cpu_vendor` of the CPU"),
        (", modelid = 143", "", "T0911", "`modelid` of the CPU"),
        ("cpu[numa: 0..1] : cpu_part", "cpu[x: 0..1] : cpu_part", "T0911", "the NUMA node of the CPU `cpu0`"),
        ("plx[x: 0..1]    :", "plx[x: 0..2]    :", "T0912", "hangs in the air"),
        ("connect plx.down[1] -- gpu[g as x].pcie", "connect plx.down[1] -- gpu[g as x].pcie where x == 0", "T0912", "no PCIe link leads"),
        ("pcie : pcie5 {", "pcie : pcie5 { transfer_rate = 20GT/s", "T0914", "20GT/s"),
    ],
)
def test_what_cannot_be_written_is_refused(old: str, new: str, code: str, said: str) -> None:
    text = SERVER.replace(old, new)
    assert text != SERVER
    if "cpu[x:" in new:
        text = text.replace("connect cpu.root -- plx.up where numa == x", "connect cpu.root -- plx.up")
    if "0..2" in new:
        text = text.replace("gpu[g: 0..1]", "gpu[g: 0..2]").replace('"0000:9d:00.0"]', '"0000:9d:00.0", "0000:9e:00.0"]')
        text = text.replace("nic[rail as x].pcie", "nic[rail as y].pcie where x == y")
    finding = refusal(one("server", server=text))
    assert finding.code == code
    assert said in " ".join((finding.message, *(label.text for label in finding.labels)))
    assert finding.help and finding.span is not None


def test_a_part_with_two_ways_up_is_refused() -> None:
    text = SERVER.replace("port pcie = 63GB/s, port nvl", "port pcie = 63GB/s, port second = 63GB/s, port nvl").replace(
        "fabric nvlink", "fabric pcie2 : pcie5 { connect plx.down[3] -- gpu.second where x == 1 - g }\n  fabric nvlink"
    )
    assert "two ways up" in refusal(one("server", server=text)).labels[0].text


def test_switches_in_two_levels_are_refused() -> None:
    text = SERVER.replace("connect cpu.root -- plx.up where numa == x", "connect cpu.root -- plx.up where numa == x and x == 0").replace(
        "fabric nvlink", "fabric pcie2 : pcie5 { connect plx[0].down[3] -- plx[x as y].up where y == 1 }\n  fabric nvlink"
    )
    finding = refusal(one("server", server=text))
    assert finding.code == "T0912" and "two levels" in finding.message


def test_more_elements_than_nccl_reads_are_refused() -> None:
    count = 64
    ids = ", ".join(f'"0000:{i:02x}:00.0"' for i in range(count))
    text = SERVER.replace('["0000:1b:00.0", "0000:9d:00.0"]', f"[{ids}]").replace("gpu[g: 0..1]", f"gpu[g: 0..{count - 1}]")
    text = text.replace("port down[1..4] = 63GB/s", "port down[1..64] = 63GB/s")
    text = text.replace('"0000:18:00.0", "0000:9a:00.0"', '"0001:18:00.0", "0001:9a:00.0"')
    text = text.replace("connect plx.down[1] -- gpu[g as x].pcie", "connect plx.down[3..64] -- gpu.pcie where g div 32 == x")
    text = text.replace("port p[1..8] = 25GB/s", "port p[1..256] = 25GB/s").replace("nvsw            : nvs_part", "nvsw[k: 0..3] : nvs_part")
    text = text.replace("times 4 }", "times 1 }")
    finding = refusal(one("server", server=text))
    assert finding.code == "T0913" and "255" in finding.message


def test_gpus_without_pcie_are_noted() -> None:
    text = SERVER.replace("connect plx.down[1] -- gpu[g as x].pcie\n", "")
    design = design_of(one("server", server=text))
    out = Output()
    Nccl().emit(Built(design), out)
    assert (out.files, [f.code for f in out.findings]) == ({}, ["T0915"])


# ---------------------------------------------------------------- the reader itself, against files of the field


FOLDER = os.environ.get("TOPOLANG_NCCL_FILES")
REAL = {
    "azure_ndv5-topo.xml": None,
    "oci_H100-topology.xml": None,
    "gh_8xL4-amd.xml": None,
    "gh_infragraph_dgx_a100.xml": "lexical",
    "gh_gvisor-b200-86859751d.xml": "nesting",
    "gh_gvisor-b200-63d40870d.xml": "nvlink",
    "gh_gvisor-b200-5554632f9.xml": "missing",
    "aws_p5.48xl-topo.2026-pr1226.xml": "missing",
    "rccl_topo_8p_940.xml": "vocabulary",
}


@pytest.mark.parametrize("name", REAL)
def test_the_reader_judges_real_files(name: str) -> None:
    if FOLDER is None:
        pytest.skip("set TOPOLANG_NCCL_FILES to a folder of real NCCL topology files to judge the reader by them")
    data = (Path(FOLDER) / name).read_bytes()
    if REAL[name] is None:
        check(data)
        return
    with pytest.raises(Fault) as caught:
        check(data)
    assert caught.value.word == REAL[name]


GOOD = b'<system version="1">\n  <cpu numaid="0" affinity="ff" arch="arm64">\n%s  </cpu>\n</system>\n'
LEAF = b'    <pci busid="0000:01:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"/>\n'


def test_the_reader_takes_a_good_file() -> None:
    check(GOOD % LEAF)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'<?xml version="1.0"?>\n' + GOOD % LEAF, "lexical"),
        (GOOD % LEAF.replace(b"    <", b"\t<"), "lexical"),
        (GOOD % LEAF.replace(b'" class', b'"\n class'), "lexical"),
        (GOOD % LEAF.replace(b'"16"', b"16"), "lexical"),
        (GOOD % (b"text" + LEAF), "lexical"),
        (GOOD.replace(b'"1"', b'"2"') % LEAF, "version"),
        (GOOD % LEAF.replace(b"32.0 GT/s PCIe", b"32.0 GT/s"), "link"),
        (GOOD % LEAF.replace(b'"16"', b'"0"'), "link"),
        (GOOD % LEAF.replace(b"00.0", b"00.1"), "busid"),
        (GOOD % (LEAF + LEAF), "busid"),
        (GOOD % LEAF.replace(b"link_speed=", b"speed="), "vocabulary"),
        (GOOD % LEAF.replace(b"0000:01:00.0", b"0" * 254), "budget"),
        (GOOD % b"".join(LEAF.replace(b"0000:01", b"%04x:01" % i) for i in range(85)), "budget"),
        (GOOD.replace(b"arm64", b"aarch64") % LEAF, "cpu"),
        (GOOD.replace(b"arm64", b"x86_64") % LEAF, "missing"),
    ],
)
def test_the_reader_refuses_what_nccl_would_refuse_or_misread(data: bytes, word: str) -> None:
    with pytest.raises(Fault) as caught:
        check(data)
    assert caught.value.word == word
