"""Texts of T05: fabrics."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code
from topolang.diagnostics.catalogue.samples import LAN, changed

CODES: tuple[Code, ...] = (
    Code(
        "T0501",
        "rates differ",
        "error",
        "Both ends of a cable have one rate, which is also that of the fabric if it states one. A faster port carries a slower cable only if its "
        "device declares the split: `port osfp[1..32] = 800Gb/s split 2 as p`.",
        changed(LAN, ("port p = 400Gb/s", "port p = 200Gb/s")),
        LAN,
    ),
    Code(
        "T0502",
        "a fabric falls into pieces",
        "error",
        "Every device of a fabric is meant to reach every other one. Here no cable joins the pieces; the message says which devices each holds. "
        "Planes that are never joined on purpose are fabrics of their own, or meet in the servers.",
        changed(LAN, ("    sw : hub\n    connect node.p -- sw.p", "    sw[n: 1..4] : hub\n    connect node.p -- sw.p")),
        LAN,
    ),
    Code(
        "T0503",
        "a device of a fabric has no cable in it",
        "warning",
        "An array has devices that no `connect` of the fabric reaches. If they are spares, leave them out with `if` or declare them outside the "
        "fabric; if not, a condition is too narrow.",
        changed(LAN, ("-- sw.p", "-- sw.p where n > 1")),
        changed(LAN, ("node[n: 1..4] : host", "node[n: 1..4] : host if n > 1")),
    ),
    Code(
        "T0504",
        "a connect stands outside a fabric",
        "error",
        "Every cable belongs to exactly one fabric, which says what runs over it and which checks apply. Move the `connect` into the block of the "
        "fabric that it is part of. A fabric that spans the copies of a module stands in the design and connects their devices by path, such as "
        "`connect pod.leaf.up -- spine.down`.",
        'topolang 1\ndevice host { role = "host", port p = 400Gb/s }\ndesign d {\n  a : host\n  b : host\n  connect a.p -- b.p\n}',
        LAN,
    ),
)
