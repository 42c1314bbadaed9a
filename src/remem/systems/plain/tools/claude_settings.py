"""What Claude Code takes of its settings that stands deep inside of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from remem.systems.plain.tools.tool_ids import Said

_COMMAND: Final = 60
"""Characters of a command that are shown."""


def start_hooks(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the commands whose output begins a session; what has another shape is none."""
    hooks = value.get("hooks")
    groups = hooks.get("SessionStart") if isinstance(hooks, dict) else None
    for group in groups if isinstance(groups, list) else ():
        each = group.get("hooks") if isinstance(group, dict) else None
        for hook in each if isinstance(each, list) else ():
            command = hook.get("command") if isinstance(hook, dict) else None
            if isinstance(command, str):
                yield f"{command[:_COMMAND]}…" if len(command) > _COMMAND else command


def instruction_files(found: Said) -> object:
    """Return the user's choice; those of a project are ignored."""
    for name, value in found:
        if name.startswith("~/"):
            at: object = value
            for key in ("pluginConfigs", "agents-md@builtin", "options", "instructionFiles"):
                at = at.get(key) if isinstance(at, dict) else None
            return at
    return None
