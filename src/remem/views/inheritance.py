"""What the detail of an entry tells of inheritance: who gets it, and who says otherwise.

Pure: it reads the library and knows nothing of widgets.
"""

from __future__ import annotations

from collections.abc import Iterator

from remem.base.text import count
from remem.core.library import Library
from remem.core.repositories import is_whole, name_of, repositories_of, views
from remem.model.entry import Entry, Status
from remem.systems.workspace.inherit import overridden
from remem.systems.workspace.records import CONTRACT, WORKSPACE


def inherited_by(library: Library, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what there is to tell, each with its word in front; nothing of other entries."""
    if entry.ref.format != WORKSPACE or entry.kind == CONTRACT or entry.status is not Status.ACTIVE:
        return
    found = [(view, overridden(view.sources).get(entry.ref)) for view in views(library)]
    settled = [(view, override) for view, override in found if override is not None]
    if is_whole(library):
        rest = len(repositories_of(library)) - len(settled)
        yield "inherited", f"by {count(rest, 'repository', 'repositories')}"
    elif not settled:
        yield "inherited", "from the workspace"
    for view, override in settled:
        how = "overrides it" if override.said else "says the same"
        there = name_of(view) or "this repository"
        yield "overridden", f"in {there}: {override.by.ref.without_place()} {how}"
