import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remem.base.errors import UnknownRef
from remem.edit.patch import Patch
from remem.model.change import Intent, RowEdit
from remem.model.entry import Ref
from remem.store.changes.steps import (
    Edited,
    FolderGone,
    FolderMade,
    Made,
    Moved,
    Removed,
    Rendered,
    RowsSet,
    Step,
    Updated,
)
from remem.store.history.journal import Journal
from remem.store.history.journal_database import BadJournal
from remem.store.history.journal_records import (
    Actor,
    Logged,
    Origin,
    Running,
    SetOff,
    running_to_json,
)
from remem.store.io import Disk

ROOT = Path("/somewhere/project")
STEPS: tuple[Step, ...] = (
    Edited(ROOT / "a.yaml", "d1", 9, (Patch(3, b"old\xff", b"new\n", b"above\n", b"below\n"),)),
    Made(ROOT / "b.md", b"\x00\xff", 0o640),
    Removed(ROOT / "c.md", b"", None),
    Moved(ROOT / "d", ROOT / "\udcff odd", 42),
    RowsSet((RowEdit(ROOT / "state.db", "people", {"id": 1}, {"name": None}, {"name": "Mara"}),)),
    FolderMade(ROOT / "e"),
    FolderGone(ROOT / "f"),
    Rendered(ROOT / "g.md", "sniper", None, b"text"),
    Rendered(ROOT / "h.md", "sniper", b"was", None),
    Updated("sniper", Edited(ROOT / "i.md", "d2", 3, (Patch(0, b"was", b"is"),))),
)


def logged(
    id: str,  # noqa: A002
    root: Path = ROOT,
    actor: Actor = "person",
    set_off: SetOff = "person",
    follows: str = "",
) -> Logged:
    return Logged(
        id,
        datetime(2026, 2, 22, 9, 30, tzinfo=UTC),
        Origin(root, actor, "tui", set_off, follows),
        f"Change {id}",
        Intent("approve", {Ref("sniper", "conv-001", "api"): "d1"}, {"reason": "said so"}),
        reason="said so",
        receipt="1 = 1",
        touched={Ref("sniper", "conv-001"): Ref("sniper", "conv-002"), Ref("sniper", "x"): None},
    )


def journal_at(path: Path) -> Journal:
    return Journal(Disk(), path)


def ids(found: tuple[Logged, ...]) -> list[str]:
    return [one.id for one in found]


def test_what_is_recorded_is_read_back_after_a_restart(tmp_path: Path) -> None:
    journal_at(tmp_path).prepare()
    journal_at(tmp_path).record("aa", logged("aa"), STEPS)

    again = journal_at(tmp_path)

    assert again.get("aa") == logged("aa")
    assert again.steps("aa") == STEPS


def test_reading_a_history_that_was_never_written_makes_nothing(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "state")

    found = journal.changes(ROOT), journal.last_to_undo(ROOT), journal.running()

    assert found == ((), None, ())
    assert list(tmp_path.iterdir()) == []


