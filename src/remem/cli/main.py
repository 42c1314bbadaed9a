"""The command `remem`: finds the command that was asked for and runs it.

Nothing but click and the table of commands is imported before a command is known, so that `--help`
costs as little as it can.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import click
from click.exceptions import NoArgsIsHelpError

from remem.cli.commands import COMMANDS, GROUPS, OLD_NAMES, load
from remem.cli.invocation import Invocation
from remem.cli.options import common_options
from remem.cli.process import BROKEN_PIPE, INTERRUPTED, begin, end, exit_code

OPEN: Final = "start.open_command:open_folder"


class Commands(click.Group):
    """Loads a command when it is run; takes a folder in the place of a command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *_plugin_groups()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = COMMANDS.get(OLD_NAMES.get(cmd_name, cmd_name))
        if known:
            return load(known.target)
        return _plugin_group(cmd_name)

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


def main() -> None:
    """Run the command line of this process and end it with the exit code."""
    begin()
    end(run(sys.argv[1:]))


def run(arguments: Sequence[str], invocation: Invocation | None = None) -> int:
    """Run one command line and return its exit code; what goes wrong is told in a sentence.

    Args:
        arguments: Without the program's name.
        invocation: With its own clock, or with what is open already; a new one unless given.
    """
    return exit_code(lambda: _run(arguments, invocation), arguments)


def _run(arguments: Sequence[str], invocation: Invocation | None) -> object:
    # The group and its command share it, on whichever side of the command an option stands.
    obj = invocation or Invocation()
    try:
        return remem.main(list(arguments), prog_name="remem", standalone_mode=False, obj=obj)
    except SystemExit:
        # With `standalone_mode=False` click leaves only for a closed pipe, which it has seen to.
        return BROKEN_PIPE
    except click.Abort:
        return INTERRUPTED
    except NoArgsIsHelpError as error:
        with suppress(OSError, ValueError):
            click.echo(error.format_message(), err=True)
        return error.exit_code


def _is_folder_like(text: str) -> bool:
    """Tell whether somebody who writes this means a folder, there or not."""
    if "/" in text or text.startswith((".", "~")):
        return True
    from pathlib import Path

    from remem.store.io import Disk

    return Disk().kind(Path(text)) in {"folder", "link"}


def _plugin_groups() -> list[str]:
    """Return the names of plug-ins that bring commands; what is not installed costs nothing."""
    from remem.core.plugins.installed import installed_here

    if not installed_here():
        return []
    from remem.core.registered import plug_ins

    loaded = plug_ins()
    systems = () if loaded is None else loaded.systems
    return [each.name for each in systems if any(verb.command for verb in each.facets.verbs)]


def _plugin_group(name: str) -> click.Command | None:
    """Return the commands of the plug-in of that name; `None` = it brings none."""
    from remem.core.plugins.installed import installed_here

    if name not in {each.name for each in installed_here()} or name not in _plugin_groups():
        return None
    from remem.cli.verb_command import command_of
    from remem.core.registered import plug_ins

    loaded = plug_ins()
    assert loaded is not None
    system = next(each for each in loaded.systems if each.name == name)
    found = click.Group(name, help=f"Commands of the plug-in `{name}`.")
    for verb in system.facets.verbs:
        words = verb.command.split()
        if len(words) == 2:
            command = command_of(verb)
            command.name = words[1]
            found.add_command(command)
    return found
