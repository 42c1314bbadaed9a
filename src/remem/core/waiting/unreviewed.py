"""What agents wrote since a person looked: marked as reviewed, discarded, or put back.

Nothing has to be reviewed for an agent to work. Discarding makes the file say what it said before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.text import count, quoted
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft, take_out
from remem.core.inbox.compare_versions import key_of, text_of
from remem.core.inbox.inbox import review_effect
from remem.core.library import Library
from remem.core.relation.already_said import tells_of_conflict, told_of
from remem.core.repositories import name_of, repository_at
from remem.core.verbs.verb import read_only
from remem.core.waiting.decision_records import leaving
from remem.core.waiting.item import Item, Why, hashed, place_of, suspects_in
from remem.core.waiting.kinds import UNREVIEWED, Act, Waiting, kinds, waits_otherwise
from remem.edit import markdown
from remem.edit.lines import Run, runs, split_lines
from remem.edit.patch import splice_to
from remem.model.change import Change, Create, Effect, Intent, Splice, texts_in
from remem.model.done_by_others import Unreviewed
from remem.model.entry import Entry, FileSpan, Ref
from remem.model.source import Source, SourceKind

if TYPE_CHECKING:
    from pathlib import Path

    from remem.core.verbs.verbs import Approve, Reject

_COMPARED: Final = 2_000
"""Entries of which is looked for what conflicts with them; of more nothing is suggested yet."""
_TOO_MANY: Final = f"not compared: it came with more than {_COMPARED:,} others"
_VERBS: Final = ("approve", "reject", "edit", "promote", "archive", "move")
_REASONS: Final[Mapping[str, Why]] = {
    "new": Why.WRITTEN,
    "changed": Why.REWRITTEN,
    "removed": Why.TAKEN_OUT,
}
_WORDS: Final[Mapping[str, str]] = {
    "new": "new since you last looked",
    "changed": "changed since you last looked",
    "removed": "removed since you last looked",
}


_PUT_BACK_BECAUSE: Final = (
    "removed by mistake",
    "still true",
    "still needed",
)


class WrittenSince(Waiting):
    """An entry that was written, changed or taken out since a person looked."""

    id = UNREVIEWED
    order = 9
    asks_again = False

    def items(self, library: Library) -> Iterator[Item]:
        here = name_of(library)
        found = [
            each
            for each in library.aside.unreviewed.values()
            if repository_at(library, each.ref) in ("", here)
            and not waits_otherwise(library, each.ref, self)
        ]
        moves = _stands_elsewhere(found)
        for place, each in enumerate(found):
            yield _item(library, each, moves.get(each.key or each.was, ""), place < _COMPARED)

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        found = library.aside.unreviewed.get(ref)
        if found is None or waits_otherwise(library, ref, self):
            return {}
        is_gone = found.what == "removed"

        def why_not() -> str | None:
            is_there = not is_gone and library.has(ref)
            return read_only(library, library.entry(ref)) if is_there else None

        plain = Act(plan_discard, "Put back" if is_gone else "Discard")
        plain = replace(plain, reasons=_PUT_BACK_BECAUSE if is_gone else ())
        # What took back a decision is discarded by making that one once more.
        again = next(filter(None, (kind.again(library, ref) for kind in kinds(library))), None)
        discard = replace(again or plain, why_not=why_not)
        acts = {"approve": Act(plan_reviewed, "Mark as reviewed"), "reject": discard}
        facets = library.format(ref.format).facets
        if facets.promote is not None and found.kind in facets.promoted_as_copy:
            lifts = "Put elsewhere" if found.what == "removed" else "Promote"
            acts["promote"] = Act(facets.promote, lifts, why_not)
        return acts


def _stands_elsewhere(found: Sequence[Unreviewed]) -> Mapping[str, str]:
    """Return where a text that is gone from one file is new in another, by its key."""
    came = {each.key: each.source for each in found if each.what == "new"}
    went = {each.was: each.source for each in found if each.what == "removed"}
    return {key: f"the same text is new in `{name}`" for key, name in came.items() if key in went}


def _item(library: Library, found: Unreviewed, elsewhere: str, is_compared: bool) -> Item:
    is_there = library.has(found.ref) and found.what != "removed"
    entry = library.entry(found.ref) if is_there else None
    source = library.source_of(entry) if entry is not None else None
    texts: tuple[str, ...] = (found.title,)
    says: tuple[str, ...] = ()
    doubts = not is_compared
    if entry is not None:
        texts = _texts(library, entry)
        known = told_of(library, entry.kind, entry.title, entry.ref) if is_compared else None
        says = (_TOO_MANY,) if known is None else known
        doubts = doubts or any(map(tells_of_conflict, says))
    suspects = suspects_in(texts) if entry is not None else ()
    taken_back = library.aside.reverted_at(found.ref)
    is_suggested = found.what != "removed" and not suspects and not doubts and taken_back is None
    takes = f"it takes back your decision `{taken_back.title}`" if taken_back is not None else ""
    at = found.time.astimezone()
    is_today = found.time.date() == library.ground.given.clock.today()
    when = f"{at:%H:%M}" if is_today else f"{at:%Y-%m-%d %H:%M}"
    is_file_gone = library.ground.disk.kind(found.path) is None
    name = "removed files" if is_file_gone else found.source
    by = f", {found.by}" if found.by else ""
    facts = (takes, elsewhere, *says)
    return Item(
        id=hashed(WrittenSince.id, place_of(library, found.path), found.what, found.key, found.was),
        ref=found.ref,
        digest=found.digest,
        kind=found.kind,
        title=found.title,
        group=f"{name} · written {when} · inbox event {found.event}",
        source=found.source,
        why=f"{_WORDS[found.what]}: `{found.path.name}` was written {when}{by}",
        reason=_REASONS[found.what],
        evidence=tuple(fact for fact in facts if fact),
        roles=found.roles,
        suggested="approve" if is_suggested else "",
        suggests="mark as reviewed",
        verbs=_VERBS if entry is not None else ("approve", "reject", "restore"),
        suspects=suspects,
        waiting=WrittenSince.id,
        stands_by=found.path if source is not None else None,
    )


def _texts(library: Library, entry: Entry) -> tuple[str, ...]:
    """Return all that an entry says."""
    source = library.source_of(entry)
    if source.kind is SourceKind.MEMORY:
        return (text_of(source, entry).decode("utf-8", "replace"),)
    return (entry.title, *texts_in(library.format_of(entry).reader.fields(source, entry)))


def plan_reviewed(library: Library, intent: Intent, _: Approve) -> Change:
    """Plan to count what was written as seen; it stays as it stands.

    Raises:
        NotPossible: Something is reviewed already.
        Unacknowledged: It holds a secret or hidden characters, which nobody should pass over.
    """
    found = picked(library, intent)
    for each in found:
        if each.what != "removed":
            entry = library.entry(each.ref, intent.shown[each.ref])
            need_clean(_texts(library, entry), intent, f"`{library.short(each.ref)}`")
    what = count(found, "entry", "entries")
    title = f"Mark {_named(library, found, what)} as reviewed"
    return Change(intent, title, (review_effect(library, found), *_left(library, intent)))


def _left(library: Library, intent: Intent) -> tuple[Effect, ...]:
    """Return what keeps that decisions which were taken back are not asked about again."""
    shown = {ref: d for ref, d in intent.shown.items() if library.aside.reverted_at(ref)}
    return leaving(library, shown) if shown else ()


def plan_discard(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to make files say what they said before: what is new goes, what is gone comes back.

    Raises:
        NotPossible: Something is reviewed already, or its place is gone.
    """
    change = put_back(library, intent, picked(library, intent))
    return Change(
        intent, change.title, change.effects, args.reason, change.touched, notes=change.notes
    )


