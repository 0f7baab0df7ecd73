"""The parser's expectations in words."""

from __future__ import annotations

from typing import Final

from topolang.syntax.grammar import KEY, SEPARATOR, load
from topolang.syntax.mistake import Mistake

_SHOWN: Final = 5
_VALUES: Final = frozenset({"INT", "DECIMAL", "QUANTITY", "STRING", "LSQB", "LPAR", "MINUS", "NOT", "BOOLEAN", "NAME"})
_OPERATORS: Final = frozenset(
    {"PLUS", "MINUS", "STAR", "SLASH", "DIV", "MOD", "EQ", "NE", "LE", "GE", "LESSTHAN", "MORETHAN", "IN", "AND", "OR", "DOTS", "BY"}
)
# what can always follow a name or value and helps nobody: an index, arguments, a member
_POSTFIX: Final = frozenset({"LSQB", "LPAR", "DOT"})


def expectation(mistake: Mistake) -> str:
    """Return what would have fitted, such as "`:` or `[`", or an empty text where everything fits or nothing does."""
    accepted = set(mistake.accepted)
    words: list[str] = []
    if "LET" in accepted:
        return "a statement or `}`" if "RBRACE" in accepted else "a statement"
    if "INT" in accepted:
        accepted -= _VALUES
        words.append("a value")
    elif "STRING" in accepted and "NAME" in accepted:
        accepted -= {"NAME", "STRING"}
        words.append("a name or a file in quotes")
    elif "STRING" in accepted:
        accepted -= {"STRING"}
        words.append("a text in quotes")
    elif "NAME" in accepted:
        words.append("a type" if "DEVICE" in accepted else "a name")
        accepted -= {"NAME", KEY, "DEVICE", "LIST"}
    if accepted & _OPERATORS:
        # a few that are left over from an expression that is complete are no news
        words += ["an operator"] if len(accepted & _OPERATORS) > 2 else []
        accepted = accepted - _OPERATORS - _POSTFIX or (set() if words else accepted)
    if SEPARATOR in accepted:
        accepted -= {SEPARATOR, *_POSTFIX}
        ending = ["the end of the statement"]
    else:
        ending = []
    spelling = load().spelling
    fixed = sorted(f"`{spelling[kind]}`" for kind in accepted if kind in spelling)
    words = [*words, *fixed][: _SHOWN - len(ending)] + ending
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


def shown(mistake: Mistake) -> str:
    """Return what was found in its place."""
    kind = mistake.tokens.kinds[mistake.at]
    if kind == "$END":
        return "the end of the file" if mistake.of_file else "the end"
    if kind == "_NEWLINE":
        return "the end of the line"
    text = mistake.text
    return f"`{text if len(text) <= 40 else text[:39] + '…'}`"
