"""From text to tokens, in columns: a kind and two offsets per token. No text makes it fail; what belongs to no program has kinds of its own."""

from __future__ import annotations

from array import array
from typing import Final

import attrs

from topolang.diagnostics import SourceFile, Span
from topolang.syntax.grammar import END, HARD_KINDS, KEY, SOFT_KINDS, STATEMENT_KINDS, Grammar

# ten times what a 100,000-line program has in a line-by-line style; bounds time and memory on hostile input
TOKEN_LIMIT: Final = 1_000_000

_AFTER_NAME: Final = frozenset({"EQUAL", "COLON", "LSQB"})
_KEYWORDS: Final = HARD_KINDS | SOFT_KINDS
_DECLARED: Final = STATEMENT_KINDS - {"LET", "IMPORT", "FOR", "ASSERT", "WARN"}


@attrs.frozen(eq=False)
class Tokens:
    """The tokens of a text; the last has the kind `END`. ``complete`` is false where reading stopped at `TOKEN_LIMIT`."""

    source: SourceFile
    kinds: list[str]
    starts: array[int]
    ends: array[int]
    complete: bool = True

    def text(self, at: int) -> str:
        """Return a token's text."""
        return self.source.text[self.starts[at] : self.ends[at]]

    def span(self, at: int, last: int | None = None) -> Span:
        """Return the place of a token, or of those up to and including ``last``."""
        return Span(self.source, self.starts[at], self.ends[at if last is None else last])


def tokenise(source: SourceFile, grammar: Grammar) -> Tokens:
    """Return all tokens of a text; blanks, comments and a byte order mark at its start are left out."""
    text = source.text
    ignored = frozenset(grammar.lark.ignore_tokens)
    keywords = grammar.keywords
    kinds: list[str] = []
    starts, ends = array("I"), array("I")
    previous = ""
    for match in grammar.pattern.finditer(text, 1 if text.startswith("\ufeff") else 0):
        kind = match.lastgroup or ""
        if kind in ignored:
            continue
        if kind == "NAME" or kind == "BOOLEAN":
            kind = keywords.get(match.group(), kind)
            if kind in HARD_KINDS and (previous in ("DOT", "PORT") or (previous == "KIND" and kind in _DECLARED)):
                kind = KEY
        elif kind in _AFTER_NAME and previous in _KEYWORDS:
            kinds[-1] = _renamed(kinds, kind)
        kinds.append(kind)
        starts.append(match.start())
        ends.append(match.end())
        previous = kind
        if len(kinds) >= TOKEN_LIMIT:
            break
    complete = len(kinds) < TOKEN_LIMIT
    stop = len(text) if complete else ends[-1]
    kinds.append(END)
    starts.append(stop)
    ends.append(stop)
    return Tokens(source, kinds, starts, ends, complete)


def _renamed(kinds: list[str], kind: str) -> str:
    """Return what the last token is, a keyword so far, now that ``kind`` follows."""
    last = kinds[-1]
    if kind == "LSQB":
        return "NAME" if last == "KIND" else last
    if last in SOFT_KINDS:
        return "NAME"
    # `assert true : "why"` is the one place where a value stands before a colon
    value = last == "BOOLEAN" and kind == "COLON" and (len(kinds) < 2 or kinds[-2] not in ("LPAR", "LSQB", "COMMA"))
    return last if value else KEY
