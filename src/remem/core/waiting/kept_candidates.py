"""Candidates that a person decided to keep as candidates: they leave the queue, not their store.

The team shares the decision in `.remem/kept.yaml`. It holds for the text and the places where the
candidate was met by then: once it is met again, or its text changes, it waits again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import Refused
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.own_folder import FOLDER, KEPT, ignore_file, shared_file, shared_list
from remem.core.relation.similar import fingerprint
from remem.core.waiting.rejected import UNKNOWN
from remem.edit import yaml_splice
from remem.edit.yaml_read import index, parse_document
from remem.edit.yaml_write import render
from remem.model.change import Create, Json
from remem.model.decision import KeptCandidate, KeptCandidates
from remem.model.decode import read_record
from remem.model.entry import Entry, Ref, Status
from remem.model.source import MEND, Source

_NAME: Final = Path(f"{KEPT}.yaml")


def is_kept(library: Library, source: Source, entry: Entry) -> bool:
    """Tell whether a candidate stays one by a person's decision, and nothing new is known of it."""
    found = shared_list(library.sources, KEPT)
    if found is None:
        return False
    known = _by_ref(found.data).get(str(entry.ref.without_place()))
    return known is not None and known.fingerprint == _fingerprint(library, source, entry)


def is_keepable(library: Library, entry: Entry) -> bool:
    """Tell whether an entry is a candidate of a store."""
    return entry.status is Status.CANDIDATE and library.format_of(entry).facets.met_in is not None


def remember_kept(draft: Draft, refs: Iterable[Ref]) -> None:
    """Plan to remember that these stay candidates, as what was drafted so far leaves them.

    Raises:
        Refused: The list cannot be written.
    """
    library = draft.library
    ground = library.ground
    wanted = set(refs)
    items = [
        _item(library, source, entry)
        for name in dict.fromkeys(ref.format for ref in wanted)
        for source in draft.sources(name)
        for entry in source.entries
        if entry.ref in wanted
    ]
    there = shared_list(library.sources, KEPT)
    if there is None:
        path = ground.root / FOLDER / _NAME
        kept: list[Json] = list(items)
        draft.take((*ignore_file(ground), Create(path, render({KEPT: kept}))))
    else:
        _write(draft, there, items)
    draft.take(shared_file(ground, str(_NAME)))


def _item(library: Library, source: Source, entry: Entry) -> dict[str, Json]:
    return {
        "ref": str(entry.ref.without_place()),
        "fingerprint": _fingerprint(library, source, entry),
        "date": library.ground.given.clock.today().isoformat(),
        "by": library.by or UNKNOWN,
    }


def _write(draft: Draft, there: Source, items: Iterable[Mapping[str, Json]]) -> None:
    if not there.is_writable:
        raise Refused(
            f"`{there.path}` is read-only here, so the decision cannot be saved",
            hint=MEND,
        )
    for item in items:
        spans = index(there.data, KEPT)
        numbers = [n for n, ref in enumerate(_refs(there.data)) if ref == item["ref"]]
        if numbers:
            edits = yaml_splice.set_fields(there.data, spans, numbers[-1], dict(item))
        else:
            edits = yaml_splice.add_item(there.data, KEPT, item)
        draft.take(there.splices(edits))
        (there,) = (each for each in draft.sources(there.format) if each.path == there.path)


def _fingerprint(library: Library, source: Source, entry: Entry) -> str:
    """Return what stands for a candidate's text and the places where it was met."""
    each = library.format(source.format)
    met_in = each.facets.met_in
    places = met_in(each.fields(source, entry)) if met_in is not None else ()
    return fingerprint("\0".join((entry.kind, *sorted(places))), entry.title)


@lru_cache(maxsize=8)
def _by_ref(data: bytes) -> Mapping[str, KeptCandidate]:
    value = parse_document(data).value
    if not isinstance(value, Mapping):
        return {}
    record, _ = read_record(KeptCandidates, value)
    return {each.ref: each for each in record.kept}


def _refs(data: bytes) -> list[str]:
    value = parse_document(data).value
    items = value.get(KEPT) if isinstance(value, Mapping) else None
    listed = items if isinstance(items, list) else []
    return [str(each.get("ref")) if isinstance(each, Mapping) else "" for each in listed]
