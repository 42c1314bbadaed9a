"""The commands that bring memory of older layouts up to date: `migrate shaktra`."""

from __future__ import annotations

import click

from remem.base.text import count
from remem.cli.invocation import Invocation
from remem.cli.options import common_options
from remem.cli.out import emit, print_table, say
from remem.cli.verb_command import command_of
from remem.model.change import Intent
from remem.systems.shaktra.migrate import migrated_from
from remem.systems.shaktra.shaktra_verbs import MIGRATE, MigrateShaktra
from remem.views.documents.shaktra import MigratedReport, MigrateReport


@click.group("migrate", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def migrate() -> None:
    """Migrate memory from an older layout."""


def list_migrated(invocation: Invocation, _: Intent, args: MigrateShaktra) -> None:
    """List the principles that would be made."""
    rows = [
        MigratedReport(
            ref=f"shaktra:{each.value['id']}",
            was=each.was,
            text=str(each.value["text"]),
            confidence=float(each.value["confidence"]),
            status=str(each.value["status"]),
        )
        for each in migrated_from(invocation.session.library)
    ]
    if invocation.as_json:
        emit(MigrateReport(principles=tuple(rows)))
        return
    print_table(
        ("REF", "WAS", "CONFIDENCE", "STATUS", "TEXT"),
        [(row.ref, row.was, f"{row.confidence:g}", row.status, row.text) for row in rows],
    )
    say(f"{count(rows, 'principle')} would be created; add `--apply` to write them")


migrate.add_command(command_of(MIGRATE, listing=list_migrated))
