"""Learnings as files: records in every shape, and how to open a project that has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tests.sniper_files import project, write

from remem.core.library import Library
from remem.edit.yaml_write import render
from remem.systems.learnings.read_any_shape import Reading, read_learning

FOLDER: Final = ".sniper/memory/learnings"
FREEZE: Final = "L-20260504-7be1"


def record(name: str = FREEZE, **fields: Any) -> dict[str, Any]:
    """Return a record that conforms; a field given as `None` is left out."""
    held: dict[str, Any] = {
        "id": name,
        "status": "active",
        "confidence": 0.5,
        "created_at": "2026-05-04T10:00:00Z",
        "source": {"type": "retro", "protocol_id": "SNPR-20260504-19aa"},
        "learning": "Freeze time in every scheduler test",
        **fields,
    }
    return {key: each for key, each in held.items() if each is not None}


def reading(name: str = FREEZE, **fields: Any) -> Reading:
    """Return such a record as it is read."""
    return read_learning(record(name, **fields), stem=name)


def learnings(root: Path, *records: dict[str, Any], **files: str) -> Library:
    """Write each record as a file of its own, and open the project."""
    named = {f"{FOLDER}/{each['id']}.yaml": render(each) for each in records}
    return project(root, {**named, **{f".sniper/memory/{k}": v for k, v in files.items()}})


def put(root: Path, name: str, text: str) -> None:
    """Write a file of the project's memory."""
    write(root / "shop", {f".sniper/memory/{name}": text})


def path_of(root: Path, name: str = FREEZE) -> Path:
    return root / "shop" / FOLDER / f"{name}.yaml"
