"""What the `config.yaml` of Hermes changes of its start: which of its two memories it is given.

Seen of Hermes 0.19.0 on 2026-11-28: each has a switch in `memory`, on where nothing is said, and
off by any value that Python counts as false; a `memory` that is no mapping turns both off. A file
that cannot be read says nothing. A project's own counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.edit.yaml_read import parse_document
from remem.model.loader import Tool, without
from remem.store.io import Unreadable

_FILE: Final = ".hermes/config.yaml"
_SWITCHES: Final = {"memory_enabled": "hermes-memory", "user_profile_enabled": "hermes-user"}
_OFF: Final = frozenset(("no", "No", "NO", "off", "Off", "OFF"))
"""Words that older YAML, which Hermes reads, takes for false where no quotes are around them."""
_BARE: Final = lazy_pattern(rb"(?im)^[ \t]+(?P<key>\w+):[ \t]+(?P<word>no|off)[ \t]*(?:#.*)?\r?$")


def hermes(ground: Ground, tool: Tool) -> Tool:
    """Return Hermes as a person's settings have it."""
    path = ground.usual(_FILE)
    try:
        data = ground.disk.read(path)
    except Unreadable:
        return tool
    said = parse_document(data).value
    memory = said.get("memory") if isinstance(said, dict) else None
    if memory is None:
        return tool
    name = ground.shown(path)
    if not isinstance(memory, dict):
        why = f"`memory` in `{name}` is no mapping, and so turns its memory off"
        return without(tool, frozenset(_SWITCHES.values()), why)
    bare = {each["key"].decode(): each["word"].decode() for each in _BARE.finditer(data)}
    for key, layout in _SWITCHES.items():
        if _is_off(memory, key, bare):
            tool = without(tool, frozenset((layout,)), f"`{key}` in `{name}` turns it off")
    return tool


def _is_off(memory: Mapping[str, Any], key: str, bare: Mapping[str, str]) -> bool:
    value = memory.get(key, True)
    return not value or (value in _OFF and bare.get(key) == value)
