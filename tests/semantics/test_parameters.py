"""Typed parameters: every type of the language, values that do not fit, and how they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from topolang.driver import Request, check

TYPES = {
    "int": ("-4", "4.5", "a float"),
    "count": ("4", "-4", "a number below 0"),
    "float": ("1.5", "on", "a bool"),
    "bool": ("off", "1", "an int"),
    "string": ('"a b"', "3m", "a length"),
    "device": ("part", '"part"', "a string"),
    "rate": ("400Gb/s", "32GT/s", "a transfer_rate"),
    "bandwidth": ("50GB/s", "400", "an int"),
    "length": ("3m", "3kW", "a power"),
    "rack_units": ("8U", "3m", "a length"),
    "power": ("44kW", "44", "an int"),
    "money": ("1.5usd", "1kg", "a mass"),
    "time": ("130ns", "1m", "a length"),
    "mass": ("12kg", "[1kg]", "a list"),
    "capacity": ("2TiB", "1..2", "a range"),
    "temperature": ("85C", "85", "an int"),
    "percent": ("1%", "0.01", "a float"),
}


def findings(folder: Path, text: str, *defines: tuple[str, str]) -> list[tuple[str, str]]:
    path = folder / "main.topo"
    path.write_text(f"topolang 1\ndevice part {{ }}\n{text}", encoding="utf-8")
    return [(d.code, d.message) for d in check(Request(path, defines)).diagnostics]


@pytest.mark.parametrize("name", TYPES)
def test_each_type_takes_its_values_and_no_others(tmp_path: Path, name: str) -> None:
    good, bad, found = TYPES[name]
    one = f"design d(x: {name} = {good}) {{ }}\n"
    assert findings(tmp_path, one) == []
    assert findings(tmp_path, one, ("x", good)) == []
    shown = {"bandwidth": "rate"}.get(name, name)
    if name != "string":
        assert findings(tmp_path, one, ("x", bad)) == [("T0103", f"`x` is of type `{shown}`, but this is {found}")]
    assert findings(tmp_path, f"design d(x: {name} = {bad}) {{ }}\n") == [("T0103", f"`x` is of type `{shown}`, but this is {found}")]


@pytest.mark.parametrize("name", TYPES)
def test_lists_of_each_type(tmp_path: Path, name: str) -> None:
    good, _, _ = TYPES[name]
    assert findings(tmp_path, f"design d(x: list of {name} = [{good}]) {{ }}\n", ("x", f"[{good}, {good}]")) == []


def test_parameters_are_shown_as_written(tmp_path: Path) -> None:
    path = tmp_path / "main.topo"
    path.write_text('topolang 1\ndesign d(f: float = 1.5, s: string = "x", l: list of rate = [50GB/s]) { }\n', encoding="utf-8")
    assert check(Request(path)).summary_lines()[0] == 'd(f = 1.5, s = "x", l = [50GB/s])'


@pytest.mark.parametrize(
    ("given", "help_text"), [('"ftreee"', 'write `"ftree"`'), ('"none"', 'choose from ["updn", "ftree", "dor"]'), ("7", "choose from 1..4")]
)
def test_a_value_that_is_not_allowed_gets_the_nearest_one_or_all(tmp_path: Path, given: str, help_text: str) -> None:
    path = tmp_path / "main.topo"
    declared = "int = 2 in 1..4" if given == "7" else 'string = "dor" in ["updn", "ftree", "dor"]'
    path.write_text(f"topolang 1\ndesign d(x: {declared}) {{ }}\n", encoding="utf-8")
    (found,) = check(Request(path, (("x", given),))).diagnostics
    assert (found.code, found.help) == ("T0104", (help_text,))
