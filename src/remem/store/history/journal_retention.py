"""How the journal stays bounded: what is forgotten of old changes, and what never is.

First a change loses what it did and keeps its line in the history, then the line goes too, each
with all that followed from it. What recovery, a parked file or the last undo needs is not touched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Final, Protocol

from remem.store.history.external_changes import trim
from remem.store.history.journal_checksums import let_go
from remem.store.history.journal_database import Connection

NEWEST: Final = 50
"""Changes that can be taken back whatever their age and size."""
_PRUNE: Final = "prune"
_DAY: Final = 24 * 60 * 60
_DECISION: Final = "CASE follows WHEN '' THEN id ELSE follows END"
"""What belongs together: a change and all that followed from it. It is forgotten as a whole."""
_OVERHEAD: Final = 2048
"""Bytes that a change takes besides what it holds, about: its paths, room left in pages."""


def is_due(ran: Iterable[tuple[int]], now: datetime) -> bool:
    """Tell whether a day went by since the last time; a clock that was set back counts as one."""
    return all(abs(now.timestamp() - at) >= _DAY for (at,) in ran)


def last_run() -> tuple[str, dict[str, object]]:
    """Return the query for `is_due`."""
    return "SELECT at FROM chores WHERE name = :name", {"name": _PRUNE}


class Keep(Protocol):
    """How much of the history is kept, as a person set it."""

    @property
    def days(self) -> int:
        """After so many a change cannot be taken back any more."""
        ...

    @property
    def megabytes(self) -> int:
        """What the history may use on disk."""
        ...


def prune(sql: Connection, keep: Keep, now: datetime, needed: Collection[str]) -> None:
    """Forget what is too old or does not fit.

    Args:
        sql: In a transaction, so that no run can end meanwhile.
        keep: The limits.
        now: The time.
        needed: Changes and runs that recovery may still ask for.
    """
    room = keep.megabytes * 1024 * 1024
    oldest = int((now - timedelta(days=keep.days)).timestamp())
    sql.execute("CREATE TEMP TABLE IF NOT EXISTS needed (op TEXT PRIMARY KEY)")
    sql.execute("DELETE FROM temp.needed")
    sql.executemany("INSERT OR IGNORE INTO temp.needed VALUES (?)", [(op,) for op in needed])
    sql.execute("INSERT OR IGNORE INTO temp.needed SELECT op FROM parked")
    _forget_steps(sql, oldest, room // 2)
    _forget_lines(sql, int((now - timedelta(days=2 * keep.days)).timestamp()), room // 4)
    sql.execute(
        "DELETE FROM finished WHERE op NOT IN (SELECT op FROM temp.needed)"
        " AND op NOT IN (SELECT id FROM changes)"
    )
    trim(sql, oldest=oldest, room=room // 4)
    sql.execute(
        "INSERT OR REPLACE INTO chores (name, at) VALUES (?, ?)", (_PRUNE, int(now.timestamp()))
    )


def _forget_steps(sql: Connection, oldest: int, room: int) -> None:
    sql.execute(
        f"""DELETE FROM done WHERE seq IN (SELECT seq FROM (
            SELECT seq, MIN(may_go) OVER (PARTITION BY {_DECISION}) AS may_go FROM (
                SELECT seq, id, follows, place > ? AND (at < ? OR total > ?)
                    AND id NOT IN (SELECT op FROM temp.needed) AS may_go
                FROM (
                    SELECT seq, id, follows, at,
                        ROW_NUMBER() OVER newest AS place,
                        SUM(length(steps) + {_OVERHEAD}) OVER newest AS total
                    FROM done JOIN changes USING (seq)
                    WINDOW newest AS (ORDER BY seq DESC ROWS UNBOUNDED PRECEDING)
                )
            )
        ) WHERE may_go)""",
        (NEWEST, oldest, room),
    )


def _forget_lines(sql: Connection, oldest: int, room: int) -> None:
    sql.execute(
        f"""DELETE FROM changes WHERE seq IN (SELECT seq FROM (
            SELECT seq, MIN(may_go) OVER (PARTITION BY {_DECISION}) AS may_go FROM (
                SELECT seq, id, follows,
                    seq NOT IN (SELECT seq FROM done) AND (at < ? OR total > ?) AS may_go
                FROM (
                    SELECT seq, id, follows, at, SUM(length(logged) + {_OVERHEAD}) OVER (
                        ORDER BY seq DESC ROWS UNBOUNDED PRECEDING
                    ) AS total FROM changes
                )
            )
        ) WHERE may_go)""",
        (oldest, room),
    )
    sql.execute("DELETE FROM touched WHERE seq NOT IN (SELECT seq FROM changes)")
    let_go(sql)