def put_back(library: Library, intent: Intent, found: Sequence[Unreviewed]) -> Change:
    """Plan to make files say of some entries what they said before.

    Raises:
        NotPossible: A file cannot be written, or would not read as before.
        Unacknowledged: What comes back holds a secret or hidden characters.
    """
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    olds = [each for each in found if each.what == "removed"]
    need_clean((each.text_before.decode("utf-8", "replace") for each in olds), intent, "it")
    new = [library.entry(each.ref, each.digest) for each in found if each.what == "new"]
    touched |= dict.fromkeys((entry.ref for entry in new), None)
    changed = [each for each in found if each.what == "changed"]
    for each in sorted(changed, key=lambda item: item.start, reverse=True):
        _earlier_text(draft, each)
        touched[each.ref] = each.ref
    if new:
        take_out(draft, new, lambda form, source, entry: form.remove(source, entry))
        _take_along(draft, library, [each for each in found if each.what == "new"])
    by_path: dict[Path, list[Unreviewed]] = {}
    for each in olds:
        by_path.setdefault(each.path, []).append(each)
    for path, items in by_path.items():
        _bring_back(draft, path, items)
    effects = draft.effects()
    if not effects:
        raise NotPossible("nothing to put back", hint="it is unchanged")
    verb = "Put back" if len(olds) == len(found) else "Discard"
    what = count(found, "entry", "entries")
    return Change(
        intent, f"{verb} {_named(library, found, what, goes=True)}", effects, touched=touched
    )


