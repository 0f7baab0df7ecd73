"""What is known about a code, apart from any one finding."""

from __future__ import annotations

import attrs

from topolang.diagnostics.model import Severity


@attrs.frozen
class Code:
    """A stable code of a finding.

    ``explanation`` says what is wrong and why it matters, in paragraphs; ``wrong`` is the smallest program (or command) that raises the
    code and ``right`` the same one mended, both empty where none can be shown. ``usage`` marks codes that,
    where a finding has no place in a source, speak of the command line: with only such errors, `topoc` exits with 2.
    """

    code: str
    title: str
    severity: Severity
    explanation: str
    wrong: str = ""
    right: str = ""
    usage: bool = False
