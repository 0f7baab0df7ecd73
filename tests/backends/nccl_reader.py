"""A strict reader of NCCL topology files, written from the rules of NCCL's own parser and graph builder.

Sources: NVIDIA/nccl 2.30.7, src/graph/xml.cc (lexical rules, nesting, limits), src/graph/topo.cc and topo.h (attributes, classes, link speeds).
Where NCCL takes a wrong value in silence (an unknown link speed is Gen3), this reader refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

KNOWN = {
    "system": {"version", "name"},
    "cpu": {"numaid", "affinity", "arch", "vendor", "familyid", "modelid", "host_hash"},
    "pci": {"busid", "class", "vendor", "device", "subsystem_vendor", "subsystem_device", "link_speed", "link_width"},
    "gpu": {"dev", "sm", "rank", "gdr", "mlopart"},
    "nvlink": {"target", "count", "tclass"},
    "c2c": {"bw", "count"},
    "pcilink": {"target"},
    "nic": set(),
    "net": {"name", "dev", "speed", "port", "guid", "latency", "maxconn", "gdr", "coll", "keep", "rail", "plane", "net", "gin", "rma"},
}
NESTING = {
    "system": {"cpu"},
    "cpu": {"pci", "nic"},
    "pci": {"pci", "gpu", "nic", "pcilink"},
    "gpu": {"nvlink", "c2c"},
    "nic": {"net"},
}
SPEEDS = {f"{rate} GT/s PCIe" for rate in ("2.5", "5.0", "8.0", "16.0", "32.0", "64.0")} | {f"{rate} GT/s" for rate in (2.5, 5, 8, 16, 32)}
IDS = ("vendor", "device", "subsystem_vendor", "subsystem_device")
SWITCHES = ("0x060400", "0x080100")


class Fault(Exception):
    """A rule that a file breaks, by a short word."""

    def __init__(self, word: str, what: str) -> None:
        super().__init__(f"{word}: {what}")
        self.word = word


@attrs.define
class Node:
    name: str
    attributes: dict[str, str]
    children: list[Node] = attrs.field(factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child.walk()

    def of(self, name: str) -> list[Node]:
        return [child for child in self.children if child.name == name]


def parse(data: bytes) -> Node:
    """Read the elements; raise `Fault` for what NCCL's parser refuses or drops."""
    text = data.decode("latin-1")
    root: Node | None = None
    stack: list[Node] = []
    count = 0
    at = 0
    while at < len(text):
        if text[at] in " \n\r":
            at += 1
            continue
        if text[at] != "<":
            raise Fault("lexical", f"expecting '<', got {text[at]!r}")
        if text.startswith("<!--", at):
            at = _comment(text, at)
            continue
        end = text.find(">", at)
        tag = text[at + 1 : end]
        if end < 0 or "\n" in tag or "\t" in tag or tag[:1] in "?!":
            raise Fault("lexical", f"tag {tag[:20]!r}")
        at = end + 1
        if tag.startswith("/"):
            if not stack or stack.pop().name != tag[1:]:
                raise Fault("lexical", f"</{tag[1:]}> closes nothing")
            continue
        node = _tag(tag.removesuffix("/"))
        count += 1
        if stack:
            if node.name not in NESTING.get(stack[-1].name, set()):
                raise Fault("nesting", f"<{node.name}> in <{stack[-1].name}>")
            stack[-1].children.append(node)
        elif root is not None:
            raise Fault("nesting", "two roots")
        root = root or node
        if not tag.endswith("/"):
            stack.append(node)
    if root is None or stack:
        raise Fault("lexical", "an element is not closed")
    if count > 255:
        raise Fault("budget", f"{count} elements")
    return root


def _comment(text: str, at: int) -> int:
    end = text.find("-->", at)
    if end < 0 or "=" in text[at + 4 : end].split(" ")[0]:
        raise Fault("lexical", "comment")
    return end + 3


