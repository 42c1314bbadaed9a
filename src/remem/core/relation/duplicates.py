"""Rules that one agent is told more than once at its start, in whatever files they stand.

It finds them and what they cost; which copy stays is for a person (`keep_one.py`). Only what an
agent really starts with counts: a copy that is cut off, or has no room, costs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final
from weakref import WeakKeyDictionary

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.base.text import count
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.prompt.counter import Counter, Estimate
from remem.core.prompt.everyones_starts import Start, agent_starts, role_starts
from remem.core.relation.alike_in_library import Texts, rules_in_force
from remem.core.relation.already_said import whole_of
from remem.core.relation.normal_form import is_label, norm
from remem.core.relation.pairs import kinds_of_pairs
from remem.core.verbs.verbs import KEEP_ONE, KeepOne
from remem.model.entry import Entry, Problem, Ref
from remem.model.roles import matches
from remem.model.source import LoaderKind, SourceKind

_SHOWN: Final = 80
"""Characters of a rule in one line."""
_LINK: Final = lazy_pattern(r"\[[^\]\n]*\]\([^)\n]*\)[\W_]*")
"""A link and nothing else: the same list of what to see may stand below every page."""
_HELD: Final = 64
"""Copies of one rule that are looked at; a text that stands oftener is a template."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What being told twice costs one agent."""

    agent: str
    tokens: int
    """Of the copies beyond the first, at every start."""


@dataclass(frozen=True, slots=True)
class Told:
    """A rule that at least one agent is told more than once."""

    copies: tuple[Entry, ...]
    """Each of them is loaded by an agent that loads another one too; in the library's order."""
    is_exact: bool
    """All of them say the same in normal form."""
    costs: tuple[Cost, ...]
    """The agents that are told it twice, the dearest first."""
    keep: Entry
    """The copy that is suggested to stay."""

    @property
    def tokens(self) -> int:
        """What it costs the dearest agent at every start."""
        return self.costs[0].tokens

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(cost.agent for cost in self.costs)


_FOUND: WeakKeyDictionary[Library, dict[tuple[str, bool], tuple[Told, ...]]] = WeakKeyDictionary()


def duplicate_rules(library: Library, counter: Counter | None = None) -> tuple[Told, ...]:
    """Return the rules that are told twice, the dearest first; worked out once for each snapshot.

    Args:
        library: Where to look.
        counter: Counts tokens; without one they are estimates.
    """
    counter = counter or Estimate()
    known = _FOUND.setdefault(library, {})
    key = (counter.encoding, counter.exact)
    if key not in known:
        known[key] = tuple(_found(library, counter))
    return known[key]


def told_issues(library: Library) -> Iterator[Issue]:
    """Yield what Health does not show as two like entries of one store already."""
    for told in duplicate_rules(library):
        if not _is_shown_as_pair(library, told):
            yield issue_of(library, told)


def issue_of(library: Library, told: Told) -> Issue:
    """Return a rule that is told twice as something worth a look."""
    places = list(dict.fromkeys(library.source_of(entry).name for entry in told.copies))
    same = "the same rule" if told.is_exact else "a similar rule"
    first, others = told.costs[0], len(told.costs) - 1
    who = f"{first.agent} and {count(others, 'other')} start" if others else f"{first.agent} starts"
    message = (
        f"{who} with {same} {_times(len(told.copies))}, "
        f"for ≈{told.tokens:,} extra tokens: {_short(told.keep.title)}"
    )
    hint = f"keep one copy; it is in {', '.join(f'`{name}`' for name in places[:4])}"
    path = library.source_of(told.keep).path
    problem = Problem("told-twice", message, hint, path)
    stays = KeepOne(keep=str(told.keep.ref))
    return Issue(problem, told.keep.ref, KEEP_ONE.id, stays.to_json())


def told_of(library: Library, ref: Ref) -> Told | None:
    """Return the rule that is told twice of which an entry is one copy."""
    every = duplicate_rules(library)
    return next((told for told in every if any(e.ref == ref for e in told.copies)), None)


def _found(library: Library, counter: Counter) -> Iterator[Told]:
    every = (group for texts in rules_in_force(library) for group in _groups(texts))
    groups = [group for group in every if _is_rule(group[0].title)]
    if not groups:
        return
    order = {source.path: place for place, source in enumerate(library.sources)}
    loaded = _everyones(library, counter, groups)
    found: list[Told] = []
    for group in groups:
        told = _told(library, group, loaded)
        if told is not None:
            found.append(told)
    found.sort(key=lambda t: (-t.tokens, order[library.source_of(t.keep).path], str(t.keep.ref)))
    yield from found


