"""What agents lose or pay at their start: parts that a loader cuts off, starts that take too much.

It judges what was counted already; counting is the prompt's concern.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.prompt.agents import Agent
from remem.model.entry import Problem

HEAVY: Final = 5
"""Percent of the window from which on an agent's start is worth a look."""
NEVER_LOADED: Final = "never-loaded"
HEAVY_START: Final = "heavy-start"


@dataclass(frozen=True, slots=True)
class Costly:
    """One thing about one agent's start, or about that of several by one file."""

    problem: Problem
    agent: Agent
    """Of several the one that starts with the most."""
    tokens: int
    """That are lost, or spent beyond the share."""

    @property
    def path(self) -> Path | None:
        return self.problem.path


def costly_starts(agents: Iterable[Agent], window: int) -> Iterator[Costly]:
    """Yield files of which an agent loads only a part, and starts that take much of the window.

    Args:
        agents: Who starts with what.
        window: Tokens that an agent can hold; 0 = nobody knows.
    """
    by_biggest: dict[Path | None, list[Agent]] = {}
    for agent in agents:
        yield from _cut(agent)
        if window and agent.tokens * 100 >= window * HEAVY:
            by_biggest.setdefault(_biggest(agent), []).append(agent)
    for path, heavy in by_biggest.items():
        yield _heavy(heavy, path, window)


def _cut(agent: Agent) -> Iterator[Costly]:
    about = "" if agent.exact else "≈"
    for file in agent.files:
        if file.lost:
            message = (
                f"{agent.name} never loads {about}{file.lost:,} of {about}{file.total:,} tokens"
            )
            hint = "archive what it no longer needs"
            yield Costly(Problem(NEVER_LOADED, message, hint, file.path), agent, file.lost)


def _biggest(agent: Agent) -> Path | None:
    """Return the file that takes the most of its start: archiving there helps first."""
    biggest = max(agent.files, key=lambda file: file.tokens, default=None)
    return biggest.path if biggest is not None else None


def _heavy(agents: Sequence[Agent], path: Path | None, window: int) -> Costly:
    """Tell of all whose start the same file makes heavy: thirty agents have one reason, not thirty.

    Args:
        agents: They, at least one; the heaviest is the one that is gone to.
        path: The file.
        window: Tokens that each can hold.
    """
    agent = max(agents, key=lambda each: each.tokens)
    share = f"{'' if agent.exact else '≈'}{round(100 * agent.tokens / window)} %"
    message = f"{agent.name} starts with {share} of its window used"
    if len(agents) > 1:
        who = f"{agent.name} and {count(len(agents) - 1, 'other')}"
        message = f"{who} start with up to {share} of their window used"
    problem = Problem(HEAVY_START, message, "archive what it no longer needs", path)
    return Costly(problem, agent, agent.tokens - window * HEAVY // 100)