def test_changes_are_told_newest_first_and_as_many_as_asked_for(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    for name in ("aa", "bb", "cc"):
        journal.record(name, logged(name), ())

    assert ids(journal.changes(ROOT)) == ["cc", "bb", "aa"]
    assert ids(journal.changes(ROOT, limit=2)) == ["cc", "bb"]


def test_a_root_is_told_what_was_made_there_or_touched_below_it(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("aa", logged("aa"), [Made(Path("/elsewhere/x.md"), b"")])
    journal.record("bb", logged("bb", Path("/other")), [Made(ROOT / "x.md", b"")])
    journal.record("cc", logged("cc", Path("/other")), [Made(Path(f"{ROOT}-2/x.md"), b"")])

    assert ids(journal.changes(ROOT)) == ["bb", "aa"]
    assert ids(journal.changes(ROOT.parent)) == ["cc", "bb"]
    assert ids(journal.changes(Path("/"))) == ["cc", "bb", "aa"]


def test_an_id_may_be_shortened_as_long_as_it_is_the_only_one(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("ab12", logged("ab12"), ())
    journal.record("ab34", logged("ab34"), ())

    assert journal.get("ab1").id == "ab12"
    with pytest.raises(UnknownRef, match="several changes"):
        journal.get("ab")
    with pytest.raises(UnknownRef, match="no change"):
        journal.get("")
    with pytest.raises(UnknownRef, match="no change"):
        journal.get("a_")
    with pytest.raises(UnknownRef, match="no change"):
        journal.get("\udcff")


def test_an_id_that_others_begin_with_is_itself(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("ab12", logged("ab12"), ())
    journal.record("ab123", logged("ab123"), ())

    assert journal.get("ab12").id == "ab12"


def test_undo_takes_the_last_change_that_a_person_set_off_and_that_stands(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("aa", logged("aa"), ())
    journal.record("bb", logged("bb", actor="auto"), ())
    journal.record("cc", logged("cc", actor="agent", set_off="agent"), ())
    journal.record("dd", logged("dd", actor="auto", set_off=""), ())

    first = journal.last_to_undo(ROOT)
    journal.mark_undone("op1", "bb", ())
    second = journal.last_to_undo(ROOT)

    assert first is not None
    assert second is not None
    assert (first.id, second.id) == ("bb", "aa")


def test_redo_takes_what_was_undone_last(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    for name in ("aa", "bb"):
        journal.record(name, logged(name), ())
    journal.mark_undone("op1", "bb", ())
    journal.mark_undone("op2", "aa", ())

    first = journal.last_to_redo(ROOT)
    journal.mark_redone("op3", "aa", ())
    second = journal.last_to_redo(ROOT)

    assert first is not None
    assert second is not None
    assert (first.id, second.id) == ("aa", "bb")


def test_redo_ends_at_the_next_new_change(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("aa", logged("aa"), ())
    journal.mark_undone("op1", "aa", ())

    journal.record("bb", logged("bb"), ())

    assert journal.last_to_redo(ROOT) is None
    assert journal.get("aa").superseded


def test_a_change_by_another_actor_does_not_end_redo(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("aa", logged("aa"), ())
    journal.mark_undone("op1", "aa", ())

    journal.record("bb", logged("bb", actor="agent", set_off="agent"), ())

    assert journal.last_to_redo(ROOT) is not None


def test_what_followed_from_a_change_goes_and_comes_with_it(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("aa", logged("aa"), ())
    journal.record("bb", logged("bb", follows="aa"), ())
    journal.record("cc", logged("cc", follows="aa"), ())

    last = journal.last_to_undo(ROOT)
    along = ids(journal.followers("aa"))
    for op, name in enumerate(("cc", "bb", "aa")):
        journal.mark_undone(f"op{op}", name, (), undone_as="aa")
    again = journal.last_to_redo(ROOT)

    assert (last and last.id, along) == ("aa", ["cc", "bb"])
    assert (again and again.id, ids(journal.undone_with("aa"))) == ("aa", ["bb", "cc"])


def test_a_running_change_is_read_back_from_its_intent_file(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    running = Running("op1", "undo", logged("aa"), STEPS)

    journal.begin(running)

    assert journal_at(tmp_path).running() == (("op1", running),)
    journal.end("op1")
    assert journal_at(tmp_path).running() == ()


@pytest.mark.parametrize(
    "torn", [b"", b'{"op": "op1", "purp', b"[]", b'{"op":"x","purpose":"y"}', b"\xff"]
)
def test_an_intent_file_that_was_not_written_whole_is_told_apart(
    tmp_path: Path, torn: bytes
) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    (tmp_path / "running" / "op1.json").write_bytes(torn)

    assert journal.running() == (("op1", "torn"),)


def test_a_flipped_bit_of_an_intent_file_is_not_taken_for_one_that_was_never_written(
    tmp_path: Path,
) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    running = Running("op1", "undo", logged("aa"), STEPS)
    journal.begin(running)
    path = tmp_path / "running" / "op1.json"
    data = path.read_bytes()
    found: list[tuple[str, object]] = []

    for at in range(len(data)):
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        path.write_bytes(flipped)
        found += journal.running()

    assert found == [*[("op1", "spoilt")] * (len(data) - 1), ("op1", running)]


def test_a_part_of_an_intent_file_is_taken_for_one_that_was_never_written(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.begin(Running("op1", "undo", logged("aa"), STEPS))
    path = tmp_path / "running" / "op1.json"
    data = path.read_bytes()

    for end in range(len(data) - 1):
        for torn in (data[:end], data[:end].ljust(len(data), b"\0")):
            path.write_bytes(torn)
            assert journal.running() == (("op1", "torn"),)


def test_an_intent_file_of_a_version_without_a_mark_is_read(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    running = Running("op1", "undo", logged("aa"), STEPS)
    told = json.dumps(running_to_json(running))
    (tmp_path / "running" / "op1.json").write_text(told)

    assert journal.running() == (("op1", running),)


def test_a_run_is_finished_once_its_outcome_is_on_record(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("aa", logged("aa"), ())
    journal.mark_undone("op1", "aa", ())

    assert journal.has_finished("aa")
    assert journal.has_finished("op1")
    assert not journal.has_finished("op2")


def test_a_history_of_a_newer_remem_is_left_alone(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as sql:
        sql.execute("PRAGMA user_version = 99")

    with pytest.raises(BadJournal, match="newer version of remem"):
        journal_at(tmp_path).changes(ROOT)
