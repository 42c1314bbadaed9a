"""The commands that someone begins with: `demo` and `init`."""

from __future__ import annotations

from pathlib import Path

import click

from remem.cli.execute import carry_out, dry_run_option
from remem.cli.out import emit, say, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.model.change import Intent
from remem.systems.sniper.scaffold import CONFIG
from remem.views.documents.made import DemoReport


@click.command("demo")
@click.option(
    "--at", default="", metavar="DIR", help="Where to build it; default: a new temporary place."
)
@click.option("--live", is_flag=True, help="Let an agent keep writing while the screens are open.")
@common_options
@pass_session
def demo(session: Session, at: str, live: bool) -> None:
    """Open a demo workspace that may be broken at will.

    It has a home folder of its own; yours is not touched. Without a terminal it is built and its
    folders are printed.
    """
    from remem.cli.open import has_terminal, run_screens
    from remem.demo.build import build_demo, fresh_place, home_of
    from remem.demo.live import start

    place = Path(at).expanduser().absolute() if at else fresh_place()
    project = build_demo(place)
    home = home_of(project)
    if session.as_json:
        emit(DemoReport(project=str(project), home=str(home)))
        return
    if not has_terminal():
        show_text(str(project))
        say(f"open it with `remem {project} --home {home}`")
        return
    session.root_given, session.home_given = str(project), str(home)
    agent = start(place) if live else None
    try:
        run_screens(session)
    finally:
        if agent is not None:
            agent.terminate()
            agent.wait()
    say(f"the demo is still there: `remem demo --at {place}`")


@click.command("init")
@click.option(
    "--templates", is_flag=True, help="Add examples of every record, a retro analyst and its team."
)
@dry_run_option
@common_options
@pass_session
def init(session: Session, templates: bool, dry_run: bool) -> None:
    """Make the files of a project memory.

    Files that are there stay as they are.
    """
    carry_out(session, Intent("init", arguments={"templates": templates}), dry_run=dry_run)
    if templates and not session.as_json:
        say("\n`.sniper/config.yaml` may say how memory is kept; these are the defaults:\n")
        show_text(CONFIG.rstrip())
