"""Files in a team's inbox whose text the team's decisions hold already, word for word.

Agents merge the inbox by hand, and now and then leave a file in it that they merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.waiting.item import Item
from remem.edit.markdown import is_text
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.model.layout import Part
from remem.systems.personas.effects import decisions_path, merged_line
from remem.systems.personas.source import PersonaSource, persona_sources


@dataclass(frozen=True, slots=True)
class MergedAlready:
    """Where in the team's decisions a waiting file stands."""

    file: str
    line: int

    def told(self, item: Item) -> Item:
        """Return the card with that said on it."""
        where = f"line {self.line:,} of `{self.file}`"
        why = f"already merged, word for word ({where}): approve removes only the inbox file"
        return replace(item, why=why)

    def count(self, draft: Draft, intent: Intent) -> None:
        """Nothing is counted."""


def merged_already(library: Library) -> Mapping[Ref, MergedAlready]:
    """Return the waiting files that were merged already, by the refs of their entries."""
    found: dict[Ref, MergedAlready] = {}
    for source in persona_sources(library.sources):
        if source.part == Part.INBOX and is_text(source.data):
            line = _line(source)
            if line:
                merged = MergedAlready(decisions_path(source).name, line)
                found |= {entry.ref: merged for entry in source.entries}
    return found


def _line(source: PersonaSource) -> int:
    try:
        return merged_line(source)
    except RememError:
        return 0  # deciding says what is wrong with the file
