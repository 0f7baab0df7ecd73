"""The register of codes as a page of documentation: ``python -m topolang.diagnostics.catalogue.page > docs/errors.md``."""

from __future__ import annotations

import textwrap

from topolang.diagnostics.catalogue import RANGES, Code, all_codes


def explain(code: Code) -> str:
    """Return what `topoc explain` prints about a code."""
    parts = [f"{code.code}: {code.title} ({code.severity})", _wrapped(code.explanation)]
    if code.wrong:
        parts.append(f"Wrong:\n\n{_indented(code.wrong)}")
    if code.right:
        parts.append(f"Right:\n\n{_indented(code.right)}")
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """Return the page of all codes, in Markdown."""
    parts = [
        "# Codes of findings",
        "Every finding of the compiler has a code, which never changes its meaning. `topoc explain T0401` prints what stands here.\n"
        "This page is written from `topolang/diagnostics/catalogue/`.",
    ]
    for prefix, title in RANGES.items():
        codes = [code for code in all_codes() if code.code.startswith(prefix)]
        if codes:
            parts.append(f"## {prefix}: {title}")
            parts += [_section(code) for code in codes]
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 110, break_long_words=False, break_on_hyphens=False)


def _shown(program: str) -> str:
    """Return a program as it can be printed: a NUL becomes its picture, so that the page stays a text file."""
    return program.strip("\n").replace("\0", "\u2400")


def _indented(program: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in _shown(program).split("\n"))


def _section(code: Code) -> str:
    parts = [f"### {code.code}: {code.title}", f"*{code.severity}*", _wrapped(code.explanation)]
    if code.wrong:
        parts.append(f"Wrong:\n\n```topo\n{_shown(code.wrong).strip()}\n```")
    if code.right:
        parts.append(f"Right:\n\n```topo\n{_shown(code.right).strip()}\n```")
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
