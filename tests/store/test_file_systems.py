"""What a file system can do is told without writing to it."""

import errno
import fcntl
from pathlib import Path

import pytest

from remem.store.file_systems import limits_at
from remem.store.io import Disk

MOUNTS = (
    b"22 1 254:0 / / rw - ext4 /dev/vda rw\n"
    b"23 22 0:40 / /srv/share\\040one rw - nfs4 host:/one rw\n"
    b"24 22 0:41 / /srv/over rw - ext4 /dev/vdb rw\n"
    b"25 22 0:42 / /srv/over rw - fuse.sshfs host: rw\n"
)


class Mounted(Disk):
    """Tells of other mounts than this machine has."""

    def read(self, path: Path) -> bytes:
        return MOUNTS if path.name == "mountinfo" else super().read(path)

    def read_settled(self, path: Path, wait: float) -> object:  # type: ignore[override]
        return super().read_settled(Path(__file__), wait)


@pytest.mark.parametrize(
    ("path", "kind", "exchanges"),
    [
        ("/home/ines/main.md", "ext4", True),
        ("/srv/share one/main.md", "nfs4", False),
        ("/srv/shared/main.md", "ext4", True),
        ("/srv/over/main.md", "fuse.sshfs", False),
    ],
)
def test_the_nearest_mount_says_what_the_file_system_is(
    path: str, kind: str, exchanges: bool
) -> None:
    limits = limits_at(Mounted(), Path(path))

    assert (limits.kind, limits.exchanges) == (kind, exchanges)


def test_this_machine_tells_whether_somebody_writes(tmp_path: Path) -> None:
    file = tmp_path / "main.md"
    file.write_bytes(b"- one\n")

    with file.open("ab"):
        busy = limits_at(Disk(), file)

    assert busy.tells_writers
    assert limits_at(Disk(), file).tells_writers


def test_a_file_system_without_leases_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "main.md"
    file.write_bytes(b"- one\n")
    real = fcntl.fcntl

    def refuse(handle: int, command: int, *rest: int) -> object:
        if command == fcntl.F_SETLEASE:
            raise OSError(errno.EINVAL, "not here")
        return real(handle, command, *rest)

    monkeypatch.setattr(fcntl, "fcntl", refuse)

    assert not limits_at(Disk(), file).tells_writers
