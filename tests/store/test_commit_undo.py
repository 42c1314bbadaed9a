from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.racing_disk import RacingDisk
from tests.store.committing import STORE, World, append

from remem.base.errors import ChangedOnDisk, NotPossible, UnknownRef
from remem.model.change import Change, Create, Derived, Intent, Splice
from remem.model.entry import digest_of
from remem.store.changes.steps import Updated
from remem.store.history.journal_records import Origin
from remem.store.io import Disk

LINES = st.sampled_from(
    [b"- one\n", b"- two\r\n", b"\n", b"# Rules\n", b"\xff\xfe", b"  deep: 1\n", b"- one\n", b"end"]
)
FILES = st.lists(LINES | st.binary(max_size=8), max_size=14).map(b"".join)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path).build() as world:
        yield world


@pytest.fixture(scope="module")
def worlds() -> Iterator[Callable[[], World]]:
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        numbers = count()
        yield lambda: World(Path(folder) / str(next(numbers))).build()


@st.composite
def edits(draw: st.DrawFn) -> tuple[bytes, list[tuple[int, int, bytes]]]:
    """Draw a file and edits in it that do not overlap."""
    data = draw(FILES)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), min_size=2, max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return data, [(start, end, draw(LINES | st.just(b""))) for start, end in pairs]


def test_undo_brings_back_everything_of_every_sort(world: World) -> None:
    before = world.picture()
    change = world.commit(*world.everything())

    exact = world.undo(change)

    assert exact
    assert world.picture() == before
    assert world.litter() == []


def test_undo_brings_back_the_mode_of_a_deleted_file(world: World) -> None:
    (world.root / "old.md").chmod(0o664)
    change = world.commit(*world.everything())

    world.undo(change)

    assert (world.root / "old.md").stat().st_mode & 0o777 == 0o664


def test_redo_does_everything_again(world: World) -> None:
    change = world.commit(*world.everything())
    after = world.picture()
    world.undo(change)

    exact = world.redo(change)

    assert exact
    assert world.picture() == after


@settings(max_examples=60)
@given(case=edits())
@example(case=(b"a\nb", [(1, 2, b""), (2, 2, b"x"), (2, 3, b"")]))
@example(case=(b"", [(0, 0, b"end")]))
def test_undo_and_redo_lead_to_the_same_bytes_through_another_process(
    worlds: Callable[[], World], case: tuple[bytes, list[tuple[int, int, bytes]]]
) -> None:
    data, places = case
    with worlds() as world:
        world.store.write_bytes(data)
        digest = digest_of(data)
        splices = [
            Splice(world.store, start, end, data[start:end], new, digest)
            for start, end, new in places
        ]
        try:
            change = world.commit(*splices)
        except NotPossible:
            assume(False)
        after = world.store.read_bytes()

        undone = world.after(Disk()).undo(change)
        former = world.store.read_bytes()
        redone = world.after(Disk()).redo(change)

        assert (undone, redone) == (True, True)
        assert former == data
        assert world.store.read_bytes() == after


@settings(max_examples=60)
@given(
    before=st.lists(st.sampled_from([b"- a\n", b"- b\n", b"- c\n", b"\n"]), min_size=1, max_size=9),
    at=st.integers(0, 8),
    late=st.lists(st.sampled_from([b"- theirs\n", b"- more of theirs\n"]), min_size=1, max_size=3),
)
def test_undo_of_an_addition_keeps_what_someone_else_appended(
    worlds: Callable[[], World], before: list[bytes], at: int, late: list[bytes]
) -> None:
    data = b"".join(before)
    offset = len(b"".join(before[:at]))
    with worlds() as world:
        world.store.write_bytes(data)
        splice = Splice(world.store, offset, offset, b"", b"- ours\n", digest_of(data))
        change = world.commit(splice)
        with world.store.open("ab") as file:
            file.write(b"".join(late))

        exact = world.undo(change)

        assert not exact
        assert world.store.read_bytes() == data + b"".join(late)


def test_undo_after_someone_else_wrote_keeps_their_line(world: World) -> None:
    change = world.commit(world.splice(b"candidate", b"confirmed"))
    theirs = world.store.read_bytes().replace(b"conventions:\n", b"conventions:\n  # theirs\n")
    world.store.write_bytes(theirs)

    exact = world.undo(change)

    assert not exact
    assert world.store.read_bytes() == theirs.replace(b"confirmed", b"candidate")


