"""Names: no two devices have the same display name, since tables, labels and drawings tell devices apart by it."""

from __future__ import annotations

from collections.abc import Iterator

from topolang.diagnostics import Diagnostic, error
from topolang.ir.model import Design, Group
from topolang.ir.names import display_names
from topolang.passes.model import Pass


def run(design: Design) -> Iterator[Diagnostic]:
    """Yield T0220 for each array whose name template gives a device a name that another one has."""
    if all(group.name_template is None for group in design.groups):
        return
    owner: dict[str, Group] = {}
    # names that no template made are distinct, so a clash is told at a template
    for group in sorted(design.groups, key=lambda g: g.name_template is not None):
        for name in display_names(design, group):
            if name in owner:
                yield _taken(group, name, owner[name])
                break
            owner[name] = group


def _taken(group: Group, name: str, first: Group) -> Diagnostic:
    message = f"two devices have the name `{name}`"
    if first is group:
        use = f"use every dimension in the template: {', '.join(f'`{{{d.name}}}`' for d in group.dims)}"
        return error("T0220", message, group.span, "not the only one", help=use)
    extra = ((first.span, f"`{first.name}` has it too"),)
    return error("T0220", message, group.span, "not the only one", extra=extra, help="give each array names of its own")


PASS = Pass("naming", ("T0220",), run)
