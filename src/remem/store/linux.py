"""What Linux offers beyond Python's own calls: exchanging names, free names, leases, attributes.

Every function is one effect or one question, called through `Disk.perform` alone. The source is the
manual: rename(2) and fcntl(2).
"""

import ctypes
import errno
import fcntl
import os
import signal
import stat
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

_NOREPLACE: Final = 1
_EXCHANGE: Final = 2
_AT_FDCWD: Final = -100
_KEEP_SIZE: Final = 1
NO_EXCHANGE: Final = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM})
"""What says that names cannot be exchanged here, as opposed to: not now."""

_HANDLES: Final = Path("/proc/self/fd")
_LOCKS: Final = Path("/proc/locks")
_OPENAT2: Final = 437
"""The number of this call on every machine but Alpha; the C library has no name for it."""
_NO_SYMLINKS: Final = 4
_NO_OPENAT2: Final = {errno.ENOSYS, errno.EPERM, errno.EINVAL, errno.E2BIG}
"""What says that it is not there, or that it is barred where the program runs."""
_NO_RENAMEAT2: Final = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}
_NO_OWNER: Final = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS}
_NO_XATTR: Final = {errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.ENODATA, errno.ENOSYS}


def _renameat2(source: Path, target: Path, flag: int) -> None:
    call = _call("renameat2")
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    old, new = os.fsencode(source), os.fsencode(target)
    if call(_AT_FDCWD, old, _AT_FDCWD, new, flag) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), os.fspath(source), None, os.fspath(target))


def exchange(one: Path, two: Path) -> None:
    """Let two files of one file system swap their names in one step; neither name is ever free."""
    _renameat2(one, two, _EXCHANGE)


def rename_free(
    source: Path, target: Path, ask: Callable[[Path, Path, int], None] = _renameat2
) -> None:
    """Rename to a name that must be free; `FileExistsError` if it is not.

    Args:
        source: What is renamed.
        target: Its new name.
        ask: Asks the kernel, which may not know of it.
    """
    try:
        ask(source, target, _NOREPLACE)
    except OSError as error:
        if error.errno not in _NO_RENAMEAT2:
            raise
        _rename_checked(source, target)


def _open_through_no_link(folder: Path, flags: int) -> int:
    """Open a folder if no part of its path is a link; the system looks at all of them at once."""
    call = _call("syscall")
    if call is None or not sys.platform.startswith("linux"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    how = struct.pack("QQQ", flags, 0, _NO_SYMLINKS)
    path = os.fsencode(folder)
    if b"\0" in path:
        raise ValueError("embedded null byte")  # as `os.open` says
    handle = call(ctypes.c_long(_OPENAT2), _AT_FDCWD, path, how, ctypes.c_size_t(len(how)))
    if handle < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), os.fspath(folder))
    return int(handle)


