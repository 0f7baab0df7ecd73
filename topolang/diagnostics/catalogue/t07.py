"""Texts of T07: protocols of fabrics."""

from __future__ import annotations

from typing import Final

from topolang.diagnostics.catalogue.model import Code

CODES: Final[tuple[Code, ...]] = ()
