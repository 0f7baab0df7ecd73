"""The columns of the cable table, a bundle at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from topolang.backends.dimensions import of_pairs
from topolang.backends.model import Built
from topolang.backends.values import medium
from topolang.ir.model import Bundle, End
from topolang.ir.names import node_names
from topolang.ir.port_labels import cage_labels, port_labels
from topolang.ir.wiring import wire
from topolang.units import gbps

_END: Final = ("hall", "rack", "u", "node", "type", "port", "cage", "module_pn")

COLUMNS: Final = (
    *("cable_id", "bundle", "fabric", "plane", "rail", "protocol", "speed"),
    *(f"a_{name}" for name in _END),
    *(f"z_{name}" for name in _END),
    *("medium", "cable_pn", "shuffle_id", "route_m", "length_m", "color", "label_a", "label_z", "failure_domain", "source"),
)

Cells: TypeAlias = Iterable[object]
Int32Array: TypeAlias = npt.NDArray[np.int32]


def columns(result: Built, bundle: Bundle) -> dict[str, Cells]:
    """Return each column's cells of one bundle, in the order of its cables; columns of one value repeat it for ever (`source` never does)."""
    links = result.links
    rows = links.rows_of(bundle)
    count = rows.stop - rows.start
    cells: dict[str, Cells] = dict.fromkeys(COLUMNS, repeat(""))
    a = _end(result, bundle.a, links.a_node[rows], links.a_port[rows])
    z = _end(result, bundle.z, links.z_node[rows], links.z_port[rows])
    cells |= {f"a_{name}": column for name, column in a.items()} | {f"z_{name}": column for name, column in z.items()}
    cells |= {
        "cable_id": [f"{node}:{port}" for node, port in zip(a["node"], a["port"], strict=True)],
        "bundle": repeat(f"{bundle.a.text} -- {bundle.z.text}"),
        "fabric": repeat(bundle.fabric.name),
        "plane": _index(bundle, "plane"),
        "rail": _index(bundle, "rail"),
        "protocol": repeat(bundle.fabric.protocol),
        "speed": repeat(gbps(bundle.rate)),
        "medium": repeat(medium(bundle)),
        "source": repeat(_source(bundle), count),
    }
    return cells


def _source(bundle: Bundle) -> str:
    """Return ``file:line``; a file named like a formula is shown with its folder."""
    source = str(bundle.span)
    return f"./{source}" if source[:1] in "=+-@" else source


def _end(result: Built, end: End, nodes: Int32Array, ports: Int32Array) -> dict[str, Sequence[str]]:
    device = end.group.device
    names = node_names(result.design)
    labels, cages = port_labels(device), cage_labels(device)
    ordinals = ports.tolist()
    return {
        "node": [names[i] for i in nodes.tolist()],
        "type": [device.name] * len(ordinals),
        "port": [labels[i] for i in ordinals],
        "cage": [cages[i] for i in ordinals],
    }


def _index(bundle: Bundle, name: str) -> Cells:
    """Return the index of a dimension such as `rail` per cable; nothing where its ends have different ones."""
    found = of_pairs(bundle, name)
    if found is None:
        return repeat("")
    count = wire(bundle).count
    values, certain = (np.repeat(column, count).tolist() for column in found)
    return values if all(certain) else [v if sure else "" for v, sure in zip(values, certain, strict=True)]
