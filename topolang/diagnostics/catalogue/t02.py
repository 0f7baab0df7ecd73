"""Texts of T02: names and imports."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code
from topolang.diagnostics.catalogue.samples import LAN, PARTS, changed

CODES: tuple[Code, ...] = (
    Code(
        "T0201",
        "an unknown name",
        "error",
        "Nothing of this name is declared here or in what the file imports. A `connect` sees the instances of its fabric and of the containers "
        "around it; a condition sees the dimensions of the array it belongs to, parameters and `let`. The message names the nearest name in scope.",
        changed(LAN, ("connect node.p", "connect nod.p")),
        LAN,
    ),
    Code(
        "T0202",
        "a thing has no member of this name",
        "error",
        "A path such as `rack.tray.gpu` goes from an instance into its module or device, and ends at a port group. Each step must name a part or a "
        "port group of the thing before it; the message names the nearest one.",
        changed(LAN, ("connect node.p", "connect node.q")),
        LAN,
    ),
    Code(
        "T0203",
        "a name is declared twice",
        "error",
        "Names are unique in their scope: instances, fabrics, ports, parameters and `let` of one container, and the declarations of a file "
        "together with those it imports. Of two imported things of one name, import one under another name with `as`.",
        changed(LAN, ("    sw : hub", "    sw : hub\n    sw : hub")),
        LAN,
    ),
    Code(
        "T0204",
        "a value is defined by itself",
        "error",
        "Declarations may stand in any order, so the compiler looks up what a `let` needs when it is needed. This one needs its own value, "
        "directly or through others, and the language has no recursion.",
        "topolang 1\nlet a = b + 1\nlet b = a + 1\ndesign d(x: int = a) {\n}",
        "topolang 1\nlet a = b + 1\nlet b = 1\ndesign d(x: int = a) {\n}",
    ),
    Code(
        "T0205",
        "an imported file is not found",
        "error",
        "`import a.b` looks for `a/b.topo` beside the importing file, then in the folders given by `-I`, then in the standard library of the "
        "compiler. A file in quotes is relative to the importing file and ends in `.topo`.",
        "topolang 1\nimport nvidia.qm9770\ndesign d {\n}",
        "topolang 1\nimport nvidia.qm9700\ndesign d {\n}",
    ),
    Code(
        "T0206",
        "files import each other in a circle",
        "error",
        "A file can be read only after the files it imports. Here the chain of imports comes back to a file that is still being read. Move what "
        "both need into a third file, which imports neither.",
    ),
    Code(
        "T0207",
        "a part would hold itself",
        "error",
        "A module or device has an instance of itself inside, directly or through other parts, so it would never end. The language has no "
        "recursion: write out the levels, each as its own module.",
        "topolang 1\nmodule box {\n  inner : box\n}\ndesign d {\n  outer : box\n}",
        changed(LAN, ("design d", "module box {\n  inner : host\n}\ndesign d")),
    ),
    Code(
        "T0208",
        "the file holds no design",
        "error",
        "`topoc build` starts from a `design`, the root of a cluster. A file of parts, to be imported by others, can be checked with `topoc check` "
        "but has nothing to build.",
    ),
    Code(
        "T0209",
        "a file holds more than one design",
        "error",
        "A file has one root, so that `topoc build FILE` means one cluster. Variants of a cluster are parameters of one design, and things that "
        "designs share are modules in a file that both import.",
        "topolang 1\ndesign a {\n}\ndesign b {\n}",
        "topolang 1\ndesign a {\n}",
    ),
    Code(
        "T0210",
        "an unknown attribute",
        "error",
        "Which attributes a thing may have, and of which type, is declared by its kind in the standard library (`stdlib/std/kinds.topo`). An "
        "unknown one is never ignored: a misspelt setting would otherwise silently do nothing. The message names the nearest attribute.",
        changed(LAN, ("    node[n", "    raite = 400Gb/s\n    node[n")),
        changed(LAN, ("    node[n", "    rate = 400Gb/s\n    node[n")),
    ),
    Code(
        "T0211",
        "an attribute or argument is given twice",
        "error",
        "Each attribute of a thing and each argument of a part is given once. Two values, even equal ones, leave the reader to guess which one "
        "holds.",
        changed(LAN, ("    node[n", "    mtu = 1500\n    mtu = 9216\n    node[n")),
        changed(LAN, ("    node[n", "    mtu = 9216\n    node[n")),
    ),
    Code(
        "T0212",
        "a statement does not belong here",
        "error",
        "Each kind of block takes certain statements: a file takes imports, `let` and declarations; a `device` takes ports, parts and their "
        "wiring; a `fabric` takes instances and `connect`; `place`, `optics`, `assert` and `warn` stand in designs and modules.",
        changed(LAN, ("    connect", "    port x = 400Gb/s\n    connect")),
        LAN,
    ),
    Code(
        "T0213",
        "a parameter needs a value",
        "error",
        "A parameter without a default must be given: in parentheses where the part is used, or with `-D name=value` for the parameters of the "
        "design.",
        "topolang 1\ndesign d(su: int) {\n}",
        "topolang 1\ndesign d(su: int = 4) {\n}",
    ),
    Code(
        "T0214",
        "an unknown parameter",
        "error",
        "A part or design is given a parameter that it does not have. Arguments are always named, and the message names the nearest parameter. On "
        "the command line `-D` sets parameters of the design only.",
        PARTS + "design d {\n  x : host(size = 3)\n}",
        PARTS + "design d {\n  x : host\n}",
    ),
    Code(
        "T0215",
        "an unknown kind of fabric or other thing",
        "error",
        "`fabric NAME : KIND` names what the network is: `infiniband`, `ethernet`, `roce_v2`, `nvlink5`, `cxl` and others that the standard "
        "library declares. The kind decides which settings it takes and how it appears in the outputs.",
        changed(LAN, ("lan : ethernet", "lan : ethernt")),
        LAN,
    ),
    Code(
        "T0216",
        "a name could mean members of several fabrics",
        "error",
        "Instances that are declared in fabrics can be named without the fabric where that is clear. Here two fabrics have one of this name: write "
        "the fabric before it, as in `compute.leaf`.",
        PARTS + "design d {\n  fabric a : ethernet { sw : hub, x : host, connect x.p -- sw.p }\n"
        "  fabric b : ethernet { sw : hub, y : host, connect y.p -- sw.p }\n  assert count(sw) == 1\n}",
        PARTS + "design d {\n  fabric a : ethernet { sw : hub, x : host, connect x.p -- sw.p }\n"
        "  fabric b : ethernet { sw : hub, y : host, connect y.p -- sw.p }\n  assert count(a.sw) == 1\n}",
    ),
    Code(
        "T0217",
        "a name template cannot be read",
        "error",
        'Templates such as `name = "leaf-{s:02}-{rail}"` take names of dimensions in braces, with an optional width for numbers (`{s:02}` gives '
        "`01`). The message lists the fields that exist here.",
        changed(LAN, ("node[n: 1..4] : host", 'node[n: 1..4] : host { name = "node-{m}" }')),
        changed(LAN, ("node[n: 1..4] : host", 'node[n: 1..4] : host { name = "node-{n:02}" }')),
    ),
    Code(
        "T0218",
        "instances are of devices and modules",
        "error",
        "What follows the colon of an instance is the name of a device or a module, or a parameter of type `device`. Designs and sites cannot be "
        "instantiated.",
        PARTS + "site hall { rows = 1..2 }\ndesign d {\n  x : hall\n}",
        PARTS + "design d {\n  x : host\n}",
    ),
    Code(
        "T0219",
        "`-D` names no parameter of the design",
        "error",
        "`-D name=value` sets a parameter of the design that is built. This design has none of that name; the message names the nearest. "
        "Parameters of modules and devices are set where they are used.",
        usage=True,
    ),
    Code(
        "T0220",
        "two devices have one name",
        "error",
        "Cable tables, labels and drawings tell devices apart by their display names. A template that leaves out a dimension, or gives what "
        "another device is called, makes two of one name.",
        changed(LAN, ("node[n: 1..4] : host", 'node[n: 1..4] : host { name = "node" }')),
        changed(LAN, ("node[n: 1..4] : host", 'node[n: 1..4] : host { name = "node-{n}" }')),
    ),
)
