"""A damaged history stops nobody from looking, is never thrown away, and what it says is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.failing_disk import CountingDisk, DyingDisk, Killed
from tests.hostile.crashing import memory_folder
from tests.hostile.flipped_history import Logbook, bit_of
from tests.store.committing import World
from tests.store.test_journal import ROOT, STEPS, ids, journal_at, logged

from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.store.history.journal import Journal
from remem.store.history.journal_database import BadJournal
from remem.store.history.journal_records import Logged
from remem.store.io import Disk

pytestmark = pytest.mark.slow

CHANGES = 300
LEAF_OF_A_TABLE = 0x0D
FRAME = 24 + 4096
"""Bytes of a page and its head in the log."""
ON_A_PAGE = 12
"""Changes that have a row on one page, at the most."""


def written(state: Path, changes: int = CHANGES) -> bytes:
    """Write a history of many changes and return its bytes."""
    journal = journal_at(state)
    journal.prepare()
    for number in range(changes):
        journal.record(f"c{number:04d}", logged(f"c{number:04d}"), STEPS)
    with journal.database.transaction():
        pass
    journal.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    journal.close()
    return (state / "journal.db").read_bytes()


def saved(state: Path) -> tuple[Journal, str]:
    journal = journal_at(state)
    with pytest.raises(BadJournal) as raised:
        journal.prepare()
    assert raised.value.is_damaged
    told = journal.mend(logged("aa").time)
    journal.prepare()
    return journal, told


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_of_a_history_that_was_cut_off_all_rows_before_the_cut_are_saved(
    tmp_path: Path, share: float
) -> None:
    data = written(tmp_path)
    cut = int(len(data) * share)
    (tmp_path / "journal.db").write_bytes(data[:cut])

    journal, told = saved(tmp_path)

    found = journal.changes(ROOT, limit=CHANGES)
    count = "1 change" if len(found) == 1 else f"{len(found)} changes"
    assert f"{count} recovered" in told
    assert len(found) >= CHANGES * share / 2
    assert [path.read_bytes() for path in tmp_path.glob("journal.db.damaged-*Z*[0-9]")] in (
        [],
        [data[:cut]],
    )
    journal.record("new", logged("new"), STEPS)
    assert journal.changes(ROOT, limit=1)[0].id == "new"


def test_a_torn_page_takes_its_own_rows_and_no_others(tmp_path: Path) -> None:
    data = written(tmp_path)
    pages = len(data) // 4096
    for page in range(1, pages, max(1, pages // 12)):
        state = tmp_path / f"torn-{page}"
        state.mkdir()
        (state / "running").mkdir()
        torn = bytearray(data)
        torn[page * 4096 : (page + 1) * 4096] = b"\xaa" * 4096
        (state / "journal.db").write_bytes(torn)
        journal = journal_at(state)

        journal.mend(logged("aa").time)

        kept = journal.changes(ROOT, limit=CHANGES)
        assert len(ids(kept)) == len(set(ids(kept)))
        assert next(iter(state.glob("journal.db.damaged-*"))).read_bytes() == bytes(torn)
        whole = [each for each in kept if not each.pruned]
        assert len(whole) >= CHANGES - ON_A_PAGE, page
        assert all(journal.steps(each.id) == STEPS for each in whole)
        journal.close()


def test_of_a_change_whose_row_cannot_be_found_the_line_is_kept_with_its_place_and_root(
    tmp_path: Path,
) -> None:
    data = bytearray(written(tmp_path))
    at = data.index(b'"id": "c0150"')
    page = at - at % 4096
    assert data[page] == LEAF_OF_A_TABLE
    cells = range(page + 8, page + 8 + 2 * int.from_bytes(data[page + 3 : page + 5], "big"), 2)
    starts = {int.from_bytes(data[cell : cell + 2], "big"): cell for cell in cells}
    cell = starts[max(start for start in starts if page + start < at)]
    data[cell : cell + 2] = b"\xff\xff"
    (tmp_path / "journal.db").write_bytes(data)
    journal = journal_at(tmp_path)

    journal.mend(logged("aa").time)

    kept = journal.changes(ROOT, limit=CHANGES)
    assert ids(kept) == [f"c{number:04d}" for number in reversed(range(CHANGES))]
    pruned = [each.id for each in kept if each.pruned]
    assert "c0150" in pruned
    assert len(pruned) <= ON_A_PAGE


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all, and long enough to be looked at" * 99)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("spoil", [garbage, emptied, folder, gone])
def test_whatever_lies_in_the_place_of_a_history_is_put_aside_and_told(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    with World(tmp_path).build() as world:
        world.commit(world.splice(b"candidate", b"confirmed"))
        world.journal.close()
        for beside in world.state.glob("journal.db-*"):
            beside.unlink()
        spoil(world.state / "journal.db")
        assert world.journal.damage() is not None

        world.commit(world.splice(b"confirmed", b"archived"))

        assert [told.partition(":")[0] for told in world.journal.told] == [
            "the history was damaged"
        ]
        assert world.journal.damage() is None
        aside = [*world.state.glob("journal.db.damaged-*")]
        assert len(aside) == (0 if spoil is gone else 1)


def test_readers_go_on_beside_a_damaged_history_and_say_so(tmp_path: Path) -> None:
    root, places = tmp_path / "root", Places.of(tmp_path / "home")
    root.mkdir()
    (root / "CLAUDE.md").write_text("- Lamps are counted.\n")
    written(places.state)
    garbage(places.state / "journal.db")
    bench = Session.open(root, places, door="cli")

    bench.look()
    history, queue, problems = bench.past.changes(), bench.queue(), bench.problems
    told = bench.told()
    bench.close()

    assert (history, queue) == ((), ())
    assert [each.code for each in problems] == ["bad-journal"]
    assert len(told) == 1
    assert "damaged" in told[0]
    assert (places.state / "journal.db").read_bytes().startswith(b"no database at all")


@pytest.fixture(scope="module")
def logbook() -> Iterator[Logbook]:
    with TemporaryDirectory(dir=memory_folder()) as folder:
        yield Logbook(Path(folder)).build()


@pytest.fixture(scope="module")
def log_of_a_crash() -> Iterator[Logbook]:
    with TemporaryDirectory(dir=memory_folder()) as folder:
        yield Logbook(Path(folder), is_of_log=True).build()


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is damaged lies there already."""
    monkeypatch.setattr("os.fsync", lambda _: None)


