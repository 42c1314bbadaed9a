"""The commands `approve` and `merge`, which are more than their verbs."""

from __future__ import annotations

from dataclasses import replace

import click

from remem.cli.execute import carry_out, dry_run_option, pinned, shown_option
from remem.cli.item_names import items_named
from remem.cli.naming import entry_named
from remem.cli.session import Session, common_options, pass_session
from remem.cli.verb_command import command_of
from remem.core.verbs.verbs import APPROVE, KEEP, MERGE, Approve, Merge
from remem.core.waiting.item import item_ids
from remem.model.change import Intent
from remem.systems.personas.lesson_verbs import is_lesson
from remem.systems.shaktra.merge import takes_in


def put_in(
    session: Session, intent: Intent, _: Approve, *, dry_run: bool, as_candidate: bool
) -> None:
    """Approve what was named, or keep it as a candidate."""
    asked = replace(intent, verb=KEEP.id) if as_candidate else intent
    carry_out(session, asked, dry_run=dry_run)


_as_candidate_option = click.option(
    "--as-candidate", is_flag=True, help="Take it into its store as a candidate only."
)
approve = command_of(APPROVE, page=put_in, more={"as_candidate": _as_candidate_option})


@click.command("merge")
@click.argument("item", metavar="ITEM")
@click.option("--into", required=True, metavar="REF", help="The entry that takes it in.")
@shown_option
@dry_run_option
@common_options
@pass_session
def merge(session: Session, item: str, into: str, digests: tuple[str, ...], dry_run: bool) -> None:
    """Put what waits into an entry that is there.

    A persona's lesson need not wait: its words, where they are others, and what it rested on go
    into the one that takes it in. Nor need an entry of Shaktra's stores.
    """
    workbench = session.workbench
    target = entry_named(workbench.library, into)
    pins = Merge(into=str(target.ref), into_shown=target.digest).to_json()
    if is_lesson(target) or takes_in(target):
        intent = workbench.intend(MERGE.id, [entry_named(workbench.library, item)], **pins)
    else:
        items = items_named(workbench, (item,))
        shown = {each.ref: each.digest for each in items}
        intent = Intent(MERGE.id, shown, pins, item_ids(items))
    carry_out(session, pinned(intent, digests), dry_run=dry_run)
