"""The verbs that look after the lessons of a persona: what each is told, and what plans it."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing, needs, read_only
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Status
from remem.systems.personas.source import LESSON

_GROUP: Final = "Personas"


def is_lesson(entry: Entry) -> bool:
    """Tell whether an entry is a lesson of a persona's memory."""
    return entry.kind == LESSON


def _is_no_lesson(library: Library, entry: Entry) -> str | None:
    if not is_lesson(entry):
        return "only a persona's lessons can be moved"
    if entry.status is Status.ARCHIVED:
        return "it is archived"
    return read_only(library, entry)


class Move(Args):
    """Move lessons to another section, file or persona.

    PLACE is `NAME@LAYOUT/FILE#SECTION`; each part is optional. `#Testing` is a section of the same
    file, `#` its top, `Priya` the memory of another persona, under the same date.
    """

    to: str = argument("PLACE")


def _plan_move(library: Library, intent: Intent, args: Move) -> Change:
    from remem.systems.personas.lesson_places import plan_move

    return plan_move(library, intent, args)


MOVE: Final = Writing(
    id="move",
    title="Move",
    key="M",
    help="Move it to another section or persona.",
    group=_GROUP,
    why_not=needs(_is_no_lesson),
    args=Move,
    plan=_plan_move,
    command="move",
    takes="REF...",
    pinned=True,
)


class LessonPin(Args):
    """Pin lessons to the top of the prompt.

    Pinned lessons come first; check with `remem why REF --persona NAME`.
    """


def _plan_pin(library: Library, intent: Intent, _: LessonPin) -> Change:
    from remem.systems.personas.lesson_places import plan_pin

    return plan_pin(library, intent)


LESSON_PIN: Final = Writing(
    id="lesson.pin",
    title="Pin",
    key="P",
    help="Pin it at the top of its file, so that it comes first in the prompt.",
    group=_GROUP,
    why_not=needs(_is_no_lesson),
    args=LessonPin,
    plan=_plan_pin,
    command="pin",
    takes="REF...",
    pinned=True,
)


def _becomes() -> tuple[str, ...]:
    from remem.systems.personas.shared_lessons import CONVENTION_LEVEL, DECISION_LEVEL, ONE

    return (ONE, DECISION_LEVEL, CONVENTION_LEVEL)


class LessonShare(Args):
    """Settle lessons that several personas have.

    They are kept in one memory with a note of who else learned them, or become a team decision or
    a convention; the copies are archived. For a single REF, all its copies are meant; `remem
    persona shared` lists them.
    """

    to: str = option(
        "--to",
        "What they become.",
        choices=_becomes,
        default="one",
    )


def _plan_share(library: Library, intent: Intent, args: LessonShare) -> Change:
    from remem.systems.personas.shared_lessons import plan_share

    return plan_share(library, intent, args)


LESSON_SHARE: Final = Writing(
    id="lesson.share",
    title="Keep in one place",
    help="Keep a lesson that several have in one memory, or make it a decision or a rule.",
    group=_GROUP,
    why_not=needs(_is_no_lesson),
    args=LessonShare,
    plan=_plan_share,
    command="persona share",
    takes="REF...",
    shows="always",
    acknowledges=True,
)


class SectionsArchive(Args):
    """Put sections before a day into the archive beside their file."""

    persona: str = other_doors("Whose sections; left out with `team`.", default="")
    others: tuple[str, ...] = other_doors("Whose sections too.", default=())
    before: str = other_doors("The day, as `2026-03-01`.")
    layout: str = other_doors("The place, if the persona has several.", default="")
    file: str = other_doors("Only this file.", default="")
    team: bool = other_doors("The decisions of the team instead.", default=False)


def _plan_shelve(library: Library, intent: Intent, args: SectionsArchive) -> Change:
    from remem.systems.personas.archive_sections import plan_shelve
    from remem.systems.personas.several_personas import plan_together

    title = f"Archive sections of {{}} personas before {args.before}"
    return plan_together(library, intent, args, plan_shelve, title)


SECTIONS_ARCHIVE: Final = Writing(
    id="sections.archive",
    title="Archive old sections",
    group=_GROUP,
    args=SectionsArchive,
    plan=_plan_shelve,
    shows="always",
)

VERBS: Final = (MOVE, LESSON_PIN, LESSON_SHARE, SECTIONS_ARCHIVE)
