"""Changes that no door made, as the journal keeps them: who, where, and what is needed to see them.

The difference is kept, not the files, with less around it than a change of our own has: it is for
looking at, and for bringing back what vanished. Nothing here is ever taken back by itself.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from remem.base.effects import Json, digest_of
from remem.base.frozen import dataclass
from remem.edit.patch import Patch, patches_between
from remem.store.changes.hunks import Hunk, step_diff
from remem.store.changes.steps import Edited, Made, Removed, Step, all_to_json, from_json
from remem.store.history.journal_checksums import setting
from remem.store.history.journal_database import Connection

Cause = Literal["writer", "git", "late"]
"""Another writer; git moved the work tree; bytes that came while remem replaced the file."""

BY: Final[Mapping[Cause, str]] = {
    "writer": "another program",
    "git": "git",
    "late": "late write",
}
"""The causes in words."""
LEFT_OUT: Final = (
    "what another program wrote to it while remem replaced it cannot be read as a part of it;"
    " it is kept in the history"
)
_AROUND: Final = 1024
"""Bytes of surroundings above and below a difference."""
_SEEN_TOGETHER: Final = timedelta(seconds=10)
"""Two screens on one file note the same change within this time."""
NAMED: Final = "outside-"
"""What such names begin with."""
_TRIMMED_EVERY: Final = 64
_OVERHEAD: Final = 2048
"""Bytes that a row takes besides what it holds, about."""


@dataclass(frozen=True, slots=True)
class Outside:
    """A change of one file from outside."""

    number: int
    """Of the journal, from 1; 0 until it is noted."""
    time: datetime
    root: Path
    """The root at which it was seen."""
    path: Path
    cause: Cause
    before: str
    """Digest of the former bytes; empty = there was no file."""
    after: str
    """Digest of the bytes since; empty = the file went."""
    step: Edited | Made | Removed | None
    """What happened to the bytes; `None` = too much to keep."""
    vanished: tuple[Mapping[str, Json], ...] = ()
    """Entries that went with it and stand nowhere else, as whoever noted it wrote them."""

    @classmethod
    def of(
        cls,
        time: datetime,
        root: Path,
        path: Path,
        cause: Cause,
        before: bytes | None,
        after: bytes | None,
        vanished: Sequence[Mapping[str, Json]] = (),
    ) -> Outside:
        """Return how the journal tells of a file that had other bytes; `None` = no file."""
        was, now = ("" if data is None else digest_of(data) for data in (before, after))
        return cls(0, time, root, path, cause, was, now, _step(path, before, after), (*vanished,))

    @property
    def name(self) -> str:
        """What it is called wherever it is listed beside changes of remem."""
        return f"{NAMED}{self.number}"

    @property
    def hunks(self) -> tuple[Hunk, ...]:
        return () if self.step is None else step_diff(self.step)

    @property
    def gone(self) -> int:
        """How many entries vanished, with those that are too many to be listed."""
        more = self.vanished[0].get("others") if self.vanished else None
        return len(self.vanished) + (more if isinstance(more, int) else 0)

    def is_left_out_of(self, live: bytes) -> bool:
        """Tell whether late bytes are kept here alone: the file could not have been read with them.

        Args:
            live: What the file holds now.
        """
        if self.cause != "late":
            return False
        if self.step is None:
            return True
        came = [self.step.data] if isinstance(self.step, Made | Removed) else []
        came += [patch.new for patch in self.step.patches] if isinstance(self.step, Edited) else []
        there = {*map(_plain, live.splitlines())}
        lines = (line for data in came for line in data.splitlines() if line.strip())
        return any(_plain(line) not in there for line in lines)

    @property
    def does(self) -> str:
        """What happened to the file, in one word."""
        if not self.before:
            return "creates"
        return "edits" if self.after else "removes"


@dataclass(frozen=True, slots=True)
class Kept:
    """How much of what was changed from outside is kept."""

    each: int = 1024 * 1024
    """Compressed bytes of one change; of a bigger one only that it happened is kept."""
    room: int = 64 * 1024 * 1024
    """Bytes for all of them, unless `journal.keep` says less."""


def note_outside(
    sql: Connection, outside: Outside, place: Mapping[str, object], kept: Kept
) -> Outside:
    """Write one down; what another screen noted a moment ago is not written twice.

    Args:
        sql: In a transaction.
        outside: Its number is given here.
        place: The bounds of its root, as the journal asks for them.
        kept: How much is.

    Returns:
        It with its number; without its step where that is too much to keep.
    """
    told = _told(outside)
    if len(told) > kept.each:
        outside = replace(outside, step=None)
        told = _told(outside)
    known = _known(sql, outside, place)
    if known:
        return replace(outside, number=known)
    row = sql.execute(
        "INSERT INTO outside (at, root, path, before, after, vanished, told)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            int(outside.time.timestamp()),
            os.fsencode(outside.root),
            os.fsencode(outside.path),
            outside.before,
            outside.after,
            outside.gone or outside.cause == "late",  # either way they may be nowhere else
            told,
        ),
    )
    number = row.lastrowid or 0
    sql.execute(f"UPDATE outside SET {setting('outside')} WHERE number = ?", (number,))
    if number % _TRIMMED_EVERY == 0:
        trim(sql, oldest=0, room=kept.room)
    return replace(outside, number=number)


def trim(sql: Connection, *, oldest: int, room: int) -> None:
    """Forget what is too old or does not fit; what entries vanished with or came late goes last."""
    sql.execute(
        f"""DELETE FROM outside WHERE number IN (SELECT number FROM (
            SELECT number, at, SUM(length(told) + {_OVERHEAD}) OVER (
                ORDER BY vanished > 0 DESC, number DESC ROWS UNBOUNDED PRECEDING
            ) AS total FROM outside
        ) WHERE at < ? OR total > ?)""",
        (oldest, room),
    )


def outside_from_row(row: Sequence[Any]) -> Outside:
    """Read the columns `number, root, path, before, after, told`, and whether they are as written.

    Raises:
        ValueError: They are not what `note_outside` wrote.
    """
    number, root, path, before, after, told, is_as_written = row
    if not is_as_written:
        raise ValueError("an external change is damaged")
    try:
        values = json.loads(zlib.decompress(told))
        if values["cause"] not in get_args(Cause):
            raise ValueError(f"`{values['cause']}` is not a cause")
        return Outside(
            number,
            datetime.fromisoformat(values["time"]),
            Path(os.fsdecode(root)),
            Path(os.fsdecode(path)),
            values["cause"],
            before,
            after,
            cast("Edited | Made | Removed | None", from_json(values["step"]))
            if values["step"]
            else None,
            tuple(values["vanished"]),
        )
    except (KeyError, TypeError, AttributeError, zlib.error) as error:
        raise ValueError(f"not an external change: {error!r}") from error


def _known(sql: Connection, outside: Outside, place: Mapping[str, object]) -> int:
    """Return the number under which the same change was noted just now; 0 = it was not."""
    since = int((outside.time - _SEEN_TOGETHER).timestamp())
    rows = sql.execute(
        """SELECT number, before, after FROM outside WHERE path = :path AND at >= :since
            AND (root = :root OR path = :root OR (path > :low AND path < :high))
            ORDER BY number DESC""",
        {**place, "path": os.fsencode(outside.path), "since": since},
    ).fetchall()
    if not rows or rows[0][2] != outside.after:
        return 0
    # The other screen may have seen as two steps what this one saw as one.
    begun = any(before == outside.before for _, before, _ in rows)
    return int(rows[0][0]) if begun else 0


def _plain(line: bytes) -> bytes:
    """Return a line without what another encoding writes otherwise: a person may have mended it."""
    return line.translate(None, bytes(range(128, 256))).strip() or line


def _step(path: Path, before: bytes | None, after: bytes | None) -> Edited | Made | Removed | None:
    if before is None:
        return Made(path, after or b"")
    if after is None:
        return Removed(path, before, None)
    patches = tuple(map(_closer, patches_between(before, after)))
    return Edited(path, digest_of(before), len(before), patches)


def _closer(patch: Patch) -> Patch:
    """Return the patch with whole lines around it, but few."""
    above, below = patch.above, patch.below
    if len(above) > _AROUND:
        above = above[above.find(b"\n", len(above) - _AROUND - 1) + 1 :]
    if len(below) > _AROUND:
        below = below[: below.rfind(b"\n", 0, _AROUND) + 1]
    return replace(patch, above=above, below=below)


def _told(outside: Outside) -> bytes:
    steps: tuple[Step, ...] = () if outside.step is None else (outside.step,)
    values: dict[str, Json] = {
        "time": outside.time.isoformat(),
        "cause": outside.cause,
        "vanished": [dict(each) for each in outside.vanished],
        "step": next(iter(all_to_json(steps)), None),
    }
    return _packed(values)


def _packed(values: Mapping[str, Json]) -> bytes:
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode(), 1)
