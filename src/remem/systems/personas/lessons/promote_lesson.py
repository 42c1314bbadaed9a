"""Plans that what one persona learnt becomes memory of the whole project.

The lesson stays where it stands; what comes of it waits for a person, and says where it is from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible, UnknownRef
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.relation.in_force import notes_on
from remem.core.verbs.verbs import Promote
from remem.core.waiting.approve import add
from remem.core.waiting.kinds import Coming
from remem.model.change import Change, Effect, Intent, Json
from remem.model.entry import CONVENTION, LEARNING, LESSON, Entry, Ref, Status
from remem.model.roles import persona_key
from remem.systems.learnings.records import DRAFT, HUMAN
from remem.systems.personas.edits import is_logged, plan_promoted
from remem.systems.personas.lessons.move_and_pin_lessons import plan_put
from remem.systems.personas.source import PersonaSource

if TYPE_CHECKING:
    from remem.model.done_by_others import Unreviewed

LEVELS: Final = (CONVENTION, LEARNING)
"""What a lesson can become."""

_WHERE_TO: Final = (
    "name `convention`, `learning` or a place, such as `CLAUDE.md` or the name of a persona"
)


def plan_promotion(library: Library, intent: Intent, args: Promote) -> Change:
    """Plan to lift lessons to the level that is named, or to let them stand at a place.

    What becomes a record of another kind stays where it is; at a place it stands instead. What an
    agent took out comes back there.

    Raises:
        NotPossible: A lesson can become nothing of that kind.
        Unacknowledged: A lesson holds a secret or hidden characters.
    """
    unreviewed = library.aside.unreviewed
    lost = [unreviewed[ref] for ref in intent.shown if ref in unreviewed and not library.has(ref)]
    gone = {each.ref for each in lost}
    left = {ref: digest for ref, digest in intent.shown.items() if ref not in gone}
    entries = chosen(library, replace(intent, shown=left)) if left or not lost else []
    level = args.to
    if not level:
        raise NotPossible(
            "a lesson needs a level",
            hint=_WHERE_TO,
        )
    texts = [entry.title for entry in entries] + [each.title for each in lost]
    need_clean(texts, intent, "it")
    logged = [entry for entry in entries if _is_logged(library, entry)]
    if level not in LEVELS and logged and not lost:
        return _plan_logged(library, intent, level, entries)
    if level not in LEVELS:
        return _plan_place(library, intent, level, entries, lost)
    if lost:
        raise NotPossible(
            f"what was taken out cannot become a {level} by itself",
            hint="put it back first, or name a place",
        )
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    notes: list[str] = []
    for entry in entries:
        text = " ".join(entry.title.split())
        notes += known_notes(library, level, text)
        ref = add(draft, _coming(library, entry, level, text), _status(level))
        touched |= {entry.ref: entry.ref, ref: ref}
        if entry in logged:
            draft.take(_promoted(draft, entry, library.short(ref)))
    return change(library, intent, f"Promote to {level}:", draft, touched, notes=tuple(notes))


def _is_logged(library: Library, entry: Entry) -> bool:
    source = library.source_of(entry)
    return isinstance(source, PersonaSource) and is_logged(source, entry)


def _promoted(draft: Draft, entry: Entry, to: str) -> tuple[Effect, ...]:
    source, now = draft.find(entry.ref)
    assert isinstance(source, PersonaSource)
    return plan_promoted(source, now, to)


def _plan_logged(library: Library, intent: Intent, place: str, entries: Sequence[Entry]) -> Change:
    """Plan to put what a log's entries say in short into a file, and to say so in the log."""
    if not all(_is_logged(library, entry) for entry in entries):
        raise NotPossible(
            "entries of a log and other lessons go by different ways", hint="promote them apart"
        )
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    name, _, section = place.partition("#")
    for entry in entries:
        text = " ".join(entry.title.split())
        fields: dict[str, Json] = {"text": text, "file": name}
        if section:
            fields["section"] = section
        ref = add(draft, Coming(LESSON, text, fields, entry.ref.format), Status.ACTIVE)
        draft.take(_promoted(draft, entry, name))
        touched |= {entry.ref: entry.ref, ref: ref}
    return change(library, intent, f"Promote to {place}:", draft, touched)


def _plan_place(
    library: Library,
    intent: Intent,
    to: str,
    entries: Sequence[Entry],
    lost: Sequence[Unreviewed],
) -> Change:
    """Plan to let lessons stand at a place; what was taken out counts as reviewed then."""
    try:
        planned = plan_put(library, intent, to, entries, "Restore" if lost else "Promote", lost)
    except UnknownRef as error:
        raise NotPossible(str(error), hint=f"{_WHERE_TO}; {error.hint}") from None
    if not lost:
        return planned
    from remem.core.inbox.inbox import review_effect

    return replace(planned, effects=(*planned.effects, review_effect(library, lost)))


def _status(level: str) -> Status:
    """Return the status to add with; a learning says by its own word that it waits."""
    return Status.CANDIDATE if level == CONVENTION else Status.ACTIVE


def _coming(library: Library, entry: Entry, level: str, text: str) -> Coming:
    source = library.source_of(entry)
    today = library.ground.given.clock.today().isoformat()
    roles: list[Json] = list(roles_of(library.ground.roles, source.owner))
    if level == LEARNING:
        fields: dict[str, Json] = {
            "learning": text,
            "status": DRAFT,
            "source": {"type": HUMAN, "detail": str(entry.ref)},
        }
        if roles:
            fields["scope"] = {"agents": roles}
        return Coming(LEARNING, text, fields)
    learnt = f", {entry.date}" if entry.date else ""
    whence = f"learned by {source.owner}" if source.owner else f"logged in {source.name}"
    fields = {
        "rule": text,
        "rationale": f"{whence}{learnt}",
        "source": {"type": "manual", "ref": str(entry.ref), "date": today},
    }
    if roles:
        fields["applies_to"] = roles
    return Coming(CONVENTION, text, fields)


def roles_of(roles: Mapping[str, tuple[str, ...]], owner: str) -> tuple[str, ...]:
    """Return the roles that the settings give a persona; none = everyone."""
    by_key = {persona_key(name): each for name, each in roles.items()}
    return by_key.get(persona_key(owner), ())


def known_notes(library: Library, level: str, text: str) -> list[str]:
    """Return what a person should know of a text that becomes an entry of that kind."""
    return [*notes_on(library, level, text)]
