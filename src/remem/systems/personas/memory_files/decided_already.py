"""Files in a team's inbox whose text the team's decisions hold already, word for word.

Agents merge the inbox by hand, and now and then leave a file in it that they merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.waiting.item import Evidence, Item
from remem.edit.markdown import is_text
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.model.layout import Part
from remem.systems.personas.edits import decisions_path, line_in, lines_of, read_beside
from remem.systems.personas.source import PersonaSource, persona_sources


@dataclass(frozen=True, slots=True)
class MergedAlready(Evidence):
    """Where in the team's decisions a waiting file stands."""

    file: str
    line: int
    is_said_already = True

    def told(self, item: Item) -> Item:
        """Return the card with that said on it."""
        where = f"line {self.line:,} of `{self.file}`"
        why = (
            f"already merged, word for word ({where}): approve and reject remove the inbox file, "
            "and the decision stays"
        )
        return replace(item, why=why, suggested="approve")

    def count(self, draft: Draft, intent: Intent) -> None:
        """Nothing is counted."""


def merged_already(library: Library) -> Mapping[Ref, MergedAlready]:
    """Return the waiting files that were merged already, by the refs of their entries."""
    found: dict[Ref, MergedAlready] = {}
    logs: dict[Path, bytes] = {}
    for source in persona_sources(library.sources):
        if source.part != Part.INBOX or not is_text(source.data):
            continue
        log = decisions_path(source)
        if log not in logs:
            logs[log] = _lines(source, log)
        line = line_in(logs[log], source)
        if line:
            found |= {entry.ref: MergedAlready(log.name, line) for entry in source.entries}
    return found


def _lines(source: PersonaSource, log: Path) -> bytes:
    try:
        return lines_of(read_beside(source, log) or b"")
    except RememError:
        return b""  # deciding says what is wrong with the file
