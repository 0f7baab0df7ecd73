"""The words of the language, for the lexer, for messages and for tools such as highlighters."""

from __future__ import annotations

from typing import Final

EDITION: Final = 1

# a word that begins a declaration or statement: where one stands at the start of a line, a new statement begins
STATEMENT_WORDS: Final = (
    *("import", "design", "module", "device", "site", "fabric", "let", "port"),
    *("connect", "place", "optics", "assert", "warn", "for"),
)
# a word that links the parts of a statement or expression
CLAUSE_WORDS: Final = ("if", "in", "as", "by", "where", "and", "or", "not", "div", "mod")
BOOLEAN_WORDS: Final = ("true", "false", "on", "off")
# a word with a meaning in one place that is a name in all others
SOFT_WORDS: Final = ("topolang", "kind", "times", "fill", "spread", "split", "list", "of")

KEYWORDS: Final[tuple[str, ...]] = (*STATEMENT_WORDS, *CLAUSE_WORDS, *BOOLEAN_WORDS, *SOFT_WORDS)
