"""Values of the language and their types: what a constant expression yields, and what an attribute or parameter accepts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import attrs

from topolang.diagnostics import DiagnosticError, Span, error, nearest
from topolang.diagnostics.cells import visible
from topolang.semantics.limits import unrolled
from topolang.semantics.scope import Scope
from topolang.syntax import ast
from topolang.units import BASE_UNIT, Quantity


@attrs.frozen(eq=False)
class DeviceRef:
    """A device (or module) declaration together with the scope in which it was written; parts are made from it on use."""

    declaration: ast.Container
    scope: Any = attrs.field(repr=False)

    @property
    def name(self) -> str:
        """The declared name."""
        return self.declaration.name.text

    def __str__(self) -> str:
        """Return the declared name."""
        return self.name


@attrs.frozen
class Type:
    """A type by name, or a list of it."""

    name: str
    listed: bool = False

    def __str__(self) -> str:
        """Return it as written in a parameter."""
        return f"list of {self.name}" if self.listed else self.name


ALIASES: Final = {"bandwidth": "rate", "number": "float"}
SCALARS: Final = ("int", "count", "float", "bool", "string", "device", "range", "ref", "dimension")
KNOWN_TYPES: Final = tuple(sorted({*SCALARS, *ALIASES, *BASE_UNIT}))

_EXAMPLE: Final = {
    "rate": "400Gb/s",
    "transfer_rate": "32GT/s",
    "capacity": "2TiB",
    "frequency": "2GHz",
    "power": "44kW",
    "length": "3m",
    "rack_units": "8U",
    "time": "130ns",
    "mass": "12kg",
    "money": "1.5usd",
    "current": "16A",
    "voltage": "48V",
    "temperature": "85C",
    "percent": "1%",
    "string": '"text"',
    "bool": "on",
    "int": "4",
    "count": "4",
    "float": "1.5",
    "range": "1..8",
    "device": "qm9700",
    "ref": "node",
    "dimension": "s",
}


def resolve_type(name: ast.Name, listed: bool) -> Type:
    """Return the type that a name stands for; raise T0108 for an unknown one."""
    text = ALIASES.get(name.text, name.text)
    if text not in SCALARS and text not in BASE_UNIT:
        best = nearest(name.text, KNOWN_TYPES)
        raise DiagnosticError(
            error(
                "T0108",
                f"unknown type `{name.text}`",
                name.span,
                "no such type",
                help=f"write `{best}`" if best else f"types are {', '.join(KNOWN_TYPES)}",
            )
        )
    return Type(text, listed)


def type_of(value: Any) -> str:
    """Return the type of a value in the user's terms."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, Fraction):
        return "float"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Quantity):
        return value.dimension
    if isinstance(value, DeviceRef):
        return value.declaration.kind
    if isinstance(value, range):
        return "range"
    return "import" if isinstance(value, Scope) else "list"


# longer ones are shortened in messages
_SHOWN_ITEMS: Final = 16
_SHOWN_TEXT: Final = 120


def described(value: Any) -> str:
    """Return the type of a value with its article: `an int`."""
    kind = type_of(value)
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def show(value: Any) -> str:
    """Write a value as the user would."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = "".join(map(visible, value[:_SHOWN_TEXT]))
        return f'"{text}"' if len(value) <= _SHOWN_TEXT else f'"{text}…"'
    if isinstance(value, Scope):
        return "an import"
    if isinstance(value, range):
        return f"{value[0]}..{value[-1]}" + (f" by {value.step}" if value.step != 1 else "")
    if isinstance(value, tuple):
        more = f", … {len(value) - _SHOWN_ITEMS:,} more" if len(value) > _SHOWN_ITEMS else ""
        return f"[{', '.join(show(v) for v in value[:_SHOWN_ITEMS])}{more}]"
    if isinstance(value, Fraction):
        return f"{float(value):g}" if value.denominator not in (1, 2, 4, 5, 8, 10, 20, 25, 50, 100) else str(float(value))
    return str(value)


def convert(value: Any, wanted: Type, span: Span, what: str) -> Any:
    """Return ``value`` as the wanted type; raise T0103 naming both types if it is of another one."""
    if wanted.listed:
        if isinstance(value, range):
            value = unrolled(value, span)
        if isinstance(value, tuple):
            return tuple(convert(item, Type(wanted.name), span, f"an item of {what}") for item in value)
    elif _fits(value, wanted.name):
        return Fraction(value) if wanted.name == "float" and isinstance(value, int) else value
    example = _EXAMPLE[wanted.name]
    found = "a number below 0" if wanted.name == "count" and type_of(value) == "int" else described(value)
    raise DiagnosticError(
        error(
            "T0103",
            f"{what} is of type `{wanted}`, but this is {found}",
            span,
            f"{type_of(value)}",
            help=f"write it like `[{example}]`" if wanted.listed else _like(wanted, example),
        )
    )


def _like(wanted: Type, example: str) -> str:
    return f"write it like `{example}`{' or `8U` (rack units)' if wanted.name == 'length' else ''}"


def _fits(value: Any, wanted: str) -> bool:
    actual = type_of(value)
    return (
        actual == wanted
        or (wanted == "float" and actual == "int")
        or (wanted == "count" and actual == "int" and value >= 0)
        or (wanted == "range" and actual == "int")
        or (wanted == "length" and actual == "rack_units")
        or (wanted == "string" and actual == "string")
    )
