"""The one seam for files: every look at the disk and every effect on it is a method of `Disk`.

It knows names, bytes and handles. What is inside a file, which path may be touched and in which
order effects make a safe commit are other modules' concern. Effects raise `OSError` as the system
gave it, so that a commit can take back what it did; reading raises `Unreadable`.
"""

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Final, Literal, ParamSpec, TypeVar

from remem.base.effects import RowEdit
from remem.base.errors import RememError, WriteFailed
from remem.base.frozen import dataclass
from remem.store.linux import (
    copy_attributes,
    exchange,
    has_locks,
    let_go,
    read_beneath,
    rename_free,
    reserve,
    take_lease,
)

Kind = Literal["file", "folder", "link", "other"]
Why = Literal["missing", "link", "folder", "permission", "special", "too big", "name", "failed"]
P = ParamSpec("P")
R = TypeVar("R")

MAX_BYTES: Final = 64 * 1024 * 1024
"""A file above this is not memory, and reading it would stall every door."""

_LOCK_STEP: Final = 0.01
_LITTLE: Final = 64 * 1024
"""Bytes that SQLite needs beside a file before it reads it."""
_QUIET_STEP: Final = 0.0005
_GATE: Final = 0.005
_OPEN: Final = os.O_CLOEXEC | os.O_NOFOLLOW
_WHY: Final[dict[int, Why]] = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",
    errno.ELOOP: "link",
    errno.EISDIR: "folder",
    errno.EACCES: "permission",
    errno.EPERM: "permission",
    errno.ENXIO: "special",
    errno.EFBIG: "too big",
}
_SENTENCE: Final[dict[Why, str]] = {
    "missing": "does not exist",
    "link": "is a link",
    "folder": "is a folder",
    "permission": "cannot be read (permission denied)",
    "special": "is not a regular file",
    "too big": f"is larger than {MAX_BYTES // 1024 // 1024} MiB",
    "name": "is not a valid path on this system",
    "failed": "cannot be read",
}


_REMEDY: Final[Mapping[Why, str]] = {"failed": "check the file, then try again"}


class Unreadable(RememError):
    """A path that holds no bytes for us, and why."""

    code = "unreadable"

    def __init__(self, path: Path, why: Why, *, hint: str = "") -> None:
        super().__init__(f"`{path}` {_SENTENCE[why]}", hint=hint or _REMEDY.get(why, ""))
        self.path = path
        self.why = why


