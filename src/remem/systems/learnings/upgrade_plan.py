"""Plans to write learnings of older shapes as the schema wants them, all of them in one change.

Nothing that a record says is lost. A file that is YAML already and has the name of its id is
changed where it stands. Any other becomes a new file, under an id that the same record gets each
time (FORMATS 2.5); the learnings that refer to it follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible, Refused, RememError
from remem.core.draft import Draft, change
from remem.core.library import Library
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Ref
from remem.systems.learnings import edits
from remem.systems.learnings.read import reading_of
from remem.systems.learnings.source import LearningSource, record_of
from remem.systems.learnings.upgrade import new_names, upgraded
from remem.systems.learnings.upkeep import as_chosen, records_of, wanted_of

if TYPE_CHECKING:
    from remem.systems.learnings.learning_verbs import LearnUpgrade


def plan_upgrade(library: Library, intent: Intent, args: LearnUpgrade) -> Change:
    """Plan to write older shapes as the schema wants them, all of them where none are chosen.

    Raises:
        NotPossible: All are, or a status or a confidence has to be said.
    """
    status, confidence = args.status, args.confidence
    found = dict(wanted_of(library, intent) if intent.shown else upgradable(library))
    if not found:
        raise Already("every learning is up to date", hint="nothing to upgrade")
    refs: dict[LearningSource, Ref] = {}
    asking: list[RememError] = []
    for source in found:
        try:
            refs[source], _ = upgraded(source, status=status, confidence=confidence)
        except (NotPossible, Refused) as lacking:
            if intent.shown:
                raise
            asking.append(lacking)
    if not refs:
        raise asking[0]
    renamed = _renamed(refs)
    draft = Draft(library)
    for source in refs:
        draft.take(upgraded(source, status=status, confidence=confidence, renamed=renamed)[1])
    touched: dict[Ref, Ref | None] = {found[source].ref: ref for source, ref in refs.items()}
    notes = [f"{each} and is left as is" for each in asking]
    for source, entry in records_of(library) if renamed else ():
        if source not in refs:
            touched |= _follow(library, draft, source, entry, renamed, notes)
    asked = as_chosen(library, intent, touched)
    return change(library, asked, "Upgrade", draft, touched, notes=tuple(notes))


def upgradable(library: Library) -> Iterator[tuple[LearningSource, Entry]]:
    """Yield learnings that can be read, and are not as the schema wants them."""
    for source, entry in records_of(library):
        if entry.problems and not entry.is_read_only:
            reading = reading_of(source)
            if reading is not None and not reading.conforms:
                yield source, entry


def _renamed(refs: Mapping[LearningSource, Ref]) -> dict[str, str]:
    """Return old id → new id of what goes on under another name."""
    found: dict[str, str] = {}
    for source, ref in refs.items():
        record = record_of(source)
        old = record.id if record is not None else ""
        found |= {name: ref.id for name in (old, source.path.stem) if name not in ("", ref.id)}
    return found


def _follow(
    library: Library,
    draft: Draft,
    source: LearningSource,
    entry: Entry,
    renamed: Mapping[str, str],
    notes: list[str],
) -> dict[Ref, Ref | None]:
    """Let a record call others what they are called from now on."""
    reading = reading_of(source)
    fields = new_names(reading.plain, renamed) if reading is not None else {}
    if reading is None or not fields:
        return {}
    if entry.is_read_only or not reading.is_writable:
        notes.append(f"`{library.short(entry.ref)}` still names an old id, and is not written")
        return {}
    draft.take(edits.write(source, fields))
    return {entry.ref: entry.ref}
