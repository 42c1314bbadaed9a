"""The command `remem`: finds the command that was asked for, runs it, reports what went wrong.

It owns the exit code, and says how systems are made known once a command asks for them. Nothing but
click and the table of commands is imported before a command is known, so that `--help` costs as
little as it can.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Final

import click
from click.exceptions import NoArgsIsHelpError

from remem.cli.commands import COMMANDS, GROUPS, OLD_NAMES, load
from remem.cli.invocation import Invocation, common_options
from remem.cli.sweeping import sweep_rarely
from remem.core.registered import register_with

if TYPE_CHECKING:
    from remem.cli.first_frame import Taken

OPEN: Final = "remem.cli.open:open_screens"
BROKEN_PIPE: Final = 141
"""What a shell reports for a program that SIGPIPE ended."""
INTERRUPTED: Final = 130
"""What a shell reports for a program that SIGINT ended."""


class Commands(click.Group):
    """Loads a command when it is run; takes a folder in the place of a command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from remem.cli.brought import groups

        return [*COMMANDS, *groups()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = COMMANDS.get(OLD_NAMES.get(cmd_name, cmd_name))
        if known:
            return load(known.target)
        from remem.cli.brought import group

        return group(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in COMMANDS or args[0] in OLD_NAMES:
            name, command, rest = super().resolve_command(ctx, args)
            if command is not None and not {"-h", "--help"}.isdisjoint(rest):
                from remem.cli.examples import add_examples

                add_examples(command, OLD_NAMES.get(args[0], args[0]))
            return name, command, rest
        brought = self.get_command(ctx, args[0])
        if brought is not None:
            return args[0], brought, args[1:]
        if _is_folder_like(args[0]):
            return "open", load(OPEN), args
        from remem.cli.failure import unknown_command

        raise unknown_command(args[0], COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for heading, known in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), each.help) for name, each in known.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from remem.cli.examples import add_examples

        add_examples(self, "")
        super().format_epilog(ctx, formatter)


@click.group(
    "remem",
    cls=Commands,
    invoke_without_command=True,
    subcommand_metavar="[ROOT | COMMAND [ARGS]...]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="remem", message="remem %(version)s")
@common_options
@click.pass_context
def remem(ctx: click.Context) -> None:
    """Curate what your agents remember.

    Without a command, remem opens the TUI on ROOT, or on the project around the current folder.
    Command names win over folders: use `./demo` for a folder called `demo`.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(load(OPEN))


def _make_known() -> None:
    from remem.systems.registry import make_known

    make_known()


register_with(_make_known)


_HEAVY: Final = frozenset({"tiktoken", "remem.core.checks.compliance"})
"""Modules whose use leaves much behind."""


def main(taken: Taken | None = None) -> None:
    """Run the command line of this process and end it with the exit code.

    Args:
        taken: The terminal; it may show the first frame of the screens already.
    """
    _open_what_is_closed()
    sweep_rarely()
    code = run(
        sys.argv[1:], Invocation(taken=taken) if taken is not None and taken.is_ours else None
    )
    _close_full_stderr()
    if not _HEAVY.isdisjoint(sys.modules):
        _leave_at_once(code)
    sys.exit(code)


def run(arguments: Sequence[str], invocation: Invocation | None = None) -> int:
    """Run one command line and return its exit code; what goes wrong is told in a sentence.

    Args:
        arguments: Without the program's name.
        invocation: With its own clock, or with what is open already; a new one unless given.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot draw a character must not end a listing.
        with suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = remem.main(list(arguments), prog_name="remem", standalone_mode=False, obj=invocation)
        sys.stdout.flush()
    except BrokenPipeError:
        _close_stdout()
        return BROKEN_PIPE
    except SystemExit:
        # With `standalone_mode=False` click leaves only for a closed pipe, which it has seen to.
        return BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except NoArgsIsHelpError as error:
        with suppress(OSError, ValueError):
            click.echo(error.format_message(), err=True)
        return error.exit_code
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
    if threading.active_count() > 1:
        return
    with suppress(OSError, ValueError):  # the reader of a pipe may have gone away
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Tell whether `--json` is among the options, also where they could not be understood."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def _is_folder_like(text: str) -> bool:
    """Tell whether somebody who writes this means a folder, there or not."""
    if "/" in text or text.startswith((".", "~")):
        return True
    from pathlib import Path

    from remem.store.io import Disk

    return Disk().kind(Path(text)) in {"folder", "link"}
