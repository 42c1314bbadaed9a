"""The commands about learnings: those of their verbs, and what `merge` and `decay` only list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from remem.base.text import count
from remem.cli.out import emit, print_table, say
from remem.cli.session import Session, common_options
from remem.cli.verb_command import add_commands, command_of
from remem.core.verbs.verbs import APPROVE
from remem.model.change import Intent
from remem.systems.learnings.learning_verbs import (
    LEARN_ADD,
    LEARN_DECAY,
    LEARN_MERGE,
    VERBS,
    LearnDecay,
    LearnMerge,
)
from remem.systems.learnings.records import LEARNING
from remem.views.documents.learnings import DecayReport, DecayRow, GroupReport, MergeReport

_APPROVE = replace(APPROVE, command="learn approve", takes="REF...", ids_of=LEARNING, pinned=False)


@click.group("learn", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def learn() -> None:
    """Tell what happened to learnings."""


def list_groups(session: Session, _: Intent, args: LearnMerge) -> None:
    """List what could be merged."""
    from remem.systems.learnings.upkeep import proposals

    library = session.workbench.library
    groups = tuple(
        GroupReport(
            refs=tuple(library.short(entry.ref) for entry in group),
            titles=tuple(entry.title for entry in group),
        )
        for group in proposals(library)
    )
    if session.as_json:
        emit(MergeReport(groups=groups))
        return
    print_table(("LEARNINGS", "TITLE"), [(" ".join(g.refs), g.titles[0]) for g in groups])
    say(f"{count(groups, 'group')} could be merged; nothing was written")


def list_decays(session: Session, intent: Intent, args: LearnDecay) -> None:
    """List what would lose confidence."""
    from remem.systems.learnings.upkeep import day_of, decay_waits, decaying

    library = session.workbench.library
    day = day_of(library, args.as_of)
    rows = [
        DecayRow(
            ref=library.short(entry.ref),
            title=entry.title,
            anchor=found.anchor.date().isoformat(),
            idle=found.idle,
            steps=found.steps,
            before=reading.record.confidence,
            after=found.after,
            deprecates=found.deprecates,
            waits=decay_waits(library, intent, entry),
        )
        for entry, _, reading, found in decaying(library, intent, day)
    ]
    if session.as_json:
        emit(DecayReport(as_of=day.isoformat(), decays=tuple(rows)))
        return
    print_table(("REF", "SINCE", "IDLE", "CONFIDENCE", "TITLE"), [_decay_row(row) for row in rows])
    waiting = [row for row in rows if row.waits]
    for row in waiting:
        say(f"note: `{row.ref}` waits until it is named: {row.waits}")
    how = "; `--apply` writes it" if len(rows) > len(waiting) else ""
    say(f"{count(rows, 'learning')} would decay as of {day}{how}")


def _decay_row(row: DecayRow) -> Sequence[str]:
    after = f"{row.before:g} → {row.after:g}" + (", deprecated" if row.deprecates else "")
    return (row.ref, row.anchor, count(row.idle, "day"), after, row.title)


learn.add_command(command_of(LEARN_ADD))
learn.add_command(command_of(_APPROVE, says="Put drafts into force, and keep what waits."))
add_commands(learn, VERBS[1:], {LEARN_MERGE.id: list_groups, LEARN_DECAY.id: list_decays})
