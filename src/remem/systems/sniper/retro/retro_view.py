"""A sprint's retro as a person looks at it: what it says, why a finding waits, what it did.

It only reads. What the rules make of a finding is `retro_ingest.py`'s, and what a person may do
with one is the queue's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from remem.core.library import FileChange, Library
from remem.core.relation.normal_form import norm
from remem.core.waiting.kinds import decided, kind_of
from remem.edit.merge_lines import Clash
from remem.edit.patch import merge_in, reverse
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.store.changes.steps import Edited, Made, Step
from remem.store.history.journal_records import Logged
from remem.systems.sniper.estimates import can_take
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_files import files_of
from remem.systems.sniper.retro.retro_record import FOR_READING, Finding
from remem.systems.sniper.retro.retro_rules import UNTRACKED, met_in
from remem.systems.sniper.stores import StoreEntries
from remem.systems.sniper.waiting import Findings


def said(source: Source, finding: Finding) -> dict[str, str]:
    """Return what the retro says of a finding beside its text, by the retro's own words for it.

    Only what stands there: a confidence that nobody wrote is not in it.
    """
    item = retro_entries.raw_item(source, finding)
    if not isinstance(item, Mapping):
        return {}
    told = {str(key).replace("_", " "): _in_words(each) for key, each in item.items()}
    return {key: text for key, text in told.items() if text and text != _one_line(finding.text)}


def why_not(library: Library, source: Source, entry: Entry) -> str:
    """Return in a clause why a finding of a retro asks for no decision; empty = it may ask."""
    _, retro = retro_entries.parsed(source)
    found = retro_entries.finding_of(source, entry)
    if retro is None or found is None:
        return ""
    finding = found[1]
    done = decided(library, entry)
    if done is not None:
        return done.told(library)
    if not finding.text.strip():
        return "it has no text"
    if finding.section in FOR_READING:
        return "info only"
    if finding.recommendation == "ignore":
        return "the retro recommends ignoring it"
    if finding.section == "review_gate_failures" and not finding.waits:
        return UNTRACKED
    if not finding.kind:
        can = ", and can be applied to them" if can_take(library, entry) is None else ""
        return f"it is about estimates{can}"
    kind = kind_of(library, entry)
    if isinstance(kind, Findings) and not kind.is_offered(library, source, entry):
        return kind.why_not_offered(library, source, entry)
    if not finding.waits:
        what = f"recommends: {finding.recommendation}" if finding.recommendation else ""
        return f"the retro {what or 'has no recommendation'}"
    if _is_said_above(source, finding):
        return "found twice here, reviewed once"
    later = _later(library, source, finding)
    return f"`{later}` found it again; review it there" if later else ""


def _is_said_above(source: Source, finding: Finding) -> bool:
    """Tell whether an earlier item of the same retro says the same and asks about it."""
    _, retro = retro_entries.parsed(source)
    form = norm(finding.text)
    return retro is not None and any(
        each.section == finding.section
        and each.number < finding.number
        and each.waits
        and norm(each.text) == form
        for each in retro.findings
    )


def _later(library: Library, source: Source, finding: Finding) -> str:
    """Return a later retro that says the same and asks about it; empty = there is none."""
    form = norm(finding.text)
    for other in files_of(library):
        if retro_entries.age_of(other) <= retro_entries.age_of(source):
            continue
        _, retro = retro_entries.parsed(other)
        if retro is not None and any(
            each.waits and each.kind == finding.kind and norm(each.text) == form
            for each in retro.findings
        ):
            return other.path.stem
    return ""


def _in_words(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ", ".join(filter(None, map(_in_words, value)))
        case Mapping():
            return ", ".join(f"{key} {_in_words(each)}" for key, each in value.items())
        case _:
            return _one_line(str(value))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def retro_effect(
    library: Library, source: Source, history: Sequence[tuple[Logged, Sequence[Step]]]
) -> tuple[FileChange, ...]:
    """Return what a retro did to memory: each file without it, and as it stands.

    What others wrote since stands on both sides. A step that cannot be told apart from that is left
    out.

    Args:
        library: Where it lies.
        source: The retro.
        history: Changes with their steps, newest first.
    """
    refs = _entries_of(library, source.path.stem)
    now = {each.path: each.data for each in library.of_format("sniper")}
    stores = {each.path for each in library.of_format("sniper") if each.entries and _is_fed(each)}
    without = dict(now)
    for logged, steps in history:
        if not logged.undone and _is_of(logged, source, refs):
            for step in steps:
                if isinstance(step, Edited | Made) and step.path in stores:
                    without[step.path] = _taken_off(without[step.path], step)
    return tuple(
        FileChange(path, without[path], data) for path, data in now.items() if without[path] != data
    )


def _is_fed(source: Source) -> bool:
    return isinstance(source.entries, StoreEntries)


def _entries_of(library: Library, stem: str) -> frozenset[Ref]:
    """Return the entries that a retro brought, or that were met in it; few are parsed for it."""
    needle = stem.encode()
    found: set[Ref] = set()
    for source in library.of_format("sniper"):
        entries = source.entries
        if not isinstance(entries, StoreEntries) or needle not in source.data:
            continue
        for number, span in enumerate(entries.spans.items):
            is_named = source.data.find(needle, span.start, span.end) >= 0
            if is_named and stem in met_in(entries.value(number)):
                found.add(entries.ref(number))
    return frozenset(found)


def _is_of(logged: Logged, source: Source, refs: frozenset[Ref]) -> bool:
    """Tell whether a change was about a retro's findings, or about what came of them."""
    start = f"{source.path.stem}/"
    asked = (*logged.touched, *(ref for ref in logged.touched.values() if ref is not None))
    return any(ref in refs or ref.id.startswith(start) for ref in asked)


def _taken_off(data: bytes, step: Edited | Made) -> bytes:
    if isinstance(step, Made):
        return b"" if data == step.data else data
    merged = merge_in(data, reverse(step.patches), step.size_after)
    return data if isinstance(merged, Clash) else merged
