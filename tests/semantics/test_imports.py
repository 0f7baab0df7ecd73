"""Imports: where files are found, what enters the scope, and what cannot be imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from topolang.driver import Request, Result, check

PARTS = """topolang 1
device host { role = "host", port p[1..2] = 100Gb/s }
device hub { role = "switch", port p[1..8] = 100Gb/s }
"""
BODY = "fabric f : ethernet { h[n: 1..2] : %shost, s : %shub\n connect h.p[1] -- s.p }"


def run(folder: Path, include: tuple[Path, ...] = (), **texts: str) -> Result:
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.topo"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return check(Request(folder / "main.topo", include=include))


def codes(result: Result) -> list[str]:
    return [d.code for d in result.diagnostics]


def test_a_file_relative_to_the_importing_one(tmp_path: Path) -> None:
    result = run(
        tmp_path,
        lib__parts=PARTS,
        lib__more='topolang 1\nimport "./parts.topo"\n',
        main=f'topolang 1\nimport "lib/parts.topo"\ndesign d {{ {BODY % ("", "")} }}',
    )
    assert codes(result) == []


def test_what_a_file_imports_is_not_passed_on(tmp_path: Path) -> None:
    result = run(tmp_path, parts=PARTS, more='topolang 1\nimport "./parts.topo"\n', main='topolang 1\nimport "./more.topo"\ndesign d { h : host }')
    assert codes(result) == ["T0201"]


def test_alias(tmp_path: Path) -> None:
    result = run(tmp_path, parts=PARTS, main=f'topolang 1\nimport "./parts.topo" as x\ndesign d {{ {BODY % ("x.", "x.")} }}')
    assert codes(result) == []


def test_search_folder(tmp_path: Path) -> None:
    main = f"topolang 1\nimport mine.parts\ndesign d {{ {BODY % ('', '')} }}"
    folder = tmp_path / "elsewhere"
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "parts.topo").write_text(PARTS, encoding="utf-8")
    assert codes(run(tmp_path / "here", main=main)) == ["T0205"]
    assert codes(run(tmp_path / "here", include=(folder,), main=main)) == []


def test_the_standard_library(tmp_path: Path) -> None:
    assert codes(run(tmp_path, main="topolang 1\nimport nvidia.qm9700\ndesign d { }")) == []
    (missing,) = run(tmp_path, main="topolang 1\nimport nvidia.qm9770\ndesign d { }").diagnostics
    assert missing.code == "T0205"
    assert missing.help == ("write `nvidia.qm9700`",)


@pytest.mark.parametrize("depth", [1, 3])
def test_cycle(tmp_path: Path, depth: int) -> None:
    chain = {f"f{i}": f'topolang 1\nimport "./f{i + 1}.topo"\n' for i in range(depth)}
    last = {f"f{depth}": 'topolang 1\nimport "./main.topo"\n'}
    result = run(tmp_path, main='topolang 1\nimport "./f0.topo"\ndesign d { }', **chain, **last)
    assert codes(result) == ["T0206"]


def test_two_files_that_declare_one_name(tmp_path: Path) -> None:
    twice = 'topolang 1\nimport "./parts.topo"\nimport "./other.topo"\ndesign d { }'
    (clash,) = run(tmp_path, parts=PARTS, other=PARTS, main=twice).diagnostics
    assert (clash.code, clash.message) == ("T0203", "`host` is imported twice from different files")


@pytest.mark.parametrize("declared", [PARTS, PARTS + "let most = 8\n"])
@pytest.mark.parametrize("again", ["import parts", 'import "./parts.topo"'])
def test_the_same_file_twice(tmp_path: Path, declared: str, again: str) -> None:
    (clash,) = run(tmp_path, parts=declared, main=f"topolang 1\nimport parts\n{again}\ndesign d {{ a : host }}").diagnostics
    assert (clash.code, clash.help) == ("T0203", ("remove one of the two",))
    assert clash.message.endswith("parts.topo is imported twice")
    assert clash.span is not None
    assert clash.span.line == 3


def test_one_file_under_two_names(tmp_path: Path) -> None:
    main = "topolang 1\nimport parts\nimport parts as p\nimport parts as q\ndesign d { a : host, b : p.host, c : q.host }"
    assert codes(run(tmp_path, parts=PARTS, main=main)) == []


def test_a_declaration_that_is_also_imported(tmp_path: Path) -> None:
    result = run(tmp_path, parts=PARTS, main='topolang 1\nimport "./parts.topo"\ndevice host { }\ndesign d { }')
    assert codes(result) == ["T0203"]


def test_faults_of_an_imported_file_are_reported_there_and_once(tmp_path: Path) -> None:
    result = run(
        tmp_path, parts="topolang 1\ndevice x { port p = 3kW }\n", main='topolang 1\nimport "./parts.topo"\ndesign d { a : x, b : x, c[n: 1..3] : x }'
    )
    assert [(d.code, d.span.source.name.endswith("parts.topo")) for d in result.diagnostics if d.span] == [("T0103", True)]
