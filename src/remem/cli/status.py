"""The command `status`; its pages are loaded when they are asked for, so that one line is quick."""

from __future__ import annotations

import click

from remem.cli.invocation import Invocation, common_options, pass_invocation


@click.command("status")
@click.option("--no-growth", is_flag=True, help="Skip the growth from git history.")
@click.option("--agent", default="", metavar="NAME", help="Only this agent, row by row.")
@click.option(
    "--against",
    default="",
    metavar="FILE",
    help="Compare with Claude Code's `/context` list; `-` = stdin.",
)
@click.option("--short", is_flag=True, help="One line from the last run, for shell prompts.")
@common_options
@pass_invocation
def status(invocation: Invocation, no_growth: bool, agent: str, against: str, short: bool) -> None:
    """Show the context at startup, items to review and problems.

    With `--against`, compare with Claude Code's own `/context` list, row by row; differences do
    not change the exit code.

    With `--short`, print one line for shell prompts and hooks without reading memory: what the
    last `status`, `queue` or TUI found, and how many files changed since. New folders and fact
    databases are not included.
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
