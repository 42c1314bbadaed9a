"""What a machine could check of a rule: proposed where its hint can be read, written when asked.

Proposing reads hints and no code. Where a pattern is found in the code base is looked up when a
card is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.base.frozen import dataclass
from remem.core.checks.detect_from_prose import Reading, agrees, read_sentence
from remem.core.checks.patterns import pattern_of, require_pattern
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.waiting.decision_records import record
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.core.waiting.rejected import Sent, suppressed
from remem.model.change import Change, Intent, Json, texts_in
from remem.model.detect import AstPattern, Detect
from remem.model.entry import Entry, Ref, Status
from remem.model.record import read_record
from remem.model.source import Source
from remem.systems.sniper.records import AntiPattern, Convention, Stored
from remem.systems.sniper.seen import mark_of
from remem.systems.sniper.stores import Parsed, StoreEntries, may_be_read

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Reject
    from remem.systems.sniper.sniper_verbs import CheckByMachine

SNIPER: Final = "sniper"
DETECT: Final = "detect"
_GROUP: Final = "rules with checks"


@dataclass(frozen=True, slots=True)
class Proposed:
    """An entry in force whose hint says what a machine can check."""

    entry: Entry
    source: Source
    reading: Reading


def proposals(library: Library) -> Iterator[Proposed]:
    """Yield what is proposed, in file order; not what a person sent away."""
    for source in library.of_format(SNIPER):
        if source.is_writable:
            for entry, reading in _readings(source):
                if suppressed(library, DETECT, _told(entry, reading.detect)) is None:
                    yield Proposed(entry, source, reading)


def proposal_of(library: Library, entry: Entry) -> Proposed | None:
    """Return what is proposed for one entry."""
    if entry.ref.format != SNIPER:
        return None
    source = library.source_of(entry)
    if not source.is_writable or not isinstance(source.entries, StoreEntries):
        return None
    reading = _reading(source.entries, source.entries.number(entry), entry)
    if reading is None or suppressed(library, DETECT, _told(entry, reading.detect)) is not None:
        return None
    return Proposed(entry, source, reading)


def items(library: Library) -> Iterator[Item]:
    """Yield an item for each rule that could be checked by machine and is not."""
    for proposed in proposals(library):
        entry, reading = proposed.entry, proposed.reading
        part = "part of it" if reading.left else "its text"
        yield Item(
            id=hashed(Why.DETECT, str(entry.ref), _told(entry, reading.detect)),
            ref=entry.ref,
            digest=entry.digest,
            kind=entry.kind,
            title=entry.title,
            group=_GROUP,
            source=proposed.source.name,
            why=f"{part} can be checked automatically: `{reading.said}`",
            reason=Why.DETECT,
            evidence=tuple(_evidence(reading)),
            roles=entry.roles,
            suggested="" if reading.left else "approve",
            verbs=("approve", "reject"),
            suspects=suspects_in((reading.said, *words_of(reading.detect))),
            waiting=DETECT,
        )


def read_hint(record: Stored) -> Reading | None:
    """Return what an entry's hint says, else its own sentence; `None` = nothing exact.

    A pattern that the entry's examples speak against is none.
    """
    against = isinstance(record, AntiPattern)
    hint, text = record.detection_hint or "", record.text
    for sentence in (hint, text):
        found = read_sentence(sentence, unwanted=against)
        if found is not None:
            examples = record.examples if isinstance(record, Convention) else None
            return found if agrees(found.detect, examples) else None
        if sentence.strip() and sentence == hint:
            return None  # what people wrote for the check is not what the text says
    return None


def words_of(detect: Detect) -> tuple[str, ...]:
    """Return a `detect:` in words, one line each."""
    pattern = pattern_of(detect)
    does = "forbids" if detect.forbid is not None else "requires"
    what = f"{pattern.ast}: {pattern.pattern}" if isinstance(pattern, AstPattern) else pattern
    what = f"requires {what} in each folder" if detect.beside is not None else f"{does} {what}"
    paths = (f"forbids relative imports of {', '.join(detect.imports)}",) if detect.imports else ()
    parts = (f"looks at {' and '.join(detect.parts)}",) if detect.parts else ()
    files = (f"in {', '.join(detect.files)}",) if detect.files else ()
    said = (f"says {detect.message}",) if detect.message else ()
    return (what, *paths, *parts, *files, *said)


def detect_from(value: Mapping[str, Json]) -> Detect:
    """Read a `detect:` that somebody wrote.

    Raises:
        NotPossible: It is none, or what it looks for is no pattern.
    """
    made, faults = read_record(Detect, dict(value))
    if faults:
        raise NotPossible(faults[0].message, hint=faults[0].hint)
    if made.forbid is not None and made.require is not None:
        raise NotPossible(
            "`detect:` forbids or requires, not both", hint="split it into two entries"
        )
    pattern = pattern_of(made)
    if made.beside is None:
        require_pattern(pattern)
    return made


def as_fields(detect: Detect) -> dict[str, Json]:
    """Return a `detect:` as it is written, without what it does not say."""
    value: dict[str, Json] = {"files": list(detect.files)} if detect.files else {}
    for name, pattern in (("forbid", detect.forbid), ("require", detect.require)):
        if isinstance(pattern, AstPattern):
            value[name] = {"ast": pattern.ast, "pattern": pattern.pattern}
        elif pattern is not None:
            value[name] = pattern
    if detect.beside is not None:
        value["beside"] = detect.beside
    if detect.within:
        parts = detect.parts
        value["within"] = parts[0] if len(parts) == 1 else [*parts]
    if detect.imports:
        value["imports"] = [*detect.imports]
    if detect.message:
        value["message"] = detect.message
    return value


def plan_detect(library: Library, intent: Intent, args: CheckByMachine) -> Change:
    """Plan to write what a machine checks.

    Args:
        library: Where the entries stand.
        intent: Names them.
        args: What is looked for; without it what is proposed.

    Raises:
        Already: Each of them has this check.
        NotPossible: Nothing is proposed, or what was written is no pattern.
        Unacknowledged: It holds a secret or hidden characters.
    """
    from remem.core.checks.secrets import need_clean
    from remem.core.draft import change, chosen

    draft, touched = Draft(library), dict[Ref, Ref | None]()
    entries = chosen(library, intent)
    before = {e.ref: told for e in entries if (told := _checked_so_far(library, e))}
    for entry in entries:
        if args.detect is not None:
            detect = detect_from(args.detect)
        else:
            detect = _proposed(library, entry).reading.detect
        fields = as_fields(detect)
        need_clean(texts_in(fields), intent, f"the check of `{library.short(entry.ref)}`")
        each, source = library.format_of(entry), library.source_of(entry)
        draft.take_on_base(each.keeper.edit(source, entry, {DETECT: fields}))
        touched[entry.ref] = entry.ref
    if not draft.effects():
        named = next(iter(before))
        raise Already(
            f"`{library.short(named)}` already has this check: {before[named]}",
            hint="change what it looks at with `--files GLOB`, or the pattern with `--forbid`",
        )
    notes = tuple(f"the check of `{library.short(ref)}` was: {t}" for ref, t in before.items())
    verb = "Replace check of" if before else "Add check to"
    return change(library, intent, verb, draft, touched, notes=notes)


def _checked_so_far(library: Library, entry: Entry) -> str:
    """Return in words what is checked of an entry by now; empty = nothing."""
    record = library.format_of(entry).reader.record(library.source_of(entry), entry)
    if not isinstance(record, Stored) or record.detect is None:
        return ""
    return ", ".join(words_of(record.detect))


def plan_leave_unchecked(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to send away what is proposed for entries, and remember why."""
    from remem.core.draft import change, chosen

    draft = Draft(library)
    entries = chosen(library, intent)
    found = [_proposed(library, entry) for entry in entries]
    sent = [
        Sent(DETECT, _told(each.entry, each.reading.detect), each.source.name) for each in found
    ]
    record(draft, sent, args.reason)
    touched = {entry.ref: entry.ref for entry in entries}
    return change(library, intent, "Reject the check of", draft, touched, reason=args.reason)


