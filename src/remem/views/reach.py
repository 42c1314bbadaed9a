"""What a plan does to the prompts, for its dialog: everybody whose tokens change, now and after."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from remem.base.text import count
from remem.core.prompt.impact import Impact, Measure, impact, measure_of
from remem.core.prompt.reached import agents_reached
from remem.core.prompt.requests import asker, role_asks
from remem.core.session import Session
from remem.model.change import Change
from remem.model.entry import Ref
from remem.systems.workspace.promotion_verbs import WORKSPACE_PROMOTE
from remem.views.document import TextLine, span_line, text_line
from remem.views.spans import Span, Tone, span

_MOST: Final = 8
"""Who is named; the rest is counted."""


def reach_lines(session: Session, changes: Sequence[Change]) -> list[TextLine]:
    """Return what changes that follow each other do to every prompt; takes a moment.

    Args:
        session: Composes.
        changes: Each planned on what the one before leaves.
    """
    found = [each for each in _reached(session, changes) if _matters(each[1])]
    if not found:
        return [text_line("no prompt changes", Tone.DIM), TextLine("")]
    return [*_told(session, changes[-1], found), TextLine("")]


def others_lines(session: Session, change: Change, told: Collection[str]) -> list[TextLine]:
    """Return what a change does to prompts that a table beside it does not tell of.

    Args:
        session: Composes; for every role and agent, so it takes a moment.
        change: Planned on what stands.
        told: Whom the table names.
    """
    reached = _reached(session, [change])
    found = [each for each in reached if each[0] not in told and _matters(each[1])]
    return _told(session, change, found) if found else []


def _told(
    session: Session, last: Change, found: Sequence[tuple[str, Impact, str]]
) -> list[TextLine]:
    is_here = last.intent.verb != WORKSPACE_PROMOTE.id
    name = session.library.short if is_here else str
    measure = measure_of(each for _, each, _ in found)
    lines = [line for each in found[:_MOST] for line in _lines(*each, measure, name)]
    if len(found) > _MOST:
        lines.append(text_line(f"and {count(len(found) - _MOST, 'more prompt')}", Tone.DIM))
    return lines


def _reached(session: Session, changes: Sequence[Change]) -> Iterator[tuple[str, Impact, str]]:
    """Yield who it is, what it does to their prompt, and what stands before an estimate."""
    about = "" if session.counter.exact else "≈"
    last = changes[-1]
    if last.intent.verb == WORKSPACE_PROMOTE.id:
        yield from ((asker(ask), each, about) for ask, each in session.reach(last))
        return
    before = after = session.library
    stands: set[Ref] = set()
    for change in changes:
        after = after.preview(change.effects)
        stands |= change.stands
    for ask in role_asks(before):
        two = session.compose(ask), session.compose(ask, library=after)
        yield asker(ask), impact(*two, stands), about
    for each in agents_reached(session, after, stands):
        tool = each.after.tool
        who = f"{each.name} · {tool}" if tool != each.name else each.name
        yield who, each.impact, "" if each.after.prompt.exact else "≈"


def _matters(found: Impact) -> bool:
    return bool(found.difference or found.pushed_out or found.let_in or found.no_room)


def _lines(
    who: str, found: Impact, about: str, measure: Measure, name: Callable[[Ref], str]
) -> Iterator[TextLine]:
    of = found.figures(measure)
    limit = f" / {of.budget:,}" if of.budget else " tokens"
    told = f"{about}{of.before:,} to {about}{of.after:,}{limit}"
    delta = f" {of.after - of.before:+,}"
    yield span_line((span(f"{who}  {measure} "), Span(told, Tone.STRONG), Span(delta)))
    moves = (
        (found.no_room, "over budget:"),
        (found.pushed_out, "drops"),
        (found.let_in, "adds"),
    )
    for refs, does in moves:
        if refs:
            yield text_line(f"  {does} {', '.join(map(name, refs))}", Tone.WARN)
