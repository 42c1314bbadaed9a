"""What every run of the program begins and ends with, whatever it does.

It owns the exit code, reports what went wrong, and says how systems are made known once somebody
asks for them. It does not import click.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from typing import Final

from remem.cli.garbage_collection import sweep_rarely
from remem.core.registered import register_with

BROKEN_PIPE: Final = 141
"""What a shell reports for a program that SIGPIPE ended."""
INTERRUPTED: Final = 130
"""What a shell reports for a program that SIGINT ended."""
HUNG_UP: Final = 129
"""What a shell reports for a program that SIGHUP ended."""
_TERMINAL: Final = "terminal"
"""The thread that waits for the end of the terminal, and never does anything else."""
_HEAVY: Final = frozenset({"tiktoken", "remem.core.checks.gate"})
"""Modules whose use leaves much behind."""


def _make_known() -> None:
    from remem.systems.registry import make_known

    make_known()


register_with(_make_known)


def begin() -> None:
    """Prepare this process for a run."""
    _open_what_is_closed()
    sweep_rarely()


def end(code: int) -> None:
    """End this process with an exit code."""
    _close_full_stderr()
    if not _HEAVY.isdisjoint(sys.modules):
        _leave_at_once(code)
    sys.exit(code)


def end_with_terminal() -> None:
    """End this process, from now on, once nobody is at the other end of its terminal.

    Mostly SIGHUP does. Where that is ignored, as behind `nohup`, or reaches nobody, as when a
    container is left, Textual goes on: one thread reads nothing again and again, another waits for
    good to draw. As little is put in order as after the signal: what is written meanwhile stands
    whole or not at all.
    """
    if sys.stdin.isatty() and hasattr(select, "poll"):
        handle = sys.stdin.fileno()
        threading.Thread(target=_outlast, args=(handle,), name=_TERMINAL, daemon=True).start()


def _outlast(terminal: int) -> None:
    # Asked for nothing, the system tells of a hang-up all the same, and wakes nobody before.
    asked = select.poll()
    asked.register(terminal, 0)
    if any(said & select.POLLHUP for _, said in asked.poll()):
        # The thread that runs the screens may wait for a terminal that takes nothing any more.
        os._exit(HUNG_UP)


def exit_code(act: Callable[[], object], arguments: Sequence[str]) -> int:
    """Do something and return the exit code; what goes wrong is told in a sentence.

    Args:
        act: Returns its own exit code, or anything else where all went well.
        arguments: What it was asked for with, without the program's name.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot draw a character must not end a listing.
        with suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = act()
        sys.stdout.flush()
    except BrokenPipeError:
        _close_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("REMEM_DEBUG"):
            raise
        from remem.cli.failure import UNPRINTED, failure_of, tell

        failure = failure_of(error)
        try:
            tell(failure, as_json=_asks_for_json(arguments))
        except (OSError, ValueError):  # stdout takes nothing
            _close_stdout()
            tell(failure, as_json=False)
        if failure.code == UNPRINTED:
            _close_stdout()
        return failure.exit_code
    return code if isinstance(code, int) else 0


def _close_stdout() -> None:
    """Let what could not be printed not be flushed once more as the interpreter ends."""
    with suppress(OSError):
        sys.stdout.close()


def _close_full_stderr() -> None:
    """Let a message that found no room not become the exit code as the interpreter ends."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            sys.stderr.close()


def _open_what_is_closed() -> None:
    """Give a process that was started without one of its streams an empty one, as `print` does."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, TextIOWrapper(BytesIO(), encoding="utf-8"))


def _leave_at_once(code: int) -> None:
    """End the process without taking its tables apart, unless a thread is still at work.

    Freeing a vocabulary or the lines of many files piece by piece takes up to a tenth of a second,
    and nobody needs the memory.
    """
    others = (each for each in threading.enumerate() if each is not threading.main_thread())
    if any(each.name != _TERMINAL for each in others):
        return
    with suppress(OSError, ValueError):  # the reader of a pipe may have gone away
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Tell whether `--json` is among the options, also where they could not be understood."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options
