"""The wording of mistakes in syntax; the common ones each have a rule that names the cause instead of the token where reading stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from topolang.diagnostics import Diagnostic, Fix, Span, error, nearest
from topolang.syntax.expected import expectation, shown
from topolang.syntax.grammar import HARD_KINDS, KEY, NAMES, NEWLINE, SEPARATOR, STATEMENT_KINDS
from topolang.syntax.mistake import Mistake
from topolang.syntax.strange import strange
from topolang.syntax.words import BOOLEAN_WORDS, CLAUSE_WORDS, EDITION, STATEMENT_WORDS
from topolang.units import UNITS

_COMPARISONS: Final = frozenset({"EQ", "NE", "LE", "GE", "LESSTHAN", "MORETHAN", "IN"})
_OPERATORS: Final = frozenset({*_COMPARISONS, "PLUS", "MINUS", "STAR", "SLASH", "DIV", "MOD", "AND", "OR"})
_ARROWS: Final = frozenset({"->", "<->", "=>", "–", "—"})
_MISSING: Final = {"EQUAL": "a value", "COLON": "a part", "LINK": "the other end", "WHERE": "a condition", "IF": "a condition"}


def describe(mistake: Mistake) -> Diagnostic:
    """Return the finding for a token that does not fit."""
    return next(found for rule in _RULES if (found := rule(mistake)) is not None)


def _half_typed(mistake: Mistake) -> Diagnostic | None:
    if mistake.joined is None:
        return None
    last = mistake.joined - 1
    what = _MISSING.get(mistake.tokens.kinds[last], "a value")
    span = mistake.tokens.span(last)
    return error("T0010", f"the line ends after `{span.text}`, where {what} is expected", span, f"{what} is missing")


def _edition(mistake: Mistake) -> Diagnostic | None:
    if mistake.begun_with != "TOPOLANG" or mistake.at != mistake.start + 1:
        return None
    if mistake.kind == "INT":
        message = f"the edition is stated once, in the first line: `topolang {EDITION}`"
        return error("T0005", message, mistake.tokens.span(mistake.start, mistake.at), "not the first line", help="move it to the first line")
    return error("T0005", "the edition is a whole number", mistake.span, "no edition", help=f"write `topolang {EDITION}`")


def _open_bracket(mistake: Mistake) -> Diagnostic | None:
    kinds = mistake.tokens.kinds
    opener = next((at for at in mistake.open_brackets() if at not in mistake.brackets.partner), None)
    if opener is None:
        return None
    closer = {"LPAR": ")", "LSQB": "]"}[kinds[opener]]
    span = mistake.tokens.span(opener)
    extra = ((mistake.span, f"`{closer}` is missing before this"),)
    return error("T0013", f"`{span.text}` is never closed", span, "opened here", extra=extra, help=f"add `{closer}`")


def _closing(mistake: Mistake) -> Diagnostic | None:
    if mistake.kind not in ("RPAR", "RSQB", "RBRACE") or mistake.at in set(mistake.brackets.partner.values()):
        return None
    return error("T0014", f"`{mistake.text}` closes nothing", mistake.span, "no bracket is open here", help="remove it, or add what it closes")


def _connect(mistake: Mistake) -> Diagnostic | None:
    if mistake.begun_with != "CONNECT" or "LINK" not in mistake.accepted:
        return None
    message = "`connect` joins its two ends by `--`"
    if mistake.kind == "MINUS" or mistake.text in _ARROWS:
        return error("T0017", message, mistake.span, "not `--`", help="write `--`", fix=Fix(mistake.span, "--"))
    if mistake.ends_statement:
        return error("T0017", message, mistake.span, "the other end is missing", help="write `connect A -- B`")
    fix = Fix(Span(mistake.span.source, mistake.span.start, mistake.span.start), "-- ") if mistake.kind in NAMES else None
    return error("T0017", message, mistake.span, "`--` is missing before this", help="write `connect A -- B`", fix=fix)


def _slice(mistake: Mistake) -> Diagnostic | None:
    kinds = mistake.tokens.kinds
    opener = next(mistake.open_brackets(), None)
    if mistake.kind != "COLON" or opener is None or kinds[opener] != "LSQB" or mistake.before is None:
        return None
    if kinds[mistake.before] in NAMES and mistake.before == opener + 1:
        name = mistake.tokens.text(mistake.before)
        return error("T0010", "a dimension is selected by `=`, not by `:`", mistake.span, "not `:`", help=f"write `[{name} = …]`")
    help_ = "ranges are written `first..last`, and both ends are included"
    if mistake.kind_before == "INT" and mistake.kind_after == "INT":
        first, last = int(mistake.tokens.text(mistake.before)[:18]), int(mistake.tokens.text(mistake.at + 1)[:18])
        if last > first:
            help_ = f"write `{first}..{last - 1}`, or `{first}..{last}` to include {last}: a range holds both its ends"
    return error("T0018", "a range is not written with `:`", mistake.span, "not `:`", help=help_)


def _equals(mistake: Mistake) -> Diagnostic | None:
    if mistake.kind != "EQUAL" or "EQ" not in mistake.accepted:
        return None
    return error("T0019", "`=` gives a value; a comparison is written `==`", mistake.span, "not `=`", help="write `==`", fix=Fix(mistake.span, "=="))


def _chain(mistake: Mistake) -> Diagnostic | None:
    if mistake.kind not in _COMPARISONS or "AND" not in mistake.accepted or mistake.accepted & _COMPARISONS:
        return None
    return error("T0010", "comparisons do not chain", mistake.span, "a second comparison", help="write for example `a < b and b < c`")


def _unit(mistake: Mistake) -> Diagnostic | None:
    if mistake.kind != "NAME" or mistake.kind_before not in ("INT", "DECIMAL") or mistake.before is None:
        return None
    last = mistake.at
    if mistake.tokens.kinds[last + 1 : last + 3] == ["SLASH", "NAME"] and mistake.tokens.text(last + 2) == "s":
        last += 2
    unit = mistake.tokens.span(mistake.at, last).text
    if unit not in UNITS:
        return None
    span = mistake.tokens.span(mistake.before, last)
    written = f"{mistake.tokens.text(mistake.before)}{unit}"
    return error("T0010", "a unit follows its number without a blank", span, "one word", help=f"write `{written}`", fix=Fix(span, written))


def _keyword(mistake: Mistake) -> Diagnostic | None:
    if mistake.kind == "LSQB" and mistake.begun_with in STATEMENT_KINDS and mistake.at == mistake.start + 1:
        return _no_name(mistake, mistake.start)
    if mistake.kind not in HARD_KINDS and mistake.kind != KEY:
        return None
    operator = mistake.kind in _OPERATORS or mistake.kind in ("IF", "AS", "BY", "WHERE")
    if mistake.at == mistake.start or "NAME" not in mistake.accepted or ("INT" in mistake.accepted and operator):
        return None
    if "LET" in mistake.accepted:
        return None
    return _no_name(mistake, mistake.at)


def _no_name(mistake: Mistake, at: int) -> Diagnostic:
    word = mistake.tokens.text(at)
    words = ", ".join(sorted((*STATEMENT_WORDS, *CLAUSE_WORDS, *BOOLEAN_WORDS)))
    return error(
        "T0015",
        f"`{word}` is a keyword and cannot be used as a name here",
        mistake.tokens.span(at),
        "a keyword",
        notes=(f"keywords: {words}",),
        help=f"choose another name, for example `{word}_1`",
    )


def _hyphen(mistake: Mistake) -> Diagnostic | None:
    tokens, at = mistake.tokens, mistake.at
    around = (mistake.before == at - 1 and mistake.kind_before in NAMES, mistake.kind_after in {*NAMES, "INT", "QUANTITY"})
    if mistake.kind != "MINUS" or not all(around) or tokens.ends[at - 1] != tokens.starts[at] or tokens.ends[at] != tokens.starts[at + 1]:
        return None
    span = tokens.span(at - 1, at + 1)
    return error("T0010", "a name holds no `-`", span, "read as a difference", help=f"write `{span.text.replace('-', '_')}`")


def _colon(mistake: Mistake) -> Diagnostic | None:
    literal = mistake.kind in ("INT", "DECIMAL", "QUANTITY", "STRING", "BOOLEAN", "LSQB")
    if mistake.before is None or mistake.kind_before != "COLON" or mistake.before != mistake.start + 1 or not literal:
        return None
    colon = mistake.tokens.span(mistake.before)
    help_ = f"write `{mistake.tokens.text(mistake.start)} = …`"
    return error("T0010", "an attribute takes its value by `=`, not by `:`", colon, "not `:`", help=help_, fix=Fix(colon, " ="))


def _continuation(mistake: Mistake) -> Diagnostic | None:
    kinds, start = mistake.tokens.kinds, mistake.start
    if start == 0 or kinds[start - 1] != NEWLINE:
        return None
    first = mistake.kind in {*_OPERATORS, "WHERE", "IF", "LINK", "AS", "BY", "DOTS", "EQUAL", "COLON", "LSQB"} and mistake.at == start
    second = mistake.at == start + 1 and kinds[start] in ("TIMES", "FILL", "SPREAD", "SPLIT")
    if not first and not second:
        return None
    span = mistake.tokens.span(start)
    word = span.text
    help_ = f"write `{word}` at the end of the line above" if first and word != "[" else "write both on one line"
    return error("T0010", f"a statement cannot begin with `{word}`", span, "belongs to the line above", help=help_)


def _any(mistake: Mistake) -> Diagnostic:
    expected, found = expectation(mistake), shown(mistake)
    if not expected:
        return error("T0010", f"expected nothing more, found {found}", mistake.span, "unexpected")
    help_ = _instead(mistake)
    if not help_ and SEPARATOR in mistake.accepted and (mistake.kind in NAMES or mistake.kind in STATEMENT_KINDS or mistake.kind == KEY):
        help_ = "separate statements by a newline or a comma"
    return error("T0010", f"expected {expected}, found {found}", mistake.span, f"expected {expected}", help=help_)


def _instead(mistake: Mistake) -> str:
    """Return what was most likely meant by a word or sign that has no meaning in this place, or an empty text."""
    tokens, start = mistake.tokens, mistake.start
    if mistake.begun_with == "CONNECT" and mistake.kind == "IF":
        return "write `where` before a condition on cables"
    if mistake.begun_with == "CONNECT" and mistake.text in ("x", "*"):
        return "write `times` before a number of parallel cables"
    if mistake.begun_with == "FABRIC" and mistake.at == start + 2 and mistake.kind == "LBRACE":
        return f"write the kind of fabric, for example `fabric {tokens.text(start + 1)} : ethernet {{`"
    if mistake.begun_with == "NAME" and mistake.kind == "EQUAL" and "COLON" in mistake.accepted and mistake.kind_before == "RSQB":
        return f"write `{tokens.text(start)}[…] : DEVICE` for an array of devices, `port {tokens.text(start)}[…] = RATE` for ports"
    if mistake.begun_with in ("DESIGN", "MODULE", "DEVICE") and mistake.kind == "EQUAL" and mistake.accepted == {"COLON"}:
        return f"write the type, for example `{tokens.text(mistake.at - 1)}: int = …`"
    if mistake.begun_with != "NAME" or mistake.at != start + 1 or not {"COLON", "EQUAL"} <= mistake.accepted:
        return ""
    if mistake.kind == "DOT":
        return f"write `connect {tokens.text(start)}.… -- …` for cables"
    if tokens.text(start) == "from":
        return "imports are written for example `import nvidia.qm9700`"
    if mistake.kind in ("INT", "DECIMAL", "QUANTITY", "STRING", "BOOLEAN"):
        return f"write `{tokens.text(start)} = {mistake.text}`"
    word = nearest(tokens.text(start), STATEMENT_WORDS)
    if word is not None and tokens.text(start)[:2] == word[:2]:
        return f"write `{word}`"
    return f"a statement is `NAME : DEVICE`, `NAME = VALUE` or begins with one of {', '.join(f'`{w}`' for w in STATEMENT_WORDS)}"


_RULES: Final[tuple[Callable[[Mistake], Diagnostic | None], ...]] = (
    _half_typed,
    _edition,
    _connect,
    strange,
    _open_bracket,
    _closing,
    _slice,
    _equals,
    _chain,
    _unit,
    _hyphen,
    _colon,
    _continuation,
    _keyword,
    _any,
)
