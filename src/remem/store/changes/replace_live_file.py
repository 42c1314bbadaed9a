"""Giving a live file new bytes while others write to it: the one place that knows how.

Invariant: the name is never absent, and no line that others wrote is lost. New bytes are staged
beside the file, whole and durable, and exchanged with it in one step of the system; so whoever
opens the file has all of the old bytes or all of the new. The file that was there keeps a name
(`.old`), and whoever had it open before goes on writing to it. It is read once they let go of it,
or after `DRAIN_SECONDS`, and what is found decides:

- What the change was planned on, to the byte: nothing is left to do.
- That, and lines behind it: an agent appended. Whole ones are added to the live file; half a line
  waits for its other half.
- Anything else: the change was planned on what no longer stands. `BaseMoved` is raised, and the
  caller takes the step back, with what they wrote.

What comes later still is found where the file is parked (`parked.py`), which `Committer.settle`
looks at again. `docs/how-changes-are-written.md` has the order of steps and its reasons. It
knows nothing of changes; what it raises is for the caller to take back. The staged file gets its
mode, owner and attributes from the live one as it is made (`io.py`, `linux.py`).
"""

import errno
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from remem.base.effects import digest_of
from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.edit.lines import missing_lines
from remem.store.changes.effects_to_steps import BaseMoved
from remem.store.changes.without_step import tail_after
from remem.store.io import Disk, Settled, Stamp, Unreadable
from remem.store.linux import NO_EXCHANGE, is_in_mid_line, read_behind
from remem.store.own_writes import OwnWrites

DRAIN_SECONDS: Final = 0.5
"""How long a writer that had the file open before it was swapped is waited for."""

_APPENDS: Final = 5
"""How often late lines are added anew because somebody replaced the file meanwhile."""

_BIG: Final = 256 * 1024
"""Bytes from which on the memory that a file takes is worth a call."""

NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS, errno.EXDEV}


InMidLine = Literal["goes on", "waits", "ends it"]
"""What an append does where the file ends without a line end."""


class _InMidLine(Exception):
    """Somebody writes a line in pieces, and what is added now would stand between them."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names that one step of one run has beside its file."""

    part: Path
    """Bytes that are being written; never looked at again."""
    new: Path
    """All of the new bytes; after the swap for a moment what was swapped out."""
    old: Path
    """What was swapped out."""
    back: Path
    """As `new`, when the step is taken back."""
    gone: Path
    """As `old`, when the step is taken back."""

    @classmethod
    def of(cls, path: Path, op: str, number: int) -> "Names":
        stem = f".remem-{op}-{number}"
        ends = ("part", "new", "old", "back", "gone")
        return cls(*(path.with_name(f"{stem}.{end}") for end in ends))

    @property
    def all(self) -> tuple[Path, ...]:
        return (self.part, self.new, self.back, self.gone, self.old)


@dataclass(frozen=True, slots=True)
class Out:
    """What was swapped out."""

    seen: Settled
    tail: bytes
    """What had come after the bytes that the change was planned on; it is in the live file."""
    digest: str = ""
    """Of all that was seen; empty = it is what the change was planned on."""


