"""The command that opens the screens, where something else stands beside the folder."""

from __future__ import annotations

import click

from remem.cli.invocation import Invocation
from remem.cli.open import open_screens
from remem.cli.options import common_options, pass_invocation


@click.command("open", hidden=True)
@click.argument("folder", default="", metavar="[ROOT]")
@common_options
@pass_invocation
def open_folder(invocation: Invocation, folder: str = "") -> None:
    """Open the screens on a folder."""
    if folder:
        invocation.root_given = folder
    leave_with(open_screens(invocation))


def leave_with(code: int) -> None:
    """End the command with an exit code that says something."""
    if code:
        # Through click: `SystemExit` is what a closed pipe raises here.
        click.get_current_context().exit(code)
