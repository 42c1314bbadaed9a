"""Plans approving: what waits goes into force, or is kept as a candidate; promoting lifts one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.core.checks.secrets import need_all_clean
from remem.core.draft import Draft, change, chosen, nothing_left
from remem.core.library import Library
from remem.core.relation.already_said import ConflictNote, Known, alike, named, whole_of
from remem.core.relation.normal_form import Alike, exact, norm
from remem.core.repositories import repository_of, within
from remem.core.system import Addition, AddsMany, System
from remem.core.waiting.candidate import is_keepable, is_kept
from remem.core.waiting.decision_records import record, remember_kept
from remem.core.waiting.item import evidence, is_said_already
from remem.core.waiting.kinds import (
    Coming,
    coming_of,
    is_waiting,
    may_come_of,
    need_waiting,
    said_by,
    undecided,
)
from remem.core.waiting.rejected import Sent, both
from remem.model.change import Change, Delete, Intent, Json, texts_in
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Source, SourceKind

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Keep, Promote

_IN_MEMORY: Final = ("confirmed", "merged", "known")
"""States of a finding in which approving it is done; as a candidate it is not in force."""
_KEPT: Final = ("kept",)
_AS_IT_IS: Final[Mapping[str, Json]] = MappingProxyType({})


def plan_approve(library: Library, intent: Intent, args: Approve) -> Change:
    """Plan to put candidates, findings and proposals into force.

    Raises:
        NotPossible: One of them does not wait, or several are to say what one was edited to.
        Unacknowledged: One of them would bring a secret or hidden characters into memory.
    """
    if args.fields and len(intent.shown) > 1:
        raise NotPossible("only one entry can be edited at a time", hint="unmark the others")
    return _plan_in(library, intent, "Approve", Status.ACTIVE, args.fields, args.reason)


def plan_keep(library: Library, intent: Intent, _: Keep) -> Change:
    """Plan to keep findings and candidates as candidates: they wait again when they are met again.

    Raises:
        NotPossible: One of them is neither.
    """
    for entry in chosen(library, intent):
        coming = may_come_of(library, entry)
        if (coming is None or coming.seen is None) and not is_keepable(library, entry):
            raise NotPossible(
                f"`{library.short(entry.ref)}` is neither a finding nor a candidate",
                hint="approve it or reject it",
            )
    return _plan_in(library, intent, "Keep as candidate", Status.CANDIDATE)


def plan_promote(library: Library, intent: Intent, args: Promote) -> Change:
    """Plan to lift candidates into force.

    Raises:
        NotPossible: Something is no candidate, or a level is asked for that is not here.
        Unacknowledged: One of them would bring a secret or hidden characters into memory.
    """
    _need_no_level(args)
    for entry in chosen(library, intent):
        if entry.status is Status.ACTIVE:
            raise Already(f"`{library.short(entry.ref)}` is already active")
        if entry.status is not Status.CANDIDATE:
            raise NotPossible(
                f"`{library.short(entry.ref)}` is not a candidate",
                hint="name a level, e.g. `--to workspace`",
            )
    return _plan_in(library, intent, "Promote", Status.ACTIVE)


def plan_promote_met(library: Library, intent: Intent, args: Promote) -> Change:
    """Plan to lift the candidates that say what findings say, and note these in them.

    Raises:
        NotPossible: No candidate says it, or a level is asked for that is not here.
    """
    _need_no_level(args)
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    for entry in chosen(library, intent):
        need_waiting(library, entry)
        ref = _meet_again(library, draft, entry, coming_of(library, entry), Status.ACTIVE)
        if ref is None:
            raise NotPossible(
                "no candidate matches this finding", hint="approve it to create an entry"
            )
        touched |= {entry.ref: ref, ref: ref}
    return change(library, intent, "Promote", draft, touched)


def conflicts_of(library: Library, entry: Entry) -> Iterator[ConflictNote]:
    """Yield what in force an entry conflicts with that is approved, each text whole."""
    for each in _conflicting(library, entry):
        yield ConflictNote.on(library, each.ref, each.title)


def _conflicting(library: Library, entry: Entry) -> Iterator[Entry]:
    """Yield what its card names: what a person read is what is told, and kept beside it."""
    from remem.core.relation.in_force import opposing

    if is_said_already(library, entry.ref):
        return
    coming, home = may_come_of(library, entry), within(library, repository_of(library, entry.ref))
    kind, text = (coming.kind, coming.text) if coming else (entry.kind, entry.title)
    says = text if coming else whole_of(library, entry)
    for ref in opposing(home, kind, text, whole=says, apart={entry.ref}):
        yield library.entry(ref)


def said_in(library: Library, entry: Entry) -> tuple[str, str]:
    """Return the kind and the text that an entry has, or that it would become."""
    coming = may_come_of(library, entry)
    return (coming.kind, coming.text) if coming else (entry.kind, whole_of(library, entry))


def _need_no_level(args: Promote) -> None:
    if args.to:
        raise NotPossible(
            f"cannot promote to `{args.to}` here",
            hint="without a level, a candidate is approved",
        )


def _not_done_yet(
    library: Library, entries: Sequence[Entry], status: Status
) -> tuple[list[Entry], list[str]]:
    """Return what is left to bring to a status, and a note for each that has it already."""
    if status is Status.CANDIDATE:
        kept = [each for each in entries if is_kept(library, library.source_of(each), each)]
        left, notes = undecided(library, [each for each in entries if each not in kept], _KEPT)
        again = [f"`{library.short(each.ref)}` is already kept as a candidate" for each in kept]
        return left, [*again, *notes]
    left, notes = undecided(library, entries, _IN_MEMORY)
    if all(_stands(library, entry) for entry in left):
        notes += [f"`{library.short(entry.ref)}` is already active" for entry in left]
        left = []
    return left, notes


def _stands(library: Library, entry: Entry) -> bool:
    return entry.status is Status.ACTIVE and not is_waiting(library, entry)


def _plan_in(
    library: Library,
    intent: Intent,
    verb: str,
    status: Status,
    edited: Mapping[str, Json] = _AS_IT_IS,
    reason: str = "",
) -> Change:
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    known = evidence(library)
    entries, notes = _not_done_yet(library, chosen(library, intent), status)
    if not entries:
        return nothing_left(library, intent, verb, notes)
    for entry in entries:
        need_waiting(library, entry)
    coming = {e.ref: found for e in entries if (found := may_come_of(library, e)) is not None}
    incoming = {ref: as_edited(library, found, edited) for ref, found in coming.items()}
    # All of them at once: a person is shown all that hides in what was marked.
    texts = {entry: _texts_of(library, entry, incoming.get(entry.ref)) for entry in entries}
    new = texts_in(dict(edited))
    need_all_clean(
        {f"`{library.short(e.ref)}`": (*each, *new) for e, each in texts.items()}, intent
    )
    for entry in entries:
        if entry.ref in incoming:
            continue
        if status is Status.CANDIDATE:
            touched[entry.ref] = entry.ref
        else:
            touched[entry.ref] = _put_into_force(library, draft, entry, edited)
            if entry.ref in known:
                known[entry.ref].count(draft, intent)
    arriving = [(entry, incoming[entry.ref]) for entry in entries if entry.ref in incoming]
    touched |= _bring_in(draft, arriving, status, notes)
    ordered = {entry.ref: touched[entry.ref] for entry in entries}
    if reason:
        record(draft, [*_kept_both(library, entries)], reason)
    if status is Status.CANDIDATE:
        remember_kept(draft, [ref for ref in ordered.values() if ref is not None])
    return change(library, intent, verb, draft, ordered, notes=tuple(notes), reason=reason)


def _kept_both(library: Library, entries: Iterable[Entry]) -> Iterator[Sent]:
    """Yield each of them with what it conflicts with, which stays too."""
    for entry in entries:
        _, text = said_in(library, entry)
        for each in _conflicting(library, entry):
            yield both(text, each.title)


def as_edited(library: Library, coming: Coming, fields: Mapping[str, Json]) -> Coming:
    """Return what comes in with the fields that a person set on its card."""
    if not fields:
        return coming
    whole = {name: each for name, each in {**coming.fields, **fields}.items() if each is not None}
    text = whole.get(library.text_field(coming.kind))
    return replace(coming, text=text if isinstance(text, str) else coming.text, fields=whole)


def _texts_of(library: Library, entry: Entry, coming: Coming | None) -> tuple[str, ...]:
    """Return what an entry would bring into memory."""
    if coming is not None:
        return (coming.text, *texts_in(coming.fields))
    each, source = library.format_of(entry), library.source_of(entry)
    return (entry.title, *texts_in(each.reader.fields(source, entry)))


def _put_into_force(
    library: Library, draft: Draft, entry: Entry, edited: Mapping[str, Json]
) -> Ref | None:
    each, source = library.format_of(entry), library.source_of(entry)
    if edited:
        draft.take(each.keeper.edit(source, entry, edited))
        draft.take(each.keeper.set_status(*draft.find(entry.ref), Status.ACTIVE))
        return entry.ref
    if source.kind is SourceKind.STORE:
        draft.take_on_base(each.keeper.set_status(source, entry, Status.ACTIVE))
        return entry.ref
    effects = each.keeper.set_status(*draft.find(entry.ref), Status.ACTIVE)
    draft.take(effects)
    if any(isinstance(effect, Delete) and effect.path == source.path for effect in effects):
        return _successor(library, draft, entry)
    return entry.ref


def _successor(library: Library, draft: Draft, entry: Entry) -> Ref | None:
    """Return the ref under which an entry goes on that moved to another file."""
    return next(
        (
            other.ref
            for source in draft.sources(entry.ref.format)
            for other in source.entries
            if other.kind == entry.kind
            and other.title == entry.title
            and not library.has(other.ref)
        ),
        None,
    )


def _note_on(library: Library, known: Known) -> str:
    ref = known.entry.ref
    is_opposed = known.alike is Alike.CONTRADICTION
    return ConflictNote.on(library, ref) if is_opposed else named(library, ref, known.alike)


def _bring_in(
    draft: Draft, entries: Sequence[tuple[Entry, Coming]], status: Status, notes: list[str]
) -> dict[Ref, Ref]:
    """Plan to make entries of what comes in, and return the refs under which it goes on."""
    library = draft.library
    became: dict[Ref, Ref] = {}
    several: dict[Ref, Coming] = {}
    first: dict[tuple[str, str], Ref] = {}
    again: list[tuple[Entry, Coming]] = []
    for entry, coming in entries:
        if coming.seen is not None:
            # Two retros may have found it, or a candidate says it: one entry comes of all of them.
            met = _meet_again(library, draft, entry, coming, status)
            if met is not None:
                became[entry.ref] = met
                continue
            leader = first.setdefault((coming.kind, norm(coming.text)), entry.ref)
            if leader != entry.ref:
                again.append((entry, coming))
                continue
        known = alike(library, coming.kind, coming.text)
        notes += [_note_on(library, each) for each in known[:1]]
        several[entry.ref] = coming
    became |= zip(several, add_all(draft, [*several.values()], status), strict=True)
    for entry, coming in entries:
        if coming.seen is None or coming.tells_itself or entry.ref not in several:
            continue
        if not exact(entry.title, coming.text):
            # It says something else by now: the entry notes what it was found as.
            _note_in_new(draft, entry, coming, became[entry.ref])
    for entry, coming in again:
        ref = became[first[coming.kind, norm(coming.text)]]
        became[entry.ref] = ref
        if not coming.tells_itself:
            _note_in_new(draft, entry, coming, ref)
    for entry, coming in entries:
        if coming.seen is None:
            draft.take(library.format_of(entry).keeper.remove(library.source_of(entry), entry))
    return became


def _note_in_new(draft: Draft, finding: Entry, coming: Coming, ref: Ref) -> None:
    """Plan to append a finding to the `seen` of an entry that this change adds."""
    for source in draft.sources(ref.format):
        for entry in source.entries:
            if entry.ref == ref:
                note_met(draft, finding, coming, (source, entry))
                return


def add(draft: Draft, coming: Coming, status: Status = Status.ACTIVE) -> Ref:
    """Plan to add an entry to the format that keeps its kind.

    Raises:
        NotPossible: No format does, or it does not take the fields.
    """
    (ref,) = add_all(draft, [coming], status)
    return ref


def add_all(draft: Draft, several: Sequence[Coming], status: Status = Status.ACTIVE) -> list[Ref]:
    """Plan to add entries to the formats that keep their kinds, and return their refs in order.

    Raises:
        NotPossible: No format keeps a kind, or it does not take the fields.
    """
    library = draft.library
    groups: dict[tuple[str, str], list[int]] = {}
    for number, coming in enumerate(several):
        groups.setdefault((_home(library, coming).name, coming.kind), []).append(number)
    refs: dict[int, Ref] = {}
    for (name, kind), numbers in groups.items():
        home = library.format(name)
        fields = [_fields_of(several[number], status) for number in numbers]
        for number, addition in zip(numbers, _additions(draft, home, kind, fields), strict=True):
            draft.take(addition.effects)
            refs[number] = addition.ref
    return [refs[number] for number in range(len(several))]


def _fields_of(coming: Coming, status: Status) -> dict[str, Json]:
    candidate: dict[str, Json] = {"status": "candidate"} if status is Status.CANDIDATE else {}
    return {**coming.fields, **candidate}


def _additions(
    draft: Draft, home: System, kind: str, several: Sequence[Mapping[str, Json]]
) -> Iterator[Addition]:
    """Yield what each addition writes; where a format takes one at a time, on those before it."""
    ground = draft.library.ground
    if isinstance(home.keeper, AddsMany):
        yield from home.keeper.add_all(ground, draft.sources(home.name), kind, several)
        return
    for fields in several:
        yield home.keeper.add(ground, draft.sources(home.name), kind, fields)


def _home(library: Library, coming: Coming) -> System:
    if coming.target:
        return library.format(coming.target)
    for each in library.formats:
        claims_new = each.facets.claims_new
        if claims_new is not None and claims_new(coming.kind, coming.fields):
            return each
    homes = [each for each in library.formats if coming.kind in each.kinds]
    own = [each for each in homes if not each.facets.is_shared]
    if not library.is_whole or any(library.of_format(each.name) for each in own):
        # What has stores of its own adds to these; only what is shared is added to a workspace.
        homes = own
    if homes:
        # Two formats keep anti-patterns: that one is meant whose memory is here.
        return next((each for each in homes if library.of_format(each.name)), homes[0])
    kinds = ", ".join(f"`{kind}`" for each in library.formats for kind in each.kinds)
    raise NotPossible(f"no system here stores a `{coming.kind}`", hint=f"the kinds are {kinds}")


def _meet_again(
    library: Library, draft: Draft, entry: Entry, coming: Coming, status: Status
) -> Ref | None:
    """Note a finding in the candidate that says it, which goes into force if it should be active.

    `None` = no candidate says it.
    """
    same = [
        each
        for each in said_by(library, coming.kind, coming.text)
        if each.status is Status.CANDIDATE
    ]
    if not same:
        return None
    note_met(draft, entry, coming, draft.find(same[0].ref), is_confirmed=status is Status.ACTIVE)
    return same[0].ref


def note_met(
    draft: Draft,
    finding: Entry,
    coming: Coming,
    into: tuple[Source, Entry],
    *,
    is_confirmed: bool = False,
) -> None:
    """Plan to note in an entry that a finding says the same.

    Raises:
        NotPossible: The entry does not say where it was seen.
    """
    source, entry = into
    each = draft.library.format(entry.ref.format)
    note = each.facets.confirm if is_confirmed else each.facets.note
    if note is None:
        raise NotPossible(
            f"`{draft.library.short(entry.ref)}` does not say where it was seen",
            hint="decide on it first",
        )
    draft.take(note(each, source, entry, coming.seen or {}, finding.title))
