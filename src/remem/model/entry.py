"""What memory is: refs, entries, where they lie, and what is wrong with them."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote, unquote

from remem.base.effects import digest_of as digest_of
from remem.base.errors import Problem as Problem
from remem.base.errors import UnknownRef
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern

# Kinds of which more than one system speaks: what one proposes another one keeps.
CONVENTION: Final = "convention"
LEARNING: Final = "learning"
LESSON: Final = "lesson"
"""What a persona learnt, or what stands in a plain file."""
FACT: Final = "fact"
"""A verified memory."""


_REF: Final = lazy_pattern(
    r"(?P<format>[a-z]+)(?:@(?P<place>[^:]*))?:(?P<id>[^~]+)(?:~(?P<twin>\d+))?"
)

_MARK: Final = lazy_pattern(r"#[0-9a-f]{6,}\Z")
_UUID: Final = lazy_pattern(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_AS_MARK: Final = lazy_pattern(r"#?([0-9a-f]{6,}(?:~\d+)?)")


class Status(StrEnum):
    """What every format's own status is read as (FORMATS 0.3).

    The last two are of what was found and is no memory: nothing of it is in force.
    """

    CANDIDATE = "candidate"
    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    INVALID = "invalid"
    FINDING = "finding"
    """It is for reading, or is only watched."""
    IGNORED = "ignored"
    """Whoever found it says that nothing is to come of it."""


RESTING: Final = frozenset({Status.ARCHIVED, Status.SUPERSEDED, Status.INVALID})
"""What was in force or waited for it, and is kept out of use."""


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """The address of an entry: `format[@place]:id[~n]`, always with its place inside the program.

    People see and write it without the place where only one exists: `Library.short` and
    `Library.resolve` do that.
    """

    format: str
    id: str
    place: str = ""
    twin: int = 0
    """Tells entries with one id apart: 0 for the first, then 2, 3, … as FORMATS 3.2 counts."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` wrote.

        Raises:
            UnknownRef: The text has no format or no id.
        """
        match = _REF.fullmatch(text)
        if match is None:
            raise UnknownRef(
                f"`{text}` is not a ref",
                hint="a ref looks like `sniper:conv-001`; see `remem list`",
            )
        return cls(
            match["format"],
            _decode(match["id"]),
            _decode(match["place"] or ""),
            int(match["twin"] or 0),
        )

    @property
    def mark(self) -> str:
        """The end of an id that stands for a text, `#b72e0c`; empty where the id has none."""
        found = _MARK.search(self.id)
        twin = f"~{self.twin}" if self.twin else ""
        return f"{found[0]}{twin}" if found is not None else ""

    @property
    def is_typed(self) -> bool:
        """Tell whether people call an entry by its id: it is no place in a file, and no UUID."""
        return not {"/", "#"} & {*self.id} and not _UUID.fullmatch(self.id)

    def without_place(self) -> Self:
        return type(self)(self.format, self.id, "", self.twin)  # a fifth of what `replace` takes

    def __str__(self) -> str:
        place = f"@{_encode(self.place)}" if self.place else ""
        twin = f"~{self.twin}" if self.twin else ""
        return f"{self.format}{place}:{_encode(self.id)}{twin}"


def mark_in(text: str) -> str:
    """Return what marks begin with that a text may name, with `#`; empty = it names none."""
    found = _AS_MARK.fullmatch(text)
    return f"#{found[1]}" if found is not None else ""


@lru_cache(maxsize=4_096)
def _encode(part: str) -> str:
    # The name of a file need not be UTF-8, and may be all of an id.
    return quote(part, safe="/#", errors="surrogateescape").replace("~", "%7E")


def _decode(part: str) -> str:
    return unquote(part, errors="surrogateescape")


@dataclass(frozen=True, slots=True)
class FileSpan:
    """Bytes of a file: offsets from 0, the end excluded."""

    path: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is one entry."""

    path: Path


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a database."""

    database: Path
    table: str
    key: str


At = FileSpan | WholeFile | Row


def kind_text(kind: str) -> str:
    """Return a kind as people read and write it: `anti-pattern` for `anti_pattern`."""
    return kind.replace("_", "-")


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory, small: its body and record are parsed on demand by its format."""

    ref: Ref
    kind: str
    """`convention`, `anti_pattern`, `decision`, `lesson`, `finding`, `proposal`, …"""
    title: str
    """The entry's text, whole, as it is compared and listed; not yet safe to draw."""
    status: Status
    at: At
    digest: str
    """Digest of the bytes in `at`."""
    roles: tuple[str, ...] | None = None
    """Who it is for; `None` = everyone."""
    rank: tuple[int | float | str, ...] = ()
    """Its place under a budget; smaller goes in first; each format has its own."""
    context: str = ""
    """The heading path or group it stands in, ` › ` between parts."""
    date: str = ""
    """`YYYY-MM-DD`, or empty."""
    problems: tuple[Problem, ...] = field(default=())
    label: str = ""
    """What its record calls it, where that is not its text: the row of a list shows it."""
    phases: tuple[str, ...] = ()
    """Phases of a protocol that it is for; empty = all."""

    @property
    def row_text(self) -> str:
        """What a list shows of it; not yet safe to draw."""
        return self.label or self.title

    @property
    def is_read_only(self) -> bool:
        return any(problem.blocks_writing for problem in self.problems)
