"""One line on files that came while somebody looked on."""

from __future__ import annotations

from collections.abc import Sequence

from remem.base.text import count
from remem.core.arrivals import Arrival
from remem.views.spans import Span, Spans, Tone, span


def news_line(found: Sequence[Arrival], *, review: str, health: str) -> Spans:
    """Return one line on all that came: `sprint-7-retro came: 12 findings, 9 wait · 2 to see them`.

    Args:
        found: At least one.
        review: The key of Review; empty = the person is there.
        health: The key of Health.
    """
    broken = sum(each.is_broken for each in found)
    sorts = {each.called for each in found}
    many = count(found, sorts.pop() if len(sorts) == 1 else "file")
    what = span(found[0].name if len(found) == 1 else many, Tone.STRONG)
    if broken == len(found):
        return (what, Span(" is new but cannot be read", Tone.WARN), *_hint(health, "see why"))
    findings = sum(each.findings for each in found)
    waiting = sum(each.waiting for each in found)
    told = f" came: {count(findings, 'finding')}, {waiting:,} to review"
    lost = f", {count(broken, 'file')} cannot be read" if broken else ""
    return (what, Span(told), Span(lost, Tone.WARN), *_hint(review, "see them"))


def _hint(key: str, does: str) -> Spans:
    if not key:
        return ()
    return (Span(" · ", Tone.DIM), Span(key, Tone.KEY), Span(f" to {does}", Tone.DIM))
