"""Plans that old sections of a memory leave for the archive file beside it (FORMATS 4.2).

They are appended there first and then taken out, and every unit is in exactly one of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible, Refused, UnknownRef
from remem.base.text import count
from remem.core.history.touched import all_touched
from remem.core.library import Library
from remem.core.receipts import need_kept
from remem.model.change import Change, Effect, Intent
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.model.source import SourceKind
from remem.systems.personas.shelving import Shelved, shelved
from remem.systems.personas.source import PersonaSource, persona_sources

if TYPE_CHECKING:
    from remem.systems.personas.lesson_verbs import SectionsArchive


def plan_shelve(library: Library, intent: Intent, args: SectionsArchive) -> Change:
    """Plan to move sections that are dated before a day to the archive beside their file.

    Raises:
        NotPossible: It is no day, or nothing is older.
        UnknownRef: Nobody is called that.
        Refused: A file would be read otherwise, or the units do not add up.
    """
    before = _day(args.before)
    effects: list[Effect] = []
    told: list[str] = []
    notes: list[str] = []
    sections = 0
    owner = args.persona
    for source in _files(library, args):
        found, owner = shelved(source, before), source.owner
        notes += found.notes
        if found.sections:
            _need_all(found)
            effects += found.effects
            told.append(
                f"{count(found.before, 'unit')} of {source.name} = {len(found.kept):,} here"
                f" + {len(found.moved):,} in {found.target.name}"
            )
            sections += found.sections
    if not effects:
        raise Already(
            f"nothing here is dated before {before}",
            hint="sections without a whole date in their heading are not old",
        )
    need_kept(library, effects)
    title = f"Archive {count(sections, 'section')} of {owner} before {before}"
    return Change(
        intent,
        title,
        tuple(effects),
        "",
        all_touched(library, effects, {}),
        f"{' · '.join(told)} · 0 lost, 0 added",
        tuple(notes),
    )


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise NotPossible(f"`{text}` is no date", hint="write the day as `2026-03-01`") from None


def _files(library: Library, args: SectionsArchive) -> Sequence[PersonaSource]:
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
        raise UnknownRef(f"nobody is called `{wanted}`", hint=f"there are {known or 'none here'}")
    return [
        source
        for source in _memory(own)
        if layout in ("", source.layout) and path in (None, source.path)
    ]


def _memory(own: Sequence[PersonaSource]) -> Iterator[PersonaSource]:
    """Yield what a persona starts with; an archive is not archived again."""
    for source in own:
        is_memory = source.kind is SourceKind.MEMORY and source.part != Part.ARCHIVE
        if is_memory and source.is_writable:
            yield source


def _need_all(found: Shelved) -> None:
    """Refuse a plan that does not leave every unit in exactly one of the two files.

    Raises:
        Refused: A unit is missing, doubled or another one.
    """
    if Counter(found.kept) + Counter(found.moved) != Counter(found.all):
        raise Refused(
            f"{found.before} units would become {len(found.kept) + len(found.moved)}",
            hint="nothing was written; move the sections in your editor",
        )
