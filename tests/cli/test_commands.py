"""What each command prints, where, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import topolang
from topolang.cli import main
from topolang.diagnostics.catalogue import all_codes

GOOD = """topolang 1
device host { role = "host", port p[1..1] = 400Gb/s }
device hub { role = "switch", port p[1..4] = 400Gb/s }
design small(n: int = 4 in 1..4) {
  fabric lan : ethernet {
    node[i: 1..n] : host
    sw : hub
    connect node.p -- sw.p
  }
}
"""
BAD = GOOD.replace("connect node.p", "connect nod.p")


@pytest.fixture
def good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Stand in a folder with a clean program."""
    monkeypatch.chdir(tmp_path)
    Path("small.topo").write_text(GOOD, encoding="utf-8")
    Path("bad.topo").write_text(BAD, encoding="utf-8")
    return "small.topo"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"topoc {topolang.__version__}\n"
    assert main(["version"]) == 0
    assert capsys.readouterr().out.startswith(f"topolang {topolang.__version__}, language edition 1, Python 3.")


@pytest.mark.parametrize("command", ["build", "check", "explain", "new"])
def test_help_shows_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"Examples:\n    topoc {command}" in capsys.readouterr().out


def test_check_of_a_clean_program(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", good]) == 0
    streams = capsys.readouterr()
    assert streams.out.endswith("no findings\n")
    assert streams.err == ""
    assert sorted(path.name for path in Path().iterdir()) == ["bad.topo", "small.topo"]


def test_check_of_a_wrong_program(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "bad.topo"]) == 1
    out = capsys.readouterr().out
    assert "bad.topo:8:13" in out
    assert "connect nod.p -- sw.p" in out
    assert "`node`" in out
    assert out.endswith("1 error\n")


