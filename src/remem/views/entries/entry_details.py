"""From an entry or a source to the text of a detail pane: fields, provenance, problems, raw bytes.

Pure, and shared by every screen that shows one of them; lists are `browse.py`'s.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from remem.base.text import count
from remem.core.library import Library
from remem.core.prompt.agents import agents_called
from remem.core.prompt.counter import Counter
from remem.core.repositories import name_of, repositories_of, views
from remem.core.waiting.kinds import decided, state_of
from remem.model.entry import FACT, Entry, FileSpan, Problem, Status
from remem.model.layout import Part
from remem.model.roles import audience
from remem.model.source import Source
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team.people import Persona
from remem.systems.workspace.inherit import overridden
from remem.systems.workspace.records import CONTRACT, WORKSPACE
from remem.views.confidence_history import lines as ledger
from remem.views.confidence_history import summary, trajectory
from remem.views.entries.browse import tokens_of
from remem.views.entries.fact import memory_lines
from remem.views.glyphs import Glyphs
from remem.views.long_text import TextLine, markdown_lines, span_line, text_line, text_lines
from remem.views.signs import warned
from remem.views.spans import Span, Tone, number, span, width_of

if TYPE_CHECKING:
    from remem.core.relation.who_gets import Matrix

SHOWN: Final = 1_000_000
"""Bytes of a file that a pane shows; a larger one is opened in an editor."""
ABOVE: Final = 2
"""Lines that stay above a place which a pane scrolls to."""
_NAME: Final = 11
_TOLD: Final = frozenset({"id", "status", "applies_to"})
"""Fields that the lines above them tell already."""


def entry_lines(library: Library, entry: Entry, counter: Counter, glyphs: Glyphs) -> list[TextLine]:
    """Return all that is known of an entry: fields, provenance, problems, its raw text."""
    if entry.kind == FACT:
        return memory_lines(library, entry, glyphs)
    source, each = library.source_of(entry), library.format_of(entry)
    body = each.reader.body(source, entry)
    tokens = number(counter.count(body), exact=counter.exact, glyphs=glyphs)
    status = state_of(library, entry)
    head = (span(library.short(entry.ref), Tone.HEADING), span(f"  {status}", Tone.DIM))
    lines = [span_line(head)]
    lines += [text_line(entry.label, Tone.STRONG)] if entry.label else []
    lines += [text_line(entry.title, Tone.STRONG), TextLine("")]
    found = decided(library, entry)
    lines += [fact_line("decided", found.told(library))] if found is not None else []
    lines += _problem_lines(entry.problems)
    lines.append(fact_line("for", audience(entry.roles, entry.phases, source.owner)))
    fields = each.reader.fields(source, entry)
    rated = trajectory(library, entry)
    if rated is not None:
        _, *figures = summary(rated, glyphs)
        lines.append(span_line((Span(f"{'confidence':{_NAME}} ", Tone.DIM), *figures)))
        fields = {name: value for name, value in fields.items() if name != "confidence"}
    lines += _field_lines(fields, entry)
    lines += [fact_line("under", entry.context)] if entry.context else []
    first = _line_of(entry, source)
    place = f"line {first}" if isinstance(entry.at, FileSpan) else source.path.name
    lines.append(fact_line("file", f"{source.name} · {place} · {loaded_as(source)}"))
    lines += [fact_line(name, told) for name, told in inherited_by(library, entry)]
    lines += [fact_line(name, told) for name, told in links(library, entry)]
    lines.append(fact_line("tokens", f"{tokens} in its file"))
    lines += [TextLine(""), text_line("Source", Tone.HEADING)]
    is_markdown = source.path.suffix == ".md"
    return lines + (
        markdown_lines(body, first=first) if is_markdown else text_lines(body, first=first)
    )


def ledger_lines(library: Library, entry: Entry, glyphs: Glyphs) -> list[TextLine]:
    """Return how sure an entry is and how that came about; nothing where none is kept."""
    found = trajectory(library, entry)
    if found is None:
        return []
    head = (span(library.short(entry.ref), Tone.HEADING), Span("  confidence", Tone.DIM))
    return [
        span_line(head),
        text_line(entry.title, Tone.STRONG),
        TextLine(""),
        *(span_line(parts) for parts in ledger(found, glyphs)),
    ]


def why_told(
    library: Library, entry: Entry, matrix: Matrix | None, glyphs: Glyphs
) -> list[TextLine]:
    """Return how sure an entry is, who gets it, and why the others do not.

    Args:
        library: Where it stands.
        entry: Which.
        matrix: Who gets which rule; `None` = that is not known yet.
        glyphs: How signs are drawn.
    """
    from remem.views.prompts.who_gets import rule_lines

    lines = ledger_lines(library, entry, glyphs)
    if not lines:
        head = (span(library.short(entry.ref), Tone.HEADING), Span("  why", Tone.DIM))
        lines = [span_line(head), text_line(entry.title, Tone.STRONG)]
    lines += [TextLine(""), text_line("Which agents get it", Tone.HEADING)]
    if matrix is None:
        return [*lines, text_line("reading …", Tone.DIM)]
    rule = matrix.rule_of(entry.ref)
    if rule is not None:
        _title, _gap, *told = rule_lines(matrix, rule, library, glyphs)
        return [*lines, *told]
    return [*lines, text_line(why_not_told(library, entry))]


def why_not_told(library: Library, entry: Entry) -> str:
    """Return as a clause why nothing is told of who gets an entry that is no rule in force."""
    state = state_of(library, entry)
    if state == Status.ACTIVE:
        return "not told: it states no rule; Prompt shows who has it"
    return f"none: its status is {state}"


def source_lines(source: Source, most: int = SHOWN) -> list[TextLine]:
    """Return a file, its problems above it and again where they are; of it `most` bytes."""
    lines = [*_problem_lines(source.problems)]
    if lines:
        lines.append(TextLine(""))
    text = source.data[:most].decode("utf-8", "replace")
    shown = markdown_lines(text) if source.path.suffix == ".md" else text_lines(text)
    if len(source.data) > most:
        note = f"{len(source.data) - most:,} more bytes not shown"
        shown.append(text_line(note, Tone.DIM))
    return lines + _pointed_out(shown, source.problems)


def section_line(lines: Sequence[TextLine], section: str) -> int:
    """Return where a section of a Markdown file begins among its lines; 0 where it is not found."""
    name = section.rpartition(" › ")[2]
    for index, line in enumerate(lines):
        if line.tone is Tone.HEADING and line.text.strip("# ") == name:
            return index
    return 0


def problem_line(lines: Sequence[TextLine], problem: Problem) -> int | None:
    """Return where among the lines of a file a problem points."""
    if not problem.line:
        return None
    return next((i for i, line in enumerate(lines) if line.number == problem.line), None)


def _state_of(persona: Persona) -> str:
    if persona.archived:
        return f"{persona.state}; x restores it"
    return "in use" if persona.state == "active" else "in use; its team's lists call it inactive"


def _put_away(persona: Persona) -> str:
    return f" · {persona.put_away:,} archived" if persona.put_away else ""


def loaded_as(source: Source) -> str:
    """Return how an agent gets a file; of an archive that it never does."""
    is_away = source.part == Part.ARCHIVE or source.archived
    return "archive, never loaded" if is_away else str(source.loader)


def persona_lines(
    persona: Persona, library: Library, counter: Counter, glyphs: Glyphs
) -> list[TextLine]:
    """Return who a persona is, and what each of its files costs.

    Args:
        persona: Who it is.
        library: What is open: memory of another project, or in another place, is not loaded here.
        counter: Counts tokens.
        glyphs: Signs of the screen.
    """
    title = f"  {persona.title}" if persona.title else ""
    lines = [
        span_line((span(persona.folder or persona.name, Tone.STRONG), span(title, Tone.DIM))),
        TextLine(""),
        fact_line("is", _state_of(persona)),
        fact_line("kept in", ", ".join(persona.places) or "only in a roster or database"),
        fact_line("units", f"{persona.units:,}{_put_away(persona)}"),
    ]
    lines += [fact_line("roles", ", ".join(persona.roles))] if persona.roles else []
    lines += [TextLine(""), text_line("files", Tone.HEADING)] if persona.sources else []
    alike = collections.Counter(source.name for source in persona.sources)
    loads = [each.layout for each in agents_called(library, persona.name)]
    # As in the team's table: the tools that load personas do not publish their vocabularies.
    is_exact = counter.exact and not loads
    for source in persona.sources:
        tokens = number(tokens_of(source, counter), exact=is_exact, glyphs=glyphs)
        loaded = _kept_elsewhere(source, persona, library.ground.project, loads)
        loaded = loaded or loaded_as(source)
        cost = Span(f"  {tokens} tokens · {loaded}", Tone.DIM)
        lines.append(span_line((span(_called(source, alike)), cost)))
        lines += _problem_lines(source.problems)
    return lines


def _kept_elsewhere(source: Source, persona: Persona, project: str, loads: Sequence[str]) -> str:
    """Return why an agent that is here does not load a file of its memory; empty = it may.

    What defines it may lie elsewhere than its memory: it says where that is.
    """
    if not isinstance(source, PersonaSource) or source.archived:
        return ""
    if source.project not in ("", project):
        return f"not loaded: memory of `{source.project}`"
    is_read = not loads or source.layout in loads or source.part == Part.ARCHIVE
    if source.part == Part.DEFINITION and not is_read:
        defines = (each.layout for each in persona.sources if each.part == Part.DEFINITION)
        is_read = set(loads).isdisjoint(defines)
    return "" if is_read else f"not loaded: the agent loads `{loads[0]}`"


def _called(source: Source, alike: Mapping[str, int]) -> str:
    """Return a file's name, with its place where another one of the persona is called like it."""
    if alike[source.name] == 1 or not isinstance(source, PersonaSource):
        return source.name
    return f"{source.layout}: {source.name}"