Traffic = Literal["quiet", "busy", "unknown"]
"""Whether a program has a file open for writing; unknown where the system does not tell."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The bytes of a file, and whether somebody may have been in the middle of writing them."""

    data: bytes
    traffic: Traffic


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes when a file is written or replaced; equal stamps make a second read needless."""

    mtime_ns: int
    size: int
    inode: int


def real_path(path: Path) -> Path:
    """Return the absolute path with every link on the way resolved; a missing end is kept."""
    return Path(os.path.realpath(path))


def real_below(folder: Path, path: Path) -> Path:
    """Return what `real_path` does, looking only at what is below a folder that has no link in it.

    Args:
        folder: Where `real_path` leads.
        path: Relative to it.
    """
    at = os.fspath(folder).rstrip("/")
    for part in path.parts:
        at = f"{at}/{part}"
        try:
            is_plain = part != ".." and not stat.S_ISLNK(os.lstat(at).st_mode)
        except OSError:
            return folder / path if ".." not in path.parts else real_path(folder / path)
        if not is_plain:
            return real_path(folder / path)
    return folder / path


class Disk:
    """Reads and changes files, one method an effect.

    A test double overrides `perform`, through which every call to the system goes, and so can fail
    or end at the N-th of them.
    """

    biggest: int = MAX_BYTES
    """Bytes of a file beyond which it is not read."""

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Make one call to the system; `name` is the method that asked for it."""
        return call(*args, **kwargs)

    def pause(self, seconds: float) -> None:
        """Wait for somebody else to be done."""
        sleep(seconds)

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

    def real(self, path: Path) -> Path:
        """Return what `real_path` does, as far as a preview moved nothing on the way."""
        return real_path(path)

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

    def shut(self, folder: Path, depth: int) -> Iterator[Path]:
        """Yield the folders whose contents are forbidden to us: this one, or those below it.

        Args:
            folder: Where to begin; nothing need be there.
            depth: As for `walk`.
        """
        if self.kind(folder) != "folder":
            return
        if not self.perform("names", os.access, folder, os.R_OK | os.X_OK):
            yield folder
        elif depth > 1:
            with suppress(OSError), self.perform("names", os.scandir, folder) as listed:
                inner = sorted(e.name for e in listed if e.is_dir(follow_symlinks=False))
                for name in inner:
                    yield from self.shut(folder / name, depth - 1)

    def stamp(self, path: Path) -> Stamp | None:
        """Return what tells one version from the next without reading; `None` = no regular file."""
        found = self._lstat("stamp", path)
        if found is None or not stat.S_ISREG(found.st_mode):
            return None
        return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)

    def times(self, path: Path) -> tuple[int, int] | None:
        """Return when a file was last moved or changed, and written, in nanoseconds."""
        found = self._lstat("times", path)
        return None if found is None else (found.st_ctime_ns, found.st_mtime_ns)

    def version(self, path: Path) -> tuple[int, ...]:
        """Return what is another once anything about a path changed, first when; empty = nothing.

        That is in nanoseconds.
        """
        found = self._lstat("version", path)
        if found is None:
            return ()
        return found.st_ctime_ns, found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode

    def stamp_below(self, folder: Path, suffix: str) -> bytes:
        """Return what tells apart how all files with that suffix are, in a folder and below it."""
        found: list[tuple[str, int, int]] = []
        folders = [str(folder)]
        while folders:
            with suppress(OSError), self.perform("names", os.scandir, folders.pop()) as listed:
                for each in listed:
                    if each.is_dir(follow_symlinks=False):
                        folders.append(each.path)
                    elif each.name.endswith(suffix):
                        known = each.stat()
                        found.append((each.path, known.st_mtime_ns, known.st_size))
        return repr(sorted(found)).encode("utf-8", "surrogateescape")

    def last_named(self, folder: Path) -> int:
        """Return what is another number once a name came to a folder or went; 0 = no folder."""
        found = self._lstat("stamp", folder)
        return 0 if found is None else found.st_mtime_ns

    def mode(self, path: Path) -> int | None:
        """Return the permission bits of what stands there; `None` = nothing."""
        found = self._lstat("mode", path)
        return None if found is None else stat.S_IMODE(found.st_mode)

    def inode(self, path: Path) -> int | None:
        """Return the number that a file or folder keeps when it is renamed; `None` = nothing."""
        found = self._lstat("inode", path)
        return None if found is None else found.st_ino

    def is_locked(self, path: Path) -> bool:
        """Tell whether a process is known to hold a lock on a part of a file."""
        inode = self.inode(path)
        return inode is not None and self.perform("is_locked", has_locks, inode)

    def inode_of(self, handle: int) -> int:
        """Return the number of the file behind a handle."""
        return self.perform("inode", os.fstat, handle).st_ino

    def links(self, path: Path) -> int:
        """Return how many names a file has; 0 = nothing is there."""
        found = self._lstat("links", path)
        return 0 if found is None else found.st_nlink

    def is_anothers(self, path: Path) -> bool:
        """Tell whether a file belongs to a user whose files we cannot give back to them."""
        found = self._lstat("owner", path)
        return found is not None and os.geteuid() not in {0, found.st_uid}

    def device(self, path: Path) -> int | None:
        """Return the number of the file system that a path lies on; `None` = nothing is there."""
        found = self._lstat("device", path)
        return None if found is None else found.st_dev

    def unwritable(self, path: Path) -> OSError | None:
        """Return why nothing new can be written where a file lies; `None` = nothing is known of it.

        A library that writes by itself tells less: SQLite calls a full disk an error of the disk.
        """
        try:
            found = self.perform("statvfs", os.statvfs, path.parent)
        except OSError:
            return None
        if found.f_flag & os.ST_RDONLY:
            return OSError(errno.EROFS, os.strerror(errno.EROFS))
        no_names_left = found.f_files and not found.f_favail
        if (found.f_blocks and found.f_bavail * found.f_frsize < _LITTLE) or no_names_left:
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return None

    def read(self, path: Path) -> bytes:
        """Return the bytes of a regular file.

        A link at the end of the path is refused: who wants to follow one asks `paths.contained`
        where it leads, and reads that.

        Raises:
            Unreadable: There is no such file, or it is no regular one, or too big, or forbidden.
        """
        with _telling(path):
            return self._read(path)

    def read_beneath(
        self, folder: Path, path: str, most: int, barred: frozenset[str] = frozenset()
    ) -> bytes | Why | Literal["outside"]:
        """Return the bytes of a file below a folder, or why there are none; links stay inside.

        Args:
            folder: What is not left, whoever changes a link meanwhile.
            path: Relative to it, with `/` and without `..`.
            most: Bytes; a longer file is `too big` and is not read.
            barred: Names of folders and files, in lower case, that are outside too.
        """
        parts: Sequence[str] = path.split("/")
        try:
            return self.perform("read_beneath", read_beneath, folder, parts, most)
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.ENOTDIR}:
                return _WHY.get(error.errno or 0, "failed")
        except ValueError:
            return "name"
        inside, found = real_path(folder), real_path(folder / path)
        parts = found.relative_to(inside).parts if found.is_relative_to(inside) else ()
        if not parts or any(part.casefold() in barred for part in parts):
            return "outside"
        try:
            return self.perform("read_beneath", read_beneath, inside, parts, most)
        except OSError as error:
            return _WHY.get(error.errno or 0, "failed")

    def coming_rows(self, database: Path) -> tuple[RowEdit, ...]:
        """Return the edits of rows that a preview puts on top of a database; none on a disk."""
        return ()

    def read_settled(self, path: Path, wait: float) -> Settled:
        """Return the bytes of a file while nobody is writing to it, as far as that can be had.

        It is read under a lease, so that whoever wants to write meanwhile waits until it is read.

        Args:
            path: The file.
            wait: Seconds to wait for whoever has it open for writing; then it is read anyway.

        Raises:
            Unreadable: As in `read`.
        """
        with _telling(path):
            handle = self._open(path)
            try:
                traffic = self._quiet(handle, wait)
                # What was written before the lease counts: the size is asked for only now.
                return Settled(self._read_all(path, handle, os.fstat(handle).st_size), traffic)
            finally:
                os.close(handle)  # gives the lease back

    def let_go(self, path: Path) -> None:
        """Say that hardly anybody reads a file again.

        The memory that the system holds it in is free for what is written next.
        """
        handle = self.perform("open", os.open, path, os.O_RDONLY | os.O_NONBLOCK | _OPEN)
        try:
            self.perform("let_go", let_go, handle)
        finally:
            os.close(handle)

    def read_whole_lines(self, path: Path, wait: float) -> Settled:
        """Return the bytes of a file when nobody is in the middle of a line, or after `wait`.

        Raises:
            Unreadable: As in `read`.
        """
        found = self.read_settled(path, _GATE)
        for _ in range(round(wait / _GATE)):
            if found.traffic != "busy" or found.data.endswith(b"\n"):
                break
            found = self.read_settled(path, _GATE)
        return found

    def _quiet(self, handle: int, wait: float) -> Traffic:
        for _ in range(max(1, round(wait / _QUIET_STEP))):
            try:
                self.perform("lease", take_lease, handle)
            except BlockingIOError:
                self.pause(_QUIET_STEP)
            except (OSError, AttributeError):
                return "unknown"
            else:
                return "quiet"
        return "busy"

    def _lstat(self, name: str, path: Path) -> os.stat_result | None:
        try:
            return self.perform(name, os.lstat, path)
        except (OSError, ValueError):
            return None

    def _read(self, path: Path) -> bytes:
        handle = self._open(path)
        try:
            return self._read_all(path, handle, os.fstat(handle).st_size)
        finally:
            os.close(handle)

    def _open(self, path: Path) -> int:
        # Without O_NONBLOCK a FIFO that nobody writes to would hold us for ever.
        handle = self.perform("open", os.open, path, os.O_RDONLY | os.O_NONBLOCK | _OPEN)
        why = self._unfit(os.fstat(handle))
        if why is not None:
            os.close(handle)
            raise Unreadable(path, why)
        return handle

    def _unfit(self, found: os.stat_result) -> Why | None:
        if stat.S_ISDIR(found.st_mode):
            return "folder"
        if not stat.S_ISREG(found.st_mode):
            return "special"
        return "too big" if found.st_size > self.biggest else None

    def _read_all(self, path: Path, handle: int, size: int) -> bytes:
        parts: list[bytes] = []
        total = 0
        while part := self.perform("read", os.read, handle, max(size - total, 0) + 1):
            parts.append(part)
            total += len(part)
            if total > self.biggest:
                raise Unreadable(path, "too big")
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def create(self, path: Path, mode: int = 0o600) -> int:
        """Make an empty file that was not there and return a handle to write to."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN
        return self.perform("create", os.open, path, flags, mode)

    def open_to_append(self, path: Path) -> int:
        """Return a handle whose every write lands at the end of the file as it then is."""
        return self.perform("append", os.open, path, os.O_RDWR | os.O_APPEND | _OPEN)

    def reserve(self, handle: int, size: int) -> None:
        """Make sure that there is room for `size` more bytes; the file stays as long as it is."""
        self.perform("reserve", reserve, handle, size)

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
        self.perform("rename", rename_free, source, target)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name, which must be free: `FileExistsError` if it is not."""
        self.perform("link", os.link, source, target, follow_symlinks=False)

    def exchange(self, one: Path, two: Path) -> None:
        """Swap the names of two files in one step; `OSError` where the file system cannot."""
        self.perform("exchange", exchange, one, two)

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

    def set_time(self, handle: int, time_ns: int) -> None:
        """Say that a file was written last at a time: nanoseconds since 1970."""
        self.perform("set_time", os.utime, handle, ns=(time_ns, time_ns))

    def copy_attributes(self, source: Path, handle: int) -> None:
        """Give the new file the mode, and as far as we may the owner and xattrs, of another."""
        self.perform("copy_attributes", copy_attributes, source, handle)

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
            self.pause(_LOCK_STEP)
        raise WriteFailed(
            f"another remem process has locked `{path}` for {wait:g} s",
            hint="wait until it is done and try again; nothing was written",
        )


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Turn what the system says into why a path cannot be read."""
    try:
        yield
    except OSError as error:
        why: Why = _WHY.get(error.errno or 0, "failed")
        hint = "check its owner and permissions" if why == "permission" else ""
        raise Unreadable(path, why, hint=hint) from error
    except ValueError as error:
        raise Unreadable(path, "name") from error
