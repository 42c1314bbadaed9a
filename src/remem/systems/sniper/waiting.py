"""What waits of SNIPER: findings of retros, and what `retro ingest` put into force by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.library import Library
from remem.core.relation.already_said import alike, relation
from remem.core.relation.normal_form import Alike, norm
from remem.core.waiting.item import Item, Why, item_id, suspects_in
from remem.core.waiting.kinds import (
    Act,
    Coming,
    Decided,
    OfEntries,
    Plan,
    Usual,
    coming_of,
    decided,
    kind_of,
    said_by,
    settled,
    usual,
)
from remem.core.waiting.rejected import suppressed
from remem.model.change import Json, texts_in
from remem.model.entry import Entry, Status
from remem.model.source import Source
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.records import CONVENTION, FINDING
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_files import files_of
from remem.systems.sniper.retro.retro_record import Finding, Retro
from remem.systems.sniper.retro.retro_rules import Outcome, is_met_again, met_in, outcome, sureness
from remem.systems.sniper.seen import mark_of, marked, merged_into
from remem.systems.sniper.stores import StoreEntries

_SNIPER: Final = "sniper"
_SHORTEST: Final = 4
"""Digits of an id that name what no longer waits."""


class Findings(OfEntries):
    """What a retro found and memory does not say: it may become an entry of a store."""

    id = FINDING
    order = 4
    claims = (FINDING,)
    system = _SNIPER
    kind = FINDING
    status = Status.CANDIDATE
    asks_again = True
    is_compared = True
    stays = True

    def items(self, library: Library) -> Iterator[Item]:
        """Yield what waits; what several retros found is one item, of the newest of them."""
        of_text: dict[tuple[str, str], list[tuple[tuple[str, int, str], Item]]] = {}
        for source in files_of(library):
            when = retro_entries.age_of(source)
            for entry in source.entries:
                if entry.status is Status.CANDIDATE:
                    item = self._item(library, source, entry)
                    if item is not None:
                        same = of_text.setdefault((item.kind, norm(item.title)), [])
                        same.append((when, item))
        newest = {max(same, key=lambda each: each[0])[1].ref: same for same in of_text.values()}
        for same in of_text.values():
            item = next(each for _, each in same if each.ref in newest)
            others = dict.fromkeys(each.group for _, each in same if each.group != item.group)
            told = (f"found in {', '.join(others)} too",) if others else ()
            yield replace(item, evidence=(*item.evidence, *told))

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        if not self._is_own(library, entry) or self.settled(library, entry) is not None:
            return {}
        return {
            "approve": Act(Usual.APPROVE),
            "reject": Act(Usual.REJECT),
            "keep": Act(Usual.KEEP),
            "promote": Act(Usual.PROMOTE_MET),
            "merge": Act(self.merging()),
        }

    def merging(self) -> Plan | Usual:
        """Return what plans to put findings into an entry that says the same."""
        return Usual.MERGE_MET

    def is_offered(self, library: Library, source: Source, entry: Entry) -> bool:
        """Tell whether an open finding is shown at all."""
        return self._is_own(library, entry)

    def why_not_offered(self, library: Library, source: Source, entry: Entry) -> str:
        """Return in a clause why an open finding is not shown."""
        return "another system handles it"

    def _is_own(self, library: Library, entry: Entry) -> bool:
        kind = kind_of(library, entry)
        return kind is not None and kind.id == self.id

    def coming(self, library: Library, entry: Entry) -> Coming:
        source = library.source_of(entry)
        retro, finding = finding_at(source, entry)
        if not finding.kind:
            raise NotPossible(
                "this finding is info only",
                hint="use `remem add` to write an entry",
            )
        seen = occurrence(source, retro, finding)
        return Coming(finding.kind, finding.text, _fields(source, retro, finding), seen=seen)

    def settled(self, library: Library, entry: Entry) -> Decided | None:
        try:
            coming = self.coming(library, entry)
        except NotPossible:
            return None  # info only, and nobody decides on it
        return _decided(library, entry, coming)

    def besides(self, library: Library, source: Source) -> Iterator[str]:
        """Yield what a person should know of the retro who decides on what it found."""
        yield from ()

    def judged(self, library: Library, finding: Finding) -> tuple[str, str]:
        """Return why a finding waits and the verb that the rules suggest."""
        settings = settings_of(library.of_format(_SNIPER))
        match outcome(finding, auto_codify=settings.memory.auto_codify):
            case Outcome.CONFIRM:
                return f"the retro recommends it{sureness(finding)}", "approve"
            case Outcome.KEEP:
                return f"the retro recommends it{sureness(finding)}", "keep"
            case _:
                is_gate = bool(finding.check)
                return "failed in the review gate, no rule covers it" if is_gate else (
                    "the retro recommends it; `memory.auto_codify` is off"
                ), ""

    def _item(self, library: Library, source: Source, entry: Entry) -> Item | None:
        """Return the item of a finding; `None` where memory or a rejection answers it already."""
        retro, finding = finding_at(source, entry)
        if not self.is_offered(library, source, entry) or settled(library, entry):
            return None
        coming = self.coming(library, entry)
        matches = alike(library, coming.kind, coming.text)
        exact = [match.entry for match in matches if match.alike is Alike.EXACT]
        stem = source.path.stem
        reason = Why.GATE_FAILURE if finding.check else Why.FINDING
        why, suggested = self.judged(library, finding)
        if exact:
            reason, suggested = Why.RECURRENCE, "approve"
            why = f"candidate `{library.short(exact[0].ref)}` seen again"
        elif matches:
            suggested = "merge" if matches[0].alike is Alike.NEAR else ""
            why = f"{relation(matches[0].alike)} `{library.short(matches[0].entry.ref)}`"
        is_opposed = bool(matches) and matches[0].alike is Alike.CONTRADICTION
        suspects = suspects_in((coming.text, *texts_in(coming.fields)))
        if suspects:
            suggested, why = "", suspects[0].message
        return Item(
            id=item_id(library, reason, source, coming.kind, coming.text),
            ref=entry.ref,
            digest=entry.digest,
            kind=coming.kind,
            title=coming.text,
            group=stem,
            source=source.name,
            why=why,
            reason=reason,
            evidence=(*_evidence(retro, finding), *self.besides(library, source)),
            roles=entry.roles,
            suggested=suggested,
            verbs=("approve", "keep", "reject", *(() if is_opposed else ("merge",))),
            suspects=suspects,
            waiting=self.id,
            stands_by=source.path,
        )


class Added(OfEntries):
    """What `retro ingest` put into force, and nobody looked at yet."""

    id = "added"
    order = 1
    system = _SNIPER
    status = Status.ACTIVE
    is_sought = True

    def items(self, library: Library) -> Iterator[Item]:
        retro = {source.path.stem: source for source in reversed(files_of(library))}
        for source in library.of_format(_SNIPER):
            for entry in marked(source):
                fields = _fields_of(library, entry)
                stem = mark_of(fields)
                yield _added_item(library, source, entry, fields, retro.get(stem))

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        entries = library.source_of(entry).entries
        if not isinstance(entries, StoreEntries):
            return {}
        if not mark_of(entries.value(entries.number(entry))):
            return {}
        return usual(library, entry)


def finding_at(source: Source, entry: Entry) -> tuple[Retro, Finding]:
    """Return the finding that an entry of a retro stands for.

    Raises:
        NotPossible: The retro no longer has it.
    """
    found = retro_entries.finding_of(source, entry)
    if found is None:
        raise NotPossible(f"`{source.name}` no longer has this finding")
    return found


def occurrence(source: Source, retro: Retro, finding: Finding) -> dict[str, Json]:
    """Return one item of an entry's `seen`."""
    item: dict[str, Json] = {"ref": source.path.stem, "date": retro.date}
    if finding.stories:
        item["stories"] = list(finding.stories)
    return item


