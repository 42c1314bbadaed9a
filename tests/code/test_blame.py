"""Since when lines stand and by whom, by their text, whatever the work tree looks like."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.code_files import commit, git

from remem.base.errors import NotPossible
from remem.code.blame import Blamed, blame

NAME = "a b/näme.md"


def repository(top: Path, *versions: bytes) -> Path:
    (top / "a b").mkdir(parents=True)
    git(top, "init", "-q", "-b", "main")
    for number, data in enumerate(versions):
        (top / NAME).write_bytes(data)
        commit(top, f"version {number}")
    return top


def subjects(found: Blamed) -> list[str]:
    return [each.subject for each in found.written]


def test_the_commit_that_wrote_a_line_is_named(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", b"- one\n- two\n", b"- new\n- one\n- two\n")

    assert subjects(blame(top, NAME, b"- two\n", 3)) == ["version 0"]
    found = blame(top, NAME, b"- new\n", 1)
    assert [(each.subject, each.author) for each in found.written] == [("version 1", "Ada")]
    assert not found.written[0].is_boundary


def test_lines_are_found_where_the_work_tree_has_them_elsewhere(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", b"- one\r\n- two\r\n")
    (top / NAME).write_bytes(b"- zero\n- one\n- two\n")

    found = blame(top, NAME, b"- one\n- two\n", 2)

    assert found.is_committed
    assert subjects(found) == ["version 0"]


def test_of_equal_lines_the_nearest_is_meant(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", b"- x\n- y\n", b"- x\n- y\n- x\n")

    assert subjects(blame(top, NAME, b"- x\n", 1)) == ["version 0"]
    assert subjects(blame(top, NAME, b"- x\n", 3)) == ["version 1"]


@pytest.mark.parametrize(
    ("name", "lines"), [(NAME, b"- other\n"), ("gone.md", b"- x\n"), (NAME, b"")]
)
def test_what_no_commit_has_is_not_committed(tmp_path: Path, name: str, lines: bytes) -> None:
    top = repository(tmp_path / "r", b"- x\n")

    assert blame(top, name, lines, 1) == Blamed(is_committed=False)


def test_a_shallow_clone_does_not_claim_to_know_the_beginning(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", b"- x\n", b"- x\n- y\n")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{top}", str(tmp_path / "flat"))

    found = blame(tmp_path / "flat", NAME, b"- x\n", 1)

    assert [each.is_boundary for each in found.written] == [True]


def test_no_program_of_a_repository_runs(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", b"- x\n")
    ran = tmp_path / "ran"
    git(top, "config", "diff.own.textconv", f"touch {ran}; cat")
    git(top, "config", "filter.own.clean", f"touch {ran}; cat")
    (top / ".gitattributes").write_text("*.md diff=own filter=own\n")

    assert blame(top, NAME, b"- x\n", 1).is_committed
    assert not ran.exists()


def test_it_gives_up_in_time(tmp_path: Path) -> None:
    top = repository(tmp_path / "r", b"- x\n")

    with pytest.raises(NotPossible):
        blame(top, NAME, b"- x\n", 1, seconds=0.00001)
