"""What a pass is, and what it may find out about a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

import attrs

from topolang.diagnostics import Diagnostic, Span
from topolang.ir.model import Design, Value

if TYPE_CHECKING:
    from topolang.passes.question import Answer

Status = Literal["proved", "refuted", "open"]


@attrs.frozen
class Verdict:
    """The answer to a claim.

    ``reason`` is one line; ``certificate`` the lines that let a reader check it: the tightest cut, the bounds, the counts per tier. ``places`` are
    statements that the certificate speaks of, with what it says of each. An open verdict is never taken for true.
    """

    status: Status
    reason: str
    certificate: tuple[str, ...] = ()
    places: tuple[tuple[Span, str], ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the claim is proved."""
        return self.status == "proved"


@attrs.frozen
class Pass:
    """A check of a design.

    ``codes`` are the findings that it can raise. ``needs_tables`` says that it is left out where an earlier error leaves no table of all cables and
    ports; ``makes_tables`` says that its own errors do so.
    """

    name: str
    codes: tuple[str, ...]
    run: Callable[[Design], Iterable[Diagnostic]]
    needs_tables: bool = False
    makes_tables: bool = False


@attrs.frozen
class Table:
    """A table of the report: ``key`` names it for programs; ``columns`` are headings in lower case, ``rows`` hold values of the language (numbers,
    quantities, texts, None for what is not known). ``notes`` stand below it: what was assumed, where a formula comes from."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()


@attrs.frozen
class Room:
    """What a folder of `passes` offers: metrics by name, checks that always run, and tables for the report (each may be empty for a design)."""

    answers: Mapping[str, Answer] = attrs.field(factory=dict)
    passes: tuple[Pass, ...] = ()
    tables: tuple[Callable[[Design], Iterable[Table]], ...] = ()
