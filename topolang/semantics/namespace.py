"""Names of instances: groups, modules and fabrics as a container sees them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from topolang.diagnostics import DiagnosticError, Span, did_you_mean, error
from topolang.ir.model import Dim, Fabric, Group, PortGroup
from topolang.semantics.limits import bounded_name
from topolang.semantics.scope import Poisoned
from topolang.syntax import ast


@attrs.frozen(eq=False)
class GroupEntry:
    """An array of devices; ``own`` are the dimensions of its own statement."""

    group: Group
    own: tuple[Dim, ...]


@attrs.frozen(eq=False)
class ModuleEntry:
    """Copies of a module; ``own`` are the dimensions of the statement that made them."""

    namespace: Namespace
    own: tuple[Dim, ...]


@attrs.frozen(eq=False)
class FabricEntry:
    """A fabric and what is declared in it."""

    fabric: Fabric
    namespace: Namespace


@attrs.frozen(eq=False)
class PortEntry:
    """A port group of the device whose inside is being read."""

    ports: PortGroup
    holder: Group


@attrs.frozen(eq=False)
class HintEntry:
    """A `pool` or `traffic`, by its canonical name."""

    subject: Literal["pool", "traffic"]
    name: str


Entry: TypeAlias = GroupEntry | ModuleEntry | FabricEntry | PortEntry | HintEntry


class Namespace:
    """Entries of one container or fabric. What stands in a container's fabrics is visible in the container without the fabric's name."""

    def __init__(self, title: str, outer: Namespace | None = None) -> None:
        self.title = title
        self.outer = outer
        self._entries: dict[str, Entry | None] = {}
        self._spans: dict[str, Span] = {}
        self._inner: list[Namespace] = []

    def add(self, name: ast.Name, entry: Entry) -> None:
        """Add an entry; raise T0203 if the name is taken here or around."""
        bounded_name(name)
        around = [self, *self._inner, *([self.outer] if self.outer is not None else [])]
        for holder in around:
            if name.text in holder._spans:
                raise DiagnosticError(
                    error("T0203", f"`{name.text}` is declared twice", name.span, "declared again", extra=((holder._spans[name.text], "first here"),))
                )
        self._entries[name.text] = entry
        self._spans[name.text] = name.span
        if isinstance(entry, FabricEntry):
            self._inner.append(entry.namespace)

    def poison(self, name: ast.Name) -> None:
        """Note that a name exists but its declaration failed."""
        self._entries.setdefault(name.text, None)
        self._spans.setdefault(name.text, name.span)

    def entries(self) -> list[Entry]:
        """Return the entries in the order of declaration."""
        return [entry for entry in self._entries.values() if entry is not None]

    def member(self, name: ast.Name) -> Entry | None:
        """Return an entry of this container or of one of its fabrics, or None.

        Raises:
            DiagnosticError: T0216 if several fabrics hold the name.
            Poisoned: if its declaration failed.
        """
        if name.text in self._entries:
            entry = self._entries[name.text]
            if entry is None:
                raise Poisoned
            return entry
        found = [(n, n._entries[name.text]) for n in self._inner if name.text in n._entries]
        if len(found) > 1:
            titles = ", ".join(f"`{n.title}.{name.text}`" for n, _ in found)
            raise DiagnosticError(
                error(
                    "T0216",
                    f"`{name.text}` is declared in several fabrics",
                    name.span,
                    "which one?",
                    extra=tuple((n._spans[name.text], "declared here") for n, _ in found),
                    help=f"write one of {titles}",
                )
            )
        if not found:
            return None
        if found[0][1] is None:
            raise Poisoned
        return found[0][1]

    def find(self, name: ast.Name) -> Entry | None:
        """Return an entry of this or an enclosing container, or None; errors as for `member`."""
        holder: Namespace | None = self
        while holder is not None:
            entry = holder.member(name)
            if entry is not None:
                return entry
            holder = holder.outer
        return None

    def names(self) -> list[str]:
        """Return all names that `find` would find."""
        result = [*self._entries, *(n for f in self._inner for n in f._entries)]
        return result + (self.outer.names() if self.outer is not None else [])

    def need(self, name: ast.Name) -> Entry:
        """Return an entry; raise T0201 with a suggestion if there is none."""
        entry = self.find(name)
        if entry is None:
            raise DiagnosticError(
                error("T0201", f"unknown name `{name.text}`", name.span, "not declared here", help=did_you_mean(name.text, self.names()))
            )
        return entry
