"""The nearest known name for a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_MOST: Final = 200


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that ``name`` most likely stands for, or None.

    Case is ignored first; then the closest by `difflib` ratio of at least 0.6 (0.5 for names of up to four letters, where one slip weighs more).
    """
    candidates = sorted(set(known))
    if len(candidates) > _MOST:
        # comparing with each takes too long for a program of many names and many mistakes
        candidates = [c for c in candidates if c[:1].lower() == name[:1].lower() and abs(len(c) - len(name)) <= 2][:_MOST]
    folded = {candidate.lower(): candidate for candidate in reversed(candidates)}
    if name.lower() in folded:
        return folded[name.lower()]
    matches = get_close_matches(name.lower(), folded, n=1, cutoff=0.5 if len(name) <= 4 else 0.6)
    return folded[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the help lines for an unknown name: the nearest, or else what exists (at most twelve)."""
    names = sorted(set(known))
    best = nearest(name, names)
    if best is not None:
        return (f"write `{best}`",)
    if not names:
        return ()
    shown = ", ".join(f"`{n}`" for n in names[:12])
    return (f"known here: {shown}{', …' if len(names) > 12 else ''}",)
