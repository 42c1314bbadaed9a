"""The verbs of personas: whole ones, what they learnt, and their lessons.

Each says what it is told and what plans it. What a model has to be asked first is asked by the
doors; these take its answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing, needs, read_only
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Status
from remem.systems.personas.source import LESSON

_GROUP: Final = "Personas"


def _personas(library: Library) -> Iterator[tuple[str, str]]:
    from remem.systems.personas.team.people import everyone

    return ((each.folder or each.name, each.title) for each in everyone(library))


def _layouts(library: Library) -> Iterable[tuple[str, str]]:
    return ((each.name, each.tool) for each in library.ground.layouts)


def _name() -> Any:
    return argument("NAME", offers=_personas)


def _layout(about: str = "The place, if the persona has several.") -> Any:
    return option("--layout", about, offers=_layouts, default="")


def _from() -> Any:
    about = "The current place."
    return option("--from", about, named="from", metavar="PLACE", default="")


def _to() -> Any:
    return option("--to", "The other place.", named="to", metavar="PLACE", default="")


class PersonaNew(Args):
    """Create a persona with an empty memory.

    A FILE of `key: value` lines becomes that part of `persona.yaml`, any other file is prose.
    """

    persona: str = argument("NAME")
    role: str = option("--role", "Its role in a few words.", default="")
    soul: Json = option("--soul", "Its values; `@FILE` reads a file.", metavar="TEXT", default="")
    style: Json = option("--style", "Its style; `@FILE` reads a file.", metavar="TEXT", default="")
    skill: Json = option(
        "--skill", "Its working rules; `@FILE` reads a file.", metavar="TEXT", default=""
    )
    layout: str = _layout()


def _plan_new(library: Library, intent: Intent, args: PersonaNew) -> Change:
    from remem.systems.personas.new_persona import plan_new

    return plan_new(library, intent, args)


PERSONA_NEW: Final = Writing(
    id="persona.new",
    title="New persona",
    help="Create a persona.",
    group=_GROUP,
    args=PersonaNew,
    plan=_plan_new,
    command="persona new",
    follows="never",
)


class PersonaRename(Args):
    """Rename a persona everywhere.

    Paths, routing targets, definitions and titles follow. Mentions in prose are listed, and
    rewritten only with `--with-references` or file by file with `--in`.
    """

    persona: str = _name()
    to: str = argument("NEW_NAME")
    layout: str = _layout()
    references: bool = option(
        "--with-references",
        "Also rename it in other memories and the team's files.",
        default=False,
    )
    files: tuple[str, ...] = option(
        "--in", "Also rename it in this file; repeatable.", metavar="FILE", default=()
    )
    beside: bool = option(
        "--beside", "If the name is taken, store the memory beside the existing one.", default=False
    )


def _plan_rename(library: Library, intent: Intent, args: PersonaRename) -> Change:
    from remem.systems.personas.moving.rename_archive_restore import plan_rename

    return plan_rename(library, intent, args)


PERSONA_RENAME: Final = Writing(
    id="persona.rename",
    title="Rename",
    key="R",
    help="Rename the persona.",
    group=_GROUP,
    args=PersonaRename,
    plan=_plan_rename,
    shows="always",
    command="persona rename",
    follows="never",
)


class PersonaArchive(Args):
    """Archive personas' memories, as one change."""

    persona: str = _name()
    others: tuple[str, ...] = argument("[NAME...]", offers=_personas, default=())
    layout: str = _layout()


def _plan_archive(library: Library, intent: Intent, args: PersonaArchive) -> Change:
    from remem.systems.personas.moving.rename_archive_restore import plan_archive
    from remem.systems.personas.moving.several_personas import plan_together

    return plan_together(library, intent, args, plan_archive, "Archive {} personas")


PERSONA_ARCHIVE: Final = Writing(
    id="persona.archive",
    title="Archive persona",
    label="Archive",
    key="x",
    help="Archive the persona's memory.",
    group=_GROUP,
    args=PersonaArchive,
    plan=_plan_archive,
    shows="always",
    command="persona archive",
    follows="never",
)


class PersonaRestore(Args):
    """Restore archived personas, as one change.

    NAME is the persona, or the archived folder if several have the same name.
    """

    persona: str = _name()
    others: tuple[str, ...] = argument("[NAME...]", offers=_personas, default=())
    layout: str = _layout()


def _plan_restore(library: Library, intent: Intent, args: PersonaRestore) -> Change:
    from remem.systems.personas.moving.rename_archive_restore import plan_restore
    from remem.systems.personas.moving.several_personas import plan_together

    return plan_together(library, intent, args, plan_restore, "Restore {} personas")


