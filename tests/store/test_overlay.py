from pathlib import Path

import pytest

from remem.base.errors import WriteFailed
from remem.model.change import Create, Delete, Move, Splice
from remem.store.io import Disk, Unreadable
from remem.store.overlay import Overlay


def test_a_splice_shows_in_the_overlay_and_not_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"rule: old\n")

    overlay = Overlay(Disk(), [Splice(path, 6, 9, b"old", b"new", "")])

    assert overlay.read(path) == b"rule: new\n"
    assert path.read_bytes() == b"rule: old\n"


def test_created_files_bring_their_folders(tmp_path: Path) -> None:
    path = tmp_path / ".remem" / "proposals" / "a.yaml"

    overlay = Overlay(Disk(), [Create(path, b"x")])

    assert overlay.kind(tmp_path / ".remem") == "folder"
    assert overlay.names(tmp_path) == (".remem",)
    assert overlay.names(path.parent) == ("a.yaml",)
    assert overlay.read(path) == b"x"


def test_deleted_files_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"x")

    overlay = Overlay(Disk(), [Delete(path, b"x", "")])

    assert overlay.kind(path) is None
    assert overlay.names(tmp_path) == ()
    with pytest.raises(Unreadable):
        overlay.read(path)


def test_a_moved_folder_reads_at_its_new_place_only(tmp_path: Path) -> None:
    old, new = tmp_path / "Carlos", tmp_path / ".archived" / "Carlos-1"
    old.mkdir()
    (old / "main.md").write_bytes(b"- lesson\n")

    overlay = Overlay(Disk(), [Move(old, new)])

    assert overlay.names(tmp_path) == (".archived",)
    assert overlay.read(new / "main.md") == b"- lesson\n"
    assert overlay.kind(old) is None
    assert overlay.kind(old / "main.md") is None


def test_a_file_that_is_edited_and_moved_reads_edited_at_its_new_place(tmp_path: Path) -> None:
    old, new = tmp_path / "hill", tmp_path / "moor"
    old.mkdir()
    charter = old / "charter.md"
    charter.write_bytes(b"# Hill\n")

    overlay = Overlay(Disk(), [Splice(charter, 2, 6, b"Hill", b"Moor", ""), Move(old, new)])

    assert overlay.read(new / "charter.md") == b"# Moor\n"
    assert overlay.kind(charter) is None
    with pytest.raises(Unreadable):
        overlay.read(charter)


def test_nothing_can_be_written_through_an_overlay(tmp_path: Path) -> None:
    overlay = Overlay(Disk(), [])

    with pytest.raises(WriteFailed):
        overlay.unlink(tmp_path / "a")
