"""What a review came to, as Markdown that can be passed on: decisions, and tokens per role."""

from __future__ import annotations

from collections.abc import Iterator

from remem.curation.verbs import verb
from remem.model.prompt import Ask
from remem.text import count, safe_text
from remem.tui.content import change, number
from remem.tui.desk import Desk


def summary(desk: Desk) -> str:
    """Return what was decided in this session; composes for every role, so it takes a moment."""
    bench = desk.workbench
    decided = count(len(desk.done), "decision")
    waiting = count(len(desk.items()), "item")
    lines = [f"# Review of {_cell(bench.root.name)}", "", f"{decided}, {waiting} still waiting"]
    for name in dict.fromkeys(done.verb for done in desk.done):
        lines += ["", f"## {verb(name).title}", ""]
        lines += [
            f"- {_cell(done.title)}{f' ({_cell(done.reason)})' if done.reason else ''}"
            for done in desk.done
            if done.verb == name
        ]
    return "\n".join([*lines, *_tokens(desk)]) + "\n"


def _tokens(desk: Desk) -> Iterator[str]:
    """Yield the table of all roles, before and after, counted by the same counter."""
    bench = desk.workbench
    roles = bench.roles()
    if not roles:
        return
    yield from ("", "| role | tokens before | tokens now | |", "|---|---:|---:|---:|")
    for role in roles:
        before = bench.compose(Ask(role=role), library=desk.began)
        now = bench.compose(Ask(role=role))
        was, is_now = (number(each.tokens, exact=each.exact) for each in (before, now))
        yield f"| {_cell(role)} | {was} | {is_now} | {change(before.tokens, now.tokens)} |"


def _cell(text: str) -> str:
    return safe_text(text, one_line=True).replace("|", "\\|")