class Swapper:
    """Puts bytes in the place of a live file, or at its end."""

    def __init__(self, disk: Disk, own: OwnWrites) -> None:
        self._disk = disk
        self._own = own
        self.made: dict[Path, int | None] = {}
        """The number of the file that was swapped in last, for each path."""

    def put(
        self,
        path: Path,
        names: Names,
        base: bytes,
        data: bytes,
        stamp: Stamp | None,
        *,
        to_end: bool,
    ) -> Out:
        """Swap in `data`; lines that came at the end meanwhile are added to it.

        Args:
            path: The live file.
            names: What may be used beside it.
            base: What `data` was made from.
            data: The new bytes.
            stamp: Of the file when `base` was read: a last cheap look before the swap.
            to_end: `data` differs from `base` at its end, so that nothing can be added there.

        Raises:
            BaseMoved: Somebody wrote something else; it lies at `names.old` now, to be taken back.
            Refused: The file cannot be replaced without harm.
            OSError: As the system gave it.
        """
        self._refuse_shared(path)
        self.stage(path, names.part, names.new, data)
        if stamp is not None and self._disk.stamp(path) != stamp:
            # What is sure to be taken back need not be seen by anyone in between.
            self._tail(path, base, self._disk.read(path), to_end=to_end)
        self._own.remember(path, data)
        self.swap(names.new, path, names.old)
        out = self._disk.read_settled(names.old, DRAIN_SECONDS)
        tail = self._tail(path, base, out.data, to_end=to_end)
        # Half a line waits for its other half; in the live file others could tear both.
        tail = tail[: tail.rfind(b"\n") + 1]
        out = replace(out, data=base + tail)
        if not tail:
            self._let_go(names.old, out)
            return Out(out, b"")
        self._own.forget(path)
        if self._is_in_mid_line(path) or not self.add_late(path, tail, between_lines=True):
            return Out(replace(out, data=base), b"")  # it is late, and comes with what is late
        return Out(out, tail, digest_of(out.data))

    def _let_go(self, old: Path, out: Settled) -> None:
        """Free the memory in which the system holds what was swapped out, if nobody writes to it.

        It is parked for a minute. A store of some megabytes would otherwise take new memory of the
        system with each change, which in a virtual machine costs more than to write it.
        """
        if out.traffic == "quiet" and len(out.data) >= _BIG:
            with suppress(OSError):
                self._disk.let_go(old)

    def _tail(self, path: Path, base: bytes, data: bytes, *, to_end: bool) -> bytes:
        tail = tail_after(base, data)
        if tail is None or (tail and to_end):
            raise BaseMoved(path, what="was just changed by another program")
        return tail

    def _is_in_mid_line(self, path: Path) -> bool:
        """Tell whether somebody is in the middle of a line that others would tear."""
        live = self._disk.read(path)
        if live and not live.endswith(b"\n"):
            live = self._disk.read_whole_lines(path, DRAIN_SECONDS).data
        return bool(live) and not live.endswith(b"\n")

    def append(self, path: Path, base: bytes, data: bytes) -> None:
        """Add `data` at the end of a file that holds `base`, in one write.

        Raises:
            BaseMoved: It did not come to stand after exactly these bytes; it is to be taken back.
            OSError: As the system gave it.
        """
        self._own.remember(path, base + data)
        self._append(path, data, in_mid_line="goes on")
        if not self._starts_with(path, base + data):
            self._own.forget(path)
            raise BaseMoved(path, what="was just changed by another program")

    def add_late(self, path: Path, tail: bytes, *, between_lines: bool = False) -> bool:
        """Add lines at the end of whatever is live, also if that is replaced meanwhile.

        Args:
            path: The live file.
            tail: The lines.
            between_lines: Add nothing where somebody is in the middle of a line, and return false.
                Else they begin a line of their own, so that at least they are whole.
        """
        for _ in range(_APPENDS):
            try:
                mid: InMidLine = "waits" if between_lines else "ends it"
                held = self._append(path, tail, in_mid_line=mid)
            except _InMidLine:
                return False
            if held is None:
                return True
            # Whoever put another file there may have read this one before the lines came, or after.
            # What it held without them tells a line of theirs from one that was there all along.
            before = b"".join(held.rsplit(tail, 1))
            tail = b"".join(missing_lines(before, self._disk.read(path), held))
            if not tail:
                return True
        raise BaseMoved(path, what="is being written to continuously")

    def stage(self, path: Path, part: Path, new: Path, data: bytes) -> None:
        """Write durable bytes under a name that holds either all of them or is not there."""
        self._disk.put_new(part, data, like=path)
        self._disk.rename(part, new)

    def swap(self, new: Path, path: Path, old: Path) -> None:
        """Let `new` stand at `path`, and what stood there at `old`, whose name must be free."""
        self.made[path] = self._disk.inode(new)
        try:
            self._disk.exchange(new, path)
        except OSError as error:
            if error.errno == errno.ENOENT:
                raise BaseMoved(path, what="no longer exists") from error
            if error.errno not in NO_EXCHANGE:
                raise
            self.keep(path, old)
            self._disk.replace(new, path)
            return
        self._disk.rename(new, old)

    def drop(self, *paths: Path) -> None:
        """Remove names that may be there."""
        for path in paths:
            if self._disk.kind(path) is not None:
                with suppress(FileNotFoundError):
                    self._disk.unlink(path)

    def _refuse_shared(self, path: Path) -> None:
        if self._disk.links(path) > 1:
            raise Refused(
                f"`{path}` has more than one name (hard links); replacing it would separate them",
                hint="replace it with a copy, then try again",
            )
        if self._disk.is_anothers(path):
            raise Refused(
                f"`{path}` belongs to another user; replacing it would change its owner",
                hint="ask its owner, or replace it with a copy",
            )

    def keep(self, path: Path, old: Path) -> None:
        """Give the live file a second name where names cannot be exchanged; else copy it."""
        try:
            self._disk.link(path, old)
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            self._disk.put_new(old, self._disk.read(path), like=path)

    def _append(self, path: Path, data: bytes, *, in_mid_line: InMidLine) -> bytes | None:
        """Append bytes and make them durable.

        Returns:
            What the file held then, if it was replaced in the meantime.
        """
        handle = self._disk.open_to_append(path)
        try:
            self._disk.reserve(handle, len(data) + 1)  # a full disk shall not leave half a line
            if in_mid_line != "goes on" and is_in_mid_line(handle):  # at the last moment
                if in_mid_line == "waits":
                    raise _InMidLine
                data = b"\n" + data
            self._disk.write_all(handle, data)
            self._disk.fsync(handle)
            if self._disk.inode_of(handle) == self._disk.inode(path):
                return None
            return self._disk.perform("read", read_behind, handle)
        finally:
            self._disk.close(handle)

    def _starts_with(self, path: Path, data: bytes) -> bool:
        try:
            return self._disk.read(path).startswith(data)
        except Unreadable:
            return False
