"""Workspaces as files: what they share, their repositories, and how to open them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.sniper_files import CONVENTIONS

from remem.base.clock import Clock
from remem.core.library import Library, open_library
from remem.core.settings import Places, read_config
from remem.core.setup import ground_of
from remem.store.io import Disk
from remem.systems.registry import FORMATS

SHARED = "memory/conventions.yaml"
OWN_FILE = ".sniper-workspace/config.yaml"


def files(base: Path, texts: Mapping[str, str]) -> Path:
    """Write files below a folder and return it."""
    for name, text in texts.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return base


def conventions(rules: Sequence[str | Mapping[str, object]]) -> str:
    """Return a store with these rules, or with these whole items, as `conv-001` and so on."""
    items = [{"rule": rule} if isinstance(rule, str) else rule for rule in rules]
    rows = [
        f"  - {{id: conv-{number:03d}, {', '.join(f'{k}: {_flow(v)}' for k, v in item.items())}}}\n"
        for number, item in enumerate(items, 1)
    ]
    return "conventions:\n" + "".join(rows) if rows else "conventions: []\n"


def _flow(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_flow, value))}]"
    return str(value)


def workspace(
    base: Path,
    shared: Sequence[str | Mapping[str, object]],
    repositories: Mapping[str, Sequence[str | Mapping[str, object]]],
) -> Path:
    """Make a workspace of folders with conventions on both levels, and return its folder."""
    root = base / "acme"
    files(root, {"workspace.yaml": "name: acme\n", SHARED: conventions(shared)})
    (root / "repositories").mkdir()
    for name, rules in repositories.items():
        files(root / "repositories" / name, {CONVENTIONS: conventions(rules)})
    return root


def opened(root: Path, home: Path | None = None) -> Library:
    """Open a folder as a session does; without a home, for somebody who has none."""
    places = Places.of(home or Path("/nobody"))
    disk, clock = Disk(), Clock()
    config, _ = read_config(disk, root, places)
    return open_library(ground_of(disk, clock, root, places, config, FORMATS), FORMATS)


def told(library: Library) -> list[str]:
    """Return what is wrong, in sentences."""
    return [problem.message for _, _, problem in library.problems()]
