"""Draws on a terminal that shows the first frame already, and does not empty it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from textual.driver import Driver

_EMPTIES: Final = "\x1b[?1049h"
"""Goes to the other screen, where we are; terminals empty it."""


def takes_over(attributes: list[Any], taken: Callable[[], None]) -> type[Driver]:
    """Return a driver that goes on with what a terminal shows.

    Args:
        attributes: How its keyboard was set before it showed anything; it is set so again at last.
        taken: Called once the terminal is the driver's.
    """
    from textual.drivers.linux_driver import LinuxDriver

    class TakesOver(LinuxDriver):
        _is_first = True

        def start_application_mode(self) -> None:
            super().start_application_mode()  # type: ignore[no-untyped-call]
            if self._is_first:
                self._is_first = False
                self.attrs_before = attributes
                taken()

        def write(self, data: str) -> None:
            if not (self._is_first and data == _EMPTIES):
                super().write(data)

    return TakesOver
