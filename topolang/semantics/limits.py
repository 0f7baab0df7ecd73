"""How large the values of a program and what it is written out to may become; far above any real design, below what exhausts a machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from topolang.diagnostics import DiagnosticError, Span, error
from topolang.semantics.scope import Poisoned, Scope
from topolang.syntax import ast

# items of one list and depth of lists in lists; items of all lists that a file makes
LIST_LIMIT: Final = 2**16
LIST_DEPTH: Final = 8
LISTS_LIMIT: Final = 2**22
# ends of a range: sums and differences of indices stay exact in 64 bits
INDEX_LIMIT: Final = 2**60
# statements once modules are copied and loops are run
STATEMENT_LIMIT: Final = 2**14
# ports of all types of devices together
PORTS_LIMIT: Final = 2**21
# characters of a name or a template
NAME_LIMIT: Final = 200
# characters of a declared name
IDENTIFIER_LIMIT: Final = 100
# files that are open at once because each imports the next
IMPORT_DEPTH: Final = 64


def _too_many(what: str, limit: int, span: Span) -> DiagnosticError:
    return DiagnosticError(error("T0308", f"{what} are more than can be built", span, f"at most {limit:,}"))


def _weigh(value: Any, depth: int, span: Span) -> int:
    """Return the number of items, those of inner lists counted each time they occur."""
    if not isinstance(value, tuple):
        return 1
    if depth == LIST_DEPTH:
        raise _too_many(f"lists nested more than {LIST_DEPTH} deep", LIST_DEPTH, span)
    total = 1
    for item in value:
        total += _weigh(item, depth + 1, span) if isinstance(item, tuple) else 1
        if total > LIST_LIMIT + 1:
            raise _too_many(f"more than {LIST_LIMIT:,} items of a list", LIST_LIMIT, span)
    return total


def bounded_name(name: ast.Name) -> str:
    """Return a declared name; raise T0308 where it is too long for file names and tables."""
    if len(name.text) > IDENTIFIER_LIMIT:
        raise _too_many(f"{len(name.text):,} characters of a name", IDENTIFIER_LIMIT, name.span)
    return name.text


def bounded_list(items: Iterable[Any], scope: Scope, span: Span) -> tuple[Any, ...]:
    """Return a list; raise T0308 where it, or all lists of the file together, are too large (`Poisoned` for those after that)."""
    value = tuple(items)
    if scope.count_items(0) > LISTS_LIMIT:
        raise Poisoned
    if scope.count_items(_weigh(value, 0, span)) > LISTS_LIMIT:
        raise _too_many(f"more than {LISTS_LIMIT:,} items of all lists", LISTS_LIMIT, span)
    return value


def unrolled(values: range, span: Span) -> tuple[int, ...]:
    """Return a range as a list; raise T0308 where it is too long."""
    if len(values) > LIST_LIMIT:
        raise _too_many(f"{len(values):,} items of a list", LIST_LIMIT, span)
    return tuple(values)


def whole_numbers(value: Any) -> Sequence[int] | None:
    """Return a number, range or list of whole numbers as a sequence, or None for anything else."""
    if isinstance(value, range):
        return value
    items = value if isinstance(value, tuple) else (value,)
    return items if all(isinstance(v, int) and not isinstance(v, bool) for v in items) else None


def outside(wanted: Sequence[int], have: range) -> tuple[int, int] | None:
    """Return the first and the last of the wanted values that are not there, or None; in time of what is there, however many are wanted."""
    first = next((v for v in wanted if v not in have), None)
    return None if first is None else (first, next(v for v in reversed(wanted) if v not in have))
