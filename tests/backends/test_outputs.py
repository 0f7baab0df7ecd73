"""All backends together: the registry, plug-ins, the manifest, repeats, and what happens when one refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import attrs
import pytest
from backends.designs import SERVER, TINY
from support import design_of

import topolang
from topolang.backends import emit, registry, run
from topolang.backends.model import Built, Output
from topolang.diagnostics import DiagnosticError, Sink, error
from topolang.ir.model import Check

GOLDEN = Path(__file__).parent / "golden"
SHIPPED = ("graphviz", "cables", "bom", "nccl")


@attrs.frozen
class Verdict:
    status: str
    reason: str


@attrs.frozen
class Report:
    verdicts: tuple[tuple[Check, Verdict], ...]


def built(text: str = TINY, *statuses: str) -> Built:
    design = design_of(text)
    return Built(design, Report(tuple((c, Verdict(s, "because")) for c, s in zip(design.checks, statuses, strict=True))))


def quiet(_: str) -> None:
    return None


# ---------------------------------------------------------------- the set


def test_the_names_and_their_order() -> None:
    assert registry.names()[:4] == SHIPPED
    assert registry.choose(("bom", "graphviz")) == ("graphviz", "bom")
    for name in SHIPPED:
        backend = registry.load(name)
        assert backend.name == name and backend.files and isinstance(backend.needs, tuple)


def test_an_unknown_output_is_named_with_the_nearest() -> None:
    with pytest.raises(DiagnosticError, match="T0903") as caught:
        emit(built(), only=("cabels",))
    assert caught.value.diagnostic.help == ("write `cables`",)


def test_only_what_is_asked_for_is_made() -> None:
    emitted = emit(built(), only=("bom",))
    assert sorted(emitted.files) == ["bom.csv", "bom.json", "manifest.json"]


def test_the_same_input_gives_the_same_bytes() -> None:
    assert emit(built()).files == emit(built()).files


def test_the_manifest(golden: Callable[[Path, str], None]) -> None:
    text = TINY.replace("  fabric compute", '  assert count(node) == 3 : "three servers"\n  warn count(leaf) == 5\n  fabric compute')
    emitted = emit(built(text, "proved", "refuted"))
    document = json.loads(emitted.files["manifest.json"])
    for entry in document["outputs"]:
        data = emitted.files[entry["name"]]
        assert (entry["bytes"], entry["sha256"]) == (len(data), sha256(data).hexdigest())
        entry["bytes"], entry["sha256"] = "…", "…"
    assert document["sources"][0] == {"name": "cluster.topo", "sha256": sha256(text.encode()).hexdigest()}
    for source in document["sources"]:
        source["sha256"] = "…"
    assert document["compiler"]["version"] == topolang.__version__
    document["compiler"]["version"] = "…"
    golden(GOLDEN / "manifest.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def test_a_refusal_is_a_warning_unless_the_output_was_asked_for() -> None:
    text = TINY.replace("{ busids = gpu_busids }", "")
    default = emit(built(text))
    assert [(f.code, f.severity) for f in default.findings] == [("T0910", "warning")]
    assert "cables.csv" in default.files and not any(name.startswith("nccl") for name in default.files)
    assert json.loads(default.files["manifest.json"])["left_out"][0]["code"] == "T0910"
    asked = emit(built(text), only=("nccl",))
    assert [(f.code, f.severity) for f in asked.findings] == [("T0910", "error")]


def test_an_output_that_has_nothing_to_say_says_so_if_asked_for() -> None:
    text = SERVER + "design d { fabric f : infiniband { a : hub, b : hub\nconnect a.p -- b.p times 1 } }"
    assert emit(built(text)).findings == ()
    assert [(f.code, f.severity) for f in emit(built(text), only=("nccl",)).findings] == [("T0908", "warning")]


# ---------------------------------------------------------------- writing


def test_run_writes_the_folder_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    sink = Sink()
    out = tmp_path / "out"
    result = built()
    paths = run(result.design, result.report, (), out, quiet, sink)
    assert len(sink) == 0
    assert {p.name for p in paths} == {p.name for p in out.iterdir()}
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    assert run(result.design, result.report, (), out, quiet, sink) == paths
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before


def test_run_writes_nothing_where_an_output_asked_for_is_refused(tmp_path: Path) -> None:
    sink = Sink()
    result = built(TINY.replace("{ busids = gpu_busids }", ""))
    assert run(result.design, result.report, ("cables", "nccl"), tmp_path / "out", quiet, sink) == ()
    assert [d.code for d in sink] == ["T0910"] and not (tmp_path / "out").exists()


def test_run_tells_what_stands_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "bom.csv").write_text("mine")
    sink = Sink()
    assert run(built().design, None, ("bom",), tmp_path, quiet, sink) == ()
    assert [d.code for d in sink] == ["T0904"]
    assert run(built().design, None, ("none",), tmp_path, quiet, sink) == ()
    assert [d.code for d in sink] == ["T0904", "T0903"]


# ---------------------------------------------------------------- plug-ins


class Plug:
    """A backend of another package; ``act`` says what it does."""

    name = "plug"
    files = "plug.txt"
    needs = ()
    act: Callable[[Output], Any] = staticmethod(lambda out: out.write("plug.txt", "hello"))

    def emit(self, result: Built, out: Output) -> None:
        type(self).act(out)


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    points = [EntryPoint("plug", f"{__name__}:Plug", registry.GROUP), EntryPoint("bom", "nowhere:Bom", registry.GROUP)]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else [])
    monkeypatch.setattr(EntryPoint, "load", lambda self: Plug)
    yield monkeypatch


def test_another_package_can_add_an_output_but_take_no_name(plugged: pytest.MonkeyPatch) -> None:
    assert registry.names() == (*SHIPPED, "plug")
    emitted = emit(built(), only=("plug",))
    assert emitted.files["plug.txt"] == b"hello"
    assert json.loads(emitted.files["manifest.json"])["outputs"][0]["backend"] == "plug"


@pytest.mark.parametrize(
    "act",
    [
        lambda out: 1 / 0,
        lambda out: out.write("../plug.txt", "x"),
        lambda out: out.write("manifest.json", "x"),
        lambda out: out.write("cables.csv", "x"),
        lambda out: (out.write("a.txt", "x"), out.write("A.txt", "x")),
    ],
)
def test_a_fault_in_another_package_is_told_and_hurts_nothing_else(plugged: pytest.MonkeyPatch, act: Callable[[Output], Any]) -> None:
    plugged.setattr(Plug, "act", staticmethod(act))
    emitted = emit(built())
    assert [(f.code, f.severity) for f in emitted.findings] == [("T0907", "warning")]
    assert "cables.csv" in emitted.files and "a.txt" not in emitted.files


def test_a_package_that_cannot_be_loaded_is_told(plugged: pytest.MonkeyPatch) -> None:
    def fail(self: EntryPoint) -> Any:
        raise ImportError("no module named nowhere")

    plugged.setattr(EntryPoint, "load", fail)
    finding = emit(built(), only=("plug",)).findings[0]
    assert (finding.code, finding.severity) == ("T0907", "error") and "nowhere" in finding.message


def test_an_error_withdraws_the_files_of_a_backend(plugged: pytest.MonkeyPatch) -> None:
    def act(out: Output) -> None:
        out.write("plug.txt", "half")
        out.report(error("T0907", "half done"))

    plugged.setattr(Plug, "act", staticmethod(act))
    assert "plug.txt" not in emit(built(), only=("plug",)).files


def test_long_names_of_fabrics_and_servers_make_good_file_names() -> None:
    from topolang.backends.model import file_stem
    from topolang.workspace import check_name

    stems = [file_stem("fabric", "a" * 99, "b" * 99, end) for end in ("x", "y")]
    assert stems[0] != stems[1]
    assert [check_name(f"{stem}-detail.dot") for stem in stems] == [None, None]
    assert file_stem("device", "dgx_h100") == "device-dgx_h100"


def test_a_protocol_that_a_spreadsheet_would_run_leaves_no_table() -> None:
    kind = "kind fabric odd(protocol: string, rate: rate)\ndesign "
    text = TINY.replace("design ", kind).replace(": infiniband {", ': odd {\n protocol = "=1+1"\n')
    emitted = emit(Built(design_of(text)), ("cables",))
    assert [f.code for f in emitted.findings] == ["T0905"]
    assert "cables.csv" not in emitted.files