def _tag(tag: str) -> Node:
    name, _, rest = tag.partition(" ")
    found: dict[str, str] = {}
    rest = rest.strip(" ")
    while rest:
        match = re.match(r'([a-z_0-9]+)="([^"\n]*)"( +|$)', rest)
        if match is None:
            raise Fault("lexical", f"attribute at {rest[:20]!r}")
        if len(match[2]) > 253:
            raise Fault("budget", f"{match[1]} has {len(match[2])} characters")
        found[match[1]] = match[2]
        rest = rest[match.end() :]
    if name not in KNOWN:
        raise Fault("vocabulary", f"<{name}>")
    unknown = set(found) - KNOWN[name]
    if unknown or len(found) > 16:
        raise Fault("vocabulary", f"{sorted(unknown)} of <{name}>")
    return Node(name, found)


def check(data: bytes) -> Node:
    """Read a file and check what it means; raise `Fault` for the first rule broken."""
    root = parse(data)
    if root.name != "system" or root.attributes.get("version") != "1":
        raise Fault("version", str(root.attributes.get("version")))
    masks: list[int] = []
    numas: set[str] = set()
    for cpu in root.of("cpu"):
        _cpu(cpu)
        mask = int(cpu.attributes["affinity"].replace(",", ""), 16)
        if any(mask & other for other in masks) or cpu.attributes["numaid"] in numas:
            raise Fault("affinity", f"NUMA node {cpu.attributes['numaid']}")
        masks.append(mask)
        numas.add(cpu.attributes["numaid"])
    ids = [node.attributes.get("busid", "") for node in root.walk() if node.name == "pci"]
    if len(set(ids)) != len(ids):
        raise Fault("busid", "used twice")
    for node in root.walk():
        if node.name == "pci":
            _pci(node)
    _nvlinks(root)
    _budget(root)
    return root


def _need(node: Node, *names: str) -> None:
    for name in names:
        if not node.attributes.get(name):
            raise Fault("missing", f"{name} of <{node.name}>")


def _cpu(cpu: Node) -> None:
    _need(cpu, "numaid", "affinity", "arch")
    if cpu.attributes["arch"] not in ("x86_64", "arm64", "ppc64"):
        raise Fault("cpu", cpu.attributes["arch"])
    if cpu.attributes["arch"] == "x86_64":
        _need(cpu, "vendor", "familyid", "modelid")
        if cpu.attributes["vendor"] not in ("GenuineIntel", "AuthenticAMD", "CentaurHauls", "  Shanghai  "):
            raise Fault("cpu", cpu.attributes["vendor"])
    if not re.fullmatch(r"[0-9a-f]{1,8}(,[0-9a-f]{1,8})*", cpu.attributes["affinity"]):
        raise Fault("affinity", cpu.attributes["affinity"])


def _pci(pci: Node) -> None:
    if pci.of("nic") and pci.of("pci"):
        raise Fault("nesting", f"{pci.attributes.get('busid')} holds <nic> and <pci>")
    _need(pci, "busid", "class", "link_speed", "link_width")
    busid, kind = pci.attributes["busid"], pci.attributes["class"]
    if not re.fullmatch(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", busid):
        raise Fault("busid", busid)
    if kind.startswith("0x03") and int(busid[-1]) % 4:
        raise Fault("busid", f"function of {busid}")
    if not kind.startswith((*SWITCHES, "0x0600", "0x03", "0x02", "0x068000")):
        raise Fault("class", kind)
    if pci.attributes["link_speed"] not in SPEEDS:
        raise Fault("link", pci.attributes["link_speed"])
    if pci.attributes["link_width"] not in ("1", "2", "4", "8", "16"):
        raise Fault("link", pci.attributes["link_width"])
    if kind.startswith(SWITCHES):
        _need(pci, *IDS)
    elif pci.of("pci") and not kind.startswith("0x0600"):
        raise Fault("class", f"{busid} of class {kind} holds others")


def _nvlinks(root: Node) -> None:
    sums = {sum(int(link.attributes.get("count", "0")) for link in gpu.of("nvlink")) for gpu in root.walk() if gpu.name == "gpu"}
    if len(sums) > 1 or any(total > 36 for total in sums):
        raise Fault("nvlink", f"sums {sorted(sums)}")


def _budget(root: Node) -> None:
    """Count the elements that NCCL adds: to a GPU itself and one NVLink, to a NIC itself and one port."""
    total = 0
    for node in root.walk():
        total += 1
        leaf = node.name == "pci" and not node.children and not node.attributes["class"].startswith(SWITCHES)
        total += 2 * leaf
    if total > 255:
        raise Fault("budget", f"{total} elements after filling in")
