"""Everything that is wrong at a root, for Health and for the findings of Start.

Pure: it asks the session and judges nothing anew but what agents never get to see.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.costly_starts import costly_starts
from remem.core.checks.issues import Issue, issues
from remem.core.history import removed_by_others
from remem.core.inbox.compare_versions import outside_inbox
from remem.core.library import Library
from remem.core.plugins.contract import CODE as PLUG_IN
from remem.core.prompt.agents import Agent
from remem.core.prompt.asks import EVERYONE, asker
from remem.core.relation.pairs import Pair, Pairs, places_of_pairs, problem_of
from remem.core.repositories import views
from remem.core.session import Session
from remem.model.done_by_others import RecreatedFolder, Vanished
from remem.model.entry import Entry, Problem
from remem.model.prompt import Reason
from remem.model.source import Source
from remem.systems.personas.moving import recreated

PAIRS_SHOWN: Final = 1_000
"""Pairs of entries that are alike; more are only counted, what may contradict is shown first.
Sentences cut to one pattern make hundreds of thousands of them, and nobody reads so many."""


@dataclass(frozen=True, slots=True)
class HealthItem:
    """One problem, with what it is wrong with."""

    problem: Problem
    path: Path | None
    entry: Entry | None = None
    source: Source | None = None
    role: str | None = None
    """Whose prompt it is about, empty for everyone's; `None` = no prompt of all."""
    vanished: Vanished | None = None
    recreated: RecreatedFolder | None = None
    pair: Pair | None = None
    """Of two entries that are alike; `entry` is the second of them."""
    issue: Issue | None = None

    @property
    def key(self) -> Hashable:
        """What makes it the same in the next snapshot."""
        where = self.entry.ref if self.entry is not None else self.path
        if self.vanished is not None:
            where = self.vanished.ref
        return (where, self.problem.code, self.problem.field, self.problem.message)

    @property
    def heading(self) -> str:
        """What it is listed under; empty = its file."""
        if self.problem.listed_under:
            return self.problem.listed_under
        if self.path is not None:
            return ""
        if self.problem.code == PLUG_IN:
            return "plug-ins"
        return "budgets" if self.role is not None else "settings"


def health_items(session: Session, agents: Sequence[Agent], *, thorough: bool) -> list[HealthItem]:
    """Return what is wrong, what stops writing first.

    Args:
        session: Where.
        agents: Who starts with what there.
        thorough: Read every entry and compose for every role too; slow in large stores.
    """
    found = [HealthItem(problem, problem.path) for problem in session.problems]
    found += _aside(session)
    found += _reading(session, thorough=thorough)
    found += _loading(session, agents)
    if thorough:
        found += _composing(session)
        found += _alike(session)
        found += _as_issues(session)
    return sorted(found, key=lambda each: not each.problem.blocks_writing)


def distinct(found: Iterable[HealthItem]) -> list[HealthItem]:
    """Return each problem once, in the order given; every door counts these."""
    return [*{each.key: each for each in found}.values()]


def _aside(session: Session) -> Iterator[HealthItem]:
    """Yield what a crash left, what the file system lacks, what others took out or made again."""
    for logged in session.pending():
        message = f"unfinished change: `{logged.title}` was interrupted"
        hint = "the next change finishes or rolls it back"
        yield HealthItem(Problem("pending", message, hint), None)
    for problem in session.limits():
        yield HealthItem(problem, problem.path)
    for lost in outside_inbox(session.library):
        yield HealthItem(removed_by_others.problem_of(lost), lost.path, vanished=lost)
    for again in session.library.aside.recreated:
        yield HealthItem(recreated.problem_of(again), again.old, recreated=again)


def _reading(session: Session, *, thorough: bool) -> Iterator[HealthItem]:
    if thorough:
        for source, entry, problem in session.library.problems():
            yield _of_source(source, entry, problem)
        return
    for source in session.library.sources:
        for problem in source.problems:
            yield _of_source(source, None, problem)


