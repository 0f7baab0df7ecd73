"""What a backend is, what it is given, and where it puts what it makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Final, Protocol

import attrs

from topolang.diagnostics import Diagnostic
from topolang.ir.model import Check, Design
from topolang.ir.tables import LinkTable, NodeTable, link_table, node_table
from topolang.workspace import check_name


class VerdictLike(Protocol):
    """The answer to a claim, as `passes` gives it: ``proved``, ``refuted`` or ``open``, with the reason in one line."""

    @property
    def status(self) -> str:
        """The answer."""

    @property
    def reason(self) -> str:
        """Why, in one line."""


class ReportLike(Protocol):
    """What backends read of the report of the passes."""

    @property
    def verdicts(self) -> Sequence[tuple[Check, Any]]:
        """Each check with its verdict (a `VerdictLike`)."""


@attrs.frozen(eq=False)
class Built:
    """A checked design and the report of the passes; tables of devices and cables are expanded when they are first asked for."""

    design: Design
    report: ReportLike | None = None

    @property
    def nodes(self) -> NodeTable:
        """All devices."""
        return node_table(self.design)

    @property
    def links(self) -> LinkTable:
        """All cables."""
        return link_table(self.design)

    def verdicts(self) -> list[tuple[Check, VerdictLike]]:
        """Return the checks with their verdicts, in the order of the source."""
        return list(self.report.verdicts) if self.report is not None else []


# leaves room for a suffix and an ending in the 120 characters of `check_name`
_STEM: Final = 90


def file_stem(*parts: str) -> str:
    """Return parts joined by ``-`` for the name of a file; a long one is cut, and told from others by a digest of the whole."""
    stem = "-".join(parts)
    return stem if len(stem) <= _STEM else f"{stem[: _STEM - 9]}-{sha256(stem.encode()).hexdigest()[:8]}"


class Output:
    """What one backend makes: files by name, and findings."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.files: dict[str, bytes] = {}
        self.findings: list[Diagnostic] = []
        self._taken = {name.casefold() for name in taken}

    def write(self, name: str, data: str | bytes) -> None:
        """Take a file; text is encoded as UTF-8.

        Raises:
            ValueError: the name is no good, or taken (names that differ only in case are one name on some file systems).
        """
        fault = check_name(name)
        if fault is not None:
            raise ValueError(f"the file name `{name}` cannot be used: {fault}")
        if name.casefold() in self._taken:
            raise ValueError(f"the file `{name}` is written twice")
        self._taken.add(name.casefold())
        self.files[name] = data.encode("utf-8") if isinstance(data, str) else data

    def report(self, finding: Diagnostic) -> None:
        """Take a finding. An error withdraws the backend's files; what could only partly be written is a warning."""
        self.findings.append(finding)


class Backend(Protocol):
    """Something that writes one kind of output.

    ``name`` is what ``--only`` takes; ``files`` says in words what is written; ``needs`` names what is read beside the design: ``links`` (every
    cable), ``nodes`` (every device), ``report`` (verdicts).

    A backend writes exactly what its format can express. What it cannot, it refuses: it raises a `DiagnosticError` whose code and text say why and
    how to mend it, and none of its files is kept. The refusal is an error where the output was asked for by name, else a warning.
    """

    @property
    def name(self) -> str:
        """The name for ``--only``."""

    @property
    def files(self) -> str:
        """What is written, in words."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What is read beside the design."""

    def emit(self, result: Built, out: Output) -> None:
        """Write the files of a design."""
