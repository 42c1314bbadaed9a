"""What a tool itself says it loaded: the tables that `claude -p "/context"` prints.

It reads and judges nothing. The tokens are the tool's own estimate, kept as they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.systems.plain.tools.tool_ids import CLAUDE

LISTING: Final = CLAUDE
"""The id of the tool whose list this is."""
_HINT: Final = 'create it with `claude -p "/context"` in the folder where the agent starts'
_KINDS: Final = {"memory files": "file", "custom agents": "agent", "skills": "skill"}
"""Heading of a table → what its rows are."""
_OWN: Final = frozenset({"user", "project", "local", "automem"})
"""Where a row comes from that lies in files of the project or of the person."""
_RULE: Final = re.compile(r"\|[\s:|-]+\|")


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of a tool's own list."""

    kind: str
    """`file`, `agent` or `skill`."""
    name: str
    """Of a file its path."""
    source: str
    """As the tool calls it: `Project`, `User`, `Built-in`."""
    tokens: str
    """As it is printed: `11`, `< 20`, `~480`."""

    @property
    def comes_with_tool(self) -> bool:
        """It lies in no file of the project or of the person: the tool or a plug-in brings it."""
        return self.source.casefold() not in _OWN


def read_list(text: str) -> tuple[Listed, ...]:
    """Return the rows of a tool's list, in its order.

    Raises:
        NotPossible: It has no such table: it is another text.
    """
    if "Context Usage" not in text and not any(f"### {k}" in text.casefold() for k in _KINDS):
        raise NotPossible("this is not a `/context` list", hint=_HINT)
    return tuple(_rows(text))


def _rows(text: str) -> Iterator[Listed]:
    kind, columns = "", list[str]()
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("#"):
            kind, columns = _KINDS.get(line.lstrip("# ").casefold(), ""), []
        elif not kind or not line.startswith("|") or _RULE.fullmatch(line):
            continue
        else:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not columns:
                columns = [cell.casefold() for cell in cells]
            elif len(cells) == len(columns):
                yield _row(kind, dict(zip(columns, cells, strict=True)))


def _row(kind: str, cells: dict[str, str]) -> Listed:
    named = {"file": "path", "agent": "agent type", "skill": "skill"}[kind]
    first = next(iter(cells.values()))
    source = cells.get("source") or cells.get("type") or ""
    return Listed(kind, cells.get(named, first), source, cells.get("tokens", ""))
