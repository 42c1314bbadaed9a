"""From a snapshot to what Start shows: who starts with what, and what is most worth a look.

Beside the lists it shows an agent's files and history, or a finding and its place. Pure: `remem
status` prints the same facts; nothing here knows of widgets.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.prompt.agents import Agent, Who, agents_of, is_composed
from remem.core.prompt.asks import EVERYONE, asker
from remem.model.prompt import Ask
from remem.model.source import LoaderKind, Source
from remem.views import signs
from remem.views.glyphs import Glyphs
from remem.views.list_rows import Row, Rows, label
from remem.views.long_text import TextLine, span_line, text_line, text_lines
from remem.views.spans import Span, Spans, Tone, number, plain, short_number, span, token_bar

if TYPE_CHECKING:
    from remem.core.checks.attention import Finding, Findings
    from remem.core.library import Library
    from remem.core.prompt.agents import LoadedFile
    from remem.core.session import Session
    from remem.model.trend import Growth, Starter


BARS: Final = 12
"""Cells of a history in a row."""
_ROLE: Final = "role"
_NAME: Final = 17
_LONGEST: Final = 24
"""Cells that a name takes at least and at most, so that files begin in one column."""
_LITTLE: Final = 100_000
"""Bytes of all memory that are counted before the first frame."""
_FILES: Final = 3
"""Files that a row names; the detail has all."""
_STOPPED: Final = "does not start"


@dataclass(frozen=True, slots=True)
class Role:
    """A role whose prompt remem composes."""

    name: str
    tokens: int = 0
    """Of the whole prompt."""
    memory: int = 0
    """Of its layers that have a budget."""
    budget: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything that Start shows."""

    named: tuple[Who, ...]
    """Everyone who loads files; what they load is still being counted where `agents` lacks them."""
    agents: tuple[Agent, ...]
    roles: tuple[Role, ...]
    found: Findings | None
    """`None`: it is still looked for."""
    is_whole: bool = False
    """False: roles are still being counted."""

    @property
    def starters(self) -> Iterator[tuple[Starter, int]]:
        """Everyone with their tokens, as the history keeps them."""
        for agent in self.agents:
            yield (agent.layout, agent.name), agent.tokens
        for role in self.roles:
            yield (_ROLE, role.name), role.tokens


def first_overview(session: Session) -> Overview:
    """Gather what the first frame shows: everyone's name, and of little memory the tokens too."""
    library = session.library
    is_little = sum(len(source.data) for source in library.sources) <= _LITTLE
    agents = session.agents() if is_little else ()
    return Overview(agents_of(library), agents, (), None)


class Depth(IntEnum):
    """How much of what Start shows is gathered: each with all before it, the slowest last."""

    AGENTS = 1
    FINDINGS = 2
    ROLES = 3


def overview(
    session: Session,
    depth: Depth,
    *,
    growth: Growth | None = None,
    known: Findings | None = None,
) -> Overview:
    """Gather what Start shows.

    Args:
        session: Where.
        depth: How much of it; findings and roles take their time in large stores.
        growth: What the history tells, as far as it was looked at.
        known: The findings, where they were gathered of this very snapshot.
    """
    library = session.library
    named, agents = agents_of(library), session.agents()
    if depth < Depth.FINDINGS:
        return Overview(named, agents, (), None)
    from remem.core.checks.attention import findings
    from remem.core.checks.issues import issues

    window = session.config.tokens.window
    found = known
    if found is None:
        found = findings(library, agents, session.counter, window, issues(library), growth)
    if depth < Depth.ROLES:
        return Overview(named, agents, (), found)
    roles = tuple(role for ask in session.asks() if (role := _role(session, ask)) is not None)
    return Overview(named, agents, roles, found, is_whole=True)


def _role(session: Session, ask: Ask) -> Role | None:
    """Return what a role starts with; `None` if it gets no entry."""
    prompt = session.compose(ask)
    if not any(verdict.is_in for verdict in prompt.verdicts):
        return None
    limited = [layer for layer in prompt.layers if layer.budget]
    memory = sum(layer.tokens for layer in limited)
    return Role(asker(ask), prompt.tokens, memory, sum(layer.budget or 0 for layer in limited))


