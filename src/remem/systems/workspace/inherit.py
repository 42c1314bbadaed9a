"""Which entries of a workspace a repository overrides (FORMATS 1.13).

It looks at one repository and its workspace and at nothing else, so that no other repository can
feel it. Equal ids say nothing: they stand in two name spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.core.own_folder import REJECTED, shared_list
from remem.core.relation.matching import Matcher
from remem.core.relation.normal_form import Alike, Likeness, fingerprint, norm
from remem.core.waiting.rejected import kept_both, rejected_in
from remem.model.entry import Entry, FileSpan, Ref, Status, kind_text
from remem.model.source import Source
from remem.systems.sniper.records import ANTI_PATTERN
from remem.systems.sniper.stores import StoreEntries
from remem.systems.workspace.records import CONTRACT, WORKSPACE

SNIPER: Final = "sniper"
BOTH: Final = "both_levels"
"""What a rejection is of that leaves both in force."""


@dataclass(frozen=True, slots=True)
class Override:
    """Why an entry of the workspace does not count in a repository."""

    by: Entry
    """The repository's entry that counts in its place."""
    said: bool
    """It says so in `overrides:`; else it has the same text."""


def overridden(sources: Sequence[Source]) -> Mapping[Ref, Override]:
    """Return what one repository overrides, by the ref of the workspace's entry.

    Args:
        sources: Those of the repository and those of its workspace, others do no harm.
    """
    inherited = [s for s in sources if s.format == WORKSPACE and s.entries]
    if not inherited:
        return {}
    stores = (s for s in sources if isinstance(s.entries, StoreEntries))
    own = [_SAID.of(source) for source in stores if source.format == SNIPER]
    texts: dict[tuple[str, str], Entry] = {}
    named: dict[str, Entry] = {}
    for each in own:
        texts = {**each.texts, **texts}
        named = {**each.named, **named}
    found: dict[Ref, Override] = {}
    for source in inherited:
        found |= _among(source, texts, named)
    return found


def like_below(own: tuple[Source, ...], entry: Entry) -> Iterator[tuple[Entry, Likeness]]:
    """Yield entries of a repository that are like one of its workspace, the most alike first."""
    for match in MATCHERS.of(own).like(entry.title):
        yield match.key, match.likeness


def said_of(inherited: Entry, own: Entry) -> str:
    """Return what is kept of two entries that a person left both in force."""
    return f"{inherited.title}\n{own.title}"


@dataclass(frozen=True, slots=True)
class Between:
    """Two entries of one kind, one of each level."""

    own: Entry
    inherited: Entry
    likeness: Likeness

    @property
    def is_contradiction(self) -> bool:
        return self.likeness.alike is Alike.CONTRADICTION


def said_by(found: Between) -> str:
    """Return what is kept of two entries that a person left both in force."""
    return said_of(found.inherited, found.own)


