"""Every verb that decides something, declared once: its words, when it is blocked, its planner.

Keys, footer, help, palette and the command line read these declarations; `plan` turns an intent
into a change. Verbs of the screens alone are the TUI's. What plans, and what tells
whether a verb is blocked, is loaded when it is first asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.registered import own, plug_ins
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.history.removed import Lost
    from remem.core.waiting.item import Item


def _cannot_approve(library: Library, what: Item | Entry | None) -> str | None:
    from remem.core.verbs.blocked import cannot_approve

    return cannot_approve(library, what)


def _cannot_reject(library: Library, what: Item | Entry | None) -> str | None:
    from remem.core.verbs.blocked import cannot_reject

    return cannot_reject(library, what)


def _is_no_finding(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import is_no_finding

    return is_no_finding(library, entry)


def _cannot_edit(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_edit

    return cannot_edit(library, entry)


def _is_no_store_entry(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import is_no_store_entry

    return is_no_store_entry(library, entry)


def _cannot_merge(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_merge

    return cannot_merge(library, entry)


def _cannot_supersede(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_supersede

    return cannot_supersede(library, entry)


def _cannot_promote(library: Library, what: Item | Entry | None) -> str | None:
    from remem.core.verbs.blocked import cannot_promote

    return cannot_promote(library, what)


def _cannot_archive(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_archive

    return cannot_archive(library, entry)


def _cannot_restore(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import cannot_restore

    return cannot_restore(library, entry)


class Approve(Args):
    """Approve items: add them to prompts.

    ITEM is an id from `remem queue`, the start of one, or the ref of a candidate.
    """

    fields: Mapping[str, Json] = other_doors("Edited fields of the entry.", default_factory=dict)
    reason: str = option(
        "--reason",
        "Why it stays beside an entry that it conflicts with; recorded.",
        metavar="TEXT",
        default="",
    )


def _plan_decision(library: Library, intent: Intent, args: Args) -> Change:
    from remem.core.waiting.grouped_plans import plan_decision

    return plan_decision(library, intent, args)


APPROVE: Final = Writing(
    id="approve",
    title="Approve",
    key="a",
    help="Approve it: add it to prompts.",
    group="Decide",
    why_not=_cannot_approve,
    args=Approve,
    plan=_plan_decision,
    repeats=True,
    command="approve",
    takes="ITEM...",
    pinned=True,
    acknowledges=True,
)


class Reject(Args):
    """Reject items with a reason."""

    reason: str = option("--reason", "Why; recorded with the decision.", metavar="TEXT", default="")
    to: str = other_doors(
        "Used by older versions for workspace proposals.",
        in_schema=False,
        default="",
    )


REJECT: Final = Writing(
    id="reject",
    title="Reject",
    key="r",
    help="Reject it with a reason.",
    group="Decide",
    why_not=_cannot_reject,
    args=Reject,
    plan=_plan_decision,
    repeats=True,
    command="reject",
    takes="ITEM...",
    pinned=True,
)


class Keep(Args):
    """Add the finding as a candidate."""


KEEP: Final = Writing(
    id="keep",
    title="Keep as candidate",
    key="c",
    help="Keep it as a candidate until it is seen again.",
    group="Decide",
    why_not=needs(_is_no_finding),
    args=Keep,
    plan=_plan_decision,
    repeats=True,
)


class Merge(Args):
    """Merge an item into an existing entry.

    Personas' lessons and Shaktra entries can be merged too, without waiting in the queue;
    different wording and evidence are kept.
    """

    into: str = option("--into", "The entry to merge it into.", metavar="REF", names_entry=True)
    into_shown: str = other_doors("The digest of that entry as shown.", default="")


MERGE: Final = Writing(
    id="merge",
    title="Merge",
    key="m",
    help="Merge it into an existing entry.",
    group="Decide",
    why_not=needs(_cannot_merge),
    args=Merge,
    plan=_plan_decision,
    repeats=True,
    command="merge",
    takes="ITEM",
    from_queue=True,
    pinned=True,
    follows="merged",
)


class Supersede(Args):
    """Replace an entry with one that conflicts with it.

    ITEM becomes active and the other entry is archived; it names its successor if its kind has a
    field for that. Entries without an archive are removed and recorded as rejected, so no retro
    brings them back.
    """

    instead_of: str = option(
        "--instead-of", "The entry it supersedes.", metavar="REF", names_entry=True
    )
    fields: Mapping[str, Json] = other_doors("Edited fields of the entry.", default_factory=dict)
    reason: str = other_doors("Why it stays beside another one that it conflicts with.", default="")


def _plan_supersede(library: Library, intent: Intent, args: Supersede) -> Change:
    from remem.core.verbs.supersede import plan_supersede

    return plan_supersede(library, intent, args)


SUPERSEDE: Final = Writing(
    id="supersede",
    title="Supersede",
    key="S",
    help="Replace the entry it conflicts with.",
    group="Decide",
    why_not=needs(_cannot_supersede),
    args=Supersede,
    plan=_plan_supersede,
    shows="always",
    command="supersede",
    takes="ITEM",
    from_queue=True,
    pinned=True,
    acknowledges=True,
)


class KeepBoth(Args):
    """Keep both entries of a conflict, and record why.

    ITEM becomes active if it was waiting. The pair is not reported again unless one of the texts
    changes.
    """

    reason: str = option("--reason", "Why both stay; recorded.", metavar="TEXT")
    beside: str = option(
        "--beside",
        "The entry it stays beside; default: every active entry it conflicts with.",
        metavar="REF",
        names_entry=True,
        default="",
    )
    fields: Mapping[str, Json] = other_doors("Edited fields of the entry.", default_factory=dict)


def _plan_keep_both(library: Library, intent: Intent, args: KeepBoth) -> Change:
    from remem.core.verbs.settle import plan_keep_both

    return plan_keep_both(library, intent, args)


KEEP_BOTH: Final = Writing(
    id="keep_both",
    title="Keep both",
    key="b",
    help="Keep it beside the entry it conflicts with, with a reason.",
    group="Decide",
    why_not=needs(_cannot_supersede),
    args=KeepBoth,
    plan=_plan_keep_both,
    shows="always",
    command="keep-both",
    takes="ITEM",
    from_queue=True,
    pinned=True,
    acknowledges=True,
)


class Scope(Args):
    """Limit who gets an entry, or one in conflict with it.

    ITEM becomes active if it was waiting, and both stay: `--role` and `--files` limit ITEM,
    `--other-role` and `--other-files` limit the other entry. The pair is not reported again
    unless one of the texts changes.
    """

    apart_from: str = option(
        "--apart-from", "The entry it conflicts with.", metavar="REF", names_entry=True
    )
    roles: tuple[str, ...] = option(
        "--role", "A role that gets ITEM; repeatable.", metavar="ROLE", default=()
    )
    files: tuple[str, ...] = option(
        "--files", "Files that ITEM is about; repeatable.", metavar="GLOB", default=()
    )
    other_roles: tuple[str, ...] = option(
        "--other-role", "A role that gets the other entry; repeatable.", metavar="ROLE", default=()
    )
    other_files: tuple[str, ...] = option(
        "--other-files",
        "Files that the other entry is about; repeatable.",
        metavar="GLOB",
        default=(),
    )
    fields: Mapping[str, Json] = other_doors("Edited fields of the entry.", default_factory=dict)


def _plan_scope(library: Library, intent: Intent, args: Scope) -> Change:
    from remem.core.verbs.settle import plan_scope

    return plan_scope(library, intent, args)


SCOPE: Final = Writing(
    id="scope",
    title="Limit scope",
    key="l",
    help="Limit it, or the entry it conflicts with, to roles or files.",
    group="Decide",
    why_not=needs(_cannot_supersede),
    args=Scope,
    plan=_plan_scope,
    shows="always",
    command="scope",
    takes="ITEM",
    from_queue=True,
    pinned=True,
    acknowledges=True,
)


class Promote(Args):
    """Promote an entry to a wider level.

    A candidate is approved; a finding approves the candidate that says the same. A persona's
    lesson becomes a proposal in Review and stays where it is. An active entry of a repository
    moves to its workspace, as with `remem workspace promote`.
    """

    to: str = option(
        "--to",
        "`workspace`; of a lesson `convention`, `learning` or a place.",
        metavar="LEVEL",
        default="",
    )
    keep: bool = option("--keep", "With `--to workspace`: keep it here as well.", default=False)


PROMOTE: Final = Writing(
    id="promote",
    title="Promote",
    key="p",
    help="Promote it to a wider level.",
    group="Decide",
    why_not=_cannot_promote,
    args=Promote,
    plan=_plan_decision,
    repeats=True,
    command="promote",
    takes="REF",
    from_queue=True,
    pinned=True,
    acknowledges=True,
)


class Add(Args):
    """Add an entry."""

    kind: str = other_doors("convention, anti_pattern, decision, lesson, …")
    text: str = other_doors("What agents should know.", default="")
    fields: Mapping[str, Json] = other_doors("The fields of its kind.", default_factory=dict)
    to: str = other_doors("The system to add it to, if several store its kind.", default="")


def _plan_add(library: Library, intent: Intent, args: Add) -> Change:
    from remem.core.verbs.add_edit_archive import plan_add

    return plan_add(library, intent, args)


ADD: Final = Writing(
    id="add",
    title="Add",
    key="i",
    help="Add a new entry.",
    group="Keep",
    args=Add,
    plan=_plan_add,
    follows="added",
)


class Edit(Args):
    """Edit fields of an entry.

    VALUE is text. `[a, b]` is a list, and `null` removes the field. Use a dot for nested fields:
    `source.ref=sprint-5-review`.
    """

    fields: Mapping[str, Json] = argument("FIELD=VALUE...", default_factory=dict)
    text: str | None = other_doors("Its text, whatever the field is called.", default=None)


def _plan_edit(library: Library, intent: Intent, args: Edit) -> Change:
    from remem.core.verbs.add_edit_archive import plan_edit

    return plan_edit(library, intent, args)


EDIT: Final = Writing(
    id="edit",
    title="Edit",
    key="e",
    help="Edit its text.",
    group="Decide",
    why_not=needs(_cannot_edit),
    args=Edit,
    plan=_plan_edit,
    command="edit",
    takes="REF",
    acknowledges=True,
    pinned=True,
)


class Remove(Args):
    """Remove entries from their files."""


def _plan_remove(library: Library, intent: Intent, _: Remove) -> Change:
    from remem.core.verbs.add_edit_archive import plan_remove

    return plan_remove(library, intent)


REMOVE: Final = Writing(
    id="remove",
    title="Remove",
    help="Remove it from its file.",
    group="Keep",
    why_not=needs(_is_no_store_entry),
    args=Remove,
    plan=_plan_remove,
    command="remove",
    takes="REF...",
    pinned=True,
)


class Archive(Args):
    """Archive entries: remove them from every prompt."""


def _plan_archive(library: Library, intent: Intent, _: Archive) -> Change:
    from remem.core.verbs.add_edit_archive import plan_archive

    return plan_archive(library, intent)


ARCHIVE: Final = Writing(
    id="archive",
    title="Archive",
    key="x",
    help="Archive it: remove it from every prompt.",
    group="Keep",
    why_not=needs(_cannot_archive),
    args=Archive,
    plan=_plan_archive,
    repeats=True,
)


class Restore(Args):
    """Restore archived or removed entries."""

    to: str = option(
        "--to",
        "Another place for lessons that agents took out: a file, or a persona.",
        metavar="PLACE",
        default="",
    )


def _plan_restore(library: Library, intent: Intent, args: Restore) -> Change:
    from remem.core.verbs.add_edit_archive import plan_elsewhere, plan_restore

    if args.to:
        return plan_elsewhere(library, intent, Promote(to=args.to))
    return plan_restore(library, intent)


RESTORE: Final = Writing(
    id="restore",
    title="Restore",
    key="X",
    help="Restore it from the archive.",
    group="Keep",
    why_not=needs(_cannot_restore),
    args=Restore,
    plan=_plan_restore,
    repeats=True,
)


class PutBack(Args):
    """Put back what a change or a commit took out."""

    change: str = other_doors("The id of the change.", named="from")
    text: str = other_doors("The phrase to restore; default: everything.", default="")
    steps: tuple[Mapping[str, Json], ...] = other_doors(
        "The step that removed it.", in_schema=False, default=()
    )
    copies: tuple[Mapping[str, Json], ...] = other_doors(
        "The step that replaced it.", in_schema=False, default=()
    )


def _plan_put_back(library: Library, intent: Intent, args: PutBack) -> Change:
    from remem.core.history.removed import plan_put_back

    return plan_put_back(library, intent, args)


PUT_BACK: Final = Writing(
    id="restore.from",
    title="Put back",
    group="Keep",
    args=PutBack,
    plan=_plan_put_back,
    shows="always",
)


def put_back_intent(lost: Sequence[Lost], phrase: str) -> Intent:
    """Return what puts back all that one change or commit took out; at least one is given."""
    from remem.store.changes.steps import to_json

    args = PutBack(
        change=lost[0].id,
        text=phrase,
        steps=tuple(to_json(each.step) for each in lost),
        copies=tuple(to_json(step) for step in lost[0].copies),
    )
    return Intent(PUT_BACK.id, arguments=args.to_json())


class KeepOne(Args):
    """Find rules that are loaded twice, similar or in conflict.

    Compares all files that agents load at startup, and the stores. What one agent loads twice is
    listed with its token cost per start; the suggested copy to keep comes first. Then come entries
    that are similar or in conflict, whether one agent loads both or not.
    """

    keep: str = option(
        "--keep",
        "The copy to keep; the others are removed.",
        metavar="REF",
        names_entry=True,
        default="",
    )


def _plan_keep_one(library: Library, intent: Intent, args: KeepOne) -> Change:
    from remem.core.verbs.keep_one import plan_keep

    return plan_keep(library, intent, args)


KEEP_ONE: Final = Writing(
    id="told.keep",
    title="Keep one copy",
    help="Keep one copy of a duplicate rule, remove the others.",
    group="Keep",
    args=KeepOne,
    plan=_plan_keep_one,
    command="duplicates",
    shows="always",
    follows="left",
)

_HERE: Final[tuple[Writing[Any], ...]] = (
    APPROVE,
    REJECT,
    KEEP,
    EDIT,
    MERGE,
    SUPERSEDE,
    SCOPE,
    KEEP_BOTH,
    PROMOTE,
    ADD,
    ARCHIVE,
    RESTORE,
    REMOVE,
)


@cache
def _declared_here() -> Mapping[str, Writing[Any]]:
    return {verb.id: verb for verb in (*_HERE, PUT_BACK, KEEP_ONE)}


@cache
def _shared() -> Mapping[str, Writing[Any]]:
    """Return those that all systems share, by id."""
    from remem.core.verbs import propose_verbs, settings_verbs

    every = (*_HERE, *propose_verbs.VERBS, PUT_BACK, KEEP_ONE, *settings_verbs.VERBS)
    return {verb.id: verb for verb in every}


@cache
def all_verbs() -> tuple[Writing[Any], ...]:
    """Return every verb of remem's own that writes, in the order of keys and help."""
    return (*_shared().values(), *own().verbs())


