"""Who a persona is, on the command line: what is read for it, and what `persona show` tells."""

from __future__ import annotations

import sys
from pathlib import Path

from remem.base.errors import NotPossible, RememError
from remem.cli.invocation import Invocation
from remem.cli.naming import shown_path
from remem.cli.out import show_text
from remem.core.session import Session
from remem.model.change import Json
from remem.model.prompt import Ask
from remem.store.io import Disk
from remem.systems.personas.group import Persona
from remem.systems.personas.profile import profile_of
from remem.systems.personas.source import persona_sources
from remem.views.documents.people import ProfileReport

_STDIN = "-"


def profile_report(session: Session, persona: Persona) -> ProfileReport:
    """Return who a persona is, and whether that can be edited here."""
    from remem.systems.personas.profile_edit import profile_file

    library = session.library
    sources = persona_sources(library.sources)
    ask = Ask(persona=persona.name)
    frame = library.format("persona").frame(library.ground, library.of_format("persona"), ask)
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
