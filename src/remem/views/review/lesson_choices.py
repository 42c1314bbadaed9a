"""What a person can choose from for a lesson: places to move it to, lessons to merge it into.

Pure; the screens ask and carry out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from remem.base.text import count
from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.edit.markdown import is_text
from remem.model.entry import Entry, Status, kind_text
from remem.model.source import SourceKind
from remem.systems.personas.lessons.shared_lessons import CONVENTION_LEVEL, DECISION_LEVEL, ONE
from remem.systems.personas.read import document_of
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team.people import Persona
from remem.systems.plain.source import PlainSource, plain_sources
from remem.views.list_rows import Choice

_MOST: Final = 200
"""Lessons that are offered to merge into, the likest first."""

SHARE: Final = "share "
SHARED: Final = (
    Choice(f"{SHARE}{ONE}", "one memory", "this one keeps it and says who else learnt it"),
    Choice(f"{SHARE}{DECISION_LEVEL}", "decision of the team", "the copies go into their archives"),
    Choice(
        f"{SHARE}{CONVENTION_LEVEL}", "rule of the project", "in force; the copies are archived"
    ),
)
"""What a lesson that several personas have can become as well."""


_NEW: Final = (
    ("CLAUDE.md", "new file", "instructions of the project"),
    ("AGENTS.md", "new file", "instructions of the project"),
    ("~/.claude/CLAUDE.md", "new file", "your own, for all projects"),
)


def promotions(
    library: Library, entries: Sequence[Entry], personas: Sequence[Persona]
) -> list[Choice]:
    """Return what lessons can become and where they can stand; others can be typed.

    Args:
        library: Whose.
        entries: The lessons; none = they were taken out, and stand nowhere.
        personas: Who is here.
    """
    plain = plain_sources(library.sources)
    own = {library.source_of(entry).path for entry in entries}
    files = [each for each in plain if each.is_writable and not each.archived]
    files = [each for each in files if each.kind is SourceKind.MEMORY and each.path not in own]
    named = {each.name for each in plain}
    return [
        *((*_levels(library), *SHARED) if entries else ()),
        *(Choice(each.name, each.name, each.plain.tool, each.plain.scope) for each in files),
        *(Choice(name, name, note, right) for name, note, right in _NEW if name not in named),
        *_others(personas),
    ]


def _levels(library: Library) -> list[Choice]:
    """Return the kinds that a lesson can become, each once."""
    kinds = [each for system in library.formats for each in system.facets.lesson_becomes.items()]
    return [Choice(kind, kind_text(kind), note) for kind, note in dict(kinds).items()]


def _others(personas: Sequence[Persona]) -> list[Choice]:
    return [
        Choice(f"{persona.name}@{layout}", persona.name, f"memory in {layout}", persona.title)
        for persona in personas
        if not persona.archived
        for layout in _memory_layouts(persona)
    ]


def places(library: Library, entries: Sequence[Entry], personas: Sequence[Persona]) -> list[Choice]:
    """Return where lessons can go: the sections of their file, its neighbours, other personas."""
    sources = {s.path: s for e in entries if isinstance(s := library.source_of(e), PersonaSource)}
    found: list[Choice] = []
    if len(sources) == 1:
        (source,) = sources.values()
        found += _sections(source)
        found += _files(library, source)
    return [*found, *_others(personas)]


def _sections(source: PersonaSource) -> list[Choice]:
    if not is_text(source.data):
        return []
    document = document_of(source.data)
    titles = dict.fromkeys(heading.title for heading in document.headings if heading.title)
    head = Choice("#", "(head)", "first in the prompt")
    held = Counter(document.headings[u.heading].title for u in document.units if u.heading >= 0)
    return [
        head,
        *(Choice(f"#{title}", title, "section", count(held[title], "unit")) for title in titles),
    ]


def _files(library: Library, source: PersonaSource) -> list[Choice]:
    """Return the other files of the same persona in the same place; all plain files are equals."""
    if isinstance(source, PlainSource):
        return [
            Choice(other.name, other.name, "plain file")
            for other in plain_sources(library.sources)
            if other.path != source.path and other.is_writable and not other.archived
        ]
    return [
        Choice(
            f"{source.owner}@{source.layout}/{other.ref_id.partition('/')[2] or other.path.name}",
            other.name,
            "file of the same persona",
        )
        for other in library.of_format(source.format)
        if isinstance(other, PersonaSource)
        and other.owner == source.owner
        and other.layout == source.layout
        and other.path != source.path
        and other.kind is SourceKind.MEMORY
        and other.is_writable
        and not other.archived
    ]


def _memory_layouts(persona: Persona) -> list[str]:
    own = [s.layout for s in persona.sources if s.kind is SourceKind.MEMORY]
    return list(dict.fromkeys(own)) or list(persona.places[:1])


def lessons_like(library: Library, entry: Entry) -> list[Choice]:
    """Return the lessons that another one can be merged into, the likest first."""
    from rapidfuzz import fuzz, process

    others = [
        other
        for other in library.of_kind(entry.kind)
        if other.ref != entry.ref
        and other.status is Status.ACTIVE
        and library.source_of(other).is_writable
    ]
    texts = [norm(other.title) for other in others]
    likest = process.extract(
        norm(entry.title), texts, scorer=fuzz.token_sort_ratio, processor=None, limit=_MOST
    )
    return [
        Choice(
            str(others[place].ref),
            " ".join(others[place].title.split()),
            "",
            f"{library.source_of(others[place]).owner} {score:.0f} %",
        )
        for _, score, place in likest
    ]
