"""The frame around commands: faults, interrupts, closed pipes, colours, progress."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from topolang import driver
from topolang.cli import main
from topolang.cli.terminal import Progress, colored


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def broken(request: driver.Request) -> driver.Result:
    raise ZeroDivisionError("a fault")


def interrupted(request: driver.Request) -> driver.Result:
    raise KeyboardInterrupt


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOPOLANG_DEBUG", raising=False)
    Path("a.topo").write_text("topolang 1\n", encoding="utf-8")
    return "a.topo"


def test_a_fault_is_a_finding_not_a_traceback(source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(driver, "check", broken)
    assert main(["check", source]) == 1
    streams = capsys.readouterr()
    assert streams.out.startswith("error[T9999]: internal error: ZeroDivisionError: a fault\n")
    assert "TOPOLANG_DEBUG=1" in streams.out
    assert "Traceback" not in streams.out + streams.err


def test_a_fault_in_json(source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(driver, "check", broken)
    assert main(["check", source, "--format", "json"]) == 1
    assert [d["code"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == ["T9999"]


def test_a_fault_outside_a_phase(source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(driver, "explain_line", lambda request, line: [][line])
    assert main(["explain", f"{source}:1"]) == 1
    assert "error[T9999]" in capsys.readouterr().err


def test_debugging_shows_the_traceback(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "check", broken)
    monkeypatch.setenv("TOPOLANG_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["check", source])


def test_an_interrupt_exits_with_130(source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(driver, "check", interrupted)
    assert main(["check", source]) == 130
    streams = capsys.readouterr()
    assert "Traceback" not in streams.err
    assert "interrupted" in streams.err


@pytest.mark.parametrize("arguments", [["explain"], ["--help"]])
def test_a_closed_pipe_is_no_fault(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "topolang", *arguments], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert done.stderr == ""
    assert done.returncode == 141


def test_colours_need_a_terminal_and_no_veto(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colored(Terminal())
    assert not colored(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colored(Terminal())
    monkeypatch.setenv("NO_COLOR", "")
    assert colored(Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert not colored(Terminal())


@pytest.mark.parametrize(("veto", "expected"), [("", True), ("1", False)])
def test_no_color_reaches_the_report(veto: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "a.topo").write_text("topolang 1\ndesign d { x : nothing }\n", encoding="utf-8")
    outer, inner = pty.openpty()
    environment = os.environ | {"NO_COLOR": veto, "TERM": "xterm"}
    command = [sys.executable, "-m", "topolang", "check", "a.topo"]
    subprocess.run(command, stdout=inner, stderr=subprocess.DEVNULL, cwd=tmp_path, env=environment, check=False)
    os.close(inner)
    text = os.read(outer, 65536).decode()
    os.close(outer)
    assert "error" in text
    assert ("\x1b[1;31m" in text) is expected


def test_progress_shows_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown, piped, silenced = Terminal(), io.StringIO(), Terminal()
    for stream, quiet in ((shown, False), (piped, False), (silenced, True)):
        with Progress(stream, quiet=quiet) as progress:
            progress("expanding")
    assert shown.getvalue() == "\r\x1b[2Kexpanding\r\x1b[2K"
    assert piped.getvalue() == ""
    assert silenced.getvalue() == ""


def test_output_that_cannot_be_encoded_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "a.topo").write_text("topolang 1\nlet x = ÄÖ漢\n", encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([sys.executable, "-m", "topolang", "check", "a.topo"], capture_output=True, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == 1
    assert b"\\u6f22" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["check", "a.topo"], ["explain"], ["new", "--list"], ["--help"]])
def test_a_full_disk_is_told_in_one_line(source: str, arguments: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "topolang", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("topoc: the report cannot be written: ")
    assert done.stderr.count("\n") == 1


def test_closed_streams_do_no_harm(source: str) -> None:
    command = f"{sys.executable} -m topolang check {source} >&- 2>&-"
    assert subprocess.run(command, shell=True, check=False).returncode == 0


def test_a_file_name_that_is_no_text_is_shown_escaped(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"\xff.topo")
    host = 'device host { role = "host", port p = 400Gb/s }'
    text = f"topolang 1\n{host}\ndesign d {{ fabric f : ethernet {{ a : host, b : host, connect a.p -- b.p }} }}\n"
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert main(["build", name, "-o", "made", "--only", "cables"]) == 0
    assert "\\udcff.topo:3" in Path("made/cables.csv").read_text(encoding="utf-8")


def test_a_parameter_that_is_no_text_is_a_usage_error(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", source, "-D", os.fsdecode(b"s=\xff")]) == 2
    assert "no UTF-8 text" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "folder"), [("a.topo", "out/a"), ("...topo", "out/design"), (".topo", "out/topo")])
def test_outputs_stay_below_out(name: str, folder: str) -> None:
    assert driver.default_folder(Path(name)).as_posix() == folder
