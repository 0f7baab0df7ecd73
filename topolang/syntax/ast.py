"""The syntax tree: what the user wrote, nothing resolved, every node with its span.

Nodes are frozen and compare by content, never by span, so `parse(format(x)) == parse(x)` can be said in a test.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

import attrs

from topolang.diagnostics import SourceFile, Span
from topolang.units import Quantity


def _span() -> Span:
    """Declare the span field: part of every node, of no comparison."""
    span: Span = attrs.field(eq=False, repr=False, kw_only=True)
    return span


@attrs.frozen
class Name:
    """An identifier where it stands."""

    text: str
    span: Span = _span()


# ---------------------------------------------------------------- expressions


@attrs.frozen
class Int:
    """``64``."""

    value: int
    span: Span = _span()


@attrs.frozen
class Decimal:
    """``2.0``: an exact decimal number."""

    value: Fraction
    span: Span = _span()


@attrs.frozen
class Amount:
    """``400Gb/s``."""

    value: Quantity
    span: Span = _span()


@attrs.frozen
class Str:
    """``"adaptive"``, escapes resolved."""

    value: str
    span: Span = _span()


@attrs.frozen
class Bool:
    """``true``/``on`` or ``false``/``off``."""

    value: bool
    span: Span = _span()


@attrs.frozen
class ListExpr:
    """``[1, 2, 3]``."""

    items: tuple[Expr, ...]
    span: Span = _span()


@attrs.frozen
class RangeExpr:
    """``1..8 by 2``; both ends included."""

    first: Expr
    last: Expr
    step: Expr | None = None
    span: Span = _span()


BinaryOp = Literal["or", "and", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "div", "mod"]


@attrs.frozen
class Binary:
    """``left op right``; ``op_span`` is the operator's place."""

    op: BinaryOp
    left: Expr
    right: Expr
    op_span: Span = attrs.field(eq=False, repr=False, kw_only=True)
    span: Span = _span()


@attrs.frozen
class Unary:
    """``not x`` or ``-x``."""

    op: Literal["not", "-"]
    operand: Expr
    span: Span = _span()


@attrs.frozen
class Argument:
    """``name = value`` in a call or an instance's arguments; a positional argument has no name."""

    name: Name | None
    value: Expr
    span: Span = _span()


@attrs.frozen
class Call:
    """``count(node.gpu)``."""

    name: Name
    arguments: tuple[Argument, ...]
    span: Span = _span()


@attrs.frozen
class SelectBind:
    """``[x = (x+1) mod 4]``: a dimension bound to a value, a range or a list."""

    name: Name
    value: Expr
    span: Span = _span()


@attrs.frozen
class SelectRename:
    """``[r as r2]``."""

    name: Name
    alias: Name
    span: Span = _span()


@attrs.frozen
class SelectPosition:
    """``p[1..32]``, ``leaf[3]``, ``lanes[k]``: a value without a dimension's name."""

    value: Expr
    span: Span = _span()


Selector: TypeAlias = SelectBind | SelectRename | SelectPosition


@attrs.frozen
class Step:
    """One name of a path with its selectors: ``leaf[s = 1]``; ``selectors`` is empty without brackets."""

    name: Name
    selectors: tuple[Selector, ...] = ()
    span: Span = _span()


@attrs.frozen
class Path:
    """``rack.tray.hca``: an endpoint of a `connect`, or a name in an expression."""

    steps: tuple[Step, ...]
    span: Span = _span()

    @property
    def simple(self) -> str | None:
        """The name, if the path is one step without selectors."""
        only = self.steps[0]
        return only.name.text if len(self.steps) == 1 and not only.selectors else None

    @property
    def dotted(self) -> str:
        """The names joined by dots, selectors left out."""
        return ".".join(step.name.text for step in self.steps)


Expr: TypeAlias = Int | Decimal | Amount | Str | Bool | ListExpr | RangeExpr | Binary | Unary | Call | Path

# ---------------------------------------------------------------- statements


@attrs.frozen
class Import:
    """``import nvidia.dgx_h100`` (``path``) or ``import "./racks.topo" as racks`` (``file``)."""

    path: tuple[Name, ...] = ()
    file: Str | None = None
    alias: Name | None = None
    span: Span = _span()


