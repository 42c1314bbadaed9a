"""Plans what a person writes by hand: add, edit, remove, archive, restore."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft, change, chosen, going_along, take_out
from remem.core.history.removed import put_back as put_back_one
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.relation.already_said import alike
from remem.core.relation.in_force import notes_on
from remem.core.relation.normal_form import Alike
from remem.core.waiting.approve import add
from remem.core.waiting.kinds import Coming
from remem.core.waiting.rejected import suppressed
from remem.model.change import Change, Intent, Json, texts_in
from remem.model.entry import Entry, Ref, Status
from remem.model.roles import unknown_roles

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Add, Edit, Promote


def plan_add(library: Library, intent: Intent, args: Add) -> Change:
    """Plan to add an entry.

    Args:
        library: Where to.
        intent: What asks for it.
        args: `kind` with hyphen or underscore. A lesson whose fields name a `file` goes to a plain
            one.

    Raises:
        NotPossible: Nothing keeps that kind, or a field is wrong.
        Already: The file it would go to says it.
        Unacknowledged: It holds a secret or hidden characters.
    """
    kind = args.kind.replace("-", "_")
    text, fields = args.text.strip(), dict(args.fields)
    if text:
        fields = {library.text_field(kind): text, **fields}
    coming = Coming(kind, text, fields, args.to)
    need_clean(texts_in(fields), intent, "the entry")
    draft = Draft(library)
    ref = add(draft, coming)
    _need_new(library, draft, kind, text, ref)
    notes = (*_notes_on(library, kind, text), *_notes_on_roles(library, kind, fields))
    return change(library, intent, "Add", draft, {ref: ref}, notes=notes)


def _notes_on_roles(library: Library, kind: str, fields: Mapping[str, Json]) -> Iterator[str]:
    """Yield which of the roles that an entry is for nobody has: they may be mistyped."""
    options = (each.facets.options_of_add.get(kind, {}) for each in library.formats)
    name = next((each["role"] for each in options if "role" in each), "")
    roles = fields.get(name) if name else None
    if isinstance(roles, list):
        named = [each for each in roles if isinstance(each, str)]
        yield from unknown_roles(named, library.role_names())


def _need_new(library: Library, draft: Draft, kind: str, text: str, ref: Ref) -> None:
    """Let no text be added to a file that says it already.

    Raises:
        Already: It does.
    """
    same = [each.entry for each in alike(library, kind, text) if each.alike is Alike.EXACT]
    if not same:
        return
    sources = draft.sources(ref.format)
    added = next(each for each in sources if any(entry.ref == ref for entry in each.entries))
    for entry in same:
        if library.source_of(entry).path == added.path:
            name = library.short(entry.ref)
            raise Already(f"`{name}` already says this", hint=f"`remem edit {name}` changes it")


def plan_edit(library: Library, intent: Intent, args: Edit) -> Change:
    """Plan to set fields of one entry.

    Args:
        library: Where it stands.
        intent: Names it.
        args: `fields` by name or dotted path, `null` takes one out; or `text` alone.

    Raises:
        NotPossible: Several are chosen, or a field is wrong.
        Unacknowledged: The new text holds a secret or hidden characters.
    """
    entries = chosen(library, intent)
    if len(entries) != 1:
        raise NotPossible("only one entry can be edited at a time", hint="unmark the others")
    entry, fields = entries[0], dict(args.fields)
    if args.text is not None:
        fields = {library.text_field(entry.kind): args.text, **fields}
    if not fields:
        raise NotPossible("no field given", hint="write `FIELD=VALUE`")
    need_clean(texts_in(fields), intent, f"`{library.short(entry.ref)}`")
    draft = Draft(library)
    draft.take(library.format_of(entry).keeper.edit(library.source_of(entry), entry, fields))
    ref = _standing_at(draft, entry) if "id" in fields else entry.ref
    return change(library, intent, "Edit", draft, {entry.ref: ref})


def _standing_at(draft: Draft, entry: Entry) -> Ref:
    """Return the ref that an entry has once its id was set: it stands where it stood."""
    before = draft.library.source_of(entry)
    after = next(s for s in draft.sources(entry.ref.format) if s.path == before.path)
    place = next(n for n, each in enumerate(before.entries) if each.ref == entry.ref)
    return after.entries[place].ref


def plan_remove(library: Library, intent: Intent) -> Change:
    """Plan to take entries out of their files."""
    draft, entries = Draft(library), chosen(library, intent)
    notes = take_out(draft, entries, lambda each, source, entry: each.remove(source, entry))
    gone = dict.fromkeys(ref for refs in going_along(library, entries).values() for ref in refs)
    return change(library, intent, "Remove", draft, gone, notes=notes)


def plan_archive(library: Library, intent: Intent) -> Change:
    """Plan to take entries out of every prompt; they stay in their files.

    Raises:
        NotPossible: A format has no archive, or all of them are archived already.
    """
    return _plan_status(library, intent, "Archive", Status.ARCHIVED)


def plan_restore(library: Library, intent: Intent) -> Change:
    """Plan to bring entries back into force, or back into the file that they vanished from.

    Raises:
        NotPossible: They are in force, or their format cannot tell where they stood.
    """
    unreviewed = library.aside.unreviewed
    if any(ref in unreviewed and unreviewed[ref].what == "removed" for ref in intent.shown):
        from remem.core.waiting.unreviewed import picked, put_back

        return put_back(library, intent, picked(library, intent))
    if any(library.is_removed(ref) for ref in intent.shown):
        return _plan_put_back(library, intent)
    for entry in chosen(library, intent):
        if entry.status is Status.CANDIDATE:
            raise NotPossible(
                f"`{library.short(entry.ref)}` needs a decision",
                hint="approve it to put it into force",
            )
    return _plan_status(library, intent, "Restore", Status.ACTIVE)


def plan_elsewhere(library: Library, intent: Intent, args: Promote) -> Change:
    """Plan to let what agents took out stand at another place.

    Raises:
        NotPossible: Something else is named, or a place is none.
    """
    from remem.core.waiting.unreviewed import picked

    found = picked(library, intent)
    plans = {library.format(each.ref.format).facets.promote for each in found}
    plan = plans.pop()
    if plan is None or plans or any(each.what != "removed" for each in found):
        raise NotPossible(
            "only lessons that were taken out come back at another place",
            hint="without a place they come back where they stood",
        )
    return plan(library, intent, args)


def _plan_put_back(library: Library, intent: Intent) -> Change:
    """Plan to put back what another writer took out."""
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    notes: list[str] = []
    for ref in intent.shown:
        lost = library.aside.vanished_at(ref)
        if lost is None or not library.is_removed(ref):
            raise NotPossible(
                f"`{library.short(ref)}` was not removed",
                hint="restore archived and removed entries separately",
            )
        back, note = put_back_one(draft, lost)
        touched[back] = back
        notes += [note] if note else []
    return change(library, intent, "Restore", draft, touched, notes=tuple(notes))


def _plan_status(library: Library, intent: Intent, verb: str, status: Status) -> Change:
    draft = Draft(library)
    # Those that have it stay out: an undo step that changes nothing looks broken.
    changing = [entry for entry in chosen(library, intent) if entry.status is not status]
    notes = take_out(
        draft, changing, lambda each, source, entry: each.set_status(source, entry, status)
    )
    need_kept(library, draft.effects())
    return change(library, intent, verb, draft, {e.ref: e.ref for e in changing}, notes=notes)


def _notes_on(library: Library, kind: str, text: str) -> tuple[str, ...]:
    """Return what a person should know who adds by hand; it is allowed all the same."""
    notes = [*notes_on(library, kind, text)]
    before = suppressed(library, kind, text)
    if before is not None:
        notes.append(f"rejected on {before.date}: {before.reason}")
    return tuple(notes)
