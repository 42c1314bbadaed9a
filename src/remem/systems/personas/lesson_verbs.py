"""The verbs that look after the lessons of a persona, and after who it is."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.personas.source import LESSON
from remem.systems.plain.source import FORMAT as PLAIN


def _is_no_lesson(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import is_no_lesson

    return is_no_lesson(library, entry)


def _plan_move(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.lessons import plan_move

    return plan_move(library, intent)


def _plan_pin(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.lessons import plan_pin

    return plan_pin(library, intent)


def _plan_shelve(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.archive_sections import plan_shelve

    return plan_shelve(library, intent)


def _plan_profile(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.personas.profile_edit import plan_profile

    return plan_profile(library, intent)


def is_lesson(entry: Entry) -> bool:
    """Tell whether an entry is a lesson of a persona's memory."""
    return entry.kind == LESSON and entry.ref.format in ("persona", PLAIN)


MOVE: Final = Writing(
    "move",
    "Move",
    "M",
    "Put it into another section, or with another persona.",
    "Personas",
    needs(_is_no_lesson),
    args=Undeclared,
    plan=_plan_move,
)
LESSON_PIN: Final = Writing(
    "lesson.pin",
    "Pin",
    "P",
    "Put it first in the head: it goes into the prompt before all else.",
    "Personas",
    needs(_is_no_lesson),
    args=Undeclared,
    plan=_plan_pin,
)
SECTIONS_ARCHIVE: Final = Writing(
    "sections.archive",
    "Archive old sections",
    "",
    "Put sections before a day into the archive beside their file.",
    "Personas",
    args=Undeclared,
    plan=_plan_shelve,
    shows="always",
)
PERSONA_EDIT: Final = Writing(
    "persona.edit",
    "Edit profile",
    "",
    "Say who the persona is.",
    "Personas",
    args=Undeclared,
    plan=_plan_profile,
)

VERBS: Final = (
    MOVE,
    LESSON_PIN,
    SECTIONS_ARCHIVE,
    PERSONA_EDIT,
)
