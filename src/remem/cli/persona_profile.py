"""Who a persona is, on the command line: `persona edit`, and what `persona show` tells of it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from remem.base.errors import NotPossible, RememError
from remem.cli.execute import acknowledge_option, carry_out, dry_run_option
from remem.cli.failure import BadUsage
from remem.cli.naming import shown_path
from remem.cli.out import show_text
from remem.cli.session import Session, common_options, pass_session
from remem.cli.write import fields_of
from remem.core.session import Workbench
from remem.model.change import Intent, Json
from remem.model.prompt import Ask
from remem.store.io import Disk
from remem.systems.personas.group import Persona
from remem.systems.personas.profile import profile_of
from remem.systems.personas.source import persona_sources
from remem.views.documents.profile import ProfileReport

_STDIN = "-"


@click.command("edit")
@click.argument("name", metavar="NAME")
@click.argument("settings", nargs=-1, metavar="FIELD=VALUE...")
@click.option("--file", "file", default="", metavar="FILE", help="The whole profile; `-` = stdin.")
@click.option("--layout", default="", help="Which place, where a persona has several.")
@acknowledge_option
@dry_run_option
@common_options
@pass_session
def edit(
    session: Session,
    name: str,
    settings: tuple[str, ...],
    file: str,
    layout: str,
    acknowledge: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Say who a persona is.

    A field inside another is written with a dot: `soul.whoIAm="Reads before writing"`; `[a, b]` is
    a list, and `null` takes a field out. Where there is no profile yet one is made.
    """
    if bool(settings) == bool(file):
        raise BadUsage("give fields or a file", hint="write `FIELD=VALUE`, or `--file FILE`")
    arguments: dict[str, Json] = {"persona": name}
    if layout:
        arguments["layout"] = layout
    if acknowledge:
        arguments["acknowledged"] = [*acknowledge]
    if file:
        arguments["text"] = _read(file)
    else:
        arguments["fields"] = dict(fields_of(settings))
    carry_out(session, Intent("persona.edit", arguments=arguments), dry_run=dry_run)


def profile_report(workbench: Workbench, persona: Persona) -> ProfileReport:
    """Return who a persona is, and whether that can be edited here."""
    from remem.systems.personas.profile_edit import profile_file

    library = workbench.library
    sources = persona_sources(library.sources)
    ask = Ask(persona=persona.name)
    frame = library.format("persona").frame(library.ground, library.of_format("persona"), ask)
    segments = frame.segments if frame is not None and not persona.archived else ()
    text = "\n\n".join(segment.text for segment in segments if not segment.is_memory)
    path, why_not = "", ""
    try:
        file = profile_file(library, persona.name)
        path = str(file.path) if file.source is not None else ""
    except RememError as error:
        why_not = str(error)
    return ProfileReport(
        text=text,
        tokens=workbench.counter.count(text),
        path=path,
        writable=not why_not,
        why_not=why_not,
        override=bool(profile_of(sources, persona.name).override.strip()),
    )


def show_profile(session: Session, report: ProfileReport) -> None:
    """Print who a persona is, before what it remembers."""
    if report.path:
        show_text(f"profile in {shown_path(session, report.path)}", dim=True)
    if report.why_not:
        show_text(report.why_not, dim=True)
    if report.override:
        show_text("its system prompt override replaces the profile; memory follows it", dim=True)
    if report.text:
        show_text(f"\n{report.text}")


def _read(file: str) -> str:
    """Return the text of a file or of stdin.

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

    found = _read(text.removeprefix("@"))
    document = parse_document(found.encode())
    value = document.value if not document.problems else None
    return value if isinstance(value, dict) else found
