"""Candidates: entries of a store that are not in force until a person approves them.

A person may decide to keep one as a candidate: it leaves the queue, not its store. The team shares
that decision in `.remem/kept.yaml`. It holds for the text and the places where the candidate was
met by then: once it is met again, or its text changes, it waits again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from remem.core.library import Library
from remem.core.own_folder import KEPT, shared_list
from remem.core.relation.already_said import whole_text
from remem.core.relation.normal_form import fingerprint
from remem.core.waiting.item import Item, Why, evidence, item_id, suspects_in
from remem.core.waiting.kinds import Act, OfEntries, Plan, Usual, kind_of, usual
from remem.core.waiting.rejected import suppressed
from remem.edit.yaml_read import parse_document
from remem.model.change import texts_in
from remem.model.entry import Entry, Status
from remem.model.layout import Part
from remem.model.origin import origin_of
from remem.model.proposals_and_rejections import KeptCandidate, KeptCandidates
from remem.model.record import read_record
from remem.model.source import Source


class Candidate(OfEntries):
    """An entry of a store that no system has another reason for."""

    id = "candidate"
    order = 2
    status = Status.CANDIDATE
    asks_again = True

    def items(self, library: Library) -> Iterator[Item]:
        known = evidence(library)
        for source in library.sources:
            for entry in library.format(source.format).reader.waiting(source):
                if entry.status is not Status.CANDIDATE or kind_of(library, entry) is not None:
                    continue
                if not _is_answered(library, source, entry):
                    item = _item(library, source, entry)
                    found = known.get(entry.ref)
                    yield item if found is None else found.told(item)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        if kind_of(library, entry) is not None:
            return {}
        acts = usual(library, entry)
        acts["promote"] = replace(acts["approve"], plan=_promotion(library, entry))
        if library.format_of(entry).facets.met_in is not None:
            acts["keep"] = Act(Usual.KEEP, why_not=partial(_why_not_kept, library, entry))
        return acts


def _why_not_kept(library: Library, entry: Entry) -> str | None:
    is_done = is_kept(library, library.source_of(entry), entry)
    return "already kept as a candidate" if is_done else None


def _promotion(library: Library, entry: Entry) -> Plan | Usual:
    """Return what lifts a candidate: to the place that its system names, else into force."""
    facets = library.format_of(entry).facets
    lifts = facets.promote if entry.kind in facets.promoted_as_copy else None
    return lifts or Usual.PROMOTE


def _is_answered(library: Library, source: Source, entry: Entry) -> bool:
    """Tell whether a person kept it as a candidate, or turned down what came in from outside."""
    if source.part == Part.INBOX:
        says = whole_text(source, entry)
        if suppressed(library, entry.kind, says) is not None:
            return True
    return is_kept(library, source, entry)


def _item(library: Library, source: Source, entry: Entry) -> Item:
    each = library.format_of(entry)
    fields = each.reader.fields(source, entry)
    origin = origin_of(fields)
    where = f"from {origin.ref or origin.type}" if origin else ""
    why = "unconfirmed candidate"
    if source.part == Part.INBOX:
        why = "not yet in the team's decisions"
    facts = (where, str(fields.get("rationale") or fields.get("context") or ""))
    verbs = ("approve", "reject", "edit")
    return Item(
        id=item_id(library, Why.CANDIDATE, source, entry.kind, entry.title),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group=source.name,
        source=source.name,
        why=why,
        reason=Why.CANDIDATE,
        evidence=tuple(fact for fact in facts if fact),
        roles=entry.roles,
        suggested="",
        verbs=(*verbs, "merge") if entry.kind in each.facets.merges else verbs,
        suspects=suspects_in((entry.title, *texts_in(fields))),
        waiting=Candidate.id,
        stands_by=source.path,
    )


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
