"""What a plan does about all that names a persona who goes: addresses follow, words are told.

Words are rewritten only where that was asked for: a name may be an everyday word. What cannot be
changed without another reading of a memory is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.base.errors import Refused, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.system import Ground
from remem.model.change import Splice
from remem.model.entry import Ref
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.model.source import SourceKind
from remem.systems.personas.moving.find_references import Going, Looked, looked
from remem.systems.personas.read import read_source
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team import squad_lists
from remem.systems.personas.team.team_lists import LISTS

LISTED: Final = 5
"""Mentions that are quoted one by one."""
_FILES: Final = 8
"""Files that are named with their number of mentions."""
_WIDE: Final = 72


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which words of prose are rewritten besides the addresses."""

    everywhere: bool = False
    """In all that a tool follows, and in other memories."""
    files: tuple[str, ...] = ()
    """In these, as the plan names them."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What a plan adds so that nothing points at who is gone."""

    splices: tuple[Splice, ...]
    touched: Mapping[Ref, Ref | None]
    notes: tuple[str, ...]
    leaves_words: bool = False
    """`Wanted.everywhere` would write the new name in more places, in prose."""


def followed(
    ground: Ground,
    sources: Sequence[PersonaSource],
    goings: Sequence[Going],
    planned: Iterable[Splice],
    wanted: Wanted,
) -> Followed:
    """Plan what becomes of every place that names who goes.

    Args:
        ground: Where is looked.
        sources: All of the system.
        goings: Who goes, one for each place; none = nothing is looked for.
        planned: What the plan writes already.
        wanted: Which words are rewritten too.

    Raises:
        Refused: A memory would be read otherwise.
        UnknownRef: A file was named that does not name them.
    """
    if not goings:
        return Followed((), {}, ())
    planned = tuple(planned)
    memories = {s.path for s in sources if s.kind is SourceKind.MEMORY and s.is_writable}
    asked = [ground.place(name) for name in wanted.files]

    def is_taken(path: Path, is_followed: bool) -> bool:
        return path in asked or (wanted.everywhere and (is_followed or path in memories))

    # A file may come from two sides: what the plan writes of it itself is written once.
    paths = {s.path for s in sources if s.kind is SourceKind.MEMORY and not (s.rows or s.archived)}
    own = {persona_key(going.name) for going in goings if not going.is_renamed}
    lists = [s for s in sources if s.part in LISTS]
    defined = {s.path for s in sources if s.part == Part.DEFINITION and persona_key(s.owner) in own}
    defined |= {s.path for s in lists if own}  # who retired stays named there, and is told apart
    found = looked(ground, goings, memories=paths, quiet=defined, taken=is_taken, spans=planned)
    missing = next((path for path in asked if path not in {s.path for s in found.splices}), None)
    if missing is not None:
        raise UnknownRef(
            f"`{ground.shown(missing)}` does not name `{goings[0].name}`",
            hint="the plan without `--in` lists the files that do",
        )
    moved = tuple(going.folder for going in goings)
    touched = dict(_touched(sources, found.splices, planned, moved))
    # Lists of members and settings follow too, by what the plan writes of them itself.
    listed = {s.path for s in lists}
    is_told = [each for each in planned if goings[0].is_renamed or each.path in listed]
    follows = (*found.splices, *is_told)
    could = {line.path for line in found.words if line.is_followed or line.path in memories}
    notes = [*_notes(ground, goings, found, could, follows)]
    listing = _still_listed(ground, goings[0], lists, planned)
    leaves_words = bool(could) and goings[0].is_renamed and not wanted.everywhere
    return Followed(found.splices, touched, (*listing, *notes), leaves_words)


def _still_listed(
    ground: Ground, going: Going, lists: Sequence[PersonaSource], planned: Sequence[Splice]
) -> Iterator[str]:
    """Yield which lists of members go on naming who goes: as one who does not work there."""
    if going.is_renamed or not going.is_going:
        return
    last = going.place.rpartition("/")[2]
    named = []
    for source in lists:
        new = [each for each in planned if each.path == source.path]
        after = replace(source, data=applied(source.data, new))
        if new and any(squad_lists.lists(after, called) for called in (last, going.name)):
            named.append(source.path)
    if named:
        does = "still list" if len(named) > 1 else "still lists"
        yield f"{_names(ground, sorted(named))} {does} `{going.name}`, as retired"


