"""Values of the language as text and as JSON, and other wordings that outputs share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from topolang.ir.model import Bundle, Dim
from topolang.units import Quantity, decimal


def plain(value: Any) -> Any:
    """Return a value as JSON has it: numbers and truth values as such, lists as lists, everything else as it is written in a program."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return text(value)


def text(value: Any) -> str:
    """Return a value as it is written in a program (strings without quotes)."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, range):
        return span(value)
    if isinstance(value, tuple):
        return f"[{', '.join(text(item) for item in value)}]"
    return str(value)


def span(values: range) -> str:
    """Return ``1..8``, ``1..9 by 2`` or, for a single index, ``1``."""
    if len(values) == 1:
        return str(values[0])
    step = f" by {values.step}" if values.step != 1 else ""
    return f"{values[0]}..{values[-1]}{step}" if len(values) else "none"


def dims(dims: Sequence[Dim]) -> str:
    """Return ``s 1..4 · rail 0..7``."""
    return " · ".join(f"{d.name} {span(d.values)}" for d in dims)


def watts(power: Any) -> int | float | None:
    """Return a power in W, or None where it is unknown."""
    if not isinstance(power, Quantity) or power.dimension != "power":
        return None
    number = power.in_unit("W")
    return number if isinstance(number, int) else float(number)


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return names in backticks, at most ``most`` of them and the number of the others."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def medium(bundle: Bundle) -> str:
    """Return the medium that the program states for a bundle or its fabric, else nothing: the physical stage chooses it."""
    return str(bundle.attributes.get("medium") or bundle.fabric.attributes.get("medium") or "")
