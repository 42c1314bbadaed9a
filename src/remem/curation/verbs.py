"""Every verb that decides something, declared once: its words, when it is blocked, its planner.

Keys, footer, help, palette and the command line read these declarations; `plan` turns an intent
into a change. Verbs of the screens alone are the TUI's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.curation import decide, edit, merge, personas
from remem.curation.scaffold import plan_init
from remem.errors import NotPossible, UnknownRef
from remem.library import Library
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Status
from remem.model.retro import FINDING

if TYPE_CHECKING:
    from remem.curation.queue import Item

Planner: TypeAlias = Callable[[Library, Intent], Change]
Blocked: TypeAlias = "Callable[[Library, Item | Entry | None], str | None]"


def _never(library: Library, what: Item | Entry | None) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Verb:
    """One thing that a person can do."""

    id: str
    """Dotted and permanent: people write it in their keymap."""
    title: str
    key: str
    """Empty = no key of its own."""
    help: str
    group: str
    blocked: Blocked = _never
    """Why it cannot act on this, in words for the footer; `None` when it can."""


def _entry(library: Library, what: Item | Entry | None) -> Entry | None:
    """Return the entry as the library has it now."""
    if what is None:
        return None
    try:
        return library.entry(what.ref)
    except UnknownRef:
        return None


def _needs(check: Callable[[Library, Entry], str | None]) -> Blocked:
    """Make a reason of a check on an entry that is there."""

    def blocked(library: Library, what: Item | Entry | None) -> str | None:
        entry = _entry(library, what)
        return "there is nothing under the cursor" if entry is None else check(library, entry)

    return blocked


def _read_only(library: Library, entry: Entry) -> str | None:
    source = library.source_of(entry)
    if entry.is_read_only or not source.is_writable:
        return f"`{source.name}` is shown and not written"
    return None


def _does_not_wait(library: Library, entry: Entry) -> str | None:
    if entry.status is not Status.CANDIDATE:
        return "it does not wait for a decision"
    return None if entry.kind == FINDING else _read_only(library, entry)


def _is_no_finding(library: Library, entry: Entry) -> str | None:
    if entry.status is Status.CANDIDATE and entry.kind == FINDING:
        return None
    return "only a finding can be kept as a candidate"


def _is_no_store_entry(library: Library, entry: Entry) -> str | None:
    if entry.kind == FINDING:
        return "a finding stays in its retro; approve it or reject it"
    return _read_only(library, entry)


def _cannot_merge(library: Library, entry: Entry) -> str | None:
    if entry.ref.format != "sniper":
        return "only SNIPER entries and findings can be merged"
    if entry.kind == FINDING:
        return _does_not_wait(library, entry)
    return _read_only(library, entry)


def _cannot_archive(library: Library, entry: Entry) -> str | None:
    if entry.status not in (Status.ACTIVE, Status.CANDIDATE):
        return "it is archived already"
    return _is_no_store_entry(library, entry)


def _cannot_restore(library: Library, entry: Entry) -> str | None:
    if entry.status in (Status.ACTIVE, Status.CANDIDATE):
        return "it is not archived"
    return _is_no_store_entry(library, entry)


APPROVE: Final = Verb(
    "approve", "Approve", "a", "Put it into force.", "Decide", _needs(_does_not_wait)
)
REJECT: Final = Verb(
    "reject", "Reject", "r", "Send it away and say why.", "Decide", _needs(_does_not_wait)
)
KEEP: Final = Verb(
    "keep",
    "Keep as candidate",
    "",
    "Add the finding as a candidate.",
    "Decide",
    _needs(_is_no_finding),
)
EDIT: Final = Verb("edit", "Edit", "e", "Change its text.", "Decide", _needs(_is_no_store_entry))
MERGE: Final = Verb(
    "merge", "Merge", "m", "Put it into an entry that says the same.", "Decide",
    _needs(_cannot_merge),
)  # fmt: skip
PROMOTE: Final = Verb(
    "promote", "Promote", "p", "Lift it one level.", "Decide", _needs(_does_not_wait)
)
ADD: Final = Verb("add", "Add", "i", "Write a new entry.", "Keep")
ARCHIVE: Final = Verb(
    "archive", "Archive", "x", "Take it out of every prompt.", "Keep", _needs(_cannot_archive)
)
RESTORE: Final = Verb(
    "restore", "Restore", "x", "Bring it back from the archive.", "Keep", _needs(_cannot_restore)
)
REMOVE: Final = Verb(
    "remove", "Remove", "", "Take it out of its file.", "Keep", _needs(_is_no_store_entry)
)
PERSONA_RENAME: Final = Verb(
    "persona.rename", "Rename", "R", "Give the persona another name.", "Personas"
)
PERSONA_ARCHIVE: Final = Verb(
    "persona.archive", "Archive persona", "x", "Put the persona's memory away.", "Personas"
)
PERSONA_RESTORE: Final = Verb(
    "persona.restore", "Restore persona", "x", "Bring the persona back.", "Personas"
)
PERSONA_NEW: Final = Verb("persona.new", "New persona", "", "Make a persona.", "Personas")
INIT: Final = Verb("init", "Set up", "", "Make an empty project memory.", "Keep")

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        APPROVE: decide.plan_approve,
        REJECT: decide.plan_reject,
        KEEP: decide.plan_keep,
        EDIT: edit.plan_edit,
        MERGE: merge.plan_merge,
        PROMOTE: decide.plan_promote,
        ADD: edit.plan_add,
        ARCHIVE: edit.plan_archive,
        RESTORE: edit.plan_restore,
        REMOVE: edit.plan_remove,
        PERSONA_RENAME: personas.plan_rename,
        PERSONA_ARCHIVE: personas.plan_archive,
        PERSONA_RESTORE: personas.plan_restore,
        PERSONA_NEW: personas.plan_new,
        INIT: plan_init,
    }
)
VERBS: Final[tuple[Verb, ...]] = tuple(PLANS)
_BY_ID: Final[Mapping[str, Verb]] = {verb.id: verb for verb in VERBS}
_MOVES_FOLDERS: Final = frozenset({PERSONA_RENAME, PERSONA_ARCHIVE, PERSONA_RESTORE})


def verb(name: str) -> Verb:
    """Return the verb with that id.

    Raises:
        NotPossible: There is none.
    """
    if name not in _BY_ID:
        names = ", ".join(f"`{each}`" for each in _BY_ID)
        raise NotPossible(f"there is no verb `{name}`", hint=f"the verbs are {names}")
    return _BY_ID[name]


def plan(library: Library, intent: Intent) -> Change:
    """Return what an intent would write; nothing is written.

    Raises:
        RememError: It cannot be done; the message says why.
    """
    return PLANS[verb(intent.verb)](library, intent)


def needs_plan(intent: Intent) -> bool:
    """Tell whether the plan is shown before it happens: several refs, or a folder that moves."""
    return len(intent.shown) > 1 or _BY_ID.get(intent.verb) in _MOVES_FOLDERS