def levels_of(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return what `between_in` looks at: both levels, and what was decided in the repository."""
    decided = shared_list(sources, REJECTED)
    levels = (source for source in sources if source.format in {SNIPER, WORKSPACE})
    return (*levels, decided) if decided is not None else tuple(levels)


def between_in(sources: Sequence[Source]) -> Iterator[Between]:
    """Yield what a repository says otherwise than its workspace, and nobody has settled."""
    inherited = [s for s in sources if s.format == WORKSPACE and s.entries]
    own = tuple(s for s in sources if s.format == SNIPER and isinstance(s.entries, StoreEntries))
    if not inherited or not own:
        return
    settled = overridden(sources).keys()
    found = (
        Between(by, entry, likeness)
        for source in inherited
        for entry in source.entries
        if counts(entry) and entry.ref not in settled
        for by, likeness in like_below(own, entry)
        if by.kind == entry.kind and likeness.alike is not Alike.EXACT
    )
    left, is_kept = rejected_in(sources), kept_both(sources)
    for each in found:
        if left and fingerprint(BOTH, said_by(each)) in left:
            continue
        if is_kept is None or not is_kept(each.own.title, each.inherited.title):
            yield each


def declared(sources: Sequence[Source]) -> Iterator[tuple[Entry, str]]:
    """Yield each entry of a repository with each name that it says to override."""
    for source in sources:
        if source.format == SNIPER and isinstance(source.entries, StoreEntries):
            yield from _declared(source, source.entries)


def names_of(ref: Ref) -> tuple[str, ...]:
    """Return every way in which `overrides:` may name an entry of the workspace."""
    return ref.id, str(ref.without_place()), str(ref)


def holds_on(by: Entry, source: Source, entry: Entry) -> str:
    """Return why an entry of a workspace stays in force though `by` overrides it.

    Args:
        by: The repository's entry.
        source: Of the workspace's entry.
        entry: The workspace's entry.

    Returns:
        One clause; empty = it may be overridden.
    """
    if by.kind != entry.kind:
        one, other = (kind_text(each.kind) for each in (by, entry))
        return f"{one} and {other} are of different kinds, so one cannot override the other"
    if entry.kind == ANTI_PATTERN and isinstance(source.entries, StoreEntries):
        number = next(n for n, each in enumerate(source.entries) if each.ref == entry.ref)
        if getattr(source.entries.parsed(number).record, "severity", None) == "high":
            return "a high-severity anti-pattern cannot be overridden"
    return ""


def _among(
    source: Source, texts: Mapping[tuple[str, str], Entry], named: Mapping[str, Entry]
) -> Iterator[tuple[Ref, Override]]:
    for entry, form in _SAID.of(source).forms:
        names = names_of(entry.ref) if named else ()
        by = next((named[name] for name in names if name in named), None)
        if by is not None and not holds_on(by, source, entry):
            yield entry.ref, Override(by, said=True)
        elif (entry.kind, form) in texts:
            yield entry.ref, Override(texts[entry.kind, form], said=False)


@dataclass(frozen=True, slots=True)
class _Said:
    """What the active entries of one source say, worked out once."""

    forms: tuple[tuple[Entry, str], ...]
    """Each with its text in normal form."""
    texts: Mapping[tuple[str, str], Entry]
    named: Mapping[str, Entry]
    """Name that is overridden → the entry that says so."""


class _Memo:
    """What the sources of the last snapshots say; a source never changes."""

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._last: dict[Path, tuple[Source, _Said]] = {}

    def of(self, source: Source) -> _Said:
        before = self._last.get(source.path)
        if before is not None and before[0] is source:
            return before[1]
        said = _said(source)
        if len(self._last) >= self._most:
            self._last.pop(next(iter(self._last)), None)
        self._last[source.path] = source, said
        return said


_SAID: Final = _Memo()


def _said(source: Source) -> _Said:
    active = [e for e in source.entries if e.status is Status.ACTIVE and e.kind != CONTRACT]
    forms = tuple((entry, norm(entry.title)) for entry in active)
    texts: dict[tuple[str, str], Entry] = {}
    for entry, form in forms:
        if form:
            texts.setdefault((entry.kind, form), entry)
    named: dict[str, Entry] = {}
    if isinstance(source.entries, StoreEntries):
        for entry, name in _declared(source, source.entries):
            named.setdefault(name, entry)
    return _Said(forms, texts, named)


def _declared(source: Source, entries: StoreEntries) -> Iterator[tuple[Entry, str]]:
    """Yield what active entries say to override; only those are parsed whose bytes may say it."""
    if b"overrides" not in source.data:
        return
    for number, entry in enumerate(entries):
        at = entry.at
        if entry.status is not Status.ACTIVE or not isinstance(at, FileSpan):
            continue
        if source.data.find(b"overrides", at.start, at.end) < 0:
            continue
        names = entries.parsed(number).record.overrides or ()
        for name in (names,) if isinstance(names, str) else names:
            yield entry, name.strip()


def counts(entry: Entry) -> bool:
    """Tell whether an entry is in force, and is one that agents are told."""
    return entry.status is Status.ACTIVE and entry.kind != CONTRACT


class _Matchers:
    """What each repository says, carried from snapshot to snapshot."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._last: dict[tuple[Path, ...], tuple[tuple[Source, ...], Matcher[Entry]]] = {}

    def of(self, own: tuple[Source, ...]) -> Matcher[Entry]:
        """Return what finds entries of these stores by what they are like."""
        key = tuple(source.path for source in own)
        before = self._last.pop(key, None)
        if before is None or before[0] != own:
            entries = [e for source in own for e in source.entries if counts(e)]
            last = before[1] if before is not None else None
            before = own, Matcher(((e, e.title) for e in entries), last)
        self._last[key] = before
        while len(self._last) > self._most:
            del self._last[next(iter(self._last))]
        return before[1]


MATCHERS: Final = _Matchers()
