"""The command `memory retire`: what served nobody goes out of use, all of it in one change."""

from __future__ import annotations

import click

from remem.cli.execute import carry_out
from remem.cli.invocation import Invocation, pass_invocation, root_options
from remem.cli.memory_look import repo_option
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.systems.facts.fact_verbs import MEMORY_RETIRE, MemoryRetire


@click.command("retire")
@click.argument("memories", nargs=-1, metavar="[ID]...")
@click.option("--unused", is_flag=True, help="Those never used in 90 days.")
@repo_option
@click.option("--reason", default="", metavar="TEXT", help="Kept with each of them.")
@click.option("--apply", is_flag=True, help="Write it; without this it is only listed.")
@click.option("--dry-run", is_flag=True, help="List it, whatever else is said.")
@root_options
@pass_invocation
def retire(
    invocation: Invocation,
    memories: tuple[str, ...],
    unused: bool,
    repo: str,
    reason: str,
    apply: bool,
    dry_run: bool,
) -> None:
    """Take memories out of use that serve nobody; `remem undo` brings them back.

    Without an ID, those beyond the soft limit of 1,000: never used first, then the longest idle.
    """
    library = invocation.session.library
    entries = [library.resolve(each if ":" in each else f"verified:{each}") for each in memories]
    shown: dict[Ref, str] = {entry.ref: entry.digest for entry in entries}
    repository = "" if unused or entries else repo or _here(invocation)
    args = MemoryRetire(repository=repository, unused=unused, reason=reason)
    intent = Intent(MEMORY_RETIRE.id, shown, args.to_json())
    carry_out(invocation, intent, dry_run=dry_run or not apply)


def _here(invocation: Invocation) -> str:
    from remem.code.citing_reader import repository_of

    session = invocation.session
    return repository_of(session.disk, session.root)
