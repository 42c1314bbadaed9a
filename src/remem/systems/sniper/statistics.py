"""Project memory in a few numbers, for `remem status`."""

from __future__ import annotations

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.waiting.item import Item, Why
from remem.model.entry import Status
from remem.model.source import SourceKind
from remem.systems.sniper.estimates import estimates_view
from remem.systems.sniper.retro.retro_files import PART as RETRO

_OF_RETROS = (Why.FINDING, Why.GATE_FAILURE, Why.RECURRENCE)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What retros and estimates say of a project memory."""

    retros: int
    last_retro: str
    """File name of the newest sprint retro; empty = there is none."""
    findings: int
    """Findings that wait."""
    unseen: int
    """Entries that `retro ingest` put into force and nobody looked at."""
    factor: float
    sprints: int
    """That the estimates were made of."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A project's memory in three figures."""

    confirmed: int
    candidates: int
    retros: int
    """Of sprints and of protocols."""


def tally(library: Library) -> Tally | None:
    """Return what stands in a project's stores and how many retros there are; `None` = neither."""
    sources = library.of_format("sniper")
    stores = [source for source in sources if source.kind is SourceKind.STORE]
    held = sum(source.part == RETRO for source in sources)
    if not stores and not held:
        return None
    statuses = [entry.status for source in stores for entry in source.entries]
    return Tally(statuses.count(Status.ACTIVE), statuses.count(Status.CANDIDATE), held)


def statistics(library: Library, items: tuple[Item, ...]) -> Statistics | None:
    """Return the numbers of a project memory; `None` where there is none.

    Args:
        library: Where it is.
        items: The queue there.
    """
    if not any(s.kind is SourceKind.STORE for s in library.of_format("sniper")):
        return None
    view = estimates_view(library)
    return Statistics(
        retros=len(view.sprints),
        last_retro=view.sprints[-1].name if view.sprints else "",
        findings=sum(item.reason in _OF_RETROS for item in items),
        unseen=sum(item.reason is Why.ADDED for item in items),
        factor=view.factor,
        sprints=view.analyzed,
    )
