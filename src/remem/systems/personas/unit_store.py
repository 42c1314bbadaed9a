"""What systems whose files fall into units do alike: a persona's memory, and plain files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from remem.core.system import Parts
from remem.model.change import Effect, Json
from remem.model.entry import Entry, FileSpan, Status
from remem.model.layout import Reader
from remem.model.source import Source
from remem.systems.personas import edits
from remem.systems.personas.memory_files import log_entries
from remem.systems.personas.source import PersonaSource

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting


class Units(Parts):
    """A system whose entries are units of Markdown: a text, and a date where it has one."""

    whose: ClassVar[str]
    """What a refusal calls the thing that a field was to be set of."""

    @abstractmethod
    def own(self, source: Source) -> PersonaSource:
        """Return the source as this system made it.

        Raises:
            NotPossible: It is another system's.
        """

    def waits(self, library: Library) -> Sequence[Waiting]:
        files = [s for s in library.of_format(self.name) if isinstance(s, PersonaSource)]
        if not [file for file in files if file.file.reader is Reader.LOG]:
            return ()
        from remem.systems.personas.logs.logged_waiting import LoggedEntry, LoggedIncident

        return LoggedEntry(self.name), LoggedIncident(self.name)

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        dated: dict[str, Json] = {"date": entry.date} if entry.date else {}
        own = self.own(source)
        if edits.is_logged(own, entry):
            told = log_entries.fields_of(*edits.logged_text(own, entry))
            return {edits.FIELD: entry.title, **dated, **told}
        return {edits.FIELD: entry.title, **dated}

    def body(self, source: Source, entry: Entry) -> str:
        if isinstance(entry.at, FileSpan):
            return source.data[entry.at.start : entry.at.end].decode("utf-8", "replace")
        return source.data.decode("utf-8-sig", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        return edits.plan_fields(self.own(source), entry, fields, self.whose)

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        return edits.status_effects(self.own(source), entry, status)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return edits.plan_removal(self.own(source), entry)