def _touched(
    sources: Sequence[PersonaSource],
    splices: Sequence[Splice],
    planned: Sequence[Splice],
    moved: Sequence[Path],
) -> Iterator[tuple[Ref, Ref | None]]:
    """Yield the refs of entries whose text changes where they stand; moved ones are told apart."""
    for source in sources:
        new = [each for each in splices if each.path == source.path]
        is_moved = any(source.path.is_relative_to(folder) for folder in moved)
        if not new or is_moved or source.kind is not SourceKind.MEMORY:
            continue
        known = [each for each in planned if each.path == source.path]
        before = read_source(source, applied(source.data, known)).entries
        after = read_source(source, applied(source.data, [*known, *new])).entries
        if len(after) != len(before):
            raise Refused(
                f"`{source.name}` would be parsed differently with the new name",
                hint="change that file in your editor first",
            )
        there = {entry.ref for entry in source.entries}
        pairs = zip(before, after, strict=True)
        yield from ((a.ref, b.ref) for a, b in pairs if a.digest != b.digest and a.ref in there)


def applied(data: bytes, splices: Iterable[Splice]) -> bytes:
    """Return what splices that do not overlap leave of a file."""
    for splice in sorted(splices, key=lambda each: each.start, reverse=True):
        data = data[: splice.start] + splice.new + data[splice.end :]
    return data


def _notes(
    ground: Ground,
    goings: Sequence[Going],
    found: Looked,
    could: Collection[Path],
    follows: Sequence[Splice],
) -> Iterator[str]:
    going = goings[0]
    changed = {splice.path for splice in follows}
    if changed:
        yield (
            f"{count(len(follows), 'place')} of {count(len(changed), 'file')} "
            f"{'follow' if len(follows) > 1 else 'follows'}: "
            f"{_names(ground, sorted(changed))}"
        )
    for path, work in found.left:
        if path.suffix == ".json":
            yield f"`{ground.shown(path)}` keeps a setting for who is gone: {work}"
            continue
        yield f"`{ground.shown(path)}` now has no owner for {_short(work)}"
    if found.words:
        yield from _told(ground, going, found, could)
    if found.records:
        yield (
            f"{count(found.records, 'place')} in logs and archives "
            f"{'stay' if found.records > 1 else 'stays'} unchanged"
        )


def _told(ground: Ground, going: Going, found: Looked, could: Collection[Path]) -> Iterator[str]:
    """Yield what keeps the old name: how much, then line by line.

    Args:
        ground: Names the files.
        going: Who goes.
        found: Where they are named.
        could: Files whose words would follow if that was asked for.
    """
    by_path: dict[Path, int] = {}
    for line in found.words:
        by_path[line.path] = by_path.get(line.path, 0) + 1
    following = sum(by_path[path] for path in by_path if path in could)
    is_mixed = going.is_renamed and 0 < following < len(found.words)
    if is_mixed:
        offer = f"; {following:,} of them would follow if you also rewrite the references"
    elif going.is_renamed and following:
        offer = ", unless you also rewrite the references"
    elif going.is_renamed:
        offer = ", unless you rewrite it too with `--in FILE`: no tool follows names there"
    else:
        offer = ""
    yield (
        f"`{going.name}` stays in {count(len(found.words), 'line')} of "
        f"{count(len(by_path), 'other file')}{offer}"
    )
    for line in found.words[:LISTED]:
        apart = " (needs `--in FILE`)" if is_mixed and line.path not in could else ""
        yield f"`{ground.shown(line.path)}` line {line.number}{apart}: {_short(line.text)}"
    if len(found.words) > LISTED:
        most = sorted(by_path, key=lambda path: (-by_path[path], path))
        yield f"total: {_names(ground, most, lambda path: f' ({by_path[path]:,})')}"


def _names(
    ground: Ground, paths: Sequence[Path], tell: Callable[[Path], str] = lambda path: ""
) -> str:
    shown = [f"`{ground.shown(path)}`{tell(path)}" for path in paths[:_FILES]]
    more = f" and {len(paths) - _FILES:,} more" if len(paths) > _FILES else ""
    return f"{', '.join(shown)}{more}"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return f"{plain[:_WIDE]}…" if len(plain) > _WIDE else plain
