"""What this room offers."""

from __future__ import annotations

from typing import Final

from topolang.passes.model import Room

ROOM: Final = Room()
