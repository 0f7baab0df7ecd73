"""What is known about a token that does not fit."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from topolang.diagnostics import Span
from topolang.syntax.brackets import Brackets
from topolang.syntax.grammar import END, NEWLINE, SEPARATOR
from topolang.syntax.lexer import Tokens


@attrs.frozen(eq=False)
class Mistake:
    """A token that does not fit.

    ``at`` is its index, ``kind`` what the parser took it for (a newline as `SEPARATOR`), ``start`` the statement's first token, ``accepted`` the
    kinds that would fit, ``of_file`` whether a file is read (else a single value). ``joined`` is a newline behind an unfinished line, where what
    follows looks like another statement.
    """

    tokens: Tokens
    brackets: Brackets
    at: int
    kind: str
    start: int
    accepted: frozenset[str]
    of_file: bool = True
    joined: int | None = None

    @property
    def text(self) -> str:
        """The token's text."""
        return self.tokens.text(self.at)

    @property
    def span(self) -> Span:
        """The token's place; for the end of a line, the place behind its last token."""
        if self.ends_line:
            end = self.tokens.ends[self.at - 1] if self.at else 0
            return Span(self.tokens.source, end, end)
        return self.tokens.span(self.at)

    @property
    def ends_line(self) -> bool:
        """Whether it is the end of a line or of the file."""
        return self.tokens.kinds[self.at] in (NEWLINE, END)

    @property
    def before(self) -> int | None:
        """The token before it in its statement."""
        return next((at for at in range(self.at - 1, self.start - 1, -1) if self.tokens.kinds[at] != NEWLINE), None)

    @property
    def kind_before(self) -> str:
        """The kind of the token before it, empty at the start of the statement."""
        return self.tokens.kinds[self.before] if self.before is not None else ""

    @property
    def kind_after(self) -> str:
        """The kind of the next token."""
        return self.tokens.kinds[min(self.at + 1, len(self.tokens.kinds) - 1)]

    @property
    def begun_with(self) -> str:
        """The kind of the statement's first token, empty where this is the first."""
        return self.tokens.kinds[self.start] if self.start < self.at else ""

    def open_brackets(self) -> Iterator[int]:
        """Yield the round and square brackets of the statement that are open here, innermost first."""
        for at in range(self.at - 1, self.start - 1, -1):
            if self.tokens.kinds[at] in ("LPAR", "LSQB") and not self.start <= self.brackets.partner.get(at, self.at) < self.at:
                yield at

    @property
    def ends_statement(self) -> bool:
        """Whether it ends the statement."""
        return self.kind in (SEPARATOR, END, "RBRACE")
