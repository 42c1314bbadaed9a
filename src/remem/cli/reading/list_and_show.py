"""The commands that read entries: `list` and `show`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import click

from remem.base.text import count
from remem.cli.completion import complete_entries
from remem.cli.failure import BadUsage
from remem.cli.find_named import near_kind, shown_path, tell_all_unread
from remem.cli.find_waiting_item import shown_or_waiting
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import entry_report, line_of, path_of
from remem.cli.narrowing import Narrowing, narrowing_options
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import NOTHING, emit, on_terminal, print_table, say, show_field, show_text
from remem.cli.reading.search_match import holds
from remem.cli.review.queue import report_of
from remem.core.library import Library
from remem.core.relation.already_said import tells_of_conflict
from remem.core.repositories import not_open
from remem.core.waiting.item import Item
from remem.core.waiting.kinds import decided, state_of
from remem.model.change import Json
from remem.model.confidence_history import Row, Threshold, Trajectory
from remem.model.entry import Entry, kind_text
from remem.model.roles import audience
from remem.views.confidence_history import trajectory
from remem.views.documents.entries import LinkReport, ListReport, ShowReport
from remem.views.documents.learnings import ConfidenceReport, ConfidenceRow, ThresholdReport
from remem.views.entries.entry_details import inherited_by, links

_BOLD: Final = {"bold": True}


@click.command("list", context_settings={"allow_extra_args": True})
@narrowing_options
@click.option("--query", default="", help="Only entries with all of these words.")
@common_options
@pass_invocation
def list_entries(invocation: Invocation, narrowing: Narrowing, query: str) -> None:
    """List entries."""
    library = invocation.session.library
    need_no_words(library, click.get_current_context().args)
    wanted = narrowing.known_in(library)
    found = [
        entry
        for entry in library.entries()
        if wanted.takes(library, entry) and holds(library, entry, query)
    ]
    if invocation.as_json:
        emit(ListReport(entries=tuple(entry_report(library, entry) for entry in found)))
        return
    print_entries(library, found, rated=bool(wanted.kinds))
    tell_all_unread(invocation, library.sources)
    for problem in not_open(library):
        where = shown_path(invocation, problem.path or invocation.root)
        say(f"not read: {where}  {problem.message}")
    _say_why_empty(library, found)


def need_no_words(library: Library, words: Sequence[str]) -> None:
    """Refuse words that stand beside the options, and name the option that was meant.

    Raises:
        BadUsage: There are some.
    """
    if not words:
        return
    kinds = [near_kind(library, word) for word in words]
    options = " ".join(f"--kind {kind_text(kind)}" for kind in kinds if kind)
    if not all(kinds):
        options = f"--query {shlex.join([' '.join(words)])}"
    told = f"unexpected argument `{' '.join(words)}`"
    raise BadUsage(told, hint=f"did you mean `remem list {options}`?")


@click.command("show")
@click.argument("ref", metavar="REF", shell_complete=complete_entries)
@common_options
@pass_invocation
def show(invocation: Invocation, ref: str) -> None:
    """Show one entry.

    REF is an entry, or the id of an item in `remem queue`.
    """
    session = invocation.session
    entry, item = shown_or_waiting(session, ref)
    library = session.library
    source = library.source_of(entry)
    form = library.format_of(entry)
    fields, body = form.reader.fields(source, entry), form.reader.body(source, entry)
    found = trajectory(library, entry)
    conflicts = session.conflicts(entry)
    told = session.told_of(item) if item is not None else conflicts
    if invocation.as_json:
        every_link = (*inherited_by(library, entry), *links(library, entry))
        emit(
            ShowReport(
                entry=entry_report(library, entry),
                fields=dict(fields),
                body=body,
                digest=entry.digest,
                confidence=None if found is None else confidence_report(found),
                conflicts=conflicts,
                item=None if item is None else report_of(library, item, told=told),
                links=tuple(LinkReport(name=name, told=each) for name, each in every_link),
            )
        )
        return
    line = line_of(entry.at, source.data)
    where = shown_path(invocation, path_of(entry.at)) + (f":{line}" if line else "")
    show_text(
        f"{library.short(entry.ref)} · {kind_text(entry.kind)} · {state_of(library, entry)} · "
        f"{roles_text(library, entry)}",
        bold=True,
    )
    became = decided(library, entry)
    if became is not None:
        show_text(f"decided: {became.told(library)}")
    show_text(where + (f" · {entry.context}" if entry.context else ""), dim=True)
    click.echo()
    if fields:
        _print_fields(fields)
    else:
        show_text(body.rstrip("\n"))
    for name, place in links(library, entry):
        show_field(name, place)
    if found is not None:
        print_confidence(found)
    if item is not None:
        _print_waiting(item)
    for each in told:
        shown = each if item is None else f"- {' '.join(each.split())}"
        show_text(shown, **_BOLD if tells_of_conflict(each) else {})
    for problem in entry.problems:
        say(f"problem: {problem.message}" + (f"; {problem.hint}" if problem.hint else ""))


def _print_waiting(item: Item) -> None:
    suggested = f" · suggested: {item.suggests or item.suggested}" if item.suggested else ""
    show_text(f"\nto review: {item.id} · {item.why}{suggested}", bold=True)


_RATED: Final = ("severity", "enforcement", "confidence")
"""Fields that say how much an entry weighs; a list of one kind shows them beside its status."""


def print_entries(
    library: Library, entries: Sequence[Entry], *, rated: bool = False, below: Sequence[str] = ()
) -> None:
    """Print entries in a table.

    Args:
        library: Where they are.
        entries: What is listed.
        rated: Show severity, enforcement or confidence too; every record is parsed for it.
        below: What is printed below each on a terminal, and behind it in a pipe.
    """

    def row(entry: Entry) -> tuple[str, ...]:
        first = (
            library.short(entry.ref),
            kind_text(entry.kind),
            _status(library, entry),
            roles_text(library, entry),
        )
        if not rated:
            return (*first, marked_title(entry))
        weight = " · ".join(_weights(library, entry))
        # Scripts count columns from the left; on a terminal the title is what may be cut.
        told = (weight, marked_title(entry)) if on_terminal() else (marked_title(entry), weight)
        return (*first, *told)

    weights = ("WEIGHT",) if rated else ()
    print_table(
        ("REF", "KIND", "STATUS", "ROLES", *weights, "TITLE"), map(row, entries), below=below
    )


def _weights(library: Library, entry: Entry) -> Iterator[str]:
    """Yield what a record itself says of its weight, and nothing that is only assumed."""
    fields = library.format_of(entry).reader.fields(library.source_of(entry), entry)
    for name in _RATED:
        value = fields.get(name)
        if value not in (None, ""):
            yield f"confidence {value:g}" if isinstance(value, float) else str(value)


def _status(library: Library, entry: Entry) -> str:
    found = decided(library, entry)
    return entry.status.value if found is None else found.short(library)


def _say_why_empty(library: Library, found: Sequence[Entry]) -> None:
    if found:
        return
    entries = sum(len(source.entries) for source in library.sources)
    if entries:
        say(f"none of {count(entries, 'entry', 'entries')} matches")
    elif library.sources:
        say("no entries yet; add one with `remem add`")
    else:
        say("no memory found here; `remem init` creates a project memory")


def roles_text(library: Library, entry: Entry) -> str:
    """Return who an entry is for, in words."""
    return audience(entry.roles, entry.phases, library.source_of(entry).owner)


def marked_title(entry: Entry) -> str:
    """Return an entry's text, marked where something is wrong with it."""
    return f"! {entry.row_text}" if entry.problems else entry.row_text


