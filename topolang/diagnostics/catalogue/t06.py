"""Texts of T06: assertions."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code
from topolang.diagnostics.catalogue.samples import LAN, changed

CODES: tuple[Code, ...] = (
    Code(
        "T0601",
        "an assertion does not hold",
        "error",
        "`assert` states a requirement that the design must meet. The compiler refuted it, and the notes give the values and the certificate: the "
        "tightest cut, the counts of each tier, the devices.",
        changed(LAN, ("-- sw.p\n  }", "-- sw.p\n  }\n  assert count(node) == 5")),
        changed(LAN, ("-- sw.p\n  }", "-- sw.p\n  }\n  assert count(node) == 4")),
    ),
    Code(
        "T0602",
        "an assertion is not decided",
        "warning",
        "The compiler could neither prove nor refute the claim; the notes give what is known, such as bounds. An open claim never counts as true. "
        "State it for a part of the design that can be decided, or as bounds that are proved.",
    ),
    Code(
        "T0603",
        "a `warn` claim does not hold",
        "warning",
        "`warn` states a preference, `assert` a requirement. The compiler refuted this preference; the notes give the values. The design is built "
        "all the same.",
        changed(LAN, ("-- sw.p\n  }", "-- sw.p\n  }\n  warn count(node) == 5")),
        changed(LAN, ("-- sw.p\n  }", "-- sw.p\n  }\n  warn count(node) == 4")),
    ),
)
