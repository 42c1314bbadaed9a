"""The commands `queue`, and `approve` and `merge`, which are more than their verbs."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Final

import click

from remem.base.text import count
from remem.cli.execute import carry_out, dry_run_option, pinned, shown_option
from remem.cli.impact import impact_line, impact_of_item
from remem.cli.item_names import items_named
from remem.cli.naming import entry_named
from remem.cli.out import emit, say, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.cli.verb_command import command_of
from remem.core.library import Library
from remem.core.verbs.verbs import APPROVE, KEEP, MERGE, Approve, Merge
from remem.core.waiting.item import Item, item_ids
from remem.model.change import Intent
from remem.systems.personas.lesson_verbs import is_lesson
from remem.systems.shaktra.merge import takes_in
from remem.views.documents.entries import ItemReport, QueueReport
from remem.views.documents.impact import ReachReport

_ROLES: Final = 4
"""Roles whose prompts are named below an item; `--json` has all."""


@click.command("queue")
@click.option("--impact", is_flag=True, help="Add what letting each in does to prompts.")
@common_options
@pass_session
def queue(session: Session, impact: bool) -> None:
    """List what waits for a decision."""
    workbench = session.workbench
    workbench.look()
    items = workbench.queue()
    impacts = {each.id: impact_of_item(workbench, each) for each in items} if impact else {}
    if session.as_json:
        library = workbench.library
        reports = (_report(library, item, impacts.get(item.id)) for item in items)
        emit(QueueReport(items=tuple(reports)))
        return
    for group, members in groupby(items, key=lambda item: item.group):
        waiting = list(members)
        show_text(f"{group} · {count(waiting, 'item')}", bold=True)
        for item in waiting:
            _print_item(item, impacts.get(item.id))
    say(
        f"{count(items, 'item')}; `remem approve ID` decides"
        if items
        else "all caught up: nothing to review"
    )


def put_in(
    session: Session, intent: Intent, _: Approve, *, dry_run: bool, as_candidate: bool
) -> None:
    """Approve what was named, or keep it as a candidate."""
    asked = replace(intent, verb=KEEP.id) if as_candidate else intent
    carry_out(session, asked, dry_run=dry_run)


_as_candidate_option = click.option(
    "--as-candidate", is_flag=True, help="Take it into its store as a candidate only."
)
approve = command_of(APPROVE, page=put_in, more={"as_candidate": _as_candidate_option})


@click.command("merge")
@click.argument("item", metavar="ITEM")
@click.option("--into", required=True, metavar="REF", help="The entry that takes it in.")
@shown_option
@dry_run_option
@common_options
@pass_session
def merge(session: Session, item: str, into: str, digests: tuple[str, ...], dry_run: bool) -> None:
    """Put what waits into an entry that is there.

    A persona's lesson need not wait: its words, where they are others, and what it rested on go
    into the one that takes it in. Nor need an entry of Shaktra's stores.
    """
    workbench = session.workbench
    target = entry_named(workbench.library, into)
    pins = Merge(into=str(target.ref), into_shown=target.digest).to_json()
    if is_lesson(target) or takes_in(target):
        intent = workbench.intend(MERGE.id, [entry_named(workbench.library, item)], **pins)
    else:
        items = items_named(workbench, (item,))
        shown = {each.ref: each.digest for each in items}
        intent = Intent(MERGE.id, shown, pins, item_ids(items))
    carry_out(session, pinned(intent, digests), dry_run=dry_run)


def _report(library: Library, item: Item, impact: tuple[ReachReport, ...] | None) -> ItemReport:
    return ItemReport(
        id=item.id,
        ref=library.short(item.ref),
        kind=item.kind,
        title=item.title,
        source=item.source,
        group=item.group,
        why=item.why,
        evidence=item.evidence,
        roles=item.roles,
        suggested=item.suggested,
        verbs=item.verbs,
        digest=item.digest,
        suspects=tuple(suspect.message for suspect in item.suspects),
        impact=impact,
    )


def _print_item(item: Item, impact: tuple[ReachReport, ...] | None) -> None:
    show_text(f"  {item.id}  {item.kind}  {item.title}")
    suggested = f" · suggested: {item.suggested}" if item.suggested else ""
    show_text(f"                {item.why}{suggested}", dim=True)
    for each in (impact or ())[:_ROLES]:
        show_text(f"                {impact_line(each)}", dim=True)
    if impact is not None and len(impact) > _ROLES:
        show_text(f"                and {count(len(impact) - _ROLES, 'more role')}", dim=True)
    for suspect in item.suspects:
        show_text(f"                ‼ {suspect.id}  {suspect.message}", fg="red")
