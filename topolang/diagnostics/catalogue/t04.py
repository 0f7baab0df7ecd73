"""Texts of T04: ports and cages."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code
from topolang.diagnostics.catalogue.samples import CLOS, LAN, PARTS, changed

CODES: tuple[Code, ...] = (
    Code(
        "T0401",
        "`fill` does not divide",
        "error",
        "`fill` gives each pair the same number of cables so that every port of the left side is used exactly. Here the ports do not divide among "
        "the partners. The message names the nearest counts that do; `spread` uses every port as evenly as possible instead, with shares that "
        "differ by at most one.",
        changed(CLOS, ("up[1..6]", "up[1..7]")),
        CLOS,
    ),
    Code(
        "T0402",
        "`fill` meets elements with different numbers of partners",
        "error",
        "`fill` finds one multiplicity for all pairs, so every element of the left side needs as many partners as every other. A `where` or a hole "
        "leaves some with fewer. Write `times` with a number, or `spread`.",
        changed(CLOS, ("top.p fill", "top.p fill where (s - 1) * (k - 3) == 0")),
        changed(CLOS, ("p[1..4]", "p[1..12]"), ("top.p fill", "top.p spread where (s - 1) * (k - 3) == 0")),
    ),
    Code(
        "T0403",
        "a number of cables per pair that cannot be",
        "error",
        "`times N` makes N cables for each pair: at least one, and no more than a port pool can hold. Pairs that should get no cable are left out "
        "with `where`.",
        changed(CLOS, ("top.p fill", "top.p times 0")),
        changed(CLOS, ("top.p fill", "top.p times 2")),
    ),
    Code(
        "T0404",
        "a port pool is too small",
        "error",
        "Each cable of a `connect` takes the next port of the group it names, and here a group has fewer ports than it needs. The message shows "
        "the statement and the declaration of the ports, and says what is needed and what is there.",
        changed(LAN, ("node[n: 1..4]", "node[n: 1..5]")),
        LAN,
    ),
    Code(
        "T0405",
        "`fill` leaves ports of the right side free",
        "warning",
        "`fill` uses every port of the left side exactly; the right side has some left over. That is sound where they are kept for growth, so it "
        "is a warning. Name the ports that are meant in a group of their own, and it is gone.",
        changed(CLOS, ("p[1..4]", "p[1..6]")),
        changed(CLOS, ("p[1..4] = 400Gb/s", "p[1..6] = 400Gb/s, port down = p[1..4]"), ("top.p fill", "top.down fill")),
    ),
    Code(
        "T0406",
        "a port is used twice",
        "error",
        "A port takes one cable. Two statements, or two cables of one statement, take the same port of the same device; the message names one such "
        "port and both far ends. Each statement counts from the first port of the group that it names, whatever others took before, so statements "
        "that meet at one group name different parts of it.",
        changed(LAN, ("    connect node.p -- sw.p", "    extra : host\n    connect node.p -- sw.p\n    connect extra.p -- sw.p[1]")),
        changed(
            LAN,
            ("node[n: 1..4]", "node[n: 1..3]"),
            ("    connect node.p -- sw.p", "    extra : host\n    connect node.p -- sw.p\n    connect extra.p -- sw.p[4]"),
        ),
    ),
    Code(
        "T0407",
        "two statements lay the same cables",
        "error",
        "Two `connect` statements take the same ports at both ends, so one repeats the other. Parallel cables are written in one statement, with "
        "`times 2`; they then take different ports.",
        changed(LAN, ("    connect node.p -- sw.p", "    connect node.p -- sw.p\n    connect node.p -- sw.p")),
        LAN,
    ),
    Code(
        "T0408",
        "a device would be cabled to itself",
        "error",
        "Within one array, a mesh also pairs each element with itself. An order between the two sides leaves that out and makes each cable once: "
        "`where r < r2`.",
        'topolang 1\ndevice router { role = "switch", port p[1..8] = 400Gb/s }\ndesign d {\n  fabric f : ethernet {\n    a[r: 1..4] : router\n'
        "    connect a.p -- a[r as r2].p\n  }\n}",
        'topolang 1\ndevice router { role = "switch", port p[1..8] = 400Gb/s }\ndesign d {\n  fabric f : ethernet {\n    a[r: 1..4] : router\n'
        "    connect a.p -- a[r as r2].p where r < r2\n  }\n}",
    ),
    Code(
        "T0409",
        "a cage is used whole and split",
        "error",
        "`port osfp[1..32] = 800Gb/s split 2 as p` makes cages and their logical ports. A cage takes either one cable at its full rate or cables "
        "at its split ports, never both at once, for it is one socket.",
        'topolang 1\ndevice box { role = "switch", port osfp[1..2] = 800Gb/s split 2 as p }\ndevice host { role = "host", port p = 400Gb/s }\n'
        'device fast { role = "host", port p = 800Gb/s }\ndesign d {\n  fabric f : ethernet {\n    sw : box\n    a : host\n    b : fast\n'
        "    connect a.p -- sw.p[1]\n    connect b.p -- sw.osfp[1]\n  }\n}",
        'topolang 1\ndevice box { role = "switch", port osfp[1..2] = 800Gb/s split 2 as p }\ndevice host { role = "host", port p = 400Gb/s }\n'
        'device fast { role = "host", port p = 800Gb/s }\ndesign d {\n  fabric f : ethernet {\n    sw : box\n    a : host\n    b : fast\n'
        "    connect a.p -- sw.p[1]\n    connect b.p -- sw.osfp[2]\n  }\n}",
    ),
    Code(
        "T0410",
        "a port group that cannot be",
        "error",
        "`port NAME[…] = RATE` makes ports; `port NAME[…] = p[…]` names ports that exist. A group lists each port once, all of one rate and all of "
        "its own device, and as many as its dimensions count. Labels, if given, are one per port and all different.",
        PARTS + 'device box {\n  role = "switch"\n  port p[1..8] = 400Gb/s\n  port rail[r: 0..3] = p[1..3]\n}\ndesign d {\n  x : box\n}',
        PARTS + 'device box {\n  role = "switch"\n  port p[1..8] = 400Gb/s\n  port rail[r: 0..3] = p[1..4]\n}\ndesign d {\n  x : box\n}',
    ),
    Code(
        "T0411",
        "an end of a connect names no ports",
        "error",
        "Both ends of a `connect` are port groups: `leaf.down`, not `leaf`. A device may have several groups, and which one a cable takes decides "
        "its port numbers, so it is never guessed.",
        changed(LAN, ("connect node.p -- sw.p", "connect node.p -- sw")),
        LAN,
    ),
)
