"""SNIPER projects as files: three conventions in many formattings, and how to open them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from remem.base.clock import Clock
from remem.core.library import Library, open_library
from remem.core.system import Given, Ground
from remem.edit.lines import spliced
from remem.model.change import Change, Create, Delete, Derived, Move, Splice
from remem.store.io import Disk
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.registry import FORMATS

MEMORY: Final = ".sniper/memory"
CONVENTIONS: Final = f"{MEMORY}/conventions.yaml"
ANTI_PATTERNS: Final = f"{MEMORY}/anti-patterns.yaml"
DECISIONS: Final = f"{MEMORY}/decisions.yaml"
RETRO: Final = f"{MEMORY}/retros/sprint-7-retro.yaml"

_BLOCK: Final = b"""\
conventions:
  - id: conv-001
    rule: "Every queue consumer is idempotent"
    applies_to: [backend-engineer]
    status: confirmed
  - id: conv-002
    rule: Services log JSON
    applies_to:
      - backend-engineer
    status: candidate
  - id: conv-003
    rule: 'Names are verbs'
    enforcement: both
"""
_ROWS: Final = (
    b'{id: conv-001, rule: "Every queue consumer is idempotent", '
    b"applies_to: [backend-engineer], status: confirmed}",
    b"{id: conv-002, rule: Services log JSON, applies_to: [backend-engineer], status: candidate}",
    b"{id: conv-003, rule: 'Names are verbs', enforcement: both}",
)


def _indented(by: int) -> bytes:
    head, *lines = _BLOCK.splitlines(keepends=True)
    return head + b"".join(b" " * by + line[2:] for line in lines)


FORMATTINGS: Final[Mapping[str, bytes]] = {
    "block": _BLOCK,
    "indent-0": _indented(0),
    "indent-1": _indented(1),
    "indent-3": _indented(3),
    "indent-4": _indented(4),
    "crlf": _BLOCK.replace(b"\n", b"\r\n"),
    "bom": b"\xef\xbb\xbf" + _BLOCK,
    "no-final-newline": _BLOCK.rstrip(b"\n"),
    "flow-items": b"conventions:\n" + b"".join(b"  - " + row + b"\n" for row in _ROWS),
    "flow-list": b"conventions: [" + b", ".join(_ROWS) + b"]\n",
    "flow-lines": b"conventions: [\n  " + b",\n  ".join(_ROWS) + b",\n]\n",
    "comments": b"""\
# what we agreed on
---
conventions:   # three of them

  # the oldest
  - id: conv-001   # do not reuse
    # why: sprint 6
    rule: "Every queue consumer is idempotent"   # twice
    applies_to: [backend-engineer]  # and nobody else

    status: confirmed
  # waits since May
  - id: conv-002
    rule: Services log JSON
    applies_to:
      # the team of the north
      - backend-engineer
    status: candidate # until June

  # short
  - id: conv-003
    rule: 'Names are verbs'
    enforcement: both
# the end
""",
    "keys-in-quotes": b"""\
"conventions":
  -
    "id": "conv-001"
    "rule": "Every queue consumer is idempotent"
    "applies_to": ["backend-engineer"]
    "status": "confirmed"
  -
    "id": "conv-002"
    "rule": "Services log JSON"
    "applies_to": ["backend-engineer"]
    "status": "candidate"
  -
    "id": "conv-003"
    "rule": "Names are verbs"
    "enforcement": "both"
""",
    "with-neighbours": b"version: 2\n" + _BLOCK + b"owner: {name: Priya}\n",
}
"""Three conventions: one confirmed, one candidate, one without a status."""


def clock() -> Clock:
    """Return a clock that stands still."""
    return Clock(lambda: datetime(2026, 5, 5, 9, 30, tzinfo=UTC), lambda: "5eed" * 8)


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below `root`; texts as they are."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def project(root: Path, files: Mapping[str, str | bytes]) -> Library:
    """Write files below `root/shop` and open it."""
    write(root / "shop", files)
    return open_shop(root)


def open_shop(root: Path) -> Library:
    ground = Ground(
        root / "shop",
        root / "home",
        Disk(),
        "shop",
        layouts=BUILT_IN,
        roles={"Carlos": ("reviewer",)},
        given=Given(clock()),
    )
    return replace(open_library(ground, FORMATS), by="Priya")


def carry_out(library: Library, change: Change) -> Library:
    """Write a change to disk, derived files included, and return the next snapshot."""
    for path in {effect.path for effect in change.effects if isinstance(effect, Splice)}:
        path.write_bytes(spliced(path.read_bytes(), splices_on(change, path)))
    for effect in change.effects:
        match effect:
            case Create(path=path, data=data):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            case Delete(path=path):
                path.unlink()
            case Move(source=old, target=new):
                new.parent.mkdir(parents=True, exist_ok=True)
                old.rename(new)
            case _:
                pass
    after = library.refresh()
    for effect in change.effects:
        if isinstance(effect, Derived):
            each = after.format(effect.format)
            rendered = each.keeper.render(after.ground, after.of_format(effect.format), effect.path)
            if rendered is not None:
                effect.path.write_bytes(rendered)
    return after.refresh()


def take_back(change: Change, path: Path) -> bytes:
    """Return the bytes of a file with the splices of a change taken out again, from the back."""
    data, shifts = path.read_bytes(), 0
    splices = sorted(splices_on(change, path), key=lambda each: (each.start, each.end))
    places = []
    for splice in splices:
        places.append((splice.start + shifts, splice))
        shifts += len(splice.new) - len(splice.old)
    for start, splice in reversed(places):
        assert data[start : start + len(splice.new)] == splice.new
        data = data[:start] + splice.old + data[start + len(splice.new) :]
    return data


def splices_on(change: Change, path: Path) -> list[Splice]:
    return [each for each in change.effects if isinstance(each, Splice) and each.path == path]
