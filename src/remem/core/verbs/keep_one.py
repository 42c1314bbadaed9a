"""Plans that of several copies of one rule a single one stays.

A copy that says the same word for word is taken out of its file. One in other words goes to the
archive of its format, where it has one. Nothing else in any of the files changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible, Refused
from remem.base.text import count
from remem.core.draft import Draft, change, chosen, take_out
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.prompt.counter import Estimate
from remem.core.prompt.everyones_starts import starts
from remem.core.relation.already_said import whole_of
from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import Alike, exact
from remem.model.change import Change, Effect, Intent, touched_paths
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Source, SourceKind

if TYPE_CHECKING:
    from remem.core.verbs.verbs import KeepOne

_NAMED: Final = 6
"""Who loses a rule, in one line."""
_REASONS: Final = ("rationale", "why_bad", "fix_pattern", "examples", "context", "detect")
"""Fields in which a store keeps more than the rule."""


def plan_keep(library: Library, intent: Intent, args: KeepOne) -> Change:
    """Plan to keep one copy and take out the others.

    Args:
        library: Where they stand.
        intent: All copies as they were shown.
        args: Which of them stays.

    Raises:
        NotPossible: One of them says something else, cannot be written, or is the only one.
        Refused: The units of the files would not add up.
    """
    entries = chosen(library, intent)
    keep = library.entry(Ref.parse(args.keep))
    leaving = [entry for entry in entries if entry.ref != keep.ref]
    if len(leaving) == len(entries) or not leaving:
        raise NotPossible(
            "name all copies, and the one to keep", hint="`remem duplicates` lists them"
        )
    for entry in leaving:
        _need_leavable(library, keep, entry)
    draft = Draft(library)
    said = whole_of(library, keep)
    same = [entry for entry in leaving if exact(whole_of(library, entry), said)]
    other = [entry for entry in leaving if entry not in same]
    # Archiving first: it may make files, which what is taken out next does not touch.
    shelved = [entry for entry in other if _has_archive(library, entry)]
    take_out(draft, shelved, lambda each, source, e: each.set_status(source, e, Status.ARCHIVED))
    gone = [entry for entry in leaving if entry not in shelved]
    take_out(draft, gone, lambda each, source, entry: each.remove(source, entry))
    touched: dict[Ref, Ref | None] = {**dict.fromkeys(e.ref for e in leaving), keep.ref: keep.ref}
    made = change(library, intent, "Keep one copy of", draft, touched)
    copies = count(leaving, "copy", "copies")
    return Change(
        intent,
        f"Keep {library.short(keep.ref)} in {_place(library, keep)}, remove {copies}",
        made.effects,
        touched=made.touched,
        receipt=_receipt(library, made.effects, keep, shelved, gone, said),
        notes=tuple(_notes(library, keep, leaving, other)),
    )


def _need_leavable(library: Library, keep: Entry, entry: Entry) -> None:
    source = library.source_of(entry)
    name = library.short(entry.ref)
    if entry.is_read_only or not source.is_writable:
        raise NotPossible(f"`{source.name}` is read-only here", hint=f"keep `{name}`")
    alike = likeness(whole_of(library, entry), whole_of(library, keep))
    if alike is None or alike.alike is Alike.CONTRADICTION:
        raise NotPossible(
            f"`{name}` does not say what `{library.short(keep.ref)}` says",
            hint="decide on each separately",
        )


def _place(library: Library, entry: Entry) -> str:
    """Return the name of the file that an entry stands in, with folders where others have it."""
    source = library.source_of(entry)
    is_alone = sum(each.name == source.name for each in library.sources) == 1
    return source.name if is_alone else library.ground.shown(source.path)


def _has_archive(library: Library, entry: Entry) -> bool:
    source = library.source_of(entry)
    try:
        return bool(library.format_of(entry).keeper.set_status(source, entry, Status.ARCHIVED))
    except NotPossible:
        return False


def _receipt(
    library: Library,
    effects: Sequence[Effect],
    keep: Entry,
    shelved: Sequence[Entry],
    gone: Sequence[Entry],
    said: str,
) -> str:
    """Return how the units of all files add up.

    Raises:
        Refused: They do not, or a text would be lost.
    """
    need_kept(library, effects, {whole_of(library, entry): said for entry in gone})
    paths = {*touched_paths(effects), library.source_of(keep).path}
    before = _units(library, paths)
    after = _units(library.preview(effects), paths)
    if before - len(gone) != after:
        raise Refused(
            f"{before} units minus {count(gone, 'copy', 'copies')} would give {after}",
            hint="nothing was written; edit the file in your editor",
        )
    name = library.short(keep.ref)
    parts = [f"{after - len(shelved):,} here", f"{len(gone):,} said by {name}"]
    parts += [f"{len(shelved):,} archived"] if shelved else []
    files = count(len(_of(library, paths)), "file")
    return f"{count(before, 'unit')} in {files} = {' + '.join(parts)} · 0 lost, 0 added"


def _units(library: Library, paths: set[Path]) -> int:
    return sum(len(source.entries) for source in _of(library, paths))


def _of(library: Library, paths: set[Path]) -> list[Source]:
    """Return the sources of memory at those paths; a summary is no memory of its own."""
    return [s for s in library.sources if s.path in paths and s.kind is not SourceKind.DOCUMENT]


def losers(library: Library, keep: Entry, leaving: Sequence[Entry]) -> Iterator[str]:
    """Yield a note on who starts with a copy that goes, and not with the one that stays."""
    deaf = _deaf(library, keep, leaving)
    if deaf:
        named = ", ".join(deaf[:_NAMED])
        more = f" and {count(len(deaf) - _NAMED, 'other')}" if len(deaf) > _NAMED else ""
        yield f"{named}{more} would lose it: only a removed copy is loaded there"


def _deaf(library: Library, keep: Entry, leaving: Sequence[Entry]) -> list[str]:
    """Return who starts with a copy that goes, and not with the one that stays."""
    going = {entry.ref for entry in leaving}
    hear: dict[str, set[Ref]] = {}
    names: dict[str, str] = {}
    for start in starts(library, Estimate()):
        key = start.name.casefold()
        names.setdefault(key, start.name)
        hear.setdefault(key, set()).update(v.ref for v in start.prompt.verdicts if v.is_in)
    return [names[key] for key, refs in hear.items() if refs & going and keep.ref not in refs]


def _notes(
    library: Library, keep: Entry, leaving: Sequence[Entry], other: Sequence[Entry]
) -> Iterator[str]:
    yield from losers(library, keep, leaving)
    for entry in leaving:
        source = library.source_of(entry)
        fields = library.format_of(entry).reader.fields(source, entry)
        kept = [name.replace("_", " ") for name in _REASONS if fields.get(name)]
        if kept:
            yield f"removing `{library.short(entry.ref)}` also removes its {', '.join(kept)}"
    for entry in other:
        yield f"`{library.short(entry.ref)}` words it differently: {entry.title}"
    home = library.ground.home
    for entry in leaving:
        source = library.source_of(entry)
        in_root = source.path.is_relative_to(library.ground.root)
        if source.path.is_relative_to(home) and not in_root:
            yield f"`{source.name}` is in the home folder: other projects use it too"
