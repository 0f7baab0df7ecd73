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