def read_beneath(folder: Path, parts: Sequence[str], most: int) -> bytes:
    """Read a file, opening one part of its path at a time and through no link.

    Nobody can put a link there between a check and the opening, since every part is opened in the
    folder that was opened before it. A link on the way is `ENOTDIR`, one at the end `ELOOP`; more
    than `most` bytes are `EFBIG`, a folder is `EISDIR`, what is no regular file `ENXIO`.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC
    handle = os.open(folder, flags | os.O_DIRECTORY)
    try:
        for number, part in enumerate(parts, 1):
            # Without O_NONBLOCK a FIFO that nobody writes to would hold us for ever.
            kind = os.O_NONBLOCK if number == len(parts) else os.O_DIRECTORY
            below = os.open(part, flags | os.O_NOFOLLOW | kind, dir_fd=handle)
            os.close(handle)
            handle = below
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.ENXIO, "no file")
        data = bytearray()
        size = found.st_size
        while size <= most and (more := os.read(handle, size - len(data) + 1)):
            data += more
            size = max(size, len(data))  # somebody may be adding to it
        if size > most:
            raise OSError(errno.EFBIG, "too big")
        return bytes(data)
    finally:
        os.close(handle)


def open_folder(
    folder: Path, ask: Callable[[Path, int], int] = _open_through_no_link
) -> int | None:
    """Return a handle to a folder, opened through no link.

    A link on the way is `ENOTDIR` or `ELOOP`. `None` where the system has no names for open
    handles.

    Args:
        folder: Absolute.
        ask: Opens it in one call; where the kernel has none, it is opened part by part.
    """
    if not _has_names_of_handles():
        return None
    flags = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return ask(folder, flags)
    except OSError as error:
        if error.errno not in _NO_OPENAT2:
            raise
    handle = os.open(folder.anchor, flags)
    for part in folder.parts[1:]:
        try:
            below = os.open(part, flags, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle


@cache
def _has_names_of_handles() -> bool:
    """Tell whether open handles have names; where these go meanwhile, every call on one fails."""
    return _HANDLES.is_dir()


def path_behind(handle: int, name: str) -> Path:
    """Return the path by which every call reaches a name in the folder behind a handle."""
    return _HANDLES.joinpath(str(handle), name)


def has_locks(inode: int) -> bool:
    """Tell whether any process, this one too, is known to hold a lock on a part of a file.

    The file is not opened: whoever closes it drops the locks that its process has on it.
    """
    try:
        lines = _LOCKS.read_text("ascii").splitlines()
    except OSError:
        return False
    # `7: POSIX  ADVISORY  READ 4711 fd:01:1835 128 128`; one that waits has `->` before the kind.
    return any(f":{inode}" in line and line.split()[-3].endswith(f":{inode}") for line in lines)


def take_lease(handle: int) -> None:
    """Take a read lease on a file that is open for reading only.

    It is granted only while no process has the file open for writing, and whoever opens it for
    writing then waits until the handle is closed. `BlockingIOError` while somebody writes.
    """
    # The signal that tells of a waiting writer would end the process; this one is ignored.
    fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
    fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)


def is_in_mid_line(handle: int) -> bool:
    """Tell whether the file behind a handle that may read ends without a line end."""
    size = os.fstat(handle).st_size
    return size > 0 and os.pread(handle, 1, size - 1) != b"\n"


def read_behind(handle: int) -> bytes:
    """Return all bytes of the file behind a handle that may read, whatever its name is by now."""
    return os.pread(handle, os.fstat(handle).st_size, 0)


def let_go(handle: int) -> None:
    """Let the system use the memory in which it holds a file for something else.

    What has not come to the disk yet stays. Where the system knows no such advice, all stays.
    """
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


def reserve(handle: int, size: int) -> None:
    """Have room for `size` more bytes after the end of a file, which stays as long as it is.

    `OSError` with `ENOSPC` where there is none; where the file system cannot reserve, nothing.
    """
    call = _call("fallocate")
    if call is None:
        return
    end = ctypes.c_int64(os.fstat(handle).st_size)
    if call(handle, _KEEP_SIZE, end, ctypes.c_int64(size)) != 0:
        number = ctypes.get_errno()
        if number in {errno.ENOSPC, errno.EDQUOT}:
            raise OSError(number, os.strerror(number))


def copy_attributes(source: Path, handle: int) -> None:
    """Give the file behind a handle the owner and mode of another, and its xattrs where we may."""
    found = os.lstat(source)
    made = os.fstat(handle)
    if (found.st_uid, found.st_gid) != (made.st_uid, made.st_gid):
        with _tolerating(_NO_OWNER):
            os.fchown(handle, found.st_uid, found.st_gid)
    os.fchmod(handle, stat.S_IMODE(found.st_mode))  # after chown, which clears the set-id bits
    if not hasattr(os, "listxattr"):
        return
    with _tolerating(_NO_XATTR):
        for name in os.listxattr(source, follow_symlinks=False):
            with _tolerating(_NO_XATTR):
                os.setxattr(handle, name, os.getxattr(source, name, follow_symlinks=False))


@cache
def _call(name: str) -> Any:
    """Return a function of the C library; `None` where it has none of that name."""
    return getattr(ctypes.CDLL(None, use_errno=True), name, None)


def _rename_checked(source: Path, target: Path) -> None:
    """Rename where the kernel or the file system has no NOREPLACE.

    A file is linked under its new name, which fails if it is taken. A folder cannot be linked; the
    look before the rename leaves a moment in which an empty folder of that name would be replaced.
    """
    if stat.S_ISDIR(os.lstat(source).st_mode):
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(target))
        source.rename(target)
        return
    os.link(source, target, follow_symlinks=False)
    source.unlink()


@contextmanager
def _tolerating(numbers: set[int]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise
