"""What a person can do where they are, and why the rest does nothing; help and palette tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from textual.dom import DOMNode
from textual.screen import Screen

from remem.base.frozen import dataclass
from remem.core.registered import verbs_brought
from remem.core.verbs.verb import Verb
from remem.tui.screens.base import RememScreen
from remem.tui.verbs import action_of

ALSO: Final[Mapping[str, str]] = {
    "approve": "accept yes confirm add to prompts put into force",
    "reject": "decline no dismiss turn down send away",
    "keep": "candidate park later",
    "edit": "change rewrite text editor",
    "merge": "combine unify join duplicate same",
    "supersede": "replace instead conflict contradiction",
    "scope": "apart roles files conflict contradiction restrict",
    "keep_both": "conflict contradiction beside",
    "promote": "lift level workspace convention",
    "add": "new create write",
    "archive": "delete hide remove put away retire",
    "restore": "unarchive bring back undelete",
    "move": "section persona",
    "fix": "mend repair remedy problem",
    "skip": "later next leave",
    "again": "repeat last dot",
    "suggested": "accept all bulk group",
    "show.why": "explain reason in out",
    "show.who": "audience rule misses",
    "show.team": "personas table agents everyone",
    "show.diff": "what it writes changes",
    "show.compare": "retro diff sprint before after time past",
    "show.loaded": "as loaded composed start",
    "show.agent": "role persona whose prompt choose",
    "show.moment": "when after files time",
    "show.zoom": "full screen pane",
    "show.hidden": "documents all",
    "show.order": "sort date tokens likeness",
    "copy": "clipboard yank markdown osc52",
    "review.copy": "summary markdown pull request report agent",
    "find.filter": "search narrow role status kind",
    "find.everywhere": "search grep journal archive git",
    "undo": "revert back take back",
    "redo": "again undone",
    "palette": "commands run shell",
    "help": "keys legend signs",
    "quit": "exit close leave",
    "suspend": "shell background fg",
    "detect": "check by machine rule gate",
    "brief": "briefing story",
    "screen.start": "context startup who starts with what tokens agents",
    "screen.browse": "sources entries memory",
    "screen.review": "queue decide retro inbox todo",
    "screen.prompt": "compose layers budget",
    "screen.history": "journal log changes",
    "screen.health": "problems lint worth a look needs attention",
    "group.next": "jump section block",
    "group.previous": "jump section block",
    "source.next": "jump file retro",
    "source.previous": "jump file retro",
    "remem duplicates": "told twice",
    "remem supersede": "replace",
    "remem compose": "prompt context",
    "remem status": "start context",
    "remem queue": "review todo",
    "remem retro diff": "compare sprints",
    "remem config show": "settings preferences budget tokens limit",
    "remem config set": "settings preferences theme keymap budget tokens limit",
}
"""Verb or command → other words for it, the old ones too, by which it is found."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A verb as help and palette show it."""

    verb: Verb
    why_not: str = ""
    """Why it does nothing here; empty = it works."""
    by: Verb | None = None
    """The verb whose key does it here, if that is another one."""

    @property
    def keyed(self) -> Verb:
        """The verb whose key does it here; it may have none."""
        return self.by or self.verb


def offers(
    screen: Screen[Any], verbs: Iterable[Verb], footers: Mapping[str, Sequence[Verb]]
) -> list[Offer]:
    """Return every verb that a screen can have, those that work here first.

    One that its key does to what is under the cursor stands in the place of that key's own verb.

    Args:
        screen: Where the person is.
        verbs: Every verb there is, in the order of declaration.
        footers: Screen's title → the verbs that its footer may show.
    """
    every = [*verbs]
    works = usable_on(screen, every)
    places: dict[str, list[str]] = {}
    for title, members in footers.items():
        for verb in members:
            places.setdefault(verb.id, []).append(title)
    found = [
        _working(screen, verb)
        if verb.id in works
        else Offer(verb, _why_not(screen, verb, places.get(verb.id, ())))
        for verb in every
        if verb.id in works or verb.id in places or is_brought(screen, verb)
    ]
    # What another key does here stands there, and not once more as what has no key.
    by_others = {offer.verb.id for offer in found if offer.by is not None}
    told = (each for each in found if each.by is not None or each.verb.id not in by_others)
    return sorted(told, key=lambda offer: bool(offer.why_not))


def _working(screen: Screen[Any], verb: Verb) -> Offer:
    meant = screen.meant(verb) if isinstance(screen, RememScreen) else verb
    return Offer(meant, by=None if meant is verb else verb)


def usable_on(screen: Screen[Any], verbs: Iterable[Verb]) -> frozenset[str]:
    """Return the ids of the verbs that do something where the person is.

    Screens that decide share their keys; one that has no such action, or a reason not to, does
    nothing with one of them.
    """
    known = {verb.id: verb for verb in verbs}
    bound = {
        active.binding.id
        for active in screen.active_bindings.values()
        if active.enabled and active.binding.id in known
        if _acts(active.node, known[active.binding.id])
    }
    return frozenset({*bound, *_keyless(screen, known.values())})


def _keyless(screen: Screen[Any], verbs: Iterable[Verb]) -> Iterator[str]:
    if not isinstance(screen, RememScreen):
        return
    for verb in verbs:
        if verb.key or (verb not in screen.VERBS and not is_brought(screen, verb)):
            continue
        if not screen.blocked(verb):
            yield verb.id


def _acts(node: DOMNode, verb: Verb) -> bool:
    name = action_of(verb)
    if not any(hasattr(node, f"{prefix}{name}") for prefix in ("action_", "_action_")):
        return False
    return not (isinstance(node, RememScreen) and node.blocked(verb))


def is_brought(screen: Screen[Any], verb: Verb) -> bool:
    """Tell whether a plug-in brought it, and this screen can do it."""
    return isinstance(screen, RememScreen) and verb in verbs_brought(screen.session.library)


def _why_not(screen: Screen[Any], verb: Verb, places: Iterable[str]) -> str:
    if isinstance(screen, RememScreen) and verb in screen.VERBS:
        reason = screen.blocked(verb)
        if reason:
            return reason
    named = ", ".join(places)
    return f"on {named}"