_LISTED: Final = 200
"""Files of a system that are named."""


def group_lines(name: str, sources: Sequence[Source]) -> list[TextLine]:
    """Return the files of a whole system, or of everything."""
    entries = sum(len(source.entries) for source in sources)
    held = f"{count(entries, 'entry', 'entries')} in {count(len(sources), 'file')}"
    lines = [text_line(name, Tone.STRONG), text_line(held, Tone.DIM), TextLine("")]
    for source in sources[:_LISTED]:
        tone = Tone.BAD if source.problems else Tone.PLAIN
        size = f"  {len(source.entries):,} · {loaded_as(source)}"
        lines.append(span_line((span(source.name, tone), Span(size, Tone.DIM))))
    if len(sources) > _LISTED:
        lines.append(text_line(f"… and {len(sources) - _LISTED:,} more", Tone.DIM))
    return lines


def _pointed_out(lines: list[TextLine], problems: Sequence[Problem]) -> list[TextLine]:
    """Put each problem under the line that it is in, below its column."""
    by_line = {problem.line: problem for problem in problems if problem.line}
    shown: list[TextLine] = []
    for line in lines:
        shown.append(line)
        problem = by_line.get(line.number) if line.number else None
        if problem is not None:
            before = line.text[: max(problem.column - 1, 0)]
            place = " " * width_of((Span(before),))
            shown.append(text_line(f"{place}^ {problem.message}", Tone.BAD, wraps=False))
    return shown


