"""The inside of a server or tray: CPUs at the top, what hangs on each below it, ports in the boxes of their NICs, NVSwitches at the bottom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from topolang.backends.graphviz import style
from topolang.backends.graphviz.arrange import arrange
from topolang.backends.graphviz.dot import Html, cell, pos, row, table
from topolang.ir.inside import Interior, Joint, Part
from topolang.ir.model import DeviceType
from topolang.ir.port_labels import cage_labels, port_labels
from topolang.units import decimal

# a device of more parts has no picture of its inside
MOST_PARTS: Final = 160

_COLORS: Final[dict[str, str]] = {"pcie": "#777777", "nvlink": "#00805c", "nvlink_c2c": "#a8527f", "trace": "#b97c00", "cxl": "#b84e00"}


def device_drawing(device: DeviceType, inner: Interior, fabrics: Mapping[int, str]) -> str:
    """Return the DOT text of a device's inside; ``fabrics`` names the design's fabric at each port of its flattened port space."""
    return _Drawing(device, inner, fabrics).draw()


class _Drawing:
    def __init__(self, device: DeviceType, inner: Interior, fabrics: Mapping[int, str]) -> None:
        self.device = device
        self.inner = inner
        self.fabrics = fabrics
        self.places = arrange(inner, self._width)

    def draw(self) -> str:
        level = any(j.a and j.z and self.places[j.a].y == self.places[j.z].y for j in self.inner.joints)
        drawing = style.graph(self._title(), layout="neato", inputscale="72", splines="curved" if level else "line")
        for cpu in self.inner.of_role("cpu"):
            frame = self._frame(cpu)
            if frame is not None:
                drawing.node(**frame)
        names = {part.number: drawing.node(**self._box(part)) for part in self.inner.parts[1:]}
        for joint in self.inner.joints:
            if joint.a and joint.z:
                tip = f"{_fabric(joint)} ×{joint.count} · {joint.bundle.span}"
                width = "1.6" if joint.protocol in ("pcie", "nvlink_c2c") else "0.8"
                drawing.edge(names[joint.a], names[joint.z], color=_color(joint), penwidth=width, tooltip=tip)
        return drawing.text()

    # ------------------------------------------------------------ texts

    def _title(self) -> Html:
        counts: dict[str, int] = {}
        for part in self.inner.parts[1:]:
            counts[part.device.name] = counts.get(part.device.name, 0) + 1
        parts = " · ".join(f"{count} × {name}" for name, count in counts.items())
        words = [str(self.device.attributes[key]) for key in ("vendor", "model") if key in self.device.attributes]
        subject = " ".join(words or [str(self.device.attributes.get("description", "inside"))])
        return style.title_block(style.Title(self.device.name, subject, (parts,)), {part.role or "" for part in self.inner.parts[1:]}, self._lines())

    def _lines(self) -> list[tuple[str, str]]:
        """Return the legend of the lines: kind of fabric and number of links, with its colour."""
        found: dict[str, list[Joint]] = {}
        for joint in self.inner.joints:
            if joint.a and joint.z:
                found.setdefault(_fabric(joint), []).append(joint)
        return [(f"{name}, {sum(j.count for j in joints):,} links", _color(joints[0])) for name, joints in found.items()]

    def _texts(self, part: Part) -> list[style.Run]:
        lines = [style.Run(part.name, 11, bold=True), style.Run(part.device.name, 9, style.GREY)]
        return lines + [style.Run(text, 9, style.GREY) for text in _identity(part)]

    def _ports(self, part: Part) -> list[str]:
        """Return the device's own ports behind a part: label, cage and the design's fabric."""
        labels, cages = port_labels(self.device), cage_labels(self.device)
        found = []
        for joint in self.inner.around[part.number]:
            for port in joint.z_ports if joint.z == 0 else joint.a_ports if joint.a == 0 else ():
                found.append(" · ".join(filter(None, (labels[port], cages[port]))))
                found.append(self.fabrics.get(port, "not cabled"))
        return found

    # ------------------------------------------------------------ boxes

    def _width(self, part: Part) -> float:
        ports = [style.Run(text, 9) for text in self._ports(part)]
        return max(run.width() for run in (*self._texts(part), *ports)) + 14

    def _box(self, part: Part) -> dict[str, str]:
        colors = style.tone(part.role)
        frame: dict[str, str | int] = {"BORDER": 1, "COLOR": colors.line, "BGCOLOR": colors.fill, "CELLPADDING": 2}
        rows = [row(cell(style.lines([run] for run in self._texts(part)), **frame))]
        ports = self._ports(part)
        if ports:
            cage = style.tone("cage")
            inner = style.lines([style.Run(text, 9, style.GREY if k % 2 else None)] for k, text in enumerate(ports))
            rows.append(row(cell(inner, BORDER=1, COLOR=colors.line, BGCOLOR=cage.fill, CELLPADDING=2)))
        place = self.places[part.number]
        # boxes hang from one line, so that a NIC with ports is level with the GPU beside it
        lower = (12.0 * len(ports) + 8) / 2 if ports else 0.0
        tip = str(part.group.span if part.group is not None else part.device.span)
        return {"label": table(rows), "pos": pos(place.x, place.y - lower), "tooltip": tip}

    def _frame(self, cpu: Part) -> dict[str, str] | None:
        """Return the frame around what hangs on a CPU."""
        mine = [number for number, place in self.places.items() if place.cpu == cpu.number]
        if len(mine) < 2:
            return None
        left, right = (pick(self.places[n].x + sign * self._width(self.inner.parts[n]) / 2 for n in mine) for pick, sign in ((min, -1), (max, 1)))
        ports = max((len(self._ports(self.inner.parts[n])) for n in mine), default=0)
        top, bottom = self.places[cpu.number].y + 40, min(self.places[n].y for n in mine) - 52 - 13 * ports
        return {
            "shape": "box",
            "style": "rounded",
            "color": "#c4c4c4",
            "label": "",
            "fixedsize": "true",
            "width": f"{(right - left + 16) / 72:.3f}",
            "height": f"{(top - bottom) / 72:.3f}",
            "pos": pos((left + right) / 2, (top + bottom) / 2),
            "tooltip": cpu.name,
        }


def _color(joint: Joint) -> str:
    return _COLORS.get(joint.protocol, style.LINE)


def _fabric(joint: Joint) -> str:
    """Return ``pcie5 x16`` or ``nvlink4 25GB/s``."""
    fabric = joint.bundle.fabric
    lanes = joint.bundle.attributes.get("lanes") or fabric.attributes.get("lanes")
    if joint.protocol == "pcie" and lanes is not None:
        return f"{fabric.kind} x{lanes}"
    return f"{fabric.kind} {decimal(joint.bundle.rate.in_unit('GB/s'))}GB/s"


def _identity(part: Part) -> list[str]:
    """Return the names by which the operating system knows a part."""
    found = []
    for key in ("hca_names", "busids"):
        listed = part.device.attributes.get(key)
        if listed is not None and part.cell < len(listed):
            found.append(str(listed[part.cell]))
    return found