def test_with_one_bit_flipped_undo_is_right_or_refused_and_the_rest_is_kept(
    logbook: Logbook,
) -> None:
    tried = logbook.said_bytes()[5::1800]

    assert len(tried) > 7
    assert [wrong for at in tried for wrong in logbook.wrong_with(at, bit_of(at))] == []


def test_undo_goes_past_no_change_of_which_it_cannot_be_read_who_set_it_off(
    logbook: Logbook,
) -> None:
    told = logbook.data.index(f'"id": "{logbook.history[0].id}"'.encode())
    who = logbook.data.index(b"}person", told) + 1

    assert [wrong for at in range(who, who + 6) for wrong in logbook.wrong_with(at, 5)] == []


def test_with_one_bit_flipped_of_the_page_that_tells_of_the_tables_all_changes_are_kept(
    logbook: Logbook,
) -> None:
    """Its kind stands at 100, how many tables there are at 103; the rest tells of each."""
    tables = [at for at in range(104, 4096) if logbook.data[at]][::400]

    assert [
        wrong for at in (100, 103, *tables) for wrong in logbook.wrong_with(at, bit_of(at))
    ] == []


def test_with_any_of_many_bits_flipped_undo_is_right_or_refused_and_the_rest_is_kept(
    logbook: Logbook,
) -> None:
    tried = logbook.said_bytes()[::450]

    assert [wrong for at in tried for wrong in logbook.wrong_with(at, bit_of(at))] == []