def _fields(source: Source, retro: Retro, finding: Finding) -> dict[str, Json]:
    is_gate = finding.section == "review_gate_failures"
    origin: dict[str, Json] = {
        "type": "review_gate" if is_gate else "retro",
        "ref": source.path.stem,
        "date": retro.date,
    }
    roles: list[Json] = list(finding.roles)
    if finding.kind == CONVENTION:
        return {
            "rule": finding.text,
            "rationale": finding.evidence,
            "source": origin,
            "applies_to": roles,
        }
    if finding.stories:
        origin["story"] = finding.stories[0]
    return {
        "description": finding.text,
        "source": origin,
        "applies_to": roles,
        "severity": finding.severity,
    }


def _evidence(retro: Retro, finding: Finding) -> Iterator[str]:
    if finding.area:
        yield f"about {finding.area.replace('_', ' ')}"
    if finding.evidence:
        yield finding.evidence
    if finding.check:
        yield f"the check `{finding.check}` failed {count(finding.occurrences, 'time')}"
    elif finding.occurrences:
        yield f"{count(finding.occurrences, 'occurrence')}"
    if finding.stories:
        yield f"in {', '.join(finding.stories)}"
    if retro.date:
        yield f"found on {retro.date}"


def _added_item(
    library: Library, source: Source, entry: Entry, fields: Mapping[str, Json], retro: Source | None
) -> Item:
    where = f"became `{library.short(entry.ref)}`"
    facts = (where, str(fields.get("rationale") or ""))
    return Item(
        id=item_id(library, Why.ADDED, source, entry.kind, entry.title),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group=mark_of(fields),
        source=source.name,
        why="auto-added by `retro ingest` · not reviewed",
        reason=Why.ADDED,
        evidence=tuple(fact for fact in facts if fact),
        roles=entry.roles,
        suggested="approve",
        verbs=("approve", "reject", "edit", "merge"),
        waiting=Added.id,
        stands_by=retro.path if retro is not None else None,
    )