PERSONA_RESTORE: Final = Writing(
    id="persona.restore",
    title="Restore persona",
    label="Restore",
    key="X",
    help="Restore the persona.",
    group=_GROUP,
    args=PersonaRestore,
    plan=_plan_restore,
    shows="always",
    command="persona restore",
    follows="never",
)


class PersonaMergeRecreated(Args):
    """Merge a folder that an agent recreated under an old name.

    NAME is the old name. New text is added to the file of the same name, and the recreated folder
    is removed.
    """

    persona: str = argument("NAME")
    layout: str = _layout()


def _plan_merge_recreated(library: Library, intent: Intent, args: PersonaMergeRecreated) -> Change:
    from remem.systems.personas.moving.recreated import plan_merge_recreated

    return plan_merge_recreated(library, intent, args)


PERSONA_MERGE_RECREATED: Final = Writing(
    id="persona.absorb",
    title="Merge recreated folder",
    help="Merge a folder recreated under the old name into the persona.",
    group=_GROUP,
    args=PersonaMergeRecreated,
    plan=_plan_merge_recreated,
    shows="always",
    command="persona absorb",
    looks_back=True,
    follows="never",
)


class PersonaMerge(Args):
    """Merge two personas, or two places of one.

    The text is appended unchanged to the other file; the source is archived.
    """

    persona: str = _name()
    into: str = option(
        "--into",
        "The persona to merge into.",
        metavar="NAME",
        offers=_personas,
        default="",
    )
    one: str = _from()
    other: str = _to()
    layout: str = _layout("Only this place of NAME, with `--into`.")


def _plan_merge(library: Library, intent: Intent, args: PersonaMerge) -> Change:
    """Plan to merge two places of one persona, or two personas.

    Raises:
        NotPossible: Neither of them was said, or both.
    """
    from remem.systems.personas.moving.merge_personas import plan_merge
    from remem.systems.personas.moving.several_places import plan_merge_places

    of_places = bool(args.one or args.other)
    if bool(args.into) == of_places or (of_places and args.layout):
        raise NotPossible(
            "name either the target persona or two places",
            hint="`--into NAME`, or `--from PLACE --to PLACE`",
        )
    return (plan_merge_places if of_places else plan_merge)(library, intent, args)


PERSONA_MERGE: Final = Writing(
    id="persona.merge",
    title="Merge persona",
    label="Merge",
    key="m",
    help="Merge two personas, or two places of one.",
    group=_GROUP,
    args=PersonaMerge,
    plan=_plan_merge,
    shows="always",
    command="persona merge",
    follows="never",
)


class PersonaMove(Args):
    """Move a persona's memory to a place where it has none yet.

    PLACE is a layout, or a layout and a project: `claude-user`, `night-watch/acme`.
    """

    persona: str = _name()
    one: str = _from()
    other: str = _to()


def _plan_move(library: Library, intent: Intent, args: PersonaMove) -> Change:
    from remem.systems.personas.moving.several_places import plan_move

    return plan_move(library, intent, args)


PERSONA_MOVE: Final = Writing(
    id="persona.move",
    title="Move persona",
    key="M",
    help="Move the persona's memory to another place.",
    group=_GROUP,
    args=PersonaMove,
    plan=_plan_move,
    shows="always",
    command="persona move",
    follows="never",
)


class PersonaEdit(Args):
    """Edit a persona's profile.

    Use a dot for nested fields: `soul.whoIAm="Reads before writing"`; `[a, b]` is a list, and
    `null` removes a field. A missing profile is created.
    """

    persona: str = _name()
    fields: Mapping[str, Json] = argument("FIELD=VALUE...", default_factory=dict)
    text: str | None = option(
        "--file", "The whole profile; `-` = stdin.", metavar="FILE", default=None
    )
    layout: str = _layout("The place, if the persona has several.")
    digest: str | None = other_doors(
        "Digest of the file the text was edited from.", in_schema=False, default=None
    )


def _plan_profile(library: Library, intent: Intent, args: PersonaEdit) -> Change:
    from remem.systems.personas.profiles.profile_edit import plan_profile

    return plan_profile(library, intent, args)


PERSONA_EDIT: Final = Writing(
    id="persona.edit",
    title="Edit profile",
    help="Edit the persona's profile.",
    group=_GROUP,
    args=PersonaEdit,
    plan=_plan_profile,
    command="persona edit",
    acknowledges=True,
    follows="never",
)


