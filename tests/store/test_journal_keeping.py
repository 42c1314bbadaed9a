"""The journal stays bounded, and never forgets what somebody may still need."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from tests.store.committing import World
from tests.store.test_journal import ROOT, ids, journal_at, logged
from tests.store.test_journal_database import build_first_version
from tests.store.test_journal_outside import seen

from remem.base.errors import NotPossible, UnknownRef
from remem.core.settings import Keep
from remem.store.changes.steps import Made
from remem.store.history.external_changes import Kept
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Parked, Running
from remem.store.history.journal_retention import NEWEST
from remem.store.io import Disk

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
MEGABYTE = 1024 * 1024


def noise(seed: str, size: int) -> bytes:
    """Bytes that do not compress, the same each time."""
    blocks = (sha256(f"{seed} {n}".encode()).digest() for n in range(size // 32))
    return b"".join(blocks)


def fill(journal: Journal, count: int, size: int = 0, time: datetime = NOW) -> list[str]:
    """Record changes without waiting for the disk, which is not what is tested here."""
    journal.prepare()
    journal.database.connection().execute("PRAGMA synchronous = OFF")
    names = [f"c{number:06d}" for number in range(count)]
    for name in names:
        steps = [Made(ROOT / "b.md", noise(name, size))]
        journal.record(name, replace(logged(name), time=time), steps)
    return names


def size_of(path: Path) -> int:
    return sum(file.stat().st_size for file in path.glob("journal.db*"))


@pytest.mark.slow
def test_five_thousand_changes_fit_into_what_is_allowed(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    names = fill(journal, 5_000, size=4_000)
    before = size_of(tmp_path)

    journal.prune(Keep(megabytes=8), NOW)

    assert before > 20 * MEGABYTE
    assert size_of(tmp_path) < 8 * MEGABYTE
    assert journal.steps(names[-1]) == (Made(ROOT / "b.md", noise(names[-1], 4_000)),)


def test_pruning_again_changes_nothing(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    fill(journal, 300, size=16_000)
    journal.prune(Keep(megabytes=2), NOW)
    before = journal.changes(ROOT, 1_000)

    journal.prune(Keep(megabytes=2), NOW)

    assert journal.changes(ROOT, 1_000) == before
    assert any(change.pruned for change in before)
    assert not all(change.pruned for change in before)


def test_the_oldest_changes_go_first(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    fill(journal, 300, size=16_000)

    journal.prune(Keep(megabytes=2), NOW)

    pruned = [change.pruned for change in journal.changes(ROOT, 1_000)]
    assert pruned == sorted(pruned)


def test_an_old_change_keeps_its_line_and_cannot_be_shown(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    names = fill(journal, NEWEST + 2)

    journal.prune(Keep(days=10), NOW + timedelta(days=11))

    assert journal.get(names[0]).pruned
    with pytest.raises(NotPossible, match="no longer kept") as raised:
        journal.steps(names[0])
    assert "journal.keep" in raised.value.hint


def test_a_very_old_change_leaves_the_history(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    names = fill(journal, NEWEST + 2)

    journal.prune(Keep(days=10), NOW + timedelta(days=21))

    assert len(journal.changes(ROOT, 1_000)) == NEWEST
    with pytest.raises(UnknownRef):
        journal.get(names[0])
    assert not journal.has_finished(names[0])


def test_the_last_changes_can_be_taken_back_whatever_their_age(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    names = fill(journal, NEWEST + 5, size=32)

    journal.prune(Keep(days=1, megabytes=1), NOW + timedelta(days=9_999))

    assert set(ids(journal.changes(ROOT, 1_000))) == set(names[-NEWEST:])
    assert all(not change.pruned for change in journal.changes(ROOT, 1_000))


def test_what_recovery_and_parked_files_need_is_kept(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    names = fill(journal, NEWEST + 9, size=64)
    left = Running("undo1", "undo", logged(names[0]), ())
    journal.begin(left)
    journal.begin(Running(names[1], "commit", logged(names[1]), ()))
    journal.mark_undone("undo1", names[0], ())
    parked = Parked(ROOT / "x.old", ROOT / "x", names[2], 0, NOW, 1, "d")
    held = replace(parked, path=ROOT / "y.old", op="hold1")
    journal.mark_held("hold1", [parked, held])
    journal.mark_held("over", [])

    journal.prune(Keep(days=1), NOW + timedelta(days=9_999))

    kept = [name for name in names[:9] if name in ids(journal.changes(ROOT, 1_000))]
    assert kept == names[:3]
    assert all(not journal.get(name).pruned for name in kept)
    assert all(map(journal.has_finished, ("undo1", names[1], names[2], "hold1")))
    assert not journal.has_finished("over")
    assert journal.parked() == (parked, held)
    assert dict(journal.running())["undo1"] == left


def test_changes_from_outside_are_bounded_and_those_with_lost_entries_go_last(
    tmp_path: Path,
) -> None:
    journal = journal_at(tmp_path)
    lost = replace(seen(b"a", noise("lost", 9_000)), vanished=({"ref": "sniper:conv-001"},))
    rest = [seen(None, noise(f"{n}", 9_000), path=ROOT / f"{n}.md") for n in range(120)]
    journal.note(lost, *rest)

    journal.prune(Keep(megabytes=1), NOW)

    found = journal.outside(ROOT, 1_000)
    assert 5 < len(found) < 40
    assert found[-1].vanished == lost.vanished
    assert [each.path for each in found[:-1]] == [each.path for each in rest[: -len(found) : -1]]


def test_changes_from_outside_are_bounded_while_nothing_is_committed(tmp_path: Path) -> None:
    journal = Journal(Disk(), tmp_path, outside=Kept(room=MEGABYTE))

    journal.note(*(seen(None, noise(f"{n}", 16_000), path=ROOT / f"{n}.md") for n in range(256)))

    assert len(journal.outside(ROOT, 1_000)) < 128


def test_it_is_due_once_a_day(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    first = journal.is_prune_due(NOW)
    journal.prepare()

    journal.prune(Keep(), NOW)

    assert first
    assert not journal.is_prune_due(NOW + timedelta(hours=23))
    assert journal.is_prune_due(NOW + timedelta(hours=25))
    assert journal.is_prune_due(NOW - timedelta(days=2))


def test_a_history_of_the_first_version_shrinks_too(tmp_path: Path) -> None:
    build_first_version(tmp_path)
    journal = journal_at(tmp_path)
    fill(journal, 400, size=16_000)

    journal.prune(Keep(megabytes=1), NOW)

    assert size_of(tmp_path) < 2 * MEGABYTE


def test_undo_of_a_change_that_is_not_kept_says_so_and_writes_nothing(tmp_path: Path) -> None:
    with World(tmp_path).build() as world:
        first = world.commit(world.splice(b"candidate", b"confirmed"))
        world.journal.unpark([each.path for each in world.journal.parked()])
        for number in range(NEWEST):
            world.journal.record(f"c{number}", replace(logged(f"c{number}"), time=NOW), ())
        world.journal.prune(Keep(), world.journal.get(first).time + timedelta(days=500))
        before = world.picture()

        with pytest.raises(NotPossible, match="no longer kept"):
            world.undo(first)

        assert world.picture() == before
