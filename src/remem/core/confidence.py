"""How sure an entry is and how that came about, for every format that keeps it.

It plans nothing and draws nothing: the command line and the screens show what is told here. A
format whose entries have a confidence adds lines to `LEDGERS`; its module is loaded when it is
asked, because listing entries asks nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from remem.core.library import Library
from remem.model.entry import Entry
from remem.model.trajectory import Trajectory
from remem.systems.learnings.records import LEARNING
from remem.systems.shaktra.records import ANTI_PATTERN, PRINCIPLE, PROCEDURE, SHAKTRA

Ledger: TypeAlias = Callable[[Library, Entry], Trajectory | None]


def trajectory(library: Library, entry: Entry) -> Trajectory | None:
    """Return the history of an entry's confidence; `None` for what has none."""
    ledger = LEDGERS.get((entry.ref.format, entry.kind))
    return ledger(library, entry) if ledger is not None else None


def keeps_confidence(entry: Entry) -> bool:
    """Tell whether entries of that kind are more or less sure."""
    return (entry.ref.format, entry.kind) in LEDGERS


def _of_learning(library: Library, entry: Entry) -> Trajectory | None:
    from remem.systems.learnings.confidence import of_learning

    return of_learning(library, entry)


def _of_stored(library: Library, entry: Entry) -> Trajectory | None:
    from remem.systems.shaktra.confidence import of_stored

    return of_stored(library, entry)


LEDGERS: Final[Mapping[tuple[str, str], Ledger]] = {
    (LEARNING, LEARNING): _of_learning,
    (SHAKTRA, PRINCIPLE): _of_stored,
    (SHAKTRA, ANTI_PATTERN): _of_stored,
    (SHAKTRA, PROCEDURE): _of_stored,
}
"""Format and kind → who reads the history of its confidence."""