def picked(library: Library, intent: Intent) -> list[Unreviewed]:
    """Return what an intent names of what is unreviewed.

    Raises:
        NotPossible: Something is reviewed already, or nothing was chosen.
    """
    found = []
    for ref in intent.shown:
        each = library.aside.unreviewed.get(ref)
        if each is None:
            raise NotPossible(
                f"`{library.short(ref)}` is already reviewed, or has not changed",
                hint="`remem inbox` lists what is unreviewed",
            )
        found.append(each)
    if not found:
        raise NotPossible("nothing was selected", hint="`remem inbox` lists what is unreviewed")
    return found


def _named(library: Library, found: Sequence[Unreviewed], many: str, *, goes: bool = False) -> str:
    """Return what a title names: one entry by its ref, and by its words where no ref is left."""
    if len(found) > 1:
        return many
    each = found[0]
    return quoted(each.title) if goes and each.what == "new" else f"`{library.short(each.ref)}`"


def _earlier_text(draft: Draft, item: Unreviewed) -> None:
    """Write what an entry said before over what it says now."""
    source, entry = draft.find(item.ref)
    if not source.is_writable:
        raise NotPossible(f"`{source.name}` is read-only here", hint="fix it first")
    start = getattr(entry.at, "start", 0)
    end = getattr(entry.at, "end", len(source.data))
    new = item.text_before
    splice = Splice(source.path, start, end, source.data[start:end], new, source.digest)
    _need_readable(draft, source, source.data[:start] + new + source.data[end:], [item])
    draft.take((splice,))


def _take_along(draft: Draft, library: Library, items: Iterable[Unreviewed]) -> None:
    """Take out what came with entries that went, and holds nothing now: headings and blank lines.

    A file whose text is that of before gets its bytes of before. Headings that stood in it already,
    or that anything else stands below, are left; so are blank lines between texts that stay.
    """
    files: dict[tuple[Path, str, bytes], list[Entry]] = {}
    for each in items:
        key = each.path, each.ref.format, each.file
        files.setdefault(key, []).append(library.entry(each.ref))
    for (path, name, before), entries in files.items():
        now = next((s for s in draft.sources(name) if s.path == path and s.digest), None)
        if now is None:
            continue
        data = now.data
        if now.kind is SourceKind.MEMORY:
            data = _without_emptied(library.source_of(entries[0]).data, entries, before, data)
        if _texts_in(data) == _texts_in(before):
            data = before
        draft.take(splice_to(path, now.data, data, now.digest))


