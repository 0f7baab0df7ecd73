"""Numbers, quantities and strings as they are written."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from topolang.diagnostics import Fix, Sink, Span, error, nearest
from topolang.units import UNITS, Quantity

DIGIT_LIMIT: Final = 18

_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPE: Final = re.compile(r"\\(.)")
_PARTS: Final = re.compile(r"(\d+(?:\.\d+)?)(.*)")
# how other tools write units that are spelt differently here
_SPELT: Final = {
    **{f"{p}Bps": f"{p}B/s" for p in "MGT"},
    **{f"{p}{bit}": f"{p.upper()}b/s" for p in "MGTmgt" for bit in ("bit/s", "bit", "bits", "bits/s", "bps")},
    **{"in": "cm", "inch": "cm", "ft": "m", "meter": "m", "meters": "m", "metre": "m", "metres": "m", "sec": "s"},
    **{"w": "W", "kw": "kW", "KW": "kW", "u": "U", "RU": "U", "HE": "U", "USD": "usd", "lb": "kg"},
}


def number(span: Span, sink: Sink) -> str:
    """Return the digits of a number, or ``0`` and T0023 where they are too many."""
    text = span.text
    digits = len(text) - text.count(".")
    if digits <= DIGIT_LIMIT:
        return text
    message = f"a number of {digits:,} digits is too long"
    sink.add(error("T0023", message, span, f"at most {DIGIT_LIMIT} digits", help="write it with a larger unit, or as a product"))
    return "0"


def quantity(span: Span, sink: Sink) -> Quantity:
    """Return an amount; T0102 for a unit that is none, with the likely one in its place."""
    found = _PARTS.fullmatch(span.text)
    assert found is not None
    digits, unit = found.groups()
    place = Span(span.source, span.start + len(digits), span.end)
    amount = Fraction(number(Span(span.source, span.start, place.start), sink))
    if unit in UNITS:
        return Quantity.of(amount, unit)
    if unit in ("M", "G", "T"):
        label = "bits or bytes?"
        help_ = f"write `{digits}{unit}b/s` (line rate, in bits) or `{digits}{unit}B/s` (bytes)"
        sink.add(error("T0102", f"the unit of `{span.text}` is ambiguous", span, label, help=help_))
        return Quantity.of(amount, f"{unit}b/s")
    likely = _SPELT.get(unit) or _likely(unit)
    fix = Fix(place, likely) if likely else None
    sink.add(error("T0102", f"unknown unit `{unit}`", place, "no unit of this name", help=_advice(digits, unit, likely), fix=fix))
    return Quantity.of(amount, likely or "usd")


def _likely(unit: str) -> str | None:
    """Return the unit that a misspelt one stands for; a small `b` is a bit, so that no guess is eight times off."""
    known = [u for u in UNITS if u[-3:] != "B/s"] if "b" in unit else list(UNITS)
    return nearest(unit, known)


def _advice(digits: str, unit: str, likely: str | None) -> str:
    if unit.startswith("_") and unit.strip("_").isdigit():
        return f"write the number without `_`: `{digits}{unit.replace('_', '')}`"
    if re.fullmatch(r"[eE]\d*", unit) or (digits == "0" and re.fullmatch(r"[xbo][0-9a-fA-F]+", unit)):
        return "write the number in full, in decimal digits"
    if likely:
        return f"write `{digits}{likely}`"
    return f"the units are {', '.join(f'`{known}`' for known in UNITS)}; a name does not begin with a digit"


def string(span: Span, sink: Sink) -> str:
    """Return the text between the quotes; T0025 for an escape that is none."""

    def resolve(found: re.Match[str]) -> str:
        if found.group(1) in _ESCAPES:
            return _ESCAPES[found.group(1)]
        place = Span(span.source, span.start + 1 + found.start(), span.start + 1 + found.end())
        known = ", ".join(f"`\\{char}`" for char in _ESCAPES)
        sink.add(error("T0025", f"unknown escape `{found.group()}`", place, "no escape", help=f"write `\\\\` for a backslash; escapes are {known}"))
        return found.group(1)

    inner = span.text[1:-1]
    return _ESCAPE.sub(resolve, inner) if "\\" in inner else inner
