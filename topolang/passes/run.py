"""All passes in their order, and what they found."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from topolang.diagnostics import Diagnostic, Sink
from topolang.ir.model import Check, Design
from topolang.passes.connectivity import FabricFacts
from topolang.passes.model import Pass, Verdict
from topolang.passes.paths.capacity import CapacityRow


@attrs.frozen(eq=False)
class PassReport:
    """What the passes found: findings in order, each check with its verdict, capacity per kind of switch, and how each fabric hangs together.

    These three are empty where errors in the wiring or in the use of ports kept the cables from being judged (``broken``).
    """

    diagnostics: tuple[Diagnostic, ...]
    verdicts: tuple[tuple[Check, Verdict], ...] = ()
    capacity: tuple[CapacityRow, ...] = ()
    fabrics: tuple[FabricFacts, ...] = ()
    broken: bool = False


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


def _rooms() -> Iterator[Pass]:
    from topolang.passes.rooms import room_passes

    yield from room_passes()


def all_passes() -> Iterator[Pass]:
    """Yield every pass in the order in which they run; a later one may rely on what an earlier one has shown."""
    for load in (_wiring, _rates, _ports, _naming, _connectivity):
        yield load()
    yield from _rooms()
    yield _claims()


def run_passes(design: Design) -> PassReport:
    """Run all passes. Those that need tables are left out once there is an error in the wiring or the use of ports."""
    sink = Sink()
    broken = False
    for step in all_passes():
        if step.needs_tables and broken:
            continue
        for finding in step.run(design):
            sink.add(finding)
            broken = broken or (finding.severity == "error" and step.makes_tables)
    if broken:
        return PassReport(tuple(sink), broken=True)
    return _report(design, sink)


def _report(design: Design, sink: Sink) -> PassReport:
    from topolang.passes.claims import judge
    from topolang.passes.connectivity import facts
    from topolang.passes.paths.capacity import capacity

    verdicts = tuple((j.check, j.verdict) for j in judge(design))
    return PassReport(tuple(sink), verdicts, capacity(design), facts(design))
