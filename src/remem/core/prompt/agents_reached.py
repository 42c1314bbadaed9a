"""Whom a change reaches: every agent that starts otherwise, for the first time, or no longer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum

from remem.base.frozen import dataclass
from remem.core.history.memory_diff import called_later, called_now, entry_changes
from remem.core.library import Library
from remem.core.prompt.agents import as_loaded, sharing
from remem.core.prompt.counter import Counter
from remem.core.prompt.everyones_starts import Start, agent_starts
from remem.core.prompt.impact import Impact, impact
from remem.core.session import Session
from remem.model.entry import Ref
from remem.model.prompt import Prompt


class Starts(StrEnum):
    """Whether an agent starts before and after a change."""

    BOTH = ""
    NO_LONGER = "no longer"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class Reached:
    """An agent that starts otherwise."""

    before: Start
    """Of one that starts now, the same with an empty prompt."""
    after: Start
    """Of one that no longer starts, the same with an empty prompt."""
    impact: Impact
    starts: Starts = Starts.BOTH

    @property
    def is_renamed(self) -> bool:
        return self.before.key != self.after.key

    @property
    def name(self) -> str:
        """What it is called: `Anouk → Solveig` where that changes."""
        return f"{self.before.name} → {self.after.name}" if self.is_renamed else self.after.name

    @property
    def exact(self) -> bool:
        return self.before.prompt.exact and self.after.prompt.exact

    @property
    def tool(self) -> str:
        return self.after.tool


def agents_reached(
    session: Session, after: Library, stands: Collection[Ref], *, sparing: bool = False
) -> Iterator[Reached]:
    """Yield the agents that a change reaches: who no longer starts, who starts now, the others.

    Args:
        session: What stands before it.
        after: What would stand.
        stands: The refs that what was touched has afterwards.
        sparing: Nothing is counted for those who are given the same: for a door that has counted
            nothing yet.
    """
    library, counter = session.library, session.counter
    first: Counter = _Marks() if sparing else counter
    before = {each.key: each for each in agent_starts(library, first)}
    now = {each.key: each for each in agent_starts(after, first)}
    later = called_later(entry_changes(library, after)[0])
    if sparing:
        alike = {key for key, one in before.items() if _is_alike(one, now.get(key), later)}
        before = _counted(library, counter, before, alike)
        now = _counted(after, counter, now, alike)
    same = [*_the_same(before, now)]
    stays = {key for one, two in same for key in (one.key, two.key)}
    gone = (each for key, each in before.items() if key not in stays)
    come = (each for key, each in now.items() if key not in stays)
    pairs = [
        *((each, _empty(each), _unless_tool(each, Starts.NO_LONGER)) for each in gone),
        *((_empty(each), each, _unless_tool(each, Starts.NOW)) for each in come),
        *((one, two, Starts.BOTH) for one, two in same),
    ]
    earlier = {new: old for old, new in later.items()}
    for one, two, how in pairs:
        found = impact(called_now(one.prompt, later), two.prompt, stands)
        # What left a prompt is called as in it, wherever it stands from then on.
        found = replace(found, removed=tuple(earlier.get(ref, ref) for ref in found.removed))
        reached = Reached(one, two, found, how)
        if not found.changes_nothing or one.prompt.text != two.prompt.text or reached.is_renamed:
            yield reached


class _Marks:
    """Tells texts apart in place of counting them, which takes a vocabulary."""

    encoding = ""
    exact = False

    def count(self, text: str) -> int:
        return abs(hash(text))


def _is_alike(one: Start, two: Start | None, later: Mapping[Ref, Ref]) -> bool:
    """Tell whether somebody is given the same before and after, under the same addresses."""
    if two is None or one.prompt.layers != two.prompt.layers:
        return False
    verdicts = one.prompt.verdicts
    return verdicts == two.prompt.verdicts and later.keys().isdisjoint(e.ref for e in verdicts)


def _counted(
    library: Library,
    counter: Counter,
    starts: Mapping[tuple[str, str], Start],
    alike: Collection[tuple[str, str]],
) -> dict[tuple[str, str], Start]:
    """Return the starts with what they take, but of those who are given the same."""
    among = sharing(library, counter)
    return {
        key: each
        if key in alike
        else replace(each, prompt=as_loaded(library, each.prompt.ask, counter, among))
        for key, each in starts.items()
    }


def _empty(start: Start) -> Start:
    """Return somebody's start as it is where they are given nothing."""
    old = start.prompt
    nothing = Prompt(old.ask, old.encoding, old.exact, (), 0, as_loaded=old.as_loaded)
    return replace(start, prompt=nothing)


def _unless_tool(start: Start, how: Starts) -> Starts:
    """Return how somebody starts; a tool starts, whatever it finds."""
    return Starts.BOTH if start.name == start.tool else how


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