def _fields_of(library: Library, entry: Entry) -> Mapping[str, Json]:
    return library.format_of(entry).reader.fields(library.source_of(entry), entry)


def _decided(library: Library, entry: Entry, coming: Coming) -> Decided | None:

    rejection = suppressed(library, coming.kind, coming.text)
    if rejection is not None:
        return Decided("rejected", rejection=rejection)
    stem = library.source_of(entry).path.stem
    merged = merged_into(library, coming.kind, coming.text)
    if merged is not None:
        if began_with(library, merged, stem):  # approved in other words
            return _became(merged)
        return Decided("merged", merged)
    same = said_by(library, coming.kind, coming.text)
    if not same or _is_recurrence(library, entry, same):
        return None
    became = next((each for each in same if stem in met_in(_fields_of(library, each))), None)
    if became is None:
        return Decided("known", same[0])
    return _became(became)


def _became(entry: Entry) -> Decided:
    return Decided("kept" if entry.status is Status.CANDIDATE else "confirmed", entry)


def began_with(library: Library, entry: Entry, stem: str) -> bool:
    """Tell whether an entry began with a retro: it is one of its findings, maybe reworded."""
    source = _fields_of(library, entry).get("source")
    return isinstance(source, Mapping) and source.get("ref") == stem


def _is_recurrence(library: Library, entry: Entry, same: Sequence[Entry]) -> bool:
    """Tell whether a finding meets candidates from elsewhere once more; anything else is known."""
    source = library.source_of(entry)
    retro, finding = finding_at(source, entry)
    return all(
        each.status is Status.CANDIDATE
        and is_met_again(_fields_of(library, each), source.path.stem, retro, finding)
        for each in same
    )


def decided_named(library: Library, name: str) -> Entry | None:
    """Return the decided finding of that ref, or of the id under which it waited."""
    found: dict[str, Entry] = {}
    for source in files_of(library):
        for entry in source.entries:
            if entry.kind != FINDING or decided(library, entry) is None:
                continue
            if name in (str(entry.ref), library.short(entry.ref), entry.ref.id):
                return entry
            coming = coming_of(library, entry)
            for why in (Why.FINDING, Why.GATE_FAILURE, Why.RECURRENCE):
                known = item_id(library, why, source, coming.kind, coming.text)
                if len(name) >= _SHORTEST and known.startswith(name):
                    found.setdefault(known, entry)
    return next(iter(found.values())) if len(found) == 1 else None
