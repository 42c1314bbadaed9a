"""Plans the upkeep of learnings: decay, merging, upgrades, the archive, where they were applied.

Each works on the chosen learnings, or on all. What one event does to one record is
`plan_events.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible, Refused
from remem.base.text import count
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.relation.already_said import alike
from remem.core.relation.in_force import against, explained, unread_settings
from remem.core.relation.normal_form import Alike, norm
from remem.core.verbs.verbs import Merge
from remem.core.waiting.merge import need_no_conflict, plan_merge_met
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, Status
from remem.systems.learnings import edits
from remem.systems.learnings import events as events
from remem.systems.learnings.incoming import place_of
from remem.systems.learnings.plan_events import learning_at, need_in_use, told_of
from remem.systems.learnings.read import reading_of
from remem.systems.learnings.read_any_shape import Reading
from remem.systems.learnings.records import DEPRECATED, IN_FORCE, LEARNING, Learning, time_of
from remem.systems.learnings.source import LearningSource, learning_sources, record_of
from remem.systems.sniper.config import settings_of

if TYPE_CHECKING:
    from remem.systems.learnings.learning_verbs import (
        LearnDecay,
        LearnMerge,
        LearnPrune,
        LearnRecord,
    )

MOST_MERGES: Final = 10
"""Of one bulk run (FORMATS 2.4)."""


def plan_decay(library: Library, intent: Intent, args: LearnDecay) -> Change:
    """Plan the verb: see `decay`."""
    return decay(library, intent, args.as_of)


def decay(library: Library, intent: Intent, as_of_day: str) -> Change:
    """Plan what idleness takes off as of a day; all learnings where none are chosen.

    Of those that nobody chose, one waits while something in force may say otherwise.

    Raises:
        NotPossible: Nothing is due, or all that is waits for a person.
    """
    as_of, told = day_of(library, as_of_day), told_of(library)
    draft, touched, notes = Draft(library), dict[Ref, Ref | None](), list[str]()
    for entry, source, reading, _ in decaying(library, intent, as_of):
        doubt = decay_waits(library, intent, entry)
        if doubt:
            notes.append(f"`{library.short(entry.ref)}` needs a decision: {doubt}")
            continue
        fields = events.decayed(reading, told, as_of)
        try:
            splices = edits.write(source, fields or {})
        except Refused as error:
            if intent.shown:
                raise
            notes.append(f"`{library.short(entry.ref)}` was left as it is: {error}")
            continue
        draft.take(splices)
        touched[entry.ref] = entry.ref
    if not touched and notes:
        raise Already(
            f"every learning due as of {as_of} needs a person: {notes[0]}",
            hint="to decay one anyway: `remem learn decay REF`",
        )
    if not touched:
        raise Already(f"nothing decays as of {as_of}", hint="decay starts after 120 idle days")
    asked = as_chosen(library, intent, touched)
    return change(library, asked, "Decay", draft, touched, notes=tuple(notes))


def decay_waits(library: Library, intent: Intent, entry: Entry) -> str:
    """Return why a learning does not decay by itself, as a clause; empty = it may."""
    if intent.shown:
        return ""
    off = unread_settings(library)
    if off:
        return off
    found = against(library, LEARNING, entry.title, apart={entry.ref})
    return explained(library, found) if found else ""


def unreckoned(library: Library, intent: Intent) -> int:
    """Return how many learnings in force do not decay because their record format is an old one."""
    found = [source for source, _ in wanted_of(library, intent) if not source.archived]
    held = [(record_of(each), reading_of(each)) for each in found]
    return sum(
        record is not None and record.status in IN_FORCE and not (reading and reading.is_writable)
        for record, reading in held
    )


def decaying(
    library: Library, intent: Intent, as_of: date
) -> Iterator[tuple[Entry, LearningSource, Reading, events.Decay]]:
    """Yield learnings that lose confidence as of a day, with what they lose."""
    for source, entry in wanted_of(library, intent):
        record = record_of(source)
        if record is None or record.status not in IN_FORCE or source.archived:
            continue
        reading = reading_of(source)
        found = events.decay(reading, as_of) if reading is not None else None
        if found is None or reading is None or not reading.is_writable or entry.is_read_only:
            continue
        yield entry, source, reading, found


def plan_merge(library: Library, intent: Intent, args: LearnMerge) -> Change:
    """Plan the verb: see `unite`."""
    return unite(library, intent, args.into, proposed=args.proposed)


def unite(library: Library, intent: Intent, into: str = "", *, proposed: bool = False) -> Change:
    """Plan to unite learnings: the chosen ones with one more, or all that are alike.

    What nobody chose is united only where it says the same, and no active entry conflicts with it.

    Raises:
        NotPossible: Fewer than two are left, one is retired, or two of them conflict.
    """
    if proposed:
        off = unread_settings(library)
        if off:
            raise NotPossible(
                f"nothing was merged: {off}", hint="name those to merge, or fix the settings"
            )
        groups = [*_sure(library)][:MOST_MERGES]
    else:
        entries = chosen(library, intent)
        entries += [library.resolve(into)] if into else []
        groups = [list({entry.ref: entry for entry in entries}.values())]
        for place, entry in enumerate(groups[0]):
            need_no_conflict(library, groups[0][:place], entry)
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    notes: list[str] = []
    for group in groups:
        touched |= _merge(library, draft, into, group, notes)
    if not touched:
        hint = "`remem learn merge` lists similar ones; name those to merge"
        raise Already("no duplicate learnings", hint=hint)
    asked = as_chosen(library, intent, touched)
    return change(library, asked, "Merge", draft, touched, notes=tuple(notes))


def as_chosen(library: Library, intent: Intent, refs: Iterable[Ref]) -> Intent:
    """Return an intent on all as one on what it came to: the ledger follows what was shown."""
    if intent.shown:
        return intent
    return replace(intent, shown={ref: library.entry(ref).digest for ref in refs})


def _merge(
    library: Library, draft: Draft, into: str, group: list[Entry], notes: list[str]
) -> dict[Ref, Ref | None]:
    if len(group) < 2:
        raise NotPossible("a merge needs at least two learnings", hint="name two or more")
    readings = {entry.ref: edits.writable_reading(learning_at(library, entry)) for entry in group}
    for reading in readings.values():
        need_in_use(reading)
    best = events.winner(readings.values())
    losing = [reading for reading in readings.values() if reading is not best]
    planned = events.merged(best, losing, told_of(library))
    stays = next(entry for entry in group if readings[entry.ref] is best)
    if into and library.resolve(into).ref != stays.ref:
        notes.append(f"`{library.short(stays.ref)}` stays because it has the higher confidence")
    refs = {id(reading): ref for ref, reading in readings.items()}
    for reading, fields in zip((best, *losing), planned, strict=True):
        source = learning_at(library, library.entry(refs[id(reading)]))
        draft.take(edits.write(source, fields))
    return {entry.ref: stays.ref for entry in group}


def plan_merge_into(library: Library, intent: Intent, into: Entry) -> Change:
    """Plan to put learnings into another one.

    Raises:
        NotPossible: Something else was chosen.
    """
    return unite(library, intent, str(into.ref))


def plan_merge_findings(library: Library, intent: Intent, args: Merge) -> Change:
    """Plan that what a protocol's retro says bears a learning out, or is noted in another entry.

    Raises:
        NotPossible: One does not wait, or the entry does not say where it was seen.
    """
    into = library.resolve(args.into)
    if into.kind != LEARNING:
        return plan_merge_met(library, intent, args)
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    told = told_of(library)
    for entry in chosen(library, intent):
        source = draft.find(into.ref)[0]
        assert isinstance(source, LearningSource)
        reading = edits.writable_reading(source)
        protocol = library.source_of(entry).path.stem
        where = place_of(library, entry)
        draft.take(edits.write(source, events.reinforced(reading, told, protocol, where=where)))
        touched |= {entry.ref: into.ref, into.ref: into.ref}
    return change(library, intent, "Merge", draft, touched)


def proposals(library: Library) -> Iterator[tuple[Entry, ...]]:
    """Yield learnings that say the same, or nearly, about something that they share; each once."""
    held = {
        entry.ref: (entry, record)
        for source, entry in records_of(library)
        if entry.status in (Status.ACTIVE, Status.CANDIDATE)
        if (record := record_of(source)) is not None
    }
    taken: set[Ref] = set()
    for ref, (entry, record) in held.items():
        if ref in taken:
            continue
        near = [
            known.entry
            for known in alike(library, LEARNING, entry.title)
            if known.alike is not Alike.CONTRADICTION
            and known.entry.ref != ref
            and known.entry.ref in held.keys() - taken
            and _share(record, held[known.entry.ref][1])
        ]
        if near:
            taken |= {ref, *(each.ref for each in near)}
            yield (entry, *near)


def _sure(library: Library) -> Iterator[list[Entry]]:
    """Yield those of the proposals that one may unite without looking: they say the same."""
    for group in proposals(library):
        same: dict[tuple[str, ...], list[Entry]] = {}
        for entry in group:
            reading = reading_of(learning_at(library, entry))
            if reading is None or not reading.is_writable or entry.is_read_only:
                continue  # of an older shape: it must not keep the others from being united
            record = reading.record
            said = (record.learning, record.anti_pattern, record.correction)
            same.setdefault(tuple(map(norm, said)), []).append(entry)
        for several in same.values():
            refs = {entry.ref for entry in several}
            if len(several) > 1 and not against(library, LEARNING, several[0].title, apart=refs):
                yield several


def _share(one: Learning, other: Learning) -> bool:
    """Tell whether two scopes overlap in any of their dimensions; an absent one is everywhere."""
    pairs = (
        (one.scope.agents, other.scope.agents),
        (one.scope.phases, other.scope.phases),
        (one.scope.files, other.scope.files),
    )
    return any(not a or not b or set(a) & set(b) for a, b in pairs)


def plan_prune(library: Library, intent: Intent, args: LearnPrune) -> Change:
    """Plan the verb: see `prune`."""
    return prune(library, intent, args.as_of)


def prune(library: Library, intent: Intent, as_of_day: str) -> Change:
    """Plan to move what has been archived for long to the archive folder; nothing is deleted.

    Raises:
        NotPossible: Nothing is that old.
    """
    as_of = day_of(library, as_of_day)
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    chosen_refs = {*intent.shown}
    for source, entry in prunable(library, as_of):
        if not chosen_refs or entry.ref in chosen_refs:
            draft.take((edits.to_archive(source),))
            touched[entry.ref] = entry.ref
    if not touched:
        days = settings_of(library.of_format("sniper")).learning.archive_after_days
        raise Already(
            f"no learning has been archived for more than {count(days, 'day')}",
            hint="`learning.archive_after_days` in `.sniper/config.yaml` sets how long",
        )
    receipt = f"records {len(touched)} = {len(touched)} in the archive · 0 lost, 0 added"
    planned = change(library, intent, "Archive", draft, touched)
    need_kept(library, planned.effects)
    return Change(intent, planned.title, planned.effects, planned.reason, planned.touched, receipt)


def prunable(library: Library, as_of: date) -> Iterator[tuple[LearningSource, Entry]]:
    """Yield learnings that have been archived for longer than the settings say."""
    days = settings_of(library.of_format("sniper")).learning.archive_after_days
    for source, entry in records_of(library):
        record = record_of(source)
        if record is None or source.archived or record.status != DEPRECATED:
            continue
        since = time_of(record.updated_at or record.created_at)
        if since is not None and as_of - since.date() > timedelta(days=days):
            yield source, entry


def plan_record(library: Library, intent: Intent, args: LearnRecord) -> Change:
    """Plan to note the protocol whose prompt learnings were in, once for each of them.

    Raises:
        NotPossible: All of them have it.
    """
    protocol = args.protocol
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    older: list[str] = []
    for entry in chosen(library, intent):
        source = learning_at(library, entry)
        reading = reading_of(source)
        if reading is None or not reading.is_writable:
            older.append(f"`{library.short(entry.ref)}` has an old record format and is left as is")
            continue
        if protocol in reading.record.applied_in:
            continue
        listed: list[Json] = [*reading.record.applied_in, protocol]
        draft.take(edits.write(source, {"applied_in": listed}))
        touched[entry.ref] = entry.ref
    if not touched:
        message = older[0] if older else f"`{protocol}` is already noted"
        raise Already(message, hint="nothing was written")
    return change(library, intent, f"Note {protocol} for", draft, touched, notes=tuple(older))


def wanted_of(library: Library, intent: Intent) -> Iterator[tuple[LearningSource, Entry]]:
    """Yield the chosen learnings, or all where none is chosen."""
    if not intent.shown:
        yield from records_of(library)
    for entry in chosen(library, intent) if intent.shown else ():
        yield learning_at(library, entry), entry


def records_of(library: Library) -> Iterator[tuple[LearningSource, Entry]]:
    """Yield every record of a root with its entry, archived ones included."""
    for source in learning_sources(library.of_format(LEARNING)):
        for entry in source.entries:
            yield source, entry


def day_of(library: Library, text: str) -> date:
    """Return the day that is asked about, today if none is named.

    Raises:
        NotPossible: It is no day.
    """
    if not text:
        return library.ground.given.clock.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotPossible(f"`{text}` is not a date", hint="write it like `2026-05-04`") from None
