"""The private memory that Gemini CLI keeps of a project below the home folder, and loads.

Seen of Gemini CLI 0.61.0 on 2026-11-28: a project is called by `projects.json`, else by its
folder's name; `.project_root` says whose a folder is. Of the memory in it `MEMORY.md` is loaded,
else the files that are called like those of a project; notes beside it are for the agent to open.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.layout import Base, LoaderRule
from remem.model.loader import Loads, PlainLayout, Proof, Tool
from remem.model.source import LoaderKind
from remem.store.io import Unreadable
from remem.systems.plain.plain_layouts import GEMINI_DOCS
from remem.systems.plain.tools.tool_ids import Said

KEPT: Final = ".gemini/tmp"
"""Folder of the home folder that it lies in."""
_PROJECTS: Final = ".gemini/projects.json"
_OWNER: Final = ".project_root"
_INDEX: Final = "MEMORY.md"
_USUAL: Final = "GEMINI.md"
_MEMORY: Final = "gemini-memory"
_TOPICS: Final = "gemini-memory-topics"
_NOT_IN_A_NAME: Final = lazy_pattern(r"[^a-z0-9]+")
_PLAIN_NAME: Final = lazy_pattern(r"(?!\.{1,2}$)[^/\\*?\[\]{}\0]+")
_PROOFS: Final = (
    Proof(
        says="the index of a project's private memory, between a person's file and the project's",
        read="2026-11-28",
        version="Gemini CLI 0.61.0",
    ),
)


def memory_layouts(ground: Ground, settings: Said) -> Iterator[PlainLayout]:
    """Yield the layouts of the memory of the root; none = there is none.

    Args:
        ground: Where the root and the home folder are.
        settings: What each settings file is called and says; they may name other files.
    """
    folder = _folder(ground, ground.root)
    if folder is None:
        return
    loaded = [f"{folder}/{name}" for name in _names(ground, folder, settings)]
    kinds = ((_MEMORY, loaded, LoaderRule()), (_TOPICS, [f"{folder}/*.md"], _opened()))
    for name, files, loader in kinds:
        if files:
            yield PlainLayout(
                name=name,
                tool="Gemini CLI",
                scope="user",
                base=Base.HOME,
                files=tuple(files),
                loader=loader,
                imports=5,
                archive=f"{folder}/archive/{{name}}.md",
                claim=GEMINI_DOCS,
            )


def with_memory(tool: Tool) -> Tool:
    """Return Gemini CLI with its memory of the project that it is started in."""
    rows = (
        Loads(layout=_MEMORY, stage=0, proofs=_PROOFS),
        Loads(layout=_TOPICS, is_own=False, stage=2, proofs=_PROOFS),
    )
    return replace(tool, loads=(*tool.loads, *rows))


def _opened() -> LoaderRule:
    return LoaderRule(kind=LoaderKind.ON_REQUEST)


def _names(ground: Ground, folder: str, settings: Said) -> Iterator[str]:
    """Yield the names of what is loaded of the memory."""
    if ground.disk.kind(ground.home / folder / _INDEX) == "file":
        yield _INDEX
        return
    names = [name for _, value in settings for name in _said(value)]
    for name in dict.fromkeys((*names, _USUAL)):
        if ground.disk.kind(ground.home / folder / name) == "file":
            yield name


def _said(value: Mapping[str, Any]) -> Iterator[str]:
    context = value.get("context")
    said = context.get("fileName") if isinstance(context, dict) else None
    for each in [said] if isinstance(said, str) else said if isinstance(said, list) else []:
        if isinstance(each, str) and _PLAIN_NAME.fullmatch(each):
            yield each


def _folder(ground: Ground, root: Path) -> str | None:
    """Return the folder of a project's memory, below the home folder; `None` = there is none."""
    kept = ground.usual(KEPT)
    known = _projects(ground)
    called = known.get(str(root), "")
    if not (called and _owner(ground, kept / called) in ("", str(root))):
        called = _by_folder(ground, kept, root, known)
    folder = kept / called / "memory"
    if not called or ground.disk.kind(folder) != "folder":
        return None
    return folder.relative_to(ground.home).as_posix()


def memory_to_come(ground: Ground) -> Iterator[Path]:
    """Yield where the memory of the root will lie, as it is called now, if none is there yet."""
    called = _projects(ground).get(str(ground.root), "")
    if called and _folder(ground, ground.root) is None:
        yield ground.usual(KEPT) / called / "memory"


def _by_folder(ground: Ground, kept: Path, root: Path, known: Mapping[str, str]) -> str:
    """Return what a project is called that no list names; empty = as nothing that is there."""
    for name in ground.disk.names(kept):
        if _owner(ground, kept / name) == str(root):
            return name
    name = _NOT_IN_A_NAME.sub("-", root.name.lower()).strip("-") or "project"
    is_others = name in known.values() or _owner(ground, kept / name)
    return "" if is_others else name


def _owner(ground: Ground, folder: Path) -> str:
    """Return the project that a folder says it is of; empty = it does not."""
    try:
        return ground.disk.read(folder / _OWNER).decode("utf-8", "replace").strip()
    except Unreadable:
        return ""


def _projects(ground: Ground) -> Mapping[str, str]:
    try:
        value = json.loads(ground.disk.read(ground.usual(_PROJECTS)))
    except (Unreadable, ValueError, RecursionError):
        return {}
    said = value.get("projects") if isinstance(value, dict) else None
    found = said.items() if isinstance(said, dict) else ()
    return {
        path: name for path, name in found if isinstance(name, str) and _PLAIN_NAME.fullmatch(name)
    }