def test_redo_after_an_undo_that_was_merged_leads_back_to_what_stood(world: World) -> None:
    change = world.commit(world.splice(b"candidate", b"confirmed"))
    theirs = b"# theirs\n" + world.store.read_bytes()
    world.store.write_bytes(theirs)
    world.undo(change)

    exact = world.redo(change)

    assert exact
    assert world.store.read_bytes() == theirs


def test_undo_in_a_file_too_big_to_keep_whole_finds_its_place_again(world: World) -> None:
    data = b"".join(b"  - id: conv-%05d\n    status: candidate\n" % n for n in range(20_000))
    world.store.write_bytes(data)
    change = world.commit(world.splice(b"conv-09999", b"conv-changed"))
    theirs = (
        world.store.read_bytes()
        .replace(b"conv-00001", b"first")
        .replace(b"conv-19990", b"much later than that")
    )
    world.store.write_bytes(theirs)

    exact = world.undo(change)

    assert not exact
    assert world.store.read_bytes() == theirs.replace(b"conv-changed", b"conv-09999")


def test_undo_of_many_edits_in_a_big_file_keeps_what_others_wrote_between(world: World) -> None:
    data = b"".join(b"  - id: conv-%05d\n    status: candidate\n" % n for n in range(9_000))
    world.store.write_bytes(data)
    places = [data.index(b"conv-%05d" % n) for n in range(0, 9_000, 100)]
    digest = digest_of(data)
    change = world.commit(
        *(Splice(world.store, at, at + 4, b"conv", b"kept", digest) for at in places)
    )
    theirs = world.store.read_bytes().replace(b"conv-00150", b"theirs-150")
    world.store.write_bytes(theirs)

    world.undo(change)

    assert world.store.read_bytes() == data.replace(b"conv-00150", b"theirs-150")


def test_undo_where_someone_else_changed_the_same_line_says_why_not(world: World) -> None:
    change = world.commit(world.splice(b"candidate", b"confirmed"))
    theirs = world.store.read_bytes().replace(b"confirmed", b"deprecated")
    world.store.write_bytes(theirs)

    with pytest.raises(ChangedOnDisk, match="other changes in the same place, near line 3"):
        world.undo(change)

    assert world.store.read_bytes() == theirs
    assert not world.journal.get(change).undone
    assert world.litter() == []


def test_a_merge_that_would_not_be_readable_is_not_written(world: World) -> None:
    change = world.commit(world.splice(b"candidate", b"confirmed"))
    with world.store.open("ab") as file:
        file.write(b"# theirs\n")
    theirs = world.store.read_bytes()

    with pytest.raises(ChangedOnDisk, match="later changes depend on this one"):
        world.committer.undo(change, world.render, lambda _path, _data: False)

    assert world.store.read_bytes() == theirs


def test_a_made_file_that_others_wrote_to_is_not_removed(world: World) -> None:
    path = world.root / "deep" / "new.md"
    change = world.commit(Create(path, b"fresh\n"))
    path.write_bytes(b"fresh\nand theirs\n")

    with pytest.raises(ChangedOnDisk, match="was changed since"):
        world.undo(change)

    assert path.read_bytes() == b"fresh\nand theirs\n"


def test_undoing_a_made_file_keeps_a_folder_in_which_others_put_something(world: World) -> None:
    change = world.commit(Create(world.root / "deep" / "new.md", b"fresh\n"))
    (world.root / "deep" / "theirs.md").write_bytes(b"theirs\n")

    world.undo(change)

    assert [path.name for path in (world.root / "deep").iterdir()] == ["theirs.md"]


def test_a_folder_that_was_made_again_keeps_the_moved_one_where_it_is(world: World) -> None:
    change = world.commit(*world.everything())
    (world.root / "hill").mkdir()

    with pytest.raises(ChangedOnDisk, match="hill` exists again"):
        world.undo(change)

    assert (world.root / "people" / "mara" / "history.md").exists()


def test_a_derived_file_is_rendered_again_when_others_changed_its_sources(world: World) -> None:
    summary = Derived(world.root / "summary.md", "test")
    first = world.commit(world.splice(b"candidate", b"confirmed"), summary)
    world.commit(world.splice(b"conv-002", b"confirmed-002"), summary)

    world.undo(first)

    assert (world.root / "summary.md").read_bytes() == b"1 confirmed\n"


def test_a_derived_file_gets_its_former_bytes_back_even_if_rendering_gives_others(
    world: World,
) -> None:
    summary = world.root / "summary.md"
    former = b"".join(b"line %d of what was there before\n" % n for n in range(5_000))
    summary.write_bytes(former)
    change = world.commit(world.splice(b"candidate", b"confirmed"), Derived(summary, "test"))
    done = summary.read_bytes()

    assert world.undo(change)
    undone = summary.read_bytes()
    assert world.redo(change)

    assert undone == former
    assert summary.read_bytes() == done == b"1 confirmed\n"


