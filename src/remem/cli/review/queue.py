"""The command `queue`: what needs a decision. It decides nothing, and loads no verb."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import click

from remem.base.text import count
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, say, show_text
from remem.core.library import Library
from remem.core.relation.already_said import tells_of_conflict
from remem.core.waiting.item import Item
from remem.core.waiting.kinds import UNREVIEWED
from remem.model.entry import kind_text
from remem.views.documents.entries import ItemReport, QueueReport, ReachReport

_ROLES: Final = 4
"""Roles whose prompts are named below an item; `--json` has all."""


@click.command("queue")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--impact", is_flag=True, help="Show what approving each item does to prompts.")
@common_options
@pass_invocation
def queue(invocation: Invocation, words: tuple[str, ...], impact: bool) -> None:
    """List items to review.

    With words, only those whose group, kind and text have all of them.
    """
    session = invocation.session
    from remem.views.review.groups import in_order

    session.look()
    items = [each for each in in_order(session.library, session.queue()) if _has(each, words)]
    session.note_look()
    impacts: dict[str, tuple[ReachReport, ...] | None] = {}
    if impact:
        from remem.cli.impact import impact_of_item

        impacts = {each.id: impact_of_item(session, each) for each in items}
    if invocation.as_json:
        library = session.library
        reports = (report_of(library, item, impacts.get(item.id)) for item in items)
        emit(QueueReport(items=tuple(reports)))
        return
    for group, members in groupby(items, key=lambda item: item.group):
        waiting = list(members)
        show_text(f"{group} · {count(waiting, 'item')}", bold=True)
        for item in waiting:
            print_item(item, impacts.get(item.id))
            for fact in item.evidence:
                if tells_of_conflict(fact) and fact.partition(" (")[0] not in item.why:
                    show_text(f"                {fact}", dim=True)
    say(
        f"{count(items, 'item')}; {_what_decides(items)}"
        if items
        else f"no item to review has `{' '.join(words)}`"
        if words
        else "all caught up: nothing to review"
    )


def _has(item: Item, words: Sequence[str]) -> bool:
    text = f"{item.id} {item.group} {kind_text(item.kind)} {item.title}".casefold()
    return all(word.casefold() in text for word in words)


def _what_decides(items: Sequence[Item]) -> str:
    """Name the commands that decide: what agents wrote already is in prompts, and is reviewed."""
    written = sum(item.waiting == UNREVIEWED for item in items)
    told = ["`remem approve ID` or `reject ID` decides"] if written < len(items) else []
    told += ["`remem reviewed ID` or `reject ID` decides what agents wrote"] if written else []
    return "; ".join(told)


def report_of(
    library: Library,
    item: Item,
    impact: tuple[ReachReport, ...] | None = None,
    told: tuple[str, ...] | None = None,
) -> ItemReport:
    """Return an item as documents have it.

    Args:
        library: Where it waits.
        item: What waits.
        impact: What letting it in does to prompts.
        told: All that its card tells, where that was asked for; default: its own evidence.
    """
    return ItemReport(
        id=item.id,
        ref=library.short(item.ref),
        kind=item.kind,
        title=item.title,
        source=item.source,
        group=item.group,
        why=item.why,
        evidence=item.evidence if told is None else told,
        roles=item.roles,
        suggested=item.suggested,
        verbs=item.verbs,
        digest=item.digest,
        suspects=tuple(suspect.message for suspect in item.suspects),
        impact=impact,
    )


def print_item(item: Item, impact: tuple[ReachReport, ...] | None = None) -> None:
    """Print an item with why it waits, and what hides in it."""
    first, _, rest = item.title.partition("\n")
    title = f"{first} …" if rest else first
    show_text(f"  {item.id}  {kind_text(item.kind)}  {title}")
    suggested = f" · suggested: {item.suggests or item.suggested}" if item.suggested else ""
    show_text(f"                {item.why}{suggested}", dim=True)
    if impact:
        _print_impact(impact)
    for suspect in item.suspects:
        show_text(f"                ‼ {suspect.id}  {suspect.message}", fg="red")


def _print_impact(impact: tuple[ReachReport, ...]) -> None:
    from remem.cli.impact import impact_line

    for each in impact[:_ROLES]:
        show_text(f"                {impact_line(each)}", dim=True)
    if len(impact) > _ROLES:
        show_text(f"                and {count(len(impact) - _ROLES, 'more role')}", dim=True)