def start_rows(
    found: Overview,
    glyphs: Glyphs,
    growth: Growth | None,
    *,
    exact: bool,
    settled: bool = True,
) -> Rows:
    """Return agents tool by tool, roles, and what is not read, as one list with headings.

    Args:
        found: What is shown.
        glyphs: Of the terminal.
        growth: What the history tells, as far as it was looked at.
        exact: Tokens are those of a vocabulary.
        settled: False: the vocabulary is still being loaded. The tokens are then about right, are
            drawn as that, and the headings say that they are being counted.
    """
    head = "tokens at startup" if settled else "counting tokens …"
    rows: list[Row] = []
    known = {(agent.layout, agent.name): agent for agent in found.agents}
    cells = _name_cells(found.named)
    for tool in dict.fromkeys(each.tool for each in found.named):
        mine = [each for each in found.named if each.tool == tool]
        rows.append(_head(tool, f"{tool} · {count(mine, 'agent')}", head))
        counted = [known[who] for each in mine if (who := (each.layout, each.name)) in known]
        graphs = _graphs(counted, growth, glyphs)
        for each in mine:
            agent = known.get((each.layout, each.name))
            rows.append(
                _agent(agent, glyphs, graphs, cells, settled=settled) if agent else _uncounted(each)
            )
    if found.roles:
        rows.append(_head("roles", "Roles", "memory / budget · total, in tokens"))
        rows += [_role_row(role, glyphs, exact=exact) for role in found.roles]
    elif not found.is_whole:
        rows.append(_head("roles", "counting roles …"))
    return Rows.of(rows)


def worth_rows(found: Findings | None, keys: Sequence[tuple[str, str]]) -> Rows:
    """Return the findings, each with the key that mends or opens it.

    Args:
        found: `None` while they are looked for.
        keys: For each finding its key, and what that does.
    """
    if found is None:
        return Rows.of([_head("worth", "looking for problems …")])
    pairs = zip(found.first, keys, strict=True)
    return Rows.of([worth_row(each, key, does) for each, (key, does) in pairs])


def key_of(finding: Finding) -> Hashable:
    """Return what makes a finding the same in the next snapshot, and its row on Health."""
    problem = finding.problem
    where = finding.ref if finding.ref is not None else finding.path
    return (where, problem.code, problem.field, problem.message)


def _head(key: str, text: str, right: str = "") -> Row:
    told = (span(right, Tone.DIM),) if right else ()
    return Row(("head", key), (span(text),), right=told, is_header=True)


def _name_cells(agents: Iterable[Who]) -> int:
    """Return how many cells all names take, so that what stands behind them begins in one column.

    The longest one may reach beyond, rather than leave no room for files at every row.
    """
    return min(max((_NAME, *(cell_len(each.name) for each in agents))), _LONGEST)


def _agent(
    agent: Agent, glyphs: Glyphs, graphs: Mapping[Starter, Spans], cells: int, *, settled: bool
) -> Row:
    shown = number if settled else short_number
    tokens = shown(agent.tokens, exact=agent.exact, glyphs=glyphs)
    names = [short_name(file) for file in agent.files]
    more = f" +{len(names) - _FILES}" if len(names) > _FILES else ""
    lists = ", ".join(name for name, *_ in agent.lists)
    files = f"{', '.join(names[:_FILES])}{more}" or lists
    pad = " " * (max(cells - cell_len(agent.name), 0) + 1)
    loaded = span(_STOPPED, Tone.BAD) if agent.stopped else span(files, Tone.DIM)
    label = (span(f"{agent.name}{pad}"), loaded)
    lost = sum(file.lost for file in agent.files)
    left_out = f"{shown(lost, exact=agent.exact, glyphs=glyphs)} cut off "
    beside: Spans = (Span(left_out, Tone.WARN),) if lost else ()
    graph = graphs.get((agent.layout, agent.name), ())
    at_startup = Span(f"{tokens:>8}", Tone.PLAIN if settled else Tone.DIM)
    key, right = ("agent", agent.layout, agent.name), (*beside, *graph, at_startup)
    return Row(key, label, Span(" "), right, narrow=(at_startup,))


