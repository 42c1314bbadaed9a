"""Two states of one root beside each other: which entries differ, and what each agent's start does.

It compares and judges nothing. An entry that was reworded is one that changed, though its address
may hold a digest of its words; one that lies elsewhere now, moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from remem.base.frozen import dataclass
from remem.core.library import DATABASE, Library
from remem.core.prompt.counter import Counter
from remem.core.prompt.everyones_starts import Start, starts
from remem.core.prompt.impact import Impact, impact
from remem.core.relation.normal_form import norm
from remem.model.entry import Entry, Ref
from remem.model.prompt import Prompt
from remem.model.source import Source, SourceKind

REWORDED: Final = 0.60
"""Texts of one file at least this much alike are one entry before and after."""
_MANY: Final = 90_000
"""Pairs in one file above which none is looked for: it was written anew."""

Happened = Literal["added", "removed", "changed", "moved"]


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One entry before and after; one of the two may not be."""

    before: Entry | None
    after: Entry | None
    path: Path
    """Where it stands, or stood."""
    was_at: Path | None = None
    """Where it stood before, if elsewhere."""

    @property
    def happened(self) -> Happened:
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        is_same = norm(self.before.title) == norm(self.after.title)
        return "moved" if self.was_at is not None and is_same else "changed"

    @property
    def entry(self) -> Entry:
        found = self.after or self.before
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class AgentChange:
    """Somebody's start before and after."""

    name: str
    tool: str
    impact: Impact
    exact: bool
    before: Prompt
    after: Prompt
    reworded: tuple[Ref, ...] = ()
    """In before and after, in other words."""
    is_new: bool = False
    is_gone: bool = False

    @property
    def changes_nothing(self) -> bool:
        is_same = self.impact.changes_nothing and self.before.text == self.after.text
        return is_same and not (self.is_new or self.is_gone)


@dataclass(frozen=True, slots=True)
class Compared:
    """Two states of one root."""

    before: Library
    after: Library
    entries: tuple[EntryChange, ...]
    files: tuple[Path, ...]
    """That hold memory and differ."""
    agents: tuple[AgentChange, ...]
    """All of them, in the order of their starts; those that are gone last."""
    unread: Mapping[Path, str]
    """Files that cannot be read before or after, with the reason: they are not compared."""


def compared(
    before: Library, after: Library, counter: Counter, budgets: tuple[int, int] = (0, 0)
) -> Compared:
    """Compare two libraries of one root.

    Args:
        before: One.
        after: The other.
        counter: Counts tokens in both.
        budgets: What replaces the budget of every composed layer, before and after; 0 = nothing.
    """
    entries, files = entry_changes(before, after)
    one, two = starts(before, counter, budgets[0]), starts(after, counter, budgets[1])
    unread = unread_in(before, after)
    return Compared(before, after, entries, files, _agents(one, two, entries), unread)


def unread_in(*libraries: Library) -> dict[Path, str]:
    """Return the files of which nothing could be read, with the reason."""
    return {
        source.path: problem.message
        for library in libraries
        for source in library.sources
        if not source.entries
        for problem in source.problems
        if problem.blocks_writing
    }


def entry_changes(
    before: Library, after: Library
) -> tuple[tuple[EntryChange, ...], tuple[Path, ...]]:
    """Return the entries that differ, file by file, and the files; documents have no entries."""
    old, new = _by_key(before), _by_key(after)
    unread = unread_in(before, after)
    every = (key for key in {**new, **old} if key[1] not in unread)
    differing = [key for key in every if _data(old.get(key)) != _data(new.get(key))]
    gone = _entries(old[key] for key in differing if key in old)
    come = _entries(new[key] for key in differing if key in new)
    found = [
        EntryChange(entry, come[ref][0], come[ref][1], _moved(path, come[ref][1]))
        for ref, (entry, path) in gone.items()
        if ref in come and _differ(entry, come[ref][0])
    ]
    left = {ref: each for ref, each in gone.items() if ref not in come}
    new_ones = {ref: each for ref, each in come.items() if ref not in gone}
    found += _paired(left, new_ones)
    found += [EntryChange(entry, None, path) for entry, path in left.values()]
    found += [EntryChange(None, entry, path) for entry, path in new_ones.values()]
    paths = tuple(dict.fromkeys(path for _, path in differing))
    order = {path: place for place, path in enumerate(paths)}
    found.sort(key=lambda each: (order.get(each.path, 0), _start(each.entry)))
    return tuple(found), paths


def _by_key(library: Library) -> Mapping[tuple[str, Path], Source]:
    """Return the sources that a commit can have otherwise."""
    return {s.key: s for s in library.sources if s.path.suffix != DATABASE}


def _data(source: Source | None) -> tuple[bytes, bool] | None:
    return None if source is None else (source.data, source.archived)


def _entries(sources: Iterable[Source]) -> dict[Ref, tuple[Entry, Path]]:
    return {
        entry.ref: (entry, source.path)
        for source in sources
        if source.kind is not SourceKind.DOCUMENT
        for entry in source.entries
    }


def _differ(one: Entry, two: Entry) -> bool:
    return (one.digest, one.status, one.roles) != (two.digest, two.status, two.roles)


def _moved(old: Path, new: Path) -> Path | None:
    return old if old != new else None


def _start(entry: Entry) -> int:
    start = getattr(entry.at, "start", 0)
    return start if isinstance(start, int) else 0


_Found = dict[Ref, tuple[Entry, Path]]


def _paired(gone: _Found, come: _Found) -> Iterator[EntryChange]:
    """Yield what moved and what was reworded, and take it out of both."""
    pairs = [*_same_words(gone, come)]
    for old, new in pairs:
        yield _change(gone.pop(old), come.pop(new))
    for old, new in _reworded(gone, come):
        yield _change(gone.pop(old), come.pop(new))


