"""Two versions of a memory file beside each other, by entry: what came, what went, what changed.

Pure. An entry is its text: where it stands in its file, and how its lines end, makes no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

from remem.base.frozen import dataclass
from remem.core.history.removed_by_others import in_windows, windows_after
from remem.core.library import DATABASE, Library
from remem.core.own_folder import OWN
from remem.edit.patch import patches_between
from remem.model.done_by_others import Vanished
from remem.model.entry import Entry, FileSpan
from remem.model.source import Source, SourceKind

_ALIKE: Final = 60
"""Of a hundred: a text that came is what became of one that went from the same file."""
_WHOLE: Final = 5_000
"""Entries up to which every one of both versions is looked at: what stands before a text may make
another one of it, though its bytes stay."""
_PAIRS: Final = 20_000
"""Comparisons of texts for one file; beyond that what changed is told as removed and new."""


def is_reviewed(source: Source) -> bool:
    """Tell whether what is written to a source is memory that a person may review by entry."""
    return (
        source.kind is not SourceKind.DOCUMENT
        and source.format != OWN
        and not source.archived
        and not source.is_served
        and source.path.suffix != DATABASE
    )


def outside_inbox(library: Library) -> tuple[Vanished, ...]:
    """Return what others removed from files that the inbox does not follow.

    From those that it follows it waits in Review, until a person decided.
    """
    if library.aside.reviewed is None:
        return library.aside.vanished
    passed = {source.path for source in library.sources if not is_reviewed(source)}
    return tuple(each for each in library.aside.vanished if each.path in passed)


def text_of(source: Source, entry: Entry) -> bytes:
    """Return the bytes of an entry as they stand in its file."""
    at = entry.at
    return source.data[at.start : at.end] if isinstance(at, FileSpan) else source.data


def key_of(source: Source, entry: Entry) -> str:
    """Return what stands for an entry's text."""
    lines = [line.rstrip() for line in text_of(source, entry).strip().splitlines()]
    return sha256(b"\n".join(lines)).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Keyed:
    """An entry in one version of its file."""

    key: str
    source: Source
    entry: Entry


@dataclass(frozen=True, slots=True)
class Difference:
    """What of a file is not as it was seen."""

    came: Sequence[Keyed]
    """What stands there more often than it was seen."""
    gone: Sequence[Keyed]
    """What was seen more often than it stands there, where the former version has it."""
    lost: Mapping[str, int]
    """The same where it has not: it was marked as seen later."""


def moved_keys(old: Source, new: Source) -> dict[str, int]:
    """Return how much more or less often each text stands in a file than before."""
    gone, came = _changed(old, new)
    found = Counter(each.key for each in came)
    found.subtract(each.key for each in gone)
    return {key: number for key, number in found.items() if number}


def difference(old: Source, new: Source, marks: Mapping[str, int]) -> Difference:
    """Return what of a file is not as it was seen.

    Args:
        old: The version that counts as seen as a whole.
        new: As it stands.
        marks: How much more or less often a text counts as seen since.
    """
    gone, came = _changed(old, new)
    near = {each.key for each in (*gone, *came)}
    if any(number and key not in near for key, number in marks.items()):
        gone, came = _all(old), _all(new)
    seen = Counter(each.key for each in gone)
    for key, number in marks.items():
        seen[key] += number
    stands = Counter(each.key for each in came)
    more = {key: number - seen[key] for key, number in stands.items() if number > seen[key]}
    fewer = {key: number - stands[key] for key, number in seen.items() if number > stands[key]}
    # Of equal texts the last is the one that came, or went.
    found = [*_last(came, more)]
    lost = [*_last(gone, fewer)]
    had = Counter(each.key for each in lost)
    rest = {key: number - had[key] for key, number in fewer.items() if number > had[key]}
    return Difference(found, lost, rest)


def paired(found: Difference) -> Iterator[tuple[Keyed | None, Keyed | None]]:
    """Yield what went with what came in its place; one of the two may be missing.

    The same ref is the same entry; else the text that is most alike.
    """
    came, gone = list(found.came), list(found.gone)
    by_ref = {each.entry.ref: each for each in came}
    for old in [*gone]:
        new = by_ref.pop(old.entry.ref, None)
        if new is not None:
            gone.remove(old)
            came.remove(new)
            yield old, new
    if len(came) * len(gone) <= _PAIRS:
        from rapidfuzz.fuzz import ratio

        for new in [*came]:
            title = new.entry.title
            alike = [(ratio(each.entry.title, title), -place) for place, each in enumerate(gone)]
            likest, place = max(alike, default=(0.0, 0))
            if likest >= _ALIKE:
                came.remove(new)
                yield gone.pop(-place), new
    yield from ((None, new) for new in came)
    yield from ((old, None) for old in gone)


def _changed(old: Source, new: Source) -> tuple[list[Keyed], list[Keyed]]:
    """Return the entries that may differ between two versions."""
    if len(old.entries) + len(new.entries) <= _WHOLE:
        return _all(old), _all(new)
    patches = patches_between(old.data, new.data)
    before = in_windows(old, [(p.start, p.start + len(p.old)) for p in patches])
    after = in_windows(new, windows_after(patches))
    return [_keyed(old, each) for each in before], [_keyed(new, each) for each in after]


def _all(source: Source) -> list[Keyed]:
    return [_keyed(source, each) for each in source.entries]


def _keyed(source: Source, entry: Entry) -> Keyed:
    return Keyed(key_of(source, entry), source, entry)


def _last(found: Sequence[Keyed], numbers: Mapping[str, int]) -> Iterator[Keyed]:
    left = dict(numbers)
    chosen = []
    for each in reversed(found):
        if left.get(each.key, 0) > 0:
            left[each.key] -= 1
            chosen.append(each)
    return reversed(chosen)
