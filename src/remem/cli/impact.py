"""What a change does to prompts, told by the commands that decide: who gets what, before and after.

It is what Review shows of roles, and of agents what Prompt shows of them; nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from remem.base.errors import RememError
from remem.cli.out import NOTHING, print_table, say
from remem.core.prompt.impact import Impact, Measure, impact, measure_of
from remem.core.prompt.requests import EVERYONE, asks_about, role_asks, roles_about
from remem.core.session import Session
from remem.core.waiting.item import Item, kinds_drawn
from remem.model.change import Change, Intent, Json
from remem.model.entry import Ref
from remem.model.prompt import Ask
from remem.systems.workspace.promotion_verbs import WORKSPACE_PROMOTE
from remem.views.documents.entries import ReachReport

_NAMED: Final = 4
"""Entries that are named one by one of each kind; the rest are counted."""


def impact_of(session: Session, change: Change) -> tuple[ReachReport, ...]:
    """Return whose prompts a change changes: roles by name, then agents tool by tool."""
    session.load_counter()
    if change.intent.verb == WORKSPACE_PROMOTE.id:
        told = [(ask, each) for ask, each in session.reach(change) if not each.changes_nothing]
        measure, exact = measure_of(each for _, each in told), session.counter.exact
        return tuple(
            _report(each, measure, str, exact=exact, role=ask.role, repository=ask.repository)
            for ask, each in told
        )
    asks = role_asks(session.library)
    return (*_roles(session, change, asks), *_agents(session, change))


def impact_of_item(session: Session, item: Item) -> tuple[ReachReport, ...] | None:
    """Return what letting an item in changes for its roles; `None` = that cannot be planned."""
    from remem.views.review import approving

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


def _roles(session: Session, change: Change, asks: Sequence[Ask]) -> Iterator[ReachReport]:
    exact, short = session.counter.exact, session.library.short
    pairs = zip(asks, session.impact(change, asks), strict=True)
    told = [(ask, each) for ask, each in pairs if not each.changes_nothing or each.no_room]
    measure = measure_of(each for _, each in told)
    for ask, each in told:
        yield _report(each, measure, short, exact=exact, role=ask.role, repository=ask.repository)


def _agents(session: Session, change: Change) -> Iterator[ReachReport]:
    from remem.core.prompt.agents import agent_starts

    library, counter = session.library, session.counter
    budget = session.config.tokens.budget
    before = {each.key: each for each in agent_starts(library, counter, budget)}
    if not before:
        return
    now = agent_starts(library.preview(change.effects), counter, budget)
    pairs = [(before[each.key], each) for each in now if each.key in before]
    every = [(two, impact(one.prompt, two.prompt, change.stands)) for one, two in pairs]
    told = [(who, each) for who, each in every if not each.changes_nothing]
    measure = measure_of(each for _, each in told)
    for who, each in told:
        of_agent = _report(
            each, measure, library.short, exact=who.prompt.exact, agent=who.name, tool=who.tool
        )
        yield replace(of_agent, composed=not who.prompt.as_loaded)


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
    for measure in dict.fromkeys(each.measure for each in reports):
        _print_table(measure, [each for each in reports if each.measure == measure])


def _print_table(measure: str, reports: Sequence[ReachReport]) -> None:
    rows = [
        (
            _who(each),
            _number(each, each.before),
            f"{_number(each, each.after)} ({each.after - each.before:+,})",
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
    named += ", composed" if each.composed else ""
    return " · ".join(filter(None, (named or each.role or EVERYONE, each.repository)))


def _number(each: ReachReport, tokens: int) -> str:
    return f"{'' if each.exact else '≈'}{tokens:,}"


def _moves(each: ReachReport) -> Iterator[str]:
    for does, refs in (
        ("removes ", each.removed),
        ("includes ", each.added),
        ("drops ", each.pushed_out),
        ("adds ", each.let_in),
        ("over budget: ", each.no_room),
    ):
        yield from (f"{does}{ref}" for ref in refs[:_NAMED])
        if len(refs) > _NAMED:
            yield f"{does}{len(refs) - _NAMED:,} more"