def test_quiet_shows_findings_only(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--quiet", good]) == 0
    assert capsys.readouterr().out == ""
    assert main(["check", "-q", "bad.topo"]) == 1
    assert capsys.readouterr().out.startswith("error[T02")


def test_json_report(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "bad.topo", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["version"] == 1
    assert report["summary"] == {"errors": 1, "warnings": 0, "notes": 0}
    start = report["diagnostics"][0]["labels"][0]["span"]["start"]
    assert (start["line"], start["column"], BAD[start["offset"] :][:3]) == (8, 13, "nod")
    assert report["files"] == []


def test_build_writes_files(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", good]) == 0
    out = capsys.readouterr().out
    written = [path for path in Path("out/small").rglob("*") if path.is_file()]
    assert f"wrote {len(written)} files to out/small\n" in out
    assert Path("out/small/manifest.json").is_file()


def test_build_goes_where_it_is_told_and_reports_files(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", good, "-o", "here", "--format", "json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert files
    assert sorted(files) == sorted(path.as_posix() for path in Path("here").rglob("*") if path.is_file())


def test_outputs_do_not_tell_where_the_compiler_was_called(good: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / "parts" / "extra.topo"
    part.parent.mkdir()
    part.write_text("topolang 1\ndevice spare { port p = 1Gb/s }\n", encoding="utf-8")
    place = tmp_path / "inner" / "main.topo"
    place.parent.mkdir()
    text = Path(good).read_text(encoding="utf-8").replace("topolang 1\n", 'topolang 1\nimport "../parts/extra.topo"\n', 1)
    place.write_text(text, encoding="utf-8")
    for folder, name in ((place.parent, "main.topo"), (tmp_path, "inner/main.topo"), (part.parent, "../inner/main.topo"), (part.parent, str(place))):
        monkeypatch.chdir(folder)
        assert main(["build", "-q", name, "-o", str(tmp_path / "out" / str(len(list(tmp_path.glob("out/*")))))]) == 0
    first, *others = ({f.name: f.read_bytes() for f in out.iterdir()} for out in sorted((tmp_path / "out").iterdir()))
    assert others == [first] * 3
    assert [s["name"] for s in json.loads(first["manifest.json"])["sources"]][:2] == ["main.topo", "../parts/extra.topo"]


def test_build_of_a_wrong_program_writes_nothing(good: str) -> None:
    assert main(["build", "bad.topo", "-o", "here"]) == 1
    assert not Path("here").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "smal.topo"], "there is no file `smal.topo`; write `small.topo`"),
        (["check", "."], "is a folder"),
        (["check", "small.topo", "-D", "n"], "`n` is not of the form `name=value`"),
        (["check", "small.topo", "-D", "n="], "is not of the form"),
        (["check", "small.topo", "-D", "n=1", "-D", "n=2"], "`n` is given twice"),
        (["check", "small.topo", "-I", "nowhere"], "nowhere"),
        (["explain", "T4711"], "there is no code `T4711`"),
        (["explain", "what"], "neither a code"),
        (["explain", "gone.topo:3"], "there is no file `gone.topo`"),
        (["new"], "topoc new --list"),
        (["new", "superpod_h10"], "write `superpod_h100`"),
        (["nonsense"], "nonsense"),
        (["check"], "FILE"),
    ],
)
def test_wrong_command_lines_exit_with_2(arguments: list[str], message: str, good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    streams = capsys.readouterr()
    assert message in streams.err
    assert streams.out == ""


def test_an_unknown_parameter_exits_with_2_and_names_the_nearest(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", good, "-D", "m=2"]) == 2
    assert "`n`" in capsys.readouterr().out


def test_an_unknown_output_exits_with_2(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", good, "--only", "bomm"]) == 2
    assert "`bom`" in capsys.readouterr().out
    assert not Path("out").exists()


def test_a_value_that_the_design_does_not_allow_exits_with_2(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", good, "-D", "n=9"]) == 2
    assert "error[T0104]" in capsys.readouterr().out


def test_a_parameter_reaches_the_design(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", good, "-D", "n=3"]) == 0
    assert "3" in capsys.readouterr().out


def test_explain_prints_a_code_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "t0401"]) == 0
    assert capsys.readouterr().out.startswith("T0401: ")


def test_explain_lists_all_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {code.code}  {code.title}\n" in out for code in all_codes())


def test_explain_a_line(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "small.topo:8"]) == 0
    assert "4" in capsys.readouterr().out


def test_explain_counts_in_words_that_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "holes.topo"
    path.write_text(GOOD.replace(": host\n", ": host if i != 2\n").replace("sw.p", "sw.p[1] where i == 1"), encoding="utf-8")
    assert main(["explain", f"{path}:6"]) == 0
    assert "index space: i 1..4, 1 hole\n" in capsys.readouterr().out
    assert main(["explain", f"{path}:8"]) == 0
    assert "sw.p: one port @ 400Gb/s" in capsys.readouterr().out


def test_new_copies_an_example_and_never_overwrites(good: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "superpod_h100"]) == 0
    assert Path("superpod_h100.topo").read_bytes() == (root / "examples" / "superpod_h100.topo").read_bytes()
    assert capsys.readouterr().out == "wrote superpod_h100.topo; next: topoc build superpod_h100.topo\n"
    Path("superpod_h100.topo").write_text("mine", encoding="utf-8")
    assert main(["new", "superpod_h100"]) == 2
    assert "is left as it is" in capsys.readouterr().err
    assert Path("superpod_h100.topo").read_text(encoding="utf-8") == "mine"
    assert main(["new", "superpod_h100", "-o", "other.topo"]) == 0


def test_new_lists_every_example(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "--list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == sorted(path.stem for path in (root / "examples").glob("*.topo"))


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"topolang 1\x00", b"", b"\x7fELF\x02\x01", b"topolang 1\ndesign {", b"}" * 50, b'"\\' * 9])
@pytest.mark.parametrize("command", ["check", "build"])
def test_no_bytes_raise_a_traceback(data: bytes, command: str, good: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.topo").write_bytes(data)
    assert main([command, "odd.topo"]) == 1
    streams = capsys.readouterr()
    assert streams.out.startswith(("error[T0", "warning[T0"))
    assert "T9999" not in streams.out
    assert streams.err == ""
