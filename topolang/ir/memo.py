"""Remember a computed value for as long as the object that it belongs to lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

P = ParamSpec("P")
K = TypeVar("K")
V = TypeVar("V")


def once_per_object(function: Callable[[K], V]) -> Callable[[K], V]:
    """Cache a function of one object (compared by identity) without keeping the object alive."""
    known: WeakKeyDictionary[K, V] = WeakKeyDictionary()

    @wraps(function)
    def cached(key: K) -> V:
        try:
            return known[key]
        except KeyError:
            value = known[key] = function(key)
            return value

    return cached
