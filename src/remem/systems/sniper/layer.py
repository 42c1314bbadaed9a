"""The memory layer of a prompt: which entries, in which order, under which heads (FORMATS 1.10)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, zip_longest
from operator import is_
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

from remem.base.turns import give_way
from remem.core.system import Ground
from remem.model.entry import Entry, Status
from remem.model.prompt import NO_TEXT, Ask, Offer, Piece, Reason, Section, Verdict
from remem.model.roles import matches, plain
from remem.model.source import Source
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.spawn_prompt import is_newer
from remem.systems.sniper.stores import entries_of, stores_among

LAYER: Final = "project memory"
ABSENT: Final = (
    "No project memory available.\nThis is either a new project or memory has not been initialized."
)
NOT_FOR_ROLE: Final = "No project memory applies to this role."
TRUNCATED: Final = (
    "Note: Memory layer truncated to fit token budget. Full memory available at .sniper/memory/"
)
SECTIONS: Final = {
    "conventions": Section("conventions", "## Project Memory — Conventions You Must Follow"),
    "anti-patterns": Section("anti-patterns", "## Anti-Patterns — Do NOT Do These"),
    "decisions": Section("decisions", "## Key Decisions"),
}
_WAITS: Final = {
    Status.CANDIDATE: "it is a candidate that needs a decision",
    Status.ARCHIVED: "it is no longer active",
    Status.SUPERSEDED: "another decision superseded it",
    Status.INVALID: "it is invalid",
}


def offer(ground: Ground, sources: Sequence[Source], ask: Ask) -> Offer | None:
    """Return the layer before its budget; `None` where the root keeps no SNIPER memory."""
    settings = settings_of(sources)
    stores = stores_among(sources)
    if not settings.memory.enabled:
        detail = "`memory.enabled` is `false` in `.sniper/config.yaml`"
        entries = (entry for source in stores for entry in source.entries)
        return Offer(
            LAYER, verdicts=tuple(Verdict(e.ref, Reason.DISABLED, detail) for e in entries)
        )
    if not stores and is_newer(sources):
        return None
    if not stores and not sources and ground.disk.kind(ground.root / ".sniper") != "folder":
        return None
    asked = asked_roles(ground, ask)
    given = [each for source in stores for each in GIVEN.by(source, asked)]
    return Offer(
        LAYER,
        pieces=tuple([each for each in given if isinstance(each, Piece)]),
        sections=SECTIONS,
        cap=ask.budget or settings.memory.token_budget,
        empty=NOT_FOR_ROLE if stores else ABSENT,
        note=TRUNCATED,
        verdicts=tuple([each for each in given if isinstance(each, Verdict)]),
    )


def asked_roles(ground: Ground, ask: Ask) -> tuple[str, ...]:
    """Return the roles asked for; a persona stands for the roles that the settings give it."""
    if ask.role:
        return (ask.role,)
    given = {plain(name): roles for name, roles in ground.roles.items()}
    return tuple(given.get(plain(ask.persona), ()))


_Gave: TypeAlias = tuple[tuple[Entry, ...], list[Piece | Verdict]]
"""The entries of a store, and what each of them gave to those who asked."""


class Given:
    """What the entries of stores gave to a layer last: the next snapshot has most of them still.

    An entry that was taken over from the snapshot before is the same object and is printed the
    same, so that what it gave holds as well.
    """

    def __init__(self, most: int = 400_000) -> None:
        """Keep what so many entries gave, of the stores that were asked for last."""
        self._most = most
        self._held = 0
        # What one store gave, by the roles that were asked for, is never changed, only replaced:
        # several threads compose at once. Only they who hold the lock keep or let go.
        self._last: OrderedDict[Path, dict[tuple[str, ...], _Gave]] = OrderedDict()
        self._keeping = Lock()

    def by(self, source: Source, asked: tuple[str, ...], label: str = "") -> list[Piece | Verdict]:
        """Return the piece of each entry of a store, or why it has none, in file order.

        The label, which follows each id, is the same for a store whenever it is asked for.
        """
        entries = tuple(source.entries)
        last = self._last.get(source.path, {})
        known = last.get(asked, ((), []))
        others = [gave for roles, gave in last.items() if roles != asked]
        entries = next((held for held, _ in others if _are_those(held, entries)), entries)
        giving = _Giving(source, asked, label)
        made = [
            gave if old is entry and gave is not None else giving(number, entry, others)
            for number, (entry, old, gave) in enumerate(
                islice(zip_longest(entries, *known), len(entries))
            )
        ]
        self._keep(source.path, asked, (entries, made))
        return made

    def _keep(self, path: Path, asked: tuple[str, ...], gave: _Gave) -> None:
        with self._keeping:
            last = dict(self._last.get(path, {}))
            _, made_before = last.pop(asked, ((), []))
            self._last[path] = {**last, asked: gave}
            self._last.move_to_end(path)
            self._held += len(gave[1]) - len(made_before)
            while self._held > self._most:
                self._let_go_of_the_first()

    def _let_go_of_the_first(self) -> None:
        path, last = next(iter(self._last.items()))
        (_, (_, made)), *left = last.items()
        self._held -= len(made)
        if left:
            self._last[path] = dict(left)
        else:
            del self._last[path]


GIVEN: Final = Given()


def _are_those(held: Sequence[Entry], entries: Sequence[Entry]) -> bool:
    """Tell whether these are the very same entries, so that one list of them is enough."""
    return len(held) == len(entries) and all(map(is_, held, entries))


@lru_cache(maxsize=1_000)
def _whose(roles: tuple[str, ...]) -> str:
    """Return whom entries are for; one sentence for all of them, which are very many."""
    return f"it is for {', '.join(roles)}"


class _Giving:
    """Tells what an entry of one store gives to those who ask."""

    def __init__(self, source: Source, asked: tuple[str, ...], label: str) -> None:
        self._entries = entries_of(source)
        self._label = label
        self._section = source.part
        self._asked = asked
        self._is_for: dict[tuple[str, ...] | None, bool] = {}

    def __call__(
        self,
        number: int,
        entry: Entry,
        others: Sequence[tuple[Sequence[Entry], Sequence[Piece | Verdict]]],
    ) -> Piece | Verdict:
        give_way()
        if entry.status is not Status.ACTIVE:
            return Verdict(entry.ref, Reason.STATUS, _WAITS[entry.status], layer=LAYER)
        if not self._gets(entry.roles):
            # Whoever else does not get it is told the same.
            for entries, made in others:
                if number < len(entries) and entries[number] is entry:
                    told = made[number]
                    if isinstance(told, Verdict) and told.reason is Reason.ROLE:
                        return told
            return Verdict(entry.ref, Reason.ROLE, _whose(entry.roles or ()), layer=LAYER)
        printed = self._entries.printed(number)
        if printed.is_empty:
            return Verdict(entry.ref, Reason.STATUS, NO_TEXT, layer=LAYER)
        return Piece(
            entry.ref,
            printed.labelled(self._label),
            rank=(*entry.rank, 1) if self._label else entry.rank,
            section=self._section,
            always=entry.rank[:1] == (1,),
        )

    def _gets(self, roles: tuple[str, ...] | None) -> bool:
        """Tell whether entries for these roles are for those who ask; few differ in a store."""
        known = self._is_for.get(roles)
        if known is None:
            known = not self._asked or any(matches(role, roles) for role in self._asked)
            self._is_for[roles] = known
        return known
