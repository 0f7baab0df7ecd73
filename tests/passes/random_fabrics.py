"""Random folded Clos fabrics, meshes and planes, from a seed: uniform over their parameters, where drawn values would crowd at the small end."""

from __future__ import annotations

from random import Random

from ir.build import Build, PortSpec, eq, op
from ir.fabrics import three_tier, two_tier

from topolang.ir.index import IndexExpr
from topolang.ir.model import Design


def holes(random: Random, *dims: str) -> IndexExpr | None:
    """Return a condition that leaves some tuples out, or None."""
    if random.random() < 0.6:
        return None
    total: object = dims[0] if len(dims) == 1 else op("+", op("*", random.randint(1, 3), dims[0]), op("*", random.randint(1, 3), dims[1]))
    return op(random.choice(["!=", "<=", ">="]), op("mod", total, random.randint(2, 4)), random.randint(0, 2))


def trunks(random: Random, *dims: str) -> object:
    """Return the number of parallel cables: even, or uneven by some index."""
    if random.random() < 0.6:
        return random.randint(1, 3)
    return op("+", random.randint(0, 2), op("mod", random.choice(dims), 2))


def two_tiers(random: Random) -> Design:
    where = [op("!=", op("+", "l", "k"), random.randint(0, 4))] if random.random() < 0.25 else []
    return two_tier(
        leaves=random.randint(1, 4),
        hosts=random.randint(1, 5),
        spines=random.randint(1, 4),
        times=trunks(random, "l", "k"),
        host_holes=holes(random, "l", "h"),
        spine_holes=holes(random, "k"),
        leaf_holes=holes(random, "l"),
        host_gbps=random.choice([400, 400, 200]),
        up_gbps=random.choice([400, 400, 800, 200]),
        where=where,
    )


def three_tiers(random: Random) -> Design:
    return three_tier(
        pods=random.randint(2, 3),
        leaves=random.randint(1, 3),
        hosts=random.randint(1, 4),
        planes=random.randint(1, 3),
        cores=random.randint(1, 3),
        core_times=trunks(random, "pod", "a", "c"),
        up_times=trunks(random, "l", "a", "pod"),
        host_holes=holes(random, "pod", "l"),
        core_holes=holes(random, "a", "c"),
        agg_holes=holes(random, "pod", "a"),
        up_gbps=random.choice([400, 400, 800]),
    )


def meshes(random: Random) -> Design:
    """Return switches joined in a ring or a full mesh, with terminals on each: no tiers."""
    b = Build()
    n, h = random.randint(2, 5), random.randint(1, 3)
    node = b.group("f.node", b.device("host", PortSpec("eth"), role="host"), holes(random, "s", "h"), s=n, h=h)
    sw = b.group("f.sw", b.device("sw", PortSpec("p", 16), PortSpec("q", 32), PortSpec("r", 32), role="switch"), s=n)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(sw, "p"))
    times = random.randint(1, 4)
    if random.random() < 0.5:
        b.connect(f, b.end(sw, "q"), b.end(sw, "q", bind={"s": "s2"}), times, [op("<", "s", "s2")])
    elif n > 2:
        b.connect(f, b.end(sw, "q"), b.end(sw, "r", bind={"s": op("mod", op("+", "s", 1), n)}), times)
    return b.design()


def several_planes(random: Random) -> Design:
    """Return dual-port hosts on planes that meet in spines or in none, and a terminal on a spine now and then."""
    b = Build()
    planes, leaves, hosts, spines = random.randint(1, 2), random.randint(1, 3), random.randint(1, 4), random.randint(1, 3)
    host = b.device("host", PortSpec("eth", dims={"plane": range(planes)}), role="host")
    node = b.group("f.node", host, holes(random, "l", "h"), l=leaves, h=hosts)
    leaf = b.group("f.leaf", b.device("leaf", PortSpec("down", 8), PortSpec("up", 32), role="switch"), l=leaves, plane=planes)
    joined = random.random() < 0.5
    dims = {"k": spines} if joined else {"plane": planes, "k": spines}
    spine = b.group("f.spine", b.device("spine", PortSpec("down", 64), PortSpec("extra", 2), role="switch"), **dims)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(leaf, "down"))
    b.connect(f, b.end(leaf, "up"), b.end(spine, "down"), trunks(random, "l", "k"))
    if random.random() < 0.25:
        extra = b.group("f.extra", b.device("box", PortSpec("eth"), role="appliance"), k=spines)
        b.connect(f, b.end(extra, "eth"), b.end(spine, "extra"), where=[] if joined else [eq("plane", 0)])
    return b.design()


def mixed_rates(random: Random) -> Design:
    """Return a two-tier fabric with hosts of two rates and uplinks of two rates, in trunks of their own."""
    b = Build()
    leaves, spines = random.randint(2, 3), random.randint(1, 3)
    leaf_ports = [PortSpec("d1", 8, 400), PortSpec("d2", 8, 200), PortSpec("u1", 16, 400), PortSpec("u2", 16, random.choice([200, 800]))]
    leaf = b.group("f.leaf", b.device("leaf", *leaf_ports, role="switch"), l=leaves)
    spine = b.group("f.spine", b.device("spine", PortSpec("p1", 64, 400), PortSpec("p2", 64, leaf_ports[3].gbps), role="switch"), k=spines)
    f = b.fabric("f")
    for i, gbps in ((1, 400), (2, 200)):
        host = b.device(f"host{i}", PortSpec("eth", 0, gbps), role="host")
        node = b.group(f"f.node{i}", host, holes(random, "l", "h"), l=leaves, h=random.randint(1, 3))
        b.connect(f, b.end(node, "eth"), b.end(leaf, f"d{i}"))
        b.connect(f, b.end(leaf, f"u{i}"), b.end(spine, f"p{i}"), trunks(random, "l", "k"))
    return b.design()
