"""Everything in force at a root, asked before remem does anything by itself.

The rule is `core/relation/subject.py`'s; here it meets a library, and is told to people: what
speaks against an automatism is named with the words that both texts share, and with its whole text.
The words of a run of entries are kept from one process to the next: of a store of ten thousand one
entry is asked about at a time, and what texts are compared by is worked out once for the same
bytes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from sys import intern
from threading import RLock
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from remem.base.turns import give_way
from remem.core.library import Library
from remem.core.relation.already_said import SIMILAR, ConflictNote, alike, named
from remem.core.relation.normal_form import MANY, Alike, norm
from remem.core.relation.postings import Marks
from remem.core.relation.relation import Related, may_oppose, relate
from remem.core.relation.subject import (
    InForce,
    Overlap,
    Overlaps,
    Standing,
    Stretch,
    Words,
    words_of,
)
from remem.model.entry import Entry, Ref, Status
from remem.model.memo import kept_together
from remem.model.source import KnowsSpans, Run, Source, SourceKind
from remem.store.cache import Cache

Against: TypeAlias = Overlap[Entry]
_MAKING: Final = RLock()
"""Of very many texts the index takes seconds: nobody makes it beside another thread."""
_READ: Final = 12
"""Texts that are shown whole beside one that waits for them."""


def in_force(library: Library, home: str = "") -> InForce[Entry]:
    """Return what is active at a root, or in one repository of a whole workspace."""
    homes = {"", home}
    sources = tuple(
        source
        for source in library.sources
        if source.repository in homes
        and source.kind is not SourceKind.DOCUMENT
        and not source.archived
    )
    with _MAKING:
        return _indexed(sources, library.ground.given.cache)


def against(
    library: Library, kind: str, text: str, *, apart: Collection[Ref] = (), home: str = ""
) -> Sequence[Against]:
    """Return what in force makes an automatism wait with a text; () = it may go on.

    Args:
        library: Where it would act.
        kind: Of the entry that the text is or would be.
        text: What it says.
        apart: Entries that the text is of, and does not wait for.
        home: The repository, where a whole workspace is open.
    """
    refs = frozenset(apart)
    titles = (library.entry(ref).title for ref in refs if library.has(ref))
    said = dict.fromkeys(map(norm, titles), lambda entry: entry.ref in refs)
    return in_force(library, home).against(kind, text, said)


def unread_settings(library: Library) -> str:
    """Return why nothing happens by itself here, as a clause; empty = settings can be read.

    Whichever file it is, remem's own or that of any system: nobody knows what a person switched
    off there, or which limits were set.
    """
    found = (
        *library.ground.unread,
        *(
            problem
            for each in library.formats
            if each.facets.unread is not None
            for problem in each.facets.unread(library.of_format(each.name))
        ),
    )
    if not found:
        return ""
    name = found[0].path.name if found[0].path is not None else "the settings"
    return f"`{name}` cannot be read, so nothing is done automatically: {found[0].message}"


def explained(library: Library, found: Sequence[Against]) -> str:
    """Return why an automatism waits, as a clause: the first entry, its words and its text."""
    first = _first(library, found)
    return f"{_named(library, first, found)}: {decided(library, first)}: {first.text}"


def named_first(library: Library, found: Sequence[Against]) -> str:
    """Return what an automatism waits for by its address, as a clause, and how many others."""
    return _named(library, _first(library, found), found)


def _named(library: Library, first: Against, found: Sequence[Against]) -> str:
    others = len(found) - 1
    more = f" (and {'many' if others >= MANY else others} more)" if others else ""
    return f"{_relation(library, first)}{more}"


def _first(library: Library, found: Sequence[Against]) -> Against:
    # The nearest first, and of equals the first: the others need not be compared once one opposes.
    looked_at = sorted(islice(found, MANY), key=lambda each: -len(each.shared))
    return next((each for each in looked_at if opposes(library, each)), looked_at[0])


def _nearest(found: Sequence[Against]) -> Against:
    """Return what shares most words; of equals the first."""
    return max(found, key=lambda each: len(each.shared))


def whole(library: Library, found: Sequence[Against]) -> Iterator[str]:
    """Yield the whole text of each entry that something waits for, with the shared words.

    Where very many are, those that share most words; nobody reads more, and how each of them is
    related takes its time.
    """
    if isinstance(found, Overlaps):
        shown: Sequence[Against] = found.nearest(_READ)
    else:
        nearest = sorted(range(len(found)), key=lambda place: -len(found[place].shared))[:_READ]
        shown = [found[place] for place in sorted(nearest)]
    # One word in common makes nothing similar: it is told where nothing else says why it waits.
    alike = [each for each in shown if _is_similar(each) or opposes(library, each)]
    for each in alike or ([_nearest(shown)] if shown else []):
        because = decided(library, each)
        if opposes(library, each):
            yield ConflictNote.on(library, each.key.ref, each.text, because)
        else:
            yield f"{_relation(library, each)} ({because}): {each.text}"
    rest = len(found) - len(shown) if alike else 0
    if rest:
        # What conflicts is told apart from what is similar: more than none is no more.
        is_named = any(not opposes(library, each) for each in alike)
        more = f"and {rest:,} more active" if is_named else f"{rest:,} active"
        yield f"{more} {'entry is' if rest == 1 else 'entries are'}{SIMILAR}"


def notes_on(library: Library, kind: str, text: str) -> tuple[str, ...]:
    """Return what a person should know who adds a text by hand: it is allowed all the same.

    What conflicts comes first, also of other kinds: a warning asks for the opposite of a rule in
    the same words.
    """
    like = alike(library, kind, text)
    opposed = [each for each in like if each.alike is Alike.CONTRADICTION]
    told: Sequence[str] = [
        ConflictNote.on(library, each.entry.ref, each.entry.title) for each in opposed[:1]
    ] or [f"{named(library, each.entry.ref, each.alike)}: {each.entry.title}" for each in like[:1]]
    # What Review names first is told first: of all that conflicts, what shares most words.
    found = islice(against(library, kind, text), MANY)
    crossing = [each for each in found if opposes(library, each)]
    if not crossing:
        return tuple(told)
    nearest = _nearest(crossing)
    crossed = ConflictNote.on(library, nearest.key.ref, nearest.text)
    is_told = not opposed or opposed[0].entry.ref == nearest.key.ref
    return (crossed,) if is_told else (crossed, *told)


def _relation(library: Library, each: Against) -> str:
    said = "similar to" if _is_similar(each) else "a word in common with"
    said = "possible conflict with" if opposes(library, each) else said
    return f"{said} `{library.short(each.key.ref)}`"


def _is_similar(each: Against) -> bool:
    """Tell whether two that are about the same share more than one word, or say nearly the same."""
    if len(each.shared) > 1:
        return True
    return relate(each.asked, each.text).related in (Related.SAME, Related.SIMILAR)


def decided(library: Library, each: Against) -> str:
    """Return the words that decided how two texts are related, as a clause."""
    relation = relate(each.asked, each.text, warns=_warns(library, each))
    opposed = relation.related is Related.CONFLICT and relation.because
    return opposed or (f"both say {each.words}" if each.words else "in other words")


def opposes(library: Library, each: Against) -> bool:
    """Tell whether what is active may say the opposite, and not only nearly the same.

    A warning names what must not be: in the same words as a rule it asks for the opposite.
    """
    return may_oppose(each.asked, each.text, warns=_warns(library, each))


def opposing(
    library: Library, kind: str, text: str, *, whole: str = "", apart: Collection[Ref] = ()
) -> tuple[Ref, ...]:
    """Return what in force may say otherwise than a text, the likest first.

    Cards, the command line and what a person keeps beside each other all ask here. What all
    repositories of a workspace share comes last: it makes no room for an entry of one.

    Args:
        library: Of one repository, or of none but one.
        kind: Of the entry that the text is or would be.
        text: What it says, or its heading.
        whole: All that it says below its heading too.
        apart: Entries that the text is of.
    """
    like = [each for each in alike(library, kind, whole or text) if each.entry.ref not in apart]
    opposed = (each.entry for each in like if each.alike is Alike.CONTRADICTION)
    in_force = (entry.ref for entry in opposed if entry.status is Status.ACTIVE)
    about = islice(against(library, kind, text, apart=apart), MANY)
    more = (each.key.ref for each in about if opposes(library, each))
    return tuple(sorted(dict.fromkeys((*in_force, *more)), key=library.is_shared))


def conflict(library: Library, kind: str, text: str, other_kind: str, other: str) -> bool:
    """Tell whether two texts of those kinds conflict; what was not checked does not."""
    warnings = {each for system in library.formats for each in system.facets.warns}
    warns = kind in warnings, other_kind in warnings
    return relate(text, other, warns=warns).related is Related.CONFLICT


def _warns(library: Library, each: Against) -> tuple[bool, bool]:
    warnings = {kind for system in library.formats for kind in system.facets.warns}
    return each.asked_kind in warnings, each.kind in warnings


def conflicts(library: Library, entry: Entry) -> tuple[str, ...]:
    """Return what in force may say otherwise than a candidate of a store, each text whole.

    It is asked for one candidate that somebody looks at: everything in force is parsed for it.
    """
    if library.source_of(entry).kind is SourceKind.DOCUMENT:
        return ()
    return tuple(whole(library, against(library, entry.kind, entry.title, apart={entry.ref})))


@kept_together
def _indexed(sources: tuple[Source, ...], cache: Cache) -> InForce[Entry]:
    """Sources never change and are compared by identity."""
    made = InForce[Entry](known=_LAST.words)
    runs: dict[bytes, RunInForce] = {}
    for source in sources:
        entries = source.entries
        cut = entries.runs() if isinstance(entries, KnowsSpans) else ()
        if not isinstance(entries, KnowsSpans) or not cut:
            for entry in filter(is_in_force, entries):
                made.add(Standing(entry, entry.kind, entry.title))
            continue
        for run in cut:
            runs[run.name] = kept = _LAST.runs.get(run.name) or run_in_force(entries, run, cache)
            made.take(kept.words, partial(_standing, entries, run.first, kept.places))
    _LAST.words, _LAST.runs = made.words, runs
    return made


def _standing(
    entries: Sequence[Entry], first: int, places: Sequence[int], place: int
) -> Standing[Entry]:
    entry = entries[first + places[place]]
    return Standing(entry, entry.kind, entry.title)


class _Last:
    """What was worked out of the texts of the newest index: most of them stand in the next one."""

    words: Mapping[str, Words] = MappingProxyType({})
    runs: Mapping[bytes, RunInForce] = MappingProxyType({})


_LAST: Final = _Last()


KIND: Final = "words in force"


class RunInForce(NamedTuple):
    """What is in force of a run."""

    words: Stretch
    places: list[int]
    """Place among the texts → place in the run."""


def is_in_force(entry: Entry) -> bool:
    """Tell whether an entry says something that holds."""
    return entry.status is Status.ACTIVE and bool(entry.title.strip())


def run_in_force(entries: KnowsSpans, run: Run, cache: Cache) -> RunInForce:
    """Return what is in force of a run: as it was kept, or read anew and to be kept."""
    data = cache.get(KIND, run.name)
    known = _decoded(data, run.last - run.first) if data is not None else None
    if known is not None:
        return known
    made, forms = RunInForce(Stretch(), []), []
    for place in range(run.last - run.first):
        give_way()
        entry = entries[run.first + place]
        if is_in_force(entry):
            found = words_of(entry.title)
            made.words.add(entry.kind, found)
            made.places.append(place)
            forms.append(found[-1])
    cache.put(_encoded(made, forms), KIND, run.name)
    made.words.finish()
    return made


def _encoded(made: RunInForce, forms: Sequence[str]) -> bytes:
    words = made.words
    kept = [made.places, words.kinds, words.sizes, forms, words.places, words.about]
    return json.dumps(kept, separators=(",", ":")).encode()


def _decoded(data: bytes, length: int) -> RunInForce | None:
    """Return what was kept of a run of so many entries; `None` where it is something else."""
    with suppress(ValueError, TypeError, AttributeError, LookupError, OverflowError):
        places, kinds, sizes, forms, holding, about = json.loads(data)
        if len(places) == len(kinds) == len(sizes) == len(forms) <= length:
            words = Stretch()
            words.kinds, words.sizes, words.marks = [*map(intern, kinds)], sizes, Marks(forms)
            words.places, words.about = holding, about
            words.finish()
            return RunInForce(words, places)
    return None
