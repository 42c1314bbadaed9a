"""Files that were swapped out or removed, kept until nobody can write to them any more.

Whoever had such a file open goes on writing to it without knowing. Its bytes are looked at again a
second later, a minute later, at the next start and before it is unlinked; what came since is put
where it belongs, by a change like any other. Nothing is written here but names.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from remem.disk.fold import joined, without
from remem.disk.history import Parked
from remem.disk.io import Disk, Settled, Unreadable
from remem.disk.journal import Journal
from remem.disk.patch import patch_between
from remem.disk.steps import Edited, Removed
from remem.disk.swap import Names
from remem.model.change import Change, Create, Effect, Intent, Splice
from remem.model.entry import digest_of

KEPT: Final = timedelta(seconds=60)
"""How long a parked file stays at least."""

RESTORED: Final = timedelta(seconds=2)
"""How long after a commit a writer that had read before it may take late lines out again."""

ROOM: Final = 64 * 1024 * 1024
"""Bytes of parked files; above it the oldest go before their minute is over."""

_WAIT: Final = 0.02


@dataclass(frozen=True, slots=True)
class Late:
    """A parked file that got bytes since it was last looked at, or whose late lines went again."""

    parked: Parked
    """As the journal shall have it when this is dealt with."""
    live: bytes | None
    """What stands at `parked.target`; `None` = nothing."""
    wanted: bytes
    """What should stand there."""
    title: str = ""

    @property
    def change(self) -> Change | None:
        """What puts it there; `None` = it stands."""
        if self.wanted == self.live:
            return None
        path = self.parked.target
        effects: tuple[Effect, ...] = (Create(path, self.wanted),)
        if self.live is not None:
            planned_on = digest_of(self.live)
            effects = tuple(
                Splice(path, p.start, p.start + len(p.old), p.old, p.new, planned_on)
                for p in patch_between(self.live, self.wanted)
            )
        reason = "a program that had the file open wrote to it after it was replaced"
        return Change(Intent("late", {}, {"path": str(path)}), self.title, effects, reason)


class Parking:
    """The parked files of one user."""

    def __init__(self, disk: Disk, journal: Journal, state: Path) -> None:
        self._disk = disk
        self._journal = journal
        self._folder = state / "parked"

    def place(self, op: str, number: int, beside: Path) -> Path:
        """Return where a file is to be parked: with the state, or beside on another file system."""
        if self._disk.device(self._folder.parent) != self._disk.device(beside.parent):
            return beside
        return self._folder / f"{op}-{number}.old"

    def prepare(self) -> None:
        """Make the folder if it is missing; `OSError` as the system gave it."""
        if self._disk.kind(self._folder) is None:
            with suppress(FileExistsError):
                self._disk.mkdir(self._folder, 0o700)

    def take(self, beside: Path, place: Path) -> None:
        """Park a file; where it cannot be moved it stays, and is found there."""
        if beside == place or self._disk.kind(beside) is None:
            return
        with suppress(OSError):
            self._disk.rename(beside, place)

    def has_astray(self) -> bool:
        """Tell whether something was not parked where it should be."""
        return any(self._is_astray(parked) for parked in self._journal.parked())

    def gather(self) -> None:
        """Park what could not be parked when it was swapped out."""
        for parked in self._journal.parked():
            if self._is_astray(parked):
                self.take(_beside(parked), parked.path)

    def _is_astray(self, parked: Parked) -> bool:
        kind = self._disk.kind
        return kind(parked.path) is None and kind(_beside(parked)) is not None

    def late(self, fresh_at: datetime | None = None) -> Iterator[Late]:
        """Yield what came late; each is to be carried out before the next is asked for.

        Args:
            fresh_at: Only those whose late lines were put in within the last seconds before this
                time: what is worth a look after every change from outside. `None` = all.
        """
        for parked in self._journal.parked(fresh=fresh_at is not None):
            if fresh_at and fresh_at - parked.since > 2 * RESTORED:
                continue
            found = self._read(parked)
            late = None if found is None else self._late(parked, found.data)
            if late is not None:
                yield late

    def drop(self, now: datetime, *, leaving: bool) -> None:
        """Unlink what was looked at just now and is old enough.

        Args:
            now: The time.
            leaving: Nobody will look again soon: what lies beside live files goes too, if it can be
                seen that nobody has it open.
        """
        gone: list[Path] = []
        held = 0
        for parked in reversed(self._journal.parked()):
            path = self._where(parked)
            if path is None:
                gone.append(parked.path)
                continue
            held += parked.size
            litters = leaving and path.parent != self._folder
            if now - parked.since < KEPT and held <= ROOM and not litters:
                continue
            found = self._read(parked)
            same = found is not None and len(found.data) == parked.size
            settled = found is not None and found.traffic != "busy"
            if litters and now - parked.since < KEPT:
                settled = found is not None and found.traffic == "quiet"
            if same and settled and found is not None and digest_of(found.data) == parked.digest:
                with suppress(OSError):
                    self._disk.unlink(path)
                    gone.append(parked.path)
        if gone:
            self._journal.unpark(gone)

    def _where(self, parked: Parked) -> Path | None:
        places = (parked.path, _beside(parked))
        return next((path for path in places if self._disk.kind(path) == "file"), None)

    def _read(self, parked: Parked) -> Settled | None:
        path = self._where(parked)
        try:
            return None if path is None else self._disk.read_settled(path, _WAIT)
        except Unreadable:
            return None

    def _late(self, parked: Parked, data: bytes) -> Late | None:
        found = self._live(parked.target)
        live = None if found is None else found.data
        if found is not None and found.traffic == "busy" and not found.data.endswith(b"\n"):
            return None  # somebody is in the middle of a line: later
        if len(data) == parked.size and digest_of(data) == parked.digest:
            return self._lost_again(parked, data, live)
        title = f"Keep what another writer still wrote to {parked.target.name}"
        seen = replace(parked, size=len(data), digest=digest_of(data))
        if live is None:
            return Late(seen, None, data, title)
        if digest_of(data[: parked.size]) != parked.digest:
            return Late(seen, live, joined(self._base(parked, live), live, data), title)
        tail = data[parked.size :]
        seen = replace(seen, tail=parked.tail + len(tail))
        wanted = live if tail in live else _added(live, tail, data[: parked.size])
        return Late(seen, live, wanted, title)

    def _lost_again(self, parked: Parked, data: bytes, live: bytes | None) -> Late | None:
        """Late lines that a writer took out who had read before they were put in."""
        stamp = self._disk.stamp(parked.target) if parked.tail else None
        if stamp is None or live is None:
            return None
        tail = data[len(data) - parked.tail :]
        written = stamp.mtime_ns / 1e9 - parked.since.timestamp()
        if written > RESTORED.total_seconds() or tail in live:
            return None
        lines = tail.splitlines(keepends=True)
        missing = b"".join(line for line in lines if line.strip() and line not in live)
        title = f"Keep late lines of another writer in {parked.target.name}"
        return Late(parked, live, _added(live, missing), title) if missing else None

    def _live(self, path: Path) -> Settled | None:
        try:
            return self._disk.read_settled(path, _WAIT)
        except Unreadable:
            return None

    def _base(self, parked: Parked, live: bytes) -> bytes | None:
        """Return what a parked file held when it was swapped out, if that can still be told."""
        for step in self._journal.steps(parked.op):
            if isinstance(step, Edited) and step.path == parked.target:
                former = without(step, live)
                return former if former and digest_of(former) == parked.digest else None
            if isinstance(step, Removed) and step.path == parked.target:
                return step.data
        return None


def _beside(parked: Parked) -> Path:
    return Names.of(parked.target, parked.op, parked.number).old


def _added(live: bytes, tail: bytes, before: bytes = b"") -> bytes:
    """Return the live file with what came late at its end.

    Half a line that was there `before` gets its other half, wherever it stands by now.
    """
    begun = before[before.rfind(b"\n") + 1 :]
    if begun and live.endswith(begun):
        return live + tail
    line = b"\n" + begun + b"\n"
    if begun and live.count(line) == 1:
        rest, end, tail = tail.partition(b"\n")
        live = live.replace(line, b"\n" + begun + rest + (end or b"\n"))
    gap = b"" if not live or live.endswith(b"\n") or not tail else b"\n"
    return live + gap + tail
