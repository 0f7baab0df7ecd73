"""Reading sources and writing whole sets of outputs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from topolang.diagnostics import DiagnosticError
from topolang.workspace import MANIFEST_FORMAT, SOURCE_LIMIT, check_name, read_source, write_outputs


def manifest(*names: str) -> bytes:
    return json.dumps({"format": MANIFEST_FORMAT, "outputs": [{"name": name} for name in names]}).encode()


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def code(caught: pytest.ExceptionInfo[DiagnosticError]) -> str:
    return caught.value.diagnostic.code


# ---------------------------------------------------------------- sources


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.topo"
    path.write_bytes(b"\xef\xbb\xbftopolang 1\r\n")
    source = read_source(path, "a.topo")
    assert (source.name, source.text) == ("a.topo", "topolang 1\r\n")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"topolang 1\n\xff\n", "T0003"),
        ("topolang 1".encode("utf-16"), "T0003"),
        (b"\xed\xa0\x80", "T0003"),
        (b" " * (SOURCE_LIMIT + 1), "T0002"),
    ],
)
def test_what_is_no_program_text_is_refused(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "a.topo"
    path.write_bytes(data)
    with pytest.raises(DiagnosticError) as caught:
        read_source(path, "a.topo")
    assert code(caught) == expected


def test_the_line_of_a_wrong_byte_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.topo"
    path.write_bytes(b"one\ntwo\nthr\xffee\n")
    with pytest.raises(DiagnosticError, match="byte 0xff in line 3"):
        read_source(path, "a.topo")


@pytest.mark.parametrize("name", ["none.topo", ".", "nul\0.topo"])
def test_files_that_cannot_be_read_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        read_source(tmp_path / name, name)
    assert code(caught) == "T0001"


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("name", ["cables.csv", "nccl-dgx_h100.xml", "pages/a.html", "fabric-rack-nvlink.dot", "a b.txt"])
def test_good_names(name: str) -> None:
    assert check_name(name) is None


BAD_NAMES = ["", "../a", "/etc/a", "a/../b", "a/b/c", "a//b", "a\\b", "C:a", "a:b", "con", "NUL.txt", "Com1.csv", "lpt9", ".hidden", "a.", "a "]


@pytest.mark.parametrize("name", [*BAD_NAMES, "a\n", "x" * 121])
def test_names_that_leave_the_folder_or_that_a_file_system_refuses(name: str, tmp_path: Path) -> None:
    assert check_name(name) is not None
    with pytest.raises(DiagnosticError) as caught:
        write_outputs(tmp_path / "out", {name: b""})
    assert code(caught) == "T0901"
    assert not (tmp_path / "out").exists()


# ---------------------------------------------------------------- writing


def test_a_new_folder_appears_with_all_its_files(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "er" / "out"
    files = {"manifest.json": manifest("a.csv"), "a.csv": b"1\n", "sub/b.txt": b"2"}
    assert write_outputs(out, files) == (out / "a.csv", out / "manifest.json", out / "sub/b.txt")
    assert tree(out) == files
    assert sorted(p.name for p in out.parent.iterdir()) == ["out"]


def test_a_second_build_replaces_its_own_files_and_no_others(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_outputs(out, {"manifest.json": manifest("a.csv", "old/b.csv"), "a.csv": b"1", "old/b.csv": b"2"})
    (out / "notes.txt").write_text("mine")
    (out / "old" / "mine.txt").write_text("mine")
    write_outputs(out, {"manifest.json": manifest("a.csv", "c.csv"), "a.csv": b"3", "c.csv": b"4"})
    assert tree(out) == {
        "manifest.json": manifest("a.csv", "c.csv"),
        "a.csv": b"3",
        "c.csv": b"4",
        "notes.txt": b"mine",
        "old/mine.txt": b"mine",
    }


def test_an_emptied_subfolder_goes_with_its_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_outputs(out, {"manifest.json": manifest("old/b.csv"), "old/b.csv": b"2"})
    write_outputs(out, {"manifest.json": manifest()})
    assert sorted(p.name for p in out.iterdir()) == ["manifest.json"]


def test_a_file_of_somebody_else_is_never_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "cables.csv").write_text("mine")
    with pytest.raises(DiagnosticError, match=r"cables\.csv") as caught:
        write_outputs(out, {"manifest.json": manifest("cables.csv"), "cables.csv": b"x"})
    assert code(caught) == "T0904"
    assert tree(out) == {"cables.csv": b"mine"}


@pytest.mark.parametrize("text", ["{}", "[1]", "not json", '{"format": "npm", "outputs": []}', '{"format": "topolang-manifest", "outputs": 3}'])
def test_a_manifest_that_is_not_ours_is_a_file_of_somebody_else(tmp_path: Path, text: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.json").write_text(text)
    with pytest.raises(DiagnosticError) as caught:
        write_outputs(out, {"manifest.json": b"{}"})
    assert code(caught) == "T0904"


def test_a_manifest_cannot_point_out_of_its_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    victim = tmp_path / "victim.txt"
    victim.write_text("keep")
    (out / "manifest.json").write_bytes(manifest("../victim.txt", str(victim), 3))  # type: ignore[arg-type]
    write_outputs(out, {"manifest.json": manifest()})
    assert victim.read_text() == "keep"


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_are_replaced_and_not_followed(tmp_path: Path) -> None:
    out, victim = tmp_path / "out", tmp_path / "victim.txt"
    write_outputs(out, {"manifest.json": manifest("a.csv", "b.csv"), "a.csv": b"1", "b.csv": b"1"})
    victim.write_text("keep")
    for name in ("a.csv", "b.csv"):
        (out / name).unlink()
        (out / name).symlink_to(victim)
    write_outputs(out, {"manifest.json": manifest("a.csv"), "a.csv": b"2"})
    assert victim.read_text() == "keep"
    assert not (out / "a.csv").is_symlink() and not (out / "b.csv").exists()


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_linked_subfolder_is_refused(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (out / "sub").symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(DiagnosticError) as caught:
        write_outputs(out, {"manifest.json": manifest("sub/a"), "sub/a": b"1"})
    assert code(caught) == "T0904"
    assert list(elsewhere.iterdir()) == []


def test_a_folder_in_the_place_of_an_output_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_outputs(out, {"manifest.json": manifest("a.csv"), "a.csv": b"1"})
    (out / "a.csv").unlink()
    (out / "a.csv").mkdir()
    (out / "a.csv" / "mine").write_text("mine")
    for files in ({"manifest.json": manifest("a.csv"), "a.csv": b"2"}, {"manifest.json": manifest()}):
        with pytest.raises(DiagnosticError) as caught:
            write_outputs(out, files)
        assert code(caught) == "T0904"
    assert (out / "a.csv" / "mine").read_text() == "mine"


def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(DiagnosticError) as caught:
        write_outputs(tmp_path / "out", {"a": b""})
    assert code(caught) == "T0904"
    with pytest.raises(DiagnosticError) as caught:
        write_outputs(tmp_path / "out" / "deeper", {"a": b""})
    assert code(caught) == "T0901"


# ---------------------------------------------------------------- failures on the way


def failing(monkeypatch: pytest.MonkeyPatch, method: str, after: int) -> None:
    """Let a method of paths fail once it has been called ``after`` times."""
    true = getattr(Path, method)
    calls = {"left": after}

    def fail(self: Path, *args: object) -> object:
        if calls["left"] == 0:
            calls["left"] = -1
            raise OSError(28, "No space left on device", str(self))
        calls["left"] -= 1
        return true(self, *args)

    monkeypatch.setattr(Path, method, fail)


@pytest.mark.parametrize("after", range(3))
def test_a_full_disk_leaves_no_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    failing(monkeypatch, "write_bytes", after)
    with pytest.raises(DiagnosticError, match="no space left on device") as caught:
        write_outputs(tmp_path / "a" / "out", {"a": b"1", "b": b"2", "c": b"3"})
    assert code(caught) == "T0901"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("method", "after"), [("write_bytes", 1), *(("replace", n) for n in range(6))])
def test_a_failure_leaves_the_earlier_build_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, after: int) -> None:
    out = tmp_path / "out"
    write_outputs(out, {"manifest.json": manifest("a", "sub/b"), "a": b"1", "sub/b": b"2"})
    before = tree(out)
    failing(monkeypatch, method, after)
    with pytest.raises(DiagnosticError) as caught:
        write_outputs(out, {"manifest.json": manifest("a", "new/c"), "a": b"3", "new/c": b"4"})
    assert code(caught) == "T0901"
    assert tree(out) == before
    assert sorted(p.name for p in out.iterdir()) == ["a", "manifest.json", "sub"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="a superuser may write anywhere")
def test_a_read_only_place_is_a_finding(tmp_path: Path) -> None:
    place = tmp_path / "sealed"
    place.mkdir(mode=0o555)
    with pytest.raises(DiagnosticError, match="permission denied") as caught:
        write_outputs(place / "out", {"a": b"1"})
    assert code(caught) == "T0901"


def test_outputs_have_the_permissions_that_the_user_gives_new_files(tmp_path: Path) -> None:
    write_outputs(tmp_path / "out", {"a": b"1"})
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a").write_bytes(b"1")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "out" / "a").stat().st_mode == (tmp_path / "plain" / "a").stat().st_mode
