"""Whether decisions still stand: which ones another writer took back, by what memory says now.

Nothing is kept for it: a change says which entries it touched and what they were before. Of each
entry only the newest change that touched it is judged, and the answer is one of three:

    stands      what the change wanted is there, however it came to be written
    reverted    the entry has the bytes again that the person decided on, or there is no trace of
                what was added or noted
    other       somebody wrote something else; then the change before may be what came back

Invariant: *reverted* is said only where the former state itself is there again. A decision that is
told wrongly to be lost would be made again over what somebody meant, so each doubt says *stands*: a
file that cannot be read, an entry whose file is away, a verb that only left a note. What a person
has looked at and left as it is (`suppressed`) is not told again.

Only places whose files changed since the last check are looked at. Entries that others took out are
`removed_by_others.py`'s, folders that they made again `recreated.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum, auto
from pathlib import Path
from typing import Final, TypeAlias

from remem.base.frozen import dataclass
from remem.core.history.removed_by_others import is_unsound
from remem.core.library import Library
from remem.core.own_folder import OWN, REJECTED
from remem.core.relation.already_said import alike
from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import Alike
from remem.core.system import Facets
from remem.core.verbs.verbs import adds, follows
from remem.core.waiting.kinds import coming_of, settled
from remem.core.waiting.rejected import suppressed
from remem.model.change import INTO_SHOWN, Intent, Json
from remem.model.done_by_others import REVERTED, Reverted, words_of
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Source
from remem.store.history.journal_records import Logged

EARLY: Final = 2.0
"""Seconds after a commit in which a writer reverts it who had read the file before."""

_WANTED: Final = {
    "approve": (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED),
    "promote": (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED),
    "scope": (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED),
    "keep_both": (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED),
    "archive": (Status.ARCHIVED,),
    "restore": (Status.ACTIVE,),
}
"""The statuses that an entry may have as long as the decision on it stands."""

_Place: TypeAlias = tuple[str, str]
Mtime: TypeAlias = Callable[[Path], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What a check saw and found; given to the next one, which looks only at what is other now."""

    places: Mapping[_Place, frozenset[tuple[Path, str]]] = field(default_factory=dict)
    """The files of each format and place with their digests."""
    changes: frozenset[str] = frozenset()
    found: tuple[Reverted, ...] = ()
    """Oldest change first; applied in this order."""
    reverted: tuple[Reverted, ...] = ()
    """Those that no person left as they stand."""


