"""The grammar, loaded once: Lark's tables and the regular expression of the lexer, both made from ``grammar/topo.lark``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import attrs
from lark import Lark, Token
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState, PatternStr

from topolang.resources import data_dir
from topolang.syntax.words import CLAUSE_WORDS, SOFT_WORDS, STATEMENT_WORDS

END: Final = "$END"
NEWLINE: Final = "_NEWLINE"
SEPARATOR: Final = "_SEPARATOR"
KEY: Final = "KEY"
SOFT_KINDS: Final = frozenset(word.upper() for word in SOFT_WORDS)
NAMES: Final = SOFT_KINDS | {"NAME"}
STATEMENT_KINDS: Final = frozenset(word.upper() for word in STATEMENT_WORDS)
HARD_KINDS: Final = STATEMENT_KINDS | frozenset(word.upper() for word in CLAUSE_WORDS) | {"BOOLEAN"}


class _NoLexer(Lexer):
    """Take the place of Lark's lexer, so that none is built: tokens are fed one by one."""

    def __init__(self, conf: LexerConf) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """Yield nothing."""
        return iter(())


@attrs.frozen(eq=False)
class Grammar:
    """Parse tables; one pattern that matches every text token by token; keywords by spelling; spellings of the fixed tokens by kind."""

    lark: Lark
    pattern: re.Pattern[str]
    keywords: dict[str, str]
    spelling: dict[str, str]

    def kind_of(self, text: str) -> str | None:
        """Return the kind of a fixed token or a string, None for any other text."""
        if text.startswith('"'):
            return "STRING"
        return next((kind for kind, spelt in self.spelling.items() if spelt == text), None)


@lru_cache(maxsize=1)
def load() -> Grammar:
    """Return the grammar.

    The order in which terminals are tried is Lark's: by priority, then the longer first. Words are looked up after a name was matched as a whole,
    so that no keyword is carved out of a name.
    """
    text = (data_dir("grammar") / "topo.lark").read_text(encoding="utf-8")
    lark = Lark(text, parser="lalr", lexer=_NoLexer, start=["file", "value", "mistake"], propagate_positions=True, maybe_placeholders=True)
    spelling = {t.name: t.pattern.value for t in lark.terminals if isinstance(t.pattern, PatternStr)}
    keywords = {value: name for name, value in spelling.items() if value.isidentifier()}
    matched = [t for t in lark.terminals if t.pattern is not None and t.name not in keywords.values()]
    matched.sort(key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))
    pattern = re.compile("|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in matched))
    return Grammar(lark, pattern, keywords, spelling)
