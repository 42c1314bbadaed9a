"""The command `brief`: writes what Shaktra's memory has for a story, and says why."""

from __future__ import annotations

from collections import Counter

import click

from remem.base.text import count
from remem.cli.execute import dry_run_option, print_diff
from remem.cli.naming import shown_path
from remem.cli.out import emit, print_table, say
from remem.cli.session import Session, common_options, pass_session
from remem.core.library import Library
from remem.model.change import Change, Intent, Json
from remem.model.prompt import Verdict
from remem.systems.shaktra.brief_plan import BRIEF, Brief, brief_of
from remem.systems.shaktra.source import BRIEFED, story_folder
from remem.views.documents.briefing import BriefedReport, BriefReport
from remem.views.documents.prompt import ExcludedReport


@click.command("brief")
@click.argument("story", metavar="STORY")
@click.option("--title", default="", metavar="TEXT", help="In the place of the story's own.")
@click.option("--description", default="", metavar="TEXT", help="In the place of the story's own.")
@click.option(
    "--files", multiple=True, metavar="GLOB", help="In the place of the story's own; repeatable."
)
@click.option("--workflow", default="", metavar="NAME", help="Whose procedures; default: `tdd`.")
@click.option("--why", "tell_all", is_flag=True, help="List what is left out too.")
@dry_run_option
@common_options
@pass_session
def brief(
    session: Session,
    story: str,
    title: str,
    description: str,
    files: tuple[str, ...],
    workflow: str,
    tell_all: bool,
    dry_run: bool,
) -> None:
    """Write what memory has for a story.

    STORY is the name of its file or folder below `.shaktra/stories`. Files are words here: what
    they are called is held against memory, and none of them is opened.
    """
    given: dict[str, Json] = {"title": title, "description": description, "workflow": workflow}
    arguments: dict[str, Json] = {name: value for name, value in given.items() if value}
    arguments |= {"files": list(files)} if files else {}
    workbench = session.workbench
    intent = Intent(BRIEF, arguments={"story": story, **arguments})
    found = brief_of(workbench.library, intent)
    name, change = "", None
    if found.effects and not dry_run:
        done = workbench.apply(intent)
        name, change = done.id, done.change
    elif found.effects:
        change = workbench.plan(intent)
    if session.as_json:
        emit(_report(session, found, change, name))
        return
    _print(workbench.library, found, tell_all=tell_all)
    _tell(session, found, change, name)


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


def _tell(session: Session, found: Brief, change: Change | None, name: str) -> None:
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
        print_diff(session, session.workbench.preview(change))
        say(f"{change.title}: nothing was written")
        return
    say(f"{change.title}; `remem undo {name}` takes it back")


def _report(session: Session, found: Brief, change: Change | None, name: str) -> BriefReport:
    library = session.workbench.library
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
        path=shown_path(session, path),
        id=name,
        written=bool(name),
        notes=change.notes if change is not None else (),
    )


def _reason(verdict: Verdict) -> str:
    return verdict.reason.value if verdict.reason is not None else ""
