"""What a branch does to memory: entries, everybody's start, and what it newly contradicts.

It compares two libraries of one root, wherever they were read from, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.compare import AgentChange, Compared, EntryChange, compared
from remem.core.prompt.tokens import Counter
from remem.core.relation.alike import like_any, said_in_force
from remem.core.relation.similar import Alike
from remem.model.entry import Entry


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two rules of which one is new or was changed, and that may say opposite things."""

    new: Entry
    other: Entry


@dataclass(frozen=True, slots=True)
class Branch:
    """Two states of one root, and what the later one brings."""

    states: Compared
    contradictions: tuple[Contradiction, ...]

    @property
    def entries(self) -> tuple[EntryChange, ...]:
        return self.states.entries

    @property
    def changed_agents(self) -> tuple[AgentChange, ...]:
        return tuple(agent for agent in self.states.agents if not agent.changes_nothing)

    @property
    def changes_nothing(self) -> bool:
        return not (self.entries or self.changed_agents)


def branch(
    before: Library, after: Library, counter: Counter, budgets: tuple[int, int] = (0, 0)
) -> Branch:
    """Compare two libraries; see `core/prompt/compare.py` for the arguments."""
    states = compared(before, after, counter, budgets)
    return Branch(states, tuple(_contradictions(states)))


def _contradictions(states: Compared) -> Iterator[Contradiction]:
    """Yield each pair of which one text was not in force before."""
    if not states.entries:
        return
    was, now = said_in_force(states.before), said_in_force(states.after)
    for before, after in zip(was, now, strict=True):
        new = [form for form in after if form not in before]
        for one, other, likeness in like_any([*after], new):
            if likeness.alike is Alike.CONTRADICTION:
                yield Contradiction(after[one][0], after[other][0])
