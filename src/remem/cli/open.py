"""The one place where the command line reaches into the screens, and so loads Textual.

It does not import click: the first frame waits for what is loaded here.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.errors import RememError
from remem.cli.garbage_collection import sweep_as_usual
from remem.cli.invocation import Invocation
from remem.cli.process import end_with_terminal

if TYPE_CHECKING:
    from remem.core.first_frame import FirstFrame
    from remem.views.screen_state import Desk
    from remem.views.typed_command import TypedCommand


class NoTerminal(RememError):
    """The screens were asked for where they cannot be drawn."""

    code = "no-terminal"


def open_screens(invocation: Invocation) -> int:
    """Open the screens and return the exit code.

    Raises:
        NoTerminal: There is none.
        RememError: What was named is no folder, or cannot be opened.
    """
    frame = _first_frame(invocation)
    where = invocation.root
    if invocation.as_json or not has_terminal():
        raise NoTerminal(
            f"the TUI of `{where}` needs a terminal",
            hint="`remem status` prints the first screen",
        )
    return run_screens(invocation, frame)


def _first_frame(invocation: Invocation) -> FirstFrame | None:
    """Return what keeps the first frame, and let all be noted that is asked on the way to it."""
    if invocation.repo_given or invocation.as_json or not has_terminal():
        return None
    from remem.base.clock import Clock
    from remem.core.first_frame import FirstFrame, Opening

    try:
        size = os.get_terminal_size(sys.stdin.fileno())
        opening = Opening.of(invocation.root_given, invocation.home, os.environ, size)
    except (OSError, ValueError, RuntimeError):
        return None
    frame = FirstFrame(opening, invocation.clock or Clock())
    invocation.disk = frame.disk
    return frame


def _typed_commands() -> Sequence[TypedCommand]:
    """Return what can be typed on the screens; nothing of it is imported before somebody asks."""
    from remem.cli.typed_commands import typed_commands

    return typed_commands()


def has_terminal() -> bool:
    """Tell whether a person sits at both ends; a driver that Textual was given draws elsewhere."""
    return bool(os.environ.get("TEXTUAL_DRIVER")) or (sys.stdin.isatty() and sys.stdout.isatty())


def run_screens(invocation: Invocation, frame: FirstFrame | None = None) -> int:
    """Show the screens until the person leaves, and return the exit code.

    Args:
        invocation: Where.
        frame: Keeps the first frame for the next time.
    """
    try:
        return _run_screens(invocation, frame)
    finally:
        # What went wrong is told where the person can read it.
        if invocation.taken is not None:
            invocation.taken.give_back()


def _run_screens(invocation: Invocation, frame: FirstFrame | None) -> int:
    # Loading makes many objects and hardly any garbage; looking for some would delay the first
    # frame. What was loaded by then stays for good and is never looked at again.
    gc.disable()
    sweep_as_usual()
    from remem.tui.garbage_when_idle import give_back_memory

    give_back_memory()
    from remem.core.session import Session
    from remem.tui.app import RememApp

    session = Session.open(invocation.root, invocation.places, door="tui", disk=invocation.disk)
    try:
        where = ["--root", str(invocation.root)]
        if invocation.home is not None:
            where += ["--home", str(invocation.home)]
        driver = None
        if (taken := invocation.taken) is not None:
            from remem.tui.after_first_frame import takes_over

            driver = takes_over(taken.attributes, taken.hand_over)
        app = RememApp(session, commands=_typed_commands, where=where, frame=frame, driver=driver)
        gc.freeze()
        gc.enable()
        end_with_terminal()
        with _drawn_where_the_person_sits():
            app.run()
        told = farewell(app.desk)
    finally:
        session.close()
    if told:
        from remem.cli.out import say

        say(told)
    return app.return_code or 0


@contextmanager
def _drawn_where_the_person_sits() -> Iterator[None]:
    """Let Textual, which draws on stderr, draw on stdout where stderr is no terminal.

    It may go into a file, or nowhere: the screens would be there, or a person would see nothing.
    """
    first = sys.__stderr__
    is_seen = first is not None and first.isatty()
    if not is_seen:
        vars(sys)["__stderr__"] = sys.__stdout__
    try:
        yield
    finally:
        vars(sys)["__stderr__"] = first


def farewell(desk: Desk) -> str:
    """Return what was reviewed, as a person leaves; empty where nothing was."""
    done, items = len(desk.done), desk.items()
    if not done:
        return ""
    skipped = sum(item.id in desk.skipped for item in items)
    rest = ((skipped, "skipped"), (len(items) - skipped, "left"))
    told = "".join(f", {number:,} {what}" for number, what in rest if number)
    return f"reviewed {done:,} of {done + len(items):,}{told}"


def draw_screens(folder: Path, names: Sequence[str]) -> tuple[Path, ...]:
    """Draw screens of the demo as SVG files and return their paths."""
    from remem.tui.screenshots import take

    return take(folder, names)


def key_table() -> str:
    """Return the README's table of keys."""
    from remem.core.verbs.verbs import all_verbs
    from remem.tui.verbs import UI_VERBS
    from remem.tui.verbs import key_table as table

    return table((*UI_VERBS, *all_verbs()))
