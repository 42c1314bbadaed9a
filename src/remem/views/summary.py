"""What a review came to, as Markdown that can be passed on: decisions, and tokens per role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.base.text import count, safe_text
from remem.core.library import Library
from remem.core.prompt.impact import Measure
from remem.core.prompt.requests import EVERYONE, asker
from remem.core.verbs.verbs import verb
from remem.model.prompt import Prompt
from remem.views.desk import Desk, Done
from remem.views.spans import change, number

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
    """Yield the table of all roles, before and after, counted by the same counter."""
    session = desk.session
    asks = session.asks()
    compared = [(ask, session.compose(ask, library=began), session.compose(ask)) for ask in asks]
    compared = [each for each in compared if each[1].tokens or each[2].tokens]
    if not compared:
        return  # nothing is composed here: agents load their files themselves
    head = f"| role | {Measure.PROMPT} before | {Measure.PROMPT} now | |"
    yield from ("", head, "|---|---:|---:|---:|")
    for ask, before, now in compared:
        was, is_now = (_tokens_of(each) for each in (before, now))
        name = _cell(asker(ask) or EVERYONE)
        yield f"| {name} | {was} | {is_now} | {change(before.tokens, now.tokens)} |"


def _tokens_of(prompt: Prompt) -> str:
    return f"{number(prompt.tokens, exact=prompt.exact)} tokens"


def _cell(text: str) -> str:
    return safe_text(text, one_line=True).replace("|", "\\|")
