"""Candidates that a person decided to keep as candidates: they leave the queue, not their store.

The team shares the decision in `.remem/kept.yaml`. It holds for the text and the places where the
candidate was met by then: once it is met again, or its text changes, it waits again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.core.library import Library
from remem.core.own_folder import KEPT, shared_list
from remem.core.relation.normal_form import fingerprint
from remem.edit.yaml_read import parse_document
from remem.model.decision import KeptCandidate, KeptCandidates
from remem.model.decode import read_record
from remem.model.entry import Entry, Status
from remem.model.source import Source

_NAME: Final = Path(f"{KEPT}.yaml")


def is_kept(library: Library, source: Source, entry: Entry) -> bool:
    """Tell whether a candidate stays one by a person's decision, and nothing new is known of it."""
    found = shared_list(library.sources, KEPT)
    if found is None:
        return False
    known = _by_ref(found.data).get(str(entry.ref.without_place()))
    return known is not None and known.fingerprint == fingerprint_met(library, source, entry)


def is_keepable(library: Library, entry: Entry) -> bool:
    """Tell whether an entry is a candidate of a store."""
    return entry.status is Status.CANDIDATE and library.format_of(entry).facets.met_in is not None


def fingerprint_met(library: Library, source: Source, entry: Entry) -> str:
    """Return what stands for a candidate's text and the places where it was met."""
    each = library.format(source.format)
    met_in = each.facets.met_in
    places = met_in(each.reader.fields(source, entry)) if met_in is not None else ()
    return fingerprint("\0".join((entry.kind, *sorted(places))), entry.title)


@lru_cache(maxsize=8)
def _by_ref(data: bytes) -> Mapping[str, KeptCandidate]:
    value = parse_document(data).value
    if not isinstance(value, Mapping):
        return {}
    record, _ = read_record(KeptCandidates, value)
    return {each.ref: each for each in record.kept}
