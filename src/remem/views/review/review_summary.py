"""What a review came to, as Markdown to pass on: decisions, and tokens by role and agent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from remem.base.text import count, safe_text
from remem.core.library import Library
from remem.core.prompt.asks import EVERYONE, asker
from remem.core.prompt.impact import Measure
from remem.core.repositories import within
from remem.core.verbs.verbs import verb
from remem.model.prompt import Prompt
from remem.views.screen_state import Desk, Done
from remem.views.spans import change, number

if TYPE_CHECKING:
    from remem.core.prompt.agents import Agent

_BEGAN_EARLIER: Final = (
    "Some of this was decided before remem was last opened, so tokens are not compared."
)


def summary(desk: Desk, group: str = "", before: Library | None = None) -> str:
    """Return what was decided in this review; composes for every role, so it takes a moment.

    The tokens are compared only where every decision was made since the program was opened.

    Args:
        desk: Knows what was decided.
        group: Only what was decided on this retro; empty = everything.
        before: What the prompts are compared with. Default: what stood at the beginning.
    """
    session = desk.session
    made = [done for done in desk.done if group in ("", done.group)]
    decided = count(len(made), "decision")
    waiting = count(sum(group in ("", item.group) for item in desk.items()), "item")
    about = f"{group} in {session.root.name}" if group else session.root.name
    lines = [f"# Review of {_cell(about)}", "", f"{decided}, {waiting} still to review"]
    for name in dict.fromkeys(map(_called, made)):
        alike = [done for done in made if _called(done) == name]
        lines += ["", f"## {name} ({len(alike)})", ""]
        lines += [
            f"- {_cell(done.title)}{f' ({_cell(done.reason)})' if done.reason else ''}"
            for done in alike
        ]
    if any(done.change in desk.earlier for done in made):
        # What stood before them is not known any more: a table would leave them out.
        lines += ["", _BEGAN_EARLIER]
        return "\n".join(lines) + "\n"
    return "\n".join([*lines, *_tokens(desk, before or desk.began)]) + "\n"


def _called(done: Done) -> str:
    return done.called or verb(done.verb).title


def _tokens(desk: Desk, began: Library) -> Iterator[str]:
    """Yield the table of prompts before and after, counted by the same counter."""
    rows = [*_of_roles(desk, began), *_of_agents(desk, began)]
    if rows:
        head = f"| who | {Measure.PROMPT} before | {Measure.PROMPT} now | |"
        yield from ("", head, "|---|---:|---:|---:|", *rows)
        if began is desk.began:
            yield from ("", "Before = when remem was opened; what else changed since counts too.")


def _of_roles(desk: Desk, began: Library) -> Iterator[str]:
    """Yield a row for every role that something is composed for."""
    session = desk.session
    for ask in session.asks():
        before, now = session.compose(ask, library=began), session.compose(ask)
        if before.tokens or now.tokens:
            yield _row(asker(ask) or EVERYONE, before, now)


def _of_agents(desk: Desk, began: Library) -> Iterator[str]:
    """Yield a row for every agent that loads files itself and starts with more or less now."""
    from remem.core.prompt.agents import agents

    counter = desk.session.counter
    whole = (within(each, "") for each in (began, desk.session.library))
    before, now = ({(a.name, a.tool, a.layout): a for a in agents(x, counter)} for x in whole)
    for key in now:
        if key in before and now[key].tokens != before[key].tokens:
            yield _row(f"{now[key].name} ({now[key].tool})", before[key], now[key])


def _row(name: str, before: Prompt | Agent, now: Prompt | Agent) -> str:
    was, is_now = (f"{number(x.tokens, exact=x.exact)} tokens" for x in (before, now))
    return f"| {_cell(name)} | {was} | {is_now} | {change(before.tokens, now.tokens)} |"


def _cell(text: str) -> str:
    return safe_text(text, one_line=True).replace("|", "\\|")
