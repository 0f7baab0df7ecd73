"""Which bracket closes which, found before parsing, so that a bracket left open does not swallow the lines after it."""

from __future__ import annotations

from typing import Final

import attrs

from topolang.syntax.grammar import NEWLINE, STATEMENT_KINDS
from topolang.syntax.lexer import Tokens

NESTING_LIMIT: Final = 64

_CLOSER: Final = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
_CLOSERS: Final = frozenset(_CLOSER.values())


@attrs.frozen(eq=False)
class Brackets:
    """Pairs of brackets by the indices of their tokens.

    ``lost`` are round and square brackets that are never closed, each with the token that shows it; ``open_braces`` are never closed either
    (outermost first). ``suspect`` is a brace whose partner is indented less than its own line, the likely culprit where another one is left
    open; ``too_deep`` is the first bracket beyond `NESTING_LIMIT`.
    """

    partner: dict[int, int] = attrs.field(factory=dict)
    lost: dict[int, int] = attrs.field(factory=dict)
    open_braces: list[int] = attrs.field(factory=list)
    suspect: int | None = None
    too_deep: int | None = None


def match(tokens: Tokens) -> Brackets:
    """Pair the brackets of a text.

    Braces never stand inside `()` or `[]`, and no line inside these begins with a statement's keyword: either shows that a bracket was left open.
    """
    kinds = tokens.kinds
    partner: dict[int, int] = {}
    lost: dict[int, int] = {}
    stack: list[int] = []
    indents: dict[int, int] = {}
    suspect: int | None = None
    indent = 0
    for at, kind in enumerate(kinds):
        if kind == NEWLINE:
            indent = tokens.ends[at] - tokens.source.text.rfind("\n", tokens.starts[at], tokens.ends[at]) - 1
        elif kind in _CLOSER:
            if kind == "LBRACE":
                _drop_round(stack, kinds, lost, at)
                indents[at] = indent
            stack.append(at)
            if len(stack) > NESTING_LIMIT:
                return Brackets(partner, lost, [], None, at)
        elif kind in _CLOSERS:
            depth = _opener(stack, kinds, kind)
            if depth is None:
                continue
            lost.update(dict.fromkeys(stack[depth + 1 :], at))
            opener = stack[depth]
            del stack[depth:]
            partner[opener] = at
            if suspect is None and kind == "RBRACE" and kinds[at - 1] == NEWLINE and indent < indents[opener]:
                suspect = opener
        elif kind in STATEMENT_KINDS and stack and at and kinds[at - 1] == NEWLINE:
            _drop_round(stack, kinds, lost, at)
    lost.update((at, len(kinds) - 1) for at in stack if kinds[at] != "LBRACE")
    return Brackets(partner, lost, [at for at in stack if kinds[at] == "LBRACE"], suspect)


def _drop_round(stack: list[int], kinds: list[str], lost: dict[int, int], at: int) -> None:
    """Give up on brackets that are open inside the innermost brace."""
    while stack and kinds[stack[-1]] != "LBRACE":
        lost[stack.pop()] = at


def _opener(stack: list[int], kinds: list[str], closer: str) -> int | None:
    """Return where on the stack the opening bracket of a closing one is; None if there is none."""
    for depth in range(len(stack) - 1, -1, -1):
        kind = kinds[stack[depth]]
        if _CLOSER[kind] == closer:
            return depth
        if kind == "LBRACE":
            return None
    return None
