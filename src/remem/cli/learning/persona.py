"""The commands about agents that have a name: `persona list`, `show`, `diff`, `new`, …."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations
from pathlib import Path
from typing import Final

import click

from remem.base.errors import NotPossible, RememError, UnknownRef
from remem.base.text import count, did_you_mean
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import entry_report
from remem.cli.learning.persona_compact import compact
from remem.cli.learning.persona_reflect import reflect
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_exact, print_table, say, show_text
from remem.cli.verb_command import command_of
from remem.core.prompt.counter import Counter
from remem.core.session import Session
from remem.model.change import Json
from remem.model.layout import Part
from remem.model.prompt import Ask, Prompt
from remem.model.roles import persona_key
from remem.model.source import LoaderKind, Source, SourceKind
from remem.store.cache_file import put
from remem.store.io import Disk, Unreadable
from remem.systems.loading.loader_cut import whole_text
from remem.systems.personas.lessons.shared_lessons import Shared, shared_lessons
from remem.systems.personas.moving.persona_planner import DEEP
from remem.systems.personas.moving.several_places import (
    Difference,
    difference,
    name_two,
    place_named,
    places_of,
    shared_places,
)
from remem.systems.personas.persona_verbs import (
    LESSON_SHARE,
    PERSONA_ARCHIVE,
    PERSONA_EDIT,
    PERSONA_MERGE,
    PERSONA_MERGE_RECREATED,
    PERSONA_MOVE,
    PERSONA_NEW,
    PERSONA_RENAME,
    PERSONA_RESTORE,
)
from remem.systems.personas.profiles.profile import profile_of
from remem.systems.personas.source import persona_sources
from remem.systems.personas.team.people import Persona, everyone
from remem.systems.personas.team.squad_export import exported
from remem.systems.personas.team.team_table import (
    SORTS,
    Decisions,
    Member,
    decisions,
    ordered,
    team,
)
from remem.views.documents.people import (
    DecisionsRow,
    PersonaDiffReport,
    PersonaFileReport,
    PersonaListReport,
    PersonaReport,
    PersonaRow,
    PersonaSharedReport,
    PersonaShowReport,
    ProfileReport,
    SharedRow,
)
from remem.views.team import HEADINGS, team_cells, until

_PARTS: Final = 4
"""Rows of a start besides a persona's own files that are named."""
_AT_STARTUP: Final = (LoaderKind.WHOLE, LoaderKind.HEAD, LoaderKind.TAIL, LoaderKind.ENDS)


