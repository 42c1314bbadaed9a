"""Whether somebody made the very decision already that is asked for: then there is nothing to ask.

It is the same where they were shown the same text, told the verb the same, and what they made of it
stands: taken back, it gives the text that was shown. Whatever cannot be told so (rows of databases,
a change of which only its line is kept, a text that others wrote to since) was not the same: who is
asked once too often loses a key, and who is told *already* of another text loses their decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from remem.core.history.history_at_root import Past, holds
from remem.core.library import Library
from remem.edit.merge_lines import Clash
from remem.edit.patch import merge_in, reverse
from remem.model.change import INTO_SHOWN, Intent, Json, asked_for
from remem.model.entry import Ref
from remem.store.changes.steps import Edited, Removed, Step

if TYPE_CHECKING:
    from remem.store.history.journal_records import Logged


def decided_alike(library: Library, past: Past, intent: Intent) -> Mapping[Ref, Logged]:
    """Return the change that decided on each entry just as an intent asks; others are left out."""
    changes = [each for each in past.changes() if not each.undone]
    return dict(_alike(library, past, intent, changes))


def _alike(
    library: Library, past: Past, intent: Intent, changes: Sequence[Logged]
) -> Iterator[tuple[Ref, Logged]]:
    for ref, digest in intent.shown.items():
        last = next((each for each in changes if ref in each.intent.shown), None)
        if last is None or not digest or last.intent.shown[ref] != digest or last.pruned:
            continue
        if _told(last.intent) != _told(intent) or not holds(library, last):
            continue
        stands = library.has(ref) and library.entry(ref).digest == digest
        if stands or any(_gives_back(library, each, ref, digest) for each in past.steps(last)):
            yield ref, last


def _told(intent: Intent) -> tuple[str, Mapping[str, Json], str]:
    """Return the verb with all that it was told but why: the reason decides on nothing."""
    told = asked_for(intent)
    told.pop("reason", None)
    return intent.verb, told, intent.text(INTO_SHOWN)


def _gives_back(library: Library, step: Step, ref: Ref, digest: str) -> bool:
    """Tell whether a step, taken back on what stands, gives an entry as it was shown."""
    at = {source.path: source for source in library.of_format(ref.format)}
    match step:
        case Removed(path=path):
            return path not in at and not library.has(ref)
        case Edited(path=path) if path in at:
            source = at[path]
            before = merge_in(source.data, reverse(step.patches), step.size_after)
            if isinstance(before, Clash):
                return False
            read = library.format(source.format).reader.read(replace(source, problems=()), before)
            return any(each.ref == ref and each.digest == digest for each in read.entries)
        case _:
            return False
