"""Exact quantities: integers of a small base unit, with the dimension they measure.

Every literal such as ``400Gb/s`` becomes a `Quantity`: an exact integer (a fraction only where the user divides) of the base unit of its
dimension. Rates are per direction; ``Gb/s`` and ``GB/s`` are one dimension and convert by 8 (decimal prefixes, IEC 80000-13 for ``TiB``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import attrs

# unit -> (dimension, how many base units one of it is)
UNITS: Final[dict[str, tuple[str, int]]] = {
    "Tb/s": ("rate", 10**12),
    "Gb/s": ("rate", 10**9),
    "Mb/s": ("rate", 10**6),
    "TB/s": ("rate", 8 * 10**12),
    "GB/s": ("rate", 8 * 10**9),
    "MB/s": ("rate", 8 * 10**6),
    "GT/s": ("transfer_rate", 10**9),
    "TiB": ("capacity", 2**40),
    "GiB": ("capacity", 2**30),
    "MiB": ("capacity", 2**20),
    "TB": ("capacity", 10**12),
    "GB": ("capacity", 10**9),
    "MB": ("capacity", 10**6),
    "KiB": ("capacity", 2**10),
    "kB": ("capacity", 10**3),
    "B": ("capacity", 1),
    "MHz": ("frequency", 10**6),
    "GHz": ("frequency", 10**9),
    "MW": ("power", 10**9),
    "kW": ("power", 10**6),
    "W": ("power", 10**3),
    "km": ("length", 10**6),
    "m": ("length", 10**3),
    "cm": ("length", 10),
    "mm": ("length", 1),
    "U": ("rack_units", 1),
    "s": ("time", 10**12),
    "ms": ("time", 10**9),
    "us": ("time", 10**6),
    "ns": ("time", 10**3),
    "kg": ("mass", 10**3),
    "g": ("mass", 1),
    "usd": ("money", 100),
    "A": ("current", 10**3),
    "V": ("voltage", 10**3),
    "C": ("temperature", 1),
    "%": ("percent", 1),
}

# dimension -> name of its base unit, for documentation and JSON keys
BASE_UNIT: Final[dict[str, str]] = {
    "rate": "bit/s",
    "transfer_rate": "T/s",
    "capacity": "B",
    "frequency": "Hz",
    "power": "mW",
    "length": "mm",
    "rack_units": "U",
    "time": "ps",
    "mass": "g",
    "money": "cent",
    "current": "mA",
    "voltage": "mV",
    "temperature": "C",
    "percent": "%",
}

# the units in which a value of a dimension is written when it was computed, largest first
_PREFERRED: Final[dict[str, tuple[str, ...]]] = {
    "rate": ("Tb/s", "Gb/s", "Mb/s"),
    "transfer_rate": ("GT/s",),
    "capacity": ("TiB", "GiB", "TB", "GB", "MB", "kB", "B"),
    "frequency": ("GHz", "MHz"),
    "power": ("MW", "kW", "W"),
    "length": ("km", "m", "cm", "mm"),
    "rack_units": ("U",),
    "time": ("s", "ms", "us", "ns"),
    "mass": ("kg", "g"),
    "money": ("usd",),
    "current": ("A",),
    "voltage": ("V",),
    "temperature": ("C",),
    "percent": ("%",),
}


def exact(value: int | Fraction) -> int | Fraction:
    """Return an int where the value is whole, else the fraction."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value


def decimal(value: int | Fraction, places: int = 3) -> str:
    """Write a number exactly where that takes at most ``places`` decimals, else rounded to them."""
    if isinstance(value, int):
        return str(value)
    scaled = round(value * 10**places)
    sign = "-" if scaled < 0 else ""
    whole, rest = divmod(abs(scaled), 10**places)
    text = f"{rest:0{places}}".rstrip("0")
    return f"{sign}{whole}.{text}" if text else f"{sign}{whole}"


@attrs.frozen(order=False)
class Quantity:
    """An exact amount of one dimension; ``unit`` only remembers how the user wrote it."""

    amount: int | Fraction = attrs.field(converter=exact)
    dimension: str
    unit: str | None = attrs.field(default=None, eq=False)

    @classmethod
    def of(cls, number: int | Fraction, unit: str) -> Quantity:
        """Return ``number`` of ``unit``; raise KeyError for an unknown unit."""
        dimension, factor = UNITS[unit]
        return cls(Fraction(number) * factor, dimension, unit)

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """Read a literal such as ``1.5usd``; raise KeyError or ValueError if it is none."""
        digits = len(text) - len(text.lstrip("0123456789."))
        return cls.of(Fraction(text[:digits]), text[digits:])

    def in_unit(self, unit: str) -> int | Fraction:
        """Return the number of ``unit`` that this is; raise ValueError if it measures something else."""
        dimension, factor = UNITS[unit]
        if dimension != self.dimension:
            raise ValueError(f"{self.dimension} is not measured in {unit}")
        return exact(Fraction(self.amount, factor))

    def __str__(self) -> str:
        """Write it in the user's unit, or in the largest one of which it holds at least one."""
        if self.unit is not None:
            return f"{decimal(self.in_unit(self.unit))}{self.unit}"
        units = _PREFERRED[self.dimension]
        for unit in units:
            number = self.in_unit(unit)
            if abs(Fraction(number)) >= 1 and (isinstance(number, int) or abs(number) >= 10 or unit in units[-2:]):
                return f"{decimal(number)}{unit}"
        return f"{decimal(self.in_unit(units[-1]))}{units[-1]}"


def gbps(rate: Quantity) -> str:
    """Write a rate in Gb/s, the unit of link rates in every output."""
    return f"{decimal(rate.in_unit('Gb/s'))}Gb/s"
