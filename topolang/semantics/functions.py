"""The built-in pure functions on constants."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

import attrs

from topolang.semantics.limits import LIST_LIMIT
from topolang.units import Quantity, exact


class Misuse(Exception):
    """Say what a built-in function wants instead."""


def _numbers(args: Sequence[Any]) -> list[Any]:
    if len(args) == 1 and isinstance(args[0], range) and len(args[0]) > LIST_LIMIT:
        raise Misuse(f"takes at most {LIST_LIMIT:,} values")
    items: list[Any] = list(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, range)) else list(args)
    if not items:
        raise Misuse("needs at least one value")
    kinds = {("number" if isinstance(i, (int, Fraction)) and not isinstance(i, bool) else getattr(i, "dimension", "?")) for i in items}
    if len(kinds) != 1 or "?" in kinds:
        raise Misuse("takes numbers or quantities of one unit")
    return items


def _amount(value: Any) -> Any:
    return value.amount if isinstance(value, Quantity) else value


def _min(*args: Any) -> Any:
    return min(_numbers(args), key=_amount)


def _max(*args: Any) -> Any:
    return max(_numbers(args), key=_amount)


def _sum(*args: Any) -> Any:
    items = _numbers(args)
    total = exact(sum((Fraction(_amount(i)) for i in items), Fraction(0)))
    return Quantity(total, items[0].dimension) if isinstance(items[0], Quantity) else total


def _number(value: Any) -> int | Fraction:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return value
    raise Misuse("takes a number")


def _ceil(value: Any) -> int:
    return math.ceil(_number(value))


def _floor(value: Any) -> int:
    return math.floor(_number(value))


def _abs(value: Any) -> Any:
    if isinstance(value, Quantity):
        return Quantity(max(value.amount, -value.amount), value.dimension)
    return abs(_number(value))


def _log2(value: Any) -> int | Fraction:
    number = _number(value)
    if number <= 0:
        raise Misuse("takes a number above 0")
    if isinstance(number, int) and number & (number - 1) == 0:
        return number.bit_length() - 1
    return Fraction(math.log2(number)).limit_denominator(10**12)


def _len(value: Any) -> int:
    if isinstance(value, (tuple, range)):
        return len(value)
    raise Misuse("takes a list or a range")


def _bidir(value: Any) -> Quantity:
    if isinstance(value, Quantity) and value.dimension == "rate":
        return Quantity(exact(Fraction(value.amount) / 2), "rate")
    raise Misuse("takes a rate that counts both directions, such as `bidir(1.8TB/s)`")


def _next_divisor(number: Any, least: Any) -> int:
    n, low = _number(number), _number(least)
    if not isinstance(n, int) or not 1 <= n <= 10**6:
        raise Misuse("takes a whole number from 1 to 1,000,000 and the least divisor wanted")
    for d in range(max(1, math.ceil(low)), n + 1):
        if n % d == 0:
            return d
    raise Misuse(f"{n} has no divisor of at least {low}")


@attrs.frozen
class Function:
    """A built-in function: implementation, number of arguments (None: any) and a one-line description."""

    call: Callable[..., Any]
    arity: int | None
    doc: str


FUNCTIONS: Final[dict[str, Function]] = {
    "abs": Function(_abs, 1, "the absolute value"),
    "bidir": Function(_bidir, 1, "the rate per direction of a figure that counts both"),
    "ceil": Function(_ceil, 1, "the least whole number that is not below"),
    "floor": Function(_floor, 1, "the greatest whole number that is not above"),
    "len": Function(_len, 1, "the number of items of a list or range"),
    "log2": Function(_log2, 1, "the logarithm to base 2"),
    "max": Function(_max, None, "the greatest of its arguments, or of one list"),
    "min": Function(_min, None, "the least of its arguments, or of one list"),
    "next_divisor": Function(_next_divisor, 2, "the smallest divisor of the first number that is not below the second"),
    "sum": Function(_sum, None, "the sum of its arguments, or of one list"),
}
