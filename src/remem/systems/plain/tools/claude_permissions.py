"""What `permissions.deny` of Claude Code's settings keeps from its agent.

Seen of Claude Code 2.1.332 on 2026-11-28: a rule for `Read` keeps out instructions of the project
and what they import, though never a person's own; one for `Skill` the list of skills, one for
`Agent`, or `Task` as it was called, the list of agents, or one of them by its name. How paths are
written was seen too, rule by rule; no page was read for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.loader import Denied, Loads, Tool
from remem.systems.plain.tools.tool_ids import Said

_RULE: Final = lazy_pattern(r"(?P<tool>[A-Za-z]+)(?:\((?P<inside>.*)\))?", 16)  # DOTALL
_ALL: Final = "*"
_BELOW: Final = "/**"
_READ: Final = "Read"
_SKILL: Final = "Skill"
_AGENTS: Final = frozenset({"Agent", "Task"})
_INSTRUCTIONS: Final = 1
"""Stage of what lies in a project for every agent; a person's own comes before it."""
_OWN: Final = ".claude/settings.json"
"""A person's own settings, from the home folder."""


def permitted(ground: Ground, tool: Tool, settings: Said, folder: Path) -> Tool:
    """Return the tool without what its settings deny it.

    Args:
        ground: Where the home folder is.
        tool: Claude Code.
        settings: What each settings file is called and says.
        folder: Where it is started.
    """
    rules = [(name, each, inside) for name, each, inside in _rules(settings)]
    denied = tuple(_denied(ground, rules, folder))
    loads = tool.loads
    if denied:
        loads = tuple(
            replace(each, denied=denied) if each.stage == _INSTRUCTIONS else each for each in loads
        )
    without = next((name for name, each, inside in rules if _is_whole(each, inside, _SKILL)), "")
    if without:
        loads = tuple(_unlisted(loads, f"`permissions.deny` in `{without}` denies `{_SKILL}`"))
    agents = [inside for _, each, inside in rules if each in _AGENTS | {_ALL}]
    return replace(
        tool,
        loads=loads,
        lists_agents=tool.lists_agents and not {None, _ALL} & {*agents},
        unlisted=tuple(filter(None, agents)),
    )


def _rules(
    settings: Said,
) -> Iterator[tuple[str, str, str | None]]:
    """Yield the settings file, the tool and what stands in brackets behind it; `None` = nothing."""
    for name, value in settings:
        said = value.get("permissions")
        denied = said.get("deny") if isinstance(said, dict) else None
        for each in denied if isinstance(denied, list) else ():
            if each == _ALL:
                yield name, _ALL, None
            elif isinstance(each, str) and (match := _RULE.fullmatch(each)):
                yield name, match["tool"], match["inside"]


def _is_whole(tool: str, inside: str | None, wanted: str) -> bool:
    """Tell whether a rule denies a tool, whatever it is called with."""
    return tool == _ALL or (tool == wanted and inside in (None, _ALL))


def _unlisted(loads: Sequence[Loads], why: str) -> Iterator[Loads]:
    for each in loads:
        yield replace(each, never=each.never or why) if each.lists else each


def _denied(
    ground: Ground, rules: Sequence[tuple[str, str, str | None]], folder: Path
) -> Iterator[Denied]:
    """Yield what may not be read: the patterns of one file for one folder together, in order."""
    found: dict[tuple[str, Path], list[str]] = {}
    for name, tool, inside in rules:
        if _is_whole(tool, inside, _READ):
            found.setdefault((name, Path("/")), []).append(_ALL)
        elif tool == _READ and inside:
            own = ground.usual(_OWN).parent if name.startswith("~/") else folder
            top, pattern = _placed(ground, inside, folder, own)
            found.setdefault((name, top), []).append(pattern)
    for (name, top), patterns in found.items():
        yield Denied(top, tuple(patterns), name)


def _placed(ground: Ground, path: str, folder: Path, own: Path) -> tuple[Path, str]:
    """Return the folder that a pattern is for, and the pattern as it stands from there.

    Args:
        ground: Where the home folder is.
        path: `//from/the/top`, `~/from/home`, `/from/the/settings`, `./from/here` or `from/here`.
        folder: Where the tool is started.
        own: The folder of the settings that say so.
    """
    if path.startswith("//"):
        top, pattern = Path("/"), path[1:]
    elif path.startswith("~/"):
        top, pattern = ground.home, path[1:]
    elif path.startswith("/"):
        top, pattern = own, path
    else:
        top, pattern = folder, path.removeprefix("./")
    return top, _ALL if pattern == _BELOW else pattern.removesuffix(_BELOW)