@cache
def _by_id() -> Mapping[str, Writing[Any]]:
    return {verb.id: verb for verb in all_verbs()}


def verb(name: str) -> Writing[Any]:
    """Return the verb with that id.

    Raises:
        NotPossible: There is none.
    """
    found = _found(name)
    if found is None:
        names = ", ".join(f"`{each}`" for each in _by_id())
        raise NotPossible(f"unknown command `{name}`", hint=f"the commands are {names}")
    return found


def _found(name: str) -> Writing[Any] | None:
    # What stands here is found without loading what is declared elsewhere.
    return _declared_here().get(name) or _shared().get(name) or _by_id().get(name) or _brought(name)


def _brought(name: str) -> Writing[Any] | None:
    """Return the verb of a plug-in; `None` = none brings it."""
    loaded = plug_ins()
    verbs = () if loaded is None else loaded.verbs
    return next((each for each in verbs if each.id == name), None)


def follows(name: str) -> str:
    """Return what of a verb is looked after when another writer undoes it.

    Of one that is not known any more it is what it made of each entry.
    """
    found = _found(name)
    return "entry" if found is None else found.follows


def adds(name: str) -> str:
    """Return the kind that a verb adds by itself; empty = it is told, or nobody knows the verb."""
    found = _by_id().get(name) or _brought(name)
    return "" if found is None else found.adds


