"""Marks that tell whether a row of the history is as it was written.

SQLite tells of a torn page and not of a flipped bit: who is told the wrong last change would take
back the wrong one. So each row that a decision rests on carries a checksum of its columns, and what
is the same twice is compared. It mends nothing; `journal_salvage.py` does.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

SEALED: Final[Mapping[str, Sequence[str]]] = {
    "changes": (
        *("seq", "id", "root", "actor", "set_off", "follows", "at", "logged"),
        *("undone", "undone_as", "superseded", "settled", "paths"),
    ),
    "done": ("seq", "steps"),
    "parked": ("path", "target", "op", "number", "since", "size", "digest", "tail"),
    "coming": ("op", "running"),
    "outside": ("number", "at", "root", "path", "before", "after", "vanished", "told"),
}
"""What the mark of a row covers, by its table."""


def register(connection: sqlite3.Connection) -> None:
    """Let statements on a connection ask for marks."""
    connection.create_function("seal", -1, seal, deterministic=True)


def seal(*values: object) -> int:
    """Return the mark of a row with these values; never 0, which stands for a row without one."""
    mark = 0
    for value in values:
        text = b"b" + value if isinstance(value, bytes) else repr(value).encode()
        mark = zlib.crc32(len(text).to_bytes(8, "big") + text, mark)
    return mark or 1


def seal_of_paths(paths: Iterable[bytes]) -> int:
    """Return what stands in a change for the paths that it touched, in any order."""
    mark = 0
    for path in paths:
        mark ^= seal(path)
    return mark


def seal_of(table: str, **new: str) -> str:
    """Return the SQL for the mark of a row, in which some columns are given as expressions."""
    return f"seal({', '.join(new.get(name, name) for name in SEALED[table])})"


def is_sound(table: str, of: str = "") -> str:
    """Return the SQL that tells whether a row is as it was written.

    Args:
        table: Whose row.
        of: What stands before its columns, where several tables are asked.
    """
    columns = ", ".join(f"{of}{name}" for name in SEALED[table])
    return f"({of}mark IN (0, seal({columns})))"


def setting(table: str, **new: str) -> str:
    """Return what an UPDATE sets: these expressions, and the mark that goes with them."""
    values = ", ".join(f"{name} = {value}" for name, value in new.items())
    return f"{values}, mark = {seal_of(table, **new)}" if new else f"mark = {seal_of(table)}"


def reseal(sql: sqlite3.Connection) -> None:
    """Give a mark to every row, for somebody who knows that they are right."""
    touched = _touched(sql)
    for (seq,) in sql.execute("SELECT seq FROM changes").fetchall():
        sql.execute("UPDATE changes SET paths = ? WHERE seq = ?", (touched.get(seq, 0), seq))
    for table in SEALED:
        sql.execute(f"UPDATE {table} SET {setting(table)}")
    let_go(sql)


def let_go(sql: sqlite3.Connection) -> None:
    """Let changes stand for themselves that followed from one that no longer exists."""
    there = "(SELECT id FROM changes)"
    for column, alone in (("follows", "''"), ("undone_as", "id")):
        values = setting("changes", **{column: alone})
        where = f"{column} != '' AND {column} NOT IN {there}"
        sql.execute(f"UPDATE changes SET {values} WHERE {where} AND {is_sound('changes')}")


def _touched(sql: sqlite3.Connection) -> dict[int, int]:
    found: dict[int, int] = {}
    mark_of = cache(seal)  # the same few paths are those of most changes
    for seq, path in sql.execute("SELECT seq, path FROM touched"):
        found[seq] = found.get(seq, 0) ^ mark_of(path)
    return found


def fault(sql: sqlite3.Connection) -> str:
    """Return what of a history is not as it was written; empty = nothing.

    It reads every page: some ten milliseconds where there are thousands of changes.
    """
    (told,) = sql.execute("PRAGMA integrity_check(1)").fetchone()
    if told != "ok":
        return str(told)
    for table in SEALED:
        count = f"SELECT count(*) FROM {table} WHERE NOT {is_sound(table)}"
        (wrong,) = sql.execute(count).fetchone()
        if wrong:
            return f"{wrong} damaged rows in `{table}`"
    touched = _touched(sql)
    known = sql.execute("SELECT seq, paths FROM changes WHERE paths IS NOT NULL")
    if any(touched.get(seq, 0) != paths for seq, paths in known):
        return "it no longer records which files a change touched"
    return ""
