"""The driver of the parse tables: feeds tokens, and after a mistake goes on at the next statement of the same block."""

from __future__ import annotations

from array import array
from typing import Any, Final

from lark import Token, Tree
from lark.exceptions import UnexpectedToken
from lark.grammar import Rule

from topolang.diagnostics import Diagnostic, Fix, Sink
from topolang.syntax import limits
from topolang.syntax.brackets import match
from topolang.syntax.errors import describe
from topolang.syntax.grammar import END, KEY, NAMES, NEWLINE, SEPARATOR, SOFT_KINDS, STATEMENT_KINDS, load
from topolang.syntax.layout import QUIET, Layout
from topolang.syntax.lexer import Tokens
from topolang.syntax.mistake import Mistake

STATEMENT_LIMIT: Final = 4_000
MISTAKE_LIMIT: Final = 50

_CONTAINERS: Final = frozenset({"DESIGN", "MODULE", "DEVICE", "SITE"})
_BETWEEN: Final = frozenset({NEWLINE, SEPARATOR, "COMMA"})
_STOPS: Final = frozenset({END, SEPARATOR, "COMMA", "RBRACE", "LBRACE"})
_LINE_STOPS: Final = frozenset({END, NEWLINE, SEPARATOR, "RBRACE", "LBRACE"})
# where this can stand, a statement can begin
_BEGIN: Final = "LET"


