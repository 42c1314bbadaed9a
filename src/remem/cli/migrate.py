"""The commands that bring memory of older layouts up to date: `migrate shaktra`."""

from __future__ import annotations

import click

from remem.base.text import count
from remem.cli.execute import acknowledge_option, carry_out, dry_run_option
from remem.cli.out import emit, print_table, say
from remem.cli.session import Session, common_options, pass_session
from remem.model.change import Intent, Json
from remem.systems.shaktra.migrate import migrated_from
from remem.views.documents.shaktra import MigratedReport, MigrateReport


@click.group("migrate", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def migrate() -> None:
    """Bring memory of an older layout up to date."""


@migrate.command("shaktra")
@click.option("--apply", is_flag=True, help="Write it; without this it is only listed.")
@acknowledge_option
@dry_run_option
@common_options
@pass_session
def shaktra(session: Session, apply: bool, acknowledge: tuple[str, ...], dry_run: bool) -> None:
    """Make principles of Shaktra's decisions and lessons.

    The originals stay, each with a `.bak` copy beside it. Nothing is done where there are
    principles already.
    """
    arguments: dict[str, Json] = {"acknowledged": [*acknowledge]} if acknowledge else {}
    if apply or dry_run:
        carry_out(session, Intent("migrate.shaktra", arguments=arguments), dry_run=dry_run)
        return
    rows = [
        MigratedReport(
            ref=f"shaktra:{each.value['id']}",
            was=each.was,
            text=str(each.value["text"]),
            confidence=float(each.value["confidence"]),
            status=str(each.value["status"]),
        )
        for each in migrated_from(session.workbench.library)
    ]
    if session.as_json:
        emit(MigrateReport(principles=tuple(rows)))
        return
    print_table(
        ("REF", "WAS", "CONFIDENCE", "STATUS", "TEXT"),
        [(row.ref, row.was, f"{row.confidence:g}", row.status, row.text) for row in rows],
    )
    say(f"{count(rows, 'principle')} would be made; `--apply` writes them")
