"""Findings: spans, codes, wording helpers and renderings. Imports nothing else of topolang."""

from topolang.diagnostics.model import Diagnostic, DiagnosticError, Fix, Label, Severity, Sink, error, warning
from topolang.diagnostics.source import SourceFile, Span
from topolang.diagnostics.suggest import did_you_mean, nearest

__all__ = [
    "Diagnostic",
    "DiagnosticError",
    "Fix",
    "Label",
    "Severity",
    "Sink",
    "SourceFile",
    "Span",
    "did_you_mean",
    "error",
    "nearest",
    "warning",
]