class _State(Enum):
    STANDS = auto()
    REVERTED = auto()
    OTHER = auto()
    """Somebody wrote something else; an older change may tell what."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """One entry that a change touched."""

    logged: Logged
    age: int
    """Place of the change, newest = 0."""
    old: Ref
    new: Ref | None


def reverted(
    library: Library, standing: Sequence[Logged], *, mtime: Mtime, checked: Checked | None = None
) -> Checked:
    """Tell which decisions another writer took back.

    Args:
        library: The newest snapshot.
        standing: Changes that were not undone and not settled, newest first.
        mtime: When a file was last written, in seconds since the epoch; `None` = it is not there.
        checked: What the last check gave; what has the same bytes since is not looked at again.
    """
    before = checked or Checked()
    places = _places(library)
    names = {*places, *before.places}
    # A place that is gone counts as changed as well: its entries may stand elsewhere.
    dirty = {place for place in names if places.get(place) != before.places.get(place)}
    ledger = _Ledger(library, standing, mtime)
    known = {(each.change, each.ref): each for each in before.found}
    found: list[Reverted] = []
    for pair in ledger.newest():
        # Judged before, and nothing of it has other bytes: the answer is the same.
        if pair.logged.id in before.changes and not _concerns(pair, dirty):
            found += (
                each
                for ref in (pair.old, pair.new)
                for each in known.values()
                if each.ref == ref and each.change in ledger.ids
            )
            continue
        judged = ledger.judge(pair)
        if judged is not None:
            found.append(judged)
    order = {logged.id: -age for age, logged in enumerate(standing)}
    once = {(each.change, each.ref): each for each in found}
    ordered = sorted(once.values(), key=lambda each: order[each.change])
    told = (each for each in ordered if suppressed(library, REVERTED, words_of(each)) is None)
    return Checked(places, frozenset(ledger.ids), tuple(ordered), tuple(told))


def stands(library: Library, logged: Logged, ref: Ref | None = None, *, mtime: Mtime) -> bool:
    """Tell whether what a change decided is seen in a snapshot.

    Args:
        library: The snapshot.
        logged: The change.
        ref: Only what it decided on this entry; `None` = on each.
        mtime: As for `reverted`.
    """
    ledger = _Ledger(library, (logged,), mtime)
    pairs = [pair for pair in ledger.newest() if ref in (None, pair.old)]
    return bool(pairs) and all(map(ledger.holds, pairs))


class _Ledger:
    """The changes that stand, looked at on one snapshot."""

    def __init__(self, library: Library, standing: Sequence[Logged], mtime: Mtime) -> None:
        self.ids = {logged.id for logged in standing}
        self._library = library
        self._mtime = mtime
        self._pairs = [pair for age, logged in enumerate(standing) for pair in _pairs(logged, age)]
        self._into: dict[Ref, list[_Pair]] = {}
        for pair in self._pairs:
            self._into.setdefault(pair.new or pair.old, []).append(pair)

    def newest(self) -> Iterator[_Pair]:
        """Yield each entry with the newest change that touched it."""
        later: set[Ref] = set()
        own: set[Ref] = set()
        age = 0
        for pair in self._pairs:
            if pair.age != age:
                later |= own
                own, age = set(), pair.age
            refs = {pair.old} if pair.new is None else {pair.old, pair.new}
            # An entry that a later change touched is judged by that one alone.
            if not refs & later:
                yield pair
            own |= refs

    def holds(self, pair: _Pair) -> bool:
        """Tell whether what was wanted of an entry is there."""
        return self._state(pair) is _State.STANDS

    def judge(self, pair: _Pair) -> Reverted | None:
        """Return what was reverted; `None` where the decision stands or something else does.

        What a newer change was made on may have been reverted with it: then the oldest one whose
        former state is there again is the one to begin with.
        """
        while True:
            state = self._state(pair)
            if state is _State.STANDS:
                return None
            if state is _State.REVERTED:
                return self._made(pair)
            older = (each for each in self._into.get(pair.old, ()) if each.age > pair.age)
            following = next(older, None)
            if following is None:
                return None
            pair = following

    def _state(self, pair: _Pair) -> _State:
        entry = self._find(pair.old)
        # Half written: what it will say is not known yet.
        if entry is not None and is_unsound(self._library.source_of(entry)):
            return _State.STANDS
        if entry is not None and self._is_left(pair, entry):
            return _State.STANDS
        if entry is not None and self._is_answered(entry):
            return self._of_finding(pair, entry)
        if entry is not None and entry.kind in self._facets(entry).unfollowed:
            return _State.STANDS
        intent = pair.logged.intent
        if follows(intent.verb) == "merged" and pair.new == pair.old:
            return _State.STANDS  # what it took in is judged by what came out of it
        shown = intent.shown.get(pair.old)
        if intent.verb == "merge" and shown is None:
            shown = intent.text(INTO_SHOWN)
        if shown is None:
            return self._of_added(pair, entry)
        if pair.new is None or pair.new != pair.old:
            return self._of_left(pair, entry, shown)
        if entry is None:
            return _State.OTHER
        # The bytes that the person was shown are there again: nothing but a writer can have done
        # it.
        if entry.digest == shown:
            return _State.REVERTED
        return _State.STANDS if self._is_as_wanted(pair, entry) else _State.OTHER

    def _of_left(self, pair: _Pair, entry: Entry | None, shown: str) -> _State:
        """Judge an entry that was taken out, or goes on under another ref."""
        goes_on = pair.new is not None and self._find(pair.new) is not None
        if entry is None:
            return _State.STANDS if goes_on or pair.new is None else _State.OTHER
        if shown and entry.digest != shown:
            return _State.OTHER
        if not shown and entry.status not in (Status.ACTIVE, Status.CANDIDATE):
            return _State.STANDS  # it is out of force, whatever it was before
        verb = pair.logged.intent.verb
        is_back = not goes_on or verb == "archive" or follows(verb) == "merged"
        return _State.REVERTED if is_back else _State.STANDS

    def _of_added(self, pair: _Pair, entry: Entry | None) -> _State:
        """Judge an entry that a person wrote; one that was only noted on is judged elsewhere."""
        intent = pair.logged.intent
        if follows(intent.verb) != "added":
            return _State.STANDS
        kind, text = _added_by(self._library, intent)
        return self._of_text(pair, pair.old, entry, kind, text)

    def _of_finding(self, pair: _Pair, entry: Entry) -> _State:
        verb = pair.logged.intent.verb
        if entry.digest != pair.logged.intent.shown.get(pair.old):
            return _State.OTHER
        coming = coming_of(self._library, entry)
        if verb == "reject":
            is_gone = suppressed(self._library, coming.kind, coming.text) is None
            return _State.REVERTED if is_gone else _State.STANDS
        if pair.new is None:
            return _State.STANDS
        into = self._find(pair.new)
        if verb in ("approve", "keep", "supersede", "scope", "keep_both"):
            text = _text_in(self._library, pair.logged.intent, coming.kind) or coming.text
            return self._of_text(pair, pair.new, into, coming.kind, text)
        return self._of_noted(verb, entry, into)

    def _of_noted(self, verb: str, finding: Entry, into: Entry | None) -> _State:
        """Judge an entry that took a finding: is it noted there, is it still in force?"""
        if into is None:
            return _State.OTHER
        library = self._library
        seen = library.format_of(into).reader.fields(library.source_of(into), into).get("seen")
        wanted = (coming_of(library, finding).seen or {}).get("ref")
        noted = isinstance(seen, list) and any(
            isinstance(one, Mapping) and one.get("ref") == wanted for one in seen
        )
        decided = None if noted else settled(library, finding)
        if decided is not None and decided.state == "merged":  # its log says it in its own way
            noted = decided.entry is not None and decided.entry.ref == into.ref
        is_down = verb == "promote" and into.status is Status.CANDIDATE
        return _State.STANDS if noted and not is_down else _State.REVERTED

    def _of_text(self, pair: _Pair, ref: Ref, entry: Entry | None, kind: str, text: str) -> _State:
        """Judge an entry that was added; another's may have taken its id."""
        if entry is not None and (not text or likeness(entry.title, text) is not None):
            return _State.STANDS
        homes = self._homes(ref, kind)
        if any(map(is_unsound, homes)) or not (homes or self._is_file(kind)):
            return _State.STANDS
        if entry is not None and not self._is_early(pair, self._written(homes)):
            return _State.OTHER  # somebody wrote it anew
        found = alike(self._library, kind, text)
        is_there = any(
            known.alike is Alike.EXACT and known.entry.ref != pair.old for known in found
        )
        return _State.STANDS if is_there else _State.REVERTED

    def _is_as_wanted(self, pair: _Pair, entry: Entry) -> bool:
        """Tell whether an entry is still what the decision made of it."""
        intent = pair.logged.intent
        if intent.verb == "edit":
            fields = intent.arguments.get("fields")
            wanted = dict(fields) if isinstance(fields, dict) else {}
            now = self._library.format_of(entry).reader.fields(
                self._library.source_of(entry), entry
            )
            has_text = "text" not in intent.arguments or entry.title == intent.text("text")
            return has_text and all(now.get(name) == value for name, value in wanted.items())
        return entry.status in _WANTED.get(intent.verb, ())

    def _made(self, pair: _Pair) -> Reverted:
        logged, entry = pair.logged, self._find(pair.old)
        intent = self._again(pair, entry)
        kind, text = _added_by(self._library, intent)
        if entry is None:
            homes = self._homes(pair.old, kind)
        elif not self._is_answered(entry):
            kind, text = entry.kind, entry.title
            homes = [self._library.source_of(entry)]
        else:
            coming = coming_of(self._library, entry)
            kind, text = coming.kind, coming.text
            homes = self._homes(pair.new or pair.old, kind)
            if intent.verb == "reject":
                homes = [s for s in self._library.of_format(OWN) if s.part == REJECTED]
        return Reverted(
            logged.id,
            logged.title,
            logged.time,
            pair.old,
            kind,
            text,
            intent,
            homes[0].path if homes else None,
            self._is_early(pair, self._written(homes)),
        )

    def _again(self, pair: _Pair, entry: Entry | None) -> Intent:
        """Return the verb of a change on one entry alone, bound to what stands now."""
        asked = pair.logged.intent
        verb = asked.verb
        if verb == "archive" and pair.new not in (None, pair.old) and self._find_new(pair):
            verb = "remove"  # its text lies in the archive already
        refs = [pair.old] if pair.old in asked.shown else [*asked.shown]
        there = {ref: found for ref in refs if (found := self._find(ref)) is not None}
        shown = {ref: found.digest for ref, found in there.items()} if entry is not None else {}
        # What was pinned besides was so before the change.
        arguments = {k: v for k, v in asked.arguments.items() if k != INTO_SHOWN}
        if verb == "learn.merge" and pair.new is not None:
            arguments = {"into": str(pair.new)}
        return Intent(verb, shown, arguments)

    def _find_new(self, pair: _Pair) -> bool:
        return pair.new is not None and self._find(pair.new) is not None

    def _find(self, ref: Ref) -> Entry | None:
        return self._library.entry(ref) if self._library.has(ref) else None

    def _homes(self, ref: Ref, kind: str) -> list[Source]:
        """Return the files that an entry of that ref and kind would stand in."""
        sources = [s for s in self._library.of_format(ref.format) if s.place == ref.place]
        return [source for source in sources if source.is_home_of(ref, kind)]

    def _written(self, homes: Sequence[Source]) -> float | None:
        times = [time for home in homes if (time := self._mtime(home.path)) is not None]
        return max(times, default=None)

    def _is_early(self, pair: _Pair, written: float | None) -> bool:
        return written is not None and written <= pair.logged.time.timestamp() + EARLY

    def _is_left(self, pair: _Pair, entry: Entry) -> bool:
        """Tell whether the change left the entry itself as it was."""
        verb = pair.logged.intent.verb
        is_copied = verb == "promote" and entry.kind in self._facets(entry).promoted_as_copy
        return (follows(verb) == "left" or is_copied) and pair.new == pair.old

    def _is_answered(self, entry: Entry) -> bool:
        """Tell whether a decision on it is judged by what came of it: it stays as it is."""
        return entry.kind in self._facets(entry).settles

    def _is_file(self, kind: str) -> bool:
        """Tell whether each entry of a kind is a file of its own: the last one may be gone."""
        return any(kind in each.facets.files_apart for each in self._library.formats)

    def _facets(self, entry: Entry) -> Facets:
        return self._library.format_of(entry).facets


