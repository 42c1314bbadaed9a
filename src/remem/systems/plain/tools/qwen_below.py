"""Which notes Qwen Code has where it is started below a root: those of its checkout of git.

Seen of Qwen Code 0.24.4 on 2026-11-28: without a checkout a folder has notes of its own.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.model.loader import Tool, without

_OF_THE_ROOT: Final = frozenset({"qwen-memory", "qwen-memory-topics"})


def started_below(ground: Ground, tool: Tool, folder: Path) -> Tool:
    """Return Qwen Code without the root's notes where the folder has others.

    Args:
        ground: Where the root is.
        tool: As its settings have it.
        folder: Where it is started, below the root.
    """
    inside = [up for up in (folder, *folder.parents) if up.is_relative_to(ground.root)]
    tops = [up for up in (folder, *folder.parents) if ground.disk.kind(up / ".git")]
    if tops and (tops[0] == ground.root or tops[0] not in inside):
        return tool
    place = (tops[0] if tops else folder).relative_to(ground.root).as_posix()
    tool = without(tool, _OF_THE_ROOT, f"Qwen Code keeps notes of `{place}/` apart from these")
    return replace(tool, unseen=(*tool.unseen, f"the notes that it keeps of `{place}/`"))
