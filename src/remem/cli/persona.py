"""The commands about agents that have a name: `persona list`, `show`, `new`, `rename`, …."""

from __future__ import annotations

import click

from remem.base.text import count
from remem.cli.documents import entry_report
from remem.cli.naming import shown_path
from remem.cli.out import NOTHING, emit, print_table, say, show_text
from remem.cli.persona_compact import compact
from remem.cli.persona_places import diff, persona_named, print_places
from remem.cli.persona_profile import part_of, profile_report, show_profile, text_of_file
from remem.cli.persona_reflect import reflect
from remem.cli.session import Session, common_options, pass_session
from remem.cli.verb_command import command_of
from remem.core.prompt.tokens import Counter
from remem.systems.personas.group import Persona
from remem.systems.personas.people import everyone
from remem.systems.personas.persona_verbs import (
    PERSONA_ABSORB,
    PERSONA_ARCHIVE,
    PERSONA_EDIT,
    PERSONA_MERGE,
    PERSONA_MOVE,
    PERSONA_NEW,
    PERSONA_RENAME,
    PERSONA_RESTORE,
)
from remem.systems.personas.places import places_of
from remem.views.documents.people import (
    PersonaFileReport,
    PersonaListReport,
    PersonaReport,
    PersonaShowReport,
)


@click.group("persona", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def persona() -> None:
    """Look after agents that have a name."""


@click.command("list")
@common_options
@pass_session
def list_personas(session: Session) -> None:
    """List personas, archived ones last."""
    workbench = session.workbench
    counter = workbench.load_counter()
    reports = [_report(each, counter) for each in everyone(workbench.library)]
    if session.as_json:
        emit(PersonaListReport(personas=tuple(reports)))
        return
    print_table(
        ("PERSONA", "ROLE", "UNITS", "TOKENS", "PLACES"),
        [
            (
                each.folder or each.name,
                each.title or ", ".join(each.roles) or NOTHING,
                f"{each.units:,}",
                _tokens(each),
                _places_text(each),
            )
            for each in reports
        ],
    )
    if not reports:
        say("no persona was found here; `remem persona new NAME` makes one")


@click.command("show")
@click.argument("name", metavar="NAME")
@common_options
@pass_session
def show(session: Session, name: str) -> None:
    """Show a persona: its files and what it remembers."""
    workbench = session.workbench
    library = workbench.library
    found = persona_named(everyone(library), name)
    report = _report(found, workbench.load_counter())
    profile = profile_report(workbench, found)
    entries = tuple(entry for source in found.sources for entry in source.entries)
    if session.as_json:
        reports = tuple(entry_report(library, entry) for entry in entries)
        emit(PersonaShowReport(persona=report, profile=profile, entries=reports))
        return
    who = f"{report.name} · {report.title}" if report.title else report.name
    state = " · archived" if report.archived else ""
    show_text(f"{who} · {count(report.units, 'unit')}{state}", bold=True)
    for file in report.files:
        tokens = f"{'' if file.exact else '≈ '}{count(file.tokens, 'token')}"
        show_text(f"{shown_path(session, file.path)} · {file.part} · {file.layout} · {tokens}")
    print_places(session, found)
    show_profile(session, profile)
    context = None
    for entry in entries:
        if entry.context != context:
            context = entry.context
            show_text(f"\n{context}" if context else "", bold=True)
        show_text(f"- {entry.title}")


def _report(found: Persona, counter: Counter) -> PersonaReport:
    return PersonaReport(
        name=found.name,
        title=found.title,
        roles=found.roles,
        units=found.units,
        archived=found.archived,
        folder=found.folder,
        places=tuple(where.name for where in places_of(found)),
        files=tuple(
            PersonaFileReport(
                path=str(source.path),
                layout=source.layout,
                scope=source.scope,
                part=source.part,
                tokens=counter.count(source.data.decode("utf-8", "replace")),
                exact=counter.exact,
                units=len(source.entries),
            )
            for source in found.sources
        ),
    )


def _places_text(report: PersonaReport) -> str:
    """Return where a persona's memory lies, several places of one name together."""
    layouts = dict.fromkeys(file.layout for file in report.files)
    return ", ".join(report.places or layouts) or NOTHING


def _tokens(report: PersonaReport) -> str:
    exact = all(file.exact for file in report.files)
    return f"{'' if exact else '≈ '}{sum(file.tokens for file in report.files):,}"


for _command in (
    command_of(PERSONA_EDIT, reads={"text": text_of_file}),
    reflect,
    compact,
    diff,
    command_of(PERSONA_MERGE),
    command_of(PERSONA_MOVE),
    list_personas,
    show,
    command_of(PERSONA_NEW, reads=dict.fromkeys(("soul", "style", "skill"), part_of)),
    command_of(PERSONA_RENAME),
    command_of(PERSONA_ARCHIVE),
    command_of(PERSONA_RESTORE),
    command_of(PERSONA_ABSORB),
):
    persona.add_command(_command)
