"""From a snapshot to what Start shows: who starts with what, and what is most worth a look.

Pure: `remem status` prints the same facts; nothing here knows of widgets.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from remem.disk.io import Unreadable
from remem.model.prompt import Ask
from remem.prompt.loaded import Agent, LoadedFile
from remem.text import count
from remem.tui.ailing import Ailment, ailments
from remem.tui.content import Span, Spans, Tone, number, span, token_bar
from remem.tui.glyphs import Glyphs
from remem.tui.widgets.rows import Row, Rows
from remem.workbench import Workbench

WORTH = 5
"""Findings that Start names; Health has all."""
_NAME = 17
_FILES = 3
"""Files that a row names; the detail has all."""


@dataclass(frozen=True, slots=True)
class Worth:
    """One thing worth a look, with the key that leads there."""

    key: str
    text: str
    mode: str
    """The screen that shows or mends it."""
    target: Hashable = None
    """The row there that the cursor is put on."""
    is_bad: bool = False


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

    agents: tuple[Agent, ...]
    roles: tuple[Role, ...]
    unread: tuple[Path, ...]
    """What holds memory here and is not read yet."""
    worth: tuple[Worth, ...]
    is_whole: bool = True
    """False: roles and problems of entries are still being counted."""


def overview(bench: Workbench, *, thorough: bool) -> Overview:
    """Gather what Start shows.

    Args:
        bench: Where.
        thorough: Compose for every role and read every entry; slow in large stores.
    """
    agents = bench.agents()
    roles = tuple(_role(bench, name) for name in bench.roles()) if thorough else ()
    found = ailments(bench, agents, thorough=thorough)
    worth = tuple(_worth(bench, found, thorough=thorough))[:WORTH]
    return Overview(agents, roles, bench.unread(), worth, thorough)


def _role(bench: Workbench, name: str) -> Role:
    prompt = bench.compose(Ask(role=name))
    limited = [layer for layer in prompt.layers if layer.budget]
    memory = sum(layer.tokens for layer in limited)
    return Role(name, prompt.tokens, memory, sum(layer.budget or 0 for layer in limited))


def _worth(bench: Workbench, found: Sequence[Ailment], *, thorough: bool) -> Iterator[Worth]:
    waiting = len(bench.queue()) if thorough else sum(1 for _ in bench.library.waiting())
    if waiting:
        verb = "waits" if waiting == 1 else "wait"
        text = f"{count(waiting, 'item')} {verb} for a decision"
        yield Worth("2", text, "review")
    for path in bench.unread():
        text = f"{path.name} is here, and remem does not read it yet"
        yield Worth("enter", text, "", ("unread", path))
    worst = [each for each in found if each.problem.blocks_writing]
    for code in ("heavy-start", "never-loaded", "over-budget"):
        worst += [each for each in found if each.problem.code == code]
    for each in worst:
        source = each.source if each.problem.blocks_writing else None
        name = f"{source.name}: " if source is not None else ""
        yield Worth("5", f"{name}{each.problem.message}", "health", each.key, is_bad=True)
    known = {each.key for each in worst}
    for each in found:
        if each.key not in known:
            yield Worth("5", each.problem.message, "health", each.key)


def start_rows(found: Overview, glyphs: Glyphs, *, exact: bool) -> Rows:
    """Return findings, agents tool by tool, and roles as one list with headings."""
    rows: list[Row] = []
    if found.worth:
        rows.append(_head("worth", "worth a look"))
        rows += [_worth_row(place, worth) for place, worth in enumerate(found.worth)]
    for tool in dict.fromkeys(agent.tool for agent in found.agents):
        mine = [agent for agent in found.agents if agent.tool == tool]
        rows.append(_head(tool, f"{tool} · {count(mine, 'agent')}", "tokens at start"))
        rows += [_agent(agent, glyphs) for agent in mine]
    if found.roles:
        rows.append(_head("roles", "roles that remem composes for", "memory of budget · in all"))
        rows += [_role_row(role, glyphs, exact=exact) for role in found.roles]
    elif not found.is_whole:
        rows.append(_head("roles", "roles are being counted …"))
    return Rows.of(rows)


def _head(key: str, text: str, right: str = "") -> Row:
    told = (span(right, Tone.DIM),) if right else ()
    return Row(("head", key), (span(text),), right=told, is_header=True)


def _agent(agent: Agent, glyphs: Glyphs) -> Row:
    tokens = number(agent.tokens, exact=agent.exact, glyphs=glyphs)
    names = [short_name(file) for file in agent.files]
    more = f" +{len(names) - _FILES}" if len(names) > _FILES else ""
    files = f"{', '.join(names[:_FILES])}{more}"
    label = (span(f"{agent.name:{_NAME}} "), span(files, Tone.DIM))
    lost = sum(file.total - file.tokens for file in agent.files)
    never: Spans = (Span(f"{lost:,} never  ", Tone.WARN),) if lost else ()
    return Row(("agent", agent.layout, agent.name), label, Span(" "), (*never, Span(tokens)))


def short_name(file: LoadedFile) -> str:
    """Return a file's name without the folder that its agent is called after."""
    return file.name.rpartition("/")[2]


def _role_row(role: Role, glyphs: Glyphs, *, exact: bool) -> Row:
    shown = number(role.tokens, exact=exact, glyphs=glyphs)
    bar = token_bar(role.memory, role.budget, 10, glyphs) if role.budget else ()
    limit = f" {role.memory:,}/{role.budget:,}" if role.budget else ""
    right = (*bar, Span(f"{limit:>12}", Tone.DIM), Span(f"{shown:>8}"))
    return Row(("role", role.name), (span(role.name),), Span(" "), right)


def _worth_row(place: int, worth: Worth) -> Row:
    tone = Tone.BAD if worth.is_bad else Tone.PLAIN
    sign = Span("‼", Tone.BAD) if worth.is_bad else Span("·", Tone.ACCENT)
    right = (Span(worth.key, Tone.KEY),)
    return Row(("worth", place), (span(worth.text, tone),), sign, right)


def text_of(bench: Workbench, path: Path) -> str:
    """Return what a file that no format reads says; empty for a folder."""
    try:
        return bench.disk.read(path).decode("utf-8", "replace")
    except Unreadable:
        return ""


def as_markdown(found: Overview, root: str) -> str:
    """Return the same as Markdown, for `y`."""
    lines = [f"# {root}", "", "| who | tool | tokens | from |", "|---|---|---:|---|"]
    for agent in found.agents:
        files = ", ".join(file.name for file in agent.files)
        about = "" if agent.exact else "≈"
        lines.append(f"| {agent.name} | {agent.tool} | {about}{agent.tokens:,} | {files} |")
    lines += [f"| {role.name} | role | {role.tokens:,} | composed |" for role in found.roles]
    lines += ["", *(f"- {worth.text}" for worth in found.worth)]
    return "\n".join(lines) + "\n"
