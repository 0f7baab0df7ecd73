"""A question that a claim asks: the call of a metric in one copy of the module that the claim stands in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from topolang.ir.model import Design, Dim, Fabric, Hint, Metric, Symbol, TargetArg
from topolang.passes.outcome import Outcome, unknown


@attrs.frozen(eq=False)
class Question:
    """A call of a metric: the design, the call, the dimensions that number the copies of the module it stands in, and the copy (flat index)."""

    design: Design
    metric: Metric
    context: tuple[Dim, ...]
    copy: int

    def target(self, position: int = 0) -> TargetArg | None:
        """Return an argument that names devices, parts, ports, or what a `traffic` or `pool` is called; None for others and where there is none."""
        args = self.metric.args
        found = args[position] if position < len(args) else None
        return found if isinstance(found, TargetArg) and self.fabric_at(position) is None else None

    def fabric_at(self, position: int) -> Fabric | None:
        """Return the fabric that an argument names, if it does."""
        found = self.metric.args[position] if position < len(self.metric.args) else None
        return found.targets[0].fabric if isinstance(found, TargetArg) and found.targets else None

    @property
    def fabric(self) -> Fabric | None:
        """The fabric that the first argument names."""
        return self.fabric_at(0)

    def symbol(self, position: int = 1) -> str | None:
        """Return an argument that is a word, e.g. ``same_rail``; None where it is left out or names devices."""
        found = self.metric.args[position] if position < len(self.metric.args) else None
        return found.name if isinstance(found, Symbol) else None

    def hint(self, position: int = 0) -> Hint | None:
        """Return the `traffic` or `pool` that an argument names, if it does."""
        found = self.metric.args[position] if position < len(self.metric.args) else None
        wanted = found.targets[0].hint if isinstance(found, TargetArg) and found.targets else None
        return next((h for h in self.design.hints if (h.subject, h.name) == wanted), None)


Answer: TypeAlias = Callable[[Question], Outcome]


def no_fabric(question: Question) -> Outcome:
    """Return the outcome of a metric that was asked of something else than one fabric."""
    return unknown(f"`{question.metric.name}` speaks of one fabric")
