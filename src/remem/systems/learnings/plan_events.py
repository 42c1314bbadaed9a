"""Plans what happens to learnings: every event of their life as one change (FORMATS 2.3, 2.4).

What an event does to a record is `systems/learnings/events.py`'s; how bytes change is the format's.
What concerns many at once is planned in `upkeep.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.clock import time_text
from remem.base.errors import Already, NotPossible
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.relation.already_said import alike
from remem.core.relation.in_force import notes_on
from remem.core.relation.normal_form import Alike
from remem.core.waiting.rejected import suppressed
from remem.model.change import Change, Effect, Intent, Json, texts_in
from remem.model.entry import Entry, Ref, Status
from remem.systems.learnings import edits
from remem.systems.learnings import events as events
from remem.systems.learnings.events import Fields, Told
from remem.systems.learnings.read_any_shape import Reading, as_time
from remem.systems.learnings.records import (
    DEPRECATED,
    DRAFT,
    HIGH_FROM,
    HUMAN,
    LEARNING,
    OVERRIDE_START,
    status_of,
)
from remem.systems.learnings.source import LearningSource

if TYPE_CHECKING:
    from remem.systems.learnings.learning_verbs import (
        LearnAbsence,
        LearnAdd,
        LearnConfirm,
        LearnContradict,
        LearnInvalidate,
        LearnRecurrence,
        LearnReinforce,
        LearnSupersede,
    )

Happens: TypeAlias = Callable[[Reading, Told], Fields]


def plan_add(library: Library, intent: Intent, args: LearnAdd) -> Change:
    """Plan a new learning: a person's own is in force, an agent's waits as a draft.

    Raises:
        NotPossible: A field is wrong.
        Unacknowledged: It holds a secret or hidden characters.
    """
    fields = _fields_of(args)
    need_clean(texts_in(fields), intent, "the learning")
    if args.override:
        fields.setdefault("confidence", OVERRIDE_START)
    if args.actor:
        fields.setdefault("status", DRAFT)
    sources = library.of_format(LEARNING)
    text = str(fields.get("learning", ""))
    known = alike(library, LEARNING, text)
    if known and known[0].alike is Alike.EXACT and known[0].entry.status in _SAYING:
        name = library.short(known[0].entry.ref)
        raise Already(f"`{name}` already says this", hint=f"`remem edit {name}` changes it")
    told = told_of(library, args.actor)
    (addition,) = edits.add_all(library.ground, sources, [fields], told)
    draft = Draft(library)
    draft.take(addition.effects)
    notes = notes_on(library, LEARNING, text)
    before = suppressed(library, LEARNING, text)
    notes += (f"rejected on {before.date}: {before.reason}",) if before else ()
    return change(library, intent, "Add", draft, {addition.ref: addition.ref}, notes=notes)


_SAYING: Final = (Status.ACTIVE, Status.CANDIDATE)
"""An invalid or superseded learning says nothing any more."""


def _fields_of(args: LearnAdd) -> dict[str, Json]:
    """Return the fields of the record that arguments ask for."""
    said: dict[str, Json] = {
        "learning": args.text,
        "anti_pattern": args.avoid,
        "correction": args.instead,
        "expires_at": as_time(args.expires),
        "source.type": args.source,
        "source.protocol_id": args.protocol,
        "source.detail": args.detail,
        "scope.agents": [*args.agents],
        "scope.phases": [*args.phases],
        "scope.files": [*args.files],
    }
    return _nested({**{path: value for path, value in said.items() if value}, **args.fields})


def _nested(given: Mapping[str, Json]) -> dict[str, Json]:
    """Return fields by name, those with a dotted path put into what they belong to."""
    fields: dict[str, Json] = {}
    for path, value in given.items():
        name, _, inner = path.partition(".")
        held = fields.get(name)
        said: Json = {inner: value} if inner else value
        if isinstance(held, dict) and isinstance(said, dict):
            said = {**held, **said}
        fields[name] = said
    return fields


def plan_confirm(library: Library, intent: Intent, args: LearnConfirm) -> Change:
    """Plan that a person says: this is right."""
    return _happen(library, intent, "Confirm", events.confirmed, detail=args.detail)


def plan_invalidate(library: Library, intent: Intent, args: LearnInvalidate) -> Change:
    """Plan that a person says: this is wrong."""
    for entry in chosen(library, intent):
        if entry.status is Status.INVALID:
            name = library.short(entry.ref)
            raise Already(f"`{name}` is already invalid", hint="`remem restore` brings it back")
    happens = _unless_retired(events.invalidated)
    return _happen(library, intent, "Invalidate", happens, detail=args.detail)


def plan_reinforce(library: Library, intent: Intent, args: LearnReinforce) -> Change:
    """Plan that an event or another learning bears learnings out."""
    happens = _unless_retired(lambda reading, told: events.reinforced(reading, told, args.by))
    return _happen(library, intent, "Reinforce", happens, args.actor, args.detail)


def plan_absence(library: Library, intent: Intent, args: LearnAbsence) -> Change:
    """Plan that the problem stayed away in the protocol that learnings were applied in."""
    happens = _unless_retired(lambda reading, told: events.absent(reading, told, args.protocol))
    return _happen(library, intent, "Count the absence for", happens, args.actor, args.detail)


def plan_recurrence(library: Library, intent: Intent, args: LearnRecurrence) -> Change:
    """Plan that the problem came back; it waits for a person then."""
    happens = _unless_retired(lambda reading, told: events.recurred(reading, told, args.protocol))
    return _happen(library, intent, "Count the recurrence for", happens, args.actor, args.detail)


def plan_contradict(library: Library, intent: Intent, args: LearnContradict) -> Change:
    """Plan that two learnings say opposite things.

    Raises:
        NotPossible: They are not two, or know of each other already.
    """
    entries = chosen(library, intent)
    if len(entries) != 2:
        raise NotPossible("two learnings contradict each other", hint="name exactly two")
    one, other = (learning_at(library, entry) for entry in entries)
    readings = edits.writable_reading(one), edits.writable_reading(other)
    for reading in readings:
        need_in_use(reading)
    draft = Draft(library)
    changes = events.contradicted(*readings, told_of(library, args.actor, args.detail))
    for source, fields in zip((one, other), changes, strict=True):
        draft.take(edits.write(source, fields))
    both_strong = min(each.record.confidence for each in readings) >= HIGH_FROM
    note = f"both have at least {HIGH_FROM:g} confidence, so a person must decide"
    notes = (note,) if both_strong else ()
    return change(library, intent, "Contradict", draft, same(entries), notes=notes)


def plan_supersede(library: Library, intent: Intent, args: LearnSupersede) -> Change:
    """Plan that one learning takes the place of others.

    Raises:
        NotPossible: It is one of them, or not in force.
    """
    by = library.resolve(args.by)
    source = learning_at(library, by)
    need_in_use(edits.writable_reading(source))
    if by.ref in intent.shown:
        raise NotPossible("a learning cannot supersede itself", hint="name another one")
    name = source.path.stem
    return _happen(library, intent, "Supersede", _by(name))


def superseded_by(library: Library, old: Entry, new: Entry) -> tuple[Effect, ...]:
    """Plan what a learning notes of the one that takes its place.

    Raises:
        NotPossible: One of them cannot be written.
    """
    source, happens = learning_at(library, old), _by(learning_at(library, new).path.stem)
    return edits.write(source, happens(edits.writable_reading(source), told_of(library, "", "")))


def _by(name: str) -> Happens:
    """Return what is noted of a learning whose place another one takes."""
    return _unless_retired(lambda reading, told: events.superseded(reading, told, name))


def _happen(
    library: Library,
    intent: Intent,
    verb: str,
    happens: Happens,
    actor: str = "",
    detail: str = "",
) -> Change:
    draft, told = Draft(library), told_of(library, actor, detail)
    entries = chosen(library, intent)
    for entry in entries:
        source = learning_at(library, entry)
        draft.take(edits.write(source, happens(edits.writable_reading(source), told)))
    return change(library, intent, verb, draft, same(entries), reason=detail)


def _unless_retired(happens: Happens) -> Happens:
    def checked(reading: Reading, told: Told) -> Fields:
        need_in_use(reading)
        return happens(reading, told)

    return checked


def need_in_use(reading: Reading) -> None:
    """Let only drafts and records in force through.

    Raises:
        NotPossible: It is in force no more.
    """
    if reading.record.status == DEPRECATED:
        word = status_of(reading.record, archived=False).value
        hint = f"`remem restore {reading.record.id}` brings it back"
        raise NotPossible(f"`{reading.record.id}` is {word}", hint=hint)


def same(entries: Iterable[Entry]) -> dict[Ref, Ref | None]:
    """Return what a change touches that gives no entry another ref."""
    return {entry.ref: entry.ref for entry in entries}


def learning_at(library: Library, entry: Entry) -> LearningSource:
    """Return the file of a learning.

    Raises:
        NotPossible: The entry is something else.
    """
    source = library.source_of(entry)
    if not isinstance(source, LearningSource) or source.part != LEARNING:
        raise NotPossible(
            f"`{library.short(entry.ref)}` is not a learning", hint="`remem list --kind learning`"
        )
    return source


def told_of(library: Library, actor: str = "", detail: str = "") -> Told:
    """Return when an event happens and who says so: a person, if no `actor` is named."""
    return Told(time_text(library.ground.given.clock.now()), actor or HUMAN, detail)
