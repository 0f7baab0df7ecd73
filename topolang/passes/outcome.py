"""Three-valued results of claims and of the expressions in them: a value, or the reason why there is none."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import attrs

from topolang.ir.model import Value
from topolang.passes.model import Verdict
from topolang.units import Quantity, decimal, exact


@attrs.frozen
class Outcome:
    """What an expression came to: ``value``, or None with the ``reason`` why it is open. ``verdict`` is that of the metric that decided."""

    value: Value
    reason: str = ""
    verdict: Verdict | None = None

    @property
    def open(self) -> bool:
        """Whether there is no value."""
        return self.value is None


def unknown(reason: str) -> Outcome:
    """Return an outcome without a value."""
    return Outcome(None, reason)


def decided(verdict: Verdict) -> Outcome:
    """Return a verdict as a truth value, or none where it is open."""
    return Outcome({"proved": True, "refuted": False, "open": None}[verdict.status], verdict.reason, verdict)


def show(value: Value) -> str:
    """Write a value as the language does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, range):
        return f"{value[0]}..{value[-1]}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(show, value))}]"
    return str(value)


_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def logic(op: str, operands: list[Outcome]) -> Outcome:
    """Return ``and``, ``or``, ``not`` in Kleene's logic; the deciding operand's reason and verdict are kept."""
    if op == "not":
        inner = operands[0]
        return inner if inner.open else Outcome(not inner.value, inner.reason, inner.verdict)
    decisive = op == "or"
    for outcome in operands:
        if outcome.value is decisive:
            return outcome
    for outcome in operands:
        if outcome.open:
            return outcome
    reason = "; ".join(o.reason for o in operands if o.reason)
    verdicts = [o.verdict for o in operands if o.verdict is not None]
    certificate = tuple(line for v in verdicts for line in v.certificate)
    places = tuple(place for v in verdicts for place in v.places)
    return Outcome(not decisive, reason, Verdict("refuted" if decisive else "proved", reason, certificate, places))


def apply(op: str, operands: list[Outcome]) -> Outcome:
    """Return a comparison, a membership test or exact arithmetic of outcomes; open where an operand is, or where units do not go together."""
    for outcome in operands:
        if outcome.open:
            return outcome
    values = [o.value for o in operands]
    if op in _COMPARE:
        return _compare(op, *values)
    if op == "in":
        return Outcome(values[0] in values[1], f"{show(values[0])} in {show(values[1])}")
    if op == "neg":
        return _of(-_number(values[0]), values[0])
    return _arithmetic(op, *values)


def _number(value: Value) -> Fraction:
    return Fraction(value.amount if isinstance(value, Quantity) else value)


def _of(number: Fraction, like: Value) -> Outcome:
    return Outcome(Quantity(number, like.dimension) if isinstance(like, Quantity) else exact(number))


def _dimension(value: Value) -> str:
    if isinstance(value, Quantity):
        return value.dimension
    return "number" if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else type(value).__name__


def _compare(op: str, a: Value, b: Value) -> Outcome:
    if _dimension(a) != _dimension(b):
        return unknown(f"{show(a)} and {show(b)} are of different kinds")
    x, y = (v.amount if isinstance(v, Quantity) else v for v in (a, b))
    if op not in ("==", "!=") and not isinstance(x, (int, Fraction)):
        return unknown(f"{show(a)} and {show(b)} have no order")
    return Outcome(bool(_COMPARE[op](x, y)), f"{show(a)} {op} {show(b)}")


def _arithmetic(op: str, a: Value, b: Value) -> Outcome:
    kinds = _dimension(a), _dimension(b)
    quantities = [v for v in (a, b) if isinstance(v, Quantity)]
    if any(not isinstance(v, (int, Fraction, Quantity)) or isinstance(v, bool) for v in (a, b)):
        return unknown(f"`{op}` takes numbers and quantities")
    x, y = _number(a), _number(b)
    if op in ("+", "-"):
        return _of(x + y if op == "+" else x - y, a) if kinds[0] == kinds[1] else unknown(f"{show(a)} and {show(b)} are of different kinds")
    if op == "*":
        return _of(x * y, quantities[0] if quantities else a) if len(quantities) < 2 else unknown("two quantities are multiplied")
    if isinstance(b, Quantity) and kinds[0] != kinds[1]:
        return unknown(f"{show(a)} and {show(b)} are of different kinds")
    if not y:
        return unknown(f"`{op}` by 0")
    if op == "/":
        return Outcome(exact(x / y)) if isinstance(b, Quantity) else _of(x / y, a)
    if op == "div":
        return Outcome(x // y)
    return _of(x % y, a) if op == "mod" else unknown(f"`{op}` is not computed here")
