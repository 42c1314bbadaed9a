"""One agent's start as `status` adds it up, and a tool's own list of it held against that."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.find_named import shown_path, who_is_there
from remem.cli.invocation import Invocation
from remem.cli.out import emit, print_table, show_text
from remem.core.prompt.agents import agents_of
from remem.core.prompt.start_sum import RowKind, SumRow, sum_rows
from remem.core.session import Session
from remem.model.prompt import Ask, Prompt
from remem.store.io import Disk, real_path
from remem.systems.plain.context_tables import LISTING, Listed, read_list
from remem.systems.plain.tools.tools_of_project import tool_named
from remem.views.documents.status import AgainstReport, HeldReport, StartRowReport

_STDIN: Final = "-"
_MOST: Final = 4_000_000
"""Bytes of a list that are read."""


def print_sum(invocation: Invocation, name: str) -> None:
    """Print the start of one agent or role row by row, with the sum.

    Raises:
        UnknownRef: Nobody of that name starts here.
    """
    prompt = start_named(invocation.session, name)
    rows = sum_rows(prompt, invocation.session.counter)
    about = "" if prompt.exact else "≈"
    show_text(f"{name} at startup", bold=True)
    print_table(
        ("TOKENS", "WHAT", "NAME"),
        [
            (_tokens(row, about), row.kind.value, _name(invocation, row))
            for row in rows
            if row.tokens is not None
        ],
        labelled=True,
    )
    show_text(f"{about}{count(prompt.tokens, 'token')} ({prompt.encoding}), the sum of these rows")
    unknown = [row for row in rows if row.tokens is None]
    if unknown:
        show_text("\nNot counted", bold=True)
        for row in unknown:
            show_text(f"{row.kind.value}: {row.name}")


def start_named(session: Session, name: str) -> Prompt:
    """Return the start of an agent or a role, whatever its case.

    Raises:
        UnknownRef: Nobody of that name starts here.
    """
    wanted = name.casefold()
    for who in agents_of(session.library):
        if who.name.casefold() == wanted:
            return session.as_loaded(who.ask)
    roles = [role for role in session.roles() if role.casefold() == wanted]
    if roles:
        return session.compose(Ask(role=roles[0]))
    hint = who_is_there(name, [*(who.name for who in agents_of(session.library)), *session.roles()])
    raise UnknownRef(f"no agent or role is called `{name}`", hint=hint)


def row_reports(prompt: Prompt, session: Session) -> tuple[StartRowReport, ...]:
    """Return the rows of a start as documents have them."""
    return tuple(
        StartRowReport(
            kind=row.kind.value,
            name=row.name,
            path=None if row.path is None else str(row.path),
            tokens=row.tokens,
        )
        for row in sum_rows(prompt, session.counter)
    )


def print_against(invocation: Invocation, file: str) -> None:
    """Hold a tool's own list against what remem says that the tool loads, and print both.

    Raises:
        NotPossible: The file cannot be read, or is no such list.
    """
    session = invocation.session
    listed = read_list(_read(file))
    tool = tool_named(LISTING)
    assert tool is not None
    prompt = session.as_loaded(Ask(agent=tool.title, persona=tool.title, layout=tool.id))
    rows = sum_rows(prompt, session.counter)
    held = hold(rows, listed, session.root, session.places.home)
    differ = differing(held)
    if invocation.as_json:
        emit(
            AgainstReport(
                agent=tool.title,
                differ=differ,
                encoding=prompt.encoding,
                exact=prompt.exact,
                tokens=prompt.tokens,
                rows=tuple(
                    HeldReport(
                        kind=each.kind,
                        name=each.name,
                        who=each.who.value,
                        tokens=each.tokens,
                        theirs=each.theirs,
                        source=each.source,
                    )
                    for each in held
                ),
                uncounted=tuple(row.name for row in rows if row.tokens is None),
            )
        )
        return
    show_text(f"{tool.title}: remem's list and its own list", bold=True)
    about = "" if prompt.exact else "≈"
    print_table(
        ("REMEM", "ITS OWN", "WHAT", "NAME", "SAID"),
        [_held(invocation, each, about) for each in held],
        labelled=True,
    )
    both = sum(each.who is Who.BOTH for each in held)
    brought = sum(each.who is Who.BROUGHT for each in held)
    verdict = f"{count(differ, 'row')} in only one list" if differ else "no differences"
    show_text(f"{count(both, 'row')} in both, {verdict}; {brought:,} from the tool itself.")
    show_text("Token counts are estimates of each side and are not compared.", dim=True)


def _read(file: str) -> str:
    data = sys.stdin.buffer.read(_MOST) if file == _STDIN else Disk().read(Path(file).absolute())
    if not data.strip():
        hint = 'pipe it in: `claude -p "/context" | remem status --against -`'
        raise NotPossible("the list is empty", hint=hint)
    return data[:_MOST].decode("utf-8", "replace")


def _held(invocation: Invocation, held: Held, about: str) -> tuple[str, str, str, str, str]:
    ours = "" if held.tokens is None else f"{about}{held.tokens:,}"
    name = shown_path(invocation, held.name) if held.name.startswith("/") else held.name
    return ours, held.theirs, held.kind, name, _SAID[held.who]


def _tokens(row: SumRow, about: str) -> str:
    return "" if row.tokens is None else f"{about}{row.tokens:,}"


def _name(invocation: Invocation, row: SumRow) -> str:
    if row.kind is RowKind.FILE and row.path is not None:
        return shown_path(invocation, row.path)
    return row.name


_COMPARED = (RowKind.FILE, RowKind.AGENT, RowKind.SKILL)


class Who(StrEnum):
    """Who has a row."""

    BOTH = "both"
    REMEM = "remem"
    TOOL = "tool"
    BROUGHT = "brought"
    """The tool has it, and brings it itself: it lies in no file that remem reads."""


_SAID: Final = {
    Who.BOTH: "",
    Who.REMEM: "only in remem's list",
    Who.TOOL: "only in the tool's list",
    Who.BROUGHT: "comes with the tool or a plug-in",
}


@dataclass(frozen=True, slots=True)
class Held:
    """One row of both lists."""

    kind: str
    name: str
    who: Who
    tokens: int | None
    """As remem counts; `None` = it has no such row."""
    theirs: str
    """As the tool prints them; empty = it has no such row."""
    source: str = ""
    """Where the tool says that it comes from."""


def hold(
    rows: Sequence[SumRow], listed: Sequence[Listed], root: Path, home: Path
) -> tuple[Held, ...]:
    """Return every row of both lists once: remem's in its order, then what the tool has alone.

    Args:
        rows: Of the tool's start, as remem has it.
        listed: As the tool has it.
        root: What a path in the list is from, where it is no whole one.
        home: What `~` stands for in it.
    """
    return tuple(_as_held(rows, listed, root, home))


def differing(held: Sequence[Held]) -> int:
    """Return how many rows only one of both has."""
    return sum(each.who in (Who.REMEM, Who.TOOL) for each in held)


def _as_held(
    rows: Sequence[SumRow], listed: Sequence[Listed], root: Path, home: Path
) -> Iterator[Held]:
    theirs: dict[tuple[str, str], Listed] = {}
    for each in listed:
        theirs.setdefault((each.kind, _called(each, root, home)), each)
    for row in rows:
        if row.kind not in _COMPARED:
            continue
        keys = [(row.kind.value, name) for name in _names(row)]
        key = next((key for key in keys if key in theirs), None)
        found = theirs.pop(key) if key is not None else None
        who = Who.BOTH if found is not None else Who.REMEM
        tokens, source = (found.tokens, found.source) if found is not None else ("", "")
        yield Held(row.kind.value, row.name, who, row.tokens, tokens, source)
    for each in theirs.values():
        who = Who.BROUGHT if each.comes_with_tool else Who.TOOL
        yield Held(each.kind, each.name, who, None, each.tokens, each.source)


def _called(listed: Listed, root: Path, home: Path) -> str:
    if listed.kind != RowKind.FILE:
        return listed.name.casefold()
    name = listed.name
    path = home / name[2:] if name.startswith("~/") else root / name
    return str(real_path(path))


def _names(row: SumRow) -> tuple[str, ...]:
    if row.kind is RowKind.FILE:
        return (str(real_path(row.path)),) if row.path is not None else ()
    return tuple(name.casefold() for name in (row.name, row.also) if name)
