"""What the tools were seen to do with the fixtures: a line of JSON each in `results.jsonl`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.oracle.fixtures import Said

FILE: Final = Path(__file__).with_name("results.jsonl")
_OF_THE_PROMPT: Final = re.compile(r"/(?:output-styles|agents|agent-memory(?:-local)?)/")
_SAYS_FIRST: Final = "claude-begins-with-what-it-says-first"
_OF_A_SETTING: Final = "AGENTS.md"
"""Claude Code tells its hook neither of these files nor of what they import."""


@dataclass(frozen=True)
class Result:
    """What one tool loaded at startup in one fixture."""

    fixture: str
    tool: str
    version: str
    date: str
    said: Said
    context: tuple[str, ...] | None = None
    """The files that Claude Code lists for `/context`."""
    hook: tuple[str, ...] | None = None
    """Those that it tells its hook `InstructionsLoaded` of."""


@cache
def committed() -> dict[tuple[str, str], Result]:
    """Return what is kept, by fixture and tool."""
    lines = FILE.read_text("utf-8").splitlines() if FILE.exists() else []
    return {(each.fixture, each.tool): each for each in map(_read, lines)}


def keep(found: Iterable[Result]) -> None:
    """Write what was found over what is kept of the same fixtures and tools."""
    kept = {**committed(), **{(each.fixture, each.tool): each for each in found}}
    text = "".join(f"{_written(kept[key])}\n" for key in sorted(kept))
    FILE.write_text(text, "utf-8")
    committed.cache_clear()


def own_lists_differ(result: Result) -> Iterator[str]:
    """Yield where a tool's own lists of what it loaded differ from what it sent.

    In none of them is an output style, nor the agent that a session begins with and its memory; and
    nothing at all where the question after them stands behind what that agent says first.
    """
    if result.fixture == _SAYS_FIRST:
        return
    files = {each.partition("#")[0] for each in result.said.files}
    sent = sorted(each for each in files if not _OF_THE_PROMPT.search(each))
    if result.context is not None and sent != sorted(result.context):
        yield f"it sent {sent}, and `/context` lists {sorted(result.context)}"
    told = [each for each in sent if "/memory/" not in each]
    is_told_all = not any(each.endswith(_OF_A_SETTING) for each in told)
    if result.hook is not None and is_told_all and told != sorted(result.hook):
        yield f"it sent {told}, and its hook was told of {sorted(result.hook)}"


def _read(line: str) -> Result:
    row: dict[str, Any] = json.loads(line)
    said = Said(*(tuple(row.get(name, ())) for name in ("files", "skills", "agents")))
    context, hook = (tuple(row[name]) if name in row else None for name in ("context", "hook"))
    return Result(row["fixture"], row["tool"], row["version"], row["date"], said, context, hook)


def _written(result: Result) -> str:
    said = result.said
    lists = {"skills": said.skills or None, "agents": said.agents or None}
    lists |= {"context": result.context, "hook": result.hook}
    row = {
        "fixture": result.fixture,
        "tool": result.tool,
        "version": result.version,
        "date": result.date,
        "files": said.files,
        **{name: value for name, value in lists.items() if value is not None},
    }
    return json.dumps(row, ensure_ascii=False)
