"""Which texts of a whole library are alike, across all formats, files and kinds.

It compares words and decides nothing. What was found is carried from snapshot to snapshot: of a
library where few texts are new, only those are compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Final

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.already_said import whole_text
from remem.core.relation.matching import Matcher
from remem.core.relation.normal_form import Alike, Likeness, norm
from remem.core.relation.pairs import alike_texts, known_pairs, same_forms
from remem.model.entry import FACT, Entry, Status
from remem.model.source import SourceKind
from remem.store.cache import Cache

SHORTEST: Final = 16
"""Characters below which a text is no rule: a heading, a word, a link."""
_SEVERAL: Final = 150
"""Texts that are each compared with all others; of more, all are compared with all."""
_FEW: Final = 48
"""New texts that are compared one by one; of more, all are compared anew."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The rules in force, by what they say."""

    said: Mapping[str, tuple[Entry, ...]]
    """Text in normal form → every entry that says it, in the library's order."""
    alike: Mapping[tuple[str, str], Likeness]
    """Pairs of different texts that say nearly the same; what may contradict is no such pair."""


def rules_in_force(library: Library) -> tuple[Texts, ...]:
    """Return what a library says: anti-patterns, which name what is wrong, apart from the rest."""
    other, apart = said_in_force(library)
    cache = library.ground.given.cache
    return (_texts(_OTHER, other, cache), _texts(_APART, apart, cache))


def said_in_force(
    library: Library, shortest: int = SHORTEST
) -> tuple[dict[str, list[Entry]], dict[str, list[Entry]]]:
    """Return the texts in force with the entries that say them: all but anti-patterns, and those.

    Facts about code are left out: they are proved, and not told as rules. So is what is shorter
    than `shortest` characters.
    """
    apart: dict[str, list[Entry]] = {}
    other: dict[str, list[Entry]] = {}
    warnings = {kind for each in library.formats for kind in each.facets.warns}
    for source in library.sources:
        if source.archived or source.kind is SourceKind.DOCUMENT:
            continue
        for entry in source.entries:
            if entry.status is Status.ACTIVE and entry.kind != FACT:
                form = norm(whole_text(source, entry))
                if len(form) >= shortest:
                    found = apart if entry.kind in warnings else other
                    found.setdefault(form, []).append(entry)
    return other, apart


def like_any(forms: Sequence[str], new: Collection[str]) -> Iterator[tuple[str, str, Likeness]]:
    """Yield what each of a few texts is like among all of them: it, the other one, and how."""
    if len(new) > _SEVERAL:
        wanted = frozenset(new)
        for (one, two), likeness in alike_texts(forms).items():
            first, second = forms[one], forms[two]
            if first in wanted or second in wanted:
                yield (first, second, likeness) if first in wanted else (second, first, likeness)
        return
    matcher = Matcher((form, form) for form in forms)
    seen: set[frozenset[str]] = set()
    for form in new:
        for match in matcher.like(form):
            pair = frozenset((form, match.key))
            if len(pair) == 2 and pair not in seen:
                seen.add(pair)
                yield form, match.key, match.likeness


class Alikes:
    """Pairs among texts that say the same, carried from one asking to the next."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._forms: frozenset[str] = frozenset()
        self._found: dict[tuple[str, str], Likeness] = {}
        self._matcher: Matcher[str] | None = None

    def among(self, forms: Sequence[str], cache: Cache) -> Mapping[tuple[str, str], Likeness]:
        """Return the pairs, each in the order in which its texts stand."""
        with self._lock:
            wanted = frozenset(forms)
            if wanted != self._forms:
                self._found = self._compared(forms, wanted, cache)
                self._forms = wanted
            place = {form: number for number, form in enumerate(forms)}
            ordered = (
                ((one, two) if place[one] < place[two] else (two, one), likeness)
                for (one, two), likeness in self._found.items()
            )
            return dict(sorted(ordered, key=lambda each: (place[each[0][0]], place[each[0][1]])))

    def _compared(
        self, forms: Sequence[str], wanted: frozenset[str], cache: Cache
    ) -> dict[tuple[str, str], Likeness]:
        new = [form for form in forms if form not in self._forms]
        if len(new) > _FEW or not self._forms:
            self._matcher = None
            alike = known_pairs(cache, "same forms", forms, same_forms)
            return {(forms[a], forms[b]): found for (a, b), found in alike.items()}
        kept = {pair: like for pair, like in self._found.items() if wanted.issuperset(pair)}
        if new:
            self._matcher = Matcher(((form, form) for form in forms), self._matcher)
            for form in new:
                for match in self._matcher.like(form):
                    is_other = match.key != form and (match.key, form) not in kept
                    if is_other and match.likeness.alike is not Alike.CONTRADICTION:
                        near = same_forms((form, match.key))
                        kept |= dict.fromkeys([(form, match.key)][: len(near)], match.likeness)
        return kept


_OTHER: Final = Alikes()
_APART: Final = Alikes()


def _texts(known: Alikes, said: Mapping[str, Iterable[Entry]], cache: Cache) -> Texts:
    entries = {form: tuple(each) for form, each in said.items()}
    return Texts(entries, known.among([*entries], cache))
