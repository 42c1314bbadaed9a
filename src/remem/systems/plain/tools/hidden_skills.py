"""What settings of a tool keep out of its list of skills, and what they leave no more than a name.

Seen on 2026-11-28 of Claude Code 2.1.332 (`skillOverrides`), Gemini CLI 0.61.0 (`skills.disabled`
and `skills.enabled`), Qwen Code 0.24.4 (`skills.disabled`, `slashCommands.disabled`) and Codex
0.171.0 (`skills.config` and `skills.include_instructions` of a person's own settings).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from remem.model.loader import Hidden, Tool
from remem.systems.plain.tools.tool_ids import CLAUDE, CODEX, GEMINI, QWEN, Said

_OVERRIDES: Final = "skillOverrides"
_NAME_ALONE: Final = "name-only"
_KEPT: Final = frozenset({"off", "user-invocable-only"})


def with_hidden(tool: Tool, said: Said) -> Tool:
    """Return a tool with what its settings keep out of its lists.

    Args:
        tool: As it comes.
        said: What each settings file is called and says, the one that wins first.
    """
    off = next((f"`{key}` in `{name}` is off" for name, key in _all_off(tool.id, said)), "")
    if off:
        loads = (
            replace(row, never=row.never or off) if row.lists and not row.are_commands else row
            for row in tool.loads
        )
        tool = replace(tool, loads=tuple(loads))
    return replace(tool, hidden=tuple(_hidden(tool.id, said)))


def _all_off(tool: str, said: Said) -> Iterator[tuple[str, str]]:
    key = {GEMINI: "enabled", CODEX: "include_instructions"}.get(tool, "")
    for name, value in said:
        skills = value.get("skills")
        if tool == CODEX and not name.startswith("~/"):
            continue
        if key and isinstance(skills, dict) and isinstance(skills.get(key), bool):
            if not skills[key]:
                yield name, f"skills.{key}"
            return


def _hidden(tool: str, said: Said) -> Iterator[Hidden]:
    if tool == CLAUDE:
        yield from _overridden(said)
    for name, value in said:
        if tool in (GEMINI, QWEN):
            yield from _disabled(name, value, "skills", is_of_commands=False)
        if tool == QWEN:
            yield from _disabled(name, value, "slashCommands", is_of_commands=True)
        if tool == CODEX and name.startswith("~/"):
            yield from _configured(name, value)


def _overridden(said: Said) -> Iterator[Hidden]:
    taken: set[str] = set()
    for file, value in said:
        found = value.get(_OVERRIDES)
        for name, how in found.items() if isinstance(found, dict) else ():
            if name not in taken and (how == _NAME_ALONE or how in _KEPT):
                why = f"`{_OVERRIDES}` in `{file}` has it `{how}`"
                yield Hidden(name, why, has_name=how == _NAME_ALONE)
            taken.add(name)


def _disabled(
    file: str, value: Mapping[str, Any], key: str, *, is_of_commands: bool
) -> Iterator[Hidden]:
    part = value.get(key)
    names = part.get("disabled") if isinstance(part, dict) else None
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str):
            why = f"`{key}.disabled` in `{file}` names it"
            yield Hidden(name.casefold(), why, folds=True, is_command=is_of_commands)


def _configured(file: str, value: Mapping[str, Any]) -> Iterator[Hidden]:
    skills = value.get("skills")
    each = skills.get("config") if isinstance(skills, dict) else None
    for one in each if isinstance(each, list) else ():
        if not isinstance(one, dict) or one.get("enabled") is not False:
            continue
        why = f"`skills.config` in `{file}` turns it off"
        name, path = one.get("name"), one.get("path")
        if isinstance(path, str):
            yield Hidden("", why, path=Path(path))
        elif isinstance(name, str):
            yield Hidden(name, why)
