import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.failing_disk import CountingDisk, DiskWithoutLinks, HastyDisk
from tests.racing_disk import RacingDisk
from tests.store.committing import STORE, World, append

from remem.base.errors import NotPossible, Refused, WriteFailed
from remem.model.change import Change, Create, Delete, Derived, Intent, Move, RowEdit, Splice
from remem.model.entry import digest_of
from remem.store.changes.commit import Committer
from remem.store.changes.effects_to_steps import BaseMoved
from remem.store.databases.row_sets import RowSets
from remem.store.history.journal_records import Origin


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path).build() as world:
        yield world


def test_an_edit_changes_its_bytes_and_no_others(world: World) -> None:
    world.commit(world.splice(b"candidate", b"confirmed"))

    assert world.store.read_bytes() == STORE.replace(b"candidate", b"confirmed")
    assert world.litter() == []


def test_one_change_carries_out_effects_of_every_sort(world: World) -> None:
    world.commit(*world.everything())

    picture = world.picture()
    assert picture == {
        "store.yaml": STORE.replace(b"candidate", b"confirmed") + b"    status: active\n",
        "deep": None,
        "deep/er": None,
        "deep/er/new.md": b"fresh\n",
        "people": None,
        "people/mara": None,
        "people/mara/history.md": b"# Mara\r\n- one\r\n",
        "summary.md": b"1 confirmed\n",
        "count.md": b"1 confirmed\n",
        "row": [("a", "Mara", 1)],
    }


def test_each_step_is_durable_before_the_next_is_seen(world: World) -> None:
    world.journal.prepare()
    disk = CountingDisk()
    effects = (world.splice(b"candidate", b"confirmed"),)

    world.after(disk).commit(*effects)

    calls = [name for name in disk.calls if name not in {"open", "read", "close"}]
    assert calls == [
        *("journal", "mkdir", "open_lock", "lock", "lease"),
        *("create", "chmod", "write", "fsync", "open_folder", "fsync"),  # the intent
        *("create", "copy_attributes", "write", "fsync", "rename"),  # the new bytes, beside
        *("exchange", "rename", "lease"),  # they go live, and what went is looked at
        *("open_folder", "fsync"),
        "journal",  # the change is on record
        *("rename", "unlink"),  # the former file is parked, the intent goes
    ]


def test_an_edit_keeps_the_mode_of_the_file(world: World) -> None:
    world.store.chmod(0o664)

    world.commit(world.splice(b"candidate", b"confirmed"))

    assert world.store.stat().st_mode & 0o777 == 0o664


def test_an_edit_keeps_extended_attributes(world: World) -> None:
    try:
        os.setxattr(world.store, "user.note", b"keep me")
    except OSError:
        pytest.skip("this file system has no extended attributes")

    world.commit(world.splice(b"candidate", b"confirmed"))

    assert os.getxattr(world.store, "user.note") == b"keep me"


def test_what_changed_since_it_was_planned_is_not_overwritten(world: World) -> None:
    planned = world.splice(b"candidate", b"confirmed")
    world.store.write_bytes(STORE + b"  - id: conv-003\n")

    with pytest.raises(BaseMoved, match=r"store\.yaml") as caught:
        world.commit(planned)

    assert caught.value.paths == (world.store,)
    assert world.store.read_bytes() == STORE + b"  - id: conv-003\n"
    assert world.litter() == []


def test_lines_that_came_between_the_look_and_the_swap_are_kept(world: World) -> None:
    racing = world.after(RacingDisk("exchange", lambda: append(world.store, b"# theirs\n")))

    made = racing.commit(world.splice(b"candidate", b"confirmed"))

    with_theirs = STORE + b"# theirs\n"
    assert world.store.read_bytes() == with_theirs.replace(b"candidate", b"confirmed")
    assert world.undo(made)
    assert world.store.read_bytes() == with_theirs
    assert world.litter() == []


def test_a_file_that_was_rewritten_before_the_swap_is_put_back_as_it_is(world: World) -> None:
    theirs = world.root / "theirs"
    theirs.write_bytes(b"conventions: []\n")
    inode = theirs.stat().st_ino
    racing = world.after(RacingDisk("exchange", lambda: theirs.rename(world.store)))

    with pytest.raises(BaseMoved):
        racing.commit(world.splice(b"candidate", b"confirmed"))

    assert world.store.read_bytes() == b"conventions: []\n"
    assert world.store.stat().st_ino == inode
    assert world.litter() == []


