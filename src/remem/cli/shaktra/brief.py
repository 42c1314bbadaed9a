"""The command `brief`: writes what Shaktra's memory has for a story, and says why."""

from __future__ import annotations

from collections import Counter

import click

from remem.base.text import count
from remem.cli.apply_or_dry_run import print_diff
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.out import emit, print_table, say
from remem.cli.verb_command import command_of
from remem.core.library import Library
from remem.model.change import Change, Intent
from remem.model.prompt import Verdict
from remem.systems.shaktra.brief.brief_plan import Brief, brief_of
from remem.systems.shaktra.shaktra_verbs import BRIEF, BriefStory
from remem.systems.shaktra.source import BRIEFED, story_folder
from remem.views.documents.prompt import ExcludedReport
from remem.views.documents.shaktra import BriefedReport, BriefReport


def write_briefing(
    invocation: Invocation, intent: Intent, args: BriefStory, *, dry_run: bool, tell_all: bool
) -> None:
    """Write the briefing where it would say something new, and tell what stands in it and why."""
    session = invocation.session
    found = brief_of(session.library, args)
    name, change = "", None
    if found.effects and not dry_run:
        done = session.apply(intent)
        name, change = done.id, done.change
    elif found.effects:
        change = session.plan(intent)
    if invocation.as_json:
        emit(_report(invocation, found, change, name))
        return
    _print(session.library, found, tell_all=tell_all)
    _tell(invocation, found, change, name)


_why_option = click.option("--why", "tell_all", is_flag=True, help="Also list what is left out.")
brief = command_of(BRIEF, page=write_briefing, more={"tell_all": _why_option})


def _print(library: Library, found: Brief, *, tell_all: bool) -> None:
    rows = [
        (
            library.short(each.held.entry.ref),
            f"{each.score:g}",
            f"{each.matched.semantic} x {each.held.record.confidence:g}",
            ",".join(each.held.record.roles) or "everyone",
            each.matched.relevance,
        )
        for each in found.ranking.chosen
    ]
    print_table(("REF", "SCORE", "MATCH", "ROLES", "RELEVANCE"), rows)
    if tell_all:
        print_table(
            ("REF", "REASON", "DETAIL"),
            [(library.short(v.ref), _reason(v), v.detail) for v in found.ranking.out],
        )


def _tell(invocation: Invocation, found: Brief, change: Change | None, name: str) -> None:
    out = Counter(map(_reason, found.ranking.out))
    if out:
        why = ", ".join(f"{many} {reason}" for reason, many in out.most_common())
        say(f"{count(out.total(), 'entry', 'entries')} left out: {why}")
    say(f"{count(found.ranking.active, 'entry', 'entries')} in force: tier {found.tier}")
    if change is None:
        say(f"the briefing of {found.story.id} says so already: nothing was written")
        return
    for note in change.notes:
        say(f"note: {note}")
    if not name:
        print_diff(invocation, invocation.session.preview(change))
        say(f"{change.title}: nothing was written")
        return
    say(f"{change.title}; `remem undo {name}` undoes it")


def _report(invocation: Invocation, found: Brief, change: Change | None, name: str) -> BriefReport:
    library = invocation.session.library
    path = story_folder(library.ground, found.story.id) / BRIEFED
    return BriefReport(
        story=found.story.id,
        workflow=found.workflow,
        keywords=found.story.keywords,
        active=found.ranking.active,
        tier=found.tier,
        entries=tuple(
            BriefedReport(
                ref=library.short(each.held.entry.ref),
                kind=each.held.entry.kind,
                text=each.held.record.says,
                semantic=each.matched.semantic,
                confidence=each.held.record.confidence,
                score=each.score,
                relevance=each.matched.relevance,
                roles=each.held.record.roles,
            )
            for each in found.ranking.chosen
        ),
        excluded=tuple(
            ExcludedReport(ref=library.short(v.ref), reason=_reason(v), detail=v.detail)
            for v in found.ranking.out
        ),
        path=shown_path(invocation, path),
        id=name,
        written=bool(name),
        notes=change.notes if change is not None else (),
    )


def _reason(verdict: Verdict) -> str:
    return verdict.reason.value if verdict.reason is not None else ""
