"""From a text to its syntax tree. One mistake costs one statement: reading goes on at the next, inside the block where it happened."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from topolang.diagnostics import Diagnostic, Sink, SourceFile
from topolang.syntax import ast, limits
from topolang.syntax.build import Builder
from topolang.syntax.foreign import recognise
from topolang.syntax.grammar import load
from topolang.syntax.lexer import Tokens, tokenise
from topolang.syntax.reader import Reader
from topolang.syntax.words import EDITION

# far above any program written by hand
TEXT_LIMIT: Final = 8 * 2**20


def parse(source: SourceFile, sink: Sink) -> ast.File:
    """Return the tree of a file; mistakes go to ``sink``, and what can be read is in the tree.

    A file of another kind (T0006 to T0008) and one of a later edition (T0005) have no items. A missing edition is a warning (T0004).
    """
    refused = limits.too_large(source, TEXT_LIMIT) if len(source.text) > TEXT_LIMIT else recognise(source)
    if refused is not None:
        sink.add(refused)
        return ast.File(source, None, ())
    with _collector_at_rest():
        tokens = tokenise(source, load())
        edition, refused = _edition(tokens)
        if refused is not None:
            sink.add(refused)
        if edition not in (None, EDITION):
            return ast.File(source, edition, ())
        tree = Reader(tokens, sink, "file").read()
        items = Builder(source, sink).file(tree) if tree is not None else ()
        return ast.File(source, edition, items)


def parse_expression(source: SourceFile, sink: Sink) -> ast.Expr | None:
    """Return the expression that is the whole text, such as the value of ``-D name=value``; None after a mistake, which is in ``sink``."""
    if len(source.text) > TEXT_LIMIT:
        sink.add(limits.too_large(source, TEXT_LIMIT))
        return None
    tree = Reader(tokenise(source, load()), sink, "value").read()
    return Builder(source, sink).value(tree) if tree is not None else None


def _edition(tokens: Tokens) -> tuple[int | None, Diagnostic | None]:
    """Return the edition that a file states and what is wrong with it."""
    first = 1 if tokens.kinds[0] == "_NEWLINE" else 0
    if tokens.kinds[first] != "TOPOLANG":
        return None, limits.no_edition(tokens, first)
    if tokens.kinds[first + 1] != "INT":
        return None, None
    stated = int(tokens.text(first + 1)[:18])
    return stated, limits.unknown_edition(tokens, first) if stated != EDITION else None


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector from searching the growing tree again and again: it holds no cycles and all of it is in use."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