def test_lines_that_came_to_both_sides_of_a_swap_that_is_taken_back_are_kept(
    world: World,
) -> None:
    class Both(RacingDisk):
        swaps = 0

        def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            result = super().perform(name, call, *args, **kwargs)
            if name == "exchange":
                self.swaps += 1
                if self.swaps < 3:
                    append(args[1], b"# after swap %d\n" % self.swaps)
            return result

    renumbered = STORE.replace(b"conv-002", b"conv-007")
    disk = Both("exchange", lambda: world.store.write_bytes(renumbered))

    with pytest.raises(BaseMoved):
        world.after(disk).commit(world.splice(b"candidate", b"confirmed"))

    lines = world.store.read_bytes()
    assert lines.startswith(renumbered)
    assert sorted(lines.removeprefix(renumbered).splitlines()) == [
        b"# after swap 1",
        b"# after swap 2",
    ]
    assert world.litter() == []


def test_a_file_with_two_names_is_added_to_and_not_replaced(world: World) -> None:
    other = world.root / "other.yaml"
    other.hardlink_to(world.store)

    with pytest.raises(Refused, match="more than one name"):
        world.commit(world.splice(b"candidate", b"confirmed"))
    world.commit(at_the_end(world, b"  - id: conv-003\n"))

    assert other.read_bytes() == world.store.read_bytes() == STORE + b"  - id: conv-003\n"
    assert world.litter() == []


def test_where_names_cannot_be_exchanged_the_next_best_brings_late_lines_along(
    world: World,
) -> None:
    class Plain(RacingDisk):
        def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            if name == "exchange":
                raise OSError(errno.EINVAL, "not here")
            return super().perform(name, call, *args, **kwargs)

    racing = world.after(Plain("replace", lambda: append(world.store, b"# theirs\n")))

    made = racing.commit(world.splice(b"candidate", b"confirmed"))

    theirs = STORE + b"# theirs\n"
    assert world.store.read_bytes() == theirs.replace(b"candidate", b"confirmed")
    assert world.undo(made)
    assert world.store.read_bytes() == theirs
    assert world.litter() == []


def test_an_addition_at_the_end_is_one_write_to_the_file_itself(world: World) -> None:
    inode = world.store.stat().st_ino
    disk = CountingDisk()

    made = world.after(disk).commit(at_the_end(world, b"  - id: conv-003\n"))

    assert world.store.read_bytes() == STORE + b"  - id: conv-003\n"
    assert world.store.stat().st_ino == inode
    assert "exchange" not in disk.calls
    assert world.undo(made)
    assert world.store.read_bytes() == STORE


def at_the_end(world: World, line: bytes) -> Splice:
    data = world.store.read_bytes()
    return Splice(world.store, len(data), len(data), b"", line, digest_of(data))


def test_an_addition_that_lands_behind_lines_of_others_is_taken_back(world: World) -> None:
    racing = world.after(RacingDisk("append", lambda: append(world.store, b"# theirs\n")))

    with pytest.raises(BaseMoved):
        racing.commit(at_the_end(world, b"  - id: conv-003\n"))

    assert world.store.read_bytes() == STORE + b"# theirs\n"
    assert world.litter() == []


def test_one_file_that_moved_on_takes_the_others_of_its_change_back(world: World) -> None:
    history = world.root / "hill" / "history.md"
    effects = (world.splice(b"candidate", b"confirmed"), world.splice(b"one", b"two", history))
    before = world.picture()
    racing = world.after(RacingDisk("exchange", lambda: history.write_bytes(b"theirs\n"), nth=2))

    with pytest.raises(BaseMoved):
        racing.commit(*effects)

    assert world.picture() == before | {"hill/history.md": b"theirs\n"}


def test_a_file_that_is_there_already_is_not_made(world: World) -> None:
    with pytest.raises(BaseMoved, match="already exists"):
        world.commit(Create(world.root / "old.md", b"mine\n"))

    assert (world.root / "old.md").read_bytes() == b"going\n"


def test_a_move_never_lands_on_something(world: World) -> None:
    (world.root / "mara").mkdir()

    with pytest.raises(BaseMoved, match="already exists"):
        world.commit(Move(world.root / "hill", world.root / "mara"))

    assert (world.root / "hill" / "history.md").exists()


def test_deleting_needs_the_bytes_that_were_shown(world: World) -> None:
    old = world.root / "old.md"
    planned = Delete(old, old.read_bytes(), digest_of(old.read_bytes()))
    old.write_bytes(b"came back with more\n")

    with pytest.raises(BaseMoved):
        world.commit(planned)

    assert old.read_bytes() == b"came back with more\n"


def test_a_row_that_holds_other_values_takes_back_the_folder_that_moved_before(
    world: World,
) -> None:
    before = world.picture()
    row = RowEdit(world.root / "state.db", "people", {"id": "a"}, {"name": "Eve"}, {"name": "Mara"})

    with pytest.raises(BaseMoved):
        world.commit(Move(world.root / "hill", world.root / "mara"), row)

    assert world.picture() == before


