"""One verb on several personas as one change: each planned on what those before it leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from remem.base.errors import Already
from remem.core.draft import Draft
from remem.core.library import Library
from remem.model.change import Change, Intent
from remem.model.entry import Ref
from remem.store.io import Disk
from remem.store.overlay import Overlay
from remem.systems.personas.source import PersonaSource

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaArchive, PersonaRestore, SectionsArchive

A = TypeVar("A", "PersonaArchive", "PersonaRestore", "SectionsArchive")


def plan_together(
    library: Library,
    intent: Intent,
    args: A,
    plan: Callable[[Library, Intent, A], Change],
    title: str,
) -> Change:
    """Plan a verb on everyone who was named.

    Args:
        library: The snapshot to plan on.
        intent: What asks for it.
        args: `persona` is the first one, `others` the rest; who is named twice counts once.
        plan: Plans it for one.
        title: Of the whole, with `{}` for how many.

    Raises:
        Already: It was done to all of them.
        RememError: It cannot be done to one of them, and so is done to none.
    """
    names = tuple(dict.fromkeys((args.persona, *args.others)))
    if len(names) == 1:
        return plan(library, intent, replace(args, others=()))
    each = replace(args, others=())

    def planned(name: str) -> Callable[[Library], Change]:
        return lambda now: plan(now, intent, replace(each, persona=name))

    return plan_in_turn(library, intent, [planned(name) for name in names], title)


def plan_in_turn(
    library: Library, intent: Intent, plans: Sequence[Callable[[Library], Change]], title: str
) -> Change:
    """Plan one thing after the other as one change, each on what those before it leave.

    Args:
        library: The snapshot to plan on.
        intent: What asks for it.
        plans: Each plans its part on a snapshot.
        title: Of the whole, with `{}` for how many.

    Raises:
        Already: All of it was done.
        RememError: One part cannot be done, and so none is.
    """
    draft, now = Draft(library), library
    made: list[Change] = []
    notes: list[str] = []
    touched: dict[Ref, Ref | None] = {}
    done: Already | None = None
    for plan in plans:
        try:
            part = plan(now)
        except Already as already:
            done = already
            notes.append(str(already))
            continue
        made.append(part)
        left = {old: part.touched.get(new, new) if new else new for old, new in touched.items()}
        touched = {**left, **part.touched}
        draft.take(part.effects)
        effects = draft.effects()
        after = Overlay(library.ground.disk, effects, library.shown)
        now = library.preview(effects)
        now = _read_from(now, after)
    if not made and done is not None:
        raise done
    return Change(
        intent,
        title.format(f"{len(made):,}"),
        draft.effects(),
        touched=touched,
        receipt="; ".join(each.receipt for each in made if each.receipt),
        notes=tuple(dict.fromkeys((*notes, *(note for each in made for note in each.notes)))),
    )


def _read_from(library: Library, disk: Disk) -> Library:
    """Return a snapshot whose memories find on that disk what stands beside them."""
    opened = tuple(
        replace(each, read=replace(each.read, disk=disk))
        if isinstance(each.read, PersonaSource)
        else each
        for each in library.opened
    )
    return replace(library, ground=replace(library.ground, disk=disk), opened=opened)