def theirs_comes(world: World) -> World:
    """Return the world as a process sees it in whose first swap somebody appends to the store."""
    line = b"# theirs is confirmed\n"
    return world.after(RacingDisk("exchange", lambda: append(world.store, line)))


def test_undo_keeps_in_a_derived_file_what_somebody_appended_while_it_was_rendered(
    world: World,
) -> None:
    summary = world.root / "summary.md"
    effects = (world.splice(b"candidate", b"confirmed"), Derived(summary, "test"))

    made = theirs_comes(world).commit(*effects)

    assert summary.read_bytes() == b"2 confirmed\n"
    for _ in range(2):
        assert world.undo(made)
        assert summary.read_bytes() == b"1 confirmed\n"
        assert world.redo(made)
        assert summary.read_bytes() == b"2 confirmed\n"


def test_a_derived_file_has_what_somebody_appended_during_an_undo_and_a_redo(world: World) -> None:
    summary = world.root / "summary.md"
    made = world.commit(world.splice(b"candidate", b"confirmed"), Derived(summary, "test"))

    theirs_comes(world).undo(made)
    assert summary.read_bytes() == b"1 confirmed\n"

    theirs_comes(world).redo(made)
    assert summary.read_bytes() == b"3 confirmed\n"
    world.undo(made)
    assert summary.read_bytes() == b"2 confirmed\n"


def test_a_derived_file_that_came_with_a_change_goes_with_it_whoever_appended(world: World) -> None:
    summary = world.root / "count.md"
    effects = (world.splice(b"candidate", b"confirmed"), Derived(summary, "test"))

    made = theirs_comes(world).commit(*effects)

    assert summary.read_bytes() == b"2 confirmed\n"
    world.undo(made)
    assert not summary.exists()


def test_the_history_keeps_of_a_derived_file_what_changed_in_it(world: World) -> None:
    summary = world.root / "summary.md"
    rest = b"".join(b"line %d of many\n" % n for n in range(5_000))
    summary.write_bytes(b"0 confirmed\n" + rest)
    effects = (world.splice(b"candidate", b"confirmed"), Derived(summary, "test"))

    done = world.committer.commit(
        Change(Intent("test"), "Change", effects),
        lambda _: b"1 confirmed\n" + rest,
        Origin(world.root),
    )

    (kept,) = [step for step in world.journal.steps(done.id) if isinstance(step, Updated)]
    assert [(patch.old, patch.new) for patch in kept.edit.patches] == [
        (b"0 confirmed", b"1 confirmed")
    ]


def test_a_change_is_undone_once(world: World) -> None:
    change = world.commit(world.splice(b"candidate", b"confirmed"))
    world.undo(change)

    with pytest.raises(NotPossible, match="already undone"):
        world.undo(change)

    assert world.store.read_bytes() == STORE


def test_what_stands_cannot_be_done_again(world: World) -> None:
    change = world.commit(world.splice(b"candidate", b"confirmed"))

    with pytest.raises(NotPossible, match="is not undone"):
        world.redo(change)


def test_a_change_that_nobody_knows_cannot_be_undone(world: World) -> None:
    with pytest.raises(UnknownRef, match="`beef`"):
        world.undo("beef")


def test_undo_by_another_process_sees_what_this_one_committed(world: World) -> None:
    world.commit(world.splice(b"candidate", b"confirmed"))
    other = world.after(Disk())

    last = other.journal.last_to_undo(world.root)
    assert last is not None
    other.committer.undo(last.id, other.render)

    assert world.store.read_bytes() == STORE
    assert world.journal.last_to_undo(world.root) is None


def test_undo_is_not_a_change_of_its_own(world: World) -> None:
    change = world.commit(world.splice(b"candidate", b"confirmed"))

    world.undo(change)

    assert [(logged.id, logged.undone) for logged in world.journal.changes(world.root)] == [
        (change, True)
    ]


def test_undoing_an_agents_change_is_up_to_whoever_names_it(world: World) -> None:
    change = Change(Intent("test"), "Store it", (world.splice(b"candidate", b"confirmed"),))
    origin = Origin(world.root, actor="agent", door="mcp", set_off="agent")
    committed = world.committer.commit(change, world.render, origin)

    for_people = world.journal.last_to_undo(world.root)
    world.undo(committed.id)

    assert for_people is None
    assert world.store.read_bytes() == STORE