def test_a_locked_database_takes_back_the_folder_that_moved_before(world: World) -> None:
    before = world.picture()
    row = RowEdit(
        world.root / "state.db", "people", {"id": "a"}, {"name": "Hill"}, {"name": "Mara"}
    )

    with closing(sqlite3.connect(world.root / "state.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with (
            World(world.base, rows=RowSets(busy=0.05)) as hasty,
            pytest.raises(WriteFailed, match="database is locked"),
        ):
            hasty.commit(Move(world.root / "hill", world.root / "mara"), row)

    assert world.picture() == before
    assert world.litter() == []


def test_a_link_is_never_written_through(world: World) -> None:
    link = world.root / "link.yaml"
    link.symlink_to(world.store)
    at = STORE.index(b"candidate")

    with pytest.raises(Refused, match="is a link"):
        world.commit(Splice(link, at, at + 9, b"candidate", b"confirmed", digest_of(STORE)))

    assert world.store.read_bytes() == STORE


def test_edits_that_overlap_are_refused(world: World) -> None:
    with pytest.raises(Refused, match="overlap"):
        world.commit(world.splice(b"candidate", b"x"), world.splice(b"date # waits", b"y"))

    assert world.store.read_bytes() == STORE


def test_a_change_that_changes_nothing_is_not_written_down(world: World) -> None:
    with pytest.raises(NotPossible, match="would change nothing"):
        world.commit(world.splice(b"candidate", b"candidate"))

    assert world.journal.changes(world.root) == ()


def test_a_derived_file_that_nobody_can_render_is_left_alone_with_a_warning(world: World) -> None:
    change = Change(
        Intent("test"),
        "Change",
        (world.splice(b"candidate", b"confirmed"), Derived(world.root / "summary.md", "test")),
    )

    committed = world.committer.commit(change, lambda _: None, Origin(world.root))

    assert (world.root / "summary.md").read_bytes() == b"2 of 2\n"
    assert "summary.md` was left as it is" in committed.warnings[0]


def test_bytes_read_before_spare_the_hash_but_not_the_comparison(world: World) -> None:
    planned = world.splice(b"candidate", b"confirmed")
    shown = (STORE, digest_of(STORE))
    knowing = Committer(world.disk, world.journal, world.clock, world.state, known=lambda _: shown)
    theirs = STORE.replace(b"conv-002", b"conv-007")
    world.store.write_bytes(theirs)

    with pytest.raises(BaseMoved):
        knowing.commit(
            Change(Intent("test"), "Change", (planned,)), world.render, Origin(world.root)
        )

    assert world.store.read_bytes() == theirs


def test_lines_that_came_at_the_end_since_it_was_planned_are_no_reason_to_plan_anew(
    world: World,
) -> None:
    planned, at_end = world.splice(b"candidate", b"confirmed"), at_the_end(world, b"  - id: c\n")
    shown = (STORE, digest_of(STORE))
    knowing = Committer(world.disk, world.journal, world.clock, world.state, known=lambda _: shown)
    append(world.store, b"  - id: theirs\n")

    with pytest.raises(BaseMoved):  # two that add at one place may have taken one id
        knowing.commit(Change(Intent("test"), "Add", (at_end,)), world.render, Origin(world.root))
    knowing.commit(Change(Intent("test"), "Edit", (planned,)), world.render, Origin(world.root))

    grown = STORE + b"  - id: theirs\n"
    assert world.store.read_bytes() == grown.replace(b"candidate", b"confirmed")


def test_the_state_folder_is_for_its_owner_alone(world: World) -> None:
    world.commit(world.splice(b"candidate", b"confirmed"))

    modes = {path.name: path.stat().st_mode & 0o777 for path in world.state.iterdir()}
    assert world.state.stat().st_mode & 0o777 == 0o700
    assert {modes.pop("running"), modes.pop("parked")} == {0o700}
    assert set(modes.values()) == {0o600}


def test_a_lock_that_is_held_ends_in_a_message(world: World) -> None:
    world.journal.prepare()

    with world.disk.lock(world.state / "lock"), pytest.raises(WriteFailed, match="another remem"):
        world.after(HastyDisk()).commit(world.splice(b"candidate", b"confirmed"))

    assert world.store.read_bytes() == STORE


def test_a_history_that_cannot_be_opened_stops_the_change(world: World) -> None:
    world.journal.prepare()
    world.journal.close()
    with closing(sqlite3.connect(world.state / "journal.db")) as sql:
        sql.execute("PRAGMA user_version = 99")

    with pytest.raises(WriteFailed, match="history"):
        world.commit(world.splice(b"candidate", b"confirmed"))

    assert world.store.read_bytes() == STORE


def test_a_file_system_without_second_names_is_written_all_the_same(world: World) -> None:
    disk = DiskWithoutLinks()
    world = world.after(disk)
    before = world.picture()

    change = world.commit(*world.everything())
    after = world.picture()
    exact = world.undo(change)

    assert (
        after["store.yaml"] == STORE.replace(b"candidate", b"confirmed") + b"    status: active\n"
    )
    assert after["deep/er/new.md"] == b"fresh\n"
    assert exact
    assert disk.refused
    assert world.picture() == before
    assert world.litter() == []
