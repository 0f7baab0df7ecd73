"""Rate agreement: both ports of a cable and the fabric state the same rate per direction."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from topolang.diagnostics import Diagnostic, error
from topolang.ir.model import Bundle, Design
from topolang.passes.model import Pass
from topolang.passes.scopes import scopes
from topolang.units import Quantity


def run(design: Design) -> Iterator[Diagnostic]:
    """Yield T0501 for every `connect` between ports of different rates, or of another rate than its own or its fabric's `rate`."""
    for scope in scopes(design):
        for bundle in scope.design.bundles:
            yield from _ports(bundle) or _fabric(bundle)


def _ports(bundle: Bundle) -> list[Diagnostic]:
    a, z = bundle.a.ports, bundle.z.ports
    if a.rate == z.rate:
        return []
    fast, slow = (bundle.a, bundle.z) if a.rate.amount > z.rate.amount else (bundle.z, bundle.a)
    times = Fraction(fast.ports.rate.amount) / Fraction(slow.ports.rate.amount)
    split = f"declare the faster port with `split {times}` and connect the ports that it makes"
    return [
        error(
            "T0501",
            f"rates differ: `{fast.text}` has {fast.ports.rate}, `{slow.text}` has {slow.ports.rate}",
            bundle.span,
            f"{a.rate} -- {z.rate}",
            extra=((fast.ports.span, f"{fast.ports.rate} declared here"), (slow.ports.span, f"{slow.ports.rate} declared here")),
            help=split if times.denominator == 1 else "connect ports of one rate",
        )
    ]


def _fabric(bundle: Bundle) -> list[Diagnostic]:
    own = bundle.attributes.get("rate")
    stated = own if own is not None else bundle.fabric.attributes.get("rate")
    if not isinstance(stated, Quantity) or stated.dimension != bundle.rate.dimension or stated == bundle.rate:
        return []
    place = (bundle.span, "rate stated here") if own is not None else (bundle.fabric.span, f"`rate = {stated}`")
    return [
        error(
            "T0501",
            f"{'this `connect`' if own is not None else f'fabric `{bundle.fabric.name}`'} states {stated}, but these ports have {bundle.rate}",
            bundle.span,
            f"ports of {bundle.rate}",
            extra=(place, *((end.ports.span, f"{end.ports.rate} declared here") for end in (bundle.a, bundle.z))),
            notes=("`GB/s` counts bytes and `Gb/s` bits: 1GB/s is 8Gb/s",) if ("B/s" in str(stated)) != ("B/s" in str(bundle.rate)) else (),
            help=f"declare ports of {stated}, state the rate that the ports have, or leave `rate` out of a fabric of several rates",
        )
    ]


PASS = Pass("rates", ("T0501",), run)
