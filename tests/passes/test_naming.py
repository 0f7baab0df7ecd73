"""Display names: no two devices share one."""

from __future__ import annotations

import pytest
from support import design_of

from topolang.passes.run import run_passes

PARTS = """topolang 1
device host { role = "host", port x = 100Gb/s }
device hub { role = "switch", port p[1..16] = 100Gb/s }
"""


def found(nodes: str, hub: str) -> list[str]:
    body = f"node[r: 1..2, n: 1..2] : host{nodes}\n sw : hub{hub}\n connect node.x -- sw.p"
    return [d.code for d in run_passes(design_of(f"{PARTS}design d {{ fabric f : ethernet {{ {body} }} }}")).diagnostics]


@pytest.mark.parametrize(
    ("nodes", "hub"),
    [
        (' { name = "n" }', ""),
        (' { name = "n-{r}" }', ""),
        (' { name = "n{r}{n}" }', ' { name = "n12" }'),
        ("", ' { name = "node-1-2" }'),
    ],
)
def test_two_devices_of_one_name_are_an_error(nodes: str, hub: str) -> None:
    assert found(nodes, hub) == ["T0220"]


@pytest.mark.parametrize(("nodes", "hub"), [("", ""), (' { name = "n-{r}-{n}" }', ' { name = "n" }')])
def test_distinct_names_are_fine(nodes: str, hub: str) -> None:
    assert found(nodes, hub) == []
