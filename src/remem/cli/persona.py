"""The commands about agents that have a name: `persona list`, `show`, `new`, `rename`, …."""

from __future__ import annotations

from difflib import get_close_matches

import click

from remem.cli.carry import carry_out, dry_run_option
from remem.cli.documents import entry_report
from remem.cli.naming import shown_path
from remem.cli.out import NOTHING, emit, print_table, say, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.curation.personas import personas
from remem.errors import UnknownRef
from remem.formats.personas.group import Persona
from remem.formats.personas.source import persona_key
from remem.model.change import Intent
from remem.model.report.people import (
    PersonaFileReport,
    PersonaListReport,
    PersonaReport,
    PersonaShowReport,
)
from remem.prompt.tokens import Counter
from remem.text import count

layout_option = click.option(
    "--layout", default="", help="Only this place, where a persona has several."
)


@click.group("persona", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def persona() -> None:
    """Look after agents that have a name."""


@persona.command("list")
@common_options
@pass_session
def list_personas(session: Session) -> None:
    """List personas, archived ones last."""
    workbench = session.workbench
    counter = workbench.load_counter()
    reports = [_report(each, counter) for each in personas(workbench.library)]
    if session.as_json:
        emit(PersonaListReport(personas=tuple(reports)))
        return
    print_table(
        ("PERSONA", "ROLE", "UNITS", "TOKENS", "PLACES"),
        [
            (
                each.folder if each.archived else each.name,
                each.title or ", ".join(each.roles) or NOTHING,
                f"{each.units:,}",
                _tokens(each),
                ", ".join(dict.fromkeys(file.layout for file in each.files)) or NOTHING,
            )
            for each in reports
        ],
    )
    if not reports:
        say("no persona was found here; `remem persona new NAME` makes one")


@persona.command("show")
@click.argument("name", metavar="NAME")
@common_options
@pass_session
def show(session: Session, name: str) -> None:
    """Show a persona: its files and what it remembers."""
    workbench = session.workbench
    library = workbench.library
    found = _named(personas(library), name)
    report = _report(found, workbench.load_counter())
    entries = tuple(entry for source in found.sources for entry in source.entries)
    if session.as_json:
        reports = tuple(entry_report(library, entry) for entry in entries)
        emit(PersonaShowReport(persona=report, entries=reports))
        return
    who = f"{report.name} · {report.title}" if report.title else report.name
    state = " · archived" if report.archived else ""
    show_text(f"{who} · {count(report.units, 'unit')}{state}", bold=True)
    for file in report.files:
        tokens = f"{'' if file.exact else '≈ '}{count(file.tokens, 'token')}"
        show_text(f"{shown_path(session, file.path)} · {file.part} · {file.layout} · {tokens}")
    context = None
    for entry in entries:
        if entry.context != context:
            context = entry.context
            show_text(f"\n{context}" if context else "", bold=True)
        show_text(f"- {entry.title}")


@persona.command("new")
@click.argument("name", metavar="NAME")
@click.option("--role", default="", help="Who it is, in a few words.")
@layout_option
@dry_run_option
@common_options
@pass_session
def new(session: Session, name: str, role: str, layout: str, dry_run: bool) -> None:
    """Make a persona with an empty memory."""
    _carry(session, "persona.new", dry_run, persona=name, role=role, layout=layout)


@persona.command("rename")
@click.argument("name", metavar="NAME")
@click.argument("new_name", metavar="NEW_NAME")
@layout_option
@dry_run_option
@common_options
@pass_session
def rename(session: Session, name: str, new_name: str, layout: str, dry_run: bool) -> None:
    """Give a persona another name, in all of its places."""
    _carry(session, "persona.rename", dry_run, persona=name, to=new_name, layout=layout)


@persona.command("archive")
@click.argument("name", metavar="NAME")
@layout_option
@dry_run_option
@common_options
@pass_session
def archive(session: Session, name: str, layout: str, dry_run: bool) -> None:
    """Put a persona's memory into its archive."""
    _carry(session, "persona.archive", dry_run, persona=name, layout=layout)


@persona.command("restore")
@click.argument("name", metavar="NAME")
@layout_option
@dry_run_option
@common_options
@pass_session
def restore(session: Session, name: str, layout: str, dry_run: bool) -> None:
    """Bring an archived persona back.

    NAME is the persona's, or the archived folder's where several have one name.
    """
    _carry(session, "persona.restore", dry_run, persona=name, layout=layout)


def _carry(session: Session, verb: str, dry_run: bool, **arguments: str) -> None:
    given = {name: value for name, value in arguments.items() if value}
    carry_out(session, Intent(verb, arguments=given), dry_run=dry_run)


def _named(known: tuple[Persona, ...], name: str) -> Persona:
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
        raise UnknownRef(f"`{name}` was archived {len(found)} times", hint=f"write one of {names}")
    near = get_close_matches(name, [each.name for each in known], n=1)
    hint = f"did you mean `{near[0]}`?" if near else "`remem persona list` names them"
    raise UnknownRef(f"nobody is called `{name}`", hint=hint)


def _report(found: Persona, counter: Counter) -> PersonaReport:
    return PersonaReport(
        name=found.name,
        title=found.title,
        roles=found.roles,
        units=found.units,
        archived=found.archived,
        folder=found.folder,
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


def _tokens(report: PersonaReport) -> str:
    exact = all(file.exact for file in report.files)
    return f"{'' if exact else '≈ '}{sum(file.tokens for file in report.files):,}"