def _without_emptied(written: bytes, entries: Sequence[Entry], before: bytes, now: bytes) -> bytes:
    """Return a file without the headings that came with entries and hold nothing now.

    Args:
        written: The file with the entries.
        entries: They went.
        before: The file as it was without them; what it has stays.
        now: The file without them.
    """
    document, old = markdown.parse(written), markdown.parse(before)
    spans = [entry.at for entry in entries if isinstance(entry.at, FileSpan)]
    above = {
        (heading.level, heading.title)
        for unit in document.units
        if any(span.start < unit.end and unit.start < span.end for span in spans)
        for heading in document.path(unit.heading)
    }
    above -= {(heading.level, heading.title) for heading in old.headings}
    while span := _empty_section(now, above):
        now = now[: span[0]] + now[span[1] :]
    end = len(written.rstrip())
    is_last = any(entry.end >= end for entry in spans)
    # Blank lines that parted the last one from what stands above it part nothing now.
    return now.rstrip() + written[end:] if is_last else now


def _empty_section(data: bytes, among: Collection[tuple[int, str]]) -> tuple[int, int] | None:
    """Return where a heading of these levels and titles stands that nothing is below."""
    found = markdown.parse(data)
    held = {heading.parent for heading in found.headings} | {unit.heading for unit in found.units}
    for place, heading in enumerate(found.headings):
        if place not in held and (heading.level, heading.title) in among:
            following = found.headings[place + 1 : place + 2]
            return heading.start, following[0].start if following else len(data)
    return None


def _texts_in(data: bytes) -> list[bytes]:
    return [line.rstrip(b"\r\n") for line in split_lines(data) if line.strip()]


def _bring_back(draft: Draft, path: Path, items: Sequence[Unreviewed]) -> None:
    """Put texts back into their file where they stood, or make the file of them again."""
    form = draft.library.format(items[0].ref.format)
    now = next((s for s in draft.sources(form.name) if s.path == path and s.digest), None)
    if now is not None and not now.is_writable:
        raise NotPossible(f"`{now.name}` is read-only here", hint="fix it first")
    data = now.data if now is not None else b""
    for version in dict.fromkeys(each.file for each in items):
        spans = [(each.start, each.end) for each in items if each.file == version]
        source = now or _gone(draft.library, path, version)
        every = sorted(
            _span(source, each) for each in form.reader.read(_bare(source), version).entries
        )
        levels = _levels(source, data), _levels(source, version)
        data = _with_lines(data, version, every, spans, levels)
    if now is None:
        draft.take((Create(path, data),))
        return
    _need_readable(draft, now, data, items)
    draft.take(splice_to(path, now.data, data, now.digest))


def _gone(library: Library, path: Path, data: bytes) -> Source:
    """Return a file that is gone as its system would find it."""
    there = library.preview([Create(path, data)])
    found = next((source for source in there.sources if source.path == path), None)
    if found is None:
        raise NotPossible(f"`{path.name}` would no longer be memory", hint="see its settings")
    return found


def _need_readable(draft: Draft, source: Source, data: bytes, items: Iterable[Unreviewed]) -> None:
    """Let a file be written only if it has these texts then.

    Raises:
        NotPossible: It has not.
    """
    after = draft.library.format(source.format).reader.read(_bare(source), data)
    has = {key_of(after, entry) for entry in after.entries}
    if not after.is_writable or any(each.was not in has for each in items):
        raise NotPossible(
            f"this text's place in `{source.name}` is gone",
            hint="copy it from `remem inbox --json` into the file",
        )


def _bare(source: Source) -> Source:
    return replace(source, problems=(), data=b"", digest="", entries=())


def _span(source: Source, entry: Entry) -> tuple[int, int]:
    at = entry.at
    return (at.start, at.end) if isinstance(at, FileSpan) else (0, len(source.data))