def _is_rule(text: str) -> bool:
    """Tell whether a text says something, and is no label and no link to where it is said."""
    return not is_label(text) and _LINK.fullmatch(text.strip()) is None


def _groups(texts: Texts) -> Iterator[tuple[Entry, ...]]:
    """Yield entries that say the same or nearly the same; what may contradict is no copy."""
    leader: dict[str, str] = {}

    def lead(form: str) -> str:
        while leader.get(form, form) != form:
            form = leader[form]
        return form

    for one, two in texts.alike:
        leader[lead(two)] = lead(one)
    groups: dict[str, list[Entry]] = {}
    for form, entries in texts.said.items():
        groups.setdefault(lead(form), []).extend(entries)
    for group in groups.values():
        if len(group) > 1:
            yield tuple(group[:_HELD])


def _everyones(
    library: Library, counter: Counter, groups: Sequence[Sequence[Entry]]
) -> Mapping[str, Mapping[Ref, int]]:
    """Return what everybody starts with that may be told twice: name → entry → its tokens.

    A role and an agent of one name are one: what is composed for the role is added to its files.
    """
    loaded: dict[str, dict[Ref, int]] = {}
    called: dict[str, str] = {}

    def take(start: Start) -> None:
        name = called.setdefault(start.name.casefold(), start.name)
        mine = loaded.setdefault(name, {})
        mine.update((v.ref, v.tokens) for v in start.prompt.verdicts if v.is_in)

    for start in agent_starts(library, counter):
        take(start)
    for start in role_starts(library, counter, _roles_that_could(library, groups, {*called})):
        take(start)
    return loaded


def _roles_that_could(
    library: Library, groups: Sequence[Sequence[Entry]], agents: Collection[str]
) -> Iterator[str]:
    """Yield the roles that a composed copy is for, if they may have another one."""
    composed = [
        [e for e in group if library.source_of(e).loader.kind is LoaderKind.COMPOSED]
        for group in groups
    ]
    for role in library.role_names():
        least = 1 if role.casefold() in agents else 2
        if any(sum(matches(role, entry.roles) for entry in group) >= least for group in composed):
            yield role


def _told(
    library: Library,
    group: Sequence[Entry],
    loaded: Mapping[str, Mapping[Ref, int]],
) -> Told | None:
    costs: list[Cost] = []
    heard: dict[Ref, set[str]] = {entry.ref: set() for entry in group}
    twice: set[Ref] = set()
    for name, tokens in loaded.items():
        mine = [entry.ref for entry in group if entry.ref in tokens]
        for ref in mine:
            heard[ref].add(name)
        if len(mine) > 1:
            twice |= set(mine)
            spent = [tokens[ref] for ref in mine]
            costs.append(Cost(name, sum(spent) - max(spent)))
    copies = tuple(entry for entry in group if entry.ref in twice)
    if not costs:
        return None
    costs.sort(key=lambda cost: (-cost.tokens, cost.agent))
    is_exact = len({norm(whole_of(library, entry)) for entry in copies}) == 1
    return Told(copies, is_exact, tuple(costs), _best(library, copies, heard))


def _best(library: Library, copies: Sequence[Entry], heard: Mapping[Ref, Collection[str]]) -> Entry:
    """Return the copy that stays best: what cannot go, what most hear, what a store keeps."""
    roles = library.role_names()

    def rank(entry: Entry) -> tuple[bool, int, bool]:
        source = library.source_of(entry)
        can_go = source.is_writable and not entry.is_read_only
        names = {name.casefold() for name in heard[entry.ref]}
        if source.loader.kind is LoaderKind.COMPOSED:
            names |= {role.casefold() for role in roles if matches(role, entry.roles)}
        return can_go, -len(names), source.kind is not SourceKind.STORE

    return min(copies, key=rank)


def _is_shown_as_pair(library: Library, told: Told) -> bool:
    kinds = {entry.kind for entry in told.copies}
    places = {library.source_of(entry).path for entry in told.copies}
    is_paired = kinds <= set(kinds_of_pairs(library))
    return len(kinds) == 1 and (is_paired or (told.is_exact and len(places) == 1))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"
