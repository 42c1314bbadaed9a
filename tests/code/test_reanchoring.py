"""Where cited lines went: by the difference between versions, never to a twin of before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.code_files import cite, commit, repository

from remem.code.citations import verify
from remem.code.worktree import Worktree
from remem.model.citation import Citation, CitationStatus, Verdict
from remem.store.io import Disk

SQUAD = """\
function first() {
  const squads = discover(dir);
  return squads;
}

function second() {
  log();
  const squads = discover(dir);
  return squads.length;
}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = repository(tmp_path_factory.mktemp("made") / "code", commits=False)
    (top / "src/squad.ts").write_text(SQUAD)
    (top / "notes.md").write_text("# Notes\n")
    commit(top, "first")
    return top


@pytest.fixture
def top(tmp_path: Path, made: Path) -> Path:
    return shutil.copytree(made, tmp_path / "code")


def one(top: Path, citation: Citation) -> Verdict:
    return verify([citation], Worktree(Disk(), top))[0]


def test_a_repeated_line_is_followed_to_its_own_function_and_not_to_the_nearest_twin(
    top: Path,
) -> None:
    cited = cite(top, "src/squad.ts", 8, 8)
    new = SQUAD.replace("function first", "// one\n// two\n// three\n// four\nfunction first")
    (top / "src/squad.ts").write_text(new.replace("  log();\n", "  log();\n  warn();\n  tell();\n"))

    found = one(top, cited)

    assert (found.status, str(found.moved_to)) == (CitationStatus.MOVED, "src/squad.ts:14")


def test_a_line_that_was_taken_out_is_not_moved_to_a_twin_that_stood_there_before(
    top: Path,
) -> None:
    cited = cite(top, "src/squad.ts", 8, 8)
    (top / "src/squad.ts").write_text(
        SQUAD.replace("  log();\n  const squads = discover(dir);\n", "  const squads = cached();\n")
    )

    found = one(top, cited)

    assert (found.status, found.moved_to) == (CitationStatus.CHANGED, None)
    assert [str(each) for each in found.candidates] == ["src/squad.ts:2"]


def test_a_block_that_changed_places_is_found_where_it_stands_now(top: Path) -> None:
    cited = cite(top, "src/squad.ts", 6, 8)
    first, second = SQUAD.split("\n\n")
    (top / "src/squad.ts").write_text(f"// moved\n{second}\n{first}\n")

    found = one(top, cited)

    assert (found.status, str(found.moved_to)) == (CitationStatus.MOVED, "src/squad.ts:2-4")


def test_of_several_places_the_one_with_the_same_indentation_is_taken(tmp_path: Path) -> None:
    top = repository(tmp_path / "code")
    (top / "a.ts").write_text("one\ntwo\n    call();\n")
    cited = cite(top, "a.ts", 3, 3)  # never committed, so that no version tells
    (top / "a.ts").write_text("call();\none\ntwo\nthree\nfour\nfive\nsix\n    call();\n")

    assert str(one(top, cited).moved_to) == "a.ts:8"


@pytest.mark.parametrize("path", ["docs/plan.md", "CHANGELOG.md", "README.txt", "other.py"])
def test_a_quotation_in_prose_or_in_another_language_is_no_move(top: Path, path: str) -> None:
    cited = cite(top, "src/squad.ts", 7, 8)
    (top / "src/squad.ts").write_text("nothing\n" * 20)
    (top / path).parent.mkdir(exist_ok=True)
    (top / path).write_text("It was\n\n  log();\n  const squads = discover(dir);\n")
    commit(top, "quoted")

    found = one(top, cited)

    assert (found.status, found.moved_to) == (CitationStatus.CHANGED, None)


def test_prose_moves_into_prose(top: Path) -> None:
    (top / "notes.md").write_text("# Notes\n\nThe berth of the ferry is numbered from the pier.\n")
    commit(top, "noted")
    cited = cite(top, "notes.md", 3, 3)
    (top / "archive.md").write_text((top / "notes.md").read_text())
    (top / "notes.md").write_text("# Notes\n\n\n")
    commit(top, "archived")

    assert str(one(top, cited).moved_to) == "archive.md:3"


def test_a_copy_that_stood_elsewhere_before_is_no_move(top: Path) -> None:
    (top / "src/copy.ts").write_text(SQUAD)
    commit(top, "copied")
    cited = cite(top, "src/squad.ts", 7, 8)
    (top / "src/squad.ts").write_text("nothing\n" * 20)

    assert one(top, cited).status is CitationStatus.CHANGED

    (top / "src/new.ts").write_text(SQUAD)
    commit(top, "moved, and the copy stays")

    assert str(one(top, cited).moved_to) == "src/new.ts:7-8"
