"""Files that look like instructions or memory of an agent, and that nothing here reads.

They are named, so that a person knows of them; how a tool loads them is not confirmed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.layout import PERSONA, PROJECT, Base, Layout, Part
from remem.systems.plain.walk import Folders

UNCONFIRMED: Final = "not-confirmed"
"""Code of the problem of files that look like memory and are read by nothing here."""
_NAMES: Final = frozenset(
    {"AGENTS.md", "AGENT.md", "AGENTS.local.md", "AGENTS.override.md", "CLAUDE.md", "MEMORY.md"}
    | {"CLAUDE.local.md", "GEMINI.md", "QWEN.md", "WARP.md", "CRUSH.md", "SKILL.md", ".rules"}
    | {".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".goosehints", "airules.md"}
    | {".augment-guidelines", "copilot-instructions.md", ".github-copilot-instructions.md"}
)
_ENDS: Final = (".agent.md", ".chatmode.md", ".prompt.md", ".instructions.md", ".mdc")
_TEXTS: Final = (".md", ".mdc", ".txt")
_KINDS: Final = (
    "rules|memory|memories|steering|agents?|commands?|skills|instructions|prompts|workflows"
    "|microagents|droids|guidelines|chatmodes|output-styles|identity|knowledge|templates"
    "|prototypes|specs|modes"
)
_FOLDER: Final = re.compile(
    r"(?P<top>(?:.*/)?\.(?:claude|cursor|github|windsurf|devin|clinerules|cline|roo|kilocode|kiro"
    r"|junie|opencode|continue|amazonq|openhands|agents?|gemini|qwen|codex|factory|augment|trae"
    r"|serena|squad|ai-team|copilot|rulesync|aiassistant|warp|idx|zed|goose|squad-templates)"
    rf"(?:-[a-z]+)?/(?:extensions/[^/]+/)?(?:{_KINDS}))(?:/.*)?"
)
"""A folder of a tool in which texts for agents lie."""
_SHARED: Final = re.compile(rf"(?P<top>(?:.*/)?(?:{_KINDS}))(?:/.*)?")
_PIPELINES: Final = re.compile(r"(?:.*/)?\.github/workflows(?:/.*)?")
"""What a forge runs; no agent reads it."""


def unknown_files(ground: Ground, folders: Folders, known: Collection[Path]) -> Iterator[Problem]:
    """Yield a problem for each file or folder that looks like memory and is read by nothing.

    Args:
        ground: Says which files belong to named agents.
        folders: The folders of the root with the names in them.
        known: What plain layouts came to, as it is found and where it lies.
    """
    owned = [_pattern(each) for layout in ground.layouts for each in _patterns(layout)]
    groups: dict[str, list[str]] = {}
    for place, names in folders.names.items():
        folder = _FOLDER.fullmatch(place) if not _PIPELINES.fullmatch(place) else None
        for name in names:
            if not _looks_so(name, is_inside=folder is not None):
                continue
            path = f"{place}/{name}" if place else name
            if ground.root / path in known or any(each.fullmatch(path) for each in owned):
                continue
            inner = folder or _SHARED.fullmatch(place)
            groups.setdefault(inner["top"] if inner is not None else path, []).append(path)
    for top, paths in sorted(groups.items()):
        files = [path for path in paths if ground.disk.kind(ground.root / path) == "file"]
        if files:
            yield _problem(ground.root, top, files)


def _looks_so(name: str, *, is_inside: bool) -> bool:
    if name in _NAMES or name.endswith(_ENDS):
        return True
    return is_inside and name.endswith(_TEXTS) and name != "README.md"


def _problem(root: Path, top: str, files: Sequence[str]) -> Problem:
    what = f"`{top}`" if files == [top] else f"`{top}/`"
    number = "1 file" if len(files) == 1 else f"{len(files):,} files"
    said = "" if files == [top] else f" ({number})"
    return Problem(
        UNCONFIRMED,
        f"{what}{said} looks like memory; how a tool loads it is not confirmed",
        "`remem layout add FOLDER` reads it here",
        path=root / top,
    )


def _patterns(layout: Layout) -> Iterator[str]:
    """Yield the patterns of a root's files that belong to named agents."""
    if layout.base is not Base.ROOT:
        return
    for file in layout.memory:
        yield f"{layout.folder}/{file.pattern}"
    if layout.unit_archive:
        yield f"{layout.folder}/**/{layout.unit_archive}"
    yield from (file.pattern for file in layout.shared)
    for file in layout.profiles:
        is_deep = file.part is Part.DEFINITION
        yield file.pattern.replace(PERSONA, "**/*") if is_deep else file.pattern
    if layout.archive:
        yield f"{layout.archive.partition(PERSONA)[0]}**/*"


def _pattern(pattern: str) -> re.Pattern[str]:
    text = re.escape(pattern.replace(PERSONA, "*").replace(PROJECT, "*"))
    text = text.replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.compile(text)
