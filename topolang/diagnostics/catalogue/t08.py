"""Texts of T08: insides of servers and memory pools."""

from __future__ import annotations

from typing import Final

from topolang.diagnostics.catalogue.model import Code

CODES: Final[tuple[Code, ...]] = ()
