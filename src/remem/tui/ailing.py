"""Everything that is wrong at a root, for Health and for the findings of Start.

Pure: it asks the workbench and judges nothing anew but what agents never get to see.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from remem.model.entry import Entry, Problem
from remem.model.prompt import Ask, Reason
from remem.model.source import Source
from remem.prompt.loaded import Agent
from remem.text import count
from remem.workbench import Workbench

HEAVY = 5
"""Percent of the window from which on an agent's start is worth a look."""


@dataclass(frozen=True, slots=True)
class Ailment:
    """One problem, with what it is wrong with."""

    problem: Problem
    path: Path | None
    entry: Entry | None = None
    source: Source | None = None
    role: str = ""
    """Whose prompt it is about."""

    @property
    def key(self) -> Hashable:
        """What makes it the same in the next snapshot."""
        where = self.entry.ref if self.entry is not None else self.path
        return (where, self.problem.code, self.problem.field, self.problem.message)


def ailments(bench: Workbench, agents: Sequence[Agent], *, thorough: bool) -> list[Ailment]:
    """Return what is wrong, what stops writing first.

    Args:
        bench: Where.
        agents: Who starts with what there.
        thorough: Read every entry and compose for every role too; slow in large stores.
    """
    found = [Ailment(problem, problem.path) for problem in bench.problems]
    found += _reading(bench, thorough=thorough)
    found += _loading(bench, agents)
    if thorough:
        found += _composing(bench)
    return sorted(found, key=lambda each: not each.problem.blocks_writing)


def _reading(bench: Workbench, *, thorough: bool) -> Iterator[Ailment]:
    if thorough:
        for source, entry, problem in bench.library.problems():
            yield Ailment(problem, source.path, entry, source)
        return
    for source in bench.library.sources:
        for problem in source.problems:
            yield Ailment(problem, source.path, None, source)


def _loading(bench: Workbench, agents: Iterable[Agent]) -> Iterator[Ailment]:
    """Yield files of which an agent loads only a part, and starts that take much of the window."""
    by_path = {source.path: source for source in bench.library.sources}
    window = bench.config.tokens.window
    for agent in agents:
        about = "" if agent.exact else "≈"
        for file in agent.files:
            if file.is_cut:
                lost = file.total - file.tokens
                message = (
                    f"{agent.name} never loads {about}{lost:,} of {about}{file.total:,} tokens"
                )
                problem = Problem("never-loaded", message, "archive what it no longer needs")
                yield Ailment(problem, file.path, None, by_path.get(file.path))
        if window and agent.tokens * 100 >= window * HEAVY:
            share = 100 * agent.tokens // window
            message = f"{agent.name} starts with {about}{share} % of its window used"
            problem = Problem("heavy-start", message, "archive what it no longer needs")
            path = agent.files[0].path if agent.files else None
            yield Ailment(problem, path, None, by_path.get(path) if path else None)


def _composing(bench: Workbench) -> Iterator[Ailment]:
    """Yield roles whose budget leaves entries out, or does not hold what has to be in."""
    for role in bench.roles():
        prompt = bench.compose(Ask(role=role))
        limited = [layer for layer in prompt.layers if layer.budget]
        used = sum(layer.tokens for layer in limited)
        budget = sum(layer.budget or 0 for layer in limited)
        out = sum(verdict.reason is Reason.BUDGET for verdict in prompt.verdicts)
        if used > budget:
            message = f"{role} has to load {used:,} tokens in a budget of {budget:,}"
        elif out:
            many = count(out, "entry", "entries")
            message = f"{role} has no room for {many} in {budget:,} tokens"
        else:
            continue
        hint = "archive an entry above the waterline, or raise the budget"
        yield Ailment(Problem("over-budget", message, hint), None, role=role)
