"""All passes in their order, and what they found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from topolang.diagnostics import Diagnostic, Sink
from topolang.ir.model import Check, Design
from topolang.passes.capacity import CapacityRow
from topolang.passes.connectivity import FabricFacts
from topolang.passes.model import Pass, Verdict


@attrs.frozen(eq=False)
class PassReport:
    """What the passes found: findings in order, each check with its verdict, capacity per kind of switch, and how each fabric hangs together.

    The last three are empty where errors in the wiring or in the use of ports kept the cables from being judged.
    """

    diagnostics: tuple[Diagnostic, ...]
    verdicts: tuple[tuple[Check, Verdict], ...] = ()
    capacity: tuple[CapacityRow, ...] = ()
    fabrics: tuple[FabricFacts, ...] = ()


def _wiring() -> Pass:
    from topolang.passes.wiring import PASS

    return PASS


def _ports() -> Pass:
    from topolang.passes.ports import PASS

    return PASS


def _rates() -> Pass:
    from topolang.passes.rates import PASS

    return PASS


def _connectivity() -> Pass:
    from topolang.passes.connectivity import PASS

    return PASS


def _naming() -> Pass:
    from topolang.passes.naming import PASS

    return PASS


def _claims() -> Pass:
    from topolang.passes.claims import PASS

    return PASS


# in the order in which they run; a later one may rely on what an earlier one has shown
PASSES: Final[tuple[Callable[[], Pass], ...]] = (_wiring, _rates, _ports, _naming, _connectivity, _claims)


def run_passes(design: Design) -> PassReport:
    """Run all passes. Those that need tables are left out once there is an error in the wiring or the use of ports."""
    sink = Sink()
    broken = False
    for load in PASSES:
        step = load()
        if step.needs_tables and broken:
            continue
        for finding in step.run(design):
            sink.add(finding)
            broken = broken or (finding.severity == "error" and step.makes_tables)
    if broken:
        return PassReport(tuple(sink))
    return _report(design, sink)


def _report(design: Design, sink: Sink) -> PassReport:
    from topolang.passes.capacity import capacity
    from topolang.passes.claims import judge
    from topolang.passes.connectivity import facts

    verdicts = tuple((j.check, j.verdict) for j in judge(design))
    return PassReport(tuple(sink), verdicts, capacity(design), facts(design))
