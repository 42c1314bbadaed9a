"""The commands about what agents wrote since a person looked: `inbox`, `reviewed`, `forget`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import UTC
from pathlib import Path
from typing import Any, Final

import click

from remem.base.errors import Already, UnknownRef
from remem.base.text import count
from remem.cli.apply_or_dry_run import (
    SHORT_ID,
    acknowledge_option,
    carry_out,
    dry_run_option,
    tell_nothing_to_do,
)
from remem.cli.completion import complete_items
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path
from remem.cli.find_waiting_item import items_named
from remem.cli.invocation import Invocation, tell
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, say, show_text
from remem.cli.review.queue import print_item, report_of
from remem.cli.verb_command import was_done
from remem.core.checks.issues import unread_stores
from remem.core.relation.already_said import tells_of_conflict
from remem.core.session import Session
from remem.core.verbs.verbs import APPROVE
from remem.core.waiting.item import Item, Why, item_ids, kinds_drawn
from remem.core.waiting.kinds import UNREVIEWED
from remem.model.change import Intent, Json
from remem.model.done_by_others import Unreviewed
from remem.model.entry import Ref
from remem.model.loader import MOVED_OUT
from remem.views.documents.entries import ForgetReport, InboxReport, UnreviewedReport

_LISTED: Final = 20
"""Words of a command that is written out."""


@click.command("inbox")
@common_options
@pass_invocation
def inbox(invocation: Invocation) -> None:
    """List what agents wrote since you last looked.

    Memory that exists when a project is first opened counts as reviewed. These items are in Review
    too: `remem reviewed` keeps a change, `remem reject` reverts it, `remem restore` restores what
    was removed. Agents are never blocked.
    """
    session = invocation.session
    session.begin_inbox()
    items = unreviewed_items(session)
    if not items:
        session.past.need_listing()
    session.note_look()
    if invocation.as_json:
        emit(InboxReport(items=tuple(_report(session, item) for item in items)))
        return
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item)
    for group, waiting in groups.items():
        show_text(f"{group} · {count(waiting, 'item')}", bold=True)
        for item in waiting:
            print_item(item)
            for fact in item.evidence:
                show_text(f"                {fact}", dim=True)
    moved = (each for each in session.problems if each.code == MOVED_OUT)
    for problem in (*moved, *unread_stores(session.library)):
        say(f"{problem.message}; {problem.hint}")
    told = f"{count(items, 'item')}; `remem reviewed ID` keeps a change, `remem reject ID` reverts"
    say(f"{told} it" if items else "all caught up: nothing new since you last looked")
    rest = len(session.queue()) - len(items)
    if rest > 0:
        others = count(rest, "other item")
        say(f"{others} to decide on, proposals and candidates among them: `remem queue`")


@click.command("reviewed")
@click.argument("names", nargs=-1, metavar="[ITEM...]", shell_complete=complete_items)
@click.option(
    "--event",
    type=int,
    metavar="NUMBER",
    help="All changes of one event, by its number in `remem inbox`.",
)
@click.option("--all", "everything", is_flag=True, help="All listed changes.")
@acknowledge_option
@dry_run_option
@common_options
@pass_invocation
def reviewed(
    invocation: Invocation,
    names: tuple[str, ...],
    event: int | None,
    everything: bool,
    acknowledge: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Mark what agents wrote as reviewed.

    ITEM is an id from `remem inbox`, the start of one, or a ref. With `--event` or `--all`,
    removals and suspicious or conflicting changes are skipped: name those, or look at them in
    Review.
    """
    session = invocation.session
    if not names and event is None and not everything:
        raise BadUsage("nothing named to mark", hint="give an id from `remem inbox`, or `--all`")
    found: dict[str, Item] = {}
    try:
        found = {item.id: item for item in items_named(session, names)} if names else {}
    except UnknownRef:
        if not was_done(invocation, APPROVE.id, [*names]):
            raise
        return
    session.look()
    asked = [i for i in unreviewed_items(session) if everything or _event(session, i) == event]
    if event is not None and not asked:
        told = f"nothing is left to review of event {event}"
        raise UnknownRef(told, hint="`remem inbox` shows event numbers")
    found |= {item.id: item for item in asked if item.suggested}
    left = [*left_out(session, [item for item in asked if item.id not in found])]
    items = [item for item in found.values() if item.waiting == UNREVIEWED]
    if len(items) < len(found):
        raise BadUsage(
            "some of these need a decision", hint="use `remem approve` or `remem reject`"
        )
    if not items:
        session.past.need_listing()
        rest = unreviewed_items(session)
        told = f"{count(rest, 'item')} left" if rest else "all caught up"
        tell_nothing_to_do(invocation, Already(f"nothing to mark: {told}"), Intent(APPROVE.id))
        tell(left)
        return
    shown = {item.ref: item.digest for item in items}
    seen: dict[str, Json] = {"acknowledged": [*acknowledge]} if acknowledge else {}
    intent = Intent(APPROVE.id, shown, seen, item_ids(items), kinds_drawn(items))
    carry_out(invocation, intent, dry_run=dry_run)
    tell(left)