def plan(library: Library, intent: Intent) -> Change:
    """Return what an intent would write; nothing is written.

    Raises:
        RememError: It cannot be done; the message says why.
    """
    from remem.core.waiting.grouped_plans import planned_apart

    asked = _lifted(library, intent)
    if verb(asked.verb).reach == "whole":
        return planned(library, asked)
    return planned_apart(library, asked, planned)


def planned(library: Library, intent: Intent) -> Change:
    """Return what an intent would write, planned by its verb in one place.

    Raises:
        BadArgument: What it was told is not what it takes.
        RememError: It cannot be done; the message says why.
    """
    found = verb(intent.verb)
    told = found.args.from_json(intent.arguments) if intent.arguments else _untold(found.args)  # type: ignore[arg-type]
    return found.plan(library, intent, told)


@cache
def _untold(args: type[Args]) -> Args:
    """Return what a verb goes by that is told nothing: most decisions are made with one key."""
    return args.from_json({})


def _lifted(library: Library, intent: Intent) -> Intent:
    """Return an intent by the verb of the level that promoting leads to."""
    if intent.verb == PROMOTE.id:
        for each in library.formats:
            if each.facets.lifted is not None:
                intent = each.facets.lifted(library, intent)
    return intent


def needs_plan(intent: Intent) -> bool:
    """Tell whether the screens show the plan before it happens."""
    return len(intent.shown) > 1 or verb(intent.verb).shows == "always"
