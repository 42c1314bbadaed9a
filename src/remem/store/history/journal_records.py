"""What the journal knows of a change, and of one that is under way, as values and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from remem.base.effects import Json
from remem.base.errors import UnknownRef
from remem.base.frozen import dataclass
from remem.model.change import Change, Intent
from remem.model.entry import Ref
from remem.store.changes.steps import Step, all_to_json, from_json

Actor = Literal["person", "agent", "auto"]
"""Who speaks; `auto`: remem itself, by rules, or for a writer whose bytes came late."""
SetOff = Literal["person", "agent", ""]
"""Who set a change off, whoever speaks in it: an ingest that was typed speaks for the rules and is
the person's all the same. Empty: nobody, it came by itself, and is taken back only by its id."""
Door = Literal["tui", "cli", "mcp", "provider"]
Purpose = Literal["commit", "undo", "redo", "hold", "rows"]
"""`hold`: what another writer reverted at once is merged again, as part of the same change.
`rows`: rows of one database and nothing else, which its own transaction keeps whole."""
Settled = Literal["", "git", "late", "rows"]
"""Why nobody looks any more whether a change stands: git moved, the queue told of its end, or it is
of rows, whose database tells all that became of them."""
_BY_RULES: Final = ("auto", "person")


@dataclass(frozen=True, slots=True)
class Origin:
    """Who makes a change, through which door and where, and what made them."""

    root: Path
    actor: Actor = "person"
    door: Door = "cli"
    set_off: SetOff = "person"
    follows: str = ""
    """Id of the change that this one followed from; taken back and done again with it."""

    @property
    def who(self) -> str:
        """Who speaks, and for whom, in words."""
        return "auto for a person" if (self.actor, self.set_off) == _BY_RULES else self.actor


@dataclass(frozen=True, slots=True)
class Logged:
    """A change in the history; its steps are read by `Journal.steps`."""

    id: str
    time: datetime
    origin: Origin
    title: str
    intent: Intent
    reason: str = ""
    receipt: str = ""
    touched: Mapping[Ref, Ref | None] = field(default_factory=dict)
    undone: bool = False
    superseded: bool = False
    """It was undone and a newer change prevents it: redo does not offer it."""
    git: str = ""
    """How git stood when it was made, as `code/git.py` tells it; empty = no repository."""
    settled: Settled = ""
    pruned: bool = False
    """Only this line is kept: it can be neither shown as a diff nor taken back."""

    @classmethod
    def of(
        cls,
        change: Change,
        id: str,  # noqa: A002
        time: datetime,
        origin: Origin,
        git: str = "",
    ) -> Logged:
        """Return how the history tells of a change."""
        return cls(
            id,
            time,
            origin,
            change.title,
            change.intent,
            change.reason,
            change.receipt,
            change.touched,
            git=git,
        )


@dataclass(frozen=True, slots=True)
class Left:
    """How a run left a place, so that no other process takes that for a stranger's work."""

    path: Path
    how: str
    """The digest of its bytes; empty = nothing is there; `MOVED` = all of it came or went."""
    moment: int
    """Milliseconds since the epoch."""


MOVED: Final = "moved"


@dataclass(frozen=True, slots=True)
class Parked:
    """A file that was swapped out, kept for what a handle that is still open may write to it."""

    path: Path
    """Where it lies now."""
    target: Path
    """The live file that took its place."""
    op: str
    """The run that swapped it out."""
    number: int
    """Of the step in that run."""
    since: datetime
    size: int
    digest: str
    """Of its bytes when they were last looked at."""
    tail: int = 0
    """How many bytes at its end came late and were put into the live file."""


@dataclass(frozen=True, slots=True)
class Running:
    """A commit, undo or redo that began and has not been seen to end."""

    op: str
    """Names its temporary files: `.remem-<op>-<n>.new`."""
    purpose: Purpose
    logged: Logged
    steps: tuple[Step, ...]
    """What it does, in order."""

    @property
    def title(self) -> str:
        """What it was about to do: to take a change back is not the change."""
        doing = {"undo": "Undo: ", "redo": "Redo: "}
        return f"{doing.get(self.purpose, '')}{self.logged.title}"


def running_to_json(running: Running) -> dict[str, Json]:
    """Return a running change as it is written to its intent file."""
    return {
        "op": running.op,
        "purpose": running.purpose,
        "logged": logged_to_json(running.logged),
        "steps": all_to_json(running.steps),
    }


