"""What entries of a log point to: each other, by id and by pattern key, and where one was promoted.

A log says in free words where an entry went, `AGENTS.md (section Tools)`. The file is what is named
there and lies here; the line in it is the one that names the entry's id, or says the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.relation.already_said import alike
from remem.core.relation.normal_form import Alike
from remem.model.entry import LESSON, Entry, FileSpan, Problem
from remem.model.layout import Reader
from remem.model.memo import kept
from remem.model.source import Source
from remem.systems.personas import edits
from remem.systems.personas.memory_files import log_entries
from remem.systems.personas.read import passages
from remem.systems.personas.source import PersonaSource

PROMOTED_NOWHERE: Final = "promoted-nowhere"
_FILE: Final = re.compile(r"(?:~/)?(?:[\w.@-]+/)*[\w@-][\w.@-]*\.mdc?\b|(?:[\w.@-]+/)+[\w.@-]+")
"""A file or a folder in free words."""
_SKILL: Final = "SKILL.md"
_WORKSPACE: Final = ".openclaw/workspace"
"""Below the home folder: where OpenClaw has its workspace unless its settings say otherwise."""
_SOUL: Final = "SOUL.md"
_OF_WORKSPACE: Final = frozenset(
    {_SOUL, "AGENTS.md", "TOOLS.md", "IDENTITY.md", "USER.md", "MEMORY.md"}
)
"""What the skill means by `SOUL.md` and the like lies in the workspace, which may be elsewhere."""
_SAID: Final = 400
"""Characters that are looked through for a file: what goes on tells a story."""


@dataclass(frozen=True, slots=True)
class Names:
    """The entries of all logs, archives too, by what others name them by."""

    by_id: Mapping[str, Entry]
    by_key: Mapping[str, Sequence[Entry]]

    def with_key(self, key: str) -> Sequence[Entry]:
        """Return the open entries that have this pattern key."""
        return self.by_key.get(key, ()) if key else ()


@kept
def named_entries(library: Library) -> Names:
    """Return the entries of all logs by id and by pattern key."""
    by_id: dict[str, Entry] = {}
    by_key: dict[str, list[Entry]] = defaultdict(list)
    for source in _logs(library):
        for entry, text, heading in logged(source):
            told = log_entries.fields_of(text, heading)
            by_id.setdefault(told.get("id", ""), entry)
            if told.get("pattern_key") and not source.archived:
                by_key[told["pattern_key"]].append(entry)
    return Names(by_id, by_key)


def _logs(library: Library) -> Iterator[PersonaSource]:
    """Yield all logs, archives too."""
    for source in library.sources:
        if isinstance(source, PersonaSource) and source.file.reader is Reader.LOG:
            yield source


def logged(source: PersonaSource) -> Iterator[tuple[Entry, str, str]]:
    """Yield the entries of a log, what stands below their headings, and these."""
    for entry, passage in zip(source.entries, passages(source), strict=True):
        if passage.known_as:
            yield entry, passage.text, passage.section


def links_of(library: Library, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what an entry of a log points to, as it is found here, each with its word in front."""
    source = library.source_of(entry)
    if not isinstance(source, PersonaSource) or not edits.is_logged(source, entry):
        return
    text, heading = edits.logged_text(source, entry)
    told = log_entries.fields_of(text, heading)
    for said in log_entries.lifted_to(text):
        for found in _files_in(library, said):
            yield "went to", _place(library, entry, told.get("id", ""), found)
    names = named_entries(library)
    for name in log_entries.ids_in(told.get("see_also", "")):
        other = names.by_id.get(name)
        if other is not None:
            title = " ".join(other.title.split())
            yield "see also", f"{library.short(other.ref)} · {other.status.value} · {title}"


def said_below(source: Source, entry: Entry) -> str:
    """Return what an entry of a log says besides its summary; empty for any other entry."""
    if not isinstance(source, PersonaSource) or not edits.is_logged(source, entry):
        return ""
    return log_entries.below_summary(edits.logged_text(source, entry)[0])


def _files_in(library: Library, said: str) -> Iterator[str]:
    """Yield the files that free words name and that lie here, as `ground.shown` has them."""
    for name in dict.fromkeys(_FILE.findall(said[:_SAID])):
        found = _file(library, name)
        if found is not None:
            yield found


def _file(library: Library, name: str) -> str | None:
    ground, disk = library.ground, library.ground.disk
    places = [ground.place(name), ground.place(name) / _SKILL]
    places += [ground.home / _WORKSPACE / name] if name in _OF_WORKSPACE else []
    for path in places:
        if disk.kind(path) == "file":
            return ground.shown(path)
    return None


def _place(library: Library, entry: Entry, name: str, file: str) -> str:
    """Return a file, with the line in it that names the entry or says what it says."""
    path = library.ground.place(file)
    source = next((s for s in library.sources if s.path == path), None)
    there = None if source is None else _there(library, source, entry, name)
    if source is None or there is None or not isinstance(there.at, FileSpan):
        return file
    line = source.data.count(b"\n", 0, there.at.start) + 1
    return f"{file}:{line} · {' '.join(there.title.split())}"


def _there(library: Library, source: Source, entry: Entry, name: str) -> Entry | None:
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    named = (each for each in source.entries if name and word.search(each.title))
    found = next(named, None)
    if found is not None:
        return found
    mine = {each.ref for each in source.entries}
    says = (Alike.EXACT, Alike.NEAR)
    likes = (k for k in alike(library, LESSON, entry.title) if k.entry.ref in mine)
    return next((known.entry for known in likes if known.alike in says), None)


def issues(library: Library) -> Iterator[Issue]:
    """Yield each entry that says it was promoted to a file which is not here."""
    for source in _logs(library):
        for entry, text, _ in logged(source):
            missing = [
                name for said in log_entries.lifted_to(text) for name in _missing(library, said)
            ]
            if missing and not source.archived:
                yield Issue(_problem(library, source, entry, missing[0]), entry.ref)


def _missing(library: Library, said: str) -> Iterator[str]:
    """Yield the files that are named first and are not here; what is said of them names others."""
    found = _FILE.match(said[:_SAID].lstrip("`*"))
    if found is not None and found[0].endswith(".md") and _file(library, found[0]) is None:
        yield found[0]


def _problem(library: Library, source: PersonaSource, entry: Entry, name: str) -> Problem:
    assert isinstance(entry.at, FileSpan)
    ground = library.ground
    where, hint = "not here", "promote it again, or correct what it says"
    if name in _OF_WORKSPACE and ground.disk.kind(ground.root / _SOUL) != "file":
        where = f"neither here nor in `~/{_WORKSPACE}`"
        hint = f"{hint}; a workspace that lies elsewhere is not looked at"
    return Problem(
        PROMOTED_NOWHERE,
        f"an entry of `{source.name}` says it was promoted to `{name}`, which is {where}",
        hint,
        path=source.path,
        line=source.data.count(b"\n", 0, entry.at.start) + 1,
    )
