"""How a conflict is settled on a screen: supersede, limit the scope, or keep both with a reason.

The screen says which texts conflict; each way ends in a plan that is shown before it is done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remem.base.frozen import dataclass
from remem.core.verbs.verbs import KEEP_BOTH, SCOPE, SUPERSEDE
from remem.core.waiting.item import item_ids, kinds_drawn
from remem.model.change import Intent, Json
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.verbs.verb import Verb
    from remem.core.waiting.item import Item
    from remem.model.entry import Ref
    from remem.tui.screens.deciding import DecidingScreen

SETTLES: Final = (SUPERSEDE, SCOPE, KEEP_BOTH)
REASONS: Final = ("each applies in its own place", "no real conflict")
"""Stock reasons for keeping both, which is for good; to decide later is to skip it."""
_AS_IT_IS: Final = "="
_HEADING: Final = 80
"""Characters of a text that the heading of a question holds."""
NO_FIELD: Final = "neither of the two has a field for who gets it"


@dataclass(frozen=True, slots=True)
class Clash:
    """What is settled, as it was drawn."""

    intent: Intent
    """The item or entry that conflicts, and what was set on its card; its verb is not said yet."""
    new: Entry
    others: Sequence[Entry]
    """What it conflicts with, the likest first."""


def can_limit(library: Library, item: Item | None, others: Sequence[Ref] | None) -> bool:
    """Tell whether one of what conflicts has a field for who gets it; yes till that is known."""
    if item is None or not others:
        return True
    from remem.core.verbs.settle import scope_fields

    entries = (library.entry(ref) for ref in (item.ref, *others) if library.has(ref))
    return any(any(scope_fields(library, each)) for each in entries)


def makes_room(library: Library, item: Item | None, others: Sequence[Ref] | None) -> bool:
    """Tell whether one of what conflicts is no more shared than the item; yes till known."""
    if item is None or others is None:
        return True
    return library.is_shared(item.ref) or not all(map(library.is_shared, others))


def clash_of(
    library: Library, asked: Verb, item: Item, found: Sequence[Ref], edited: Mapping[str, Json]
) -> Clash:
    """Return what a verb settles of an item, with those of what it conflicts with that it can.

    Args:
        library: Where they stand.
        asked: The verb.
        item: What conflicts.
        found: What with.
        edited: The fields that were set on its card.
    """
    if asked is SUPERSEDE and not library.is_shared(item.ref):
        found = [ref for ref in found if not library.is_shared(ref)]
    others = [library.entry(ref) for ref in found if library.has(ref)]
    told: dict[str, Json] = {"fields": dict(edited)} if edited else {}
    shown = {item.ref: item.digest}
    intent = Intent(asked.id, shown, told, item_ids([item]), kinds_drawn([item]))
    return Clash(intent, library.entry(item.ref), others)


Then = Callable[[Entry], Awaitable[None]]


async def supersede(screen: DecidingScreen, clash: Clash) -> None:
    """Ask which entry goes where there are several, and show what superseding it writes."""

    async def then(other: Entry) -> None:
        asked = _asked(clash, SUPERSEDE.id, (other,), {"instead_of": str(other.ref)})
        screen.saw(asked.shown)
        await screen.carry_out(asked)

    await _choose_other(screen, clash, SUPERSEDE.title, then)


def keep_both(screen: DecidingScreen, clash: Clash) -> None:
    """Ask why both stay; of several that it conflicts with, all of them do."""
    named = clash.others if len(clash.others) == 1 else ()
    beside: dict[str, Json] = {"beside": str(named[0].ref)} if named else {}
    asked = _asked(clash, KEEP_BOTH.id, named, beside)
    screen.ask_why(asked, "Keep both because", REASONS)


async def limit(screen: DecidingScreen, clash: Clash) -> None:
    """Ask who gets each of the two, and show what limiting them writes."""
    told: dict[str, Json] = {}

    async def then(other: Entry) -> None:
        library = screen.session.library
        # What other repositories get too is not limited for the sake of one.
        is_shared = library.is_shared(other.ref) and not library.is_shared(clash.new.ref)
        fits_new, fits_other = _has_scope(library, clash.new), _has_scope(library, other)
        if not fits_new and (is_shared or not fits_other):
            screen.say(f"{SCOPE.title}: {NO_FIELD}")
            return
        is_alone = is_shared or not fits_other

        async def first(answer: str | None) -> None:
            if answer is None:
                return
            told.update(_limits(answer, "roles", "files"))
            if is_alone:
                await second(_AS_IT_IS)
            else:
                _ask_who(screen, other, "2 of 2", second)

        async def second(answer: str | None) -> None:
            if answer is None:
                return
            told.update(_limits(answer, "other_roles", "other_files"))
            if not told:
                screen.say(f"{SCOPE.title}: no role or file was chosen; nothing was written")
                return
            asked = _asked(clash, SCOPE.id, (other,), {"apart_from": str(other.ref), **told})
            screen.saw(asked.shown)
            await screen.carry_out(asked)

        if fits_new:
            _ask_who(screen, clash.new, "1 of 1" if is_alone else "1 of 2", first)
        else:
            _ask_who(screen, other, "1 of 1", second)

    await _choose_other(screen, clash, SCOPE.title, then)


def _ask_who(
    screen: DecidingScreen, entry: Entry, step: str, then: Callable[[str | None], Awaitable[None]]
) -> None:
    from remem.core.verbs.settle import scope_fields
    from remem.core.waiting.approve import said_in
    from remem.tui.screens.choose import ChooseScreen
    from remem.views.list_rows import Choice

    library = screen.session.library
    text = said_in(library, entry)[1]
    of_roles, of_files = scope_fields(library, entry)
    now = ", ".join(entry.roles or ()) or "all roles"
    choices = [Choice(_AS_IT_IS, "no change", f"for {now}")]
    choices += [Choice(role, role) for role in screen.session.roles()] if of_roles else []
    typed = "type roles or globs" if of_files else "type several roles"
    title = f"{step} · Who gets this ({typed}): {_begin(text)}"
    asks = ChooseScreen(title, choices, typed=bool(of_roles or of_files), by_name=True)
    screen.app.push_screen(asks, then)


def _has_scope(library: Library, entry: Entry) -> bool:
    from remem.core.verbs.settle import scope_fields

    return any(scope_fields(library, entry))


def _begin(text: str) -> str:
    """Return the first line of a text, as much of it as a heading holds."""
    line, *more = text.strip().splitlines() or [""]
    is_cut = bool(more) or len(line) > _HEADING
    begin = line if len(line) <= _HEADING else line[:_HEADING].rpartition(" ")[0] or line[:_HEADING]
    return f"{begin.rstrip()} …" if is_cut else line


def _limits(answer: str, roles: str, files: str) -> dict[str, Json]:
    """Return what was answered; a glob has a slash, a star or a dot in it, which no role has."""
    words = [] if answer == _AS_IT_IS else answer.replace(",", " ").split()
    globs: list[Json] = [each for each in words if {*each} & {*"/*."}]
    named: list[Json] = [each for each in words if each not in globs]
    return {name: each for name, each in ((roles, named), (files, globs)) if each}


async def _choose_other(screen: DecidingScreen, clash: Clash, title: str, then: Then) -> None:
    from remem.tui.screens.choose import ChooseScreen
    from remem.views.list_rows import Choice

    if len(clash.others) == 1:
        await then(clash.others[0])
        return
    library, by_ref = screen.session.library, {str(each.ref): each for each in clash.others}
    choices = [Choice(ref, library.short(each.ref), each.title) for ref, each in by_ref.items()]

    async def answer(chosen: str | None) -> None:
        if chosen is not None:
            await then(by_ref[chosen])

    screen.app.push_screen(ChooseScreen(title, choices), answer)


def _asked(clash: Clash, verb: str, others: Sequence[Entry], told: dict[str, Json]) -> Intent:
    shown = {**clash.intent.shown, **{each.ref: each.digest for each in others}}
    return replace(
        clash.intent, verb=verb, shown=shown, arguments={**clash.intent.arguments, **told}
    )
