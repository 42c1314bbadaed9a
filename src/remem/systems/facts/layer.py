"""Verified memory in a prompt: only what holds now, the best first (FORMATS 6.2, 6.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.text import count
from remem.model.citation import CitationStatus, Verdict
from remem.model.entry import Ref
from remem.model.prompt import Offer, Piece, Reason, Section
from remem.model.prompt import Verdict as Placed
from remem.systems.facts.records import Memory, judgement
from remem.systems.facts.source import FORMAT, VerifiedSource

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
_UNREAD: Final = (
    "Repository memories could not be read now, and are missing here. "
    "Do not take it that there are none."
)


def offer(source: VerifiedSource) -> Offer:
    """Return the layer: the best memories that hold, and why each other one is out."""
    pieces: list[Piece] = []
    out: list[Placed] = []
    for memory, verdicts in sorted(source.judged(), key=lambda each: rank(each[0])):
        ref = Ref(FORMAT, memory.id, source.place)
        if judgement(memory, verdicts) is not CitationStatus.VALID:
            out.append(Placed(ref, Reason.STATUS, why_out(memory, verdicts), layer=LAYER))
        elif len(pieces) == MOST:
            told = f"not among the {MOST} best facts"
            out.append(Placed(ref, Reason.LIMIT, told, layer=LAYER))
        else:
            text = block(memory, len(pieces) + 1)
            pieces.append(Piece(ref, text, rank(memory), _RULE, gap=1, counted=_HEAD))
    return Offer(
        LAYER,
        tuple(pieces),
        _SECTIONS,
        empty=_NONE if source.proofs is not None else _UNREAD,
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
        f"  - `{_line(str(each))}`"
        if each.is_claim
        else f"  - `{_line(each.path)}` (lines {each.line_start}-{each.line_end})"
        for each in memory.citations
    ]
    return "\n".join([*lines, f"**ID:** `{memory.id}` (for refresh/invalidate)"])


def why_out(memory: Memory, verdicts: Sequence[Verdict]) -> str:
    """Say what keeps a memory out of every prompt."""
    bad = [verdict for verdict in verdicts if not verdict.is_valid]
    unread = [each.message for each in memory.problems if each.field == "citations"]
    if not bad and unread:
        return unread[0]
    if not bad:
        return "it has no citations"
    more = f", and {len(bad) - 1} more" if len(bad) > 1 else ""
    reason = f": {bad[0].error}" if bad[0].status is CitationStatus.UNCHECKED else ""
    return f"`{bad[0].citation}` {bad[0].became}{reason}{more}"


def _remarks(source: VerifiedSource) -> Iterator[str]:
    alone = sum(any(each.is_there for each in verdicts) for _, verdicts in source.judged())
    if alone:
        told = count(alone, "fact is", "facts are")
        why = "the cited text was never recorded"
        yield f"{told} left out, not checked: {why}; `remem memory refresh ID` keeps it"


def _line(text: str) -> str:
    return " ".join(text.split())


EMPTY: Final = "No repository memories available."
_TITLE: Final = (
    "## Repository Memories\n\nCheck each memory against its cited lines before you rely on it."
)


def prompt_block(memories: Sequence[Memory]) -> str:
    """Return the section, with a final newline; a sentence where there are none."""
    if not memories:
        return f"{EMPTY}\n"
    parts = (block(each, number) for number, each in enumerate(memories, 1))
    return "\n\n".join((_TITLE, *parts)) + "\n"
