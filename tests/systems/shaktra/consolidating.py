"""Consolidation without files: memory and stories as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from remem.model.entry import Ref
from remem.systems.shaktra.consolidation.counted_observations import sha_of
from remem.systems.shaktra.consolidation.outcome import consolidate
from remem.systems.shaktra.consolidation.terms import (
    Changed,
    Memory,
    Noted,
    Outcome,
    Story,
    held,
    noted,
)
from remem.systems.shaktra.faults import read_observation, read_settings, read_stored
from remem.systems.shaktra.records import ANTI_PATTERN, PRINCIPLE, PROCEDURE, Settings

KINDS = {"PR": PRINCIPLE, "AP": ANTI_PATTERN, "PC": PROCEDURE}
TODAY = "2026-05-04"


def settings(**memory: float) -> Settings:
    return read_settings({"memory": memory})[0]


def memory(
    *items: Mapping[str, Any],
    rules: Settings | None = None,
    rejected: Sequence[str] = (),
    proposed: Sequence[str] = (),
) -> Memory:
    """Return memory with these entries; texts that were rejected, or wait as proposals."""
    entries = []
    for item in items:
        record, status, _ = read_stored(KINDS[str(item["id"])[:2]], item)
        entries.append(held(Ref("shaktra", record.id, "shop"), record, status))
    return Memory(
        tuple(entries),
        rules or Settings(),
        lambda kind, text: "too specific" if text in rejected else "",
        frozenset(proposed),
        TODAY,
    )


def seen_in(story: str, *items: Mapping[str, Any]) -> tuple[Noted, ...]:
    return tuple(
        noted(
            Ref("shaktra", f"{story}/{item['id']}", "shop"),
            story,
            read_observation(item)[0],
            sha_of(item),
            "",
        )
        for item in items
    )


def story(
    *items: Mapping[str, Any],
    recent: tuple[Noted, ...] = (),
    everywhere: tuple[Noted, ...] = (),
    is_incident: bool = False,
) -> Story:
    """Return the story ST-040 with what it observed, and what others did before it."""
    fresh = seen_in("ST-040", *items)
    return Story("ST-040", fresh, (*recent, *fresh), (*everywhere, *recent, *fresh), is_incident)


def outcome(found: Memory, *items: Mapping[str, Any], **around: Any) -> Outcome:
    return consolidate(found, story(*items, **around))


def changed(found: Outcome, name: str) -> Changed:
    return next(each for each in found.changed if each.entry.record.id == name)
