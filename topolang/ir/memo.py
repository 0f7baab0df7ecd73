"""Remember what was computed from an object, on the object itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

import attrs


class Remembers(Protocol):
    """An object that carries what was computed from it."""

    @property
    def memo(self) -> dict[Any, Any]:
        """Results by function."""


K = TypeVar("K", bound=Remembers)
V = TypeVar("V")


def memo_field() -> dict[Any, Any]:
    """Declare the field ``memo`` of an attrs class: no part of its value, and freed with the object."""
    return cast("dict[Any, Any]", attrs.field(factory=dict, init=False, eq=False, repr=False))


def once_per_object(function: Callable[[K], V]) -> Callable[[K], V]:
    """Compute a function of an object once and keep the result with the object."""

    @wraps(function)
    def cached(key: K) -> V:
        if function not in key.memo:
            key.memo[function] = function(key)
        return cast("V", key.memo[function])

    return cached