class PersonaReflect(Args):
    """Ask a persona what it learned, and keep its lessons.

    Lessons are proposed in Review; with `--apply` they are added to its memory under today's date.
    Suspicious lessons always need review.
    """

    persona: str = argument("NAME")
    layout: str = option("--layout", "The place, if the persona has several.", default="")
    lessons: tuple[str, ...] = other_doors("What it answered.", default=())
    apply: bool = option(
        "--apply", "Add the lessons to its memory now; default: propose them.", default=False
    )
    evidence: str = other_doors("What happened.", default="")
    door: str = other_doors("Where it was asked.", in_schema=False, default="")
    why: str = other_doors("Why they need review.", in_schema=False, default="")


def _plan_reflect(library: Library, intent: Intent, args: PersonaReflect) -> Change:
    from remem.systems.personas.lessons.reflection import plan_reflect

    return plan_reflect(library, intent, args)


PERSONA_REFLECT: Final = Writing(
    id="persona.reflect",
    title="Reflect",
    group=_GROUP,
    args=PersonaReflect,
    plan=_plan_reflect,
    command="persona reflect",
    follows="never",
)


class PersonaCompact(Args):
    """Compact long memories of personas without losing text.

    Several are written as one change; those that are short enough are left. A long memory is split
    into parts. Answers are kept: an interrupted run continues, and `--apply` writes what was shown.
    Each line of an answer is traced to the old lines it replaces; invented lines are left out
    unless you accept them.
    """

    persona: str = argument("NAME")
    layout: str = option(
        "--layout",
        "Which place, where a persona has several; `night-watch/other` is another project's.",
        metavar="PLACE",
        default="",
    )
    topic: str = option("--topic", "A topic file instead.", metavar="FILE", default="")
    base: str = other_doors("The base that was compacted; newer lines stay.", default="")
    lines: tuple[str, ...] = other_doors("The new lines.", default=())
    accept: tuple[int, ...] | None = other_doors(
        "Indexes of the lines to use, from 0; default: all valid ones.", default=None
    )
    keep: tuple[int, ...] = other_doors("Indexes of old units to keep, from 0.", default=())


def _plan_compact(library: Library, intent: Intent, args: PersonaCompact) -> Change:
    from remem.systems.personas.compacting.compact_memory import plan_compact

    return plan_compact(library, intent, args)


PERSONA_COMPACT: Final = Writing(
    id="persona.compact",
    title="Compact",
    key="C",
    help="Compact the memory; nothing is lost.",
    group=_GROUP,
    args=PersonaCompact,
    plan=_plan_compact,
    command="persona compact",
    follows="never",
)


class PersonasCompact(Args):
    """Condense the memories of several personas in one change."""

    memories: tuple[Mapping[str, Json], ...] = other_doors("What condensing each is told.")


def _plan_compact_all(library: Library, intent: Intent, args: PersonasCompact) -> Change:
    from remem.systems.personas.compacting.compact_memory import plan_compact_all

    told = [PersonaCompact.from_json(each) for each in args.memories]
    return plan_compact_all(library, intent, told)


PERSONAS_COMPACT: Final = Writing(
    id="personas.compact",
    title="Compact several",
    group=_GROUP,
    args=PersonasCompact,
    plan=_plan_compact_all,
    follows="never",
    shows="always",
)


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


def _plan_move_lessons(library: Library, intent: Intent, args: Move) -> Change:
    from remem.systems.personas.lessons.move_and_pin_lessons import plan_move

    return plan_move(library, intent, args)


MOVE: Final = Writing(
    id="move",
    title="Move",
    key="M",
    help="Move it to another section or persona.",
    group=_GROUP,
    why_not=needs(_is_no_lesson),
    args=Move,
    plan=_plan_move_lessons,
    command="move",
    takes="REF...",
    pinned=True,
)


class LessonPin(Args):
    """Pin lessons to the top of the prompt.

    Pinned lessons come first; check with `remem why REF --persona NAME`.
    """


def _plan_pin(library: Library, intent: Intent, _: LessonPin) -> Change:
    from remem.systems.personas.lessons.move_and_pin_lessons import plan_pin

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
    from remem.systems.personas.lessons.shared_lessons import CONVENTION_LEVEL, DECISION_LEVEL, ONE

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
    from remem.systems.personas.lessons.shared_lessons import plan_share

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
    from remem.systems.personas.compacting.archive_sections import plan_shelve
    from remem.systems.personas.moving.several_personas import plan_together

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

VERBS: Final = (
    PERSONA_NEW,
    PERSONA_RENAME,
    PERSONA_ARCHIVE,
    PERSONA_RESTORE,
    PERSONA_MERGE_RECREATED,
    PERSONA_EDIT,
    PERSONA_MERGE,
    PERSONA_MOVE,
    PERSONA_REFLECT,
    PERSONA_COMPACT,
    PERSONAS_COMPACT,
    MOVE,
    LESSON_PIN,
    LESSON_SHARE,
    SECTIONS_ARCHIVE,
)
