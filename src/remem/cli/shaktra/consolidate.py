"""The command `consolidate`: what a story's observations do to memory, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from remem.cli.apply_or_dry_run import print_diff
from remem.cli.invocation import Invocation
from remem.cli.out import emit, say, show_text
from remem.cli.verb_command import command_of
from remem.core.library import Library
from remem.core.relation.in_force import unread_settings
from remem.model.change import Change, Intent
from remem.model.entry import kind_text
from remem.systems.shaktra.consolidation.parts import said
from remem.systems.shaktra.consolidation.story import Case, case_of, over_cap_note
from remem.systems.shaktra.consolidation.terms import (
    Changed,
    Doubt,
    Dropped,
    Made,
    Merged,
    Noted,
)
from remem.systems.shaktra.shaktra_verbs import CONSOLIDATE, Consolidate
from remem.systems.shaktra.waiting import arithmetic
from remem.views.documents.shaktra import (
    AlikeReport,
    ArchivedReport,
    ConsolidatedReport,
    ConsolidateReport,
    DoubtReport,
    LeftReport,
    MergedReport,
    NewReport,
    ShareReport,
    UnsureReport,
)


def count_observed(
    invocation: Invocation, intent: Intent, args: Consolidate, *, dry_run: bool, apply: bool
) -> None:
    """Show what counting does to memory; with `apply` do it."""
    session = invocation.session
    case = case_of(session.library, args.story, is_incident=args.incident)
    library, name = session.library, ""
    off = unread_settings(library)
    # What would be done is worth seeing all the same; to do it is refused in the plan.
    shows = bool(off) and not apply and not dry_run
    change = Change(intent, f"Consolidate {args.story}", ()) if shows else session.plan(intent)
    if apply and not dry_run and change.effects:
        done = session.apply(intent)
        name, change = done.id, done.change
    if invocation.as_json:
        emit(_report(library, case, change, name))
        return
    for line in _lines(library, case):
        show_text(line)
    if dry_run:
        print_diff(invocation, session.preview(change))
    if shows:
        say(f"warning: {off}")
    else:
        _tell(case, change, name)


_apply_option = click.option(
    "--apply", is_flag=True, help="Write the changes; default: only show them."
)
consolidate = command_of(CONSOLIDATE, page=count_observed, first={"apply": _apply_option})


def _tell(case: Case, change: Change, name: str) -> None:
    for note in (*change.notes, over_cap_note(case)):
        if note:
            say(f"note: {note}")
    for each in case.changed:
        say(f"note: `{each.name}` was already counted with a different text")
    if not change.effects:
        if not case.outcome.waiting:
            say("nothing to consolidate")
        return
    say(change.receipt)
    say(
        f"`remem undo {name}` undoes it"
        if name
        else "nothing was written; add `--apply` to write it"
    )


def _lines(library: Library, case: Case) -> Iterator[str]:
    """Yield the plan as people read it."""
    found = case.outcome
    if not case.is_empty:
        for changed in found.changed:
            yield from _changed_lines(library, changed)
        for made in found.made:
            yield from _made_lines(made)
        for merged in found.merged:
            stays, leaves = library.short(merged.stays.ref), library.short(merged.leaves.ref)
            yield f"merged  {leaves} into {stays}, overlap {merged.overlap:.2f}"
        for alike in found.alike:
            yield from _alike_lines(library, alike)
        for each in found.dropped:
            yield f"dropped  {each.by.name}: {each.why}"
    for unsure in found.waiting:
        name, by = library.short(unsure.entry.ref), unsure.by
        yield f"waits  {by.name} would {arithmetic(unsure.share)} {name}: {by.record.text}"
        yield from (f"  {doubt.told}" for doubt in unsure.doubts)
    for each in found.left_out:
        yield f"left out  {each.by.name} ({each.by.place}): {each.why}"


def _changed_lines(library: Library, each: Changed) -> Iterator[str]:
    fate = f"  {each.fate}: {each.why}" if each.fate else ""
    yield f"{library.short(each.entry.ref)}  {each.before:g} → {each.after:g}{fate}"
    for share in each.shares:
        yield f"  {share.by.name}  {arithmetic(share)}  {share.how}"


def _made_lines(made: Made) -> Iterator[str]:
    word = "proposed" if made.is_proposed else "new"
    yield f"{word}  {kind_text(made.kind)}  {made.confidence:g}  {made.text}"
    yield f"  {', '.join(map(_named, made.by))}  {made.why}"
    yield from (f"  {doubt.told}" for doubt in made.doubts)


def _alike_lines(library: Library, found: Merged) -> Iterator[str]:
    stays, leaves = library.short(found.stays.ref), library.short(found.leaves.ref)
    yield f"waits  {leaves} may be merged into {stays}, overlap {found.overlap:.2f}"
    yield f"  {stays}: {said(found.stays)}"
    yield f"  {leaves}: {said(found.leaves)}"


def _named(by: Noted) -> str:
    return f"{by.story}/{by.name}"


def _report(library: Library, case: Case, change: Change, name: str) -> ConsolidateReport:
    found = case.outcome
    is_empty = case.is_empty
    changed = () if is_empty else found.changed
    return ConsolidateReport(
        story=case.story.id,
        applied=bool(name),
        id=name,
        entries=tuple(_entry_report(library, each) for each in changed),
        new=() if is_empty else tuple(map(_new_report, found.made)),
        merged=()
        if is_empty
        else tuple(
            MergedReport(
                stays=library.short(each.stays.ref),
                leaves=library.short(each.leaves.ref),
                overlap=round(each.overlap, 4),
            )
            for each in found.merged
        ),
        waiting=tuple(
            UnsureReport(
                observation=_named(each.by),
                text=each.by.record.text,
                ref=library.short(each.entry.ref),
                does=each.share.does,
                delta=each.share.delta,
                after=each.share.after,
                doubts=_doubt_reports(each.doubts),
            )
            for each in found.waiting
        ),
        alike=tuple(
            AlikeReport(
                stays=library.short(each.stays.ref),
                stays_text=said(each.stays),
                leaves=library.short(each.leaves.ref),
                leaves_text=said(each.leaves),
                overlap=round(each.overlap, 4),
            )
            for each in found.alike
        ),
        archived=tuple(
            ArchivedReport(ref=library.short(each.entry.ref), confidence=each.after, why=each.why)
            for each in changed
            if each.fate == "archived"
        ),
        dropped=() if is_empty else _left_reports(found.dropped),
        left_out=(
            *_left_reports(found.left_out),
            *_left_reports([Dropped(each, "it is over the limit") for each in case.over_cap]),
        ),
        receipt=change.receipt,
    )


def _entry_report(library: Library, each: Changed) -> ConsolidatedReport:
    return ConsolidatedReport(
        ref=library.short(each.entry.ref),
        before=each.before,
        after=each.after,
        because=tuple(
            ShareReport(
                observation=_named(share.by),
                does=share.does,
                delta=share.delta,
                after=share.after,
                how=share.how,
            )
            for share in each.shares
        ),
        status=each.fate or "active",
        why=each.why,
    )


def _new_report(made: Made) -> NewReport:
    return NewReport(
        kind=made.kind,
        text=made.text,
        confidence=made.confidence,
        observations=tuple(map(_named, made.by)),
        why=made.why,
        proposed=made.is_proposed,
        doubts=_doubt_reports(made.doubts),
    )


def _doubt_reports(doubts: Sequence[Doubt]) -> tuple[DoubtReport, ...]:
    return tuple(DoubtReport(ref=each.name, text=each.text, words=each.words) for each in doubts)


def _left_reports(found: Sequence[Dropped]) -> tuple[LeftReport, ...]:
    return tuple(
        LeftReport(observation=_named(each.by), place=each.by.place, why=each.why) for each in found
    )
