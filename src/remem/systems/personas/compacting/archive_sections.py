"""Plans that old sections of a memory leave for the archive file beside it (FORMATS 4.2).

They are appended there first and then taken out, and every unit is in exactly one of the two.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible, Refused, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.draft import all_touched
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.edit import markdown_edit
from remem.edit.markdown import Document
from remem.edit.markdown_edit import Edit
from remem.model.change import Change, Create, Effect, Intent
from remem.model.entry import Ref
from remem.model.layout import Part, Reader
from remem.model.roles import persona_key
from remem.model.source import LoaderKind, SourceKind
from remem.systems.personas.edits import parse_whole, read_beside, splices
from remem.systems.personas.memory_files.decision_parts import is_part_of
from remem.systems.personas.moving.several_personas import plan_in_turn
from remem.systems.personas.read import ROOT_SECTION, document_of, is_dated, passages, read_source
from remem.systems.personas.source import PersonaSource, persona_sources

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import SectionsArchive


def plan_shelve(library: Library, intent: Intent, args: SectionsArchive) -> Change:
    """Plan to move sections that are dated before a day to the archive beside their file.

    Raises:
        NotPossible: It is no day, or nothing is older.
        UnknownRef: Nobody is called that.
        Refused: A file would be read otherwise, or the units do not add up.
    """
    before = day_of(args.before)
    files = [source.path for source in _files(library, args)]
    old = [path for path in files if shelved(_at(library, path), before).sections]
    if not old:
        raise Already(
            f"nothing here is dated before {before}",
            hint="sections without a full date in the heading are kept",
        )
    owner = "the team" if args.team else _at(library, old[0]).owner
    sections = 0

    def planned(path: Path) -> Callable[[Library], Change]:
        def plan(now: Library) -> Change:
            nonlocal sections
            found = shelved(_at(now, path), before)
            sections += found.sections
            return _shelves(now, intent, _at(now, path).name, found)

        return plan

    # Files of one folder may share their archive: each is planned on what those before it leave.
    change = plan_in_turn(library, intent, [planned(path) for path in old], "")
    what = count(sections, "decision" if args.team else "section")
    notes = [note for path in files for note in shelved(_at(library, path), before).notes]
    notes += _of_new(library, change.touched)
    return replace(
        change,
        title=f"Archive {what} of {owner} before {before}",
        receipt=f"{change.receipt.replace('; ', ' · ')} · 0 lost, 0 added",
        notes=tuple(dict.fromkeys(notes)),
    )


def _of_new(library: Library, touched: Mapping[Ref, Ref | None]) -> Iterator[str]:
    """Yield what is told where what goes was written lately: it has the date of its heading."""
    unreviewed = library.aside.unreviewed
    new = [
        ref
        for ref, after in touched.items()
        if after != ref and ref in unreviewed and unreviewed[ref].what == "new"
    ]
    if new:
        were = "was" if len(new) == 1 else "were"
        yield f"{count(new, 'unit')} of them {were} written since you last looked"


def _at(library: Library, path: Path) -> PersonaSource:
    return next(each for each in persona_sources(library.sources) if each.path == path)


def _shelves(library: Library, intent: Intent, name: str, found: Shelved) -> Change:
    """Return what moves the old sections of one file.

    Raises:
        Refused: A line would not be in exactly one of the two files.
    """
    _need_all(found)
    need_kept(library, found.effects)
    left = f"{found.units - found.moved:,} here + {found.moved:,} in {found.target.name}"
    return Change(
        intent,
        "",
        found.effects,
        touched=all_touched(library, found.effects, {}),
        receipt=f"{count(found.units, 'unit')} of {name} = {left}",
    )


def day_of(text: str) -> str:
    """Return a day as headings write it.

    Raises:
        NotPossible: It is none.
    """
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise NotPossible(f"`{text}` is not a date", hint="write it as `2026-03-01`") from None


def _files(library: Library, args: SectionsArchive) -> Sequence[PersonaSource]:
    if args.team:
        return [*_decisions(library, args)]
    wanted, layout = args.persona, args.layout
    path = Path(args.file) if args.file else None
    own = [
        source
        for source in persona_sources(library.sources)
        if persona_key(source.owner) == persona_key(wanted) and not source.archived
    ]
    if not wanted or not own:
        names = sorted({s.owner for s in persona_sources(library.sources) if s.owner})
        known = ", ".join(f"`{name}`" for name in names)
        raise UnknownRef(
            f"no persona is called `{wanted}`", hint=f"personas here: {known or 'none'}"
        )
    return [
        source
        for source in _memory(own)
        if layout in ("", source.layout) and path in (None, source.path)
    ]


def _decisions(library: Library, args: SectionsArchive) -> Iterator[PersonaSource]:
    """Yield the logs of decisions that a team's agents read.

    Raises:
        NotPossible: There is none, or somebody is named besides.
    """
    if args.persona:
        raise NotPossible(
            f"the decisions are the team's, not `{args.persona}`'s", hint="name one of the two"
        )
    found = [
        source
        for source in persona_sources(library.sources)
        if is_team_log(source) and source.is_writable and args.layout in ("", source.layout)
    ]
    if not found:
        raise NotPossible("no team here keeps decisions", hint="`remem status` lists what there is")
    yield from found


def is_team_log(source: PersonaSource) -> bool:
    """Tell whether a file is the log of decisions that a team's agents are given."""
    is_given = source.loader.kind is not LoaderKind.NOT_KNOWN
    return source.part == Part.TEAM and source.file.reader is Reader.DECISIONS and is_given