def _graphs(
    agents: Iterable[Agent], growth: Growth | None, glyphs: Glyphs
) -> Mapping[Starter, Spans]:
    """Return how each start grew, equally wide; none where none of them changed.

    None before all of the history is known: what is not yet read would look like what stood still.
    """
    if growth is None or not growth.is_whole or len(growth.points) < 2:
        return {}
    from remem.views.trend import bars

    who = [(agent.layout, agent.name) for agent in agents]
    drawn = {each: bars(growth.of(each), BARS, glyphs) for each in who}
    return drawn if any(plain(each).strip() for each in drawn.values()) else {}


def _uncounted(named: Who) -> Row:
    right = (Span("…", Tone.DIM),)
    return Row(("agent", named.layout, named.name), (span(named.name),), Span(" "), right)


def short_name(file: LoadedFile) -> str:
    """Return a file's name without the folder that its agent is called after."""
    return file.name.rpartition("/")[2]


def _role_row(role: Role, glyphs: Glyphs, *, exact: bool) -> Row:
    shown = number(role.tokens, exact=exact, glyphs=glyphs)
    bar = token_bar(role.memory, role.budget, 10, glyphs) if role.budget else ()
    limit = f" {role.memory:,}/{role.budget:,}" if role.budget else ""
    tone = Tone.PLAIN if role.memory * 10 >= role.budget * 9 else Tone.DIM
    right = (*bar, Span(f"{limit:>12}", tone), Span(f"{shown:>8}"))
    return Row(("role", role.name), (span(role.name or EVERYONE),), Span(" "), right)


def worth_row(finding: Finding, key: str, does: str) -> Row:
    """Return the line of something worth a look, with the key that does something about it."""
    from remem.core.checks.attention import Kind, is_dangerous

    is_bad = finding.kind is Kind.BROKEN or is_dangerous(finding.problem)
    tone = Tone.BAD if is_bad else Tone.PLAIN
    sign = (signs.DANGER if is_bad else signs.PROBLEM).drawn
    right = (Span(key, Tone.KEY), Span(f" {does}", Tone.DIM))
    return Row(("worth", key_of(finding)), (span(finding.problem.message, tone),), sign, right)


def as_markdown(found: Overview, root: str, growth: Growth | None) -> str:
    """Return the same as Markdown, for `y`."""
    lines = [f"# {root}", "", "| who | tool | tokens | never loaded | from |"]
    lines.append("|---|---|---:|---:|---|")
    for agent in found.agents:
        files = ", ".join(_cell(file.name) for file in agent.files)
        about = "" if agent.exact else "≈"
        lost = sum(file.lost for file in agent.files)
        who = f"| {_cell(agent.name)} | {_cell(agent.tool)} | {about}{agent.tokens:,} "
        lines.append(f"{who}| {f'{about}{lost:,}' if lost else ''} | {files} |")
    lines += [
        f"| {_cell(role.name or EVERYONE)} | role | {role.tokens:,} | | composed |"
        for role in found.roles
    ]
    if found.found is not None and found.found.first:
        lines += ["", "## Worth a look", ""]
        lines += [f"- {each.problem.message}" for each in found.found.first]
    if growth is not None and growth.since is not None and growth.files:
        lines += ["", f"## What grew since {growth.since}", ""]
        lines += [f"- `{each.name}` {each.tokens:+,}" for each in growth.files]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def beside(library: Library) -> str:
    """Return what systems tell of memory that belongs to no agent; nothing where they have none."""
    asked = (
        each.facets.beside(library)
        for each in library.formats
        if each.facets.beside is not None and library.of_format(each.name)
    )
    return "".join(f" · {said}" for said in asked if said)


_LIMITED: Final = frozenset({LoaderKind.HEAD, LoaderKind.TAIL, LoaderKind.ENDS})
_LEFT: Final = 20
"""Files that are not loaded and have a line; the Prompt screen has all."""
_AROUND: Final = 4
"""Lines above and below the place of a finding."""


