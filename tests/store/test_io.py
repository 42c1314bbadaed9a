import errno
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.failing_disk import HastyDisk

from remem.base.errors import WriteFailed
from remem.store.io import Disk, Unreadable, Why
from remem.store.linux import rename_free

DISK = Disk()


def test_reading_gives_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbfa\r\n\0\xff")

    assert DISK.read(path) == b"\xef\xbb\xbfa\r\n\0\xff"


def test_an_empty_file_reads_as_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").touch()

    assert DISK.read(tmp_path / "a") == b""


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_link(path: Path) -> None:
    path.with_name("target").write_bytes(b"secret")
    path.symlink_to("target")


def make_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        pytest.param(lambda _: None, "missing", id="missing"),
        pytest.param(Path.mkdir, "folder", id="folder"),
        pytest.param(make_fifo, "special", id="fifo"),
        pytest.param(make_link, "link", id="link"),
        pytest.param(make_link_to_itself, "link", id="loop"),
    ],
)
def test_what_is_no_regular_file_is_unreadable_and_says_why(
    tmp_path: Path, make: Callable[[Path], object], why: Why
) -> None:
    make(tmp_path / "odd")

    with pytest.raises(Unreadable) as caught:
        DISK.read(tmp_path / "odd")

    assert caught.value.why == why


def test_a_file_below_a_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a").touch()

    with pytest.raises(Unreadable) as caught:
        DISK.read(tmp_path / "a" / "b")

    assert caught.value.why == "missing"


def test_a_file_that_is_too_big_is_not_read(tmp_path: Path) -> None:
    class Small(Disk):
        biggest = 3

    (tmp_path / "a").write_bytes(b"four")

    with pytest.raises(Unreadable) as caught:
        Small().read(tmp_path / "a")

    assert caught.value.why == "too big"


def test_a_name_with_a_nul_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        DISK.read(tmp_path / "a\0b")

    assert caught.value.why == "name"
    assert DISK.kind(tmp_path / "a\0b") is None


def test_kinds_are_told_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "fifo")

    kinds = [DISK.kind(tmp_path / name) for name in ("file", "folder", "link", "fifo", "no")]

    assert kinds == ["file", "folder", "link", "other", None]


def test_names_are_sorted_and_a_missing_folder_has_none(tmp_path: Path) -> None:
    for name in "bca":
        (tmp_path / name).touch()

    assert DISK.names(tmp_path) == ("a", "b", "c")
    assert DISK.names(tmp_path / "no") == ()


def test_walking_goes_as_deep_as_asked_and_through_no_link(tmp_path: Path) -> None:
    deep = tmp_path / "one" / "two"
    deep.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "one", deep):
        (folder / "a.md").touch()
        (folder / "a.txt").touch()
    (tmp_path / "loop").symlink_to(tmp_path)

    found = [str(path.relative_to(tmp_path)) for path in DISK.walk(tmp_path, 2, ".md")]

    assert found == ["a.md", "one/a.md"]


def test_a_stamp_changes_with_a_write_and_with_a_replacement(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    first = DISK.stamp(path)
    path.write_bytes(b"22")
    second = DISK.stamp(path)
    (tmp_path / "b").write_bytes(b"33")
    (tmp_path / "b").replace(path)
    third = DISK.stamp(path)

    assert len({first, second, third}) == 3
    assert DISK.stamp(tmp_path) is None


def test_renaming_never_lands_on_something(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    (tmp_path / "full").mkdir()
    (tmp_path / "empty").mkdir()

    for source, target in (("a", "b"), ("full", "empty"), ("a", "empty")):
        with pytest.raises(FileExistsError):
            DISK.rename(tmp_path / source, tmp_path / target)

    assert (tmp_path / "b").read_bytes() == b"b"


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EINVAL, errno.ENOTSUP])
def test_renaming_lands_on_nothing_where_the_kernel_cannot_promise_it(
    tmp_path: Path, number: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, "not here")

    rename = partial(rename_free, ask=refuse)
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").mkdir()

    with pytest.raises(FileExistsError):
        rename(tmp_path / "a", tmp_path / "b")
    with pytest.raises(FileExistsError):
        rename(tmp_path / "folder", tmp_path / "empty")
    rename(tmp_path / "a", tmp_path / "c")
    rename(tmp_path / "folder", tmp_path / "moved")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "c", "empty", "moved"]
    assert (tmp_path / "c").read_bytes() == b"a"


def test_a_new_file_is_never_written_over_one_or_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "link").symlink_to("nowhere")

    for name in ("a", "link"):
        with pytest.raises(FileExistsError):
            DISK.put_new(tmp_path / name, b"b")

    assert not (tmp_path / "nowhere").exists()


def test_a_new_file_takes_mode_and_attributes_of_another(tmp_path: Path) -> None:
    like = tmp_path / "like"
    like.write_bytes(b"a")
    like.chmod(0o664)

    DISK.put_new(tmp_path / "new", b"b", like=like)

    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o664


def test_a_new_file_has_the_mode_that_is_asked_for_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        DISK.put_new(tmp_path / "exact", b"", mode=0o664)
        DISK.put_new(tmp_path / "usual", b"")
    finally:
        os.umask(before)

    assert DISK.mode(tmp_path / "exact") == 0o664
    assert DISK.mode(tmp_path / "usual") == 0o600


def test_short_writes_go_on_where_they_stopped(tmp_path: Path) -> None:
    class Slow(Disk):
        def write(self, handle: int, data: bytes | memoryview) -> int:
            return super().write(handle, data[:3])

    Slow().put_new(tmp_path / "a", b"all of these bytes")

    assert (tmp_path / "a").read_bytes() == b"all of these bytes"


def test_a_lock_is_for_one_at_a_time(tmp_path: Path) -> None:
    with (
        DISK.lock(tmp_path / "lock"),
        pytest.raises(WriteFailed, match="another remem"),
        HastyDisk().lock(tmp_path / "lock"),
    ):
        pass

    with Disk().lock(tmp_path / "lock"):
        pass


def test_every_effect_goes_through_one_place(tmp_path: Path) -> None:
    names: list[str] = []

    class Listening(Disk):
        def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            names.append(name)
            return super().perform(name, call, *args, **kwargs)

    disk = Listening()
    disk.put_new(tmp_path / "a", b"a", mode=0o600)
    disk.put_new(tmp_path / "b", b"b", like=tmp_path / "a")
    disk.link(tmp_path / "a", tmp_path / "c")
    disk.rename(tmp_path / "c", tmp_path / "d")
    disk.replace(tmp_path / "b", tmp_path / "a")
    disk.unlink(tmp_path / "d")
    disk.mkdir(tmp_path / "e")
    disk.rmdir(tmp_path / "e")
    disk.sync_folder(tmp_path)
    disk.read(tmp_path / "a")

    assert names == [
        *("create", "chmod", "write", "fsync", "close"),
        *("create", "copy_attributes", "write", "fsync", "close"),
        *("link", "rename", "replace", "unlink", "mkdir", "rmdir", "open_folder", "fsync"),
        *("open", "read", "read"),
    ]
