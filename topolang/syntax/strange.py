"""Characters and operators that the language does not have, most of them habits from elsewhere."""

from __future__ import annotations

import unicodedata
from typing import Final

from topolang.diagnostics import Diagnostic, Fix, error
from topolang.syntax.mistake import Mistake

# operator -> what stands for it here (None: see the help) and the help
_OPERATORS: Final[dict[str, tuple[str | None, str]]] = {
    "&&": ("and", "write `and`"),
    "||": ("or", "write `or`"),
    "!": ("not ", "write `not`"),
    "->": ("--", "write `--`: links have no direction"),
    "<->": ("--", "write `--`: links have no direction"),
    "=>": (None, "write `>=` for at least"),
    ":=": ("=", "write `=`"),
    "===": ("==", "write `==`"),
    "**": (None, "write a power as a product"),
    "//": (None, "comments begin with `#`; whole-number division is `div`"),
    "/*": (None, "comments begin with `#` and end with their line"),
    "*/": (None, "comments begin with `#` and end with their line"),
    "++": (None, "write `+`"),
    "+=": (None, "values never change: give the sum another name"),
    "*=": (None, "values never change: give the product another name"),
    "/=": (None, "values never change: give the quotient another name"),
}
# characters that word processors and other languages put in the place of ours
_CHARACTERS: Final[dict[str, tuple[str, str]]] = {
    **dict.fromkeys("“”„«»", ('"', 'strings stand between `"`')),
    **dict.fromkeys("‘’`", ('"', 'strings stand between `"`')),
    **dict.fromkeys("–—", ("--", "write `--` for a link and `-` for a difference")),
    "−": ("-", "write `-`"),
    "×": ("*", "write `*`"),
    "·": ("*", "write `*`"),
    "÷": ("/", "write `/`"),
    "≤": ("<=", "write `<=`"),
    "≥": (">=", "write `>=`"),
    "≠": ("!=", "write `!=`"),
    "…": ("..", "write `..`"),
    "\u00a0": (" ", "write an ordinary blank"),
    "\r": ("\n", "end lines with a line feed, or with a carriage return and a line feed"),
    "%": ("mod", "write `mod` for the rest of a division; a percentage is one word, `1%`"),
    "?": ("", "a condition is written with `if` or `where`"),
    "@": ("", "remove it"),
    "$": ("", "remove it: parameters are used by their names"),
    "&": ("and", "write `and`"),
    "|": ("or", "write `or`"),
    "~": ("not ", "write `not`"),
    "^": ("", "write a power as a product"),
    "\\": ("", "a statement goes on in the next line after an operator, without `\\`"),
    "'": ('"', 'strings stand between `"`'),
}


def strange(mistake: Mistake) -> Diagnostic | None:
    """Return the finding for a token that no program holds, or None for any other."""
    kind, span, text = mistake.kind, mistake.span, mistake.text
    if kind == "OPEN_STRING":
        return error("T0012", "a string is not closed in its line", span, "begins here", help='add `"` where it ends; strings do not span lines')
    if kind == "QUOTED":
        inner = text.strip("'")
        fix = Fix(span, f'"{inner}"') if len(text) > 1 and text.endswith("'") and not set(inner) & {'"', "\\"} else None
        return error("T0016", "strings are written in double quotes", span, "single quotes", help=f'write `"{inner}"`', fix=fix)
    if kind == "FOREIGN":
        replacement, help_ = _OPERATORS[text]
        return error("T0016", f"there is no `{text}`", span, "unknown operator", help=help_, fix=Fix(span, replacement) if replacement else None)
    if kind != "UNKNOWN":
        return None
    name = unicodedata.name(text, "").lower()
    named = f"`{text}`" if text.isprintable() and text != " " else f"U+{ord(text):04X}"
    message = f"{named} ({name}) has no meaning here" if not text.isascii() and name else f"{named} has no meaning here"
    if text in _CHARACTERS:
        return error("T0011", message, span, "unknown character", help=_CHARACTERS[text][1])
    help_ = "names are made of the letters A to Z, digits and `_`; other letters stand in strings" if text.isalnum() else "remove it"
    return error("T0011", message, span, "unknown character", help=help_)