def _pairs(logged: Logged, age: int) -> Iterator[_Pair]:
    """Yield the entries that a change decided on."""
    intent = logged.intent
    if follows(intent.verb) == "never":
        return
    # An entry that took the place of one that left is not that one come back.
    taken = {new for old, new in logged.touched.items() if new is not None and new != old}
    for old, new in logged.touched.items():
        if not (new is None and old in taken):
            yield _Pair(logged, age, old, new)


def _places(library: Library) -> dict[_Place, frozenset[tuple[Path, str]]]:
    places: dict[_Place, set[tuple[Path, str]]] = {}
    for source in library.sources:
        place = places.setdefault((source.format, source.place), set())
        place.add((source.path, source.digest))
    return {name: frozenset(files) for name, files in places.items()}


def _concerns(pair: _Pair, dirty: set[_Place]) -> bool:
    refs = (pair.old, pair.new or pair.old)
    if any((ref.format, ref.place) in dirty for ref in refs):
        return True
    return pair.logged.intent.verb == "reject" and any(name == OWN for name, _ in dirty)


def _added_by(library: Library, intent: Intent) -> tuple[str, str]:
    """Return kind and text of what an intent adds by hand."""
    kind = adds(intent.verb) or intent.text("kind").replace("-", "_")
    return kind, intent.text("text").strip() or _text_in(library, intent, kind)


def _text_in(library: Library, intent: Intent, kind: str) -> str:
    fields: Json = intent.arguments.get("fields")
    text = fields.get(library.text_field(kind)) if isinstance(fields, dict) else None
    return text.strip() if isinstance(text, str) else ""
