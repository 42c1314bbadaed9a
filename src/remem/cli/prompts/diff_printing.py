"""A memory diff in lines: for a terminal, and as Markdown for the comment under a pull request.

All texts in it are somebody's: in Markdown they are escaped, so that none of them makes a heading,
a link, a mention or markup of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count, safe_text
from remem.model.entry import kind_text
from remem.views.documents.diff import AgentChangeReport, DiffReport, EntryChangeReport

SHOWN: Final = 40
"""Entries and agents that are listed each; more are counted, and JSON has all."""
_NAMED: Final = 6
"""Entries that one agent's line names."""
_WIDE: Final = 240
"""Characters of a text in one line."""
_SIGNS: Final = {"added": "+", "removed": "-", "changed": "~", "moved": ">"}
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~&-])")
_LIVE: Final = re.compile(r"(?<=[@#])(?=\w)|(?<=:)(?=//)|(?<=\bwww)(?=\.)", re.IGNORECASE)
"""Where forges make a mention, a number of an issue or a link of plain text."""
_APART: Final = "<!-- -->"


@dataclass(frozen=True, slots=True)
class Line:
    """A line for a terminal."""

    text: str
    is_heading: bool = False


def text_lines(report: DiffReport) -> Iterator[Line]:
    """Yield the lines for a terminal; they hold texts from disk as they are."""
    yield Line(f"{_ends(report)}: {summary(report)}", is_heading=True)
    if report.entries:
        yield Line("\nEntries", is_heading=True)
    for each in report.entries[:SHOWN]:
        yield from (Line(text) for text in _entry_text(each))
    yield from (Line(text) for text in _rest(len(report.entries), "entry", "entries"))
    changed = changed_agents(report)
    if changed:
        yield Line("\nContext at startup", is_heading=True)
    for agent in changed[:SHOWN]:
        yield Line(f"{agent.name} ({agent.tool}): {tokens(agent)}")
        yield from (Line(f"  {name}: {', '.join(refs)}") for name, refs in _moves(agent))
    yield from (Line(text) for text in _rest(len(changed), "agent", "agents"))
    if report.contradictions:
        yield Line("\nPossible conflicts", is_heading=True)
    for pair in report.contradictions[:SHOWN]:
        yield Line(f"{pair.ref}: {_one_line(pair.text)}")
        yield Line(f"  {pair.other_ref}: {_one_line(pair.other_text)}")
    if report.unread:
        yield Line("\nNot compared", is_heading=True)
    for path, why in report.unread.items():
        yield Line(f"{path}: {_one_line(why)}")


def markdown_lines(report: DiffReport) -> Iterator[str]:
    """Yield the comment, texts escaped."""
    yield f"### Memory: {_ends(report, code=True)}"
    yield ""
    yield f"{summary(report)}."
    yield from _agent_table(report)
    if report.contradictions:
        yield from ("", "**Possible conflicts**", "")
    for pair in report.contradictions[:SHOWN]:
        yield f"- {_code(pair.ref)} {_plain(pair.text)}<br>{_code(pair.other_ref)} " + _plain(
            pair.other_text
        )
    if report.unread:
        yield from ("", "**Not compared**", "")
    for path, why in report.unread.items():
        yield f"- {_code(path)}: {_plain(why)}"
    if not report.entries:
        return
    many = count(len(report.entries), "entry", "entries")
    yield from ("", f"<details><summary>{many} in {count(len(report.files), 'file')}</summary>", "")
    for each in report.entries[:SHOWN]:
        yield from _entry_markdown(each)
    yield from _rest(len(report.entries), "entry", "entries")
    yield from ("", "</details>")


def summary(report: DiffReport) -> str:
    """Return one sentence: what happened to entries, and to whom."""
    happened = [each.happened for each in report.entries]
    words = [word for word in _SIGNS if word in happened]
    parts = [f"{happened.count(word):,} {word}" for word in words[1:]]
    said = "no entries changed" if report.files else "memory is unchanged"
    if words:
        first = count(happened.count(words[0]), "entry", "entries")
        parts.insert(0, f"{first} {words[0]}")
        said = f"{', '.join(parts)} in {count(len(report.files), 'file')}"
    agents = changed_agents(report)
    of = count(len(report.agents), "prompt")
    is_one = len(agents) == 1 or len(report.agents) == 1
    return f"{said}; {len(agents):,} of {of} {'differs' if is_one else 'differ'}"


