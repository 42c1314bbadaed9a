"""What the rules make of a whole retro, and the one change that writes it (FORMATS 1.7).

Each finding is judged against memory and against what the same retro brings before it. What needs
a person waits in the queue; nothing here puts it into memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.errors import Already, Refused, UnknownRef
from remem.base.frozen import dataclass
from remem.core.checks.secrets import examine
from remem.core.draft import Draft, all_touched
from remem.core.library import Library
from remem.core.relation.already_said import alike
from remem.core.relation.in_force import against, explained, unread_settings
from remem.core.relation.matching import Matcher
from remem.core.relation.normal_form import Alike, exact, norm
from remem.core.relation.subject import InForce, Standing
from remem.core.waiting.kinds import coming_of
from remem.core.waiting.rejected import suppressed
from remem.model.change import Change, Intent, Json, texts_in
from remem.model.entry import LEARNING, Entry, Problem, Ref, Status
from remem.model.source import Source
from remem.systems.learnings.incoming import became, proposed
from remem.systems.sniper import edits
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_files import PART as RETRO
from remem.systems.sniper.retro.retro_record import Finding, Retro, Shape
from remem.systems.sniper.retro.retro_rules import (
    UNTRACKED,
    Outcome,
    is_met_again,
    met_in,
    outcome,
    sureness,
)
from remem.systems.sniper.seen import AUTO, merged_into
from remem.systems.sniper.waiting import began_with, occurrence

if TYPE_CHECKING:
    from remem.systems.sniper.sniper_verbs import RetroIngest

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many findings were judged, and of how many."""
_Asked: TypeAlias = tuple[tuple[Source, ...], tuple[Problem, ...]]
"""What there is, and why settings are not read."""
GATE: Final = "review_gate_failures"
_IDS: Final = re.compile(r"\b(?:conv|ap)-\d+\b")


class Fate(StrEnum):
    """What comes of one finding."""

    CONFIRM = "confirmed"
    """It goes into force, marked as added without a person."""
    KEEP = "kept"
    """It becomes a candidate."""
    PROMOTE = "promoted"
    """A candidate that says the same goes into force: it was met once more."""
    COUNT = "counted"
    """A tracked gate failure is noted in the entry that tracks it."""
    WAIT = "open"
    """A person decides."""
    KNOWN = "known"
    """Memory says it, or this retro was counted already."""
    REJECTED = "rejected"
    WATCH = "watched"
    """It stays in the retro."""
    IGNORE = "ignored"
    NOTE = "note"
    """It is for reading: estimation, positive patterns."""
    EMPTY = "empty"
    """It has no text."""


WRITTEN: Final = frozenset({Fate.CONFIRM, Fate.KEEP, Fate.PROMOTE, Fate.COUNT})
_IN_FORCE: Final = frozenset({Fate.CONFIRM, Fate.PROMOTE})
"""What puts a finding into force: none of it while something there may say otherwise."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One finding and what comes of it."""

    entry: Entry
    """The finding as an entry of its retro."""
    finding: Finding
    fate: Fate
    why: str
    """One sentence without a full stop."""
    known: Entry | None = None
    """The entry that says the same, or nearly, or the opposite."""


def retro_at(library: Library, path: str) -> Source:
    """Return the retro at a path, absolute or from the root.

    Raises:
        UnknownRef: There is none.
    """
    wanted = library.ground.root / PurePosixPath(path)
    for source in library.of_format("sniper"):
        if source.part == RETRO and source.path == Path(wanted):
            return source
    raise UnknownRef(
        f"no retro at `{path}`",
        hint="retros are in `.sniper/memory/retros/`; `remem retro list` lists them",
    )


def readable(source: Source) -> Retro:
    """Return a retro that is whole.

    Raises:
        Refused: It cannot be read, or it is that of another sprint.
    """
    _, retro = retro_entries.parsed(source)
    stops = [p for p in source.problems if p.blocks_writing or p.code == retro_entries.WRONG_SPRINT]
    if stops or retro is None or retro.shape is Shape.UNKNOWN:
        problem = next(iter((*stops, *source.problems)), Problem("shape", "this is not a retro"))
        line = f":{problem.line}" if problem.line else ""
        raise Refused(
            f"`{source.path.name}{line}`: {problem.message}; nothing was added",
            hint=problem.hint or "fix it in an editor and ingest it again",
        )
    return retro


def judge(library: Library, source: Source, progress: Progress | None = None) -> tuple[Judged, ...]:
    """Return what comes of every finding of a retro, in file order; nothing is written."""
    return _LAST.of(library, source, progress)


