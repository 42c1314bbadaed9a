"""The verbs that look after whole personas: what each is told, and what plans it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json

_GROUP: Final = "Personas"


def _personas(library: Library) -> Iterator[tuple[str, str]]:
    from remem.systems.personas.people import everyone

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
    from remem.systems.personas.moves import plan_rename

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
    from remem.systems.personas.moves import plan_archive
    from remem.systems.personas.several_personas import plan_together

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
    from remem.systems.personas.moves import plan_restore
    from remem.systems.personas.several_personas import plan_together

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
    from remem.systems.personas.recreated import plan_merge_recreated

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
    from remem.systems.personas.merge_personas import plan_merge
    from remem.systems.personas.places import plan_merge_places

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
    from remem.systems.personas.places import plan_move

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
    from remem.systems.personas.profile_edit import plan_profile

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

VERBS: Final = (
    PERSONA_NEW,
    PERSONA_RENAME,
    PERSONA_ARCHIVE,
    PERSONA_RESTORE,
    PERSONA_MERGE_RECREATED,
    PERSONA_EDIT,
    PERSONA_MERGE,
    PERSONA_MOVE,
)
