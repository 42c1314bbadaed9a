"""The verbs that look after personas."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_rename(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.plans import plan_rename

    return plan_rename(library, intent)


def _plan_archive(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.plans import plan_archive

    return plan_archive(library, intent)


def _plan_restore(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.plans import plan_restore

    return plan_restore(library, intent)


def _plan_absorb(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.recreated import plan_absorb

    return plan_absorb(library, intent)


def _plan_new(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.new import plan_new

    return plan_new(library, intent)


def _plan_move(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.places import plan_move

    return plan_move(library, intent)


def _plan_put_back(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.history.removed import plan_put_back

    return plan_put_back(library, intent)


def _plan_merge(library: Library, intent: Intent, _: Undeclared) -> Change:
    """Plan to merge two places of one persona, or two personas."""
    from remem.systems.personas.merge import plan_merge
    from remem.systems.personas.places import plan_merge_places

    plan = plan_merge_places if intent.text("from") else plan_merge
    return plan(library, intent)


PERSONA_RENAME: Final = Writing(
    "persona.rename",
    "Rename",
    "R",
    "Give the persona another name.",
    "Personas",
    args=Undeclared,
    plan=_plan_rename,
    shows="always",
)
PERSONA_ARCHIVE: Final = Writing(
    "persona.archive",
    "Archive persona",
    "x",
    "Put the persona's memory away.",
    "Personas",
    args=Undeclared,
    plan=_plan_archive,
    shows="always",
)
PERSONA_RESTORE: Final = Writing(
    "persona.restore",
    "Restore persona",
    "x",
    "Bring the persona back.",
    "Personas",
    args=Undeclared,
    plan=_plan_restore,
    shows="always",
)
PERSONA_ABSORB: Final = Writing(
    "persona.absorb",
    "Merge ghost",
    "m",
    "Put what an agent wrote under the old name with the persona's memory.",
    "Personas",
    args=Undeclared,
    plan=_plan_absorb,
    shows="always",
)
PERSONA_MERGE: Final = Writing(
    "persona.merge",
    "Merge persona",
    "m",
    "Put the memory of one persona, or of one of its places, with another.",
    "Personas",
    args=Undeclared,
    plan=_plan_merge,
    shows="always",
)
PERSONA_MOVE: Final = Writing(
    "persona.move",
    "Move persona",
    "M",
    "Move the persona's memory to another place.",
    "Personas",
    args=Undeclared,
    plan=_plan_move,
    shows="always",
)
PUT_BACK: Final = Writing(
    "restore.from",
    "Put back",
    "",
    "Put back what a change or a commit took out.",
    "Keep",
    args=Undeclared,
    plan=_plan_put_back,
    shows="always",
)
PERSONA_NEW: Final = Writing(
    "persona.new", "New persona", "", "Make a persona.", "Personas", args=Undeclared, plan=_plan_new
)


VERBS: Final = (
    PERSONA_RENAME,
    PERSONA_ARCHIVE,
    PERSONA_RESTORE,
    PERSONA_ABSORB,
    PERSONA_NEW,
    PERSONA_MERGE,
    PERSONA_MOVE,
    PUT_BACK,
)
