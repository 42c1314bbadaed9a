"""The commands about agents that have a name: `persona list`, `show`, `new`, `rename`, …."""

from __future__ import annotations

import click

from remem.base.text import count
from remem.cli.documents import entry_report
from remem.cli.execute import carry_out, dry_run_option
from remem.cli.naming import shown_path
from remem.cli.out import NOTHING, emit, print_table, say, show_text
from remem.cli.persona_compact import compact
from remem.cli.persona_places import diff, merge, move, persona_named, print_places
from remem.cli.persona_profile import edit, part_of, profile_report, show_profile
from remem.cli.persona_reflect import reflect
from remem.cli.session import Session, common_options, pass_session
from remem.core.prompt.tokens import Counter
from remem.model.change import Intent, Json
from remem.systems.personas.group import Persona
from remem.systems.personas.places import places_of
from remem.systems.personas.plans import personas
from remem.views.documents.people import (
    PersonaFileReport,
    PersonaListReport,
    PersonaReport,
    PersonaShowReport,
)

layout_option = click.option(
    "--layout", default="", help="Only this place, where a persona has several."
)


@click.group("persona", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def persona() -> None:
    """Look after agents that have a name."""


persona.add_command(edit)
persona.add_command(reflect)
persona.add_command(compact)
persona.add_command(diff)
persona.add_command(merge)
persona.add_command(move)


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


@persona.command("show")
@click.argument("name", metavar="NAME")
@common_options
@pass_session
def show(session: Session, name: str) -> None:
    """Show a persona: its files and what it remembers."""
    workbench = session.workbench
    library = workbench.library
    found = persona_named(personas(library), name)
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


@persona.command("new")
@click.argument("name", metavar="NAME")
@click.option("--role", default="", help="Who it is, in a few words.")
@click.option("--soul", default="", metavar="TEXT", help="What it stands for; `@FILE` reads it.")
@click.option("--style", default="", metavar="TEXT", help="How it speaks; `@FILE` reads it.")
@click.option("--skill", default="", metavar="TEXT", help="How it works; `@FILE` reads it.")
@layout_option
@dry_run_option
@common_options
@pass_session
def new(
    session: Session,
    name: str,
    role: str,
    soul: str,
    style: str,
    skill: str,
    layout: str,
    dry_run: bool,
) -> None:
    """Make a persona with an empty memory.

    A FILE of `key: value` lines is taken as that part of `persona.yaml`, any other as prose.
    """
    said = {"soul": part_of(soul), "style": part_of(style), "skill": part_of(skill)}
    parts = {part: value for part, value in said.items() if value}
    _carry(session, "persona.new", dry_run, persona=name, role=role, layout=layout, **parts)


@persona.command("rename")
@click.argument("name", metavar="NAME")
@click.argument("new_name", metavar="NEW_NAME")
@layout_option
@click.option("--with-references", is_flag=True, help="Write the new name into other memories too.")
@dry_run_option
@common_options
@pass_session
def rename(
    session: Session, name: str, new_name: str, layout: str, with_references: bool, dry_run: bool
) -> None:
    """Give a persona another name, in all of its places.

    What other memories say of it is told, and rewritten only with `--with-references`.
    """
    arguments: dict[str, Json] = {"persona": name, "to": new_name, "layout": layout}
    if with_references:
        arguments["references"] = True
    _carry(session, "persona.rename", dry_run, **arguments)


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


@persona.command("absorb")
@click.argument("name", metavar="NAME")
@layout_option
@dry_run_option
@common_options
@pass_session
def absorb(session: Session, name: str, layout: str, dry_run: bool) -> None:
    """Put what an agent wrote under a persona's old name with the persona's memory.

    NAME is the old one. What is new is added to the file of the same name, and the folder that the
    agent made again is taken away.
    """
    session.workbench.look()
    _carry(session, "persona.absorb", dry_run, persona=name, layout=layout)


def _carry(session: Session, verb: str, dry_run: bool, **arguments: Json) -> None:
    given = {name: value for name, value in arguments.items() if value}
    intent = Intent(verb, arguments=given)
    carry_out(session, intent, dry_run=dry_run, may_be_nothing=True)


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
