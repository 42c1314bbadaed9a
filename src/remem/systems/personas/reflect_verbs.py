"""The verbs that add to a persona's memory what it learnt, and condense what grew too long.

What a model has to be asked first is asked by the doors; these take its answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json

_GROUP: Final = "Personas"


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
    from remem.systems.personas.reflection import plan_reflect

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
    from remem.systems.personas.compact import plan_compact

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
    from remem.systems.personas.compact import plan_compact_all

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

VERBS: Final = (
    PERSONA_REFLECT,
    PERSONA_COMPACT,
    PERSONAS_COMPACT,
)
