"""A file that its owner protected against writing is left alone by every decision, and undo."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.store.committing import World

from remem.base.errors import Refused
from remem.model.change import Delete, Derived, Effect, Move
from remem.model.entry import digest_of


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path).build() as built:
        yield built


def edit(world: World) -> Effect:
    return world.splice(b"candidate", b"confirmed")


def append(world: World) -> Effect:
    return world.splice(b"conv-002\n", b"conv-002\n  - id: conv-003\n")


def delete(world: World) -> Effect:
    data = world.store.read_bytes()
    return Delete(world.store, data, digest_of(data))


@pytest.mark.parametrize("plan", [edit, append, delete])
@pytest.mark.parametrize("mode", [0o444, 0o400, 0o464])
def test_it_is_neither_edited_nor_deleted(
    world: World, plan: Callable[[World], Effect], mode: int
) -> None:
    world.store.chmod(mode)
    before = world.picture()
    first = world.splice(b"Hill", b"Mara", world.root / "hill/history.md")

    with pytest.raises(Refused, match=r"store\.yaml` is write-protected") as refused:
        world.commit(first, plan(world))

    assert refused.value.hint.startswith("`chmod u+w ")
    assert world.picture() == before
    assert world.store.stat().st_mode & 0o777 == mode
    assert world.litter() == []
    world.store.chmod(mode | 0o200)
    world.commit(first, plan(world))


def test_a_link_to_one_does_not_get_around_it(world: World) -> None:
    link = world.root / "link.yaml"
    link.symlink_to("store.yaml")
    world.store.chmod(0o444)

    with pytest.raises(Refused):
        world.commit(world.splice(b"candidate", b"confirmed", link))

    assert b"candidate" in world.store.read_bytes()


def test_undo_and_redo_leave_it_alone(world: World) -> None:
    change = world.commit(*world.everything())
    made = world.root / "deep/er/new.md"
    after = world.picture()
    for path in (world.store, made):
        path.chmod(0o444)
        with pytest.raises(Refused, match=f"{path.name}` is write-protected"):
            world.undo(change)
        assert world.picture() == after
        path.chmod(0o644)
    world.undo(change)
    world.store.chmod(0o444)

    with pytest.raises(Refused):
        world.redo(change)


def test_it_may_be_moved_for_its_bytes_and_mode_stay(world: World) -> None:
    (world.root / "hill/history.md").chmod(0o444)

    change = world.commit(Move(world.root / "hill", world.root / "mara"))

    moved = world.root / "mara/history.md"
    assert (moved.read_bytes(), moved.stat().st_mode & 0o777) == (b"# Hill\r\n- one\r\n", 0o444)
    world.undo(change)
    assert (world.root / "hill/history.md").exists()


def test_what_is_edited_once_it_was_moved_counts_as_protected(world: World) -> None:
    (world.root / "hill/history.md").chmod(0o444)
    before = world.picture()

    with pytest.raises(Refused, match="write-protected"):
        world.commit(*world.everything())

    assert world.picture() == before


def test_a_derived_file_is_left_as_it_is_and_holds_up_no_decision(world: World) -> None:
    summary = world.root / "summary.md"
    summary.chmod(0o444)

    change = world.commit(edit(world), Derived(summary, "test"))

    assert (summary.read_bytes(), summary.stat().st_mode & 0o777) == (b"2 of 2\n", 0o444)
    assert b"confirmed" in world.store.read_bytes()
    world.undo(change)
    assert (summary.read_bytes(), summary.stat().st_mode & 0o777) == (b"2 of 2\n", 0o444)
