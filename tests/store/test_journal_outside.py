"""Changes that no door made, in the journal."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.test_journal import ROOT, journal_at

from remem.edit.patch import put_on
from remem.model.change import Json
from remem.store.changes.steps import Edited, Made, Removed
from remem.store.history.external_changes import Cause, Outside
from remem.store.history.journal_database import BadJournal

TIME = datetime(2026, 2, 22, 9, 30, tzinfo=UTC)
STORE = ROOT / "store.yaml"
LINES = st.lists(st.sampled_from([b"- one\n", b"- two\r\n", b"\xff\n", b"\n", b"no end"]))
FILES = LINES.map(b"".join)


def seen(
    before: bytes | None, after: bytes | None, later: float = 0, path: Path = STORE
) -> Outside:
    time = TIME + timedelta(seconds=later)
    return Outside.of(time, ROOT, path, "writer", before, after)


def test_what_is_noted_is_read_back_newest_first(tmp_path: Path) -> None:
    entry = {"ref": "sniper:conv-001", "body": "LSBhCg=="}
    first = Outside.of(TIME, ROOT, ROOT / "\udcff odd", "git", b"a\n", b"b\n")
    second = Outside.of(TIME, ROOT, STORE, "writer", b"- a\n- b\n", b"- b\n", [entry])

    journal_at(tmp_path).note(first, second)

    found = journal_at(tmp_path).outside(ROOT)
    assert found == (replace(second, number=2), replace(first, number=1))
    assert found[0].vanished == (entry,)
    assert journal_at(tmp_path).outside(ROOT, limit=1) == found[:1]


def test_entries_too_many_to_be_listed_are_counted() -> None:
    names = ("sniper:conv-001", "sniper:conv-002")
    lost: list[dict[str, Json]] = [{"ref": name, "others": 7} for name in names]

    assert Outside.of(TIME, ROOT, STORE, "writer", b"a", b"b", lost).gone == 9
    assert seen(b"a", b"b").gone == 0


def test_noting_gives_the_number_under_which_it_is_found(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)

    (noted,) = journal.note(seen(b"a", b"b"))

    assert journal.outside(ROOT) == (noted,)
    assert journal.note() == ()


@pytest.mark.parametrize(
    ("before", "after", "kind", "does"),
    [
        (None, b"new\n", Made, "creates"),
        (b"old\n", None, Removed, "removes"),
        (b"old\n", b"new\n", Edited, "edits"),
        (b"old\n", b"", Edited, "edits"),
    ],
)
def test_it_says_what_happened_to_the_file(
    before: bytes | None, after: bytes | None, kind: type, does: str
) -> None:
    outside = seen(before, after)

    assert isinstance(outside.step, kind)
    assert outside.does == does
    assert outside.hunks


@given(before=FILES, after=FILES, filler=st.integers(0, 400))
@settings(max_examples=60)
def test_what_is_kept_leads_from_the_one_text_to_the_other(
    before: bytes, after: bytes, filler: int
) -> None:
    around = b"- a line that nobody touched, of some length\n" * filler
    was, now = around + before + around, around + after + around

    step = seen(was, now).step

    assert isinstance(step, Edited)
    assert put_on(was, step.patches) == now
    for patch in step.patches:
        assert was[: patch.start].endswith(patch.above)
        assert was[patch.start + len(patch.old) :].startswith(patch.below)
        assert len(patch.above) + len(patch.below) <= 2048 or not filler


def test_two_screens_that_see_one_change_note_it_once(tmp_path: Path) -> None:
    one, other = journal_at(tmp_path), journal_at(tmp_path)

    first = one.note(seen(b"a", b"b"))
    second = other.note(seen(b"a", b"b", later=0.4))

    assert second[0].number == first[0].number
    assert len(one.outside(ROOT)) == 1


def test_one_screen_may_see_at_once_what_another_saw_as_two_steps(tmp_path: Path) -> None:
    one, other = journal_at(tmp_path), journal_at(tmp_path)
    one.note(seen(b"a", b"b"), seen(b"b", b"c", later=1))

    other.note(seen(b"a", b"c", later=2))

    assert len(one.outside(ROOT)) == 2


def test_the_same_change_made_again_is_noted_again(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.note(seen(b"a", b"b"), seen(b"b", b"a", later=1), seen(b"a", b"b", later=2))
    journal.note(seen(b"a", b"b", later=60))

    assert [each.after == seen(b"", b"b").after for each in journal.outside(ROOT)] == [
        True,
        True,
        False,
        True,
    ]


def test_a_root_is_told_what_was_seen_there_or_happened_below_it(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    home = Path("/home/mara/.claude/memory.md")
    journal.note(seen(b"a", b"b"), seen(b"a", b"b", path=home))
    journal.note(replace(seen(b"a", b"b", path=home), root=Path("/other")))

    assert {each.path for each in journal.outside(ROOT)} == {STORE, home}
    assert [each.path for each in journal.outside(Path("/other"))] == [home]
    assert [each.path for each in journal.outside(ROOT.parent)] == [STORE]


def test_a_change_too_big_to_keep_is_noted_without_its_bytes(tmp_path: Path) -> None:
    noise = bytes((n * n * 2654435761 >> 7) & 0xFF for n in range(1_500_000))
    journal = journal_at(tmp_path)

    journal.note(seen(None, noise))

    (found,) = journal.outside(ROOT)
    assert found.step is None
    assert found.hunks == ()
    assert found.does == "creates"


def test_nothing_noted_means_nothing_made(tmp_path: Path) -> None:
    assert journal_at(tmp_path / "state").outside(ROOT) == ()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("told", [b"", b"x\x9cno", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_damaged_record_is_told(tmp_path: Path, told: bytes) -> None:
    journal = journal_at(tmp_path)
    journal.note(seen(b"a", b"b"))
    with journal.database.transaction() as sql:
        sql.execute("UPDATE outside SET told = ?", (told,))

    with pytest.raises(BadJournal):
        journal.outside(ROOT)


@pytest.mark.parametrize("cause", ["writer", "git", "late"])
def test_every_cause_is_kept(tmp_path: Path, cause: Cause) -> None:
    journal = journal_at(tmp_path)
    journal.note(Outside.of(TIME, ROOT, STORE, cause, b"a", b"b"))

    assert journal.outside(ROOT)[0].cause == cause
