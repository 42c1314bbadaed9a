"""Finds memories by words: SQLite's full-text index, PostgreSQL's own search, or a look at each.

The best come first: those that hold every word, then those that hold some. It writes nothing; the
index is made with the tables, and where a store has none every memory is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    func,
    literal_column,
    or_,
    select,
    text,
)

from remem.systems.facts.database.sqlite_schema import TEXTS
from remem.systems.facts.database.tables import MEMORY, SEARCHED, has_words

_SPARE: Final = (50, 2_000)
"""More rows than asked for, since the index does not know repository and status."""
_RARE: Final = 2_000
"""Rows that may hold a word which is weighed."""
_RANKED: Final = 300
"""Rows that a server ranks for one question."""
_LONG: Final = 3
"""Characters of a word that others may begin with."""
_CJK: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Writing without blanks between words, of which no index here knows the words."""
_WEIGHTS: Final = "0, 4, 2, 1"
"""Of the id, the subject, the fact and the reason."""


def matching(
    connection: Connection, active: Select[Any], words: Sequence[str], limit: int
) -> list[str]:
    """Return the ids of memories that hold these words, the best first.

    Args:
        connection: To the store.
        active: Selects the memories that may be found.
        words: As `words_of` gives them; none find nothing.
        limit: At most.
    """
    if not words:
        return []
    is_file = connection.dialect.name == "sqlite"
    if any(map(_CJK.search, words)) or (is_file and not has_words(connection)):
        return _looked_at(connection, active, words, limit)
    found: list[str] = []
    for find in _in_file(connection, words) if is_file else _on_server(words):
        if len(found) < limit:
            found = list(dict.fromkeys([*found, *find(connection, active, limit)]))
    return found[:limit]


Find = Callable[[Connection, Select[Any], int], list[str]]
"""Returns the ids of some memories that may be found, the best first."""


def _in_file(connection: Connection, words: Sequence[str]) -> Iterator[Find]:
    """Yield what to ask the index of a file, until there is enough.

    To weigh a word by how rare it is, every row that holds it is counted. What stands in thousands
    of them is not weighed, and not looked for as the start of others: the index would put all those
    rows together first. Of those the last written come first.
    """
    terms = {each: _is_common(connection, each) for each in _terms(connection, words)}
    rare = [each for each, is_common in terms.items() if not is_common]
    asked = {" AND ".join(terms): not any(terms.values())}
    if rare:
        asked |= {" OR ".join(rare): True}
    asked |= {" OR ".join(terms): len(rare) == len(terms)}
    for each, weighed in asked.items():
        yield partial(_match, each, weighed=weighed)


def _terms(connection: Connection, words: Sequence[str]) -> Iterator[str]:
    """Yield each word as the index is asked for it: as the start of others unless it is common."""
    for each in words:
        alone = f'"{each}"'
        is_start = len(each) >= _LONG and not _is_common(connection, alone)
        yield f"{alone}*" if is_start else alone


def _is_common(connection: Connection, term: str) -> bool:
    rows = f"SELECT 1 FROM {TEXTS} WHERE {TEXTS} MATCH :term LIMIT 1 OFFSET {_RARE}"
    return connection.execute(text(rows), {"term": term}).first() is not None


def _match(
    asked: str, connection: Connection, active: Select[Any], limit: int, *, weighed: bool
) -> list[str]:
    """Ask first for a few of the best: most files hold one repository."""
    order = f"bm25({TEXTS}, {_WEIGHTS})" if weighed else "rowid DESC"
    rows = f"SELECT memory_id FROM {TEXTS} WHERE {TEXTS} MATCH :words ORDER BY {order} LIMIT :most"
    for most in (*(limit + each for each in _SPARE), -1):
        answer = connection.execute(text(rows), {"words": asked, "most": most})
        named = list(dict.fromkeys(str(row[0]) for row in answer))
        found = _seen(connection, active, named)
        if len(found) >= limit or len(named) < most:
            break
    return found[:limit]


def _seen(connection: Connection, active: Select[Any], named: Sequence[str]) -> list[str]:
    """Return those of the ids that may be found, in their order."""
    kept: set[str] = set()
    ids = active.with_only_columns(MEMORY.c.id)
    for start in range(0, len(named), 500):
        part = ids.where(MEMORY.c.id.in_(named[start : start + 500]))
        kept.update(map(str, connection.execute(part).scalars()))
    return [each for each in named if each in kept]


def _on_server(words: Sequence[str]) -> Iterator[Find]:
    terms = [f"{each}:*" if len(each) >= _LONG else each for each in words]
    yield partial(_match_on_server, " & ".join(terms))
    if len(terms) > 1:
        yield partial(_match_on_server, " | ".join(terms))


def _match_on_server(
    asked: str, connection: Connection, active: Select[Any], limit: int
) -> list[str]:
    document: ColumnElement[Any] = literal_column(SEARCHED)
    wanted = func.to_tsquery(literal_column("'english'::regconfig"), asked)
    found = active.with_only_columns(MEMORY.c.id).where(document.op("@@")(wanted))
    # To rank a row its words are put together anew: of many that match, the newest come first.
    _by_words(connection, is_wanted=True)
    is_common = connection.execute(found.offset(_RANKED).limit(1)).first() is not None
    if is_common:
        _by_words(connection, is_wanted=False)
    rank = () if is_common else (func.ts_rank(document, wanted).desc(),)
    query = found.order_by(*rank, MEMORY.c.refreshed_at.desc(), MEMORY.c.id).limit(limit)
    named = [str(each) for each in connection.execute(query).scalars()]
    _by_words(connection, is_wanted=False)
    return named


def _by_words(connection: Connection, *, is_wanted: bool) -> None:
    """Let a server ask its index of words, which it estimates badly, until told otherwise."""
    others = "off" if is_wanted else "on"
    ways = (func.set_config(f"enable_{way}", others, True) for way in ("seqscan", "indexscan"))
    connection.execute(select(*ways))


def _looked_at(
    connection: Connection, active: Select[Any], words: Sequence[str], limit: int
) -> list[str]:
    """Look at every memory: those that hold most of the words first."""
    said = MEMORY.c.subject + " " + MEMORY.c.fact + " " + func.coalesce(MEMORY.c.reason, "")
    holds = [said.icontains(each, autoescape=True) for each in words]
    hits = sum((case((each, 1), else_=0) for each in holds[1:]), case((holds[0], 1), else_=0))
    query = (
        active.with_only_columns(MEMORY.c.id)
        .where(or_(*holds))
        .order_by(hits.desc(), MEMORY.c.refreshed_at.desc(), MEMORY.c.id)
        .limit(limit)
    )
    return [str(each) for each in connection.execute(query).scalars()]
