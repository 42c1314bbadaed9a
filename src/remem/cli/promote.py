"""Promotion to the workspace: `workspace promote`, and what `promote --to workspace` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from remem.cli.decide import promotable
from remem.cli.execute import acknowledge_option, carry_out, dry_run_option, pinned, shown_option
from remem.cli.session import Session, common_options, pass_session
from remem.model.change import Change, Intent, Json
from remem.model.entry import Ref
from remem.systems.workspace.promotion_found import PROMOTE
from remem.views.documents.changes import ReachReport

if TYPE_CHECKING:
    from remem.core.session import Workbench


@click.command("promote")
@click.argument("refs", nargs=-1, required=True, metavar="REF...")
@click.option("--keep", is_flag=True, help="Leave it in its repository as well.")
@acknowledge_option
@shown_option
@dry_run_option
@common_options
@pass_session
def promote(
    session: Session,
    refs: tuple[str, ...],
    keep: bool,
    acknowledge: tuple[str, ...],
    digests: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Let all repositories of the workspace inherit what one of them has.

    REF is an entry in force, or a finding of a retro. It is added to the workspace and taken out of
    its repository. Where the workspace itself is open, so are equal entries of the others.
    `--dry-run` shows each file, and what every role of every repository would start with.
    """
    shown: dict[Ref, str] = {}
    for ref in refs:
        shown |= promotable(session.workbench, ref)
    arguments: dict[str, Json] = {"keep": True} if keep else {}
    if acknowledge:
        arguments["acknowledged"] = [*acknowledge]
    intent = pinned(Intent(PROMOTE, shown, arguments), digests)
    lift(session, intent, dry_run=dry_run)


def lift(session: Session, intent: Intent, *, dry_run: bool) -> None:
    """Carry an intent out, or tell what it would write; of a promotion, whom it would reach."""
    workbench = session.workbench
    carry_out(
        session,
        intent,
        dry_run=dry_run,
        reaching=lambda change: _reach(workbench, change),
    )


def _reach(workbench: Workbench, change: Change) -> tuple[ReachReport, ...]:
    """Return the roles whose prompt a promotion changes."""
    if change.intent.verb != PROMOTE:
        return ()
    exact = workbench.load_counter().exact
    return tuple(
        ReachReport(
            repository=ask.repository,
            role=ask.role,
            before=each.used_before,
            after=each.used_after,
            budget=each.budget,
            exact=exact,
            pushed_out=tuple(map(str, each.pushed_out)),
            let_in=tuple(map(str, each.let_in)),
        )
        for ask, each in workbench.reach(change)
        if not each.changes_nothing
    )