def _with_lines(
    now: bytes,
    old: bytes,
    every: Sequence[tuple[int, int]],
    spans: Sequence[tuple[int, int]],
    levels: tuple[Sequence[int], Sequence[int]],
) -> bytes:
    """Return a file with the lines of some entries of an older version where they stood.

    Args:
        now: The file as it stands.
        old: The older version.
        every: Where the entries of that one stand, in order.
        spans: Those that come back.
        levels: Of each line of both, `now` first: of which heading it is, 0 for another line.
    """
    before, after = split_lines(old), split_lines(now)
    is_heading, known = levels
    wanted = _wanted(before, every, {*spans}, known)
    made: list[bytes] = []
    a = b = 0
    for found in (*runs(before, after), Run(len(before), len(after), 0)):
        run = found
        # Of equal lines on both sides of what went, the one above is the one that stayed.
        while (
            b == run.b and a < run.a and not wanted[a] and run.length and before[a] == before[run.a]
        ):
            made.append(after[b])
            a, b, run = a + 1, b + 1, Run(run.a + 1, run.b + 1, run.length - 1)
        # What stands behind a line that is another one now comes behind what it is now.
        first = next((place for place in range(a, run.a) if not wanted[place]), run.a)
        made += before[a:first]
        made += after[b : run.b]
        back = [place for place in range(first, run.a) if wanted[place]]
        for place in back:
            made += [*_parting(before, place, made), before[place]]
        if back and run.length and is_heading[run.b]:
            made += _parting(before, run.a, made)
        made += after[run.b : run.b + run.length]
        a, b = run.a + run.length, run.b + run.length
    ended = [line if line.endswith(b"\n") else line + b"\n" for line in made[:-1]]
    return b"".join((*ended, *made[-1:]))


def _wanted(
    lines: Sequence[bytes],
    every: Sequence[tuple[int, int]],
    spans: Collection[tuple[int, int]],
    levels: Sequence[int],
) -> list[bool]:
    """Tell of each line whether it comes back.

    Blank lines go with what stands above them, a heading too. A heading comes with every entry
    below it, also with a later one: one that came back alone would say something else below
    another heading. What else stands between entries goes with the entry below.
    """
    wanted, at, place = [False] * len(lines), 0, 0
    open_headings: list[tuple[int, int]] = []
    """Level and line of those that the line stands below, the outermost first."""
    for number, (line, level) in enumerate(zip(lines, levels, strict=True)):
        while place < len(every) and every[place][1] <= at:
            place += 1
        is_inside = place < len(every) and every[place][0] <= at
        if level and not is_inside:
            open_headings = [each for each in open_headings if each[0] < level]
            open_headings.append((level, number))
        elif not line.strip() and not is_inside:
            wanted[number] = number > 0 and wanted[number - 1]
        elif place < len(every) and every[place] in spans:
            wanted[number] = True
            for _, heading in open_headings:
                below = heading + 1
                while not lines[below].strip():
                    below += 1
                wanted[heading:below] = [True] * (below - heading)
        at += len(line)
    return wanted


def _parting(lines: Sequence[bytes], place: int, above: Sequence[bytes]) -> Sequence[bytes]:
    """Return the blank lines that parted a line from the one above, if nothing parts them now."""
    start = place
    while start and not lines[start - 1].strip():
        start -= 1
    return lines[start:place] if above and above[-1].strip() else ()


def _levels(source: Source, data: bytes) -> list[int]:
    """Return of each line of a file the level of the heading that it is; 0 for another line.

    In a store of records nothing stands below a heading: what begins with `#` there is a comment.
    """
    lines = split_lines(data)
    if source.kind is not SourceKind.MEMORY:
        return [0] * len(lines)
    found = {heading.start: heading.level for heading in markdown.parse(data).headings}
    return [found.get(at, 0) for at in accumulate(map(len, lines[:-1]), initial=0)][: len(lines)]