def _memory(own: Sequence[PersonaSource]) -> Iterator[PersonaSource]:
    """Yield what a persona starts with; an archive is not archived again."""
    for source in own:
        is_memory = source.kind is SourceKind.MEMORY and source.part != Part.ARCHIVE
        if is_memory and source.is_writable:
            yield source


def _need_all(found: Shelved) -> None:
    """Refuse a plan that does not leave every line in exactly one of the two files.

    Raises:
        Refused: A line is missing, doubled or another one.
    """
    if found.before != found.after:
        lost, added = found.before - found.after, found.after - found.before
        raise Refused(
            f"{count(lost.total(), 'line')} would be lost and {added.total():,} added",
            hint="nothing was written; move the sections in your editor",
        )


@dataclass(frozen=True, slots=True)
class Shelved:
    """What archiving old sections of one file comes to."""

    target: Path
    sections: int = 0
    effects: tuple[Effect, ...] = ()
    units: int = 0
    """Units of the file before."""
    moved: int = 0
    """Of those that go into the archive."""
    before: Counter[bytes] = field(default_factory=Counter, repr=False)
    """Lines of the file and its archive."""
    after: Counter[bytes] = field(default_factory=Counter, repr=False)
    notes: tuple[str, ...] = ()


def old_sections(source: PersonaSource, before: str) -> int:
    """Return how many sections `shelved` would move."""
    spans, _ = _old(source, document_of(source.data), before)
    return len(spans)


def shelved(source: PersonaSource, before: str) -> Shelved:
    """Plan to move each section whose heading is dated before a day, whole and as it stands.

    A section stays if a newer one lies in it; what has no whole date is not old.

    Raises:
        NotPossible: The archive cannot be read.
        Refused: One of the files would be read otherwise.
    """
    document = document_of(source.data)
    spans, notes = _old(source, document, before)
    target = source.unit_archive
    if not spans:
        return Shelved(target, notes=notes)
    blocks = [_block(source.data[start:end]) for start, end in spans]
    here = [Edit(start, end, b"") for start, end in spans]
    left = markdown_edit.applied(source.data, here)
    archive = read_beside(source, target)
    there, after = _appended(archive, "\n".join(blocks))
    effects = (
        Create(target, after) if archive is None else splices(target, archive, there)[0],
        *(splice for edit in here for splice in splices(source.path, source.data, edit)),
    )
    units = passages(source)
    moved = sum(any(start <= unit.start < end for start, end in spans) for unit in units)
    lines = _lines(source.data) + _lines(archive or b"")
    notes += _of_stays(source, len(units) - moved, len(read_source(source, left).entries))
    return Shelved(
        target,
        len(spans),
        effects,
        len(units),
        moved,
        lines,
        _lines(left) + _lines(after),
        notes,
    )


def _of_stays(source: PersonaSource, stays: int, read: int) -> tuple[str, ...]:
    """Return what is told where a heading began an entry only below a dated one that goes."""
    if read == stays:
        return ()
    why = "headings without a date began an entry only below a dated one"
    return (f"`{source.name}` will be read as {count(read, 'unit')}, not {stays:,}: {why}",)


def _lines(data: bytes) -> Counter[bytes]:
    text = data.removeprefix(BOM_UTF8)  # it stays where it is
    return Counter(line for line in map(bytes.rstrip, text.splitlines()) if line)


def _old(
    source: PersonaSource, document: Document, before: str
) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
    """Return where old sections stand, in order, and what is said about those that stay."""
    dates: dict[int, str] = {}
    for passage in passages(source):
        if passage.group != ROOT_SECTION and passage.date:
            dates.setdefault(passage.group, passage.date)
    spans: list[tuple[int, int]] = []
    held = 0
    for group in sorted(dates):
        start, end = document.headings[group].start, _section_end(source, document, group)
        if dates[group] >= before or (spans and start < spans[-1][1]):
            continue
        inner = [g for g in dates if start < document.headings[g].start < end]
        if any(dates[each] >= before for each in inner):
            held += 1
            continue
        spans.append((start, end))
    note = f"{count(held, 'old section')} of `{source.name}` stay: they contain newer ones"
    return spans, (note,) if held else ()


def _section_end(source: PersonaSource, document: Document, group: int) -> int:
    """Return where the section of a dated heading ends.

    In a log of decisions an entry takes its parts along.
    """
    heading = document.headings[group]
    is_flat = source.file.reader is Reader.DATED
    for other in document.headings[group + 1 :]:
        if source.file.reader is Reader.DECISIONS and is_part_of(heading, other):
            continue
        if is_dated(other) if is_flat else other.level <= heading.level:
            return other.start
    return len(source.data)


def _block(data: bytes) -> str:
    """Return a section as lines that end in LF, without blank lines at its end."""
    return "".join(f"{line.decode()}\n" for line in data.rstrip().splitlines())


def _appended(archive: bytes | None, block: str) -> tuple[Edit, bytes]:
    if archive is None:
        return Edit(0, 0, block.encode()), block.encode()
    edit = markdown_edit.append(parse_whole(archive), block, blank_lines=1)
    return edit, edit.apply(archive)
