"""Holds what Browse cannot do without and does nothing else; the floor of its memory.

The bytes of the store, each entry as a value with its place and its tokens, and its row, in an
empty Textual app. With `modules` it imports besides what the screens consist of.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.bench.filtering import Lines
from textual.app import App, ComposeResult

SCREENS = ("review", "browse", "card", "start", "prompt", "team", "health", "history")


@dataclass(frozen=True, slots=True)
class Held:
    id: str
    text: str
    roles: tuple[str, ...]
    start: int
    end: int
    tokens: int


class Holding(App[None]):
    def __init__(self, root: Path, *, modules: bool) -> None:
        super().__init__()
        self.data = (root / ".sniper" / "memory" / "conventions.yaml").read_bytes()
        if modules:
            import_module("remem.core.session")
            [import_module(f"remem.tui.screens.{each}") for each in SCREENS]

    def compose(self) -> ComposeResult:
        yield Lines()

    def hold(self, counter: Any) -> None:
        self.entries = list(self._read(counter))
        self.query_one(Lines).rows = [f"{each.id} {each.text}".lower() for each in self.entries]

    def _read(self, counter: Any) -> Iterator[Held]:
        places = [found.start() + 1 for found in re.finditer(rb"\n  - id: ", self.data)]
        for start, end in zip(places, [*places[1:], len(self.data)], strict=True):
            (entry,) = import_module("ryaml").loads(self.data[start:end].decode())
            text, roles = entry["rule"], tuple(entry.get("applies_to", ()))
            yield Held(entry["id"], text, roles, start, end, counter.count(text))
