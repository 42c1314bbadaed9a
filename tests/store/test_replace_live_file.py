from pathlib import Path

import pytest

from remem.store.changes.replace_live_file import Swapper
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
