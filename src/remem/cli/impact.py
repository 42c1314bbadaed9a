"""What a change does to prompts, told by the commands that decide: who gets what, before and after.

It is what Review shows of roles, and of agents what Prompt shows of them; nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from remem.base.errors import RememError
from remem.base.text import count
from remem.cli.out import NOTHING, print_table, say
from remem.core.library import Library
from remem.core.prompt.agents_reached import Starts, agents_reached
from remem.core.prompt.asks import EVERYONE, WHO_IS_EVERYONE, asks_about, role_asks, roles_about
from remem.core.prompt.impact import Impact, Measure, impact, measure_of
from remem.core.session import Session
from remem.core.waiting.item import Item, kinds_drawn
from remem.model.change import Change, Intent, Json
from remem.model.entry import Ref
from remem.model.prompt import Ask
from remem.systems.workspace.workspace_verbs import WORKSPACE_PROMOTE
from remem.views.documents.entries import ReachReport
from remem.views.prompts.plan_impact import STARTS
from remem.views.review.impact import ADDS, DROPS, NO_ROOM, OTHER_WORDS

_NAMED: Final = 4
"""Entries that are named one by one of each kind; the rest are counted."""


def impact_of(session: Session, change: Change) -> tuple[ReachReport, ...]:
    """Return whose prompts a change changes: roles by name, then agents tool by tool."""
    session.load_counter()
    if change.intent.verb == WORKSPACE_PROMOTE.id:
        told = [(ask, each) for ask, each in session.reach(change) if not each.changes_nothing]
        return (*_of_roles(session, told, str),)
    after = session.library.preview(change.effects)
    asks = role_asks(session.library, after)
    return (*_roles(session, change, asks, after), *_agents(session, change, after))


def room_lines(session: Session, change: Change, before: Library) -> Iterator[str]:
    """Yield for whom a change that was made dropped entries, let some in or is over the budget.

    Only roles whose memory has a budget are looked at.
    """
    asks = role_asks(before, session.library)
    if not (asks and any(each.is_held for each in session.compose(asks[0], library=before).layers)):
        return
    session.load_counter()
    found = (
        (ask, impact(session.compose(ask, library=before), session.compose(ask), change.stands))
        for ask in asks
    )
    moved = [(ask, at) for ask, at in found if at.pushed_out or at.let_in or at.no_room]
    for report in _of_roles(session, moved, session.library.short):
        yield impact_line(report)


def impact_of_item(session: Session, item: Item) -> tuple[ReachReport, ...] | None:
    """Return what letting an item in changes for its roles; `None` = that cannot be planned."""
    from remem.views.review.item_card import approving

    shown, drawn = {item.ref: item.digest}, kinds_drawn([item])
    given: dict[str, Json] = {"acknowledged": True}
    session.load_counter()
    try:
        change = session.plan(Intent(approving(item).id, shown, given, waiting=drawn))
    except RememError:
        return None
    roles = roles_about(session.library, item.roles)
    asks = asks_about(session.library, item.ref, roles) or (Ask(),)
    return (*_roles(session, change, asks),)


def _roles(
    session: Session, change: Change, asks: Sequence[Ask], after: Library | None = None
) -> Iterator[ReachReport]:
    after = after or session.library.preview(change.effects)
    asks = session.may_differ(asks, after)
    pairs = zip(asks, session.impact(change, asks, after), strict=True)
    told = [(ask, each) for ask, each in pairs if not each.changes_nothing or each.no_room]
    yield from _of_roles(session, told, session.library.short)


def _of_roles(
    session: Session, told: Sequence[tuple[Ask, Impact]], name: Callable[[Ref], str]
) -> Iterator[ReachReport]:
    """Yield what becomes of the prompts of some roles, all in one measure."""
    measure, exact = measure_of(each for _, each in told), session.counter.exact
    for ask, each in told:
        yield _report(each, measure, name, exact=exact, role=ask.role, repository=ask.repository)


def _agents(session: Session, change: Change, after: Library) -> Iterator[ReachReport]:
    library = session.library
    told = [*agents_reached(session, after, change.stands, sparing=True)]
    measure = measure_of(each.impact for each in told if not each.starts)
    for each in told:
        report = _report(
            each.impact,
            Measure.PROMPT if each.starts else measure,
            library.short,
            exact=each.exact,
            agent=each.name,
            tool=each.tool,
        )
        yield replace(report, starts=each.starts)


def _report(
    found: Impact,
    measure: Measure,
    name: Callable[[Ref], str],
    *,
    exact: bool,
    role: str = "",
    repository: str = "",
    agent: str = "",
    tool: str = "",
) -> ReachReport:
    of = found.figures(measure)
    return ReachReport(
        repository=repository,
        role=role,
        agent=agent,
        tool=tool,
        measure=measure,
        before=of.before,
        after=of.after,
        budget=of.budget,
        exact=exact,
        pushed_out=tuple(map(name, found.pushed_out)),
        let_in=tuple(map(name, found.let_in)),
        added=tuple(map(name, found.added)),
        removed=tuple(map(name, found.removed)),
        no_room=tuple(map(name, found.no_room)),
    )


def print_impact(reports: Sequence[ReachReport]) -> None:
    """Print who gets another prompt: tokens before and after, what drops out, what comes in."""
    if not reports:
        say("no prompt changes")
        return
    quiet = [each for each in reports if _is_quiet(each)]
    named = [each for each in reports if len(quiet) <= _NAMED or each not in quiet]
    for measure in dict.fromkeys(each.measure for each in named):
        _print_table(measure, [each for each in named if each.measure == measure])
    if len(named) < len(reports):
        say(f"{OTHER_WORDS}: {count(len(quiet), 'agent')}")
    if any(not (each.role or each.agent) for each in reports):
        say(f"note: {WHO_IS_EVERYONE}")


def _is_quiet(each: ReachReport) -> bool:
    """Tell whether an agent is given as many tokens, of the same entries in other words."""
    moves = (each.pushed_out, each.let_in, each.added, each.removed, each.no_room)
    return (
        bool(each.agent) and each.before == each.after and not any(moves) and "→" not in each.agent
    )


def _print_table(measure: str, reports: Sequence[ReachReport]) -> None:
    rows = [
        (
            _who(each),
            _number(each, each.before) if each.starts != Starts.NOW else NOTHING,
            f"{_number(each, each.after) if each.starts != Starts.NO_LONGER else NOTHING}"
            f" ({each.after - each.before:+,})",
            f"{each.budget:,}" if each.budget else NOTHING,
            "; ".join(_moves(each)),
        )
        for each in reports
    ]
    heads = ("WHO", f"{measure.upper()} NOW", "AFTER", "BUDGET", "WHAT")
    print_table(heads, rows, labelled=True)


def impact_line(each: ReachReport) -> str:
    """Return what a change does to one prompt, in one line."""
    limit = f" of {each.budget:,}" if each.budget else " tokens"
    tokens = f"{each.measure} {_number(each, each.before)} → {_number(each, each.after)}{limit}"
    moves = "".join(f" · {move}" for move in _moves(each))
    return f"{_who(each)}: {tokens} ({each.after - each.before:+,}){moves}"


def _who(each: ReachReport) -> str:
    named = f"{each.agent} · {each.tool}" if each.tool not in ("", each.agent) else each.agent
    return " · ".join(filter(None, (named or each.role or EVERYONE, each.repository)))


def _number(each: ReachReport, tokens: int) -> str:
    return f"{'' if each.exact else '≈'}{tokens:,}"


def _moves(each: ReachReport) -> Iterator[str]:
    if each.starts:
        yield STARTS[Starts(each.starts)]
        return
    for does, refs in (
        ("removes ", each.removed),
        ("includes ", each.added),
        (f"{DROPS} ", each.pushed_out),
        (f"{ADDS} ", each.let_in),
        (f"{NO_ROOM} ", each.no_room),
    ):
        yield from (f"{does}{ref}" for ref in refs[:_NAMED])
        if len(refs) > _NAMED:
            yield f"{does}{len(refs) - _NAMED:,} more"
