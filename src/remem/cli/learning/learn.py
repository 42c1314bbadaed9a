"""The commands about learnings: those of their verbs, and what `merge` and `decay` only list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from remem.base.text import count
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.verb_command import add_commands, command_of
from remem.core.verbs.verbs import APPROVE
from remem.model.change import Intent
from remem.model.entry import RESTING
from remem.model.roles import audience
from remem.systems.learnings.learning_verbs import (
    LEARN_ADD,
    LEARN_CURATE,
    LEARN_DECAY,
    LEARN_MERGE,
    VERBS,
    LearnCurate,
    LearnDecay,
    LearnMerge,
)
from remem.systems.learnings.records import DEPRECATED, LEARNING
from remem.views.documents.learnings import (
    CuratedRow,
    CurateReport,
    DecayReport,
    DecayRow,
    FlagRow,
    GroupReport,
    LearningRow,
    LearnListReport,
    MergeReport,
)

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.systems.learnings.curate_all import Curation

_APPROVE = replace(APPROVE, command="learn approve", takes="REF...", ids_of=LEARNING, pinned=False)


@click.group("learn", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def learn() -> None:
    """Manage learnings and their confidence."""


def list_groups(invocation: Invocation, _: Intent, args: LearnMerge) -> None:
    """List what could be merged."""
    from remem.systems.learnings.upkeep import proposals

    library = invocation.session.library
    groups = tuple(
        GroupReport(
            refs=tuple(library.short(entry.ref) for entry in group),
            titles=tuple(entry.title for entry in group),
        )
        for group in proposals(library)
    )
    if invocation.as_json:
        emit(MergeReport(groups=groups))
        return
    print_table(("LEARNINGS", "TITLE"), [(" ".join(g.refs), g.titles[0]) for g in groups])
    say(f"{count(groups, 'group')} could be merged; nothing was written")


def list_decays(invocation: Invocation, intent: Intent, args: LearnDecay) -> None:
    """List what would lose confidence."""
    from remem.systems.learnings.upkeep import day_of, decay_waits, decaying, unreckoned

    library = invocation.session.library
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
    if invocation.as_json:
        emit(DecayReport(as_of=day.isoformat(), decays=tuple(rows)))
        return
    print_table(("REF", "SINCE", "IDLE", "CONFIDENCE", "TITLE"), [_decay_row(row) for row in rows])
    waiting = [row for row in rows if row.waits]
    for row in waiting:
        say(f"note: `{row.ref}` needs to be named: {row.waits}")
    old = unreckoned(library, intent)
    if old:
        say(
            f"note: {count(old, 'learning')} in an old record format: not counted until "
            "`remem learn upgrade` converts them"
        )
    how = "; add `--apply` to write it" if len(rows) > len(waiting) else ""
    say(f"{count(rows, 'learning')} would decay as of {day}{how}")


def _decay_row(row: DecayRow) -> Sequence[str]:
    after = f"{row.before:g} → {row.after:g}" + (", archived" if row.deprecates else "")
    return (row.ref, row.anchor, count(row.idle, "day"), after, row.title)


def list_curation(invocation: Invocation, intent: Intent, args: LearnCurate) -> None:
    """List what curation would do, what it leaves to a person, and how learnings stand."""
    from remem.systems.learnings.curate_all import curation

    library = invocation.session.library
    found = curation(library, intent, args)
    if invocation.as_json:
        emit(_curate_report(library, found))
        return
    print_table(
        ("DOES", "REF", "WHY", "TITLE"),
        [(e.does, library.short(e.entry.ref), e.told, e.entry.row_text) for e in found.steps],
    )
    if found.flags:
        show_text("\nto decide", bold=True)
    for flag in found.flags:
        show_text(f"- {library.short(flag.entry.ref)}: {flag.why}")
    told = " · ".join(f"{name}: {number}" for name, number in sorted(found.counts.items()))
    if found.average is not None:
        told = f"{told} · average confidence {found.average:g}"
    say(told or "no learnings found here")
    how = "; add `--apply` to write it" if found.steps else ""
    say(f"{count(found.steps, 'learning')} would change{how}")


def _curate_report(library: Library, found: Curation) -> CurateReport:
    return CurateReport(
        steps=tuple(
            CuratedRow(
                ref=library.short(step.entry.ref),
                title=step.entry.row_text,
                does=step.does,
                told=step.told,
            )
            for step in found.steps
        ),
        flags=tuple(
            FlagRow(ref=library.short(f.entry.ref), title=f.entry.row_text, why=f.why)
            for f in found.flags
        ),
        counts=found.counts,
        average_confidence=found.average,
    )


@click.command("list")
@common_options
@pass_invocation
def list_learnings(invocation: Invocation) -> None:
    """List learnings by confidence, highest first."""
    from remem.systems.learnings.read import reading_of
    from remem.systems.learnings.upkeep import records_of

    library = invocation.session.library
    rows: list[LearningRow] = []
    words: dict[str, str] = {}
    for source, entry in records_of(library):
        reading = reading_of(source)
        if reading is None:
            continue
        is_said = "confidence" not in reading.assumed
        # What is in force no more is called as everywhere; else its record's own word says more.
        at_rest = entry.status in RESTING
        words[library.short(entry.ref)] = entry.status if at_rest else reading.record.status
        rows.append(
            LearningRow(
                ref=library.short(entry.ref),
                title=entry.row_text,
                status=reading.record.status,
                confidence=reading.record.confidence if is_said else None,
                roles=entry.roles,
                phases=entry.phases,
                archived=source.archived,
            )
        )
    rows.sort(key=lambda row: (row.archived, row.status == DEPRECATED, -(row.confidence or 0)))
    if invocation.as_json:
        emit(LearnListReport(learnings=tuple(rows)))
        return
    print_table(
        ("REF", "STATUS", "CONFIDENCE", "FOR", "TITLE"),
        [
            (
                row.ref,
                words[row.ref],
                "not given" if row.confidence is None else f"{row.confidence:g}",
                audience(row.roles, row.phases),
                row.title,
            )
            for row in rows
        ],
    )
    if not rows:
        say("no learnings found here; add one with `remem learn add TEXT`")


learn.add_command(list_learnings)
learn.add_command(command_of(LEARN_ADD))
learn.add_command(command_of(_APPROVE, says="Approve drafts, signals and expired learnings."))
add_commands(
    learn,
    VERBS[1:],
    {LEARN_MERGE.id: list_groups, LEARN_DECAY.id: list_decays, LEARN_CURATE.id: list_curation},
)
