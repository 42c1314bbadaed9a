"""The verbs that look after personas."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Planner, Verb
from remem.model.change import Change, Intent


def _plan_rename(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.plans import plan_rename

    return plan_rename(library, intent)


def _plan_archive(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.plans import plan_archive

    return plan_archive(library, intent)


def _plan_restore(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.plans import plan_restore

    return plan_restore(library, intent)


def _plan_absorb(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.recreated import plan_absorb

    return plan_absorb(library, intent)


def _plan_new(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.new import plan_new

    return plan_new(library, intent)


def _plan_move(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.places import plan_move

    return plan_move(library, intent)


def _plan_put_back(library: Library, intent: Intent) -> Change:
    from remem.core.history.removed import plan_put_back

    return plan_put_back(library, intent)


PERSONA_RENAME: Final = Verb(
    "persona.rename", "Rename", "R", "Give the persona another name.", "Personas"
)
PERSONA_ARCHIVE: Final = Verb(
    "persona.archive", "Archive persona", "x", "Put the persona's memory away.", "Personas"
)
PERSONA_RESTORE: Final = Verb(
    "persona.restore", "Restore persona", "x", "Bring the persona back.", "Personas"
)
PERSONA_ABSORB: Final = Verb(
    "persona.absorb", "Merge ghost", "m", "Put what an agent wrote under the old name with the "
    "persona's memory.", "Personas",
)  # fmt: skip
PERSONA_MERGE: Final = Verb(
    "persona.merge", "Merge persona", "m", "Put the memory of one persona, or of one of its "
    "places, with another.", "Personas",
)  # fmt: skip
PERSONA_MOVE: Final = Verb(
    "persona.move", "Move persona", "M", "Move the persona's memory to another place.", "Personas"
)
PUT_BACK: Final = Verb(
    "restore.from", "Put back", "", "Put back what a change or a commit took out.", "Keep"
)
PERSONA_NEW: Final = Verb("persona.new", "New persona", "", "Make a persona.", "Personas")


def _plan_merge(library: Library, intent: Intent) -> Change:
    """Plan to merge two places of one persona, or two personas."""
    from remem.systems.personas.merge import plan_merge
    from remem.systems.personas.places import plan_merge_places

    plan = plan_merge_places if intent.text("from") else plan_merge
    return plan(library, intent)


PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        PERSONA_RENAME: _plan_rename,
        PERSONA_ARCHIVE: _plan_archive,
        PERSONA_RESTORE: _plan_restore,
        PERSONA_ABSORB: _plan_absorb,
        PERSONA_NEW: _plan_new,
        PERSONA_MERGE: _plan_merge,
        PERSONA_MOVE: _plan_move,
        PUT_BACK: _plan_put_back,
    }
)
MOVES_FOLDERS: Final = frozenset(
    {PERSONA_RENAME, PERSONA_ARCHIVE, PERSONA_RESTORE, PERSONA_ABSORB, PERSONA_MERGE, PERSONA_MOVE}
    | {PUT_BACK}
)
"""Verbs whose plan is shown before it happens, however little it names."""