def _proposed(library: Library, entry: Entry) -> Proposed:
    found = proposal_of(library, entry)
    if found is None:
        raise NotPossible(
            f"no check can be derived from `{library.short(entry.ref)}`",
            hint="write the pattern yourself: `remem detect REF --forbid PATTERN --apply`",
        )
    return found


def _readings(source: Source) -> Iterator[tuple[Entry, Reading]]:
    """Yield the entries of a store that can be read; only what may be is parsed."""
    entries = source.entries
    if not isinstance(entries, StoreEntries):
        return
    for number in may_be_read(entries):
        entry = entries[number]
        reading = _reading(entries, number, entry)
        if reading is not None:
            yield entry, reading


def _reading(entries: StoreEntries, number: int, entry: Entry) -> Reading | None:
    if entry.status is not Status.ACTIVE or entry.is_read_only:
        return None
    return _READ.of(entries, number, entry)


class _Read:
    """What entries say to a machine, by their bytes: snapshots come and go, few entries change."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, bool], Reading | None] = {}

    def of(self, entries: StoreEntries, number: int, entry: Entry) -> Reading | None:
        key = (entry.digest, entry.kind, entries.is_bare)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = _read(entries.parsed(number))
        return self._known[key]


_MOST_KNOWN: Final = 50_000
_READ: Final = _Read()


def _read(parsed: Parsed) -> Reading | None:
    if parsed.record.detect is not None or mark_of(parsed.value):
        return None  # it is checked, or waits for another decision
    return read_hint(parsed.record)


def _told(entry: Entry, detect: Detect) -> str:
    """Return the text that a proposal is remembered by when it is sent away."""
    return f"{entry.title}: {'; '.join(words_of(detect))}"


def _evidence(reading: Reading) -> Iterator[str]:
    yield from words_of(reading.detect)
    if reading.left:
        yield f"not covered by the check: {reading.left}"
