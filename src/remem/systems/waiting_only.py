"""A system whose entries do nothing but wait: each is a file that is approved or rejected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.system import Addition, Ground, Parts
from remem.model.change import Change, Delete, Effect, Intent, Json
from remem.model.entry import Entry, Status
from remem.model.source import Source


def plan_dropped(library: Library, intent: Intent, title: str, reason: str) -> Change:
    """Plan to remove the files of what waits; nothing of it is written."""
    from remem.core.draft import chosen

    entries = chosen(library, intent)
    sources = [library.source_of(entry) for entry in entries]
    effects = tuple(Delete(each.path, each.data, each.digest) for each in sources)
    return Change(intent, title, effects, reason, {entry.ref: None for entry in entries})


class WaitingOnly(Parts):
    """What such a system answers alike: it reaches no prompt, and nothing is added by hand."""

    kinds: tuple[str, ...] = ()
    called = "it"
    """One of its entries, as a refusal begins: `a write that Hermes holds back`."""
    adds = ""
    """Why nothing is added to it by hand."""
    adds_elsewhere = "name another kind"
    """Where a text goes instead."""

    def waiting(self, source: Source) -> Iterator[Entry]:
        yield from source.entries

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        raise NotPossible(f"{self.called} cannot be edited", hint="approve it or reject it")

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        if status is entry.status:
            return ()
        raise NotPossible(
            f"{self.called} can only be approved or rejected", hint="approve it or reject it"
        )

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return (Delete(source.path, source.data, source.digest),)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        raise NotPossible(self.adds, hint=self.adds_elsewhere)
