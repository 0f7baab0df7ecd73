"""Texts of T10: power, waste and traffic."""

from __future__ import annotations

from typing import Final

from topolang.diagnostics.catalogue.model import Code

CODES: Final[tuple[Code, ...]] = ()
