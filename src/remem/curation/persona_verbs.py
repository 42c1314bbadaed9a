"""The verbs that look after personas."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb
from remem.library import Library
from remem.model.change import Change, Intent

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
    if intent.text("from"):
        return Later("persona_places", "plan_merge_places")(library, intent)
    return Later("persona_merge", "plan_merge")(library, intent)


PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        PERSONA_RENAME: Later("personas", "plan_rename"),
        PERSONA_ARCHIVE: Later("personas", "plan_archive"),
        PERSONA_RESTORE: Later("personas", "plan_restore"),
        PERSONA_ABSORB: Later("ghosts", "plan_absorb"),
        PERSONA_NEW: Later("persona_new", "plan_new"),
        PERSONA_MERGE: _plan_merge,
        PERSONA_MOVE: Later("persona_places", "plan_move"),
        PUT_BACK: Later("lost", "plan_put_back"),
    }
)
MOVES_FOLDERS: Final = frozenset(
    {PERSONA_RENAME, PERSONA_ARCHIVE, PERSONA_RESTORE, PERSONA_ABSORB, PERSONA_MERGE, PERSONA_MOVE}
    | {PUT_BACK}
)
"""Verbs whose plan is shown before it happens, however little it names."""