def _print_fields(fields: Mapping[str, Json], indent: str = "") -> None:
    """Print fields as indented lines, readable rather than parsable."""
    for name, value in fields.items():
        if isinstance(value, dict):
            show_field(indent + name)
            _print_fields(value, indent + "  ")
        elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
            show_field(indent + name)
            _print_fields(
                {str(number): each for number, each in enumerate(value, 1)}, indent + "  "
            )
        elif isinstance(value, list):
            show_field(indent + name, ", ".join(map(_scalar, value)) or NOTHING)
        else:
            show_field(indent + name, _scalar(value))


def _scalar(value: Json) -> str:
    if value is None or value == "":
        return NOTHING
    return str(value).lower() if isinstance(value, bool) else str(value)


_POINTS = 12
"""Of the way to now that one line holds; the newest are kept."""


def confidence_report(found: Trajectory) -> ConfidenceReport:
    """Return the ledger as a document has it."""
    return ConfidenceReport(
        now=found.now,
        approximate=found.approximate,
        rows=tuple(
            ConfidenceRow(
                time=row.time,
                event=row.event,
                delta=row.delta,
                before=row.before,
                after=row.after,
                by=row.by,
                detail=row.detail,
                story=row.story,
                approximate=row.about_before or row.about_after,
            )
            for row in found.rows
        ),
        points=found.points,
        up=_threshold(found.up),
        down=_threshold(found.down),
        what_if=found.what_if,
    )


def print_confidence(found: Trajectory) -> None:
    """Print the ledger below an entry: a line for each event, then what comes next."""
    about = "≈" if found.approximate else ""
    path = " → ".join(f"{point:g}" for point in found.points[-_POINTS:])
    is_about = any(row.about_before for row in found.rows)
    way = f" ({'≈' if is_about else ''}{path})" if len(found.points) > 1 else ""
    show_text(f"\nconfidence {about}{found.now:g}{way}", bold=True)
    print_table(
        ("TIME", "EVENT", "DELTA", "BEFORE", "AFTER", "BY", "DETAIL"),
        [_cells(row) for row in found.rows],
    )
    for sign, each in (("above", found.up), ("below", found.down)):
        if each is not None:
            show_text(f"next {sign}: {each.at:g}, {each.means} ({each.away})", dim=True)
    for sentence in found.what_if:
        show_text(sentence, dim=True)


def _cells(row: Row) -> tuple[str, ...]:
    delta = NOTHING if row.delta is None else f"{row.delta:+g}"
    before, after = (
        NOTHING if each is None else f"{'≈' if about else ''}{each:g}"
        for each, about in ((row.before, row.about_before), (row.after, row.about_after))
    )
    when = " ".join(filter(None, (row.story, row.time)))
    return (when or NOTHING, row.event, delta, before, after, row.by or NOTHING, row.detail)


def _threshold(found: Threshold | None) -> ThresholdReport | None:
    if found is None:
        return None
    return ThresholdReport(at=found.at, means=found.means, away=found.away)
