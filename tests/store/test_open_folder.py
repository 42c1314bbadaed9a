"""A folder that is written to is opened through no link, in one call or part by part."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from remem.store.linux import open_folder


def at_once(folder: Path) -> int | None:
    return open_folder(folder)


def part_by_part(folder: Path) -> int | None:
    def has_no_such_call(_folder: Path, _flags: int) -> int:
        raise OSError(errno.ENOSYS, "function not implemented")

    return open_folder(folder, has_no_such_call)


def open_handles() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


WAYS = pytest.mark.parametrize("opened", [at_once, part_by_part])


@WAYS
def test_a_folder_is_opened(opened: Callable[[Path], int | None], tmp_path: Path) -> None:
    folder = tmp_path / "a b" / "ü"
    folder.mkdir(parents=True)

    handle = opened(folder)

    assert handle is not None
    assert os.path.samestat(os.fstat(handle), folder.stat())
    os.close(handle)


@WAYS
@pytest.mark.parametrize("place", ["link", "link/below", "file", "nothing", "x\0y"])
def test_no_link_is_followed_and_what_is_no_folder_is_not_opened(
    opened: Callable[[Path], int | None], tmp_path: Path, place: str
) -> None:
    (tmp_path / "real" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "x").mkdir()
    before = open_handles()

    with pytest.raises((OSError, ValueError)):
        opened(tmp_path / place)

    assert open_handles() == before
