"""What OpenCode tells an agent of other folders and repositories that its settings describe.

Seen of OpenCode 1.18.33 on 2026-11-28: those that have a `description`, by name, before all
instructions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from remem.base.collation import collated
from remem.core.prompt.counter import Counter
from remem.core.system import Ground
from remem.model.loader import Tool
from remem.model.prompt import Ask, Layer, Line
from remem.systems.loading.skill_lists import list_layer
from remem.systems.plain.tools.tool_ids import OPENCODE
from remem.systems.plain.tools.tools_of_project import SettingsFile, of_opencode

_NAME: Final = re.compile(r"[^\s/,`]+")
"""What it takes for the name of one; others it passes over."""
REFERENCES: Final = "descriptions of references"


def references_layer(ground: Ground, tool: Tool, ask: Ask, counter: Counter) -> Layer | None:
    """Return the references that a tool tells of; `None` = it tells of none."""
    if tool.id != OPENCODE:
        return None
    found = _said(ground, ask.folder, "references") or _said(ground, ask.folder, "reference")
    lines = []
    for name in sorted(found, key=collated):
        values, place = found[name]
        if isinstance(values.get("description"), str) and _NAME.fullmatch(name):
            texts = f"- {name}: {values['description']}".split("\n")
            lines += [Line(x, counter.count(x), None, place.name, place.path) for x in texts]
    return list_layer(REFERENCES, lines, counter) if lines else None


def _said(
    ground: Ground, folder: str, key: str
) -> dict[str, tuple[Mapping[str, Any], SettingsFile]]:
    """Return each reference as the settings have it that win; it takes nothing of the others."""
    return {name: (values, place) for name, values, place in of_opencode(ground, folder, key)}
