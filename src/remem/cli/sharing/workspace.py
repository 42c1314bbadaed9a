"""The group `workspace`: what several repositories share, and who inherits it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from remem.base.text import count
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import problem_report
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.verb_command import command_of
from remem.core.repositories import name_of, repositories_of, views, within, workspaces_of
from remem.model.entry import Status
from remem.model.workspace import Repository, Workspace
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION, DECISION
from remem.systems.workspace.inherit import overridden
from remem.systems.workspace.records import CONTRACT, WORKSPACE
from remem.systems.workspace.workspace_verbs import WORKSPACE_OVERRIDE, WORKSPACE_PROMOTE
from remem.views.documents.workspace import (
    OverriddenReport,
    RepositoryReport,
    SharedReport,
    WorkspaceShowReport,
)

if TYPE_CHECKING:
    from remem.core.library import Library


@click.group("workspace", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def workspace() -> None:
    """Manage memory shared by several repositories."""


@workspace.command("show")
@common_options
@pass_invocation
def show(invocation: Invocation) -> None:
    """Show the workspace, its repositories, and what they override."""
    library = invocation.session.library
    report = WorkspaceShowReport(
        workspaces=tuple(_shared(library, each) for each in workspaces_of(library)),
        overridden=tuple(_overridden(library)),
    )
    if invocation.as_json:
        emit(report)
        return
    if not report.workspaces:
        say(
            "no workspace found here: `workspace.yaml` in a folder around this repository makes "
            "one (`name: NAME`, and `repositories:` with `{name: NAME, path: FOLDER}` for each)"
        )
    for each in report.workspaces:
        _print(each)
    _print_overridden(report)


workspace.add_command(command_of(WORKSPACE_OVERRIDE))
workspace.add_command(command_of(WORKSPACE_PROMOTE))


def _shared(library: Library, each: Workspace) -> SharedReport:
    places = {each.place, f"{each.place}/yml"}
    own = [s for s in library.of_format(WORKSPACE) if s.place in places]
    kinds = [e.kind for s in own for e in s.entries if e.status is Status.ACTIVE]
    return SharedReport(
        name=each.name,
        shape=each.shape.value,
        path=str(each.root),
        config=str(each.config) if each.config is not None else None,
        memory=str(each.memory) if each.memory is not None else None,
        conventions=kinds.count(CONVENTION),
        anti_patterns=kinds.count(ANTI_PATTERN),
        decisions=kinds.count(DECISION),
        contracts=kinds.count(CONTRACT),
        repositories=tuple(_repository(library, one) for one in each.repositories),
        problems=tuple(problem_report(problem) for problem in each.problems),
    )


def _repository(library: Library, each: Repository) -> RepositoryReport:
    is_here = each.path == library.ground.root
    view: Library | None = library if is_here and not library.is_whole else None
    if view is None and not each.missing:
        opened = next((one for one in repositories_of(library) if one.path == each.path), None)
        view = within(library, opened.name) if opened is not None else None
    statuses = None
    if view is not None:
        own = (s for s in view.sources if s.path.is_relative_to(each.path))
        statuses = [e.status for s in own for e in s.entries if e.kind != "finding"]
    return RepositoryReport(
        name=each.name,
        title=each.title,
        path=str(each.path),
        role=each.role,
        language=each.language,
        exposes=each.exposes,
        consumes=each.consumes,
        open=not each.missing,
        missing=each.missing,
        here=is_here,
        entries=statuses.count(Status.ACTIVE) if statuses is not None else None,
        waiting=statuses.count(Status.CANDIDATE) if statuses is not None else None,
    )


def _overridden(library: Library) -> Iterator[OverriddenReport]:
    for view in views(library):
        for ref, found in overridden(view.sources).items():
            yield OverriddenReport(
                ref=library.short(ref),
                by=library.short(found.by.ref),
                repository=name_of(view) or view.ground.root.name,
                said=found.said,
            )


def _print(each: SharedReport) -> None:
    show_text(each.name, bold=True)
    show_text(each.config or each.path)
    parts = (
        count(each.conventions, "convention"),
        count(each.anti_patterns, "anti-pattern"),
        count(each.decisions, "decision"),
        count(each.contracts, "contract"),
    )
    show_text(" · ".join(parts))
    show_text()
    rows = [
        (
            one.name + (" (here)" if one.here else ""),
            one.role,
            one.missing or _held(one),
            one.path,
        )
        for one in each.repositories
    ]
    print_table(("repository", "role", "entries", "path"), rows)
    for problem in each.problems:
        say(f"problem: {problem.message}")


def _held(one: RepositoryReport) -> str:
    if one.entries is None:
        return "not read from here"
    return f"{one.entries} in force" + (f", {one.waiting} to review" if one.waiting else "")


def _print_overridden(report: WorkspaceShowReport) -> None:
    if not report.overridden:
        return
    show_text()
    show_text("Overridden", bold=True)
    for each in report.overridden:
        how = "overrides" if each.said else "is a duplicate of"
        show_text(f"in {each.repository}  {each.by} {how} {each.ref}")
