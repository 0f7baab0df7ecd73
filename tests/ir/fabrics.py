"""Fabrics for tests: folded Clos of two and three tiers with holes, uneven trunks, rails and planes."""

from __future__ import annotations

from collections.abc import Sequence

from ir.build import Build, GroupSpec, PortSpec, eq, op

from topolang.ir.index import IndexExpr
from topolang.ir.model import Design


def switch(build: Build, name: str = "sw", ports: int = 64, down: int = 32, gbps: int = 400, up: int | None = None):
    """Return a switch with groups ``down`` (its first ports) and ``up`` (the next)."""
    last = ports if up is None else down + up
    groups = (GroupSpec("down", "p", range(down)), GroupSpec("up", "p", range(down, last)))
    return build.device(name, PortSpec("p", ports, gbps), *groups, role="switch")


def two_tier(
    leaves: int = 4,
    hosts: int = 4,
    spines: int = 4,
    times: object = 1,
    host_holes: IndexExpr | None = None,
    spine_holes: IndexExpr | None = None,
    leaf_holes: IndexExpr | None = None,
    host_gbps: int = 400,
    up_gbps: int = 400,
    where: Sequence[IndexExpr] = (),
) -> Design:
    """Return hosts of one port on leaves, all leaves to all spines."""
    b = Build()
    host = b.device("host", PortSpec("eth", 0, host_gbps), role="host")
    leaf = b.device("leaf_sw", PortSpec("down", 64, host_gbps), PortSpec("up", 64, up_gbps), role="switch")
    spine = b.device("spine_sw", PortSpec("down", 256, up_gbps), role="switch")
    node = b.group("f.node", host, host_holes, l=leaves, h=hosts)
    tor = b.group("f.leaf", leaf, leaf_holes, l=leaves)
    top = b.group("f.spine", spine, spine_holes, k=spines)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(tor, "down"))
    b.connect(f, b.end(tor, "up"), b.end(top, "down"), times, where)
    return b.design()


def three_tier(
    pods: int = 2,
    leaves: int = 2,
    hosts: int = 2,
    planes: int = 2,
    cores: int = 2,
    core_times: object = 1,
    up_times: object = 1,
    host_holes: IndexExpr | None = None,
    core_holes: IndexExpr | None = None,
    agg_holes: IndexExpr | None = None,
    host_gbps: int = 400,
    up_gbps: int = 400,
) -> Design:
    """Return a three-tier folded Clos with one aggregation switch per plane and pod, and ``cores`` switches on top of each plane."""
    b = Build()
    host = b.device("host", PortSpec("eth", 0, host_gbps), role="host")
    leaf = b.device("leaf_sw", PortSpec("down", 64, host_gbps), PortSpec("up", 64, up_gbps), role="switch")
    upper = b.device("agg_sw", PortSpec("down", 128, up_gbps), PortSpec("up", 128, up_gbps), role="switch")
    node = b.group("f.node", host, host_holes, pod=pods, l=leaves, h=hosts)
    tor = b.group("f.leaf", leaf, pod=pods, l=leaves)
    agg = b.group("f.agg", upper, agg_holes, pod=pods, a=planes)
    core = b.group("f.core", upper, core_holes, a=planes, c=cores)
    f = b.fabric("f")
    b.connect(f, b.end(node, "eth"), b.end(tor, "down"))
    b.connect(f, b.end(tor, "up"), b.end(agg, "down"), up_times)
    b.connect(f, b.end(agg, "up"), b.end(core, "down"), core_times)
    return b.design()


def train(gpus: int = 100_000, planes: int = 64, cores: int = 16, spread: bool = False, pods: int = 25) -> Design:
    """Return the 100,000-GPU three-tier example: 8-GPU nodes, rail-optimised leaves, pods of 512 nodes."""
    b = Build()
    node_type = b.device("hgx", PortSpec("nic", 0, 400, {"rail": range(8)}), role="host")
    leaf_type = switch(b, "sn5600", 128, 64, up=planes)
    node = b.group(
        "be.node", node_type, op("<=", op("*", 8, op("+", op("*", op("-", "pod", 1), 512), "n")), gpus), pod=range(1, pods + 1), n=range(1, 513)
    )
    leaf = b.group("be.leaf", leaf_type, pod=range(1, pods + 1), grp=range(1, 9), rail=range(8))
    agg = b.group("be.agg", switch(b, "sn5600", 128, 64), pod=range(1, pods + 1), a=range(1, planes + 1))
    core = b.group("be.core", switch(b, "sn5600", 128, 128), a=range(1, planes + 1), c=range(1, cores + 1))
    f = b.fabric("be", rate=node_type.groups["nic"].rate)
    grouped = eq("grp", op("+", op("div", op("-", "n", 1), 64), 1))
    b.connect(f, b.end(node, "nic"), b.end(leaf, "down"), where=[grouped])
    b.connect(f, b.end(leaf, "up"), b.end(agg, "down"))
    b.connect(f, b.end(agg, "up"), b.end(core, "down"), "spread" if spread else "fill")
    b.check(b.metric("nonblocking", f))
    b.check(b.compare(b.metric("count", node), "==", b.number(gpus // 8)))
    return b.design()
