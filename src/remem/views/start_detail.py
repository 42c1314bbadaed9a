"""What Start shows beside its lists: an agent's files and history, or a finding and its place.

Pure: it asks the session and returns lines; what is under the cursor the screen knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remem.base.text import count
from remem.core.prompt.requests import EVERYONE
from remem.core.prompt.starts import Agent, is_composed
from remem.model.source import Source
from remem.views.document import TextLine, span_line, text_line, text_lines
from remem.views.glyphs import Glyphs
from remem.views.rows import label
from remem.views.spans import Span, Tone, number, span

if TYPE_CHECKING:
    from remem.core.checks.attention import Finding
    from remem.core.session import Session
    from remem.model.growth import Growth, Starter

_ROLE: Final = "role"
_LEFT: Final = 20
"""Files that are not loaded and have a line; the Prompt screen has all."""
_AROUND: Final = 4
"""Lines above and below the place of a finding."""


def agent_lines(
    session: Session, agent: Agent, growth: Growth | None, glyphs: Glyphs
) -> list[TextLine]:
    """Return what an agent starts with, file by file, and how that grew."""
    exact = agent.exact
    tokens = number(agent.tokens, exact=exact, glyphs=glyphs)
    lines = [
        span_line((span(agent.name, Tone.STRONG), span(f"  {agent.tool}", Tone.DIM))),
        text_line(f"{tokens} tokens{_in_files(agent)}", Tone.DIM),
        TextLine(""),
    ]
    loaders = {source.path: str(source.loader) for source in session.library.sources}
    for file in agent.files:
        lines.append(text_line(label(session, file.path)))
        loaded = number(file.tokens, exact=exact, glyphs=glyphs)
        told = f"  {loaded} tokens · {loaders.get(file.path, '')}"
        lines.append(text_line(told.removesuffix(" · "), Tone.DIM))
        if file.is_cut:
            lost = number(file.total - file.tokens, exact=exact, glyphs=glyphs)
            lines.append(span_line((Span(f"  {lost} tokens never loaded", Tone.WARN),)))
    for what, files, listed in agent.lists:
        lines.append(text_line(what))
        told = f"  {number(listed, exact=exact, glyphs=glyphs)} tokens · of {count(files, 'file')}"
        lines.append(text_line(told, Tone.DIM))
    if agent.around:
        more = number(agent.around, exact=exact, glyphs=glyphs)
        lines += [text_line("its profile"), text_line(f"  {more} tokens", Tone.DIM)]
    if agent.unseen:
        lines += [TextLine(""), text_line("not counted", Tone.HEADING)]
        lines += [text_line(each, Tone.DIM) for each in agent.unseen]
    if agent.left:
        lines += [TextLine(""), text_line("not loaded at startup", Tone.HEADING)]
    for file in agent.left[:_LEFT]:
        total = number(file.total, exact=exact, glyphs=glyphs)
        lines.append(text_line(label(session, file.path)))
        lines.append(text_line(f"  {total} tokens · {file.why}".removesuffix(" · "), Tone.DIM))
    if len(agent.left) > _LEFT:
        lines.append(text_line(f"and {count(len(agent.left) - _LEFT, 'more file')}", Tone.DIM))
    lines += [TextLine(""), text_line(_shown_by_enter(session, agent), Tone.DIM), TextLine("")]
    return [*lines, *_history((agent.layout, agent.name), growth, glyphs, exact=exact)]


def _in_files(agent: Agent) -> str:
    """Say of how many files a start consists; of none it is the profile alone."""
    files = f"{count(agent.files, 'file')}, in this order"
    if not agent.around:
        return f", {files}"
    return f": its profile and {files}" if agent.files else ": its profile"


def _shown_by_enter(session: Session, agent: Agent) -> str:
    """Say what `enter` shows, and where the tool can ask remem for more than it loads."""
    if is_composed(session.library, agent.layout):
        return "enter shows the full context; L there adds the project's rules"
    return "enter shows the full context"


def role_lines(role: str, growth: Growth | None, glyphs: Glyphs) -> list[TextLine]:
    """Return how a role's start grew."""
    return [
        text_line(role or EVERYONE, Tone.STRONG),
        text_line("enter shows its prompt line by line", Tone.DIM),
        TextLine(""),
        *_history((_ROLE, role), growth, glyphs, exact=growth is not None and growth.exact),
    ]


def finding_lines(
    session: Session, finding: Finding, growth: Growth | None, glyphs: Glyphs
) -> list[TextLine]:
    """Return what was found, why it stands where it does, and its place in its file."""
    from remem.core.checks.attention import Kind
    from remem.views.trend import since_lines

    problem = finding.problem
    lines = [text_line(problem.message, Tone.STRONG)]
    lines += [text_line(problem.hint)] if problem.hint else []
    lines += [text_line(finding.because, Tone.DIM), TextLine("")]
    if finding.kind is Kind.GREW and growth is not None:
        return [*lines, *since_lines(growth, glyphs)]
    source = next((s for s in session.library.sources if s.path == finding.path), None)
    return [*lines, *_place(session, source, problem.line)] if source is not None else lines


def _place(session: Session, source: Source, line: int) -> list[TextLine]:
    """Return the lines around a place, or the beginning of the file."""
    text = source.data.decode("utf-8", "replace").split("\n")
    first = max(line - _AROUND, 1)
    shown = text[first - 1 : first + 2 * _AROUND]
    return [
        text_line(label(session, source.path), Tone.DIM),
        *text_lines("\n".join(shown), first=first),
    ]


def _history(who: Starter, growth: Growth | None, glyphs: Glyphs, *, exact: bool) -> list[TextLine]:
    if growth is None:
        return [text_line("reading its history …", Tone.DIM)]
    from remem.views.trend import chart_lines, since_lines

    series = growth.of(who)
    chart = chart_lines(series, glyphs, exact=exact and growth.exact)
    since = since_lines(growth, glyphs)
    return [*chart, *([TextLine("")] if chart and since else []), *since]
