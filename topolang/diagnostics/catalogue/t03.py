"""Texts of T03: dimensions and joins."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code
from topolang.diagnostics.catalogue.samples import LAN, PARTS, RAILS, changed

CODES: tuple[Code, ...] = (
    Code(
        "T0301",
        "a dimension of instances has no name",
        "error",
        "Every dimension of an array of instances is named, because names are what a `connect` joins: `leaf[s: 1..4]`. Only ports may have a pool "
        "without a name.",
        changed(LAN, ("node[n: 1..4]", "node[1..4]")),
        LAN,
    ),
    Code(
        "T0302",
        "a dimension occurs twice on one path",
        "error",
        "Two dimensions of one name on a path would always be equal, which is hardly meant. Give one of them another name, or rename it at the "
        "`connect` with `[r as r2]`.",
        PARTS + "module rack {\n  node[n: 1..2] : host\n}\ndesign d {\n  r[n: 1..2] : rack\n}",
        PARTS + "module rack {\n  node[n: 1..2] : host\n}\ndesign d {\n  r[k: 1..2] : rack\n}",
    ),
    Code(
        "T0303",
        "a range that is empty, runs downwards, or has no whole numbers",
        "error",
        'Ranges run upwards over whole numbers and include both ends: `1..8`, `0..62 by 2`. The rows of a site may be letters: `"A".."D"`. A range '
        "that turns out empty is an error, because an array without elements connects to nothing and hides a mistake.",
        changed(LAN, ("node[n: 1..4]", "node[n: 4..1]")),
        LAN,
    ),
    Code(
        "T0304",
        "an index is out of range",
        "error",
        "An index names an element that does not exist: beyond a dimension, a pool of ports or a list. Nothing is invented and nothing is clipped. "
        "In a ring, wrap around with `mod`: `chip[x = (x+1) mod 4]`.",
        changed(LAN, ("-- sw.p", "-- sw.p[9]")),
        LAN,
    ),
    Code(
        "T0305",
        "a dimension has different values on the two sides of a connect",
        "error",
        "Dimensions of one name on both sides of a `connect` are joined: equal index to equal index. Here their ranges differ, so some elements "
        "would get no cable. Make the ranges equal, or say on one side which part of it is meant, as in `node.hca[rail = 0..3]`.",
        changed(RAILS, ("sw[rail: 0..1]", "sw[rail: 0..2]")),
        RAILS,
    ),
    Code(
        "T0306",
        "an anonymous pool is not the last dimension of a port",
        "error",
        "A port statement may have named dimensions and then one pool without a name, from which cables take the next port: `port p[rail: 0..7, "
        "1..4]`. A second pool needs a name, so that a `connect` can tell them apart.",
        changed(LAN, ("port p[1..4]", "port p[1..2, 1..2]")),
        LAN,
    ),
    Code(
        "T0307",
        "a selector does not fit what it selects from",
        "error",
        "In brackets after a name stand as many indices as it has dimensions, each dimension once, by position or by name (`leaf[s = 1]`). A "
        "fabric has no dimensions of its own, and names in claims and hints are selected by constants.",
        changed(LAN, ("-- sw.p", "-- sw[k = 1].p")),
        LAN,
    ),
    Code(
        "T0308",
        "more than can be built",
        "error",
        "A dimension, an array, a device or a loop is larger than the compiler takes. The limits are far above any cluster that exists, so a "
        "number here is most likely a slip; the message gives it and the limit.",
        changed(LAN, ("node[n: 1..4]", "node[n: 1..4000000000]")),
        LAN,
    ),
    Code(
        "T0309",
        "a connect runs over too many index combinations",
        "error",
        "Dimensions that the two sides do not share are meshed, and `where` picks from all combinations. Here there are more than can be searched. "
        "Share the names of dimensions, or write the condition as `dimension == expression`: an equality is solved, not searched.",
        'topolang 1\ndevice gpu { role = "gpu", port x = 400Gb/s }\ndesign d {\n  fabric f : ethernet {\n    a[i: 1..20000] : gpu\n'
        "    b[j: 1..20000] : gpu\n    connect a.x -- b.x where i <= j and j <= i\n  }\n}",
    ),
    Code(
        "T0310",
        "a connect joins nothing",
        "error",
        "No pair of devices satisfies the conditions of this statement, so it makes no cable. A rule that makes nothing is a mistake in the rule. "
        "Where the `if` of an array leaves none of its devices, it is a warning, because a design with parameters may mean it.",
        changed(LAN, ("-- sw.p", "-- sw.p where n > 4")),
        changed(LAN, ("-- sw.p", "-- sw.p where n > 0")),
    ),
)
