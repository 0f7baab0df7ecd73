"""What a newline or a comma means: the end of a statement, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from topolang.syntax.brackets import Brackets
from topolang.syntax.grammar import END, NEWLINE, SEPARATOR
from topolang.syntax.lexer import Tokens

# a line that ends in one of these goes on in the next line
UNFINISHED: Final = frozenset(
    {
        *("PLUS", "MINUS", "STAR", "SLASH", "EQ", "NE", "LE", "GE", "LESSTHAN", "MORETHAN", "DOTS", "EQUAL", "COLON", "LINK"),
        *("AND", "OR", "NOT", "IN", "DIV", "MOD", "BY", "WHERE", "IF"),
    }
)
# behind one of these a separator would end nothing
QUIET: Final = frozenset({SEPARATOR, "LBRACE"})
# brackets within which a newline is none, and what they do to the depth
_ROUND: Final = {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}


class Layout:
    """The tokens that the parser sees, one after the other, as ``(kind, index)``.

    The reader may move ``at`` and call `restart` between two tokens. ``joined`` is the last newline that was passed over because its line was
    unfinished.
    """

    def __init__(self, tokens: Tokens, brackets: Brackets, *, lines: bool) -> None:
        self._kinds = tokens.kinds
        self._brackets = brackets
        self._closers = frozenset(brackets.partner.values())
        self._lines = lines
        self.at = 0
        self.joined: int | None = None
        self._depth = 0
        self._lost = 0
        self._previous = SEPARATOR

    def restart(self, at: int) -> None:
        """Go on at a token as at the start of a statement."""
        self.at, self.joined, self._depth, self._lost, self._previous = at, None, 0, 0, SEPARATOR

    def read_as(self, kind: str) -> None:
        """Take the last token for one of another kind."""
        self._previous = kind

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Yield tokens up to and including `END`; a separator stands before every closing brace and before the end."""
        kinds, partner, lost = self._kinds, self._brackets.partner, self._brackets.lost
        while True:
            at = self.at
            kind = kinds[at]
            if kind == NEWLINE or (not self._depth and (kind == SEPARATOR or (kind == "COMMA" and at >= self._lost))):
                self.at = at + 1
                if not self._ends_statement(kind, at):
                    continue
                kind = SEPARATOR
            elif (kind == "RBRACE" or kind == END) and self._lines and self._previous not in QUIET:
                kind = SEPARATOR
            else:
                self.at = at + 1
                if kind in _ROUND and (at in partner or at in self._closers):
                    self._depth = max(0, self._depth + _ROUND[kind])
                elif at in lost:
                    self._lost = max(self._lost, lost[at])
            self._previous = kind
            yield kind, at
            if kind == END:
                return

    def _ends_statement(self, kind: str, at: int) -> bool:
        if not self._lines:
            return kind != NEWLINE
        if self._depth or self._previous in QUIET:
            return False
        if kind == NEWLINE and self._previous in UNFINISHED:
            self.joined = at
            return False
        # inside a bracket that is never closed, a line may still go on where it plainly does
        if kind == NEWLINE and at + 1 < self._lost and self._previous in ("LPAR", "LSQB", "COMMA"):
            return False
        return not (kind == NEWLINE and self._kinds[at + 1] == "LBRACE")
