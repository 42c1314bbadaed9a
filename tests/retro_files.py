"""Sprint retros as files, built from findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.sniper_files import MEMORY, carry_out

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.edit.yaml_write import render
from remem.model.change import Intent
from remem.model.entry import Entry

CONFIG: Final = ".sniper/config.yaml"


def path_of(sprint: int) -> str:
    return f"{MEMORY}/retros/sprint-{sprint}-retro.yaml"


def retro(sprint: int, **findings: Any) -> bytes:
    """Return a retro; the keywords are its lists."""
    return render(
        {
            "sprint": sprint,
            "date": f"2026-0{sprint % 9 + 1}-04",
            "stories_completed": 6,
            "stories_carried_over": 1,
            "findings": findings,
        }
    )


def rule(text: str, confidence: str = "high", recommendation: str = "codify") -> dict[str, Any]:
    return {
        "rule": text,
        "confidence": confidence,
        "evidence": "5 of 6 stories",
        "recommendation": recommendation,
        "applies_to": ["backend-engineer"],
    }


def mistake(
    text: str, stories: Sequence[str] = ("SHOP-1", "SHOP-2"), **more: Any
) -> dict[str, Any]:
    return {
        "description": text,
        "occurrences": len(stories),
        "stories": [*stories],
        "recommendation": "codify",
        **more,
    }


def ingested(library: Library, sprint: int) -> Library:
    """Return the library after a retro was ingested; as it is where nothing comes of it."""
    try:
        change = plan(library, Intent("retro.ingest", {}, {"path": path_of(sprint)}))
    except NotPossible:
        return library
    return carry_out(library, change)


def decided(library: Library, verb: str, entry: Entry, **arguments: str) -> Library:
    return carry_out(library, plan(library, Intent(verb, {entry.ref: entry.digest}, {**arguments})))


def bytes_below(folder: Path) -> Mapping[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def memory_of(library: Library) -> set[tuple[str, str, str]]:
    """Return kind, text and status of every entry of the stores."""
    stores = library.of_kind("convention", "anti_pattern")
    return {(entry.kind, entry.title, entry.status.value) for entry in stores}
