"""The command `status`; its pages are loaded when they are asked for, so that one line is quick."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from remem.base.text import count
from remem.base.user_folders import told_environment, user_folders
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.core.last_look import Look, last_look
from remem.store.io import Disk

if TYPE_CHECKING:
    from remem.cli.invocation import Invocation


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
        print_short(invocation)
        return
    from remem.cli.start import status_page

    if against:
        status_page.against(invocation, against)
    else:
        status_page.whole(invocation, agent, no_growth=no_growth)


def print_short(invocation: Invocation) -> None:
    """Print what is to review, what a crash left, and how old that is."""
    folders, disk = user_folders(invocation.home), Disk()
    given = invocation.root_given
    start = Path(given).expanduser() if given else Path.cwd()
    look = last_look(
        disk,
        folders.cache,
        Path(os.path.realpath(start)),
        is_named=bool(given),
        environment=told_environment(invocation.home),
    )
    unfinished = sum(name.endswith(".json") for name in disk.names(folders.state / "running"))
    changed = look.changed(disk) if look is not None else 0
    if invocation.as_json:
        _emit(look, changed, unfinished)
        return
    click.echo(" · ".join(_parts(look, changed, unfinished)))


def _parts(look: Look | None, changed: int, unfinished: int) -> list[str]:
    if look is None:
        told = ["remem: run `remem status` once"]
    elif not changed:
        told = [f"remem: {f'{look.review:,} to review' if look.review else 'all caught up'}"]
    else:
        at = look.at.replace("T", " ")
        told = [
            f"remem: {look.review:,} to review at {at} UTC",
            f"{count(changed, 'place')} changed since",
        ]
    return [*told, *([count(unfinished, "unfinished change")] if unfinished else [])]


def _emit(look: Look | None, changed: int, unfinished: int) -> None:
    from remem.cli.out import emit
    from remem.views.documents.status import ShortReport

    emit(
        ShortReport(
            root=None if look is None else str(look.root),
            review=None if look is None else look.review,
            at=None if look is None else f"{look.at}Z",
            changed=changed,
            unfinished=unfinished,
        )
    )
