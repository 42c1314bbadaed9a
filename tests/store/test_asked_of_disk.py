"""What was asked of a disk tells whether files that are written change any answer."""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from remem.model.change import Create
from remem.store.asked_of_disk import AskedOfDisk
from remem.store.io import Disk, Unreadable
from remem.store.overlay import Overlay

NAMES = ("a", "b.md")
PATHS = [*NAMES, *(f"{one}/{two}" for one in NAMES for two in NAMES), "a/a/a", "a/a/b.md"]


def read(disk: Disk, path: Path) -> object:
    try:
        return disk.read(path)
    except Unreadable as error:
        return error.why


QUESTIONS: Mapping[str, Callable[[Disk, Path], object]] = {
    "kind": lambda disk, path: disk.kind(path),
    "names": lambda disk, path: disk.names(path),
    "stamp": lambda disk, path: disk.stamp(path),
    "read": read,
    "walk": lambda disk, path: [*disk.walk(path, 3)],
}


def fit(paths: set[str]) -> bool:
    """Tell whether none of the files would have to be a folder as well."""
    return not any(path.startswith(f"{other}/") for path in paths for other in paths)


@given(
    there=st.sets(st.sampled_from(PATHS), max_size=5).filter(fit),
    asked=st.lists(
        st.tuples(st.sampled_from([*QUESTIONS]), st.sampled_from(["", *PATHS])), max_size=6
    ),
    written=st.sets(st.sampled_from(PATHS), min_size=1, max_size=3),
)
def test_where_answers_are_said_to_be_alike_they_are(
    there: set[str], asked: list[tuple[str, str]], written: set[str]
) -> None:
    if not fit(there | written):
        return
    with TemporaryDirectory() as name:
        root = Path(name)
        for each in there:
            (root / each).parent.mkdir(parents=True, exist_ok=True)
            (root / each).write_bytes(b"old")
        disk = AskedOfDisk(Disk())
        files = [root / each for each in written]
        overlay = Overlay(Disk(), [Create(path, b"new") for path in files])

        before = [QUESTIONS[question](disk, root / place) for question, place in asked]

        after = [QUESTIONS[question](overlay, root / place) for question, place in asked]
        if disk.answers_alike(files):
            assert before == after


def test_a_file_beside_what_was_asked_changes_no_answer(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "notes").mkdir()
    disk = AskedOfDisk(Disk())
    disk.names(tmp_path)
    disk.kind(tmp_path / "memory")
    disk.names(tmp_path / "notes")

    assert disk.answers_alike([tmp_path / "memory" / "new.md"])
    assert not disk.answers_alike([tmp_path / "notes" / "new.md"])
    assert not disk.answers_alike([tmp_path / "more" / "new.md"])
