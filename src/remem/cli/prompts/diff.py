"""The command `diff`: what a branch does to memory, as the comment under a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from remem.base.errors import UnknownRef
from remem.cli.find_named import shown_path
from remem.cli.garbage_collection import unswept
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_exact, show_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remem.code.commit_ranges import Ends
    from remem.core.history.memory_diff import AgentChange, EntryChange
    from remem.core.history.revisions import Branch
    from remem.core.library import Library
    from remem.model.entry import Entry, Ref
    from remem.views.documents.diff import AgentChangeReport, DiffReport, EntryChangeReport


@click.command("diff")
@click.argument("range_", metavar="RANGE")
@click.option("--role", "roles", multiple=True, help="Only this role; repeatable.")
@click.option("--agent", "agents", multiple=True, help="Only this agent; repeatable.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="Output format.",
)
@common_options
@pass_invocation
def diff(
    invocation: Invocation,
    range_: str,
    roles: tuple[str, ...],
    agents: tuple[str, ...],
    form: str,
) -> None:
    """Show what a branch changes in every prompt.

    RANGE is `A..B`, `A...B` (what B added since it left A) or `A` (what the work tree changed
    since A). Nothing is checked out. Files outside git are taken as they are now.
    """
    with unswept():
        session = invocation.session
        session.load_counter()
        ends, found = session.branch(range_)
        report = _report(invocation, range_, ends, found, (*roles, *agents))
    if invocation.as_json or form == "json":
        emit(report)
        return
    from remem.cli.prompts.diff_printing import markdown_lines, text_lines

    if form == "markdown":
        print_exact("\n".join(markdown_lines(report)) + "\n")
        return
    for line in text_lines(report):
        show_text(line.text, bold=True) if line.is_heading else show_text(line.text)


def _report(
    invocation: Invocation, range_: str, ends: Ends, found: Branch, only: Iterable[str]
) -> DiffReport:
    from remem.views.documents.diff import ContradictionReport, DiffReport

    states = found.states
    counter = invocation.session.counter
    wanted = {name.casefold() for name in only}
    _need_known(wanted, states.agents)
    return DiffReport(
        range=range_,
        before=ends.old,
        after=ends.new,
        encoding=counter.encoding,
        exact=counter.exact,
        files=tuple(shown_path(invocation, str(path)) for path in states.files),
        entries=tuple(
            _entry(invocation, each, states.before, states.after) for each in found.entries
        ),
        agents=tuple(
            _agent(each, states.before, states.after)
            for each in states.agents
            if not wanted or each.name.casefold() in wanted
        ),
        contradictions=tuple(
            ContradictionReport(
                ref=states.after.short(each.new.ref),
                text=each.new.title,
                other_ref=states.after.short(each.other.ref),
                other_text=each.other.title,
            )
            for each in found.contradictions
        ),
        unread={shown_path(invocation, str(path)): why for path, why in states.unread.items()},
    )


def _need_known(wanted: set[str], agents: Iterable[AgentChange]) -> None:
    names = [agent.name for agent in agents]
    unknown = sorted(wanted - {name.casefold() for name in names})
    if unknown:
        known = ", ".join(f"`{name}`" for name in names) or "none"
        raise UnknownRef(
            f"no agent or role is called `{unknown[0]}`, before or after",
            hint=f"known: {known}",
        )


def _entry(
    invocation: Invocation, each: EntryChange, before: Library, after: Library
) -> EntryChangeReport:
    from remem.views.documents.diff import EntryChangeReport

    one, two = each.before, each.after
    ref = after.short(two.ref) if two is not None else before.short(each.entry.ref)
    was = before.short(one.ref) if one is not None else ref
    text_before = one.title if one is not None else None
    text_after = two.title if two is not None else None
    if one and two and (one.title, one.status) == (two.title, two.status):
        text_before, text_after = _below_the_title(before, one, after, two)
    return EntryChangeReport(
        happened=each.happened,
        ref=ref,
        kind=each.entry.kind,
        path=shown_path(invocation, str(each.path)),
        was_ref=was if was != ref else "",
        was_at=shown_path(invocation, str(each.was_at)) if each.was_at is not None else "",
        before=text_before,
        after=text_after,
        status_before=one.status.value if one is not None else "",
        status_after=two.status.value if two is not None else "",
    )


def _below_the_title(before: Library, one: Entry, after: Library, two: Entry) -> tuple[str, str]:
    """Return the lines that only one side has of an entry under one title; else the title."""
    was = before.format_of(one).reader.body(before.source_of(one), one).splitlines()
    now = after.format_of(two).reader.body(after.source_of(two), two).splitlines()
    gone = [line for line in was if line not in {*now}]
    came = [line for line in now if line not in {*was}]
    return ("\n".join(gone), "\n".join(came)) if gone or came else (one.title, two.title)


def _agent(each: AgentChange, before: Library, after: Library) -> AgentChangeReport:
    from remem.views.documents.diff import AgentChangeReport

    def names(refs: Iterable[Ref]) -> tuple[str, ...]:
        return tuple((after if after.has(ref) else before).short(ref) for ref in refs)

    found = each.impact
    return AgentChangeReport(
        name=each.name,
        tool=each.tool,
        tokens_before=found.tokens_before,
        tokens_after=found.tokens_after,
        exact=each.exact,
        budget=found.budget,
        is_new=each.is_new,
        is_gone=each.is_gone,
        came_in=names(found.added),
        went_out=names(found.removed),
        pushed_out=names(found.pushed_out),
        let_in=names(found.let_in),
        reworded=names(each.reworded),
        differs=not each.changes_nothing,
    )
