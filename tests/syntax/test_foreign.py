"""Files of other tools are named, not misread."""

from __future__ import annotations

import pytest

from .samples import EVERYTHING, read

IBDM = """# master.topo
MQM9700 sw-hdr-01
   P1 -4x-50G-> MQM9700 sw-hdr-02 P33
   P61 -4x-50G-> HCA h-1 P1

HCA h-1
   U1/P1 -> MQM9700 sw-hdr-01 P2
"""
IBNETDISCOVER = """#
# Topology file: generated on Mon Oct 12 10:12:40 2026
#
vendid=0x2c9
switchguid=0x2c90200000000
Switch\t36 "S-0002c90200000000"\t\t# "leaf0" base port 0 lid 0 lmc 0
[1]\t"H-0002c90300000000"[1] \t\t# "h0" lid 0 4xHDR
"""
HTSIM = "# 1,024 nodes\nNodes 1024\nTiers 2\nPodsize 1024\nTier 0\nDownlink_speed_Gbps 400\nRadix_Down 32\n"
CONTAINERLAB = "name: srl02\n\ntopology:\n  kinds:\n    nokia_srlinux:\n      image: ghcr.io/nokia/srlinux\n  links:\n    - endpoints: [a, b]\n"
INFRAGRAPH_JSON = '{\n  "name": "clos",\n  "devices": [{"name": "dgx", "components": []}],\n  "edges": []\n}\n'
INFRAGRAPH_YAML = "name: clos\ndescription: two tiers\ndevices:\n- name: dgx\n  components:\n  - choice: xpu\n"


@pytest.mark.parametrize(
    ("text", "title", "line"),
    [
        (IBDM, "InfiniBand topology", 3),
        (IBDM.replace("\n", "\r\n"), "InfiniBand topology", 3),
        ("SYS a\n\tP1 -> SYS b P2\n", "InfiniBand topology", 2),
        (IBNETDISCOVER, "ibnetdiscover", 2),
        (IBNETDISCOVER.partition("vendid")[2], "ibnetdiscover", 2),
        (HTSIM, "htsim", 2),
        ("graph g { a -- b }", "Graphviz", 1),
        ("// drawn\n/* by\n hand */\n# x\nstrict digraph {\n a -> b\n}\n", "Graphviz", 5),
        ('digraph "a b" {\n}', "Graphviz", 1),
        ('<system version="1">\n  <cpu numaid="0"/>\n</system>', "NCCL", 1),
        ('<?xml version="1.0"?>\n<graphs version="1"></graphs>', "NCCL", 1),
        ('<?xml version="1.0"?>\n<topology/>', "XML", 1),
        (INFRAGRAPH_JSON, "InfraGraph", 1),
        ('{"a": 1}', "JSON", 1),
        ("[1, 2]".replace("1, 2", '{"a": 1}'), "JSON", 1),
        ("{}", "JSON", 1),
        (INFRAGRAPH_YAML, "InfraGraph", 3),
        (CONTAINERLAB, "containerlab", 3),
        ("---\na: 1\n", "YAML", 1),
        ("# c\n\nservices:\n  web:\n    image: x\n", "YAML", 1),
        ("apiVersion: v1\nkind: Connection\n", "YAML", 1),
    ],
)
def test_other_formats(text: str, title: str, line: int) -> None:
    file, (found,) = read(text, "cluster.topo")
    assert (file.items, file.edition) == ((), None)
    assert (found.code, found.severity) == ("T0006", "error")
    assert title in found.message and "cluster.topo" in found.message
    assert found.span is not None and found.span.line == line
    assert "topoc import" not in " ".join(found.help)


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\n", "\ufeff", "# a comment", "\n  # a\n# b\n"])
def test_empty_files(text: str) -> None:
    file, (found,) = read(text)
    assert (found.code, file.items) == ("T0008", ())


def test_binary_files() -> None:
    (found,) = read("topolang 1\n\0\1\2")[1]
    assert found.code == "T0007"
    assert found.span is not None and (found.span.start, found.span.end) == (11, 12)


@pytest.mark.parametrize("comment", ["# Nodes 1024", "# SYS a\n#  P1 -> SYS b P2", '# <system version="1">', "# devices:\n# - a: b"])
def test_programs_are_not_taken_for_others(comment: str) -> None:
    assert read(f"{comment}\n{EVERYTHING}")[1] == []
    assert [d.code for d in read(f"{comment}\ndesign d {{}}")[1]] == ["T0004"]


def test_a_program_without_an_edition_is_still_a_program() -> None:
    text = EVERYTHING.replace("topolang 1\n", "")
    assert [d.code for d in read(text)[1]] == ["T0004"]
