"""Many stretches of traffic, each at a place of its own, summed up by scenario."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.hostile.traffic import Outcome, Place, run

SCENARIOS: Final = {
    "A": ("A0", "A1"),
    "B": ("B0",),
    "W": ("W0",),
    "A+B+W": ("A0", "A1", "B0", "W0"),
}
KINDS: Final = ("persona", "store")
PAUSE: Final = 0.010
"""The longest rest of an agent, in seconds: some hundred lines each second."""


@dataclass(frozen=True)
class Stretch:
    """How long one scenario goes on at one kind of file."""

    scenario: str
    kind: str
    stages: int
    lines: int
    """At each stage, which has files of its own: memory files are small."""
    edits: int
    """At each stage, at least."""


@dataclass
class Sum:
    """What a scenario came to."""

    written: int = 0
    edits: int = 0
    lost: list[str] = field(default_factory=list)
    """Lines that no agent destroyed; with the stretch in which they did not arrive."""
    lost_by_agents: int = 0
    edits_lost: list[str] = field(default_factory=list)
    unaccounted: list[str] = field(default_factory=list)
    """Decisions of which the history does not tell what became of them."""
    waiting: int = 0
    entries_missing: list[str] = field(default_factory=list)
    entries_twice: list[str] = field(default_factory=list)
    duplicates: int = 0
    unreadable: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    refused: int = 0

    def add(self, name: str, place: Place, found: Outcome) -> None:
        self.written += found.losses.written
        self.edits += found.edits
        self.lost += [f"{name}: {mark.decode()}" for mark in sorted(found.losses.by_others)]
        self.lost_by_agents += len(found.losses.by_agents)
        self.edits_lost += [f"{name}: {key} {how}" for key, how in found.edits_lost.items()]
        self.unaccounted += [f"{name}: {each}" for each in found.unaccounted]
        self.waiting += found.waiting
        self.entries_missing += [f"{name}: {key}" for key in found.entries_missing]
        self.entries_twice += [f"{name}: {key}" for key in found.entries_twice]
        self.duplicates += found.losses.duplicates
        if not place.parses():
            self.unreadable.append(name)
        self.milliseconds += found.milliseconds
        self.refused += sum(found.refused.values())

    @property
    def share_of_duplicates(self) -> float:
        return self.duplicates / max(self.written, 1)


def torture(
    base: Path, stretches: Iterable[Stretch], *, plain: bool = False, seed: int = 0
) -> dict[str, Sum]:
    """Run them one after the other; the folder of one that lost something is kept."""
    sums: dict[str, Sum] = {}
    for number, stretch in enumerate(stretches):
        found = sums.setdefault(stretch.scenario, Sum())
        name = f"{number} {stretch.scenario} {stretch.kind}"
        place = Place(base / name.replace(" ", "-"), stretch.kind, stages=stretch.stages).build()
        outcome = run(
            place,
            SCENARIOS[stretch.scenario],
            lines=stretch.lines * stretch.stages,
            edits=stretch.edits * stretch.stages,
            pause=PAUSE,
            seed=seed,
            plain=plain,
        )
        found.add(name, place, outcome)
        if not (outcome.losses.by_others or outcome.edits_lost):
            shutil.rmtree(place.base)
    return sums
