"""The wording of findings about a file as a whole: its edition, its size, blocks left open, limits."""

from __future__ import annotations

from topolang.diagnostics import Diagnostic, Fix, SourceFile, Span, error, warning
from topolang.syntax.brackets import NESTING_LIMIT, Brackets
from topolang.syntax.lexer import TOKEN_LIMIT, Tokens
from topolang.syntax.words import EDITION


def too_large(source: SourceFile, limit: int) -> Diagnostic:
    """Return T0002 for a text of more characters than are read."""
    message = f"{source.name} holds {len(source.text):,} characters, more than the {limit:,} that are read"
    return error("T0002", message, Span(source, 0, 0), "too large", help="split it into files that import each other")


def too_many_tokens(tokens: Tokens) -> Diagnostic:
    """Return T0002 for a text of more tokens than are read."""
    message = f"{tokens.source.name} is too large: reading stopped after {TOKEN_LIMIT:,} words and signs"
    return error("T0002", message, tokens.span(TOKEN_LIMIT - 1), "stopped here", help="split it into files that import each other")


def no_edition(tokens: Tokens, first: int) -> Diagnostic:
    """Return T0004 for a file that does not say in which edition it is written."""
    span = tokens.span(first)
    fix = Fix(Span(span.source, 0, 0), f"topolang {EDITION}\n")
    message = "the first line does not state the edition"
    return warning("T0004", message, span, f"`topolang {EDITION}` stands before this", help=f"begin with `topolang {EDITION}`", fix=fix)


def unknown_edition(tokens: Tokens, at: int) -> Diagnostic:
    """Return T0005 for an edition that this compiler does not know."""
    span = tokens.span(at + 1)
    text = span.text if len(span.text) <= 18 else "of that many digits"
    message = f"there is no edition {text}: this compiler knows edition {EDITION}"
    return error("T0005", message, span, "unknown edition", help=f"write `topolang {EDITION}`, or use a later compiler")


def open_brace(tokens: Tokens, brackets: Brackets) -> Diagnostic:
    """Return T0013 for a block that is still open at the end of the file, at the brace that most likely misses its partner."""
    end = len(tokens.source.text)
    likely = brackets.suspect if brackets.suspect is not None else brackets.open_braces[-1]
    extra = [(Span(tokens.source, end, end), "the file ends inside the block")]
    if brackets.suspect is not None:
        closer = tokens.span(brackets.partner[brackets.suspect])
        extra = [(closer, "this `}` closes it, but stands further left than the line it would close")]
    return error("T0013", "`{` is never closed", tokens.span(likely), "opened here", extra=extra, help="add `}` where the block ends")


def too_deep(tokens: Tokens, at: int) -> Diagnostic:
    """Return T0021 for brackets that are nested too deep."""
    message = f"brackets are nested more than {NESTING_LIMIT} deep"
    return error("T0021", message, tokens.span(at), "reading stopped here", help="name inner parts with `let`, or move inner blocks to modules")


def nested_expression(span: Span, limit: int) -> Diagnostic:
    """Return T0021 for an expression of too many levels."""
    message = f"the expression has more than {limit} levels of operators"
    return error("T0021", message, span, "too deep", help="name parts of it with `let`, or use `sum` over a list")


def too_long(tokens: Tokens, start: int, limit: int) -> Diagnostic:
    """Return T0022 for a statement of too many tokens."""
    message = f"the statement has more than {limit:,} words and signs"
    return error("T0022", message, tokens.span(start), "begins here", help="state a rule with dimensions and `where` instead of a long list")


def too_many(tokens: Tokens, at: int, limit: int) -> Diagnostic:
    """Return T0024: reading stopped after so many mistakes."""
    return error("T0024", f"{limit} mistakes in {tokens.source.name}: reading stopped", tokens.span(at), "stopped here", help="mend the first ones")
