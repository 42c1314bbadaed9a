"""What remem itself wrote is in the history once, whichever process wrote it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Shell
from tests.test_session import CONVENTIONS, approve, conventions, opened, root

from remem.core.session import Session

__all__ = ["root"]

RETRO = """\
sprint: 3
date: "2026-02-02"
findings:
  new_conventions:
    - {rule: "Migrations run twice without harm", confidence: high, recommendation: codify}
"""
STORIES = "stories:\n  - {id: STORY-1, points: 3, status: done}\n"


def outside(bench: Session) -> list[tuple[str, str]]:
    return [(each.path.name, each.does) for each in bench.journal.outside(bench.root)]


def test_what_another_door_writes_is_no_change_from_outside(root: Path) -> None:
    retros = root / ".sniper" / "memory" / "retros"
    retros.mkdir()
    (retros / "sprint-3-retro.yaml").write_text(RETRO, encoding="utf-8")
    stories = root / "stories.yaml"
    stories.write_text(STORIES, encoding="utf-8")
    screens = Session.open(root, opened(root).places, door="tui")
    screens.begin()
    shell = Shell(root, root.parent / "home")

    for words in (
        ("approve", "conv-002"),
        ("retro", "ingest", "--sprint", "3"),
        ("retro", "run", "--sprint", "4", "--stories", str(stories)),
        ("undo",),
        ("undo",),
        ("redo",),
    ):
        assert shell(*words).code == 0, words
        screens.refresh()

    assert outside(screens) == []
    assert [each.intent.verb for each in screens.past.changes()] == [
        "retro.run",
        "retro.ingest",
        "approve",
    ]
    screens.close()


def test_a_stranger_who_brings_back_what_remem_wrote_is_a_stranger(root: Path) -> None:
    screens, other = opened(root), opened(root)
    screens.begin()
    other.apply(approve(other))
    screens.refresh()
    written = conventions(root).read_bytes()

    for data in (CONVENTIONS + b"# more\n", written):
        conventions(root).write_bytes(data)
        screens.refresh()

    assert outside(screens) == [("conventions.yaml", "edits")] * 2


def test_what_stood_before_it_was_opened_is_not_taken_for_remems_work(root: Path) -> None:
    first = Session.open(root, opened(root).places, door="cli")
    first.apply(approve(first))
    written = conventions(root).read_bytes()
    conventions(root).write_bytes(written + b"# more\n")
    screens = Session.open(root, first.places, door="tui")
    screens.begin()

    conventions(root).write_bytes(written)
    screens.refresh()

    assert outside(screens) == [("conventions.yaml", "edits")]