class Reader:
    """Read one text from one of the grammar's starts (``file`` or ``value``)."""

    def __init__(self, tokens: Tokens, sink: Sink, start: str) -> None:
        self._sink = sink
        self._lines = start == "file"
        self._mistakes = 0
        self._stopped = not tokens.complete
        brackets = match(tokens)
        if not tokens.complete:
            sink.add(limits.too_many_tokens(tokens))
        if brackets.too_deep is not None:
            sink.add(limits.too_deep(tokens, brackets.too_deep))
            tokens, self._stopped = _cut(tokens, brackets.too_deep), True
        self._tokens = tokens
        self._brackets = brackets
        self._layout = Layout(tokens, brackets, lines=self._lines)
        self._state = load().lark.parse_interactive("", start=start).parser_state
        self._table: dict[Any, dict[str, Any]] = self._state.parse_conf.states
        self._start = 0

    def read(self) -> Tree[Token] | None:
        """Return the tree, or None where there is none: after a mistake in a ``value``."""
        tokens, layout = self._tokens, self._layout
        text, starts, ends = tokens.source.text, tokens.starts, tokens.ends
        feed = self._state.feed_token
        for kind, at in layout:
            if kind == END:
                break
            if at - self._start > STATEMENT_LIMIT:
                if not self._fail(limits.too_long(tokens, self._start, STATEMENT_LIMIT), at):
                    break
                continue
            if kind in SOFT_KINDS and not self._fits(kind):
                kind = "NAME"
            try:
                feed(Token(kind, text[starts[at] : ends[at]], starts[at], None, None, None, None, ends[at]))
            except UnexpectedToken:
                if not self._mistake(kind, at):
                    break
                continue
            if kind in QUIET:
                self._begin(layout.at)
        return self._finish_file() if self._lines else self._finish_value()

    # ------------------------------------------------------------ mistakes

    def _mistake(self, kind: str, at: int) -> bool:
        """Report a token that does not fit and go on; False where reading ends."""
        joined = self._layout.joined
        if joined is not None and not (self._start < joined < at and self._begins_statement(joined + 1)):
            joined = None
        found = Mistake(self._tokens, self._brackets, at, kind, self._start, self._accepted(), self._lines, joined)
        diagnostic = describe(found)
        if joined is None and diagnostic.fix is not None and self._mend(diagnostic.fix, kind, at):
            return self._report(diagnostic, at)
        return self._fail(diagnostic, at if joined is None else joined)

    def _report(self, diagnostic: Diagnostic, at: int) -> bool:
        """Take a finding; False where it is one too many."""
        self._sink.add(diagnostic)
        self._mistakes += 1
        if self._mistakes < MISTAKE_LIMIT:
            return True
        self._sink.add(limits.too_many(self._tokens, at, MISTAKE_LIMIT))
        self._stopped = True
        return False

    def _fail(self, diagnostic: Diagnostic, at: int) -> bool:
        """Report a finding that costs its statement."""
        more = self._report(diagnostic, at) and self._lines
        if more:
            self._unwind()
            self._resume(at)
        return more

    def _mend(self, fix: Fix, kind: str, at: int) -> bool:
        """Go on inside the statement as if the change that a finding offers were made, where it concerns this token alone."""
        start, end = self._tokens.starts[at], self._tokens.ends[at]
        instead = load().kind_of(fix.replacement.strip())
        if instead is None or fix.span.start != start or fix.span.end not in (start, end):
            return False
        for wanted in (instead,) if fix.span.end == end else (instead, kind):
            if not self._fits(wanted):
                return False
            text = load().spelling.get(wanted, self._tokens.text(at))
            self._state.feed_token(Token(wanted, text, start, None, None, None, None, end))
            self._layout.read_as(wanted)
        return True

    def _accepted(self) -> frozenset[str]:
        """Return the kinds of tokens that fit here."""
        states = self._state.state_stack
        return frozenset(kind for kind in self._table[states[-1]] if kind.isupper() and kind != END and self._fits(kind))

    def _fits(self, kind: str) -> bool:
        states = list(self._state.state_stack)
        while (action := self._table[states[-1]].get(kind)) is not None:
            rule = action[1]
            if not isinstance(rule, Rule):
                return True
            if rule.expansion:
                del states[-len(rule.expansion) :]
            states.append(self._table[states[-1]][rule.origin.name][1])
        return False

    def _unwind(self) -> None:
        """Forget the statement that was begun."""
        states, values = self._state.state_stack, self._state.value_stack
        while _BEGIN not in self._table[states[-1]]:
            states.pop()
            values.pop()

    # ------------------------------------------------------------ where to go on

    def _resume(self, at: int) -> None:
        """Go on behind the statement; where it has a block, read the block for its own mistakes."""
        to = self._skip(at)
        kinds, start = self._tokens.kinds, self._start
        if kinds[to] == "LBRACE":
            self._feed_header(to)
        elif to == start and kinds[to] == "RBRACE":
            to += 1
        self._layout.restart(to)
        self._begin(to)

    def _begin(self, at: int) -> None:
        """Note where the next statement begins."""
        kinds = self._tokens.kinds
        while kinds[at] in _BETWEEN:
            at += 1
        self._start = at

    def _skip(self, at: int) -> int:
        """Return where the statement ends: at a separator, a closing brace, the end, or the brace that opens its block."""
        kinds, partner = self._tokens.kinds, self._brackets.partner
        openers = [i for i in range(self._start, at) if kinds[i] in ("LPAR", "LSQB")]
        at = next((partner[i] + 1 for i in openers if partner.get(i, -1) >= at), at)
        # the commas behind a bracket that is never closed belong to it
        stops = _STOPS if all(i in partner for i in openers) else _STOPS - {"COMMA"}
        while True:
            kind = kinds[at]
            if kind == "COMMA" and (closer := self._stray(at)) is not None:
                at = closer
            elif kind in stops:
                return at
            if kind == NEWLINE and kinds[at + 1] != "LBRACE":
                return at
            at = partner.get(at, at) + 1

    def _stray(self, at: int) -> int | None:
        """Return a closing bracket in the rest of the line whose opening one is missing: what stands before it belongs together."""
        kinds, partner = self._tokens.kinds, self._brackets.partner
        while kinds[at] not in _LINE_STOPS:
            if kinds[at] in ("RPAR", "RSQB"):
                return at
            at = partner.get(at, at) + 1
        return None

    def _begins_statement(self, at: int) -> bool:
        """Whether what stands here looks like the start of a statement."""
        kinds = self._tokens.kinds
        if kinds[at] in STATEMENT_KINDS:
            return True
        if kinds[at] not in NAMES and kinds[at] != KEY:
            return False
        after = at + 1
        if kinds[after] == "LSQB":
            after = self._brackets.partner.get(after, at) + 1
        return kinds[after] in ("EQUAL", "COLON")

    def _feed_header(self, brace: int) -> None:
        """Feed a header in place of one that could not be read: that of a container if its name is known, else one without a name."""
        tokens, start = self._tokens, self._start
        here = tokens.starts[brace]
        if tokens.kinds[start] in _CONTAINERS and start + 1 < brace and tokens.kinds[start + 1] in NAMES:
            header = [(tokens.kinds[i], tokens.text(i), tokens.starts[i], tokens.ends[i]) for i in (start, start + 1)]
        else:
            header = [("NAME", "", here, here), ("COLON", ":", here, here), ("NAME", "", here, here)]
        for kind, text, first, last in header:
            self._state.feed_token(Token(kind, text, first, None, None, None, None, last))

    # ------------------------------------------------------------ the end

    def _finish_file(self) -> Tree[Token]:
        """Close what is open and return the tree."""
        self._unwind()
        end = len(self._tokens.source.text)
        if self._brackets.open_braces and not self._stopped:
            self._sink.add(limits.open_brace(self._tokens, self._brackets))
        while self._fits("RBRACE"):
            for kind, text in (("RBRACE", "}"), (SEPARATOR, "")):
                self._state.feed_token(Token(kind, text, end, None, None, None, None, end))
        tree: Tree[Token] = self._state.feed_token(Token(END, "", end, None, None, None, None, end), is_end=True)
        return tree

    def _finish_value(self) -> Tree[Token] | None:
        end = len(self._tokens.kinds) - 1
        if self._stopped or self._mistakes:
            return None
        try:
            tree: Tree[Token] = self._state.feed_token(Token(END, "", self._tokens.starts[end]), is_end=True)
        except UnexpectedToken:
            self._mistake(END, end)
            return None
        return tree


def _cut(tokens: Tokens, at: int) -> Tokens:
    """Return the tokens before one."""
    place = array("I", [tokens.starts[at]])
    return Tokens(tokens.source, [*tokens.kinds[:at], END], tokens.starts[:at] + place, tokens.ends[:at] + place)
