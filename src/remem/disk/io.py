"""The one seam for files: every look at the disk and every effect on it is a method of `Disk`.

It knows names, bytes and handles. What is inside a file, which path may be touched and in which
order effects make a safe commit are other modules' concern. Effects raise `OSError` as the system
gave it, so that a commit can take back what it did; reading raises `Unreadable`.
"""

import ctypes
import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Final, Literal, ParamSpec, TypeVar

from remem.errors import RememError, WriteFailed

Kind = Literal["file", "folder", "link", "other"]
Why = Literal["missing", "link", "folder", "permission", "special", "too big", "name", "failed"]
P = ParamSpec("P")
R = TypeVar("R")

MAX_BYTES: Final = 64 * 1024 * 1024
"""A file above this is not memory, and reading it would stall every door."""

_NOREPLACE: Final = 1
_AT_FDCWD: Final = -100
_LOCK_STEP: Final = 0.01
_OPEN: Final = os.O_CLOEXEC | os.O_NOFOLLOW
_NO_RENAMEAT2: Final = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}
_NO_OWNER: Final = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS}
_NO_XATTR: Final = {errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.ENODATA, errno.ENOSYS}
_WHY: Final[dict[int, Why]] = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",
    errno.ELOOP: "link",
    errno.EISDIR: "folder",
    errno.EACCES: "permission",
    errno.EPERM: "permission",
    errno.ENXIO: "special",
}
_SENTENCE: Final[dict[Why, str]] = {
    "missing": "is not there",
    "link": "is a link",
    "folder": "is a folder",
    "permission": "may not be read by you",
    "special": "is not a regular file",
    "too big": f"is larger than {MAX_BYTES // 1024 // 1024} MiB",
    "name": "is not a path that this system can hold",
    "failed": "cannot be read",
}