class _Last:
    """The retro that was judged last: who tells what comes of it plans it right after.

    Sources never change and are compared by identity.
    """

    def __init__(self) -> None:
        self._known: tuple[_Asked, Source, tuple[Judged, ...]] | None = None

    def of(self, library: Library, source: Source, progress: Progress | None) -> tuple[Judged, ...]:
        known = self._known
        asked = library.sources, library.ground.unread
        if known is not None and known[1] is source and known[0] == asked:
            return known[2]
        judged = tuple(_judged(library, source, progress))
        self._known = asked, source, judged
        return judged


_LAST: Final = _Last()


def _judged(library: Library, source: Source, progress: Progress | None) -> Iterator[Judged]:
    _, retro = retro_entries.parsed(source)
    if retro is None:
        return
    judge = _Judge(library, source, retro)
    for number, entry in enumerate(source.entries):
        yield judge.of(number, entry)
        if progress is not None:
            progress(number + 1, len(source.entries))


def plan_ingest(library: Library, intent: Intent, args: RetroIngest) -> Change:
    """Plan what the rules make of a retro by themselves.

    Args:
        library: Where it lies.
        intent: What asks for it.
        args: Which retro.

    Raises:
        NotPossible: Nothing comes of it that is not there already.
        Refused: The retro is broken, or a store cannot be written.
        UnknownRef: There is no such retro.
    """
    source = retro_at(library, args.path)
    retro = readable(source)
    judged = judge(library, source)
    draft = Draft(library)
    altered = [each for each in judged if each.fate in (Fate.PROMOTE, Fate.COUNT)]
    for each in altered:
        _meet_again(library, draft, source, retro, each)
    added = _add(library, draft, source, retro, judged)
    told = summary_of(judged)
    if not added and not altered:
        raise Already(f"`{source.path.stem}` has nothing new", hint=told)
    refs = [each.known.ref for each in altered if each.known is not None]
    touched: dict[Ref, Ref | None] = {ref: ref for ref in (*refs, *added)}
    effects = draft.effects()
    shown = {each.known.ref: each.known.digest for each in altered if each.known is not None}
    return Change(
        replace(intent, shown=shown),
        f"Ingest {source.path.stem} ({_written(judged)})",
        effects,
        touched=all_touched(library, effects, touched),
        notes=(told,),
    )


def summary_of(judged: Sequence[Judged]) -> str:
    """Return how many findings come to what: `3 confirmed, 2 kept, 4 open`."""
    return _counted(judged, tuple(Fate)) or "the retro has no findings"


def _written(judged: Sequence[Judged]) -> str:
    return _counted(judged, tuple(fate for fate in Fate if fate in WRITTEN))


def _counted(judged: Sequence[Judged], fates: Sequence[Fate]) -> str:
    numbers = Counter(each.fate for each in judged)
    return ", ".join(f"{numbers[fate]:,} {fate}" for fate in fates if numbers[fate])


