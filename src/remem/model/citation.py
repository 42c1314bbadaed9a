"""Citations: the places in code that prove a memory, and what a check of one found (FORMATS 6.3).

What is compared, and how text becomes a hash, is said here; who reads the code is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Final

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.model.change import Json

MAX_LINES: Final = 2_000
"""Lines of one citation; more prove nothing that fewer do not."""

_HASH: Final = re.compile(r"[0-9a-fA-F]{64}")
_COMMIT: Final = re.compile(r"[0-9a-fA-F]{7,64}")
_PLACE: Final = re.compile(r"(?P<path>.+):(?P<start>-?\d{1,9})(?:-(?P<end>-?\d{1,9}))?", re.DOTALL)
_CLAIM: Final = re.compile(
    r"(?P<path>[^:#]+?)(?:::(?P<symbol>[^=#]+)|#(?P<key>(?:\"(?:[^\"\\]|\\.)*\"|[^=\"])+))"
    r"(?:=(?P<equals>.*))?",
    re.DOTALL,
)
"""`PATH::NAME`, `PATH::NAME=LITERAL`, `PATH#KEY`, `PATH#KEY=VALUE`."""
_KEYS: Final = (
    *("path", "line_start", "line_end", "sha", "snippet_hash", "snippet"),
    *("symbol", "key", "equals"),
)


class BadCitation(RememError):
    """A citation names no place that could be read; the message says which part."""

    code = "bad-citation"


@dataclass(frozen=True, slots=True)
class Citation:
    """Lines of a file in a repository; what a database holds, however odd, fits in here."""

    path: str
    """Relative to the top of the repository, with `/`."""
    line_start: int
    """From 1."""
    line_end: int
    """Included."""
    sha: str = ""
    """The commit that was read; empty outside git."""
    snippet_hash: str = ""
    """What `hash_of` gave for the cited lines; empty where the citation has none."""
    snippet: str | None = None
    """The cited lines as they were read."""
    symbol: str = ""
    """What is claimed to be defined in the file, whatever its lines say: `Berth.moor`."""
    key: str = ""
    """What is claimed to stand in a YAML, JSON or TOML file: `tool.ruff.line-length`."""
    equals: str | None = None
    """The value that the symbol or key is claimed to have, as JSON or code writes it."""
    unknown: Mapping[str, Json] = field(default_factory=dict, hash=False)
    """Keys that others keep beside them."""

    @property
    def is_claim(self) -> bool:
        """It claims something that outlives lines; those only say where it was seen."""
        return bool(self.symbol or self.key)

    @property
    def place(self) -> str:
        """What it names in the file, as people write it after the path: `:3-9`, `::NAME=4`."""
        if not self.is_claim:
            return f":{self.lines}"
        named = f"::{self.symbol}" if self.symbol else f"#{self.key}"
        return named if self.equals is None else f"{named}={self.equals}"

    @property
    def is_in_order(self) -> bool:
        return 1 <= self.line_start <= self.line_end

    @property
    def count(self) -> int:
        """How many lines it names."""
        return self.line_end - self.line_start + 1

    @property
    def lines(self) -> str:
        """The lines as people write them: `3`, `3-9`."""
        one = self.line_start == self.line_end
        return str(self.line_start) if one else f"{self.line_start}-{self.line_end}"

    @property
    def known_hash(self) -> str:
        """What the lines are compared with; empty where nothing here can be compared.

        A hash of another length is somebody else's, and nobody knows of what.
        """
        if _HASH.fullmatch(self.snippet_hash):
            return self.snippet_hash.lower()
        return "" if self.snippet is None else hash_of(self._snippet_lines(self.snippet))

    @property
    def known_lines(self) -> tuple[str, ...]:
        """The cited lines, if they are at hand and are those of the hash."""
        if self.snippet is None:
            return ()
        lines = self._snippet_lines(self.snippet)
        return lines if hash_of(lines) == self.known_hash else ()

    def _snippet_lines(self, snippet: str) -> tuple[str, ...]:
        lines = snippet.split("\n")
        if len(lines) > self.count and not lines[-1]:
            lines.pop()  # others end a snippet as a file ends
        return tuple(line.removesuffix("\r") for line in lines)

    @property
    def commit(self) -> str:
        """The commit, if it is written as one: nothing else is ever handed to git."""
        return self.sha.lower() if _COMMIT.fullmatch(self.sha) else ""

    def at(self, path: str, start: int, sha: str, lines: Sequence[str]) -> Citation:
        """Return the citation anchored at other lines, with everything that remem fills in."""
        return replace(
            self,
            path=path,
            line_start=start,
            line_end=start + len(lines) - 1,
            sha=sha,
            snippet_hash=hash_of(lines),
            snippet="\n".join(lines),
        )

    def to_json(self) -> dict[str, Json]:
        """Return it as the database holds it; what is not known is left out."""
        found: dict[str, Json] = {
            "path": self.path,
            "line_start": self.line_start,
            "line_end": self.line_end,
        }
        if self.sha:
            found["sha"] = self.sha
        if self.snippet_hash:
            found["snippet_hash"] = self.snippet_hash
        if self.snippet is not None:
            found["snippet"] = self.snippet
        if self.symbol:
            found["symbol"] = self.symbol
        if self.key:
            found["key"] = self.key
        if self.is_claim and self.equals is not None:
            found["equals"] = self.equals
        return {**found, **self.unknown}

    def __str__(self) -> str:
        return f"{self.path}{self.place}"


class CitationStatus(StrEnum):
    """What became of a cited place, or of a memory as a whole."""

    VALID = "valid"
    MOVED = "moved"
    CHANGED = "changed"
    MISSING = "missing"
    OUT_OF_RANGE = "out_of_range"
    UNCHECKED = "unchecked"
    """It was not compared, or could not be read now: neither held nor refuted."""


class Checked(StrEnum):
    """What a verdict rests on."""

    TEXT = "text"
    """The lines were compared with what was cited."""
    SYNTAX = "syntax"
    """What was claimed was looked up in the file's own syntax, wherever it stands there."""
    WHITESPACE = "whitespace"
    """They are equal but for blanks at the ends of lines, where those mean nothing."""
    EXISTENCE = "existence"
    """The lines are there, with nothing to compare them with: they are `unchecked`."""
    NOTHING = "nothing"