@attrs.frozen
class Param:
    """``su: int = 4 in 1..64``; ``type`` may be ``list of int``, written ``("int", listed)``."""

    name: Name
    type: Name
    listed: bool = False
    default: Expr | None = None
    allowed: Expr | None = None
    span: Span = _span()


@attrs.frozen
class Container:
    """``design``, ``module``, ``device`` or ``site`` with parameters and a body."""

    kind: Literal["design", "module", "device", "site"]
    name: Name
    params: tuple[Param, ...]
    body: tuple[Item, ...]
    span: Span = _span()


@attrs.frozen
class Kind:
    """``kind fabric infiniband(rate: rate, …)``: which attributes a kind of thing has; the standard library's means of typing attributes.

    ``subject`` is ``fabric``, ``device``, ``place`` …; ``name`` is given for named kinds (fabrics, pools).
    """

    subject: Name
    name: Name | None
    params: tuple[Param, ...]
    span: Span = _span()


@attrs.frozen
class Fabric:
    """``fabric compute : infiniband { … }``."""

    name: Name
    kind: Name
    body: tuple[Item, ...]
    span: Span = _span()


@attrs.frozen
class Dimension:
    """``s: 1..su`` (named) or ``1..64`` (a pool, only on ports); ``range`` is a RangeExpr or, for a site's rows, a list."""

    name: Name | None
    range: Expr
    span: Span = _span()


@attrs.frozen
class Instance:
    """``leaf[s: 1..su] : qm9700(args) if COND { … }``; ``head`` is the span up to the body."""

    name: Name
    dims: tuple[Dimension, ...]
    part: tuple[Name, ...]
    arguments: tuple[Argument, ...] = ()
    condition: Expr | None = None
    body: tuple[Item, ...] = ()
    head: Span = attrs.field(eq=False, repr=False, kw_only=True)
    span: Span = _span()


@attrs.frozen
class Attribute:
    """``rate = 400Gb/s``."""

    name: Name
    value: Expr
    span: Span = _span()


@attrs.frozen
class Let:
    """``let per_pod = 512``."""

    name: Name
    value: Expr
    span: Span = _span()


@attrs.frozen
class Port:
    """``port osfp[1..32] = 800Gb/s split 2 as p { names = … }``."""

    name: Name
    dims: tuple[Dimension, ...]
    value: Expr
    split: Expr | None = None
    split_name: Name | None = None
    body: tuple[Item, ...] = ()
    span: Span = _span()


@attrs.frozen
class Multiplicity:
    """``times N``, ``fill`` or ``spread``."""

    kind: Literal["times", "fill", "spread"]
    count: Expr | None = None
    span: Span = _span()


@attrs.frozen
class Connect:
    """``connect A -- B times 2 where COND { … }``; ``head`` is the span up to the body."""

    a: Path
    z: Path
    multiplicity: Multiplicity | None = None
    where: Expr | None = None
    body: tuple[Item, ...] = ()
    head: Span = attrs.field(eq=False, repr=False, kw_only=True)
    span: Span = _span()


@attrs.frozen
class Place:
    """``place leaf { near = node }`` or ``optics be { allow = […] }``."""

    kind: Literal["place", "optics"]
    target: Path
    body: tuple[Item, ...]
    span: Span = _span()


@attrs.frozen
class Check:
    """``assert EXPR : "why"`` or ``warn EXPR``."""

    kind: Literal["assert", "warn"]
    claim: Expr
    reason: Str | None = None
    span: Span = _span()


@attrs.frozen
class For:
    """``for k in 1..3 { … }``."""

    name: Name
    values: Expr
    body: tuple[Item, ...]
    span: Span = _span()


Item: TypeAlias = Import | Container | Kind | Fabric | Instance | Attribute | Let | Port | Connect | Place | Check | For


@attrs.frozen
class File:
    """A parsed file; ``edition`` is None where the first line does not state one."""

    source: SourceFile = attrs.field(eq=False, repr=False)
    edition: int | None
    items: tuple[Item, ...]