class _Judge:
    """Judges the findings of one retro, in file order."""

    def __init__(self, library: Library, source: Source, retro: Retro) -> None:
        self._library = library
        self._source = source
        self._stem = source.path.stem
        self._retro = retro
        self._unread = unread_settings(library)
        own = settings_of(library.of_format("sniper")).memory
        self._auto = own.auto_codify and not self._unread
        self._taken: dict[int, Judged] = {}
        """What this retro brings so far, by its number."""
        self._met: set[Ref] = set()
        """Entries that it meets again."""
        self._same: dict[str, dict[str, list[Entry]]] = {}
        """Kind → normal form → entries: what is known word for word is not compared with all."""
        self._own: dict[str, Matcher[int]] = {}
        self._coming: InForce[Entry] = InForce()
        """What this retro puts into force by itself."""

    def of(self, number: int, entry: Entry) -> Judged:
        """Judge the finding with that number, from 0."""
        finding = self._retro.findings[number]
        fate, why, known = self._fate(number, entry, finding)
        if fate in WRITTEN and not self._auto:
            fate = Fate.WAIT if finding.waits else Fate.WATCH
            why = self._unread or "`memory.auto_codify` is off"
        if fate in _IN_FORCE:
            fate, why, known = self._unless_in_doubt(finding, fate, why, known)
        judged = Judged(entry, finding, fate, why, known)
        if fate in _IN_FORCE:
            self._coming.add(Standing(entry, finding.kind, finding.text))
        if fate in WRITTEN:
            self._taken[number] = judged
            self._met |= {known.ref} if known is not None else set()
        return judged

    def _fate(self, number: int, entry: Entry, finding: Finding) -> tuple[Fate, str, Entry | None]:
        if not finding.kind:
            return Fate.NOTE, "info only", None
        if not finding.text.strip():
            return Fate.EMPTY, "it has no text", None
        rejected = suppressed(self._library, finding.kind, finding.text)
        if rejected is not None:
            return Fate.REJECTED, f"{rejected.by} rejected it: {rejected.reason}", None
        if finding.kind == LEARNING:
            return self._learning(entry, finding)
        if finding.recommendation == "ignore":
            return Fate.IGNORE, "the retro says so", None
        waits = Fate.WAIT if finding.waits else Fate.WATCH
        coming = coming_of(self._library, entry)
        texts = dict.fromkeys((finding.text, *texts_in(coming.fields)))
        suspect = next((each for text in texts for each in examine(text)), None)
        same = self._same_words(finding) or self._tracked_by_name(finding)
        merged = None if same else merged_into(self._library, finding.kind, finding.text)
        if merged is not None:
            return Fate.KNOWN, self._in_other_words(merged), merged
        if suspect is not None:
            return (Fate.KNOWN if same else waits), suspect.message, None
        if same:
            return self._again(finding, same)
        against = self._against(number, finding)
        if against is not None:
            fate, why, known = against
            return (waits if fate is Fate.WAIT else fate), why, known
        return self._by_outcome(finding)

    def _learning(self, entry: Entry, finding: Finding) -> tuple[Fate, str, Entry | None]:
        """Judge what a protocol's retro proposes as a learning: a person always decides."""
        same = self._same_words(finding)
        if same:
            return Fate.KNOWN, f"`{self._library.short(same[0].ref)}` says it", same[0]
        merged = merged_into(self._library, finding.kind, finding.text)
        if merged is not None:
            return Fate.KNOWN, self._in_other_words(merged), merged
        made = became(self._library, self._source).get(entry.ref)
        if made is not None:
            return Fate.KNOWN, f"became `{self._library.short(made.ref)}`", made
        if entry not in proposed(self._library, self._source):
            return Fate.WATCH, "the retro already proposes enough", None
        return Fate.WAIT, "proposed by a protocol retro; a person decides", None

    def _in_other_words(self, entry: Entry) -> str:
        """Say how a finding came into an entry that says it otherwise: reworded, or merged."""
        name = self._library.short(entry.ref)
        if began_with(self._library, entry, self._stem):
            return f"became `{name}`, edited"
        return f"merged into `{name}`"

    def _same_words(self, finding: Finding) -> list[Entry]:
        """Return the entries that say the same, in file order."""
        if finding.kind not in self._same:
            known: dict[str, list[Entry]] = {}
            for source in self._library.sources:
                if source.may_hold(finding.kind):
                    for entry in source.entries:
                        if entry.kind == finding.kind:
                            known.setdefault(norm(entry.title), []).append(entry)
            self._same[finding.kind] = known
        return self._same[finding.kind].get(norm(finding.text), [])

    def _tracked_by_name(self, finding: Finding) -> list[Entry]:
        """Return the entry that a tracked gate failure names by its id."""
        if finding.section != GATE or finding.waits:
            return []
        places = {source.place for source in self._library.of_format("sniper")}
        refs = (Ref("sniper", n, place) for n in _IDS.findall(finding.check) for place in places)
        return [self._library.entry(ref) for ref in refs if self._library.has(ref)][:1]

    def _again(self, finding: Finding, same: Sequence[Entry]) -> tuple[Fate, str, Entry | None]:
        """Judge a finding that memory has in the same words."""
        entry = same[0]
        name = self._library.short(entry.ref)
        if entry.ref in self._met:
            return Fate.KNOWN, f"this retro already names `{name}`", entry
        is_candidate = all(each.status is Status.CANDIDATE for each in same)
        fields = self._fields(entry)
        if not self._may_write(entry):
            return Fate.KNOWN, f"`{name}` says it, and is read-only here", entry
        if is_candidate and is_met_again(fields, self._stem, self._retro, finding):
            return Fate.PROMOTE, f"candidate `{name}` seen again", entry
        is_tracked = finding.section == GATE and not finding.waits
        if is_tracked and not is_candidate and self._stem not in met_in(fields):
            return Fate.COUNT, f"`{name}` tracks it", entry
        return Fate.KNOWN, f"`{name}` says it", entry

    def _against(self, number: int, finding: Finding) -> tuple[Fate, str, Entry | None] | None:
        """Judge a finding that is near to something, or speaks against what is active."""
        for match in alike(self._library, finding.kind, finding.text):
            name = self._library.short(match.entry.ref)
            if match.alike is Alike.NEAR:
                return Fate.WAIT, f"similar to `{name}`", match.entry
            if match.entry.status is Status.ACTIVE:
                why = f"possible conflict with `{name}`, which says: {match.entry.title}"
                return Fate.WAIT, why, match.entry
        for other in self._own_matcher(finding.kind).like(finding.text):
            taken = self._taken.get(other.key) if other.key < number else None
            if taken is None:
                continue
            if other.likeness.alike is Alike.EXACT:
                return Fate.KNOWN, "this retro already has it", None
            if other.likeness.alike is Alike.NEAR or taken.fate is Fate.CONFIRM:
                return Fate.WAIT, f"this retro has a similar finding: {taken.finding.text}", None
        return None

    def _unless_in_doubt(
        self, finding: Finding, fate: Fate, why: str, known: Entry | None
    ) -> tuple[Fate, str, Entry | None]:
        """Let a finding into force only where nothing there may say otherwise."""
        home, apart = self._source.repository, {known.ref} if known is not None else set()
        found = against(self._library, finding.kind, finding.text, apart=apart, home=home)
        found = found or self._coming.against(finding.kind, finding.text)
        if not found:
            return fate, why, known
        fate = Fate.WAIT if finding.waits else Fate.WATCH
        return fate, explained(self._library, found), found[0].key

    def _by_outcome(self, finding: Finding) -> tuple[Fate, str, Entry | None]:
        match outcome(finding, auto_codify=self._auto):
            case Outcome.CONFIRM:
                return Fate.CONFIRM, f"recommended{sureness(finding)}", None
            case Outcome.KEEP:
                return Fate.KEEP, f"recommended{sureness(finding)}", None
            case Outcome.WAIT if finding.section == GATE:
                return Fate.WAIT, "failed in the review gate, no rule covers it", None
            case Outcome.WAIT:
                return Fate.WAIT, self._unread or "`memory.auto_codify` is off", None
            case Outcome.HIDE:
                return Fate.IGNORE, "the retro says so", None
            case Outcome.SHOW if finding.section == GATE:
                return Fate.WATCH, UNTRACKED, None
            case Outcome.SHOW:
                return Fate.WATCH, "the retro does not recommend codifying it", None

    def _own_matcher(self, kind: str) -> Matcher[int]:
        if kind not in self._own:
            numbered = enumerate(self._retro.findings)
            texts = ((number, each.text) for number, each in numbered if each.kind == kind)
            self._own[kind] = Matcher(texts)
        return self._own[kind]

    def _fields(self, entry: Entry) -> Mapping[str, Json]:
        return self._library.format_of(entry).reader.fields(self._library.source_of(entry), entry)

    def _may_write(self, entry: Entry) -> bool:
        return not entry.is_read_only and self._library.source_of(entry).is_writable


