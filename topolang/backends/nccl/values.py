"""The values of NCCL's attributes: bus ids, PCIe links, data of CPUs, classes of NICs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from topolang.backends.nccl import refusals
from topolang.ir.inside import Joint, Part
from topolang.ir.model import DeviceType
from topolang.units import Quantity, decimal

_BUS_ID: Final = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_MASK: Final = re.compile(r"[0-9a-f]{1,8}(,[0-9a-f]{8})*")

# the spellings that NCCL knows (src/graph/topo.h, kvDictPciGen), by transfer rate per lane; it takes any other one for Gen3
_SPEEDS: Final = {rate: f"{rate} GT/s PCIe" for rate in ("2.5", "5.0", "8.0", "16.0", "32.0", "64.0")}

CLASS_GPU: Final = "0x030200"
CLASS_SWITCH: Final = "0x060400"
_CLASS_NIC: Final[Mapping[str, str]] = {"ib": "0x020700", "ethernet": "0x020000"}


def _of_instance(part: Part, plural: str, single: str) -> Any:
    """Return a part's own value: from the list of its group, in the order of the indices, or what all parts of the type share."""
    listed = part.device.attributes.get(plural)
    if listed is None:
        return part.device.attributes.get(single)
    return listed[part.cell] if part.cell < len(listed) else None


def bus_id(device: DeviceType, part: Part, taken: dict[str, Part]) -> str:
    """Return a part's bus id; T0910 where it is missing, malformed, or another part's too."""
    example = "0000:1b:00.0"
    size = part.group.size if part.group is not None else 1
    listed = part.device.attributes.get("busids")
    if listed is not None and len(listed) != size:
        raise refusals.bus_id(device, part, f"`busids` lists {len(listed)} for {size}", example)
    value = _of_instance(part, "busids", "busid")
    if value is None:
        raise refusals.bus_id(device, part, f"the bus id of `{part.name}` is not stated", example)
    if not _BUS_ID.fullmatch(value):
        raise refusals.bus_id(device, part, f"`{value}` is no bus id: four, two and two hexadecimal digits in lower case and a function", example)
    if part.role == "gpu" and int(value[-1]) % 4:
        raise refusals.bus_id(device, part, f"the bus id `{value}` of a GPU ends in function {value[-1]}; NCCL takes 0 and 4 only", example)
    other = taken.setdefault(value, part)
    if other is not part:
        raise refusals.bus_id(device, part, f"`{other.name}` and `{part.name}` have the same bus id `{value}`", example)
    return str(value)


def has_bus_id(part: Part) -> bool:
    """Whether a bus id is stated for a part."""
    return _of_instance(part, "busids", "busid") is not None


def pcie_link(device: DeviceType, part: Part, link: Joint) -> tuple[tuple[str, str], ...]:
    """Return speed and width of a PCIe link; T0914 for a rate that NCCL has no word for, or a missing width."""
    rate = link.bundle.fabric.attributes.get("transfer_rate")
    number = decimal(rate.in_unit("GT/s")) if isinstance(rate, Quantity) and rate.dimension == "transfer_rate" else ""
    speed = _SPEEDS.get(number if "." in number else f"{number}.0")
    if speed is None:
        stated = f"{number}GT/s" if number else "no transfer rate"
        known = ", ".join(f"`{name.removesuffix('.0')}GT/s`" for name in _SPEEDS)
        raise refusals.link(device, part, f"the PCIe fabric of `{part.name}` states {stated}, for which NCCL has no word", f"one of {known}")
    width = lanes(part, link)
    if width is None:
        raise refusals.link(device, part, f"the number of PCIe lanes of `{part.name}` is not stated", "add `lanes = 16` to the device or the fabric")
    return (("link_speed", speed), ("link_width", str(width)))


def lanes(part: Part, link: Joint) -> int | None:
    """Return the width of a PCIe link: stated at the `connect`, else the least that either device or the fabric states."""
    own = link.bundle.attributes.get("lanes")
    if own is not None:
        return int(own)
    ends = (link.bundle.a.device, link.bundle.z.device)
    stated = [a["lanes"] for a in (*(d.attributes for d in ends), link.bundle.fabric.attributes) if a.get("lanes") is not None]
    return min(map(int, stated), default=None)


def cpu(device: DeviceType, part: Part) -> tuple[tuple[str, str], ...]:
    """Return all attributes of a CPU, complete as NCCL needs them; T0911 where one is not stated."""
    attributes = part.device.attributes
    arch = _stated(device, part, attributes.get("arch"), "arch", '`arch = "x86_64"`')
    found = [("numaid", str(_numa(device, part))), ("affinity", _affinity(device, part)), ("arch", arch)]
    if arch == "x86_64":
        found += [
            ("vendor", _stated(device, part, attributes.get("cpu_vendor"), "cpu_vendor", '`cpu_vendor = "GenuineIntel"`')),
            ("familyid", _stated(device, part, attributes.get("familyid"), "familyid", "`familyid = 6`")),
            ("modelid", _stated(device, part, attributes.get("modelid"), "modelid", "`modelid = 143`")),
        ]
    return tuple(found)


def _stated(device: DeviceType, part: Part, value: Any, name: str, example: str) -> str:
    if value is None:
        raise refusals.cpu_data(device, part, f"`{name}` of the CPU `{part.device.name}` is not stated", f"add {example} to `{part.device.name}`")
    return str(value)


def _numa(device: DeviceType, part: Part) -> int:
    """Return the NUMA node: the index of the dimension `numa`, or 0 for the only CPU."""
    value = part.values.get("numa")
    alone = part.group is not None and part.group.size == 1
    if value is None and not alone:
        why = f"the NUMA node of the CPU `{part.name}` is not stated"
        raise refusals.cpu_data(device, part, why, "call the dimension that counts the CPUs `numa`: `cpu[numa: 0..1]`")
    if value is not None and value < 0:
        raise refusals.cpu_data(device, part, f"the NUMA node of `{part.name}` is below 0", "count from 0: `cpu[numa: 0..1]`")
    return value or 0


def _affinity(device: DeviceType, part: Part) -> str:
    size = part.group.size if part.group is not None else 1
    listed = part.device.attributes.get("affinities")
    example = 'add `{ affinities = ["00000000,0000ffff,ffffffff", …] }` to the CPUs, one mask for each (`/sys/devices/system/node/node0/cpumap`)'
    if listed is not None and len(listed) != size:
        raise refusals.cpu_data(device, part, f"`affinities` lists {len(listed)} masks for {size} CPUs", example)
    value = _of_instance(part, "affinities", "affinity")
    if value is None:
        raise refusals.cpu_data(device, part, f"the CPU mask of `{part.name}` is not stated", example)
    if not _MASK.fullmatch(value):
        why = f"`{value}` is no CPU mask: words of 8 hexadecimal digits in lower case, separated by commas, highest first"
        raise refusals.cpu_data(device, part, why, example)
    return str(value)


def mask(affinity: str) -> int:
    """Return a CPU mask as an integer."""
    return int(affinity.replace(",", ""), 16)


def nic_class(part: Part, protocols: list[str]) -> str:
    """Return a NIC's PCI class: of the fabrics that it is cabled in, the first that says; else what the part states; else an Ethernet NIC's."""
    known = [_CLASS_NIC[protocol] for protocol in protocols if protocol in _CLASS_NIC]
    return known[0] if known else str(part.device.attributes.get("pci_class") or _CLASS_NIC["ethernet"])
