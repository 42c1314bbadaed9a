"""Whom a change reaches: every agent that starts otherwise after it, also under another name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.agents import Start, agent_starts
from remem.core.prompt.compare import called_later, called_now, entry_changes
from remem.core.prompt.impact import Impact, impact
from remem.core.session import Session
from remem.model.entry import Ref


@dataclass(frozen=True, slots=True)
class Reached:
    """An agent that starts otherwise."""

    before: Start
    after: Start
    impact: Impact

    @property
    def is_renamed(self) -> bool:
        return self.before.key != self.after.key

    @property
    def name(self) -> str:
        """What it is called: `Anouk → Solveig` where that changes."""
        return f"{self.before.name} → {self.after.name}" if self.is_renamed else self.after.name


def agents_reached(session: Session, after: Library, stands: Collection[Ref]) -> Iterator[Reached]:
    """Yield the agents that a change reaches, tool by tool.

    Args:
        session: What stands before it.
        after: What would stand.
        stands: The refs that what was touched has afterwards.
    """
    library, counter = session.library, session.counter
    budget = session.config.tokens.budget
    before = {each.key: each for each in agent_starts(library, counter, budget)}
    if not before:
        return
    now = {each.key: each for each in agent_starts(after, counter, budget)}
    later = called_later(entry_changes(library, after)[0])
    for one, two in _the_same(before, now):
        found = impact(called_now(one.prompt, later), two.prompt, stands)
        reached = Reached(one, two, found)
        if not found.changes_nothing or one.prompt.text != two.prompt.text or reached.is_renamed:
            yield reached


def _the_same(
    before: Mapping[tuple[str, str], Start], now: Mapping[tuple[str, str], Start]
) -> Iterator[tuple[Start, Start]]:
    """Yield who is there before and after, also under another name where it can be nobody else."""
    for key, two in now.items():
        if key in before:
            yield before[key], two
            continue
        gone = [one for other, one in before.items() if other not in now and one.tool == two.tool]
        come = [
            each for other, each in now.items() if other not in before and each.tool == two.tool
        ]
        if len(gone) == len(come) == 1:
            yield gone[0], two