def changed_agents(report: DiffReport) -> list[AgentChangeReport]:
    """Return those who start with something else, whose start grows most first."""
    found = (agent for agent in report.agents if agent.differs)
    return sorted(found, key=lambda agent: agent.tokens_before - agent.tokens_after)


def tokens(agent: AgentChangeReport) -> str:
    """Return an agent's tokens before and after."""
    about = "" if agent.exact else "≈"
    if agent.is_new:
        return f"new, {about}{agent.tokens_after:,} tokens"
    if agent.is_gone:
        return f"gone, {about}{agent.tokens_before:,} tokens before"
    difference = agent.tokens_after - agent.tokens_before
    budget = f", memory budget {agent.budget:,}" if agent.budget else ""
    figures = f"{about}{agent.tokens_before:,} → {about}{agent.tokens_after:,} tokens"
    return f"{figures} ({difference:+,}{budget})"


def _ends(report: DiffReport, *, code: bool = False) -> str:
    after = report.after[:10] or "work tree"
    if not code:
        return f"{report.range} ({report.before[:10]} → {after})"
    return f"{_code(report.range)} ({report.before[:10]} → {after})"


def _moves(agent: AgentChangeReport) -> Iterator[tuple[str, list[str]]]:
    moves = (
        ("in", agent.came_in),
        ("reworded", agent.reworded),
        ("added to prompt", agent.let_in),
        ("dropped from prompt", agent.pushed_out),
        ("out", agent.went_out),
    )
    for name, refs in moves:
        more = [f"and {len(refs) - _NAMED:,} more"] if len(refs) > _NAMED else []
        if refs:
            yield name, [*refs[:_NAMED], *more]


def _entry_text(each: EntryChangeReport) -> Iterator[str]:
    yield f"{_SIGNS[each.happened]} {each.ref}  {_where(each)}"
    if each.happened == "changed" and each.before != each.after:
        if each.before:
            yield f"    before: {_one_line(each.before)}"
        if each.after:
            yield f"    after:  {_one_line(each.after)}"
    else:
        yield f"    {_one_line(each.before if each.after is None else each.after)}"


def _entry_markdown(each: EntryChangeReport) -> Iterator[str]:
    head = f"- **{each.happened}** {_code(each.ref)} in {_code(each.path)}"
    if each.was_at:
        head += f", from {_code(each.was_at)}"
    yield head + (f", {_status(each)}" if _status(each) else "")
    is_reworded = each.happened == "changed" and each.before != each.after
    if each.before and each.before != each.after:
        yield f"  - before: {_plain(each.before)}"
    if each.after:
        yield f"  - {'after' if is_reworded else 'text'}: {_plain(each.after)}"


def _where(each: EntryChangeReport) -> str:
    parts = [kind_text(each.kind), each.path]
    parts += [f"from {each.was_at}"] if each.was_at else []
    parts += [_status(each)] if _status(each) else []
    return " · ".join(parts)


def _status(each: EntryChangeReport) -> str:
    one, two = each.status_before, each.status_after
    return f"{one} → {two}" if one and two and one != two else ""


def _agent_table(report: DiffReport) -> Iterator[str]:
    changed = changed_agents(report)
    if not changed:
        return
    yield from ("", "| agent | tokens at startup | changes |", "|---|---|---|")
    for agent in changed[:SHOWN]:
        moved = "<br>".join(
            f"{name}: {', '.join(map(_cell, refs))}" for name, refs in _moves(agent)
        )
        yield f"| {_plain(agent.name)} ({_plain(agent.tool)}) | {tokens(agent)} | {moved} |"
    yield from _rest(len(changed), "agent", "agents")


def _cell(name: str) -> str:
    return name if name.startswith("and ") else _code(name)


def _rest(number: int, one: str, many: str) -> Sequence[str]:
    rest = number - SHOWN
    return ["", f"and {count(rest, one, many)} more"] if rest > 0 else []


def _one_line(text: str | None) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= _WIDE else f"{line[: _WIDE - 1]}…"


def _plain(text: str | None) -> str:
    """Return a text as Markdown shows it letter by letter."""
    parts = _LIVE.split(safe_text(_one_line(text), one_line=True))
    return _APART.join(_MARKUP.sub(r"\\\1", part) for part in parts)


def _code(text: str) -> str:
    """Return a text as code, whatever ticks it holds; a `|` would end a table's cell."""
    plain = safe_text(text, one_line=True).replace("|", "¦")
    ticks = max((len(run) for run in re.findall(r"`+", plain)), default=0) + 1
    pad = " " if "`" in plain else ""
    return f"{'`' * ticks}{pad}{plain}{pad}{'`' * ticks}"