def _change(old: tuple[Entry, Path], new: tuple[Entry, Path]) -> EntryChange:
    return EntryChange(old[0], new[0], new[1], _moved(old[1], new[1]))


def _same_words(gone: _Found, come: _Found) -> Iterator[tuple[Ref, Ref]]:
    waiting: dict[tuple[str, str], list[Ref]] = {}
    for ref, (entry, _) in come.items():
        waiting.setdefault((entry.kind, norm(entry.title)), []).append(ref)
    for ref, (entry, _) in gone.items():
        found = waiting.get((entry.kind, norm(entry.title)))
        if found:
            yield ref, found.pop(0)


def _reworded(gone: _Found, come: _Found) -> list[tuple[Ref, Ref]]:
    """Return pairs in one file whose words are alike, the most alike first."""
    found: list[tuple[float, Ref, Ref]] = []
    for place in {(path, entry.kind) for entry, path in gone.values()}:
        old = [(r, norm(e.title)) for r, (e, p) in gone.items() if (p, e.kind) == place]
        new = [(r, norm(e.title)) for r, (e, p) in come.items() if (p, e.kind) == place]
        if new and len(old) * len(new) <= _MANY:
            found += _likes(old, new)
    found.sort(key=lambda each: (-each[0], str(each[1]), str(each[2])))
    taken: set[Ref] = set()
    pairs: list[tuple[Ref, Ref]] = []
    for _, one, two in found:
        if one not in taken and two not in taken:
            taken |= {one, two}
            pairs.append((one, two))
    return pairs


def _likes(
    old: Sequence[tuple[Ref, str]], new: Sequence[tuple[Ref, str]]
) -> Iterator[tuple[float, Ref, Ref]]:
    from rapidfuzz import fuzz

    for one, text in old:
        for two, other in new:
            score = fuzz.ratio(text, other, score_cutoff=REWORDED * 100)
            if score:
                yield score, one, two


def _agents(
    before: Sequence[Start], after: Sequence[Start], entries: Sequence[EntryChange]
) -> tuple[AgentChange, ...]:
    old, new = {start.key: start for start in before}, {start.key: start for start in after}
    renamed = _Renamed.of(entries)
    keys = dict.fromkeys((*new, *old))
    return tuple(agent_change(old.get(key), new.get(key), renamed) for key in keys)


@dataclass(frozen=True, slots=True)
class _Renamed:
    """What became of entries that are there before and after."""

    called: Mapping[Ref, Ref]
    """Those that are called otherwise later."""
    reworded: frozenset[Ref]
    """As they are called later."""

    @classmethod
    def of(cls, entries: Iterable[EntryChange]) -> _Renamed:
        pairs = [(e.before, e.after) for e in entries if e.before and e.after]
        reworded = frozenset(two.ref for one, two in pairs if one.digest != two.digest)
        called = {one.ref: two.ref for one, two in pairs if one.ref != two.ref}
        return cls(called, reworded)


def agent_change(
    before: Start | None, after: Start | None, renamed: _Renamed | Iterable[EntryChange]
) -> AgentChange:
    """Compare somebody's start before and after; one of the two is there."""
    known = renamed if isinstance(renamed, _Renamed) else _Renamed.of(renamed)
    start = after or before
    assert start is not None
    nothing = replace(start.prompt, layers=(), verdicts=(), tokens=0)
    one = called_now(before.prompt, known.called) if before is not None else nothing
    two = after.prompt if after is not None else nothing
    return AgentChange(
        start.name,
        start.tool,
        impact(one, two),
        one.exact and two.exact,
        one,
        two,
        _drawn_otherwise(one, two, known),
        is_new=before is None,
        is_gone=after is None,
    )


def called_later(entries: Iterable[EntryChange]) -> Mapping[Ref, Ref]:
    """Return the addresses of entries that are called otherwise later, and what they are then."""
    return _Renamed.of(entries).called


def called_now(prompt: Prompt, now_called: Mapping[Ref, Ref]) -> Prompt:
    """Return a prompt with the addresses that its entries have later."""
    if not now_called:
        return prompt
    verdicts = tuple(
        replace(verdict, ref=now_called[verdict.ref]) if verdict.ref in now_called else verdict
        for verdict in prompt.verdicts
    )
    return replace(prompt, verdicts=verdicts)


def _drawn_otherwise(before: Prompt, after: Prompt, known: _Renamed) -> tuple[Ref, ...]:
    """Return what is in before and after, and reads otherwise there: not every field is drawn."""
    was, is_now = (_drawn(each, known.called) for each in (before, after))
    both = _in_both(before, after, known.reworded)
    return tuple(ref for ref in both if ref not in is_now or was.get(ref) != is_now[ref])


def _drawn(prompt: Prompt, called: Mapping[Ref, Ref]) -> Mapping[Ref, Sequence[str]]:
    """Return the lines of each entry in a prompt, by the address that it has later."""
    found: dict[Ref, list[str]] = {}
    for layer in prompt.layers:
        for line in layer.lines:
            if line.ref is not None:
                found.setdefault(called.get(line.ref, line.ref), []).append(line.text)
    return found


def _in_both(before: Prompt, after: Prompt, refs: Set[Ref]) -> tuple[Ref, ...]:
    """Return which of these are in before and after, in the later order."""
    if not refs:
        return ()
    stayed = {verdict.ref for verdict in before.verdicts if verdict.is_in and verdict.ref in refs}
    later = (v.ref for v in after.verdicts if v.is_in and v.ref in stayed)
    return tuple(dict.fromkeys(later))
