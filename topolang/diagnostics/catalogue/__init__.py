"""The register of codes: each code's title, what it means, and a wrong and a right program.

One module per range holds the texts; to add a code, add an entry there, use the code, and run the tests with ``--accept``, which writes
``docs/errors.md`` anew.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Final

from topolang.diagnostics.catalogue.model import Code

RANGES: Final[dict[str, str]] = {
    "T00": "files and syntax",
    "T01": "values, types and units",
    "T02": "names and imports",
    "T03": "dimensions and joins",
    "T04": "ports and cages",
    "T05": "fabrics",
    "T06": "assertions",
    "T07": "protocols of fabrics",
    "T08": "insides of servers and memory pools",
    "T09": "outputs",
    "T10": "power, waste and traffic",
    "T11": "failures",
    "T12": "traces",
    "T99": "the compiler itself",
}


@lru_cache(maxsize=1)
def all_codes() -> tuple[Code, ...]:
    """Return every code, in order."""
    modules = (import_module(f"{__name__}.{prefix.lower()}") for prefix in RANGES)
    return tuple(sorted((code for module in modules for code in module.CODES), key=lambda c: c.code))


def find(code: str) -> Code | None:
    """Return what is known about a code, whatever its case, or None."""
    return next((known for known in all_codes() if known.code == code.upper()), None)


__all__ = ["RANGES", "Code", "all_codes", "find"]
