"""The commands that decide on what waits: `queue`, `approve`, `reject`, `promote`, `merge`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final, TypeVar

import click

from remem.base.errors import UnknownRef
from remem.base.text import count
from remem.cli.execute import acknowledge_option, carry_out, dry_run_option, pinned, shown_option
from remem.cli.impact import impact_line, impact_of_item
from remem.cli.naming import entry_named
from remem.cli.out import emit, say, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.core.conflict import INTO_SHOWN
from remem.core.library import Library
from remem.core.session import Workbench
from remem.core.waiting.item import Item, item_ids, kinds_drawn
from remem.model.change import Intent, Json
from remem.model.entry import Ref
from remem.systems.personas.lesson_verbs import is_lesson
from remem.systems.shaktra.merge import takes_in
from remem.systems.sniper.waiting import decided_named
from remem.views.documents.entries import ItemReport, QueueReport
from remem.views.documents.impact import ReachReport

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
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


@click.command("approve")
@click.argument("items", nargs=-1, required=True, metavar="ITEM...")
@click.option("--as-candidate", is_flag=True, help="Take it into its store as a candidate only.")
@acknowledge_option
@shown_option
@dry_run_option
@common_options
@pass_session
def approve(
    session: Session,
    items: tuple[str, ...],
    as_candidate: bool,
    acknowledge: tuple[str, ...],
    digests: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Put what waits into force.

    ITEM is an id of `remem queue`, its start, or the ref of a candidate.
    """
    found, shown = named(session.workbench, items)
    verb = "keep" if as_candidate else "approve"
    intent = Intent(verb, shown, _given(acknowledge), item_ids(found), kinds_drawn(found))
    carry_out(session, pinned(intent, digests), dry_run=dry_run)


@click.command("reject")
@click.argument("items", nargs=-1, required=True, metavar="ITEM...")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept.")
@shown_option
@dry_run_option
@common_options
@pass_session
def reject(
    session: Session,
    items: tuple[str, ...],
    reason: str,
    digests: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Turn down what waits, and remember why."""
    found, shown = named(session.workbench, items)
    intent = Intent("reject", shown, {"reason": reason}, item_ids(found), kinds_drawn(found))
    carry_out(session, pinned(intent, digests), dry_run=dry_run)


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
    pins: dict[str, Json] = {"into": str(target.ref), INTO_SHOWN: target.digest}
    if is_lesson(target) or takes_in(target):
        intent = workbench.intend("merge", [entry_named(workbench.library, item)], **pins)
    else:
        intent = _intent("merge", items_named(workbench, (item,)), **pins)
    carry_out(session, pinned(intent, digests), dry_run=dry_run)


@click.command("promote")
@click.argument("ref", metavar="REF")
@click.option(
    "--to",
    "level",
    default="",
    metavar="LEVEL",
    help="`workspace`; of a lesson `convention` or `learning`.",
)
@click.option("--keep", is_flag=True, help="With `--to workspace`: leave it here as well.")
@acknowledge_option
@shown_option
@dry_run_option
@common_options
@pass_session
def promote(
    session: Session,
    ref: str,
    level: str,
    keep: bool,
    acknowledge: tuple[str, ...],
    digests: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Lift an entry one level up.

    A candidate is put into force; a finding lifts the candidate that says the same. What comes of a
    persona's lesson waits in Review; the lesson stays where it is. What is in force in a repository
    goes to its workspace, as `remem workspace promote` has it.
    """
    workbench = session.workbench
    to: dict[str, Json] = {"to": level} if level else {}
    if keep:
        to["keep"] = True
    intent = Intent("promote", promotable(workbench, (ref,)), {**to, **_given(acknowledge)})
    carry_out(session, pinned(intent, digests), dry_run=dry_run)


def promotable(workbench: Workbench, names: Iterable[str]) -> dict[Ref, str]:
    """Return what waits under each name, else the entry that it names, with the digest of it."""
    found: dict[Ref, str] = {}
    for name in names:
        try:
            item = _item_named(workbench, name)
            found[item.ref] = item.digest
        except UnknownRef:
            entry = entry_named(workbench.library, name)
            found[entry.ref] = entry.digest
    return found


def named(workbench: Workbench, names: Sequence[str]) -> tuple[tuple[Item, ...], dict[Ref, str]]:
    """Return the items of those names, and all that is meant with the digest it has now.

    A finding that was decided on is meant as well, though nothing of it waits.

    Raises:
        UnknownRef: Nothing or several things that wait are called so.
    """
    workbench.look()
    items: dict[str, Item] = {}
    shown: dict[Ref, str] = {}
    for name in names:
        try:
            item = _item_named(workbench, name)
        except UnknownRef:
            entry = decided_named(workbench.library, name)
            if entry is None:
                raise
            shown[entry.ref] = entry.digest
            continue
        items[item.id] = item
        shown[item.ref] = item.digest
    return tuple(items.values()), shown


def items_named(workbench: Workbench, names: Sequence[str]) -> tuple[Item, ...]:
    """Return the items in the order they were named, each once.

    Raises:
        UnknownRef: Nothing or several things that wait are called so.
    """
    workbench.look()
    found = {item.id: item for item in (_item_named(workbench, name) for name in names)}
    return tuple(found.values())


def _item_named(workbench: Workbench, name: str) -> Item:
    """Return the item of that id, or of the entry of that ref."""
    try:
        return workbench.item(name)
    except UnknownRef as error:
        library = workbench.library
        try:
            ref = library.resolve(name).ref
        except UnknownRef:
            raise error from None
        for item in workbench.queue():
            if item.ref == ref:
                return item
        raise UnknownRef(
            f"`{library.short(ref)}` does not wait for a decision", hint=error.hint
        ) from None


def _intent(verb: str, items: Iterable[Item], **arguments: Json) -> Intent:
    return Intent(verb, {item.ref: item.digest for item in items}, arguments, item_ids(items))


def _given(acknowledge: tuple[str, ...]) -> dict[str, Json]:
    return {"acknowledged": [*acknowledge]} if acknowledge else {}


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
