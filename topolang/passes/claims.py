"""Claims: `assert` and `warn` judged in three-valued logic, with the values that they came to."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import attrs
import numpy as np

from topolang.diagnostics import Diagnostic, Label
from topolang.ir.grid import unravel
from topolang.ir.memo import once_per_object
from topolang.ir.model import Check, Claim, Design, Known, Metric, Operation, TargetArg
from topolang.passes.model import Pass, Status, Verdict
from topolang.passes.outcome import Outcome, apply, logic, show, unknown
from topolang.passes.question import Question
from topolang.passes.rooms import ask
from topolang.passes.structure.counts import per_copy

_LOGIC = frozenset({"and", "or", "not"})


@attrs.define(eq=False)
class Evaluation:
    """The evaluation of one check in one copy of the module that holds it; ``known`` holds every expression's outcome."""

    design: Design
    check: Check
    copy: int
    known: dict[int, Outcome] = attrs.field(factory=dict)

    def of(self, claim: Claim) -> Outcome:
        """Return what an expression comes to."""
        if id(claim) not in self.known:
            self.known[id(claim)] = self._compute(claim)
        return self.known[id(claim)]

    def _compute(self, claim: Claim) -> Outcome:
        if isinstance(claim, Known):
            return Outcome(claim.value)
        if isinstance(claim, Metric):
            return ask(Question(self.design, claim, self.check.context, self.copy))
        if isinstance(claim, Operation):
            operands = [self.of(arg) for arg in claim.args]
            return logic(claim.op, operands) if claim.op in _LOGIC else apply(claim.op, operands)
        return unknown("a name has no value of its own")

    def deciding(self, claim: Claim) -> Iterator[Operation | Metric]:
        """Yield the comparisons and metrics that made the claim what it is."""
        outcome = self.of(claim)
        if isinstance(claim, Operation) and claim.op in _LOGIC:
            for arg in claim.args:
                inner = self.of(arg)
                if claim.op == "not" or inner.value is outcome.value:
                    yield from self.deciding(arg)
        elif isinstance(claim, (Operation, Metric)):
            yield claim

    def values(self, claim: Claim) -> Iterator[str]:
        """Yield ``text = value`` for the parts of a comparison that are not plain literals."""
        if isinstance(claim, Operation):
            for arg in claim.args:
                yield from self.values(arg)
        outcome = self.of(claim)
        if isinstance(claim, Metric) and not isinstance(outcome.value, bool) and (not outcome.open or outcome.bounded):
            yield f"`{_text(claim)}` is {outcome.shown}"
        elif isinstance(claim, Known) and _text(claim) != show(claim.value).replace(",", "") and not isinstance(claim.value, bool):
            yield f"`{_text(claim)}` is {show(claim.value)}"


def _text(claim: Claim | Check) -> str:
    return " ".join(claim.span.text.split())


def _targets(claim: Claim) -> Iterator[TargetArg]:
    if isinstance(claim, TargetArg):
        yield claim
    elif isinstance(claim, (Operation, Metric)):
        for arg in claim.args:
            yield from _targets(arg)


def _copies(check: Check) -> list[int]:
    """Return the copies of the module that exist: those with any of the devices that the claim speaks of."""
    size = prod(d.size for d in check.context)
    exists = np.zeros(size, dtype=np.bool_)
    for name in _targets(check.claim):
        for target in name.targets:
            if target.group is not None:
                counts = per_copy(target, check.context)
                exists |= counts > 0 if counts.size == size else True
            else:
                exists[:] = True
    return np.flatnonzero(exists).tolist() if exists.any() else list(range(size))


@attrs.frozen(eq=False)
class Judgement:
    """A check, its verdict, and the finding to report where it is not proved."""

    check: Check
    verdict: Verdict
    finding: Diagnostic | None


@once_per_object
def judge(design: Design) -> tuple[Judgement, ...]:
    """Return the judgement of each check, in the order of the source."""
    result = []
    for check in design.checks:
        verdict, evaluation = _judge(design, check)
        result.append(Judgement(check, verdict, None if verdict.holds else _finding(check, verdict, evaluation)))
    return tuple(result)


def _judge(design: Design, check: Check) -> tuple[Verdict, Evaluation]:
    """Judge a check in all copies of its module: the first refuted one decides, then the first open one."""
    found: dict[str, tuple[Verdict, Evaluation]] = {}
    for copy in _copies(check):
        evaluation = Evaluation(design, check, copy)
        verdict = _verdict(evaluation)
        found.setdefault(verdict.status, (verdict, evaluation))
        if verdict.status == "refuted":
            break
    return found.get("refuted") or found.get("open") or found["proved"]


def _verdict(evaluation: Evaluation) -> Verdict:
    outcome = evaluation.of(evaluation.check.claim)
    status: Status = "open" if outcome.open else "proved" if outcome.value else "refuted"
    if outcome.verdict is not None:
        return attrs.evolve(outcome.verdict, status=status)
    return Verdict(status, outcome.reason or _text(evaluation.check.claim))


def run(design: Design) -> Iterator[Diagnostic]:
    """Yield T0601 for a refuted `assert`, T0603 for a refuted `warn`, and T0602 for what could not be decided."""
    for judgement in judge(design):
        if judgement.finding is not None:
            yield judgement.finding


def _finding(check: Check, verdict: Verdict, evaluation: Evaluation) -> Diagnostic:
    deciding = list(evaluation.deciding(check.claim))
    values = list(dict.fromkeys(v for part in deciding for v in evaluation.values(part)))
    notes = [*values, *verdict.certificate]
    if check.context:
        index = unravel(np.array([evaluation.copy], dtype=np.int64), check.context)
        notes.insert(0, f"in the copy {', '.join(f'{d.name} = {int(i[0])}' for d, i in zip(check.context, index, strict=True))}")
    place = deciding[0].span if len(deciding) == 1 else check.claim.span
    labels = (Label(place, verdict.reason), *(Label(*p) for p in verdict.places))
    what = check.reason if check.reason is not None else f"`{_text(check.claim)}`"
    if verdict.status == "open":
        return _undecided(check, f"not decided: {what}", labels, tuple(notes), tried=evaluation.of(check.claim).verdict is not None)
    if check.kind == "assert":
        return Diagnostic("T0601", "error", f"assertion does not hold: {what}", labels, tuple(notes))
    return Diagnostic("T0603", "warning", f"does not hold: {what}", labels, tuple(notes))


def _undecided(check: Check, message: str, labels: tuple[Label, ...], notes: tuple[str, ...], *, tried: bool) -> Diagnostic:
    """Return T0602: an error where a proof was tried for an `assert`, which holds only if it is proved; a warning where this version cannot try."""
    if check.kind == "warn":
        return Diagnostic("T0602", "note", message, labels, notes)
    if tried:
        helps = ("an `assert` holds only if it is proved; write `warn` to keep the claim as a remark",)
        return Diagnostic("T0602", "error", message, labels, notes, helps)
    return Diagnostic("T0602", "warning", message, labels, notes, ("an undecided claim is never taken for true",))


PASS = Pass("claims", ("T0601", "T0602", "T0603"), run, needs_tables=True)
