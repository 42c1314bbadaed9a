from collections.abc import Callable
from pathlib import Path

import pytest

from remem.base.errors import ChangedOnDisk, UnknownRef
from remem.core.library import Library, differences, open_library
from remem.core.system import Ground
from remem.model.change import Create, Splice
from remem.model.entry import Ref, Status, digest_of
from remem.model.source import Source
from remem.store.io import Disk
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.registry import FORMATS

CONVENTIONS = b"""conventions:
  - id: conv-001
    rule: "Queues are drained before a deploy"
    applies_to: [backend-engineer]
  - id: conv-002
    rule: "Clocks are passed in"
    status: candidate
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    memory = tmp_path / "harbour" / ".sniper" / "memory"
    memory.mkdir(parents=True)
    (memory / "conventions.yaml").write_bytes(CONVENTIONS)
    (memory / "decisions.yaml").write_bytes(b"decisions: []\n")
    return tmp_path / "harbour"


def opened(root: Path) -> Library:
    home = root.parent / "home"
    return open_library(Ground(root, home, Disk(), root.name, layouts=BUILT_IN), FORMATS)


def conventions(root: Path) -> Path:
    return root / ".sniper" / "memory" / "conventions.yaml"


def test_every_entry_is_there_once(root: Path) -> None:
    refs = [entry.ref.id for entry in opened(root).entries()]

    assert sorted(refs) == ["conv-001", "conv-002"]


def test_a_folder_without_memory_is_an_empty_library(tmp_path: Path) -> None:
    library = opened(tmp_path)

    assert library.sources == ()
    assert library.is_complete


def test_a_refresh_reads_only_what_changed(root: Path) -> None:
    before = opened(root)
    conventions(root).write_bytes(CONVENTIONS.replace(b"Clocks", b"Ids"))

    after = before.refresh([conventions(root)])

    old, new = ({s.path: s for s in library.sources} for library in (before, after))
    decisions = root / ".sniper" / "memory" / "decisions.yaml"
    assert new[decisions] is old[decisions]
    assert after.resolve("conv-002").title == "Ids are passed in"
    assert before.resolve("conv-002").title == "Clocks are passed in"


def test_a_refresh_without_paths_finds_what_changed_by_itself(root: Path) -> None:
    before = opened(root)
    conventions(root).write_bytes(b"conventions: []\n")

    after = before.refresh()

    assert [*after.entries()] == []
    assert after.number > before.number


def test_a_refresh_of_one_format_leaves_the_others_as_they_were(root: Path) -> None:
    memory = root / ".claude" / "agent-memory" / "hill" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_bytes(b"- Ropes are checked\n")
    before = opened(root)
    memory.write_bytes(b"- Ropes are replaced\n")
    conventions(root).write_bytes(CONVENTIONS.replace(b"Clocks", b"Ids"))

    after = before.refresh_format("sniper")

    assert [change.path for change in differences(before, after)] == [conventions(root)]
    changed = {change.path for change in differences(before, before.refresh())}
    assert changed == {conventions(root), memory}


def test_what_another_snapshot_read_already_is_not_read_again(root: Path) -> None:
    before = opened(root)
    conventions(root).write_bytes(CONVENTIONS.replace(b"Clocks", b"Ids"))
    peek = before.refresh_format("sniper")

    after = before.refresh([conventions(root)], peek=peek)
    conventions(root).write_bytes(CONVENTIONS + b"# one more line\n")
    later = before.refresh([conventions(root)], peek=peek)

    assert source_at(after, conventions(root)) is source_at(peek, conventions(root))
    assert source_at(later, conventions(root)).data == CONVENTIONS + b"# one more line\n"


def test_which_files_there_are_is_taken_from_a_look_that_knows_all_that_was_written(
    root: Path,
) -> None:
    before, more = opened(root), conventions(root).with_name("anti-patterns.yaml")
    conventions(root).write_bytes(CONVENTIONS.replace(b"Clocks", b"Ids"))
    peek = before.refresh_format("sniper")
    more.write_bytes(b"anti_patterns: []\n")

    after = before.refresh([conventions(root)], peek=peek, found="sniper")
    with_it = before.refresh([conventions(root), more], peek=peek, found="sniper")

    assert source_at(after, conventions(root)) is source_at(peek, conventions(root))
    assert more not in {source.path for source in after.sources}
    assert more in {source.path for source in with_it.sources}


def test_a_file_that_is_gone_since_a_look_is_looked_for_again(root: Path) -> None:
    before = opened(root)
    peek = before.refresh_format("sniper")
    conventions(root).unlink()

    after = before.refresh([conventions(root)], peek=peek, found="sniper")

    assert conventions(root) not in {source.path for source in after.sources}


def test_of_what_an_earlier_preview_gave_nothing_is_read_again(root: Path) -> None:
    library = opened(root)
    place = CONVENTIONS.index(b"Clocks")
    found = source_at(library, conventions(root))
    splice = Splice(found.path, place, place + 6, b"Clocks", b"Ids", found.digest)
    store = conventions(root).with_name("anti-patterns.yaml")
    first = library.preview([splice])

    second = library.preview([splice, Create(store, b"anti_patterns: []\n")], first)

    alone = library.preview([splice, Create(store, b"anti_patterns: []\n")])
    assert source_at(second, found.path) is source_at(first, found.path)
    assert [*second.entries()] == [*alone.entries()]
    assert {each.path for each in second.sources} == {each.path for each in alone.sources}


def source_at(library: Library, path: Path) -> Source:
    return next(source for source in library.sources if source.path == path)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda path: path.write_bytes(b"- New\n"), id="written"),
        pytest.param(lambda path: path.unlink(), id="gone"),
        pytest.param(lambda path: path.with_name("more.md").write_bytes(b"- x\n"), id="beside"),
    ],
)
def test_a_refresh_of_paths_finds_what_a_look_at_everything_finds(
    root: Path, change: Callable[[Path], object]
) -> None:
    memory = root / ".claude" / "agent-memory" / "hill" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_bytes(b"- Ropes are checked\n")
    before = opened(root)
    change(memory)

    after = before.refresh([memory, memory.with_name("more.md"), conventions(root)])

    fresh = opened(root)
    assert [source.data for source in after.sources] == [source.data for source in fresh.sources]


@pytest.mark.parametrize("up", range(8))
def test_a_refresh_of_a_folder_reads_what_lies_below_it(root: Path, up: int) -> None:
    path = conventions(root)
    above = [path, *path.parents][min(up, len(path.parents))] if up < 7 else Path("/")
    before = opened(root)
    path.write_bytes(CONVENTIONS.replace(b"Clocks", b"Ids"))

    after = before.refresh([above])

    assert after.resolve("conv-002").title == "Ids are passed in"


def test_a_refresh_of_a_folder_reads_nothing_beside_it_whose_name_begins_alike(root: Path) -> None:
    before = opened(root)
    conventions(root).write_bytes(CONVENTIONS.replace(b"Clocks", b"Ids"))

    after = before.refresh([root / ".sniper" / "mem", root / ".sniper" / "memory" / "conventions"])

    assert after.resolve("conv-002").title == "Clocks are passed in"


def test_an_untouched_root_keeps_every_source(root: Path) -> None:
    before = opened(root)

    after = before.refresh()

    assert all(old is new for old, new in zip(before.sources, after.sources, strict=True))
    assert differences(before, after) == ()


def test_a_store_that_vanishes_is_told_as_a_difference(root: Path) -> None:
    before = opened(root)
    conventions(root).unlink()

    (change,) = differences(before, before.refresh())

    assert change.path == conventions(root)
    assert (change.before, change.after) == (CONVENTIONS, None)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: path.mkdir(), id="folder"),
        pytest.param(lambda path: path.symlink_to("/etc/hostname"), id="link-out-of-the-root"),
        pytest.param(lambda path: path.symlink_to(path), id="link-to-itself"),
        pytest.param(lambda path: path.write_bytes(b"\xff\xfe\x00"), id="no-text"),
    ],
)
def test_what_cannot_be_read_is_a_problem_and_the_rest_works(root: Path, make: object) -> None:
    path = root / ".sniper" / "memory" / "anti-patterns.yaml"
    make(path)  # type: ignore[operator]

    library = opened(root)

    wrong = [source for source, _, _ in library.problems() if source.path == path]
    assert wrong
    assert not wrong[0].is_writable
    assert library.resolve("conv-001").status is Status.ACTIVE


def test_a_preview_shows_what_effects_would_give_and_writes_nothing(root: Path) -> None:
    library = opened(root)
    at = CONVENTIONS.index(b"Clocks")
    splice = Splice(conventions(root), at, at + 6, b"Clocks", b"Ids", digest_of(CONVENTIONS))
    anti = root / ".sniper" / "memory" / "anti-patterns.yaml"
    made = Create(anti, b'anti_patterns:\n  - id: ap-001\n    description: "Sleeping in tests"\n')

    after = library.preview([splice, made])

    assert after.resolve("conv-002").title == "Ids are passed in"
    assert after.resolve("ap-001").title == "Sleeping in tests"
    assert conventions(root).read_bytes() == CONVENTIONS
    assert not anti.exists()
    assert after.ground.disk is library.ground.disk


def test_an_entry_that_changed_since_it_was_shown_is_refused(root: Path) -> None:
    library = opened(root)
    shown = library.resolve("conv-001")
    conventions(root).write_bytes(CONVENTIONS.replace(b"Queues", b"Topics"))

    with pytest.raises(ChangedOnDisk):
        library.refresh().entry(shown.ref, shown.digest)


def test_an_entry_whose_neighbour_changed_is_the_one_that_was_shown(root: Path) -> None:
    library = opened(root)
    shown = library.resolve("conv-002")
    conventions(root).write_bytes(CONVENTIONS.replace(b"Queues are", b"Every queue is"))

    now = library.refresh().entry(shown.ref, shown.digest)

    data = conventions(root).read_bytes()
    assert b"Clocks" in data[now.at.start : now.at.end]  # type: ignore[union-attr]


def test_names_resolve_with_and_without_format_and_place(root: Path) -> None:
    library = opened(root)
    entry = library.resolve("conv-001")

    assert library.resolve("sniper:conv-001") is entry
    assert library.resolve(str(entry.ref)) is entry
    assert library.short(entry.ref) == "sniper:conv-001"


@pytest.mark.parametrize("name", ["conv-009", "sniper:conv-009", "sniper@elsewhere:conv-001"])
def test_an_unknown_name_says_where_to_look(root: Path, name: str) -> None:
    with pytest.raises(UnknownRef) as caught:
        opened(root).resolve(name)

    assert "remem list" in caught.value.hint


def test_duplicate_ids_stay_apart_and_both_are_told(root: Path) -> None:
    conventions(root).write_bytes(CONVENTIONS.replace(b"conv-002", b"conv-001"))

    library = opened(root)

    twins = [entry for entry in library.entries() if entry.ref.id == "conv-001"]
    assert [entry.ref.twin for entry in twins] == [0, 2]
    assert all(entry.problems for entry in twins)
    assert library.entry(Ref("sniper", "conv-001", twins[0].ref.place, 2)).title.startswith(
        "Clocks"
    )


def test_waiting_entries_are_found_without_reading_the_others(root: Path) -> None:
    library = opened(root)

    waiting = [entry.ref.id for entry in library.waiting()]

    assert waiting == ["conv-002"]
    assert not library.is_complete
    assert [*library.complete()]
    assert library.is_complete
