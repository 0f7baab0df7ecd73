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
    """What an expression came to: ``value``, or None with the ``reason`` why it is open. ``verdict`` is that of the metric that decided.

    An open number may have bounds: it lies between ``least`` and ``most``, both included, where these are given.
    """

    value: Value
    reason: str = ""
    verdict: Verdict | None = None
    least: Value = None
    most: Value = None

    @property
    def open(self) -> bool:
        """Whether there is no value."""
        return self.value is None

    @property
    def bounded(self) -> bool:
        """Whether there is no value, but a bound of it."""
        return self.value is None and (self.least is not None or self.most is not None)

    @property
    def low(self) -> Value:
        """The value, or the most that it is known to reach."""
        return self.least if self.value is None else self.value

    @property
    def high(self) -> Value:
        """The value, or the least that it is known not to exceed."""
        return self.most if self.value is None else self.value

    @property
    def shown(self) -> str:
        """The value as the language writes it, or its bounds."""
        if self.value is not None:
            return show(self.value)
        if self.least is None:
            return f"at most {show(self.most)}"
        return f"at least {show(self.least)}" if self.most is None else f"between {show(self.least)} and {show(self.most)}"


def unknown(reason: str) -> Outcome:
    """Return an outcome without a value."""
    return Outcome(None, reason)


def bounds(least: Value, most: Value, reason: str, verdict: Verdict | None = None) -> Outcome:
    """Return a number that is known to lie between two others (None: no bound); the number itself where both agree."""
    if least is not None and least == most:
        return Outcome(least, reason, verdict)
    return Outcome(None, reason, verdict, least, most)


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
        if outcome.open and not outcome.bounded:
            return outcome
    if any(outcome.bounded for outcome in operands):
        return _interval(op, operands)
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


# ---------------------------------------------------------------- numbers of which only bounds are known


def _interval(op: str, operands: list[Outcome]) -> Outcome:
    """Return a comparison that the bounds decide, or the bounds of a sum, a difference or a scaled number; open otherwise."""
    first = next(o for o in operands if o.bounded)
    if op in ("<", "<=", ">", ">="):
        return _compare_bounds(op, *operands)
    if op in ("+", "-", "neg", "*", "/"):
        return _shifted(op, operands) if op in ("+", "-") else _scaled(op, operands)
    return attrs.evolve(first, least=None, most=None)


def _compare_bounds(op: str, a: Outcome, b: Outcome) -> Outcome:
    """Decide a comparison where even the worst case of the bounds agrees with the best."""
    small, great = (a, b) if op in ("<", "<=") else (b, a)
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op]
    surely = "<" if op in ("<", ">") else "<="
    reasons = "; ".join(o.reason for o in (a, b) if o.bounded and o.reason)
    verdict = next((o.verdict for o in (a, b) if o.bounded and o.verdict is not None), None)
    text = f"{a.shown} against {b.shown}{f': {reasons}' if reasons else ''}"
    if small.high is not None and great.low is not None:
        found = _compare(surely, small.high, great.low)
        if found.open or found.value:
            return found if found.open else Outcome(True, text, verdict)
    if small.low is not None and great.high is not None:
        found = _compare(surely, small.low, great.high)
        if found.open or not found.value:
            return found if found.open else Outcome(False, text, verdict)
    return Outcome(None, f"{a.shown} may be {op} or {opposite} {b.shown}{f': {reasons}' if reasons else ''}", verdict)


def _both(outcome: Outcome) -> tuple[Value, Value]:
    return outcome.low, outcome.high


def _shifted(op: str, operands: list[Outcome]) -> Outcome:
    (a, b), (c, d) = map(_both, operands)
    if op == "-":
        c, d = d, c
    ends = [None if x is None or y is None else _arithmetic(op, x, y) for x, y in ((a, c), (b, d))]
    return _bounded(ends, operands)


def _scaled(op: str, operands: list[Outcome]) -> Outcome:
    """Multiply or divide a number of known bounds by one that is known; anything else has no bounds."""
    if op == "neg":
        ends = [None if v is None else _of(-_number(v), v) for v in reversed(_both(operands[0]))]
        return _bounded(ends, operands)
    a, b = operands
    if (a.bounded and b.bounded) or (op == "/" and b.bounded):
        return unknown("; ".join(o.reason for o in operands if o.bounded and o.reason))
    interval, factor = (a, b.value) if a.bounded else (b, a.value)
    if isinstance(factor, bool) or not isinstance(factor, (int, Fraction, Quantity)):
        return unknown(f"`{op}` takes numbers and quantities")
    pairs = [None if v is None else _arithmetic(op, v, factor) if a.bounded else _arithmetic(op, factor, v) for v in _both(interval)]
    return _bounded(pairs if _number(factor) >= 0 else pairs[::-1], operands)


def _bounded(ends: list[Outcome | None], operands: list[Outcome]) -> Outcome:
    failed = next((e for e in ends if e is not None and e.open), None)
    if failed is not None:
        return failed
    reason = "; ".join(o.reason for o in operands if o.bounded and o.reason)
    low, high = (None if e is None else e.value for e in ends)
    return bounds(low, high, reason, next((o.verdict for o in operands if o.verdict is not None), None))
