"""Pairs of entries that say the same, nearly the same, or perhaps opposite things (FORMATS 0.4).

It compares a whole library and decides nothing: what to do with a pair is a person's verb. Not all
are compared with all. Two texts meet when they share one of their rarest words, so what differs in
more words than that is not found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from remem.core.library import Library
from remem.core.relation.known import may_hold
from remem.core.relation.similar import NEAR, Alike, Likeness, judged, norm, numbers_in
from remem.core.relation.whole import whole_text
from remem.model.entry import Entry, Problem, Status
from remem.model.memo import kept_together
from remem.model.source import Source
from remem.systems.learnings.records import LEARNING
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION, DECISION
from remem.systems.workspace.records import WORKSPACE

KINDS: Final = (CONVENTION, ANTI_PATTERN, DECISION, LEARNING)
"""What can be merged."""
RAREST: Final = 4
"""Words of a text by which it meets others: two that differ in three words at most do meet."""
_COMMON: Final = 48
"""A word that more texts have brings them together only along with another one."""
_CROWD: Final = 160
"""Texts with the same two words of which each is compared with its neighbours only."""
_NEIGHBOURS: Final = 24
_FEW: Final = 6
"""Texts of a group that are compared one by one; of more, one with many at once is quicker."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries of one kind that are alike, the one that stands first as `first`."""

    first: Entry
    second: Entry
    likeness: Likeness

    @property
    def is_contradiction(self) -> bool:
        return self.likeness.alike is Alike.CONTRADICTION


def pairs(library: Library) -> tuple[Pair, ...]:
    """Return the pairs of a library, kind by kind, in file order; the same each time.

    Entries that left force are left out. Every entry of these kinds is parsed for it. What a
    repository says like its workspace is no pair: the one overrides the other, and none is merged.
    """
    found = (pair for kind in KINDS for pair in _pairs_of(_holding(library, kind), kind))
    return tuple(pair for pair in found if not _is_between_levels(pair))


def _is_between_levels(pair: Pair) -> bool:
    return (pair.first.ref.format == WORKSPACE) != (pair.second.ref.format == WORKSPACE)


def pairs_among(entries: Sequence[Entry], texts: Sequence[str] | None = None) -> tuple[Pair, ...]:
    """Return the pairs among entries of one kind, in their order.

    Args:
        entries: What is compared.
        texts: What each of them says; `None` = their titles are all of it.
    """
    forms = [norm(text) for text in (texts or [entry.title for entry in entries])]
    found = alike_forms(forms)
    return tuple(
        Pair(entries[first], entries[second], found[first, second])
        for first, second in sorted(found)
    )


def alike_forms(forms: Sequence[str]) -> dict[tuple[int, int], Likeness]:
    """Return which texts in normal form are alike, by their places, the first one first."""
    return _alike(forms, {})


def same_forms(forms: Sequence[str]) -> dict[tuple[int, int], Likeness]:
    """Return which texts in normal form say the same or nearly so, as `alike_forms` does.

    What may contradict is left out. Of texts that differ in a number alone there may be so many
    that each is like each, so those with other numbers do not meet at all.
    """
    found = _alike(forms, {place: numbers_in(form) for place, form in enumerate(forms)})
    return {pair: each for pair, each in found.items() if each.alike is not Alike.CONTRADICTION}


def _alike(
    forms: Sequence[str], apart: Mapping[int, tuple[str, ...]]
) -> dict[tuple[int, int], Likeness]:
    """Compare texts; those that are told apart by something else do not meet."""
    found: dict[tuple[int, int], Likeness] = {}
    same: dict[str, list[int]] = {}
    for place, form in enumerate(forms):
        if form:
            same.setdefault(form, []).append(place)
    for places in same.values():
        # The first stands for all: ten equal ones are nine pairs and not forty-five.
        found |= {(places[0], other): Likeness(Alike.EXACT, 1.0) for other in places[1:]}
    firsts = [places[0] for places in same.values()]
    words = {place: forms[place].split() for place in firsts}
    ordered = {place: " ".join(sorted(words[place])) for place in firsts}
    numbers = {place: apart.get(place) or numbers_in(forms[place]) for place in firsts}
    for one, other, ratio in _near(_meetings(words, apart), ordered):
        pair = min(one, other), max(one, other)
        if pair not in found:
            found[pair] = judged(
                forms[pair[0]],
                forms[pair[1]],
                ratio,
                same_numbers=numbers[one] == numbers[other],
            )
    return found


