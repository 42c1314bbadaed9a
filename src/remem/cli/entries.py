"""The commands that read entries: `list`, `show`, `search`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from remem.cli.documents import entry_report, line_of, log_report, path_of, time_text
from remem.cli.naming import entry_named, kind_word, shown_path
from remem.cli.out import NOTHING, emit, print_table, say, show_field, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.disk.history import Logged
from remem.library import Library
from remem.model.change import Json
from remem.model.entry import Entry, Status
from remem.model.report.changes import SearchReport
from remem.model.report.entries import ListReport, ShowReport
from remem.model.roles import matches
from remem.text import count

STATUSES = tuple(status.value for status in Status)


@click.command("list")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind; repeatable.")
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only this status."
)
@click.option("--role", default="", help="Only what this role receives.")
@click.option("--format", "format_name", default="", help="Only this way of keeping memory.")
@click.option("--layout", default="", help="Only this layout.")
@click.option("--query", default="", help="Only entries that hold all of these words.")
@common_options
@pass_session
def list_entries(
    session: Session,
    kinds: tuple[str, ...],
    statuses: tuple[str, ...],
    role: str,
    format_name: str,
    layout: str,
    query: str,
) -> None:
    """List entries."""
    library = session.workbench.library
    wanted = {kind_word(kind) for kind in kinds}
    if format_name:
        library.format(format_name)
    found = [
        entry
        for entry in library.entries()
        if (not wanted or entry.kind in wanted)
        and (not statuses or entry.status.value in statuses)
        and (not role or matches(role, entry.roles))
        and (not format_name or entry.ref.format == format_name)
        and (not layout or library.source_of(entry).layout == layout)
        and _holds(entry, query)
    ]
    if session.as_json:
        emit(ListReport(entries=tuple(entry_report(library, entry) for entry in found)))
        return
    _print_entries(library, found)
    _say_why_empty(library, found)


@click.command("show")
@click.argument("ref", metavar="REF")
@common_options
@pass_session
def show(session: Session, ref: str) -> None:
    """Show one entry whole."""
    library = session.workbench.library
    entry = entry_named(library, ref)
    source = library.source_of(entry)
    form = library.format_of(entry)
    fields, body = form.fields(source, entry), form.body(source, entry)
    if session.as_json:
        emit(
            ShowReport(
                entry=entry_report(library, entry),
                fields=dict(fields),
                body=body,
                digest=entry.digest,
            )
        )
        return
    line = line_of(entry.at, source.data)
    where = shown_path(session, path_of(entry.at)) + (f":{line}" if line else "")
    show_text(
        f"{library.short(entry.ref)} · {entry.kind} · {entry.status} · {_roles(entry)}", bold=True
    )
    show_text(where + (f" · {entry.context}" if entry.context else ""), dim=True)
    click.echo()
    if fields:
        _print_fields(fields)
    else:
        show_text(body.rstrip("\n"))
    for problem in entry.problems:
        say(f"problem: {problem.message}" + (f"; {problem.hint}" if problem.hint else ""))


@click.command("search")
@click.argument("text", metavar="TEXT")
@click.option("--everywhere", is_flag=True, help="Search archives and the history too.")
@common_options
@pass_session
def search(session: Session, text: str, everywhere: bool) -> None:
    """Find entries that hold a text."""
    workbench = session.workbench
    library = workbench.library
    found = list(_search(library, text, everywhere=everywhere))
    changes = [c for c in workbench.history() if _is_in(text, (c.title,))] if everywhere else []
    if session.as_json:
        emit(
            SearchReport(
                entries=tuple(entry_report(library, entry) for entry in found),
                changes=tuple(log_report(change) for change in changes),
            )
        )
        return
    _print_entries(library, found)
    _print_changes(changes)
    if not found and not changes:
        wider = "" if everywhere else "; `--everywhere` looks in archives and the history too"
        say(f"nothing holds `{text}`{wider}")


def _search(library: Library, text: str, *, everywhere: bool) -> Iterator[Entry]:
    """Yield entries whose own text holds `text`, looking at each source's bytes first."""
    for source in library.sources:
        if source.archived and not everywhere:
            continue
        form = library.format(source.format)
        for entry in source.entries:
            if entry.status is Status.ARCHIVED and not everywhere:
                continue
            if _is_in(text, (entry.title, entry.context)) or _is_in(
                text, (form.body(source, entry),)
            ):
                yield entry


def _is_in(text: str, where: Iterable[str]) -> bool:
    wanted = text.casefold()
    return any(wanted in each.casefold() for each in where)


def _holds(entry: Entry, query: str) -> bool:
    text = f"{entry.ref} {entry.title} {entry.context}".casefold()
    return all(word in text for word in query.casefold().split())


def _print_entries(library: Library, entries: Sequence[Entry]) -> None:
    print_table(
        ("REF", "KIND", "STATUS", "ROLES", "TITLE"),
        [(library.short(e.ref), e.kind, e.status.value, _roles(e), _marked(e)) for e in entries],
    )


def _print_changes(changes: Iterable[Logged]) -> None:
    for change in changes:
        show_text(f"{change.id}  {time_text(change.time)}  {change.title}")


def _say_why_empty(library: Library, found: Sequence[Entry]) -> None:
    if found:
        return
    entries = sum(len(source.entries) for source in library.sources)
    if entries:
        say(f"none of {count(entries, 'entry', 'entries')} is like that")
    else:
        say("no memory was found here; `remem init` makes a project memory")


def _roles(entry: Entry) -> str:
    return "everyone" if not entry.roles else ", ".join(entry.roles)


def _marked(entry: Entry) -> str:
    return f"! {entry.title}" if entry.problems else entry.title


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
