"""`bom.csv` and `bom.json`.

Lengths, part numbers and media of cables are chosen by the physical stage; until then each cable line says so in ``status``.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any, Final

import attrs

from topolang.backends.bom.items import CableItem, DeviceItem, cable_items, device_items
from topolang.backends.bom.usage import Usage
from topolang.backends.model import Built, Output

FORMAT: Final = "topolang-bom"
VERSION: Final = 1

# what a line of cables says of itself as long as nothing is placed
UNPLACED: Final = "length and part open: not placed"

COLUMNS: Final = (
    *("category", "part", "count", "group", "role", "fabric", "protocol", "rate", "a_port", "z_port", "medium"),
    *("height_u", "power_w", "power_total_w", "ports", "ports_used", "ports_spare", "cages", "cages_used", "status", "source"),
)


@attrs.frozen
class Bom:
    """The bill of materials, as a table and with all detail as JSON."""

    name: str = "bom"
    files: str = "bom.csv and bom.json"
    needs: tuple[str, ...] = ("links", "nodes")

    def emit(self, result: Built, out: Output) -> None:
        """Write both files."""
        devices, cables = device_items(result), cable_items(result)
        out.write("bom.csv", _table(devices, cables))
        out.write("bom.json", json.dumps(_document(result, devices, cables), indent=2, ensure_ascii=False) + "\n")


def _table(devices: list[DeviceItem], cables: list[CableItem]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(_device_row(item) for item in devices)
    writer.writerows(_cable_row(item) for item in cables)
    return text.getvalue()


def _device_row(item: DeviceItem) -> dict[str, Any]:
    row = {
        "category": "device",
        "part": item.part,
        "count": item.count,
        "group": item.group,
        "role": item.role,
        "height_u": item.height_u,
        "power_w": item.power_w,
        "power_total_w": item.power_total_w,
        "ports": sum(u.ports for u in item.ports),
        "ports_used": sum(u.used for u in item.ports),
        "ports_spare": sum(u.spare for u in item.ports),
        "status": "" if item.power_w is not None else "power unknown",
        "source": item.source,
    }
    cages = [u for u in item.ports if u.cages is not None]
    if cages:
        row |= {"cages": sum(u.cages or 0 for u in cages), "cages_used": sum(u.cages_used or 0 for u in cages)}
    return {key: "" if value is None else value for key, value in row.items()}


def _cable_row(item: CableItem) -> dict[str, Any]:
    return {
        "category": "cable",
        "count": item.count,
        "fabric": item.fabric,
        "protocol": item.protocol,
        "rate": item.rate,
        "a_port": item.a,
        "z_port": item.z,
        "medium": item.medium,
        "status": UNPLACED,
        "source": " ".join(item.sources),
    }


def _document(result: Built, devices: list[DeviceItem], cables: list[CableItem]) -> dict[str, Any]:
    known = [d.power_total_w for d in devices if d.power_total_w is not None]
    return {
        "format": FORMAT,
        "version": VERSION,
        "design": result.design.name,
        "devices": [_device(item) for item in devices],
        "cables": [_cable(item) for item in cables],
        "totals": {
            "devices": sum(d.count for d in devices),
            "devices_by_part": _by_part(devices),
            "cables": sum(c.count for c in cables),
            "power_w": sum(known),
            "power_unknown": sorted({d.part for d in devices if d.power_w is None}),
        },
    }


def _by_part(devices: list[DeviceItem]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for item in devices:
        totals[item.part] = totals.get(item.part, 0) + item.count
    return totals


def _device(item: DeviceItem) -> dict[str, Any]:
    return {
        "part": item.part,
        "group": item.group,
        "role": item.role,
        "count": item.count,
        "height_u": item.height_u,
        "power_w": item.power_w,
        "power_total_w": item.power_total_w,
        "ports": [_ports(u) for u in item.ports],
        "source": item.source,
    }


def _ports(use: Usage) -> dict[str, Any]:
    found: dict[str, Any] = {"part": use.path, "bank": use.bank, "rate": use.rate, "ports": use.ports, "used": use.used, "spare": use.spare}
    return found if use.cages is None else found | {"cages": use.cages, "cages_used": use.cages_used}


def _cable(item: CableItem) -> dict[str, Any]:
    return {
        "fabric": item.fabric,
        "protocol": item.protocol,
        "rate": item.rate,
        "a_port": item.a,
        "z_port": item.z,
        "medium": item.medium or None,
        "count": item.count,
        "status": UNPLACED,
        "sources": list(item.sources),
    }