@click.command("forget")
@click.argument("name", metavar="PATH|REF")
@common_options
@pass_invocation
def forget(invocation: Invocation, name: str) -> None:
    """Delete the stored versions of a memory file.

    Its current content counts as reviewed. No project file is changed. This cannot be undone; the
    history of changes stays.
    """
    session = invocation.session
    session.look()
    path = _file_named(session, name)
    done = session.inbox.forget(session.library, path)
    shown = shown_path(invocation, path)
    if invocation.as_json:
        emit(ForgetReport(path=str(path), forgotten=done))
    elif done:
        say(f"deleted the stored versions of {shown}; this cannot be undone")
    else:
        say(f"no stored versions of {shown}")


def unreviewed_items(session: Session) -> list[Item]:
    """Return what waits because it was written since a person looked."""
    return [item for item in session.queue() if item.waiting == UNREVIEWED]


def _event(session: Session, item: Item) -> int:
    return session.library.aside.unreviewed[item.ref].event


def left_out(session: Session, items: Iterable[Item]) -> Iterator[str]:
    """Yield why items are not marked together with others, and the command that settles them."""
    groups: dict[tuple[str, int], list[Item]] = {}
    for item in items:
        event = _event(session, item) if item.reason is Why.TAKEN_OUT else 0
        groups.setdefault((_why_left(session, item), event), []).append(item)
    for (why, event), left in groups.items():
        warnings = dict.fromkeys(suspect.id for item in left for suspect in item.suspects)
        ids = [item.id[:SHORT_ID] for item in left]
        words = [*ids, *(f"--acknowledge {each}" for each in warnings)]
        them = "it" if len(left) == 1 else "them"
        marks = f"`remem reviewed {' '.join(words) if len(words) <= _LISTED else 'ID…'}`"
        told = f"not marked: {count(left, why)}"
        if why == _UNCOMPARED:
            yield f"{told}: run `remem reviewed --all` again"
        elif event:
            yield f"{told}: `remem restore --event {event}` restores {them}, {marks} marks {them}"
        else:
            yield f"{told}: {marks} marks {them}"


_UNCOMPARED: Final = "uncompared change"


def _why_left(session: Session, item: Item) -> str:
    """Return what kind of change an item is, in the singular, that has to be looked at."""
    if item.reason is Why.TAKEN_OUT:
        return "removal"
    if item.suspects:
        return "suspicious change"
    if session.library.aside.reverted_at(item.ref) is not None:
        return "reverted decision"
    if any(map(tells_of_conflict, item.evidence)):
        return "possible conflict"
    return _UNCOMPARED


def taken_at_once(session: Session, event: int) -> dict[Ref, str]:
    """Return what was removed in one event.

    Raises:
        UnknownRef: Nothing was.
    """
    every = session.library.aside.unreviewed
    found = {r: "" for r, each in every.items() if each.event == event and each.what == "removed"}
    if not found:
        raise UnknownRef(
            f"nothing is missing since event {event}", hint="`remem inbox` shows event numbers"
        )
    return found


def _file_named(session: Session, name: str) -> Path:
    path = Path(name).expanduser()
    kept = session.library.aside.unreviewed.values()
    paths = {each.path for each in session.library.sources} | {each.path for each in kept}
    for each in (session.root / path, Path.cwd() / path):
        if each in paths:
            return each
    for ref, found in session.library.aside.unreviewed.items():
        if name in (str(ref), session.library.short(ref)):
            return found.path
    return session.library.source_of(session.library.resolve(name)).path


def _report(session: Session, item: Item) -> UnreviewedReport:
    found: Unreviewed = session.library.aside.unreviewed[item.ref]
    report = report_of(session.library, item)
    values: dict[str, Any] = {each.name: getattr(report, each.name) for each in fields(report)}
    return UnreviewedReport(
        **values,
        what=found.what,
        path=str(found.path),
        time=found.time.astimezone(UTC).isoformat(timespec="seconds"),
        event=found.event,
        by=found.by,
        before=found.text_before.decode("utf-8", "replace"),
    )
