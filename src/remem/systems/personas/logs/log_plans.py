"""Plans what a person says of an entry of a log besides that it is resolved."""

from __future__ import annotations

from remem.model.change import Effect
from remem.model.entry import Entry
from remem.systems.personas.edits import log_effects, need_writable, passage_of
from remem.systems.personas.memory_files import log_entries
from remem.systems.personas.read import document_of
from remem.systems.personas.source import PersonaSource

_STATUS = "Status"


def plan_under_way(source: PersonaSource, entry: Entry) -> tuple[Effect, ...]:
    """Plan to say that somebody works on an entry.

    Raises:
        NotPossible: The log is read only.
        Refused: It would be read as another entry.
    """
    need_writable(source)
    passage, newline = passage_of(source, entry.ref), document_of(source.data).newline
    word = log_entries.IN_PROGRESS
    return log_effects(
        source, passage, log_entries.with_field(passage.text, _STATUS, word, newline)
    )


def plan_wont_fix(source: PersonaSource, entry: Entry, reason: str) -> tuple[Effect, ...]:
    """Plan to say that nobody will act on an entry, and in its *Resolution* why.

    Raises:
        NotPossible: The log is read only.
        Refused: It would be read as another entry, or as several.
    """
    need_writable(source)
    passage, newline = passage_of(source, entry.ref), document_of(source.data).newline
    text = log_entries.with_field(passage.text, _STATUS, log_entries.WONT_FIX, newline)
    now = source.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    note = " ".join(reason.split()) or "no reason given"
    lines = (f"**Resolved**: {now}", f"**Notes**: {note}")
    return log_effects(source, passage, log_entries.with_resolution(text, lines, newline))