def test_with_one_bit_flipped_of_the_log_of_a_crash_no_change_is_lost_and_undo_is_right_or_refused(
    log_of_a_crash: Logbook,
) -> None:
    """SQLite drops a log from the first frame whose checksum does not fit, without a word."""
    head, last_page = 17, len(log_of_a_crash.data) - 2000
    tried = [head, last_page, *log_of_a_crash.said_bytes()[5::9000]]

    assert len(tried) > 6
    assert [wrong for at in tried for wrong in log_of_a_crash.wrong_with(at, bit_of(at))] == []


def test_with_any_of_many_bits_flipped_of_a_log_no_change_is_lost_and_undo_is_right_or_refused(
    log_of_a_crash: Logbook,
) -> None:
    tried = [*range(0, 56, 5), *log_of_a_crash.said_bytes()[::700]]

    assert [wrong for at in tried for wrong in log_of_a_crash.wrong_with(at, bit_of(at))] == []


def test_a_damaged_log_is_kept_as_it_is_and_undo_waits_until_that_was_said(
    log_of_a_crash: Logbook,
) -> None:
    middle = len(log_of_a_crash.data) // 2
    log_of_a_crash.flip(middle, 3)
    damaged = log_of_a_crash.flipped.read_bytes()

    with closing(log_of_a_crash.bench()) as bench:
        problems = [each.code for each in bench.problems]
        with pytest.raises(RememError, match="6 changes recovered"):
            bench.undo()
    with closing(log_of_a_crash.bench()) as bench:
        undone = bench.undo()

    state = log_of_a_crash.places.state
    assert problems == ["bad-journal"]
    assert [each.read_bytes() for each in state.glob("journal.db.damaged-*-wal")] == [damaged]
    assert undone.logged.id == log_of_a_crash.history[0].id


def test_a_torn_last_transaction_is_no_damage_as_nobody_was_told_that_it_stands(
    tmp_path: Path,
) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    for name in ("aa", "bb"):
        journal.record(name, logged(name), STEPS)
    torn = tmp_path / "torn"
    (torn / "running").mkdir(parents=True)
    for file in ("journal.db", "journal.db-wal"):
        data = (tmp_path / file).read_bytes()
        cut = FRAME if file.endswith("-wal") else 0
        (torn / file).write_bytes(data[: len(data) - cut])
    journal.close()

    found = journal_at(torn)

    assert found.damage() is None
    assert ids(found.changes(ROOT, limit=9)) == ["aa"]
    found.close()


@pytest.mark.parametrize(
    ("how", "only"),
    [
        ("before", "rename"),
        *(pytest.param(how, "", marks=pytest.mark.slow) for how in ("before", "after", "torn")),
    ],
)
def test_who_is_killed_while_a_history_is_saved_leaves_it_to_the_next_one(
    tmp_path: Path, how: str, only: str
) -> None:
    data = bytearray(written(tmp_path, 9))
    data[-4096:] = b"\xaa" * 4096
    known = ids(_saved_on(Disk(), _damaged(tmp_path / "known", bytes(data))))
    counting = CountingDisk()
    _saved_on(counting, _damaged(tmp_path / "counted", bytes(data)))

    for at in (at for at in counting.effects if only in counting.calls[at - 1]):
        state = _damaged(tmp_path / f"{how}-{at}", bytes(data))
        with suppress(Killed):
            _saved_on(DyingDisk(at, how), state)

        journal = journal_at(state)
        if journal.damage() is not None:
            journal.mend(logged("aa").time)
        assert ids(journal.changes(ROOT, limit=CHANGES)) == known, at
        journal.close()
        assert bytes(data) in [each.read_bytes() for each in state.glob("journal.db.damaged-*")]


def _damaged(state: Path, data: bytes) -> Path:
    (state / "running").mkdir(parents=True)
    (state / "journal.db").write_bytes(data)
    return state


def _saved_on(disk: Disk, state: Path) -> tuple[Logged, ...]:
    journal = Journal(disk, state)
    try:
        journal.mend(logged("aa").time)
        return journal.changes(ROOT, limit=CHANGES)
    finally:
        journal.close()
