"""Every private Textual call of remem: a release that moves one breaks here and nowhere else."""

from __future__ import annotations

import traceback
from typing import Any

from rich.text import Text
from textual.app import App
from textual.filter import Monochrome, NoColor

from remem.text import safe_text


class SilentlyFatal(App[None]):
    """An app that dies without showing anybody's text.

    Textual prints the values of local variables, and those hold entries; a person may paste such a
    report where others read it.
    """

    def _fatal_error(self) -> None:
        self.bell()
        error = self._exception
        frames = traceback.format_tb(error.__traceback__) if error is not None else []
        name = type(error).__name__ if error is not None else "unknown"
        said = f"{''.join(frames)}\nerror: remem failed: {name}\n\n"
        hint = "hint: nothing half done stays behind; open it again, and report these lines"
        self._exit_renderables.append(Text(safe_text(said + hint)))
        self._close_messages_no_wait()


def screen_text(app: App[Any]) -> str:
    """Return what is on the screen now, overlays included, without spaces at the right."""
    strips = app.screen._compositor.render_strips()  # noqa: SLF001
    return "\n".join(strip.text.rstrip() for strip in strips)


def refit_no_color(app: App[Any]) -> None:
    """Fit the way in which `NO_COLOR` is honoured to the theme; call it when the theme changed.

    Textual chooses once, for the theme that it starts with; an ANSI theme that comes later would be
    black on black.
    """
    if not app.no_color:
        return
    others = [each for each in app._filters if not isinstance(each, Monochrome | NoColor)]  # noqa: SLF001
    app._filters = [*others, NoColor() if app.native_ansi_color else Monochrome()]  # noqa: SLF001
