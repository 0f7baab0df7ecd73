"""Wording of what can go wrong when a join is run: each function returns the error to raise."""

from __future__ import annotations

from collections.abc import Mapping

from topolang.diagnostics import DiagnosticError, error
from topolang.ir.grid import CABLE_LIMIT
from topolang.ir.model import Bundle


def _at(values: Mapping[str, int]) -> str:
    return ", ".join(f"{k} = {v}" for k, v in values.items())


def divisors(n: int) -> list[int]:
    """Return the divisors of ``n`` in rising order."""
    return [d for d in range(1, n + 1) if n % d == 0] if n <= 100_000 else []


def too_large(bundle: Bundle, size: int) -> DiagnosticError:
    """Refuse an index space that would have to be searched tuple by tuple."""
    return DiagnosticError(
        error(
            "T0309",
            f"this `connect` runs over {size:,} index tuples, more than can be searched",
            bundle.span,
            "too many combinations of free dimensions",
            help="share dimension names between the two sides, or write the condition as `dimension == expression`, which is solved",
        )
    )


def too_many_cables(bundle: Bundle, cables: int) -> DiagnosticError:
    """Refuse more cables than can be laid out one by one."""
    return DiagnosticError(error("T0308", f"{cables:,} cables are more than can be built", bundle.span, f"at most {CABLE_LIMIT:,}"))


def uneven_fill(bundle: Bundle, least: int, most: int) -> DiagnosticError:
    """Refuse `fill` where elements have different numbers of partners."""
    return DiagnosticError(
        error(
            "T0402",
            f"`fill` needs the same number of partners for every `{bundle.a.text}`, but they have {least} to {most}",
            bundle.rule.span or bundle.span,
            "cannot fill evenly",
            extra=((bundle.a.span, f"{len(bundle.a.picks)} ports each"),),
            help="write `spread`, which gives every port of the left side as evenly as possible",
        )
    )


def fill_does_not_divide(bundle: Bundle, pool: int, partners: int) -> DiagnosticError:
    """Refuse `fill` where the ports of the left side do not divide among its partners; name what would."""
    known = divisors(pool)
    below = max((d for d in known if d < partners), default=None)
    above = min((d for d in known if d > partners), default=None)
    near = [f"{n} (x{pool // n})" for n in (below, above) if n is not None]
    ports = [n for n in (pool - pool % partners, pool - pool % partners + partners) if n > 0]
    helps = [
        f"{' or '.join(near)} of `{bundle.z.text}` would divide {pool} ports" if near else "",
        f"or use {' or '.join(map(str, ports))} ports of `{bundle.a.text}` with {partners} partners",
        "or write `spread`: every port is used, shares differ by at most one cable",
    ]
    free = [v.dim for v in bundle.variables if v.side == "z"]
    extra = [(bundle.a.span, f"{pool} ports"), (bundle.z.span, f"{pool} / {partners} = {pool / partners:.2f} cables per pair")]
    extra += [(d.span, f"`{d.name}` counts {d.size}") for d in free]
    return DiagnosticError(
        error(
            "T0401",
            f"{pool} ports of `{bundle.a.text}` do not divide among {partners} of `{bundle.z.text}`",
            bundle.rule.span or bundle.span,
            "cannot fill exactly",
            extra=extra,
            help=[h for h in helps if h],
        )
    )


def negative_times(bundle: Bundle) -> DiagnosticError:
    """Refuse a multiplicity below 0."""
    return DiagnosticError(
        error("T0403", "`times` gives a negative number of cables for some pairs", bundle.rule.span or bundle.span, "below 0 somewhere")
    )


def out_of_dimension(bundle: Bundle, values: Mapping[str, int]) -> DiagnosticError:
    """Refuse a bound index that leaves its dimension."""
    return DiagnosticError(
        error(
            "T0304",
            f"a selected index leaves its dimension, for example at {_at(values)}",
            bundle.span,
            f"`{bundle.a.text}` and `{bundle.z.text}`",
            help="wrap around with `mod`, or leave these tuples out with `where`",
        )
    )


def to_itself(bundle: Bundle, values: Mapping[str, int]) -> DiagnosticError:
    """Refuse a cable from a device to itself."""
    where = f", for example at {_at(values)}" if values else ""
    return DiagnosticError(
        error(
            "T0408",
            f"this would cable a device to itself{where}",
            bundle.span,
            "both ends are the same device",
            help="add a `where` that orders the two sides, e.g. `where r < r2`",
        )
    )
