"""topolang: a declarative language for the networks of AI clusters, and its compiler.

The names below are loaded when they are first used, so that ``import topolang`` costs nothing::

    from pathlib import Path
    import topolang

    result = topolang.check(topolang.Request(Path("cluster.topo")))
    for finding in result.diagnostics:
        print(finding.code, finding.message)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topolang.diagnostics import Diagnostic
    from topolang.driver import Request, Result, build, check
    from topolang.units import Quantity

__version__ = "0.1.0"

__all__ = ["Diagnostic", "Quantity", "Request", "Result", "__version__", "build", "check"]

_HOMES = {
    "Diagnostic": "topolang.diagnostics",
    "Quantity": "topolang.units",
    "Request": "topolang.driver",
    "Result": "topolang.driver",
    "build": "topolang.driver",
    "check": "topolang.driver",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its room (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
