"""What came while the program was open: retros that are new, or that read otherwise now.

Pure: it compares snapshots and words one line; where that stands is the app's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.systems.sniper.retro_files import files_of
from remem.views.spans import Span, Spans, Tone, span

if TYPE_CHECKING:
    from remem.core.waiting.item import Item


@dataclass(frozen=True, slots=True)
class Arrival:
    """A retro that came, or came again."""

    name: str
    findings: int
    waiting: int
    is_broken: bool = False
    """It cannot be read."""


def stamps_of(library: Library) -> Mapping[Path, str]:
    """Return the digest of every retro's file."""
    return {source.path: source.digest for source in files_of(library)}


def came(before: Mapping[Path, str], now: Mapping[Path, str]) -> frozenset[Path]:
    """Return the retros that are new or read otherwise."""
    return frozenset(path for path, digest in now.items() if before.get(path) != digest)


def arrivals(
    library: Library, paths: Collection[Path], items: Sequence[Item]
) -> tuple[Arrival, ...]:
    """Return what is known of retros that came; what is gone again is left out."""
    from remem.systems.sniper import retros

    return tuple(
        Arrival(
            name=source.path.stem,
            findings=len(source.entries),
            waiting=sum(item.group == source.path.stem for item in items),
            is_broken=retros.parsed(source)[1] is None,
        )
        for source in files_of(library)
        if source.path in paths
    )


def news_line(found: Sequence[Arrival], *, review: str, health: str) -> Spans:
    """Return one line on all that came: `sprint-7-retro came: 12 findings, 9 wait · 2 to see them`.

    Args:
        found: At least one.
        review: The key of Review; empty = the person is there.
        health: The key of Health.
    """
    broken = sum(each.is_broken for each in found)
    named = found[0].name if len(found) == 1 else count(found, "retro")
    what = span(named, Tone.STRONG)
    if broken == len(found):
        return (what, Span(" came and cannot be read", Tone.WARN), *_hint(health, "see why"))
    findings = sum(each.findings for each in found)
    waiting = sum(each.waiting for each in found)
    told = f" came: {count(findings, 'finding')}, {waiting:,} to review"
    lost = f", {count(broken, 'file')} cannot be read" if broken else ""
    return (what, Span(told), Span(lost, Tone.WARN), *_hint(review, "see them"))


def _hint(key: str, does: str) -> Spans:
    if not key:
        return ()
    return (Span(" · ", Tone.DIM), Span(key, Tone.KEY), Span(f" to {does}", Tone.DIM))
