"""The command `status`; its pages are loaded when they are asked for, so that one line is quick."""

from __future__ import annotations

import click

from remem.cli.invocation import Invocation, common_options, pass_invocation


@click.command("status")
@click.option("--no-growth", is_flag=True, help="Leave the history alone.")
@click.option("--agent", default="", metavar="NAME", help="Only the start of this one, as a sum.")
@click.option(
    "--against",
    default="",
    metavar="FILE",
    help="Hold Claude Code's own list against remem's; `-` reads it from the pipe.",
)
@click.option("--short", is_flag=True, help="One line at once, of what was found the last time.")
@common_options
@pass_invocation
def status(invocation: Invocation, no_growth: bool, agent: str, against: str, short: bool) -> None:
    """Say who starts with what, and what waits.

    `claude -p "/context" | remem status --against -` holds that tool's own list of its start
    against remem's, row by row. What differs is told; the command ends with 0 all the same.

    `--short` is for shell prompts and hooks: it reads no memory. It tells what `status`, `queue`
    or the screens found last, and how many files changed since; files in folders that held no
    memory, and databases of facts, it does not see.
    """
    if short:
        from remem.cli.status_short import print_short

        print_short(invocation)
        return
    from remem.cli import status_page

    if against:
        status_page.against(invocation, against)
    else:
        status_page.whole(invocation, agent, no_growth=no_growth)