def _field_lines(fields: Mapping[str, Any], entry: Entry) -> Iterator[TextLine]:
    for name, value in fields.items():
        shown = " ".join(_words(value).split()) if name not in _TOLD else ""
        if shown and shown != " ".join(entry.title.split()):
            yield fact_line("origin" if name == "source" else name.replace("_", " "), shown)
    if entry.date and "date" not in fields:
        yield fact_line("date", entry.date)


def _words(value: Any) -> str:
    """Return a plain value in one line: `retro · sprint-4-retro · 2026-03-23`."""
    match value:
        case None | "":
            return ""
        case dict():
            return " · ".join(filter(None, map(_words, value.values())))
        case list() | tuple():
            return ", ".join(filter(None, map(_words, value)))
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def fact_line(name: str, value: str) -> TextLine:
    """Return a name and what it is, the name in a column of its own."""
    parts = (span(f"{name:{_NAME}} ", Tone.DIM), span(value))
    return span_line(parts, hang=_NAME + 1, mark=name)


def _problem_lines(problems: Sequence[Problem]) -> Iterator[TextLine]:
    for problem in problems:
        sign = warned((problem,))
        tone = sign[0].tone
        yield span_line((*sign, span(f"{problem.message}{_where(problem)}", tone)))
        if problem.hint:
            yield text_line(f"  {problem.hint}", Tone.DIM)


def _where(problem: Problem) -> str:
    column = f", column {problem.column}" if problem.column else ""
    return f" (line {problem.line}{column})" if problem.line else ""


def _line_of(entry: Entry, source: Source) -> int:
    if not isinstance(entry.at, FileSpan):
        return 1
    return source.data.count(b"\n", 0, entry.at.start) + 1


def links(library: Library, entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return what the fields of an entry point to, each with its word in front."""
    find = library.format_of(entry).facets.links
    return tuple(find(library, entry)) if find is not None else ()


def inherited_by(library: Library, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what there is to tell, each with its word in front; nothing of other entries."""
    if entry.ref.format != WORKSPACE or entry.kind == CONTRACT or entry.status is not Status.ACTIVE:
        return
    found = [(view, overridden(view.sources).get(entry.ref)) for view in views(library)]
    settled = [(view, override) for view, override in found if override is not None]
    if library.is_whole:
        rest = len(repositories_of(library)) - len(settled)
        yield "inherited", f"by {count(rest, 'repository', 'repositories')}"
    elif not settled:
        yield "inherited", "from the workspace"
    for view, override in settled:
        how = "overrides it" if override.said else "is a duplicate"
        there = name_of(view) or "this repository"
        yield "overridden", f"in {there}: {override.by.ref.without_place()} {how}"