@click.group("persona", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def persona() -> None:
    """Manage personas: named agents with a memory."""


@click.command("list")
@click.option(
    "--sort",
    type=click.Choice(tuple(SORTS)),
    default="name",
    help="Sort by column, largest or newest first; growth = +/WEEK.",
)
@click.option(
    "--new", "only_new", is_flag=True, help="Only personas changed since you last looked."
)
@common_options
@pass_invocation
def list_personas(invocation: Invocation, sort: str, *, only_new: bool) -> None:
    """List personas as a team table, archived ones last.

    UNREVIEWED = entries that agents wrote, changed or removed, or * = changed since you last
    looked; +/WEEK = tokens a week over the last four; OVER = files that Health calls too long;
    SIMILAR = lessons that another persona has too; UNLOADED = tokens of its memory that its tool
    cuts off at startup. The team's decisions have a row; `remem archive --team --before DAY`
    archives old ones.
    """
    session = invocation.session
    counter = session.load_counter()
    session.look()
    found = team(session.library, counter, session.looked_last())
    shown = [each for each in found if each.is_new or each.unreviewed or not only_new]
    logs = decisions(session.library, counter)
    lines = ordered((*shown, *(() if only_new else logs)), sort)
    members = [each for each in lines if isinstance(each, Member)]
    if invocation.as_json:
        emit(
            PersonaListReport(
                personas=tuple(_row(each, counter) for each in members),
                decisions=tuple(_decisions_row(each) for each in logs),
            )
        )
        return
    print_table(HEADINGS, [team_cells(each) for each in lines], labelled=True)
    if until(members):
        say(f"+/WEEK: the four weeks up to {until(members)}, when memory was last committed")
    if not found:
        say("no personas found here; create one with `remem persona new NAME`")
    elif not members:
        say("no persona changed since you last looked")


@click.command("export")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("-o", "--output", default="", metavar="FILE", help="Write this; default: print it.")
@common_options
@pass_invocation
def export(invocation: Invocation, names: tuple[str, ...], output: str) -> None:
    """Put personas into a file that `squad import` takes.

    It holds their charters and histories as Squad has them, and every file of theirs besides.
    """
    found = exported(invocation.session.library, names)
    if output:
        put(invocation.session.disk, Path(output).expanduser().absolute(), found.data)
    else:
        print_exact(found.data.decode())
    say(found.receipt)


@click.command("shared")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@common_options
@pass_invocation
def shared(invocation: Invocation, names: tuple[str, ...]) -> None:
    """List lessons that several personas have; `persona share` settles them.

    With NAME, only lessons of that persona.
    """
    library = invocation.session.library
    keys = {persona_key(persona_named(everyone(library), name).name) for name in names}
    found = [
        each
        for each in shared_lessons(library)
        if not keys or keys & {persona_key(owner) for owner in each.owners}
    ]
    if invocation.as_json:
        emit(PersonaSharedReport(lessons=tuple(_shared_row(each) for each in found)))
        return
    for each in found:
        words = "the same" if each.is_exact else "something similar"
        show_text(f"{each.text} · {words} · {', '.join(each.owners)}", bold=True)
        for entry in each.copies:
            show_text(f"  {library.short(entry.ref)}")
    if not found:
        say("no lesson is in several memories here")


def _shared_row(found: Shared) -> SharedRow:
    return SharedRow(
        text=found.text,
        exact=found.is_exact,
        personas=found.owners,
        refs=tuple(str(entry.ref) for entry in found.copies),
    )


@click.command("show")
@click.argument("name", metavar="NAME")
@common_options
@pass_invocation
def show(invocation: Invocation, name: str) -> None:
    """Show a persona's files and lessons.

    Each lesson is listed with its id, which every command takes as REF.
    """
    session = invocation.session
    library = session.library
    found = persona_named(everyone(library), name)
    report = _report(found, session.load_counter())
    profile = profile_report(session, found)
    entries = tuple(entry for source in found.sources for entry in source.entries)
    if invocation.as_json:
        reports = tuple(entry_report(library, entry) for entry in entries)
        others = tuple(_others(found, session.load_counter()))
        emit(PersonaShowReport(persona=report, profile=profile, entries=reports, not_loaded=others))
        return
    who = f"{report.name} · {report.title}" if report.title else report.name
    state = "" if report.status == "active" else f" · {report.status}"
    start = None if found.archived else _start(session, found)
    show_text(f"{who} · {count(report.units, 'unit')}{state}", bold=True)
    for file, source in zip(report.files, found.sources, strict=True):
        tokens = f"{'' if file.exact else '≈'}{count(file.tokens, 'token')}"
        name = shown_path(invocation, file.path)
        part = "" if file.part == Part.ARCHIVE else f" · {file.part}"
        show_text(f"{name}{part} · {file.layout} · {tokens} · {_when_loaded(source, start)}")
    for file in _others(found, session.load_counter()):
        tokens = f"{'' if file.exact else '≈'}{count(file.tokens, 'token')}"
        show_text(f"{shown_path(invocation, file.path)} · not loaded · {tokens}", dim=True)
    if start is not None:
        _tell_start(invocation, found, start)
    print_places(invocation, found)
    show_profile(invocation, profile)
    context = None
    for entry in entries:
        if entry.context != context:
            context = entry.context
            show_text(f"\n{context}" if context else "", bold=True)
        mark = f"{entry.ref.mark} " if entry.ref.mark else ""
        show_text(f"- {mark}{entry.title}")


def _start(session: Session, found: Persona) -> Prompt | None:
    """Return what a persona starts with; `None` = no agent of that name starts here."""
    from remem.cli.start.status_rows import start_named

    try:
        return start_named(session, found.name)
    except UnknownRef:
        return None


def _when_loaded(source: Source, start: Prompt | None) -> str:
    """Return how much of a file its agent is given at its start, if anything."""
    from remem.views.entries.entry_details import loaded_as

    is_given = start is not None and any(
        line.path == source.path for layer in start.layers for line in layer.lines
    )
    if source.part == Part.ARCHIVE:
        return loaded_as(source)
    is_later = source.loader.kind not in _AT_STARTUP
    return f"loaded: {source.loader}" if is_given or is_later else "not loaded at startup"


def _tell_start(invocation: Invocation, found: Persona, prompt: Prompt) -> None:
    """Say what a persona's tokens in the list are of: its own files, and what others get too."""
    from remem.core.prompt.start_sum import sum_rows

    own = {source.path for source in found.sources}
    rows = [row for row in sum_rows(prompt, invocation.session.counter) if row.tokens]
    others = [row for row in rows if row.path not in own]
    parts = [f"{sum(row.tokens or 0 for row in rows if row.path in own):,} of its own files"]
    for row in others[:_PARTS]:
        name = shown_path(invocation, row.path) if row.path is not None else row.name
        parts.append(f"{row.tokens or 0:,} of {name}")
    rest = others[_PARTS:]
    if rest:
        parts.append(f"{sum(row.tokens or 0 for row in rest):,} of {count(rest, 'more row')}")
    about = "" if prompt.exact else "≈"
    show_text(f"{about}{count(prompt.tokens, 'token')} at startup: {' + '.join(parts)}")


def _others(found: Persona, counter: Counter) -> Iterator[PersonaFileReport]:
    """Yield the files of a persona's folders that are neither its memory nor its profile."""
    sources = [s for s in persona_sources(found.sources) if s.part != Part.DEFINITION]
    known = {source.path for source in sources}
    for folder, source in {s.folder: s for s in sources if s.kind is SourceKind.MEMORY}.items():
        for path in source.disk.walk(folder, DEEP):
            if path in known:
                continue
            try:
                text = source.disk.read(path).decode("utf-8", "replace")
            except Unreadable:
                continue
            yield PersonaFileReport(
                path=str(path),
                layout=source.layout,
                scope=source.scope,
                part="not loaded",
                tokens=counter.count(text),
                exact=counter.exact,
                units=0,
            )


def _report(found: Persona, counter: Counter) -> PersonaReport:
    return PersonaReport(
        name=found.name,
        title=found.title,
        roles=found.roles,
        units=found.units,
        archived_units=found.put_away,
        archived=found.archived,
        status=found.state,
        folder=found.folder,
        places=tuple(where.name for where in places_of(found)),
        files=tuple(
            PersonaFileReport(
                path=str(source.path),
                layout=source.layout,
                scope=source.scope,
                part=source.part,
                tokens=counter.count(whole_text(source)),
                exact=counter.exact,
                units=len(source.entries),
            )
            for source in found.sources
        ),
    )


def _decisions_row(found: Decisions) -> DecisionsRow:
    return DecisionsRow(
        path=str(found.source.path),
        layout=found.source.layout,
        tokens=found.tokens,
        exact=found.exact,
        units=found.units,
        undated=found.undated,
        oldest=found.dated[0][0] if found.dated else "",
        newest=found.dated[-1][0] if found.dated else "",
        old=found.old,
        old_before=found.old_before,
        over_limit=found.over,
    )


def _row(member: Member, counter: Counter) -> PersonaRow:
    report = _report(member.persona, counter)
    return PersonaRow(
        **{each.name: getattr(report, each.name) for each in fields(report)},
        tokens_at_start=member.tokens,
        exact=member.exact,
        written=member.written,
        growth=member.growth,
        over_limit=member.over,
        twins=member.twins,
        never_loaded=member.never,
        new=member.is_new,
        growth_until=member.until,
        unreviewed=member.unreviewed,
        unreviewed_new=member.waits.new,
        unreviewed_changed=member.waits.changed,
        unreviewed_removed=member.waits.removed,
    )


_STDIN = "-"


def profile_report(session: Session, persona: Persona) -> ProfileReport:
    """Return who a persona is, and whether that can be edited here."""
    from remem.systems.personas.profiles.profile_edit import profile_file

    library = session.library
    sources = persona_sources(library.sources)
    ask = Ask(persona=persona.name)
    frame = library.format("persona").composer.frame(
        library.ground, library.of_format("persona"), ask
    )
    segments = frame.segments if frame is not None and not persona.archived else ()
    text = "\n\n".join(segment.text for segment in segments if not segment.is_memory)
    path, why_not = "", "it is archived; restore it first" if persona.archived else ""
    try:
        file = profile_file(library, persona.name) if not persona.archived else None
        path = str(file.path) if file is not None and file.source is not None else ""
    except RememError as error:
        why_not = str(error)
    return ProfileReport(
        text=text,
        tokens=session.counter.count(text),
        path=path,
        writable=not why_not,
        why_not=why_not,
        override=bool(profile_of(sources, persona.name).override.strip()),
    )


def show_profile(invocation: Invocation, report: ProfileReport) -> None:
    """Print who a persona is, before what it remembers."""
    if report.path:
        show_text(f"profile in {shown_path(invocation, report.path)}", dim=True)
    if report.why_not:
        show_text(report.why_not, dim=True)
    if report.override:
        show_text("its system prompt override replaces the profile; memory follows it", dim=True)
    if report.text:
        show_text(f"\n{report.text}")


def text_of_file(file: str) -> str:
    """Return the text of a file, or of stdin for `-`.

    Raises:
        NotPossible: It is not UTF-8.
    """
    data = sys.stdin.buffer.read() if file == _STDIN else Disk().read(Path(file).absolute())
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise NotPossible(f"`{file}` is not UTF-8 text", hint="save it as UTF-8") from None


def part_of(text: str) -> Json:
    """Return a part of a profile: a text, or what the file after `@` holds."""
    if not text.startswith("@"):
        return text
    from remem.edit.yaml_read import parse_document

    found = text_of_file(text.removeprefix("@"))
    document = parse_document(found.encode())
    value = document.value if not document.problems else None
    return value if isinstance(value, dict) else found


_from_option = click.option("--from", "one", default="", metavar="PLACE", help="The current place.")
_to_option = click.option("--to", "other", default="", metavar="PLACE", help="The other place.")


@click.command("diff")
@click.argument("name", metavar="NAME")
@_from_option
@_to_option
@common_options
@pass_invocation
def diff(invocation: Invocation, name: str, one: str, other: str) -> None:
    """Compare two places of a persona, unit by unit."""
    library = invocation.session.library
    found = persona_named(everyone(library), name)
    places = places_of(found)
    if not one and not other and len(places) == 2:
        first, second = places
    elif one and other:
        first, second = (
            place_named(library.ground, found, each, is_used=True) for each in (one, other)
        )
    else:
        raise name_two(found)
    told = difference(found, first, second)
    if invocation.as_json:
        emit(
            PersonaDiffReport(
                name=found.name,
                one=first.name,
                other=second.name,
                both=tuple((str(left.ref), str(right.ref)) for left, right in told.both),
                only_one=tuple(str(entry.ref) for entry in told.only_one),
                only_other=tuple(str(entry.ref) for entry in told.only_other),
            )
        )
        return
    show_text(difference_text(told), bold=True)
    for sign, entries in (("-", told.only_one), ("+", told.only_other)):
        for entry in entries:
            show_text(f"{sign} {entry.title}")


def print_places(invocation: Invocation, found: Persona) -> None:
    """Print how each two places of a persona differ, and who else keeps memory in one of them."""
    for told in shared_places(found, invocation.session.past.namesakes()):
        say(f"note: {told}")
    for one, other in combinations(places_of(found), 2):
        show_text(difference_text(difference(found, one, other)), dim=True)


def difference_text(told: Difference) -> str:
    """Return how two places differ, in a line."""
    return (
        f"{told.one.name} and {told.other.name}: {count(len(told.both), 'unit')} in both, "
        f"{len(told.only_one):,} only in {told.one.name}, "
        f"{len(told.only_other):,} only in {told.other.name}"
    )


def persona_named(known: tuple[Persona, ...], name: str) -> Persona:
    """Return the living persona of that name, else the archived one of that name or folder.

    Raises:
        UnknownRef: Nobody is called so, or several archived ones are.
    """
    key = persona_key(name)
    living = [each for each in known if not each.archived and persona_key(each.name) == key]
    if living:
        return living[0]
    found = [each for each in known if each.archived and name == each.folder]
    found = found or [each for each in known if persona_key(each.name) == key]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f"`{each.folder}`" for each in found)
        raise UnknownRef(f"`{name}` was archived {len(found)} times", hint=f"use one of {names}")
    from remem.systems.personas.team.team_table import TEAM_LOG

    hint = did_you_mean(name, (each.name for each in known)) or "`remem persona list` lists them"
    if name.casefold() == TEAM_LOG:
        hint = "these are the team's: `remem list --kind decision` lists them"
    raise UnknownRef(f"no persona is called `{name}`", hint=hint)


for _command in (
    command_of(PERSONA_EDIT, reads={"text": text_of_file}),
    reflect,
    compact,
    diff,
    shared,
    export,
    command_of(LESSON_SHARE),
    command_of(PERSONA_MERGE),
    command_of(PERSONA_MOVE),
    list_personas,
    show,
    command_of(PERSONA_NEW, reads=dict.fromkeys(("soul", "style", "skill"), part_of)),
    command_of(PERSONA_RENAME),
    command_of(PERSONA_ARCHIVE),
    command_of(PERSONA_RESTORE),
    command_of(PERSONA_MERGE_RECREATED),
):
    persona.add_command(_command)
