"""Files that were swapped out or removed, kept until nobody can write to them any more.

Whoever had such a file open goes on writing to it without knowing. Its bytes are looked at again a
second later, a minute later, at the next start and before it is unlinked; what came since is put
where it belongs, by a change like any other. Nothing is written here but names.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from remem.base.effects import Create, Effect, Splice, digest_of
from remem.base.frozen import dataclass
from remem.edit.lines import goes_on, missing_lines, split_lines
from remem.edit.patch import patch_between, put_on
from remem.model.change import Change, Intent
from remem.store.changes.replace_live_file import Names
from remem.store.changes.steps import Edited, Removed
from remem.store.changes.without_step import joined, without
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Parked
from remem.store.io import Disk, Settled, Unreadable
from remem.store.write_bounds import LedOut

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


class ParkedFiles:
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
        with suppress(OSError, LedOut):
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
            late = None if found is None else self._late(parked, found)
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
                with suppress(OSError, LedOut):
                    self._disk.unlink(path)
                    gone.append(parked.path)
        if gone:
            self._journal.unpark(gone)

    def _where(self, parked: Parked) -> Path | None:
        return next((path for path in places_of(parked) if self._disk.kind(path) == "file"), None)

    def _read(self, parked: Parked) -> Settled | None:
        path = self._where(parked)
        try:
            return None if path is None else self._disk.read_settled(path, _WAIT)
        except Unreadable:
            return None

    def _late(self, parked: Parked, held: Settled) -> Late | None:
        """Return what came to a parked file since it was last looked at.

        Half a line stays where it is while somebody may still write its other half: in the live
        file others could add to it meanwhile, and tear both.
        """
        data = held.data if held.traffic != "busy" else _whole_lines(held.data, parked.size)
        found = self._live(parked.target)
        live = None if found is None else found.data
        if found is not None and found.traffic == "busy" and not found.data.endswith(b"\n"):
            return None  # somebody is in the middle of a line: later
        if len(data) == parked.size and digest_of(data) == parked.digest:
            return self._lost_again(parked, data, live)
        title = f"Keep late changes to {parked.target.name}"
        seen = replace(parked, size=len(data), digest=digest_of(data))
        if live is None:
            return Late(seen, None, data, title)
        if digest_of(data[: parked.size]) != parked.digest:
            seen = replace(seen, tail=0)
            return Late(seen, live, self._rewritten(parked, live, data), title)
        seen = replace(seen, tail=parked.tail + len(data) - parked.size)
        first, before = data[: len(data) - seen.tail], data[: parked.size]
        made = self._made(parked, first)
        # Where that cannot be told no line counts as there: it may come to stand twice.
        made = live if made is None else added(made, first, before, made)
        return Late(seen, live, added(live, before, data, made), title)

    def _rewritten(self, parked: Parked, live: bytes, data: bytes) -> bytes:
        """Return the live file with what was made of a parked one by writing it anew."""
        base = self._base(parked, live)
        wanted = joined(base, live, data)
        return added(wanted, base or b"", data)

    def _lost_again(self, parked: Parked, data: bytes, live: bytes | None) -> Late | None:
        """Late lines that a writer took out who had read before they were put in."""
        stamp = self._disk.stamp(parked.target) if parked.tail else None
        if stamp is None or live is None:
            return None
        written = stamp.mtime_ns / 1e9 - parked.since.timestamp()
        if written > RESTORED.total_seconds():
            return None
        before = data[: len(data) - parked.tail]
        title = f"Keep late lines in {parked.target.name}"
        return Late(parked, live, added(live, before, data, self._made(parked, before)), title)

    def _made(self, parked: Parked, before: bytes) -> bytes | None:
        """Return what took the place of a parked file that held `before`, if that can be told."""
        steps = self._journal.steps(parked.op)
        step = steps[parked.number] if parked.number < len(steps) else None
        return put_on(before, step.patches) if isinstance(step, Edited) else None

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


def places_of(parked: Parked) -> tuple[Path, Path]:
    """Return where a parked file may lie: where it should, or where it was swapped out."""
    return (parked.path, _beside(parked))


def _beside(parked: Parked) -> Path:
    return Names.of(parked.target, parked.op, parked.number).old


def added(live: bytes, before: bytes, late: bytes, made: bytes | None = None) -> bytes:
    """Return the live file with the lines at its end that came late and that it has not got.

    Half a line that was there `before` gets its other half where it stands: as the last line of the
    live file, or as the only one that reads like it. Each line of `live` but that one stays as it
    is, and each late line stands there as a whole line, as often as `missing_lines` counts it.

    Args:
        live: The live file.
        before: The parked file before they came.
        late: The same with them.
        made: What the live file was before others wrote to it, if it was not `before`.
    """
    rest = missing_lines(before, live, late, made)
    if goes_on(before, late):
        start = before.rfind(b"\n") + 1
        begun, whole = before[start:], late[start : late.find(b"\n", start) + 1 or len(late)]
        lines = split_lines(live)
        place = _place_of(begun, lines)
        if place is not None and whole in rest:
            rest.remove(whole)
            end = b"" if whole.endswith(b"\n") else lines[place][len(begun) :]
            lines[place] = whole + end
            live = b"".join(lines)
    gap = b"" if not live or live.endswith(b"\n") or not rest else b"\n"
    return live + gap + b"".join(rest)


def _place_of(begun: bytes, lines: Sequence[bytes]) -> int | None:
    if lines and lines[-1] == begun:
        return len(lines) - 1
    places = [number for number, line in enumerate(lines) if line == begun + b"\n"]
    return places[0] if len(places) == 1 else None


def _whole_lines(data: bytes, size: int) -> bytes:
    """Return bytes without half a line at their end that came after the first `size`."""
    return data[: max(data.rfind(b"\n") + 1, min(size, len(data)))]
