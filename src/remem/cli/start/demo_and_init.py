"""The commands that someone begins with: `demo` and `init`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from remem.base.errors import NotPossible
from remem.cli.apply_or_dry_run import carry_out
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, say, show_text
from remem.cli.verb_command import command_of
from remem.core.verbs.settings_verbs import MERGE_DRIVER
from remem.model.change import Intent
from remem.systems.sniper.init_and_prompt_files import CONFIG
from remem.systems.sniper.sniper_verbs import INIT, Init
from remem.views.documents.made import DemoReport


@click.command("demo")
@click.option(
    "--at",
    default="",
    metavar="DIR",
    help="Folder to build it in; default: a new temporary folder.",
)
@click.option("--branch", is_flag=True, help="Open its repository with a branch to check instead.")
@click.option("--team", is_flag=True, help="Open its repository with a team of thirty instead.")
@click.option(
    "--live", is_flag=True, help="Let simulated agents keep writing while the TUI is open."
)
@common_options
@pass_invocation
def demo(invocation: Invocation, at: str, team: bool, branch: bool, live: bool) -> None:
    """Open a demo project to try remem on.

    It has its own home folder; yours is not touched. Without a terminal, remem builds it and
    prints its folders.
    """
    from remem.cli.open import has_terminal, run_screens
    from remem.cli.start.open_command import leave_with
    from remem.demo.build import build_branch, build_crew, build_demo, fresh_place, home_of
    from remem.demo.live import start

    if team and branch:
        raise NotPossible("`--team` and `--branch` open different repositories", hint="give one")
    place = Path(at).expanduser().absolute() if at else fresh_place()
    project = build_demo(place, night=True)
    home = home_of(project)
    project = build_branch(place) if branch else build_crew(place) if team else project
    if invocation.as_json:
        emit(DemoReport(project=str(project), home=str(home)))
        return
    if not has_terminal():
        show_text(str(project))
        say(f"open it with `remem {quote(str(project))} --home {quote(str(home))}`")
        say(f"run commands on it after `{_goes_there(project, home)}`")
        return
    invocation.root_given, invocation.home_given = str(project), str(home)
    agent = start(place) if live else None
    try:
        leave_with(run_screens(invocation))
    finally:
        if agent is not None:
            agent.terminate()
            agent.wait()
    opened = " --team" if team else " --branch" if branch else ""
    say(f"the demo is still there: `remem demo --at {place}{opened}`")
    say(f"run commands on it after `{_goes_there(project, home)}`")


def _goes_there(project: Path, home: Path) -> str:
    """What a shell runs so that every later command finds the demo and its home."""
    return f"cd {quote(str(project))} && export REMEM_HOME={quote(str(home))}"


def set_up(
    invocation: Invocation,
    intent: Intent,
    args: Init,
    *,
    dry_run: bool,
    merge_driver: bool,
    written: bool,
) -> None:
    """Make the files, and with the templates say what settings there may be."""
    if merge_driver:
        carry_out(invocation, Intent(MERGE_DRIVER.id), dry_run=dry_run or not written)
        if not written and not invocation.as_json:
            say("nothing was written; `remem init --merge-driver --apply` writes it")
        return
    carry_out(invocation, intent, dry_run=dry_run)
    if args.templates and not invocation.as_json:
        say("\nsettings for memory go into `.sniper/config.yaml`; the defaults are:\n")
        show_text(CONFIG.rstrip())


init = command_of(
    INIT,
    page=set_up,
    more={
        "merge_driver": click.option(
            "--merge-driver",
            is_flag=True,
            help="Show the lines by which git merges memory files by entry, and make no files.",
        ),
        "written": click.option(
            "--apply", "written", is_flag=True, help="With `--merge-driver`: write them."
        ),
    },
)
