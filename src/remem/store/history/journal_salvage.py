"""Reads what can be read of a damaged history, row by row, for a new one.

A damaged page takes the rows on it along and no others: each row is asked for by its number, and
what it says is taken only where it can be understood.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeGuard

from remem.store.changes.steps import paths_of
from remem.store.history.journal_checksums import SEALED, reseal, seal
from remem.store.history.journal_records import (
    logged_from_text,
    logged_to_json,
    steps_from_json,
    unread,
)

Connection = sqlite3.Connection
Row = tuple[Any, ...]

_OUTSIDE: Final = ", ".join(SEALED["outside"])
_PARKED: Final = ", ".join(SEALED["parked"])
_MOST: Final = 1_000_000
"""Numbers that are asked for where the file does not say which the last is."""
_MISSES: Final = 20_000
"""Numbers without a row after which no more are asked for."""
_ENCODING: Final = "surrogateescape"
_HEAD: Final = 100
"""Bytes at the beginning that say how to read the rest (https://sqlite.org/fileformat2.html)."""
_ALWAYS: Final = ((0, 24), (44, 48), (56, 60))
"""Those of them that are the same in each: what it is, its pages, its schema and its text."""
_PAGE: Final = slice(16, 18)
"""Those that say how long a page is."""
_SIZE: Final = slice(28, 32)
"""Those that say how many pages there are."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = 1 << 33
"""Seconds since the epoch that can be a time of a change."""

_IN_THE_WAY: Final[Mapping[str, object]] = {
    "set_off": "person",
    "follows": "",
    "undone": 0,
    "undone_as": "",
    "superseded": 0,
    "settled": "",
}


def salvage(damaged: Path, new: Connection) -> int:
    """Copy what can be read of a damaged database into a new one; return how many changes.

    Args:
        damaged: A copy of it, which is written to.
        new: In a transaction; its tables are empty.
    """
    found = _head_of(damaged)
    usual, known = bytearray(found), new.serialize()
    for start, end in _ALWAYS:
        usual[start:end] = known[start:end]
    usual[_SIZE] = bytes(4)  # as many pages as there are
    # Pages of another size are those of another SQLite, which says so in its own head.
    heads = (bytes(usual), found, _first_page(known)) if len(found) == _HEAD else (found,)
    return next(filter(None, (_salvaged(damaged, new, head) for head in heads)), 0)


def _first_page(known: bytes) -> bytes:
    """Return the page that tells of the tables, as a history of this version begins with it.

    Where the tables of the damaged one begin elsewhere, no row is what its mark says.
    """
    page = bytearray(known[: int.from_bytes(known[_PAGE], "big")])
    page[_SIZE] = bytes(4)
    return bytes(page)


def _head_of(damaged: Path) -> bytes:
    with damaged.open("rb") as file:
        return file.read(_HEAD)


def _salvaged(damaged: Path, new: Connection, head: bytes) -> int:
    with damaged.open("r+b") as file:
        file.write(head)
    address = f"{damaged.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as old:
            _name_tables(old, new)
        with closing(sqlite3.connect(address, uri=True)) as old:
            old.text_factory = lambda data: data.decode("utf-8", "replace")
            # So SQLite also reads a file that is shorter than its head says.
            old.execute("PRAGMA writable_schema = ON")
            return _copied(old, new)
    except (sqlite3.Error, UnicodeError):
        return 0


def _name_tables(old: Connection, new: Connection) -> None:
    """Say of tables what they hold where the page that tells of them was damaged."""
    with suppress(sqlite3.Error, UnicodeError):
        version = "PRAGMA user_version"
        if old.execute(version).fetchone() != new.execute(version).fetchone():
            return
        old.execute("PRAGMA writable_schema = ON")
        known = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql != ''"
        for each in new.execute(known):
            old.execute(
                "UPDATE sqlite_schema SET type = :1, name = :2, tbl_name = :3, sql = :4"
                " WHERE (name = :2 OR sql = :4)"
                " AND (type, name, tbl_name, sql) IS NOT (:1, :2, :3, :4)",
                each,
            )


def _copied(old: Connection, new: Connection) -> int:
    columns = _shared_columns(old, new, "changes")
    sound, spoilt = set[int](), dict[object, dict[str, Any]]()
    for row in _by_number(old, "changes", "seq", ", ".join(columns)):
        values = dict(zip(columns, row, strict=True))
        if not _is_sealed("changes", values) or not _is_change(values):
            spoilt[values["seq"]] = values
        elif _put(new, "changes", ", ".join(values), row):
            sound.add(values["seq"])
            _put(new, "finished", "op", (values["id"],))
    for seq, packed in _sealed(old, new, "done", "seq"):
        paths = _paths_of_steps(packed) if seq in sound else None
        if paths is not None:
            _put(new, "done", "seq, steps", (seq, packed))
            for path in paths:
                _put(new, "touched", "seq, path", (seq, path))
    touched = [*_in_order(old, "touched", "seq, path")]
    count = len(sound)
    for line in _lines(old, new, spoilt, touched):
        if _put(new, "changes", ", ".join(line), (*line.values(),)):
            count += 1
            _put(new, "finished", "op", (line["id"],))
    known = {seq for (seq,) in new.execute("SELECT seq FROM changes")}
    for row in touched:
        if row[0] in known:
            _put(new, "touched", "seq, path", row)
    for row in _in_order(old, "finished", "op"):
        _put(new, "finished", "op", row)
    for row in _sealed(old, new, "outside", "number"):
        _put(new, "outside", _OUTSIDE, row)
    for row in _sealed(old, new, "parked", ""):
        _put(new, "parked", _PARKED, row)
    for row in _sealed(old, new, "coming", ""):
        _put(new, "coming", "op, running", row)
    reseal(new)
    return count


def _lines(
    old: Connection,
    new: Connection,
    spoilt: Mapping[object, Mapping[str, Any]],
    touched: Sequence[Row],
) -> Iterator[dict[str, Any]]:
    """Yield what still can be said of each change whose row is not as it was written, or not found.

    Its id stands in the index of ids as well, its root in what it touched; where its time cannot be
    read, the nearest change has nearly the same.
    """
    ids: dict[Any, Any] = {}
    with suppress(sqlite3.Error, UnicodeError):
        ids.update(old.execute("SELECT seq, id FROM changes INDEXED BY sqlite_autoindex_changes_1"))
    known = new.execute("SELECT seq, root, at FROM changes").fetchall()
    roots = [Path(os.fsdecode(root)) for root in {root for _, root, _ in known}]
    missing = {*ids, *spoilt} - {seq for seq, _, _ in known}
    for seq in sorted(each for each in missing if isinstance(each, int)):
        values = {"seq": seq, **spoilt.get(seq, {})}
        values["id"] = ids.get(seq, values.get("id"))
        paths = [Path(os.fsdecode(path)) for at, path in touched if at == seq]
        around = [each for each in roots if any(path.is_relative_to(each) for path in paths)]
        if around:
            values["root"] = os.fsencode(around[0])
        if not _is_time(values.get("at")):
            values["at"] = min(((abs(seq - each), at) for each, _, at in known), default=(0, 0))[1]
        line = _line_of(values)
        if line is not None:
            yield line


def _sealed(old: Connection, new: Connection, table: str, number: str) -> Iterator[Row]:
    """Yield the rows of a table that are as they were written."""
    columns = (*SEALED[table], *({"mark"} & {*_shared_columns(old, new, table)}))
    names = ", ".join(columns)
    rows = _by_number(old, table, number, names) if number else _in_order(old, table, names)
    for row in rows:
        if _is_sealed(table, dict(zip(columns, row, strict=True))):
            yield row[: len(SEALED[table])]


def _is_sealed(table: str, values: Mapping[str, Any]) -> bool:
    """Tell whether a row is as it was written; one of an older version tells nothing."""
    mark = values.get("mark", 0)
    return bool(mark == 0 or mark == seal(*(values[name] for name in SEALED[table])))


def _shared_columns(old: Connection, new: Connection, table: str) -> Sequence[str]:
    """Return the columns that both have: an older version has fewer, and the rest its defaults."""
    ask = f"SELECT name FROM pragma_table_info('{table}')"
    with suppress(sqlite3.Error):
        there = {name for (name,) in old.execute(ask)}
        return [name for (name,) in new.execute(ask) if name in there]
    return ["seq"]


def _by_number(old: Connection, table: str, number: str, columns: str) -> Iterator[Row]:
    """Yield each row once, by whichever way leads to it; `number` is the first of its columns.

    Looking for a number halves the way to it, so that one damaged place on a page hides its
    neighbours as well; from either end all rows up to that place are met.
    """
    met: set[object] = set()
    ways = (_each_number(old, table, number, columns), _in_order(old, table, columns))
    for row in chain(*ways):
        if row[0] not in met:
            met.add(row[0])
            yield row


def _each_number(old: Connection, table: str, number: str, columns: str) -> Iterator[Row]:
    last, misses = _last(old, table, number), 0
    for at in range(1, last + 1):
        row = _one(old, f"SELECT {columns} FROM {table} WHERE {number} = ?", at)
        misses = 0 if row is not None else misses + 1
        if row is not None:
            yield row
        elif misses > _MISSES:
            return


def _last(old: Connection, table: str, number: str) -> int:
    """Return the highest number of a table, as far as any page tells."""
    told = _one(old, "SELECT seq FROM sqlite_sequence WHERE name = ?", table)
    found = _one(old, f"SELECT max({number}) FROM {table} WHERE {number} > ?", 0)
    numbers = [row[0] for row in (told, found) if row is not None and isinstance(row[0], int)]
    return min(max(numbers, default=_MISSES), _MOST)


def _in_order(old: Connection, table: str, columns: str) -> Iterator[Row]:
    """Yield the rows of a table up to the first that cannot be read, from either end."""
    first = columns.partition(",")[0]
    for direction in ("ASC", "DESC"):
        with suppress(sqlite3.Error, UnicodeError):
            yield from old.execute(f"SELECT {columns} FROM {table} ORDER BY {first} {direction}")
            return


def _one(old: Connection, query: str, value: object) -> Row | None:
    try:
        row: Row | None = old.execute(query, (value,)).fetchone()
    except (sqlite3.Error, UnicodeError, OverflowError):
        return None
    return row


def _is_change(values: Mapping[str, Any]) -> bool:
    """Tell whether a row can be shown and taken back, as every reader needs it."""
    numbers = ("seq", "at", "undone", "superseded")
    texts = values.keys() - {*numbers, "root", "paths", "mark"}
    if not all(isinstance(values.get(each), int) for each in numbers):
        return False
    if not isinstance(values.get("root"), bytes):
        return False
    if not all(isinstance(values[each], str) for each in texts):
        return False
    try:
        told = logged_from_text(values["logged"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    return bool(told.id == values["id"] and told.origin.actor == values["actor"])


def _line_of(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what still can be said of a row that is not as it was written; `None` = nothing.

    Whoever made it, it stands, and a person set it off: then undo without a name does not go past
    it to an older one.
    """
    if _is_change(values):
        return {**values, **_IN_THE_WAY}
    seq, at, root, name = (values.get(each) for each in ("seq", "at", "root", "id"))
    if not isinstance(seq, int) or not isinstance(root, bytes) or not isinstance(name, str):
        return None
    time = _EPOCH + timedelta(seconds=at if _is_time(at) else 0)
    line = unread(name, time, Path(os.fsdecode(root)))
    told = json.dumps(logged_to_json(line))
    return {
        "seq": seq,
        "id": name,
        "root": root,
        "actor": line.origin.actor,
        "at": int(time.timestamp()),
        "logged": told,
        **_IN_THE_WAY,
    }


def _is_time(at: object) -> TypeGuard[int]:
    return isinstance(at, int) and 0 < at < _LATEST


def _paths_of_steps(packed: bytes) -> Sequence[bytes] | None:
    """Return the paths of what a change did; `None` where that cannot be understood."""
    with suppress(ValueError, KeyError, TypeError, AttributeError, zlib.error):
        steps = steps_from_json(json.loads(zlib.decompress(packed)))
        return sorted(
            {str(path).encode("utf-8", _ENCODING) for step in steps for path in paths_of(step)}
        )
    return None


def _put(new: Connection, table: str, columns: str, row: Row) -> bool:
    marks = ", ".join("?" for _ in row)
    try:
        new.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row)
    except (sqlite3.Error, UnicodeError, OverflowError):
        return False
    return True
