"""Why a server cannot be written as a NCCL topology file, and what to write to mend it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from topolang.backends.nccl.xml import ELEMENT_LIMIT
from topolang.backends.values import listed
from topolang.diagnostics import Diagnostic, DiagnosticError, Span, error, warning
from topolang.ir.inside import Part
from topolang.ir.model import DeviceType


def span_of(part: Part) -> Span:
    """Return where a part is declared."""
    return part.group.span if part.group is not None else part.device.span


def bus_id(device: DeviceType, part: Part, why: str, example: str) -> DiagnosticError:
    """Refuse a missing or wrong bus id (T0910)."""
    name = part.group.path[-1] if part.group is not None else part.name
    return DiagnosticError(
        error(
            "T0910",
            f"no NCCL topology file for `{device.name}`: {why}",
            span_of(part),
            f"`{name}` needs a bus id for each",
            notes=["NCCL finds GPUs and NICs by these ids; `nvidia-smi --query-gpu=pci.bus_id --format=csv` and `lspci -D` list them"],
            help=f'add `{name}… : {part.device.name} {{ busids = ["{example}", …] }}`, one for each in the order of its indices',
        )
    )


def cpu_data(device: DeviceType, part: Part, why: str, help: str) -> DiagnosticError:
    """Refuse incomplete or contradictory data of a CPU (T0911)."""
    note = "NCCL fills gaps only for the CPUs that a process visits, and then takes one CPU for two"
    return DiagnosticError(
        error("T0911", f"no NCCL topology file for `{device.name}`: {why}", span_of(part), f"`{part.name}`", notes=[note], help=help)
    )


def structure(device: DeviceType, part: Part, why: str, label: str, help: str) -> DiagnosticError:
    """Refuse a PCIe tree that the format cannot express (T0912)."""
    return DiagnosticError(error("T0912", f"no NCCL topology file for `{device.name}`: {why}", span_of(part), label, help=help))


def too_many(device: DeviceType, total: int) -> DiagnosticError:
    """Refuse a host of more elements than NCCL's parser takes (T0913)."""
    return DiagnosticError(
        error(
            "T0913",
            f"no NCCL topology file for `{device.name}`: it takes {total} elements with those that NCCL adds, but a host may have {ELEMENT_LIMIT}",
            device.span,
            f"{total} elements",
            help="leave parts out that no fabric of the design uses",
        )
    )


def too_long(device: DeviceType, what: str, length: int, limit: int) -> DiagnosticError:
    """Refuse a value that NCCL's parser cannot hold (T0913)."""
    message = f"no NCCL topology file for `{device.name}`: `{what}` has {length} characters, but a value may have {limit}"
    return DiagnosticError(error("T0913", message, device.span, help="shorten it"))


def link(device: DeviceType, part: Part, why: str, help: str) -> DiagnosticError:
    """Refuse a PCIe link whose speed NCCL has no word for (T0914)."""
    message = f"no NCCL topology file for `{device.name}`: {why}"
    return DiagnosticError(error("T0914", message, span_of(part), f"the link of `{part.name}`", help=help))


def not_on_pcie(device: DeviceType, gpus: Sequence[Part]) -> Diagnostic:
    """Say that a server with GPUs has none on a PCIe fabric, so that there is nothing to write (T0915)."""
    names = listed([gpu.name for gpu in gpus])
    finding = warning(
        "T0915",
        f"no NCCL topology file for `{device.name}`: no PCIe link of its GPUs {names} is declared",
        device.span,
        "a server with GPUs",
        notes=["GPUs that hang on a CPU by NVLink-C2C are PCIe devices to NCCL too; without a file it finds their links by itself"],
        help="join CPUs and GPUs in a PCIe fabric of the device, for example `fabric pcie : pcie5 { connect cpu.root -- gpu.pcie where … }`",
    )
    return attrs.evolve(finding, severity="note")
