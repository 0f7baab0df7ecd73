"""Texts of T99: the compiler itself."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code

CODES: tuple[Code, ...] = (
    Code(
        "T9999",
        "internal error",
        "error",
        "The compiler met a situation that it was not built for. This is a fault of the compiler, whatever the program says: please report it with "
        "the program and with what the same command prints when `TOPOLANG_DEBUG=1` is set in the environment.",
    ),
)
