"""How a screen says what happened: in one toast, which takes the place of the one before.

Whoever says several things says them at once, or gathers them; nothing else would be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from remem.tui.content import content
from remem.tui.screens.panes import PanedScreen

TO_UNDO: Final = " · u to undo"
"""Ends what is said of a change."""


class TellingScreen(PanedScreen):
    """Says things in toasts."""

    def __init__(self) -> None:
        super().__init__()
        self._gathered: list[str] | None = None
        """What would be said now, while several things are to be said as one."""

    def say(self, *lines: str, bad: bool = False) -> None:
        """Show a toast, of one line where that is enough; or keep it for the one that tells all."""
        if self._gathered is not None and not bad:
            self._gathered += lines
            return
        text = "\n".join(content(line).plain for line in lines)
        self.app.notify(text, severity="error" if bad else "information", markup=False)

    @contextmanager
    def one_toast(self) -> Iterator[None]:
        """Gather what is said meanwhile, and say it at once."""
        said: list[str] = []
        self._gathered = said
        try:
            yield
        finally:
            self._gathered = None
            if said:
                self.say(_as_one(said))


def _as_one(said: list[str]) -> str:
    changes = sum(text.endswith(TO_UNDO) for text in said)
    ending = f"{TO_UNDO}{' all of it' if changes > 1 else ''}" if changes else ""
    return "; ".join(text.removesuffix(TO_UNDO) for text in said) + ending
