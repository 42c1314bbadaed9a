"""Draws what a second opening shows and does only what cannot be left out; the floor of its frame.

usage: python -m tests.bench.floor ROOT [--modules]    in a terminal

It looks at each file of the memory, reads its bytes and their digest as remem has to before it may
trust what it kept, and draws two panes and two bars with Textual. With `--modules` it imports
besides what the first screen consists of, and does nothing with it.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from tests.bench.workspaces import MARKER
from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

if "--modules" in sys.argv:
    import remem.core.session
    import remem.systems.learnings.format
    import remem.systems.personas.format
    import remem.systems.plain.format
    import remem.systems.sniper.format
    import remem.tui.app
    import remem.tui.screens.review  # noqa: F401


def digests(root: Path) -> Iterator[str]:
    """Yield the digest of each file of memory."""
    for path in sorted((root / ".sniper" / "memory").glob("*.*")):
        yield sha256(path.read_bytes()).hexdigest()


class Floor(App[None]):
    """Two bars and two panes."""

    CSS = "VerticalScroll { border: round $primary; } Static { height: 1; }"

    def compose(self) -> ComposeResult:
        yield Static("remem", markup=False)
        with Horizontal():
            yield VerticalScroll(Static(MARKER, markup=False))
            yield VerticalScroll(
                *(Static(each, markup=False) for each in digests(Path(sys.argv[1])))
            )
        yield Static("? help", markup=False)


if __name__ == "__main__":
    Floor().run()
