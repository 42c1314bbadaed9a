"""Plans putting back what vanished: where it stood if that place is found, else at the end."""

from __future__ import annotations

from dataclasses import replace

from remem.base.errors import NotPossible
from remem.core.draft import Draft
from remem.edit.merge_lines import Clash
from remem.edit.patch import Patch, merge_in, patch_between
from remem.model.aside import Vanished
from remem.model.change import Json, Splice
from remem.model.entry import Ref
from remem.model.source import Source


def put_back(draft: Draft, lost: Vanished) -> tuple[Ref, str]:
    """Plan to put one entry back, and return its ref and what to tell of it.

    Raises:
        NotPossible: Its place is gone, and its format cannot add such an entry.
        Refused: The file cannot be written.
    """
    source = next((s for s in draft.sources(lost.ref.format) if s.path == lost.path), None)
    if source is not None and source.is_writable:
        placed = _in_its_place(draft, source, lost)
        if placed is not None:
            return placed, ""
    library = draft.library
    each = library.format(lost.ref.format)
    if lost.kind not in each.kinds:
        raise NotPossible(
            f"the place of `{library.short(lost.ref)}` in `{lost.path.name}` is gone",
            hint="copy its text from `remem history` into the file",
        )
    fields: dict[str, Json] = dict(lost.fields)
    if library.has(lost.ref):
        fields.pop("id", None)
    addition = each.add(library.ground, draft.sources(each.name), lost.kind, fields)
    draft.take(addition.effects)
    return addition.ref, f"its place in `{lost.path.name}` was not found: it goes to the end"


def _in_its_place(draft: Draft, source: Source, lost: Vanished) -> Ref | None:
    """Take the text in where its neighbours stand; `None` where that would not read as before."""
    patch = Patch(lost.start, b"", lost.body, lost.above, lost.below)
    merged = merge_in(source.data, (patch,), lost.size - len(lost.body))
    if isinstance(merged, Clash):
        return None
    each = draft.library.format(source.format)
    after = each.read(replace(source, problems=()), merged, source)
    if len(after.entries) != len(source.entries) + 1 or not after.is_writable:
        return None
    known = {entry.ref for entry in source.entries}
    added = [entry for entry in after.entries if entry.ref not in known]
    if len(added) != 1 or added[0].title != lost.title or added[0].problems:
        return None
    draft.take(
        tuple(
            Splice(source.path, p.start, p.start + len(p.old), p.old, p.new, source.digest)
            for p in patch_between(source.data, merged)
        )
    )
    return added[0].ref