class Unreadable(RememError):
    """A path that holds no bytes for us, and why."""

    code = "unreadable"

    def __init__(self, path: Path, why: Why, *, hint: str = "") -> None:
        super().__init__(f"`{path}` {_SENTENCE[why]}", hint=hint)
        self.path = path
        self.why = why


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes when a file is written or replaced; equal stamps make a second read needless."""

    mtime_ns: int
    size: int
    inode: int


def real_path(path: Path) -> Path:
    """Return the absolute path with every link on the way resolved; a missing end is kept."""
    return Path(os.path.realpath(path))


class Disk:
    """Reads and changes files, one method an effect.

    A test double overrides `perform`, through which every call to the system goes, and so can fail
    or end at the N-th of them.
    """

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Make one call to the system; `name` is the method that asked for it."""
        return call(*args, **kwargs)

    def kind(self, path: Path) -> Kind | None:
        """Tell what stands at `path` without following a link; `None` = nothing, or no access."""
        found = self._lstat("kind", path)
        if found is None:
            return None
        mode = found.st_mode
        if stat.S_ISREG(mode):
            return "file"
        if stat.S_ISDIR(mode):
            return "folder"
        return "link" if stat.S_ISLNK(mode) else "other"

    def names(self, folder: Path) -> tuple[str, ...]:
        """Return the names in a folder, sorted; none if it is missing or unreadable."""
        try:
            return tuple(sorted(self.perform("names", os.listdir, folder)))
        except (OSError, ValueError):
            return ()

    def walk(self, folder: Path, depth: int, suffix: str = "") -> Iterator[Path]:
        """Yield regular files with that suffix, in name order; links are not followed.

        Args:
            folder: Where to begin.
            depth: 1 = only the folder itself, 2 = with its folders, …
            suffix: Empty = every file.
        """
        for name in self.names(folder):
            path = folder / name
            kind = self.kind(path)
            if kind == "file" and name.endswith(suffix):
                yield path
            elif kind == "folder" and depth > 1:
                yield from self.walk(path, depth - 1, suffix)

    def stamp(self, path: Path) -> Stamp | None:
        """Return what tells one version from the next without reading; `None` = no regular file."""
        found = self._lstat("stamp", path)
        if found is None or not stat.S_ISREG(found.st_mode):
            return None
        return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)

    def mode(self, path: Path) -> int | None:
        """Return the permission bits of what stands there; `None` = nothing."""
        found = self._lstat("mode", path)
        return None if found is None else stat.S_IMODE(found.st_mode)

    def inode(self, path: Path) -> int | None:
        """Return the number that a file or folder keeps when it is renamed; `None` = nothing."""
        found = self._lstat("inode", path)
        return None if found is None else found.st_ino

    def read(self, path: Path) -> bytes:
        """Return the bytes of a regular file.

        A link at the end of the path is refused: who wants to follow one asks `paths.contained`
        where it leads, and reads that.

        Raises:
            Unreadable: There is no such file, or it is no regular one, or too big, or forbidden.
        """
        try:
            return self._read(path)
        except OSError as error:
            why: Why = _WHY.get(error.errno or 0, "failed")
            hint = "check who owns it and its mode" if why == "permission" else ""
            raise Unreadable(path, why, hint=hint) from error
        except ValueError as error:
            raise Unreadable(path, "name") from error

    def _lstat(self, name: str, path: Path) -> os.stat_result | None:
        try:
            return self.perform(name, os.lstat, path)
        except (OSError, ValueError):
            return None

    def _read(self, path: Path) -> bytes:
        # Without O_NONBLOCK a FIFO that nobody writes to would hold us for ever.
        handle = self.perform("open", os.open, path, os.O_RDONLY | os.O_NONBLOCK | _OPEN)
        try:
            found = os.fstat(handle)
            if stat.S_ISDIR(found.st_mode):
                raise Unreadable(path, "folder")
            if not stat.S_ISREG(found.st_mode):
                raise Unreadable(path, "special")
            if found.st_size > MAX_BYTES:
                raise Unreadable(path, "too big")
            return self._read_all(path, handle, found.st_size)
        finally:
            os.close(handle)

    def _read_all(self, path: Path, handle: int, size: int) -> bytes:
        parts: list[bytes] = []
        total = 0
        while part := self.perform("read", os.read, handle, max(size - total, 0) + 1):
            parts.append(part)
            total += len(part)
            if total > MAX_BYTES:
                raise Unreadable(path, "too big")
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def create(self, path: Path, mode: int = 0o600) -> int:
        """Make an empty file that was not there and return a handle to write to."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN
        return self.perform("create", os.open, path, flags, mode)

    def write(self, handle: int, data: bytes | memoryview) -> int:
        """Write once and return how many bytes were taken: fewer is legal."""
        return self.perform("write", os.write, handle, data)

    def fsync(self, handle: int) -> None:
        """Make the bytes behind a handle durable; after an error never ask that handle again."""
        self.perform("fsync", os.fsync, handle)

    def close(self, handle: int) -> None:
        self.perform("close", os.close, handle)

    def rename(self, source: Path, target: Path) -> None:
        """Give a file or folder a new name, which must be free: `FileExistsError` if it is not."""
        self.perform("rename", _rename_free, source, target)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name, which must be free: `FileExistsError` if it is not."""
        self.perform("link", os.link, source, target, follow_symlinks=False)

    def replace(self, source: Path, target: Path) -> None:
        """Put `source` in the place of the file `target` in one step."""
        self.perform("replace", os.replace, source, target)

    def unlink(self, path: Path) -> None:
        self.perform("unlink", os.unlink, path)

    def mkdir(self, path: Path, mode: int = 0o777) -> None:
        """Make one folder; `FileExistsError` if the name is taken."""
        self.perform("mkdir", os.mkdir, path, mode)

    def rmdir(self, path: Path) -> None:
        """Remove an empty folder."""
        self.perform("rmdir", os.rmdir, path)

    def chmod(self, handle: int, mode: int) -> None:
        self.perform("chmod", os.fchmod, handle, mode)

    def copy_attributes(self, source: Path, handle: int) -> None:
        """Give the new file the mode, and as far as we may the owner and xattrs, of another."""
        self.perform("copy_attributes", _copy_attributes, source, handle)

    def sync_folder(self, folder: Path) -> None:
        """Make the names in a folder durable."""
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        handle = self.perform("open_folder", os.open, folder, flags)
        try:
            self.fsync(handle)
        finally:
            os.close(handle)

    def write_all(self, handle: int, data: bytes) -> None:
        """Write every byte; short writes go on where they stopped."""
        rest = memoryview(data)
        while rest:
            rest = rest[self.write(handle, rest) :]

    def put_new(
        self, path: Path, data: bytes, *, like: Path | None = None, mode: int | None = None
    ) -> None:
        """Make a file with these bytes, durable, under a name that was free.

        A failure may leave a part of it behind; the caller knows whose it is.

        Args:
            path: The free name.
            data: Its bytes.
            like: Take mode, owner and xattrs from this file.
            mode: Its exact mode; without this and `like` the umask decides.
        """
        handle = self.create(path, 0o666 if like is None and mode is None else 0o600)
        try:
            if like is not None:
                self.copy_attributes(like, handle)
            if mode is not None:
                self.chmod(handle, mode)
            self.write_all(handle, data)
            self.fsync(handle)
        finally:
            self.close(handle)

    @contextmanager
    def lock(self, path: Path, wait: float = 2.0) -> Iterator[None]:
        """Hold the lock file `path` against every other process and thread.

        Raises:
            WriteFailed: Someone else held it for `wait` seconds.
        """
        flags = os.O_RDWR | os.O_CREAT | _OPEN
        handle = self.perform("open_lock", os.open, path, flags, 0o600)
        try:
            self._take_lock(path, handle, wait)
            yield
        finally:
            os.close(handle)

    def _take_lock(self, path: Path, handle: int, wait: float) -> None:
        for _ in range(max(1, round(wait / _LOCK_STEP))):
            with suppress(BlockingIOError):
                self.perform("lock", fcntl.flock, handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            sleep(_LOCK_STEP)
        raise WriteFailed(
            f"another remem has held `{path}` for {wait:g} s",
            hint="wait until it is done and try again; nothing was written",
        )


def _rename_free(source: Path, target: Path) -> None:
    try:
        _renameat2(source, target)
    except OSError as error:
        if error.errno not in _NO_RENAMEAT2:
            raise
        _rename_checked(source, target)


def _renameat2(source: Path, target: Path) -> None:
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    old, new = os.fsencode(source), os.fsencode(target)
    if call(_AT_FDCWD, old, _AT_FDCWD, new, _NOREPLACE) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), os.fspath(source), None, os.fspath(target))


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


def _copy_attributes(source: Path, handle: int) -> None:
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


@contextmanager
def _tolerating(numbers: set[int]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise
