"""Claims that outlive lines: a symbol exists, a constant or a key has a value."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.code_files import repository

from remem.code.citations import filled, verify
from remem.code.symbols_and_keys import Failed, Held, NotJudged, judge
from remem.code.worktree import Worktree
from remem.model.citation import (
    BadCitation,
    Checked,
    Citation,
    CitationStatus,
    citation_of,
    parse_place,
)
from remem.store.io import Disk

FILES = {
    "a.py": "LIMIT = 4\nURL: str = 'v2'\nclass Berth:\n    def moor(self, n=1):\n        go(n)\n",
    "a.ts": "export const API = 4;\nclass B { static X = 'q'; moor() {} }\nenum E { A = 1 }\n",
    "a.go": 'package a\nconst Max = 10\ntype T struct{}\nfunc (t *T) Moor() {}\nfunc Run() {}\n',
    "a.rs": 'const MAX: usize = 1_000;\nstruct T;\nimpl T { fn moor(&self) {} }\n',
    "a.cs": "class C { const int Max = 5; public void Moor() {} }\nenum E { A = 2 }\n",
    "a.java": "class C { static final int MAX = 5; void moor() { other(); } }\n",
    "a.c": "#define N 4\nint run(void) { return N; }\n",
    "a.cpp": "class C { void moor(); };\nvoid C::moor() {}\nconstexpr int Z = 0x10;\n",
    "a.rb": "LIMIT = 4\nclass B\n  def moor\n  end\nend\n",
    "a.php": "<?php\nconst A = 4;\nclass B { function moor() {} }\n",
    "a.kt": "const val MAX = 5\nclass B { fun moor() {} }\n",
    "a.swift": "let max = 5\nclass B { func moor() {} }\n",
    "a.toml": "[tool.ruff]\nline-length = 100\n[[bin]]\nname = 'x'\n",
    "a.yaml": "a:\n  b: [1, {c: true}]\n  'x.y': 2020-01-01\n---\nz: no\n",
    "a.json": '{"a": {"b": [1, 2]},\n "n": null}',
}  # fmt: skip
_HOLD = """
a.py::LIMIT a.py::LIMIT=4 a.py::URL=v2 a.py::URL='v2' a.py::Berth.moor
a.ts::API=4 a.ts::B.moor a.ts::B.X=q a.ts::E.A=1
a.go::Max=10 a.go::T.Moor a.go::Run
a.rs::MAX=1000 a.rs::T::moor
a.cs::Max=5 a.cs::C.Moor a.cs::E.A=2
a.java::MAX=5 a.java::C.moor
a.c::N=4 a.c::run a.cpp::C.moor a.cpp::Z=16
a.rb::LIMIT=4 a.rb::B.moor a.php::A=4 a.php::B.moor
a.kt::MAX=5 a.kt::B.moor a.swift::max=5 a.swift::B.moor
a.toml#tool.ruff.line-length=100 a.toml#bin.0.name=x
a.yaml#a.b.0=1 a.yaml#a.b.1.c=true a.yaml#a."x.y"=2020-01-01 a.yaml#z=no
a.json#a.b=[1,2] a.json#n=null a.json#a.b.1
"""
_FAIL = """
a.py::LIMIT=5 a.py::Other.moor a.py::go a.py::n a.py::LIMIT="4" a.java::other
a.ts::API=5 a.go::Max=11 a.toml#tool.black a.toml#tool.ruff.line-length="100"
a.yaml#z=false a.yaml#a.b.9 a.json#q a.json#n=0
"""


def judged(name: str) -> Held | Failed:
    claim = parse_place(name)
    return judge(FILES[claim.path].split("\n"), claim)


@pytest.mark.parametrize("name", _HOLD.split())
def test_what_is_claimed_is_found_in_the_syntax_of_the_file(name: str) -> None:
    assert isinstance(judged(name), Held)
    assert str(parse_place(name)) == name


@pytest.mark.parametrize("name", _FAIL.split())
def test_what_is_not_so_is_told_with_what_is_so(name: str) -> None:
    found = judged(name)

    assert isinstance(found, Failed)
    assert found.why


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.bin::X", "X = 1"),
        ("a.ini#x", "x = 1"),
        ("a.json#x", "{"),
        ("a.toml#x", "x = "),
        ("a.yaml#x", "x: [\n"),
        ("a.json#x", "[" * 100_000),
        ("a.yaml#x", "x: !!python/object:os.system {}\n"),
    ],
)
def test_what_cannot_be_parsed_is_not_judged(name: str, text: str) -> None:
    with pytest.raises(NotJudged):
        judge(text.split("\n"), parse_place(name))


def test_without_the_extra_a_symbol_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)

    with pytest.raises(NotJudged, match=r"remem\[code\]"):
        judge(["BERTHS = 77"], parse_place("a.py::BERTHS"))


@pytest.mark.parametrize(
    "claim",
    [
        Citation("src/a.py", 0, 0, symbol="Berth.moor"),
        Citation("src/a.py", 3, 9, symbol="LIMIT", equals="4"),
        Citation("pyproject.toml", 0, 0, key="tool.ruff.line-length", equals="100"),
        Citation("a.yaml", 1, 1, key='"x.y".z', equals=""),
    ],
)
def test_a_claim_comes_back_from_the_database_as_it_was(claim: Citation) -> None:
    assert citation_of(claim.to_json()) == claim


def test_a_value_may_be_given_as_json() -> None:
    found = citation_of({"path": "a.py", "symbol": "LIMIT", "equals": 4})

    assert (str(found), found.equals) == ("a.py::LIMIT=4", "4")


def look(top: Path, claim: Citation) -> tuple[CitationStatus, Checked, str]:
    found = verify([claim], Worktree(Disk(), top))[0]
    return found.status, found.checked, found.error


def test_a_claim_is_kept_only_if_it_holds_and_outlives_the_lines_it_was_seen_at(
    tmp_path: Path,
) -> None:
    top = repository(tmp_path / "code")
    reader = Worktree(Disk(), top)
    (kept,) = filled([parse_place("src/version.py::API_VERSION=4")], reader)
    assert (kept.line_start, kept.line_end, kept.snippet) == (3, 3, "API_VERSION = 4")
    for wrong in ("src/version.py::API_VERSION=5", "src/version.py::nothing", "src/none.py::x"):
        with pytest.raises(BadCitation):
            filled([parse_place(wrong)], reader)

    code = top / "src/version.py"
    code.write_text("# new\n\n\n\nAPI_VERSION: int = 4  # said in other words\n")
    assert look(top, kept)[:2] == (CitationStatus.VALID, Checked.SYNTAX)

    code.write_text("API_VERSION = 5\n")
    status, _, why = look(top, kept)
    assert (status, why) == (CitationStatus.CHANGED, "`API_VERSION` is `5`")

    code.write_text("VERSION = 4\n")
    assert look(top, kept)[0] is CitationStatus.MISSING

    code.unlink()
    assert look(top, kept)[0] is CitationStatus.MISSING
