"""What a plan does to the prompts, for its dialog: everybody whose tokens change, now and after."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.prompt.agents_reached import Starts, agents_reached
from remem.core.prompt.asks import EVERYONE, WHO_IS_EVERYONE, asker, role_asks
from remem.core.prompt.impact import Impact, Measure, impact, measure_of
from remem.core.session import Session
from remem.model.change import Change
from remem.model.entry import Ref
from remem.systems.workspace.workspace_verbs import WORKSPACE_PROMOTE
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.review.impact import ADDS, DROPS, NO_ROOM, OTHER_WORDS
from remem.views.spans import Span, Spans, Tone, change, span

_MOST: Final = 8
"""Who is named; the rest is counted."""
STARTS: Final = {Starts.NO_LONGER: "no longer starts", Starts.NOW: "starts now"}
"""What is said of an agent that is there only before or only after a change."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What a change does to one prompt, and whose it is."""

    who: str
    impact: Impact
    about: str
    """Stands before an estimate."""
    starts: Starts = Starts.BOTH
    is_for_all: bool = False
    """It is the row where no role is named."""
    differs: bool = True
    """It says anything else."""

    @property
    def matters(self) -> bool:
        found = self.impact
        moves = found.difference or found.pushed_out or found.let_in or found.no_room
        return bool(self.starts or moves)


def reach_lines(session: Session, changes: Sequence[Change]) -> list[TextLine]:
    """Return what changes that follow each other do to every prompt; takes a moment.

    Args:
        session: Composes.
        changes: Each planned on what the one before leaves.
    """
    reached = [*_reached(session, changes)]
    found = [each for each in reached if each.matters]
    reworded = [each for each in reached if each.differs and not each.matters]
    if not found and not reworded:
        return [text_line("no prompt changes", Tone.DIM), TextLine("")]
    told = _told(session, changes[-1], found) if found else []
    return [*told, *_reworded(reworded), TextLine("")]


def _reworded(found: Sequence[_Told]) -> Iterator[TextLine]:
    """Yield who is given other words of as many tokens."""
    if found:
        names = ", ".join(each.who for each in found[:_MOST])
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        yield text_line(f"{OTHER_WORDS}: {names}{more}")


def others_lines(session: Session, change: Change, told: Collection[str]) -> list[TextLine]:
    """Return what a change does to prompts that a table beside it does not tell of.

    Args:
        session: Composes; for every role and agent, so it takes a moment.
        change: Planned on what stands.
        told: Whom the table names.
    """
    reached = _reached(session, [change])
    found = [each for each in reached if each.who not in told and each.matters]
    return _told(session, change, found) if found else []


def _told(session: Session, last: Change, found: Sequence[_Told]) -> list[TextLine]:
    is_here = last.intent.verb != WORKSPACE_PROMOTE.id
    name = session.library.short if is_here else str
    measure = measure_of(each.impact for each in found if not each.starts)
    named = found[:_MOST]
    # Who starts or no longer does has the whole prompt told, and no row among the figures.
    figures = iter(_columns([each for each in named if not each.starts], measure))
    lines: list[TextLine] = []
    for each in named:
        lines += [_starts_line(each)] if each.starts else [span_line(next(figures))]
        lines += _moves(each, name)
    if len(found) > _MOST:
        lines.append(text_line(f"and {count(len(found) - _MOST, 'more prompt')}", Tone.DIM))
    if any(each.is_for_all for each in found):
        lines.append(text_line(WHO_IS_EVERYONE, Tone.DIM))
    return lines


def _reached(session: Session, changes: Sequence[Change]) -> Iterator[_Told]:
    """Yield whose prompt it is and what happens to it: who starts or no longer does comes first."""
    about = "" if session.counter.exact else "≈"
    last = changes[-1]
    if last.intent.verb == WORKSPACE_PROMOTE.id:
        for ask, found in session.reach(last):
            yield _Told(asker(ask), found, about, is_for_all=not ask.role)
        return
    before = after = session.library
    stands: set[Ref] = set()
    for planned in changes:
        after = after.preview(planned.effects)
        stands |= planned.stands
    agents = [*agents_reached(session, after, stands)]
    told = []
    for each in agents:
        who = f"{each.name} · {each.tool}" if each.tool != each.name else each.name
        told.append(_Told(who, each.impact, "" if each.exact else "≈", each.starts))
    yield from (each for each in told if each.starts)
    for ask in role_asks(before, after):
        two = session.compose(ask), session.compose(ask, library=after)
        who, is_for_all = asker(ask) or EVERYONE, not ask.role
        differs = two[0].text != two[1].text
        yield _Told(who, impact(*two, stands), about, is_for_all=is_for_all, differs=differs)
    yield from (each for each in told if not each.starts)


def _columns(found: Sequence[_Told], measure: Measure) -> list[Spans]:
    """Return for each what they had and will have, every figure below its like."""
    if not found:
        return []
    rows = []
    for each in found:
        of, about = each.impact.figures(measure), each.about
        limit = f" / {of.budget:,} tokens" if of.budget else " tokens"
        two = (f"{about}{of.before:,}", f"{about}{of.after:,}")
        rows.append((span(each.who).text, *two, limit, change(of.before, of.after)))
    whose, had, has, ends, differs = (
        max(map(cell_len, column)) for column in zip(*rows, strict=True)
    )
    return [
        (
            Span(f"{set_cell_size(who, whose)}  {measure} "),
            Span(f"{before:>{had}} → {after:>{has}}{limit:{ends}}", Tone.STRONG),
            Span(f" {delta:>{differs}}"),
        )
        for who, before, after, limit, delta in rows
    ]


def _starts_line(each: _Told) -> TextLine:
    tokens = max(each.impact.tokens_before, each.impact.tokens_after)
    cost = Span(f" (whole prompt {each.about}{tokens:,} tokens)")
    return span_line((span(f"{each.who} "), Span(STARTS[each.starts], Tone.STRONG), cost))


def _moves(each: _Told, name: Callable[[Ref], str]) -> Iterator[TextLine]:
    """Yield which entries come into a prompt that stays, or leave it."""
    if each.starts:
        return
    found = each.impact
    moves = (
        (found.no_room, NO_ROOM),
        (found.pushed_out, DROPS),
        (found.let_in, ADDS),
    )
    for refs, does in moves:
        if refs:
            yield text_line(f"  {does} {', '.join(map(name, refs))}", Tone.WARN)
