"""What was read of a large store, kept from one process to the next by the bytes it was read from.

A store is cut into runs of entries where their ids say so, so that an edit leaves the other runs as
they are. Kept is what `StoreEntries` would read, of entries without problems; what is absent or of
another shape is read anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from remem.edit.yaml_index import Spans
from remem.edit.yaml_tree import (
    line_start,
    next_line,
)
from remem.model.entry import Entry, Status
from remem.model.source import Run
from remem.systems.sniper.printing import Rest

KIND: Final = "entries of a store"
_CUT: Final = 128
"""Entries of a run, on average."""
_MOST: Final = 512
_NAME_BYTES: Final = 20


class Row(NamedTuple):
    """What one entry says, without where it stands."""

    title: str
    status: Status
    roles: tuple[str, ...] | None
    step: int
    date: str
    rest: Rest


def runs_of(data: bytes, ids: Sequence[str], spans: Spans, kind: str) -> Iterator[Run]:
    """Yield the runs of a store; each is named by all that its entries are read from."""
    start = 0
    for number, name in enumerate(ids):
        is_last = number + 1 == len(ids)
        cuts = crc32(name.encode("utf-8", "surrogatepass")) % _CUT == 0
        if cuts or is_last or number - start + 1 == _MOST:
            part = spans[start : number + 1]
            yield Run(start, number + 1, _name(data, ids[start : number + 1], part, kind))
            start = number + 1


def _name(data: bytes, ids: Sequence[str], spans: Spans, kind: str) -> bytes:
    begin, end = line_start(data, spans[0].start), spans[-1].end
    if data[end - 1 : end] != b"\n":
        end = next_line(data, end)  # the line break of the last entry counts
    digest = blake2b(digest_size=_NAME_BYTES)
    names = "\0".join(ids).encode("utf-8", "surrogatepass")
    for part in (kind.encode(), _readers(), names, spans.packed(begin), data[begin:end]):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.digest()


@cache
def _readers() -> bytes:
    """Return what tells apart what else entries are read with: Python, and the YAML parsers."""
    told = [sys.version]
    for name in ("ryaml", "ruamel"):
        spec = find_spec(name)
        places = spec.submodule_search_locations or () if spec is not None else ()
        # An installer puts names into the folder that all packages lie in.
        told += [str(Path(place).parent.stat().st_mtime_ns) for place in places]
    return "\0".join(told).encode()


def encoded(rows: Iterable[Row | None]) -> bytes:
    """Return rows as they are kept; `None` stands for what is always read anew."""
    return json.dumps(
        [
            None if row is None else (*row[:-1], row[-1].name, row[-1].word, row[-1].text)
            for row in rows
        ],
        separators=(",", ":"),
    ).encode()


def decoded(data: bytes, length: int) -> Sequence[Row | None]:
    """Return so many rows; none where they are not what was kept."""
    with suppress(ValueError, TypeError):
        rows = [None if row is None else _row(*row) for row in json.loads(data)]
        if len(rows) == length:
            return rows
    return ()


def _row(
    title: str,
    status: str,
    roles: list[str] | None,
    step: int,
    date: str,
    name: str,
    word: str,
    text: str,
) -> Row:
    rest = Rest(name, word, text)
    return Row(title, Status(status), None if roles is None else tuple(roles), step, date, rest)


def row_of(entry: Entry, rest: Rest) -> Row:
    """Return what is kept of an entry that was read without problems."""
    return Row(entry.title, entry.status, entry.roles, int(entry.rank[0]), entry.date, rest)