_WORST_FIRST: Final = (
    CitationStatus.MISSING,
    CitationStatus.OUT_OF_RANGE,
    CitationStatus.CHANGED,
    CitationStatus.MOVED,
    CitationStatus.UNCHECKED,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file, the last one included."""

    path: str
    line_start: int
    line_end: int

    def __str__(self) -> str:
        one = self.line_start == self.line_end
        lines = str(self.line_start) if one else f"{self.line_start}-{self.line_end}"
        return f"{self.path}:{lines}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check of one citation found."""

    citation: Citation
    status: CitationStatus
    checked: Checked = Checked.TEXT
    exists: bool = True
    """The file is there."""
    content: str | None = None
    """What stands at the cited lines now, as far as the file reaches; text of others."""
    expected: str | None = None
    """What was cited, where that is known."""
    moved_to: Place | None = None
    """Where the cited lines stand now; only with `moved`."""
    moved_text: str | None = None
    """What stands there: the cited lines, maybe with other blanks at their ends."""
    commit: str = ""
    """The commit that was read; empty where nothing can be cited anew, or outside git."""
    candidates: tuple[Place, ...] = ()
    """Where they may stand now, when several places have them."""
    error: str = ""
    """Why nothing could be read, or what is odd: one sentence without a full stop."""

    @property
    def is_valid(self) -> bool:
        return self.status is CitationStatus.VALID

    @property
    def is_there(self) -> bool:
        """The lines are there, and could not be compared with anything."""
        return self.checked is Checked.EXISTENCE

    @property
    def anchored(self) -> Citation:
        """The citation with the lines that stand there now, if it held or could not be compared.

        From then on it is compared. Somebody has to have looked, as who refreshes a memory has.
        """
        cited = self.citation
        if cited.snippet is not None or self.content is None:
            return cited
        if self.is_there:
            return cited.at(cited.path, cited.line_start, self.commit, self.content.split("\n"))
        if self.checked is Checked.TEXT and self.is_valid:
            return replace(cited, snippet_hash=cited.known_hash or self._hash, snippet=self.content)
        return cited

    @property
    def _hash(self) -> str:
        return hash_of((self.content or "").split("\n"))

    @property
    def anew(self) -> Citation | None:
        """The citation of what stands in its place now; `None` where nothing does.

        Of a moved one that is the same text elsewhere, of a changed one the text that is there now:
        whether that still proves the memory is for a person to say.
        """
        match self.status:
            case CitationStatus.VALID:
                return self.citation
            case CitationStatus.UNCHECKED if self.is_there:
                # As it was: a hash of what stands there now would say that it had been compared.
                return self.citation
            case CitationStatus.MOVED if self.moved_to is not None and self.moved_text is not None:
                path, start, text = self.moved_to.path, self.moved_to.line_start, self.moved_text
                return self.citation.at(path, start, self.commit, text.split("\n"))
            case CitationStatus.CHANGED if self.citation.is_claim:
                return None  # another value is another claim
            case CitationStatus.CHANGED if self.content is not None:
                path, start = self.citation.path, self.citation.line_start
                return self.citation.at(path, start, self.commit, self.content.split("\n"))
            case _:
                return None

    @property
    def new_path(self) -> str:
        """The other file that it moved to; empty within its own."""
        other = self.moved_to is not None and self.moved_to.path != self.citation.path
        return self.moved_to.path if self.moved_to is not None and other else ""

    def to_json(self) -> dict[str, Json]:
        """Return it as `memory verify --json` and `memory.verify_citations` show it."""
        found: dict[str, Json] = {
            "path": self.citation.path,
            "line_start": self.citation.line_start,
            "line_end": self.citation.line_end,
            "exists": self.exists,
            "status": str(self.status),
            "checked": str(self.checked),
        }
        if self.content is not None:
            found["content"] = self.content
        if self.moved_to is not None:
            found["new_line_start"] = self.moved_to.line_start
            found["new_line_end"] = self.moved_to.line_end
        if self.new_path:
            found["new_path"] = self.new_path
        if self.candidates:
            found["candidates"] = [str(place) for place in self.candidates]
        if self.error:
            found["error"] = self.error
        return found

    def __str__(self) -> str:
        """Say it in a few words: `src/a.py:3-9 moved to src/b.py:12-18`."""
        return f"{self.citation} {self.became}"

    @property
    def became(self) -> str:
        """What became of it, after its name: `changed`, `moved to line 12`."""
        if self.moved_to is not None:
            to = self.moved_to if self.new_path else f"line {self.moved_to.line_start}"
            return f"moved to {to}"
        words = {
            CitationStatus.OUT_OF_RANGE: "is out of range",
            CitationStatus.VALID: "holds",
            CitationStatus.CHANGED: "does not hold" if self.citation.is_claim else "changed",
            CitationStatus.MISSING: "is missing",
            CitationStatus.MOVED: "moved",
            CitationStatus.UNCHECKED: "could not be read",
        }
        return "was not compared" if self.is_there else words[self.status]


def together(verdicts: Iterable[Verdict]) -> CitationStatus:
    """Return the verdict on several citations: valid if all of them are, else the worst of them.

    A memory without citations is proved by nothing, which is `missing`.
    """
    found = {verdict.status for verdict in verdicts}
    if not found:
        return CitationStatus.MISSING
    return next((each for each in _WORST_FIRST if each in found), CitationStatus.VALID)


def hash_of(lines: Iterable[str]) -> str:
    """Return the SHA-256 of cited lines: trailing white space off each, line feeds between them."""
    text = "\n".join([line.rstrip() for line in lines])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def citation_of(value: Json) -> Citation:
    """Read a citation as JSON holds it.

    Line numbers that name nothing are taken as they are: a check calls them `out_of_range`.

    Raises:
        BadCitation: It is no mapping, or has no path or no whole numbers as lines.
    """
    if not isinstance(value, Mapping):
        raise BadCitation(
            f"a citation must be a mapping, not {_named(value)}",
            hint='write `{"path": "src/a.py", "line_start": 3, "line_end": 9}`',
        )
    path = value.get("path")
    if not isinstance(path, str) or not path:
        raise BadCitation("a citation has no `path`", hint="give the path from the repository root")
    symbol, key = _text(value, "symbol"), _text(value, "key")
    is_bare = (symbol or key) and value.get("line_start") is None
    start = 0 if is_bare else _number(value, "line_start")
    end = _number(value, "line_end") if value.get("line_end") is not None else start
    return Citation(
        path,
        start,
        end,
        sha=_text(value, "sha"),
        snippet_hash=_text(value, "snippet_hash"),
        snippet=_text(value, "snippet") if value.get("snippet") is not None else None,
        symbol=symbol,
        key=key,
        equals=_value(value.get("equals")) if symbol or key else None,
        unknown={key: each for key, each in value.items() if key not in _KEYS},
    )


def citations_of(value: Json) -> tuple[Citation, ...]:
    """Read a list of citations, as the column of a database holds it.

    Raises:
        BadCitation: It is no list, or one in it is none.
    """
    if not isinstance(value, list):
        raise BadCitation("citations are a list", hint='write `[{"path": …, "line_start": …}]`')
    return tuple(citation_of(each) for each in value)


def parse_place(text: str) -> Citation:
    """Read a place or a claim as people write it on a command line.

    That is `PATH:A-B`, `PATH:A`, `PATH::NAME`, `PATH::NAME=LITERAL`, `PATH#KEY` or
    `PATH#KEY=VALUE`.

    Raises:
        BadCitation: It has another shape, or names lines that no file has.
    """
    match = _PLACE.fullmatch(text)
    claim = _CLAIM.fullmatch(text) if match is None else None
    if claim is not None:
        symbol, key = (claim["symbol"] or "").strip(), (claim["key"] or "").strip()
        return Citation(claim["path"], 0, 0, symbol=symbol, key=key, equals=claim["equals"])
    if match is None:
        raise BadCitation(
            f"`{text}` is not a place",
            hint="write `src/a.py:3-9`, `src/a.py::NAME=4` or `pyproject.toml#project.name`",
        )
    start = int(match["start"])
    found = Citation(match["path"], start, int(match["end"] or start))
    require_place(found)
    return found


def require_place(citation: Citation) -> None:
    """Insist on lines that a file could have; used before anything is stored.

    Raises:
        BadCitation: They begin before line 1, end before they begin, or are too many.
    """
    if citation.is_claim:
        return
    if citation.line_start < 1:
        raise BadCitation(
            f"`{citation.path}` is cited from line {citation.line_start}",
            hint="lines are counted from 1",
        )
    if citation.line_end < citation.line_start:
        raise BadCitation(
            f"`{citation.path}` is cited from line {citation.line_start} to {citation.line_end}",
            hint="write the smaller number first",
        )
    if citation.count > MAX_LINES:
        raise BadCitation(
            f"`{citation.path}` is cited with {citation.count:,} lines",
            hint="cite only the lines that prove it",
        )


def _number(value: Mapping[str, Json], key: str) -> int:
    found = value.get(key)
    if isinstance(found, float) and found.is_integer():
        return int(found)
    if isinstance(found, bool) or not isinstance(found, int):
        raise BadCitation(
            f"`{key}` must be a whole number, not {_named(found)}",
            hint="lines are counted from 1",
        )
    return found


def _value(value: Json) -> str | None:
    """Return what something is claimed to be, as it is written; a text without its quotes."""
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _text(value: Mapping[str, Json], key: str) -> str:
    found = value.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise BadCitation(f"`{key}` must be text, not {_named(found)}")
    return found


def _named(value: Json) -> str:
    match value:
        case None:
            return "nothing"
        case bool() | int() | float() | str():
            return f"`{value}`"
        case list():
            return "a list"
        case _:
            return "a mapping"
