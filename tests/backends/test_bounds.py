"""Pictures that nobody would look at are not drawn, and the build says so."""

from __future__ import annotations

import pytest
from support import design_of

from topolang.backends import Built, emit
from topolang.backends.graphviz import backend
from topolang.passes.run import run_passes

TEXT = """topolang 1
device host { role = "host", port p[1..2] = 1Gb/s }
device hub { role = "switch", port p[1..2] = 1Gb/s }
design d {
  h : host
  fabric a : ethernet { x : hub
    connect h.p[1] -- x.p }
  fabric b : ethernet { y : hub
    connect h.p[2] -- y.p }
}
"""


@pytest.mark.parametrize(("fabrics", "elements", "drawn"), [(2, 2, {"a", "b"}), (1, 2, {"a"}), (2, 1, set())])
def test_pictures_beyond_a_limit_are_left_out(fabrics: int, elements: int, drawn: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "MOST_FABRICS", fabrics)
    monkeypatch.setattr(backend, "MOST_ELEMENTS", elements)
    design = design_of(TEXT)
    outcome = emit(Built(design, run_passes(design)), ("graphviz",))
    assert {f"fabric-{name}.dot" for name in drawn} == {name for name in outcome.files if name.endswith(".dot") and "detail" not in name}
    assert [d.code for d in outcome.findings] == ["T0906"] * (2 - len(drawn))
