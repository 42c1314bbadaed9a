"""Plans that entries of a log become one: the others go to its archive, and it names them.

The form of a log has no place for a second wording; it has `See Also`, which this writes.
"""

from __future__ import annotations

from collections.abc import Sequence

from remem.base.errors import NotPossible
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.receipts import need_kept
from remem.core.waiting.decide import change
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Source
from remem.systems.personas import log_entries
from remem.systems.personas.effects import (
    is_logged,
    log_effects,
    need_writable,
    passage_of,
    plan_archive,
)
from remem.systems.personas.read import document_of
from remem.systems.personas.source import PersonaSource

SEE_ALSO = "See Also"


def is_logged_entry(library: Library, entry: Entry) -> bool:
    """Tell whether an entry is one of a log, and not in its archive."""
    source = library.source_of(entry)
    if not isinstance(source, PersonaSource) or entry.status is Status.ARCHIVED:
        return False
    return is_logged(source, entry)


def plan_merge_logged(
    library: Library, intent: Intent, into: Entry, leaving: Sequence[Entry]
) -> Change:
    """Plan to archive entries of a log and to name them in the one that stays.

    Raises:
        NotPossible: One is no entry of a log, or its file is read only.
        Refused: A file would be read otherwise.
    """
    wrong = next((e for e in (*leaving, into) if not is_logged_entry(library, e)), None)
    if wrong is not None:
        raise NotPossible(
            f"`{library.short(wrong.ref)}` is not an entry of a log",
            hint="merge two entries of `.learnings/`",
        )
    draft, touched = Draft(library), dict[Ref, Ref | None]({into.ref: into.ref})
    names = [_name(*draft.find(entry.ref)) for entry in leaving]
    for entry in leaving:
        source, now = draft.find(entry.ref)
        draft.take(plan_archive(_own(source), now))
        touched[entry.ref] = into.ref
    source, now = draft.find(into.ref)
    home = _own(source)
    need_writable(home)
    passage, newline = passage_of(home, now.ref), document_of(home.data).newline
    text = log_entries.with_metadata(passage.text, SEE_ALSO, ", ".join(names), newline)
    draft.take(log_effects(home, passage, text))
    before = _text(home, now)
    need_kept(library, draft.effects(), {before: _text(*draft.find(into.ref))})
    return change(library, intent, "Merge", draft, touched)


def _own(source: Source) -> PersonaSource:
    assert isinstance(source, PersonaSource)
    return source


def _text(source: Source, entry: Entry) -> str:
    passage = passage_of(_own(source), entry.ref)
    return source.data[passage.start : passage.end].decode()


def _name(source: Source, entry: Entry) -> str:
    return passage_of(_own(source), entry.ref).known_as
