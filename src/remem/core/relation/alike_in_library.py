"""Which texts of a whole library are alike, across all formats, files and kinds.

It compares words and decides nothing. What was found is carried from snapshot to snapshot: of a
library where few texts are new, only those are compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.already_said import whole_text
from remem.core.relation.matching import Matcher
from remem.core.relation.normal_form import Likeness, norm
from remem.core.relation.pairs import Carried, alike_texts, compared_forms
from remem.model.entry import FACT, Entry, Status
from remem.model.source import SourceKind
from remem.store.cache import Cache

SHORTEST: Final = 16
"""Characters below which a text is no rule: a heading, a word, a link."""
_SEVERAL: Final = 150
"""Texts that are each compared with all others; of more, all are compared with all."""


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
        self._carried = Carried("same forms", compared_forms)

    def among(self, forms: Sequence[str], cache: Cache) -> Mapping[tuple[str, str], Likeness]:
        """Return the pairs, each in the order in which its texts stand."""
        alike = self._carried.among("", forms, cache)
        return {(forms[one], forms[other]): found for (one, other), found in alike.items()}


_OTHER: Final = Alikes()
_APART: Final = Alikes()


def _texts(known: Alikes, said: Mapping[str, Iterable[Entry]], cache: Cache) -> Texts:
    entries = {form: tuple(each) for form, each in said.items()}
    return Texts(entries, known.among([*entries], cache))
