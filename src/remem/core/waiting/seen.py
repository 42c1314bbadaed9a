"""What was shown lately, kept until it is decided on: the base of every conflict.

A snapshot holds only what stands now. Doors note here what a person has before them; it is kept as
text, so that no old file is held for it. It compares nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from itertools import islice
from threading import Lock
from typing import Final

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.model.change import Json
from remem.model.entry import Entry, Ref

KEPT: Final = 500
"""Entries; whoever decides on more at once is told of a conflict without the text that was."""


@dataclass(frozen=True, slots=True)
class View:
    """An entry as a person saw it, whole and free of the file it stood in."""

    entry: Entry
    fields: Mapping[str, Json]
    body: str


def view_of(library: Library, entry: Entry) -> View:
    """Return an entry with all that it says."""
    each, source = library.format_of(entry), library.source_of(entry)
    return View(entry, each.fields(source, entry), each.body(source, entry))


class Seen:
    """Remembers entries as they were shown, the latest `KEPT` of them."""

    def __init__(self) -> None:
        self._views: OrderedDict[tuple[Ref, str], View] = OrderedDict()
        self._lock = Lock()

    def note(self, library: Library, shown: Mapping[Ref, str]) -> None:
        """Keep what stands in the snapshot as it was shown; what changed already is left out."""
        for ref, digest in islice(shown.items(), KEPT):
            if self.view(ref, digest) is not None or not library.has(ref):
                continue
            entry = library.entry(ref)
            if entry.digest == digest:
                self._keep(view_of(library, entry))

    def view(self, ref: Ref, digest: str) -> View | None:
        """Return what was shown under a ref with that digest; `None` when it was not kept."""
        with self._lock:
            found = self._views.get((ref, digest))
            if found is not None:
                self._views.move_to_end((ref, digest))
            return found

    def _keep(self, view: View) -> None:
        with self._lock:
            self._views[view.entry.ref, view.entry.digest] = view
            while len(self._views) > KEPT:
                self._views.popitem(last=False)
