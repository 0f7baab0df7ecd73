"""Tables of the report, as aligned text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from topolang.ir.model import Value
from topolang.semantics.values import show
from topolang.units import BASE_UNIT, Quantity, decimal

if TYPE_CHECKING:
    from topolang.passes.model import Table


def aligned(rows: Sequence[tuple[str, ...]], right: frozenset[int]) -> list[str]:
    """Align text columns; those in ``right`` to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    lines = ["  ".join(cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))) for row in rows]
    return [line.rstrip() for line in lines]


def _cell(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return decimal(value) if isinstance(value, Fraction) else str(value) if isinstance(value, (str, Quantity)) else show(value)


def as_text(table: Table) -> list[str]:
    """Return a title, the aligned rows and the notes."""
    cells = [tuple(map(_cell, row)) for row in table.rows]
    numbers = frozenset(i for i in range(len(table.columns)) if not any(isinstance(row[i], str) for row in table.rows))
    body = aligned([table.columns, *cells], numbers)
    return [table.title, *(f"  {line}" for line in body), *(f"  ({note})" for note in table.notes)]


def as_json(table: Table) -> dict[str, Any]:
    """Return a table for programs: rows are objects by column; a quantity has its text and its amount in the base unit, a fraction is a number."""
    rows = [{column: _plain(value) for column, value in zip(table.columns, row, strict=True)} for row in table.rows]
    return {"title": table.title, "columns": list(table.columns), "rows": rows, "notes": list(table.notes)}


def _plain(value: Value) -> Any:
    if isinstance(value, Quantity):
        amount = value.amount if isinstance(value.amount, int) else float(value.amount)
        return {"text": str(value), "amount": amount, "unit": BASE_UNIT[value.dimension]}
    if isinstance(value, Fraction):
        return float(value)
    return value if value is None or isinstance(value, (bool, int, str)) else show(value)
