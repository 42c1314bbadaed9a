"""What the ledger, the sweeping and the parked files ask of the journal."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.store.test_journal import ROOT, ids, journal_at, logged

from remem.store.changes.steps import Made, Moved
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Parked, Running

SINCE = datetime(2026, 2, 22, 9, 30, tzinfo=UTC)


def parked(name: str, minutes: int = 0, tail: int = 0) -> Parked:
    path = ROOT / f".remem-{name}-0.old"
    since = SINCE + timedelta(minutes=minutes)
    return Parked(path, ROOT / "store.yaml", name, 0, since, 12, "digest", tail)


def prepared(tmp_path: Path) -> Journal:
    journal = journal_at(tmp_path)
    journal.prepare()
    return journal


def test_what_stands_is_neither_undone_nor_settled(tmp_path: Path) -> None:
    journal = prepared(tmp_path)
    for name in ("aa", "bb", "cc", "dd"):
        journal.record(name, logged(name, actor="agent" if name == "aa" else "person"), ())
    journal.mark_undone("op1", "bb", ())
    journal.settle("cc", "git")

    assert ids(journal.standing(ROOT)) == ["dd", "aa"]
    assert ids(journal.standing(ROOT, limit=1)) == ["dd"]
    assert journal.standing(Path("/other")) == ()


def test_a_settled_change_says_why_and_can_be_undone(tmp_path: Path) -> None:
    journal = prepared(tmp_path)
    journal.record("aa", logged("aa"), ())

    journal.settle("aa", "late")

    assert journal.get("aa").settled == "late"
    assert journal.last_to_undo(ROOT) == journal.get("aa")


def test_a_change_remembers_how_git_stood(tmp_path: Path) -> None:
    journal = prepared(tmp_path)

    journal.record("aa", replace(logged("aa"), git="token"), ())

    assert journal.get("aa").git == "token"


def test_a_hold_is_a_run_like_any_other(tmp_path: Path) -> None:
    journal = prepared(tmp_path)
    running = Running("op1", "hold", logged("aa"), ())
    journal.begin(running)

    journal.mark_held("op1", [parked("op1")])

    assert journal.running() == (("op1", running),)
    assert journal.has_finished("op1")
    assert journal.parked() == (parked("op1"),)
    assert journal.changes(ROOT) == ()


def test_parked_files_are_told_oldest_first_with_every_run(tmp_path: Path) -> None:
    journal = prepared(tmp_path)
    odd = replace(parked("op3", 9), path=ROOT / "\udcff odd")
    journal.record("aa", logged("aa"), (), [odd, parked("aa", 3, tail=7)])
    journal.mark_undone("op1", "aa", (), [parked("op1", 1)])
    journal.mark_redone("op2", "aa", (), [parked("op2", 2)])

    found = journal_at(tmp_path).parked()

    assert [each.op for each in found] == ["op1", "op2", "aa", "op3"]
    assert found[2].tail == 7
    assert found[3] == odd


def test_a_parked_file_is_noted_again_and_forgotten(tmp_path: Path) -> None:
    journal = prepared(tmp_path)
    journal.record("aa", logged("aa"), (), [parked("aa"), parked("bb", 1)])

    grown = replace(parked("aa"), size=40, digest="other")
    journal.repark(grown)
    journal.unpark([parked("bb").path, ROOT / "never parked"])

    assert journal.parked() == (grown,)


def test_the_folders_of_the_newest_changes_are_told(tmp_path: Path) -> None:
    journal = prepared(tmp_path)
    journal.record("aa", logged("aa"), [Made(ROOT / "old" / "a.md", b"")])
    journal.record("bb", logged("bb"), [Moved(ROOT / "x" / "a", ROOT / "y" / "a", 1)])
    journal.record("cc", logged("cc", Path("/other")), [Made(Path("/other/c.md"), b"")])

    assert journal.touched_folders(limit=1) == (Path("/other"),)
    assert set(journal.touched_folders(limit=2)) == {ROOT / "x", ROOT / "y", Path("/other")}


def test_two_roots_that_reach_one_file_share_its_history(tmp_path: Path) -> None:
    journal = prepared(tmp_path)
    inner = ROOT / "service"
    journal.record("aa", logged("aa", ROOT), [Made(inner / "store.yaml", b"")])
    journal.record("bb", logged("bb", inner), [Made(inner / "store.yaml", b"")])
    journal.record("cc", logged("cc", ROOT), [Made(ROOT / "store.yaml", b"")])

    assert ids(journal.changes(ROOT)) == ["cc", "bb", "aa"]
    assert ids(journal.changes(inner)) == ["bb", "aa"]
    last = journal.last_to_undo(inner)
    assert last is not None
    assert last.id == "bb"
    journal.mark_undone("op1", "bb", ())
    again = journal.last_to_redo(ROOT)
    assert again is not None
    assert again.id == "bb"
