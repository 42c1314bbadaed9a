"""What is most worth a look at a root: five findings, ranked by a worth that can be explained.

The worth of a finding is what its kind stands for (`BASE`) plus a point for every hundred tokens at
stake, forty at most. The second of a kind counts half, the third a third, and so on, so that one
kind of trouble does not hide all others. It finds nothing itself: what is wrong others told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.broken_references import CITED_GONE, ROOT_GONE
from remem.core.checks.claims import CLAIM
from remem.core.checks.contradictions import CONTRADICTION
from remem.core.checks.costly_starts import HEAVY_START, NEVER_LOADED, costly_starts
from remem.core.checks.issue import Issue
from remem.core.checks.suspicious import HIDDEN_CHARACTERS, RISK, SECRET
from remem.core.library import Library
from remem.core.prompt.agents import Agent
from remem.core.prompt.counter import Counter
from remem.core.repositories import within
from remem.model.done_by_others import Unreviewed
from remem.model.entry import Problem, Ref
from remem.model.layout import Part
from remem.model.source import LoaderKind, Source, SourceKind
from remem.model.trend import Growth

MOST: Final = 5
"""Findings that Start and `remem status` name; Health has all."""
_POINT: Final = 100
"""Tokens at stake that make one point."""
_SIZE: Final = 40
"""Points that size gives at most: it ranks within a kind, and a little among kinds."""
_GREW: Final = 200
"""Tokens in a month below which nothing is said to have grown."""


class Kind(StrEnum):
    """What a finding is about; the words are API of `remem status --json`."""

    BROKEN = "unreadable"
    HIDDEN = "hidden-characters"
    RISK = "risky-instruction"
    SECRET = "secret"
    UNREVIEWED = "unreviewed"
    GONE = "cited-gone"
    CLAIM = "claim"
    OPPOSED = "contradiction"
    CUT = "never-loaded"
    NOBODY = "no-agent"
    WINDOW = "heavy-start"
    TWICE = "told-twice"
    GREW = "grew"


BASE: Final[Mapping[Kind, tuple[int, str]]] = {
    Kind.BROKEN: (100, "a file that cannot be parsed reaches no agent"),
    Kind.HIDDEN: (90, "an agent may follow text that nobody sees"),
    Kind.RISK: (95, "an agent may be turned against whom it works for"),
    Kind.SECRET: (85, "whoever reads the file can use it"),
    Kind.UNREVIEWED: (70, "agents load text that nobody has reviewed"),
    Kind.GONE: (60, "an agent is told about something that no longer exists"),
    Kind.OPPOSED: (55, "an agent is told to do and not to do it"),
    Kind.CLAIM: (45, "an agent is told what the project says otherwise"),
    Kind.CUT: (50, "it is written down but reaches no agent"),
    Kind.NOBODY: (48, "it is written down but no agent loads it at startup"),
    Kind.WINDOW: (40, "a full window leaves no room for work"),
    Kind.TWICE: (30, "every start pays for it twice"),
    Kind.GREW: (20, "every start pays for the growth"),
}
"""Points that a kind stands for, and why: harm first, then what is lost, then what is paid."""
_CODES: Final[Mapping[str, Kind]] = {
    NEVER_LOADED: Kind.CUT,
    "import-missed": Kind.CUT,
    "stops-tool": Kind.CUT,
    "passed-over": Kind.CUT,
    HEAVY_START: Kind.WINDOW,
    HIDDEN_CHARACTERS: Kind.HIDDEN,
    CITED_GONE: Kind.GONE,
    ROOT_GONE: Kind.BROKEN,
    RISK: Kind.RISK,
    SECRET: Kind.SECRET,
    CLAIM: Kind.CLAIM,
    CONTRADICTION: Kind.OPPOSED,
    "citation-missing": Kind.GONE,
    "citation-changed": Kind.GONE,
    "citation-out_of_range": Kind.GONE,
    "no-definition": Kind.NOBODY,
    "scope": Kind.NOBODY,
    "unknown-memory": Kind.NOBODY,
    "told-twice": Kind.TWICE,
}


_DANGEROUS: Final = frozenset((Kind.BROKEN, Kind.HIDDEN, Kind.RISK, Kind.SECRET))


def is_dangerous(problem: Problem) -> bool:
    """Tell whether something is unreadable, secret, hidden or suspicious: it has a sign for it."""
    return problem.blocks_writing or _CODES.get(problem.code) in _DANGEROUS


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth a look."""

    kind: Kind
    problem: Problem
    tokens: int
    """At stake."""
    path: Path | None = None
    ref: Ref | None = None
    agent: Agent | None = None
    """Whose start it is about."""
    issue: Issue | None = None
    """What it came of; its verb mends it."""
    place: int = 1
    """Which one of its kind it is, the most at stake first."""

    @property
    def worth(self) -> float:
        return (BASE[self.kind][0] + self._size) / self.place

    @property
    def because(self) -> str:
        """Why it stands where it does, in words and numbers."""
        points, why = BASE[self.kind]
        size = f"{self._size} for ≈{self.tokens:,} tokens affected"
        share = (
            f", divided by {self.place}: others of its kind rank higher" if self.place > 1 else ""
        )
        return f"worth {self.worth:.0f} points = {points} ({why}) + {size}{share}"

    @property
    def _size(self) -> int:
        return min(self.tokens // _POINT, _SIZE)


@dataclass(frozen=True, slots=True)
class Findings:
    """What is worth a look."""

    first: tuple[Finding, ...]
    """At most five, the most worth first."""
    more: int
    """How many others there are."""


def findings(
    library: Library,
    agents: Sequence[Agent],
    counter: Counter,
    window: int,
    worried: Iterable[Issue] = (),
    growth: Growth | None = None,
) -> Findings:
    """Return what is most worth a look.

    Args:
        library: Where.
        agents: Who starts with what there.
        counter: Counts what is at stake.
        window: Tokens that an agent can hold; 0 = nobody knows.
        worried: What the house finds worth a look; slow in large stores.
        growth: What the history tells, once it was looked at.
    """
    found = [
        *_broken(library, counter),
        *_unreviewed(library, counter),
        *_costly(agents, window),
        *_nobodys(library, agents, counter),
        *_as_issues(library, counter, worried),
        *_grown(library, growth),
    ]
    ranked = _ranked(_once(found))
    return Findings(tuple(ranked[:MOST]), len(ranked[MOST:]))


def _once(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield one finding of a kind for each file: what most is at stake in."""
    best: dict[object, Finding] = {}
    for each in found:
        key = (each.kind, each.path or each.problem.message)
        if key not in best or best[key].tokens < each.tokens:
            best[key] = each
    yield from best.values()


def _ranked(found: Iterable[Finding]) -> list[Finding]:
    """Return findings, the most worth first; equal ones in a steady order."""
    kinds: dict[Kind, list[Finding]] = {}
    for each in found:
        kinds.setdefault(each.kind, []).append(each)
    placed = [
        replace(each, place=place)
        for several in kinds.values()
        for place, each in enumerate(sorted(several, key=_by_size), 1)
    ]
    return sorted(placed, key=lambda each: (-each.worth, *_by_size(each)))


def _by_size(finding: Finding) -> tuple[int, str, str]:
    return (-finding.tokens, str(finding.path or ""), finding.problem.message)


def _broken(library: Library, counter: Counter) -> Iterator[Finding]:
    for source in library.sources:
        for problem in source.problems:
            if problem.blocks_writing:
                named = f"`{source.name}`"
                said = (
                    problem.message if named in problem.message else f"{named}: {problem.message}"
                )
                told = replace(problem, message=said)
                yield Finding(Kind.BROKEN, told, _tokens(source, counter), source.path)


def _unreviewed(library: Library, counter: Counter) -> Iterator[Finding]:
    """Yield how much was written since a person looked; it stands by the file with most of it."""
    by_path: dict[Path, list[Unreviewed]] = {}
    for each in library.aside.unreviewed.values():
        by_path.setdefault(each.path, []).append(each)
    if not by_path:
        return
    items = max(by_path.values(), key=len)
    total = sum(map(len, by_path.values()))
    told = count(total, "entry", "entries")
    told = (
        f"{told} in {len(by_path):,} files" if len(by_path) > 1 else f"`{items[0].source}`: {told}"
    )
    message = f"{told} unreviewed since you last looked"
    hint = "open Review, or run `remem inbox`"
    problem = Problem(Kind.UNREVIEWED, message, hint, items[0].path)
    tokens = sum(counter.count(each.title) for each in library.aside.unreviewed.values())
    yield Finding(Kind.UNREVIEWED, problem, tokens, items[0].path)


def _costly(agents: Sequence[Agent], window: int) -> Iterator[Finding]:
    for each in costly_starts(agents, window):
        kind = _CODES[each.problem.code]
        yield Finding(kind, each.problem, each.tokens, each.path, agent=each.agent)


def _nobodys(library: Library, agents: Sequence[Agent], counter: Counter) -> Iterator[Finding]:
    """Yield memory that no agent here is given, or could open.

    Of an open workspace the agents are those of what it shares: those of its repositories are known
    where one of them is opened.
    """
    known = {file.path for agent in agents for file in (*agent.files, *agent.left)}
    asked = {source.path for source in within(library, "").sources}
    for source in library.sources:
        told = [p for p in source.problems if _CODES.get(p.code) is Kind.NOBODY]
        is_asked = source.path in asked and source.path not in known
        if not told and is_asked and _waits_for_an_agent(source):
            message = f"`{source.name}` is memory that no agent here loads at startup"
            told = [
                Problem(Kind.NOBODY, message, "configure who loads it, or archive it", source.path)
            ]
        for problem in told:
            yield Finding(Kind.NOBODY, problem, _tokens(source, counter), source.path)


def _waits_for_an_agent(source: Source) -> bool:
    """Tell whether a file is there for agents to load, not for remem to compose."""
    is_loaded = source.loader.kind not in (LoaderKind.COMPOSED, LoaderKind.ON_REQUEST)
    is_settled = source.part not in (Part.INBOX, Part.ARCHIVE) and not source.archived
    return is_loaded and is_settled and source.kind is SourceKind.MEMORY


def _as_issues(library: Library, counter: Counter, found: Iterable[Issue]) -> Iterator[Finding]:
    from remem.core.relation.duplicates import told_of

    by_path = {source.path: source for source in library.sources}
    for issue in found:
        kind = _CODES.get(issue.problem.code)
        if kind is None:
            continue
        source = by_path.get(issue.problem.path) if issue.problem.path else None
        told = told_of(library, issue.ref) if kind is Kind.TWICE and issue.ref else None
        if told is not None:
            tokens = told.tokens
        elif issue.ref is not None and library.has(issue.ref):
            tokens = counter.count(library.entry(issue.ref).title)
        else:
            tokens = _tokens(source, counter) if source is not None else 0
        yield Finding(kind, issue.problem, tokens, issue.problem.path, issue.ref, issue=issue)


def _grown(library: Library, growth: Growth | None) -> Iterator[Finding]:
    """Yield the file that grew most; the growth itself lists all."""
    if growth is None or growth.since is None or not growth.is_whole:
        return
    for each in growth.files[:1]:
        if each.tokens >= _GREW:
            about = "" if growth.exact else "≈"
            message = f"`{each.name}` grew by {about}{each.tokens:,} tokens since {growth.since}"
            path = library.ground.root / each.name
            problem = Problem(Kind.GREW, message, "check what is still needed", path)
            yield Finding(Kind.GREW, problem, each.tokens, path)


def _tokens(source: Source, counter: Counter) -> int:
    return counter.count(source.data.decode("utf-8", "replace"))