def _meet_again(
    library: Library, draft: Draft, source: Source, retro: Retro, judged: Judged
) -> None:
    """Plan to note a finding in the entry that says it; a candidate goes into force by that."""
    entry = judged.known
    assert entry is not None
    store = library.source_of(entry)
    seen = library.format_of(entry).reader.fields(store, entry).get("seen")
    item = occurrence(source, retro, judged.finding)
    if not exact(judged.finding.text, entry.title):
        item["evidence"] = judged.finding.text
    fields: dict[str, Json] = {}
    if judged.fate is Fate.PROMOTE:
        fields["status"] = "confirmed"
        item[AUTO] = True
    fields["seen"] = [*(seen if isinstance(seen, list) else ()), item]
    draft.take_on_base(edits.set_fields(store, entry, fields))


def _add(
    library: Library, draft: Draft, source: Source, retro: Retro, judged: Sequence[Judged]
) -> list[Ref]:
    """Plan to add what is new, kind by kind, and return the refs."""
    coming: dict[str, list[Mapping[str, Json]]] = {}
    for each in judged:
        if each.fate not in (Fate.CONFIRM, Fate.KEEP):
            continue
        fields = dict(coming_of(library, each.entry).fields)
        if each.fate is Fate.KEEP:
            fields["status"] = "candidate"
        else:
            fields["seen"] = [{**occurrence(source, retro, each.finding), AUTO: True}]
        coming.setdefault(each.finding.kind, []).append(fields)
    refs: list[Ref] = []
    for kind, several in coming.items():
        additions = edits.add_all(library.ground, draft.sources("sniper"), kind, several)
        draft.take(additions[0].effects)
        refs += [addition.ref for addition in additions]
    return refs
