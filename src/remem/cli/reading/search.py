"""The command `search`: where a text is now, and what took it out of memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

import click

from remem.base.clock import time_text
from remem.cli.apply_or_dry_run import carry_out
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import entry_report, log_report, path_of
from remem.cli.narrowing import Narrowing, narrowing_options
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, on_terminal, print_table, say, show_text
from remem.cli.reading.list_and_show import marked_title, print_entries
from remem.cli.reading.search_match import Fit, Snippet, fit, snippet
from remem.core.library import Library
from remem.core.waiting.kinds import state_of
from remem.model.entry import Entry, Status, kind_text
from remem.store.history.journal_records import Logged
from remem.views.documents.changes import LostReport, SearchReport

if TYPE_CHECKING:
    from remem.core.history.removed import Lost
    from remem.core.history.search_history import FoundInHistory

_QUOTED = 3
"""Lines of a lost text that are printed."""


@click.command("search")
@click.argument("text", metavar="TEXT")
@click.option(
    "--everywhere",
    is_flag=True,
    help="Also search archives, the history and git: what removed a text and where it went.",
)
@narrowing_options
@common_options
@pass_invocation
def search(invocation: Invocation, narrowing: Narrowing, text: str, everywhere: bool) -> None:
    """Search entries for a text.

    Its words match in the singular and the plural; what has them as typed comes first.
    """
    session = invocation.session
    library = session.library
    narrowing = narrowing.known_in(library)
    found = _search(library, text, narrowing, everywhere=everywhere)
    made = session.past.changes() if everywhere else ()
    changes = [each for each in made if fit(text, (each.title,)) is Fit.EXACT]
    past = _found_in_history(invocation, text) if everywhere else None
    lost = past.lost if past is not None else ()
    if invocation.as_json:
        emit(
            SearchReport(
                entries=tuple(entry_report(library, entry) for entry in found),
                changes=tuple(log_report(change) for change in changes),
                lost=tuple(map(_lost_report, lost)),
                complete=past is None or past.is_whole,
            )
        )
        return
    matches = [snippet(library, entry, text) for entry in found]
    if everywhere:
        _print_places(invocation, library, found, matches)
    else:
        print_entries(library, found, below=_lines(matches))
    _print_changes(changes)
    _print_lost(invocation, lost)
    if past is not None and not past.is_whole:
        say(past.why_not)
    if not found and not changes and not lost:
        wider = "" if everywhere else "; `--everywhere` also searches archives, the history and git"
        say(f"no matches for `{text}`{wider}")


def put_back(
    invocation: Invocation, name: str, phrase: str, *, acknowledged: Sequence[str], dry_run: bool
) -> None:
    """Put back what a change or a commit took out."""
    from remem.core.verbs.verbs import put_back_intent

    lost = invocation.session.history_search.by_name(name, phrase)
    intent = put_back_intent(lost, phrase)
    if acknowledged:
        intent = replace(intent, arguments={**intent.arguments, "acknowledged": [*acknowledged]})
    carry_out(invocation, intent, dry_run=dry_run)


def _found_in_history(invocation: Invocation, text: str) -> FoundInHistory:
    search = invocation.session.history_search
    if on_terminal() and not invocation.as_json:
        say("searching the history and git …")
    return search.in_history(text).and_in(search.in_git(text))


def _lost_report(lost: Lost) -> LostReport:
    return LostReport(
        by=lost.kind,
        id=lost.id,
        time=time_text(lost.time),
        title=lost.title,
        path=str(lost.path),
        text=lost.text,
        moved_to=tuple(str(step.path) for step in lost.copies),
    )


def _search(library: Library, text: str, narrowing: Narrowing, *, everywhere: bool) -> list[Entry]:
    """Return the entries that have `text`, those that have it in another number behind them."""
    has_archived = everywhere or Status.ARCHIVED in narrowing.statuses
    found: list[Entry] = []
    nearly: list[Entry] = []
    for source in library.sources:
        if source.archived and not has_archived:
            continue
        form = library.format(source.format)
        for entry in source.entries:
            if not narrowing.takes(library, entry):
                continue
            if entry.status is Status.ARCHIVED and not has_archived:
                continue
            where = (entry.title, entry.context, form.reader.body(source, entry))
            how = fit(text, where)
            if how is Fit.EXACT:
                found.append(entry)
            elif how is Fit.NUMBER:
                nearly.append(entry)
    return found + nearly


def _lines(matches: Iterable[Snippet | None]) -> list[str]:
    """Return what stands below each entry, or behind it in a pipe."""
    spelled = attrgetter("painted" if on_terminal() else "plain")
    return ["" if each is None else spelled(each) for each in matches]


def _print_places(
    invocation: Invocation,
    library: Library,
    entries: Sequence[Entry],
    matches: Sequence[Snippet | None],
) -> None:
    print_table(
        ("REF", "KIND", "STATUS", "FILE", "TITLE"),
        [
            (
                library.short(entry.ref),
                kind_text(entry.kind),
                state_of(library, entry),
                shown_path(invocation, path_of(entry.at)),
                marked_title(entry),
            )
            for entry in entries
        ],
        below=_lines(matches),
    )


def _print_changes(changes: Iterable[Logged]) -> None:
    for change in changes:
        show_text(f"{change.id}  {time_text(change.time)}  {change.title}")


def _print_lost(invocation: Invocation, lost: Sequence[Lost]) -> None:
    for each in lost:
        name = each.id[:12] if each.kind == "commit" else each.id
        show_text(f"removed by {each.kind} {name}  {time_text(each.time)}  {each.title}", bold=True)
        went = ", ".join(shown_path(invocation, step.path) for step in each.copies)
        show_text(
            f"  {shown_path(invocation, each.path)}" + (f" → {went}" if went else ""), dim=True
        )
        for line in each.text.splitlines()[:_QUOTED]:
            show_text(f"  {line}")
    if lost:
        first = lost[0].id[:12] if lost[0].kind == "commit" else lost[0].id
        say(f"`remem restore --from {first} TEXT` puts it back")
