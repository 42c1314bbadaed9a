"""The commands about estimates: `estimates show`, `estimates take`."""

from __future__ import annotations

import click

from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.verb_command import command_of
from remem.systems.sniper.estimates import EstimatesView, SprintPoint, estimates_view
from remem.systems.sniper.sniper_verbs import ESTIMATES_TAKE
from remem.views.documents.retros import EstimatesShowReport, MissReport, SprintReport


@click.group("estimates", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def estimates() -> None:
    """Compare estimates with actual effort."""


@estimates.command("show")
@common_options
@pass_invocation
def show(invocation: Invocation) -> None:
    """Show how far estimates are off, sprint by sprint."""
    view = estimates_view(invocation.session.library)
    if invocation.as_json:
        emit(_report(view))
        return
    show_text(f"velocity factor {view.factor:g} over {view.analyzed} sprints", bold=True)
    for miss in view.misses:
        parts = (miss.pattern, miss.typical_miss, miss.reason)
        show_text(f"- {' · '.join(part for part in parts if part)}")
    if view.sprints:
        show_text()
        print_table(
            ("RETRO", "DATE", "ESTIMATED", "ACTUAL", "FACTOR", "UNDER", "OVER"),
            [_row(point) for point in view.sprints],
        )
    if view.proposed is not None:
        say(f"proposed: {view.proposed.arithmetic}; `remem estimates take --factor` applies it")
    elif view.too_few:
        say(view.too_few)


estimates.add_command(command_of(ESTIMATES_TAKE))


def _row(point: SprintPoint) -> tuple[str, ...]:
    numbers = (point.estimated, point.actual, point.factor)
    shown = ("-" if each is None else f"{each:g}" for each in numbers)
    return (point.name, point.date, *shown, str(point.under), str(point.over))


def _report(view: EstimatesView) -> EstimatesShowReport:
    return EstimatesShowReport(
        velocity_factor=view.factor,
        last_updated=view.updated,
        sprints_analyzed=view.analyzed,
        common_underestimates=tuple(
            MissReport(pattern=m.pattern, typical_miss=m.typical_miss, reason=m.reason)
            for m in view.misses
        ),
        sprints=tuple(
            SprintReport(
                retro=point.name,
                sprint=point.sprint,
                date=point.date,
                estimated=point.estimated,
                actual=point.actual,
                factor=point.factor,
                underestimated=point.under,
                overestimated=point.over,
            )
            for point in view.sprints
        ),
        proposed_factor=view.proposed.factor if view.proposed else None,
        arithmetic=view.proposed.arithmetic if view.proposed else view.too_few,
    )
