"""`nccl-<server>.xml`, one per distinct type of server."""

from __future__ import annotations

from collections import defaultdict

import attrs

from topolang.backends.model import Built, Output, file_stem
from topolang.backends.nccl.document import Document, cabled
from topolang.backends.nccl.refusals import not_on_pcie
from topolang.backends.nccl.xml import render
from topolang.ir.grid import population
from topolang.ir.inside import interior
from topolang.ir.model import Design, Group


@attrs.frozen
class Nccl:
    """NCCL topology files, portable form.

    A file describes one host; switches between hosts cannot stand in it. Servers without GPUs have none. One refused server leaves no file at all,
    since half a set would be taken for a whole one.
    """

    name: str = "nccl"
    files: str = "nccl-<server>.xml for each type of server with GPUs"
    needs: tuple[str, ...] = ()

    def emit(self, result: Built, out: Output) -> None:
        """Write the files; T0910 to T0914 where a server cannot be written, T0915 (warning) where its inside has no PCIe."""
        texts: dict[str, dict[str, Group]] = {}
        for group in result.design.groups:
            text = self._text(result.design, group, out) if population(group) else None
            if text is not None:
                texts.setdefault(group.device.name, {}).setdefault(text, group)
        for device, variants in texts.items():
            for text, group in variants.items():
                suffix = () if len(variants) == 1 else group.path
                out.write(f"{file_stem('nccl', device, *suffix)}.xml", text)

    def _text(self, design: Design, group: Group, out: Output) -> str | None:
        """Return the file of a group's servers, or None if they are not servers with GPUs on PCIe."""
        device = group.device
        if not device.inside.groups:
            return None
        inner = interior(device)
        gpus = inner.of_role("gpu")
        if not gpus or not inner.of_role("cpu"):
            return None
        if not any(True for gpu in gpus for _ in inner.neighbours(gpu.number, "pcie")):
            out.report(not_on_pcie(device, gpus))
            return None
        return render(Document(device, inner, cabled(inner, _used(design, group))).build())


def _used(design: Design, group: Group) -> dict[int, list[str]]:
    """Return the protocols of the fabrics that may use each port of a group's devices, by ordinal in the flattened port space."""
    found: dict[int, dict[str, None]] = defaultdict(dict)
    for bundle in design.bundles:
        for end in (bundle.a, bundle.z):
            if end.group is not group:
                continue
            for base in _bases(group, end.parts):
                for port in end.ports.ports:
                    found[base + port][bundle.fabric.protocol] = None
    return {port: list(protocols) for port, protocols in found.items()}


def _bases(group: Group, parts: tuple[Group, ...]) -> list[int]:
    """Return where the ports of each inner part at the end of a chain start."""
    bases, device = [0], group.device
    for part in parts:
        step = part.device.port_space
        bases = [base + device.part_offsets[part.index] + i * step for base in bases for i in range(part.size)]
        device = part.device
    return bases