def running_from_json(values: object) -> Running:
    """Read what `running_to_json` wrote.

    Raises:
        ValueError: It is not that.
    """
    try:
        fields = cast("dict[str, Any]", values)
        if fields["purpose"] not in get_args(Purpose):
            raise ValueError(f"`{fields['purpose']}` is no purpose")
        return Running(
            str(fields["op"]),
            fields["purpose"],
            logged_from_json(fields["logged"]),
            steps_from_json(fields["steps"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a running change: {error!r}") from error


def steps_from_json(values: object) -> tuple[Step, ...]:
    """Read what `all_to_json` wrote.

    Raises:
        ValueError: It is not that.
    """
    if not isinstance(values, list):
        raise ValueError("steps are a list")  # noqa: TRY004 - one error for all that is not ours
    return tuple(from_json(value) for value in values)


def logged_to_json(logged: Logged) -> dict[str, Json]:
    """Return a change of the history as plain JSON, without what may still happen to it."""
    return {
        "id": logged.id,
        "time": logged.time.isoformat(),
        "root": str(logged.origin.root),
        "actor": logged.origin.actor,
        "door": logged.origin.door,
        "set_off": logged.origin.set_off,
        "follows": logged.origin.follows,
        "title": logged.title,
        "reason": logged.reason,
        "receipt": logged.receipt,
        "intent": logged.intent.to_json(),
        "touched": {str(old): str(new) if new else None for old, new in logged.touched.items()},
        "git": logged.git,
    }


@lru_cache(maxsize=512)
def logged_from_text(text: str) -> Logged:
    """Read a row of the history; after each decision all that stand are read once more."""
    return logged_from_json(json.loads(text))


def logged_from_json(values: Mapping[str, Json]) -> Logged:
    """Read what `logged_to_json` wrote; refs that cannot be read any more are left out."""
    texts = {name: str(values[name]) for name in ("id", "time", "title", "reason", "receipt")}
    intent = cast("dict[str, dict[str, Json]]", values["intent"])
    touched = cast("dict[str, str | None]", values["touched"])
    actor, verb = cast("Actor", values["actor"]), str(intent["verb"])
    return Logged(
        texts["id"],
        datetime.fromisoformat(texts["time"]),
        Origin(
            Path(str(values["root"])),
            actor,
            cast("Door", values["door"]),
            cast("SetOff", values.get("set_off", set_off_before(actor, verb))),
            str(values.get("follows", "")),
        ),
        texts["title"],
        Intent(
            verb,
            {ref: str(digest) for ref, digest in _refs(intent["shown"]).items()},
            intent["arguments"],
        ),
        texts["reason"],
        texts["receipt"],
        {old: _ref(new) if new else None for old, new in _refs(touched).items()},
        git=str(values.get("git", "")),
    )


def name_was_picked(intent: Mapping[str, Json], name: str) -> bool:
    """Tell whether what the history keeps of an intent picked something of that name."""
    items, shown = intent.get("items", []), intent["shown"]
    assert isinstance(items, list)
    assert isinstance(shown, Mapping)
    if len(name) >= _SHORTEST and any(str(each).startswith(name) for each in items):
        return True
    return any(name in (str(ref), str(ref.without_place()), ref.id) for ref in _refs(shown))


def ref_of_item(intent: Mapping[str, Json], item: str) -> Ref | None:
    """Return what an item was about that the history keeps of an intent, by its id's start."""
    items, shown = intent.get("items", []), intent["shown"]
    assert isinstance(items, list)
    assert isinstance(shown, Mapping)
    refs = [*_refs(shown)]
    if len(refs) != len(items):  # several waited about one entry
        return None
    return next(
        (r for r, each in zip(refs, items, strict=True) if str(each).startswith(item)), None
    )


_SHORTEST: Final = 4
"""Digits of an id that name what waited."""


def unread(id: str, time: datetime, root: Path) -> Logged:  # noqa: A002
    """Return what can be said of a change of which nothing else is known."""
    return Logged(id, time, Origin(root), "A change that can no longer be read", Intent(""))


def moment_of(time: datetime) -> int:
    """Return a time as milliseconds since the epoch."""
    return int(time.timestamp() * 1000)


def set_off_before(actor: str, verb: str) -> SetOff:
    """Return who set off a change that was written down before that was told by itself.

    Of what spoke for remem then, only late bytes came without a person asking for it.
    """
    if actor == "agent":
        return "agent"
    return "" if actor == "auto" and verb == "late" else "person"


def _refs(values: Mapping[str, object]) -> dict[Ref, str]:
    found = ((_ref(text), value) for text, value in values.items())
    return {ref: "" if value is None else str(value) for ref, value in found if ref is not None}


def _ref(text: str) -> Ref | None:
    try:
        return Ref.parse(text)
    except UnknownRef:
        return None
