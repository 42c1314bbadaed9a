"""What stands beside memory and is decided on like it: what others reverted, took out, wrote.

Values only; what makes them is `core/history/followup.py`, `core/inbox/` and
`systems/personas/moving/recreated.py`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, Self, cast

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.model.change import Intent, Json
from remem.model.entry import Ref

_NOTHING: Final[Mapping[str, Json]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Reverted:
    """One entry on which a decision stood that another writer took back, knowingly or not."""

    change: str
    """Id of the change in the history."""
    title: str
    """Of the change: `Approve conv-012`."""
    time: datetime
    """When the change was committed."""
    ref: Ref
    """The entry to look at: the one decided on where it is there, else the one that is missing."""
    kind: str
    text: str
    """What the entry says, or said."""
    intent: Intent
    """The same verb on this entry alone, with the digest that stands now."""
    path: Path | None
    """The file in which it was reverted; `None` where no file could hold it."""
    early: bool = False
    """The file was written within two seconds of the commit, by someone who had read it before."""


REVERTED: Final = "reverted"
"""The kind of what waits for it, and of a rejection that leaves it as it stands now."""


def intent_again(found: Sequence[Reverted]) -> Intent:
    """Return the one intent that does again what was reverted of a change.

    Raises:
        NotPossible: They were decided in different ways.
    """
    first = found[0].intent
    shown: dict[Ref, str] = {}
    for each in found:
        if (each.intent.verb, each.intent.arguments) != (first.verb, first.arguments):
            raise NotPossible(
                "these were decided in different ways", hint="decide on them one by one"
            )
        shown.update(each.intent.shown)
    return Intent(first.verb, shown, first.arguments)


def words_of(reverted: Reverted) -> str:
    """Return what is kept of a reverted decision that is left so."""
    return f"{reverted.title} of {reverted.time:%Y-%m-%d %H:%M:%S}: {reverted.text}"


@dataclass(frozen=True, slots=True)
class Vanished:
    """An entry that another writer took out of a file and that stands nowhere else."""

    ref: Ref
    kind: str
    title: str
    path: Path
    time: datetime
    body: bytes
    """Its own bytes, whole lines."""
    start: int
    """Where they began, in the file as it was; offset from 0."""
    above: bytes = b""
    """Whole lines that stood before it, as far as they are needed to find the place again."""
    below: bytes = b""
    size: int = 0
    """Length of the file as it was."""
    fields: Mapping[str, Json] = field(default_factory=lambda: _NOTHING, hash=False)
    """What its format would take to add it at the end of its store."""
    others: int = 0
    """Entries that vanished in the same write and are not listed one by one."""
    outside: int = 0
    """Number of the change from outside; 0 = not known."""

    @property
    def digest(self) -> str:
        """Of nothing: there are no bytes that a decision on it could be bound to."""
        return ""

    def to_json(self) -> dict[str, Json]:
        return {
            "ref": str(self.ref),
            "kind": self.kind,
            "title": self.title,
            "path": str(self.path),
            "time": self.time.isoformat(),
            "body": _encoded(self.body),
            "start": self.start,
            "above": _encoded(self.above),
            "below": _encoded(self.below),
            "size": self.size,
            "fields": dict(self.fields),
            "others": self.others,
        }

    @classmethod
    def from_json(cls, values: object, outside: int = 0) -> Self:
        """Read what `to_json` wrote.

        Raises:
            ValueError: It is not that.
        """
        try:
            of = cast("dict[str, Any]", values)
            return cls(
                Ref.parse(of["ref"]),
                str(of["kind"]),
                str(of["title"]),
                Path(of["path"]),
                datetime.fromisoformat(of["time"]),
                b64decode(of["body"]),
                int(of["start"]),
                b64decode(of["above"]),
                b64decode(of["below"]),
                int(of["size"]),
                dict(of["fields"]),
                int(of["others"]),
                outside,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a vanished entry: {error!r}") from error


@dataclass(frozen=True, slots=True)
class RecreatedFolder:
    """A persona's folder that remem moved away and that someone made again."""

    change: str
    """Id of the change that moved it."""
    persona: str
    """The name of the folder that is there again."""
    layout: str
    old: Path
    new: Path
    """Where the persona's memory lies now."""
    time: datetime
    """When it was moved."""
    archived: bool = False
    """It was put into the archive, not renamed."""


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """One entry that was written, changed or taken out since a person looked."""

    what: Literal["new", "changed", "removed"]
    ref: Ref
    kind: str
    title: str
    path: Path
    source: str
    """Name of the source that it stands in, or stood."""
    digest: str
    """Of the entry; empty where it was removed."""
    key: str
    """Stands for its text among those of its file; empty where it was removed."""
    was: str
    """The same of its earlier text; empty where it is new."""
    time: datetime
    """When its file was written, as far as that was seen."""
    event: int
    """What came at once has one number."""
    roles: tuple[str, ...] | None = None
    file: bytes = field(default=b"", repr=False)
    """A version of the file in which the earlier text stands, or from before it was new."""
    start: int = 0
    """Where in that version."""
    end: int = 0
    by: str = ""
    """What is known of who wrote it: a commit."""
    owner: str = ""
    """The persona whose memory it stands in, or stood; empty = it is shared by all."""
    is_passed_over: bool = False
    """True = nobody needs to look: it needs a decision anyway, or git alone put it there."""

    @property
    def text_before(self) -> bytes:
        """What it said before it was changed or removed."""
        return self.file[self.start : self.end]


_NONE: Final[Mapping[Ref, Unreviewed]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Aside:
    """All of it at one root."""

    reverted: tuple[Reverted, ...] = ()
    vanished: tuple[Vanished, ...] = ()
    recreated: tuple[RecreatedFolder, ...] = ()
    unreviewed: Mapping[Ref, Unreviewed] = field(default_factory=lambda: _NONE)
    passed_over: tuple[Unreviewed, ...] = ()
    """What differs from what was seen and is not for a person to review."""
    reviewed: Path | None = None
    """The folder that keeps what a person marked as reviewed; `None` = there is no inbox here."""

    def concerns(self, paths: Collection[Path], shown: Collection[Ref]) -> bool:
        """Tell whether a change of these files, decided on these refs, may have answered any."""
        if self.reverted or self.vanished or self.recreated:
            return True  # what brings it back may stand in any file
        is_marked = self.reviewed is not None and any(
            p.is_relative_to(self.reviewed) for p in paths
        )
        found = self.unreviewed.items()
        return is_marked or any(ref in shown or each.path in paths for ref, each in found)

    def reverted_at(self, ref: Ref) -> Reverted | None:
        return next((each for each in self.reverted if each.ref == ref), None)

    def vanished_at(self, ref: Ref) -> Vanished | None:
        return next((each for each in self.vanished if each.ref == ref), None)


def _encoded(data: bytes) -> str:
    return b64encode(data).decode("ascii")
