"""Which backends there are: those shipped, and those that other packages announce under the entry point group ``topolang.backends``.

The registry holds functions that import, so that listing names loads nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from topolang.backends.model import Backend
from topolang.diagnostics import Diagnostic, DiagnosticError, did_you_mean, error, warning

GROUP: Final = "topolang.backends"


def _graphviz() -> Backend:
    from topolang.backends.graphviz.backend import Graphviz

    return Graphviz()


def _nccl() -> Backend:
    from topolang.backends.nccl.backend import Nccl

    return Nccl()


def _cables() -> Backend:
    from topolang.backends.cables.backend import Cables

    return Cables()


def _bom() -> Backend:
    from topolang.backends.bom.backend import Bom

    return Bom()


SHIPPED: Final[dict[str, Callable[[], Backend]]] = {"graphviz": _graphviz, "cables": _cables, "bom": _bom, "nccl": _nccl}


def _plugins() -> dict[str, EntryPoint]:
    """Return the announced backends by name; a shipped name cannot be taken over."""
    found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    return {point.name: point for point in found if point.name not in SHIPPED}


def names() -> tuple[str, ...]:
    """Return the names of all backends: the shipped ones in their order, then the others by name."""
    return (*SHIPPED, *_plugins())


def choose(only: tuple[str, ...]) -> tuple[str, ...]:
    """Return the backends to run, in the registry's order; raise T0903 for a name that none has."""
    known = names()
    for name in only:
        if name not in known:
            raise DiagnosticError(error("T0903", f"there is no output `{name}`", help=did_you_mean(name, known)))
    return tuple(name for name in known if not only or name in only)


def load(name: str) -> Backend:
    """Return a backend; raise T0907 where a package's cannot be loaded."""
    if name in SHIPPED:
        return SHIPPED[name]()
    point = _plugins()[name]
    try:
        backend: Backend = point.load()()
    except Exception as problem:
        raise plugin_failed(name, "cannot be loaded", problem) from None
    return backend


def plugin_failed(name: str, what: str, problem: Exception) -> DiagnosticError:
    """Return the finding for a fault in another package's backend."""
    point = _plugins().get(name)
    package = point.dist.name if point is not None and point.dist is not None else "another package"
    said = " ".join(str(problem).split())
    return DiagnosticError(
        error(
            "T0907",
            f"the output `{name}` of {package} {what}: {type(problem).__name__}{f': {said}' if said else ''}",
            help=f"report it to the authors of {package}, or leave this output out with `--only`",
        )
    )


def nothing_to_write(name: str) -> Diagnostic:
    """Return the finding for an output that was asked for but does not apply to the design."""
    return warning("T0908", f"the output `{name}` has nothing to say about this design", notes=[f"it writes {load(name).files}"])