def problem_of(library: Library, pair: Pair) -> Problem:
    """Return a pair as something that Health shows at its second entry."""
    name = library.short(pair.first.ref)
    path = library.source_of(pair.second).path
    merge = f"merge them, or leave both; `{name}`: {pair.first.title}"
    match pair.likeness.alike:
        case Alike.EXACT:
            return Problem("duplicate", f"it says the same as `{name}`", merge, path)
        case Alike.NEAR:
            checked = "" if pair.likeness.checked else "; contradictions are not checked"
            message = f"it says nearly the same as `{name}`{checked}"
            return Problem("near-duplicate", message, merge, path)
        case Alike.CONTRADICTION:
            message = f"it may contradict `{name}`"
            hint = f"take the wrong one out, or reword it; `{name}`: {pair.first.title}"
            return Problem("contradiction", message, hint, path)


@kept_together
def _pairs_of(sources: tuple[Source, ...], kind: str) -> tuple[Pair, ...]:
    """Sources are compared by identity: what did not change is not compared again."""
    found = [
        (entry, whole_text(source, entry))
        for source in sources
        for entry in source.entries
        if entry.kind == kind and entry.status in (Status.ACTIVE, Status.CANDIDATE)
    ]
    return pairs_among([entry for entry, _ in found], [text for _, text in found])


def _holding(library: Library, kind: str) -> tuple[Source, ...]:
    return tuple(s for s in library.sources if not s.archived and may_hold(s, kind))


def _meetings(
    words: Mapping[int, Sequence[str]], apart: Mapping[int, tuple[str, ...]]
) -> Iterator[list[int]]:
    """Yield groups of texts that share rare words, the same each time.

    Args:
        words: Of each text.
        apart: What keeps texts from meeting where it differs.
    """
    own = {number: set(each) for number, each in words.items()}
    often = Counter(chain.from_iterable(own.values()))
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, each in own.items():
        kind = apart.get(number, ())
        rarest = sorted(sorted(each), key=often.__getitem__)[:RAREST]
        alone = [word for word in rarest if often[word] <= _COMMON]
        # By a word that no other text has it meets none.
        for word in alone:
            if often[word] > 1:
                groups.setdefault((kind, word), []).append(number)
        if len(alone) < RAREST:
            shared = sorted(word for word in rarest if often[word] > 1)
            for two in combinations(shared, 2):
                groups.setdefault((kind, *two), []).append(number)
            if len(rarest) == 1 and not alone:
                groups.setdefault((kind, rarest[0], ""), []).append(number)
    for group in groups.values():
        if len(group) > 1:
            yield group


def _near(
    groups: Iterable[list[int]], ordered: Mapping[int, str]
) -> Iterator[tuple[int, int, float]]:
    """Yield each pair of a group whose words are alike, and how much; it may come again."""
    from rapidfuzz import fuzz, process

    for group in groups:
        group.sort(key=ordered.__getitem__)
        if len(group) <= _FEW:
            for one, other in combinations(group, 2):
                score = fuzz.ratio(ordered[one], ordered[other], score_cutoff=NEAR * 100)
                if score:
                    yield one, other, score / 100
            continue
        reach = len(group) if len(group) <= _CROWD else _NEIGHBOURS
        texts = [ordered[number] for number in group]
        for place, one in enumerate(group[:-1], 1):
            found = process.extract(
                texts[place - 1],
                texts[place : place + reach],
                scorer=fuzz.ratio,
                processor=None,
                score_cutoff=NEAR * 100,
                limit=None,
            )
            for _, score, behind in sorted(found, key=lambda match: match[2]):
                yield one, group[place + behind], score / 100