def _of_source(source: Source, entry: Entry | None, problem: Problem) -> HealthItem:
    if problem.listed_under:
        # What mends it is planned at the root, and would write into another repository's settings.
        is_offered = problem.mends_with and not source.repository
        told = Issue(problem, None, problem.mends, dict(problem.mends_with)) if is_offered else None
        return HealthItem(problem, problem.path, issue=told)
    if not problem.mends or len(source.entries) != 1:
        return HealthItem(problem, source.path, entry, source)
    (own,) = source.entries
    issue = Issue(problem, own.ref, problem.mends)
    return HealthItem(problem, source.path, own, source, issue=issue)


def _alike(session: Session) -> Iterator[HealthItem]:
    """Yield entries that say what another one says, or the opposite."""
    library = session.library
    many, found = _first_pairs(library)
    if many > PAIRS_SHOWN:
        more = f"{many - PAIRS_SHOWN:,} more similar pairs"
        yield HealthItem(
            Problem("alike", more, "they appear once the pairs above are settled"), None
        )
    for pair in found:
        problem = problem_of(library, pair)
        source = library.source_of(pair.second)
        yield HealthItem(problem, problem.path, pair.second, source, pair=pair)


def _first_pairs(library: Library) -> tuple[int, Sequence[Pair]]:
    """Return how many pairs there are, and those that are shown.

    All are shown in file order if there is room; if not, those that may contradict come first.
    """
    levels = views(library)
    # Repositories of one workspace all have its pairs.
    known: set[Pair] | None = set() if len(levels) > 1 else None
    many, first = 0, list[tuple[Pairs, int]]()
    opposed, other = list[tuple[Pairs, int]](), list[tuple[Pairs, int]]()
    for found, place in chain.from_iterable(map(places_of_pairs, levels)):
        if known is not None:
            if (pair := found[place]) in known:
                continue
            known.add(pair)
        many += 1
        for group in (first, opposed if found.is_contradiction(place) else other):
            if len(group) < PAIRS_SHOWN:
                group.append((found, place))
    shown = first if many <= PAIRS_SHOWN else (opposed + other)[:PAIRS_SHOWN]
    return many, [found[place] for found, place in shown]


def _as_issues(session: Session) -> Iterator[HealthItem]:
    """Yield what each part of the house finds worth a look."""
    library = session.library
    by_path: dict[Path | None, Source] = {source.path: source for source in library.sources}
    for issue in issues(library):
        entry = library.entry(issue.ref) if issue.ref and library.has(issue.ref) else None
        at = issue.problem.path
        source = library.source_of(entry) if entry is not None else by_path.get(at)
        yield HealthItem(issue.problem, at, entry, source, issue=issue)


def _loading(session: Session, agents: Iterable[Agent]) -> Iterator[HealthItem]:
    """Yield files of which an agent loads only a part, and starts that take much of the window."""
    by_path = {source.path: source for source in session.library.sources}
    for each in costly_starts(agents, session.config.tokens.window):
        source = by_path.get(each.path) if each.path else None
        yield HealthItem(each.problem, each.path, None, source)


def _composing(session: Session) -> Iterator[HealthItem]:
    """Yield roles whose budget leaves entries out, or does not hold what has to be in."""
    for ask in session.asks():
        prompt, name = session.compose(ask), asker(ask) or EVERYONE
        limited = [layer for layer in prompt.layers if layer.budget]
        used = sum(layer.tokens for layer in limited)
        budget = sum(layer.budget or 0 for layer in limited)
        out = sum(verdict.reason is Reason.BUDGET for verdict in prompt.verdicts)
        if used > budget:
            message = f"{name}: required entries take {used:,} tokens of {budget:,}"
        elif out:
            many = count(out, "entry", "entries")
            message = f"{name}: {many} over the budget of {budget:,} tokens"
        else:
            continue
        hint = "archive an entry that is in the prompt, or raise the budget"
        yield HealthItem(Problem("over-budget", message, hint), None, role=asker(ask))
