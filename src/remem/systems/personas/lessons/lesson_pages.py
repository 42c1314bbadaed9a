"""Memory files while units move between them, and the proof that none is lost on the way.

Edits are made one after the other in memory; what comes out are the splices that lead from the
bytes on disk to the end, files that take units before files that lose them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.base.errors import Already, NotPossible, Refused
from remem.base.text import count
from remem.core.draft import Sheet, all_touched
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.edit.markdown_edit import Edit
from remem.model.change import Change, Effect, Intent
from remem.model.entry import Entry, Ref
from remem.systems.personas.edits import need_writable
from remem.systems.personas.memory_files.whole_lists import whole_list
from remem.systems.personas.read import document_of, read_source
from remem.systems.personas.source import LESSON, PersonaSource

_PAIR: Final = 2


class Pages:
    """Files that are being rearranged, in the order in which they will be written."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._sheets: dict[Path, Sheet] = {}
        self._now: dict[Path, PersonaSource] = {}
        self._first: dict[Path, PersonaSource] = {}
        self._gone: list[str] = []
        self._new: list[str] = []
        self._instead: dict[str, str] = {}

    def now(self, source: PersonaSource) -> PersonaSource:
        """Return a source as what was done so far leaves it."""
        return self._now.get(source.path, source)

    def open(self, source: PersonaSource, *, is_new: bool = False) -> PersonaSource:
        """Take a file in hand; the order of opening is the order of writing.

        Raises:
            NotPossible: It is read only.
        """
        if source.path not in self._sheets:
            need_writable(source)
            base = None if is_new else source.data
            self._sheets[source.path] = Sheet(source.path, base, source.digest)
            self._first[source.path] = source
            self._now[source.path] = source
        return self._now[source.path]

    def put(self, source: PersonaSource, edits: Sequence[Edit]) -> PersonaSource:
        """Do edits that were planned on the source as it is now, and return it after them."""
        self.open(source)
        sheet = self._sheets[source.path]
        for edit in reversed(edits):
            sheet.put(edit.start, edit.end, edit.new)
        after = read_source(self._first[source.path], sheet.now)
        self._now[source.path] = after
        return after

    def expect(self, gone: Sequence[str], new: str) -> None:
        """Name the texts of units that go into one other text on purpose."""
        self._gone += gone
        self._new.append(new)
        self._instead |= dict.fromkeys(gone, new)

    def effects(self) -> tuple[Effect, ...]:
        return tuple(effect for sheet in self._sheets.values() for effect in sheet.effects())

    def receipt(self, tail: str = "") -> str:
        """Return how the units add up.

        Raises:
            Refused: They do not.
        """
        before, after = _units(self._first.values()), _units(self._now.values())
        meant = before - Counter(map(_words, self._gone)) + Counter(map(_words, self._new))
        if after != meant:
            raise Refused(
                f"{before.total()} units would become {after.total()}, and not those that were "
                "meant",
                hint="nothing was written; edit the file in your editor",
            )
        # Of two files one is at hand; of more nobody would know which of them that is.
        is_near = len(self._now) <= _PAIR
        parts = [
            f"{len(source.entries):,} {'here' if is_near and not place else f'in {source.name}'}"
            for place, source in enumerate(reversed(self._now.values()))
        ]
        added = max(after.total() - before.total(), 0)
        head = f"{count(before.total(), 'unit')}{f' + {added:,}' if added else ''}"
        return f"{head} = {' + '.join(parts)}{tail} · 0 lost, {added:,} added"

    def change(
        self,
        intent: Intent,
        title: str,
        said: Mapping[Ref, Ref | None],
        *,
        tail: str = "",
        notes: tuple[str, ...] = (),
    ) -> Change:
        """Return the finished change with its receipt.

        Raises:
            NotPossible: It would write nothing.
            Refused: The units do not add up, or a text would be lost.
        """
        effects = self.effects()
        receipt = self.receipt(tail)
        need_kept(self._library, effects, self._instead)
        if not effects:
            raise Already("no change is needed")
        touched = all_touched(self._library, effects, said)
        return Change(intent, title, effects, "", touched, receipt, notes)


def is_lesson(library: Library, entry: Entry) -> bool:
    """Tell whether an entry is a lesson of a persona's memory, or of a plain file."""
    return entry.kind == LESSON and isinstance(library.source_of(entry), PersonaSource)


def by_source(
    library: Library,
    entries: Sequence[Entry],
    find: Callable[[PersonaSource, Entry], int],
    *,
    whole_lists: bool = False,
) -> dict[Path, tuple[PersonaSource, list[int]]]:
    """Return the units of entries by the file that they stand in.

    Args:
        library: Where they stand.
        entries: The lessons.
        find: Tells which unit one is.
        whole_lists: What stands and falls with one of them is taken along.

    Raises:
        NotPossible: One is no lesson of a persona.
    """
    found: dict[Path, tuple[PersonaSource, list[int]]] = {}
    for entry in entries:
        source = library.source_of(entry)
        if not isinstance(source, PersonaSource) or not is_lesson(library, entry):
            raise NotPossible(
                f"`{library.short(entry.ref)}` is not a persona's lesson",
                hint="only lessons move within and between memories",
            )
        need_writable(source)
        units = found.setdefault(source.path, (source, []))[1]
        unit = find(source, entry)
        every = whole_list(document_of(source.data), unit) if whole_lists else (unit,)
        units += [each for each in every if each not in units]
    return found


def _units(sources: Iterable[PersonaSource]) -> Counter[str]:
    return Counter(_words(entry.title) for source in sources for entry in source.entries)


def _words(text: str) -> str:
    return " ".join(text.split())
