"""Draws what an opening shows and does only what cannot be left out; the floor of its frame.

usage: python -m tests.bench.floor ROOT [--first] [--modules]    in a terminal

It looks at each file of the memory, reads its bytes and their digest as remem has to before it may
trust what it kept, and draws two panes and two bars with Textual. With `--first` nothing was kept:
it finds besides where each entry stands and which of them wait, and parses those. With `--modules`
it imports besides what the first screen consists of, and does nothing with it.
"""

import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from tests.bench.workspaces import MARKER
from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

if "--modules" in sys.argv:
    import remem.core.session
    import remem.systems.personas.discover
    import remem.systems.plain.discover
    import remem.systems.sniper.format
    import remem.tui.app
    import remem.tui.screens.review  # noqa: F401


def shown(root: Path) -> Iterator[str]:
    """Yield the digest of each file of memory, or what waits in it."""
    for path in sorted((root / ".sniper" / "memory").glob("*.*")):
        data = path.read_bytes()
        digest = sha256(data).hexdigest()
        yield from waiting(data) if "--first" in sys.argv else (digest,)


def waiting(data: bytes) -> Iterator[str]:
    """Yield the texts of what waits, once the place of each entry and its id are found."""
    data.decode()
    dashes = [found.start() for found in re.finditer(rb"\n  - id: ", data)]
    assert len(dashes) == len(re.findall(rb"\n  - id: (\S+)", data))
    for found in re.finditer(rb"status: candidate", data):
        entry = data[max(dash for dash in dashes if dash < found.start()) : found.end()]
        yield str(import_module("ryaml").loads(entry.decode()))


class Floor(App[None]):
    """Two bars and two panes."""

    CSS = "VerticalScroll { border: round $primary; } Static { height: 1; }"

    def compose(self) -> ComposeResult:
        yield Static("remem", markup=False)
        texts = [*shown(Path(sys.argv[1]))]
        with Horizontal():
            yield VerticalScroll(*(Static(each, markup=False) for each in texts))
            yield VerticalScroll(Static(MARKER, markup=False))
        yield Static("? help", markup=False)


if __name__ == "__main__":
    Floor().run()
