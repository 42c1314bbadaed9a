"""Verified memory in a prompt: only what holds now, the best first (FORMATS 6.2, 6.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.formats.verified.source import FORMAT, VerifiedSource
from remem.model.citation import Checked, CitationStatus, Verdict, together
from remem.model.entry import Ref
from remem.model.prompt import Offer, Piece, Reason, Section
from remem.model.prompt import Verdict as Placed
from remem.model.verified import Memory
from remem.text import count

LAYER: Final = "repository memories"
MOST: Final = 20
"""Memories of one prompt (FORMATS 6.2)."""
_RULE: Final = "rule"
_HEAD: Final = "### Memory "
_SECTIONS: Final = {
    "title": Section("title", "## Repository Memories"),
    _RULE: Section(
        _RULE, "Check each memory against its cited lines before you rely on it.", "title"
    ),
}
_NONE: Final = "No repository memories available."


def offer(source: VerifiedSource) -> Offer:
    """Return the layer: the best memories that hold, and why each other one is out."""
    pieces: list[Piece] = []
    out: list[Placed] = []
    for memory, verdicts in sorted(source.judged(), key=lambda each: rank(each[0])):
        ref = Ref(FORMAT, memory.id, source.place)
        if together(verdicts) is not CitationStatus.VALID:
            out.append(Placed(ref, Reason.STATUS, why_out(verdicts), layer=LAYER))
        elif len(pieces) == MOST:
            told = f"the {MOST} best memories are in, and this is not among them"
            out.append(Placed(ref, Reason.LIMIT, told, layer=LAYER))
        else:
            text = block(memory, len(pieces) + 1)
            pieces.append(Piece(ref, text, rank(memory), _RULE, gap=1, counted=_HEAD))
    return Offer(
        LAYER,
        tuple(pieces),
        _SECTIONS,
        empty=_NONE,
        verdicts=tuple(out),
        remarks=tuple(_remarks(source)),
    )


def rank(memory: Memory) -> tuple[int | float | str, ...]:
    """Return the place of a memory: what held when it was verified last, then the fresh ones."""
    refreshed = memory.refreshed_at.timestamp() if memory.refreshed_at else 0.0
    return (0 if memory.has_held else 1, -refreshed, memory.id)


def block(memory: Memory, number: int) -> str:
    """Return a memory as the prompt has it; each part on one line, whatever breaks it holds."""
    lines = [f"{_HEAD}{number}: {_line(memory.subject)}", f"**Fact:** {_line(memory.fact)}"]
    if memory.reason.strip():
        lines.append(f"**Why:** {_line(memory.reason)}")
    lines.append("**Citations:**")
    lines += [
        f"  - `{_line(each.path)}` (lines {each.line_start}-{each.line_end})"
        for each in memory.citations
    ]
    return "\n".join([*lines, f"**ID:** `{memory.id}` (for refresh/invalidate)"])


def why_out(verdicts: Sequence[Verdict]) -> str:
    """Say what keeps a memory out of every prompt."""
    if not verdicts:
        return "nothing is cited, so that nothing proves it"
    bad = [verdict for verdict in verdicts if not verdict.is_valid]
    more = f", and {len(bad) - 1} more" if len(bad) > 1 else ""
    reason = f": {bad[0].error}" if bad[0].status is CitationStatus.UNCHECKED else ""
    return f"`{bad[0].citation}` {bad[0].became}{reason}{more}"


def _remarks(source: VerifiedSource) -> Iterator[str]:
    judged = [verdicts for _, verdicts in source.judged()]
    alone = [each for each in judged if any(v.checked is Checked.EXISTENCE for v in each)]
    if alone:
        told = count(len(alone), "repository memory", "repository memories")
        yield f"{told} not compared: the cited lines are there, and nobody kept their text"


def _line(text: str) -> str:
    return " ".join(text.split())
