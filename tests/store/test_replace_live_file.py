from pathlib import Path

import pytest
from tests.racing_disk import RacingDisk

from remem.store.changes.replace_live_file import Names, Swapper
from remem.store.io import Disk
from remem.store.own_writes import OwnWrites


@pytest.mark.parametrize(
    ("live", "after"),
    [
        (b"", b"- late\n"),
        (b"- one\n", b"- one\n- late\n"),
        (b"- one\n- tw", b"- one\n- tw"),
    ],
)
def test_late_lines_stand_between_those_of_others_or_wait(
    tmp_path: Path, live: bytes, after: bytes
) -> None:
    path = tmp_path / "main.md"
    path.write_bytes(live)

    added = Swapper(Disk(), OwnWrites()).add_late(path, b"- late\n", between_lines=True)

    assert added == (live != after)
    assert path.read_bytes() == after


def test_a_big_file_that_was_swapped_out_takes_no_memory_of_the_system(tmp_path: Path) -> None:
    path, names = tmp_path / "main.md", Names.of(tmp_path / "main.md", "0a1b2c3d", 0)
    one, two = b"- one\n" * 100_000, b"- two\n" * 100_000
    path.write_bytes(one)
    held: list[bytes] = []
    disk = RacingDisk("let_go", lambda: held.append(names.old.read_bytes()))

    Swapper(disk, OwnWrites()).put(path, names, one, two, None, to_end=True)

    assert held == [one]
    assert names.old.read_bytes() == one
    assert path.read_bytes() == two


def test_what_others_may_write_to_still_stays_where_it_is_read_fast(tmp_path: Path) -> None:
    path, names = tmp_path / "main.md", Names.of(tmp_path / "main.md", "0a1b2c3d", 0)
    one, two = b"- one\n" * 100_000, b"# Tides\n" + b"- one\n" * 100_000
    path.write_bytes(one)
    held: list[bytes] = []
    disk = RacingDisk("let_go", lambda: held.append(names.old.read_bytes()))

    with path.open("ab"):
        Swapper(disk, OwnWrites()).put(path, names, one, two, None, to_end=False)

    assert held == []
    assert path.read_bytes() == two