def agent_lines(
    session: Session, agent: Agent, growth: Growth | None, glyphs: Glyphs, columns: int = 0
) -> list[TextLine]:
    """Return what an agent starts with, file by file, and how that grew; 0 columns = any width."""
    exact = agent.exact
    tokens = number(agent.tokens, exact=exact, glyphs=glyphs)
    lines = [
        span_line((span(agent.name, Tone.STRONG), span(f"  {agent.tool}", Tone.DIM))),
        text_line(f"{tokens} tokens{_in_files(agent)}", Tone.DIM),
        TextLine(""),
    ]
    if agent.stopped:
        lines += [text_line(agent.stopped, Tone.BAD)]
    loaders = {source.path: source.loader for source in session.library.sources}
    for file in agent.files:
        lines.append(text_line(label(session, file.path)))
        loaded = number(file.tokens, exact=exact, glyphs=glyphs)
        loader = loaders.get(file.path)
        part = str(loader) if loader is not None else ""
        if loader is not None and loader.kind in _LIMITED and not file.is_cut:
            part = f"whole; its tool reads at most the {part}"
        told = f"  {loaded} tokens · {part}"
        lines.append(text_line(told.removesuffix(" · "), Tone.DIM))
        if file.is_cut:
            left_out = number(file.total - file.tokens, exact=exact, glyphs=glyphs)
            told, tone = f"  {left_out} tokens never loaded", Tone.WARN
            if file.is_meant:
                told, tone = f"  {left_out} tokens more · {file.why}", Tone.DIM
            lines.append(span_line((Span(told, tone),)))
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
    return [
        *lines,
        *_history_lines((agent.layout, agent.name), growth, glyphs, columns, exact=exact),
    ]


def _in_files(agent: Agent) -> str:
    """Say of how many files a start consists; of none it is the profile alone, or nothing."""
    if agent.stopped:
        return f": it {_STOPPED}"
    files = f"{count(agent.files, 'file')}, in this order"
    if not agent.around:
        return f", {files}"
    return f": its profile and {files}" if agent.files else ": its profile"


def _shown_by_enter(session: Session, agent: Agent) -> str:
    """Say what `enter` shows, and where the tool can ask remem for more than it loads."""
    if is_composed(session.library, agent.layout):
        return "enter shows the full context; L there adds the project's rules"
    return "enter shows the full context"


def role_lines(
    role: str, growth: Growth | None, glyphs: Glyphs, columns: int = 0
) -> list[TextLine]:
    """Return how a role's start grew; 0 columns = any width."""
    exact = growth is not None and growth.exact
    return [
        text_line(role or EVERYONE, Tone.STRONG),
        text_line("enter shows its prompt line by line", Tone.DIM),
        TextLine(""),
        *_history_lines((_ROLE, role), growth, glyphs, columns, exact=exact),
    ]


def finding_lines(
    session: Session, finding: Finding, growth: Growth | None, glyphs: Glyphs, columns: int = 0
) -> list[TextLine]:
    """Return what was found, why it stands where it does, and its place in its file.

    What grew is named in `columns` cells; 0 = any width.
    """
    from remem.core.checks.attention import Kind
    from remem.views.trend import since_lines

    problem = finding.problem
    lines = [text_line(problem.message, Tone.STRONG)]
    lines += [text_line(problem.hint)] if problem.hint else []
    lines += [text_line(finding.because, Tone.DIM), TextLine("")]
    if finding.kind is Kind.GREW and growth is not None:
        return [*lines, *since_lines(growth, glyphs, columns)]
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


def _history_lines(
    who: Starter, growth: Growth | None, glyphs: Glyphs, columns: int, *, exact: bool
) -> list[TextLine]:
    if growth is None:
        return [text_line("reading its history …", Tone.DIM)]
    from remem.views.trend import chart_lines, since_lines

    series = growth.of(who)
    chart = chart_lines(series, glyphs, columns, exact=exact and growth.exact)
    since = since_lines(growth, glyphs, columns)
    return [*chart, *([TextLine("")] if chart and since else []), *since]
