"""The command `told`: rules that one agent is told more than once, and keeping one copy of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.cli.documents import path_of
from remem.cli.execute import carry_out, dry_run_option, pinned, shown_option
from remem.cli.naming import entry_named, shown_path
from remem.cli.out import emit, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.core.verbs.duplicates_verbs import KEEP_ONE, KeepOne

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remem.core.relation.duplicates import Told

_AGENTS = 3
"""Agents that one rule names; `--json` has all."""


@click.command("told")
@click.option("--keep", default="", metavar="REF", help="Keep this copy, take out the others.")
@shown_option
@dry_run_option
@common_options
@pass_session
def told(session: Session, keep: str, digests: tuple[str, ...], dry_run: bool) -> None:
    """Find rules that an agent is told more than once.

    They may stand in any files and stores that one agent starts with. Each is listed with what it
    costs at every start; the copy that is suggested to stay comes first.
    """
    from remem.core.relation.duplicates import told_of, told_twice

    workbench = session.workbench
    library = workbench.library
    if keep:
        entry = entry_named(library, keep)
        found = told_of(library, entry.ref)
        if found is None:
            name = library.short(entry.ref)
            raise NotPossible(f"nobody is told `{name}` twice", hint="`remem told` lists what is")
        stays = KeepOne(keep=str(entry.ref))
        intent = workbench.intend(KEEP_ONE.id, found.copies, **stays.to_json())
        carry_out(session, pinned(intent, digests), dry_run=dry_run)
        return
    _tell(session, told_twice(library, workbench.load_counter()))


def _tell(session: Session, rules: Sequence[Told]) -> None:
    if session.as_json:
        _emit(session, rules)
        return
    if not rules:
        show_text("Nobody here is told a rule twice.")
    library = session.workbench.library
    about = "" if session.workbench.counter.exact else "≈"
    for rule in rules:
        names = ", ".join(rule.agents[:_AGENTS])
        rest = len(rule.agents) - _AGENTS
        more = f" and {count(rest, 'other')}" if rest > 0 else ""
        exact = "" if rule.is_exact else ", in other words"
        show_text(
            f"{about}{count(rule.tokens, 'token')} a start: {names}{more}, "
            f"{len(rule.copies)} times{exact}",
            bold=True,
        )
        ordered = (rule.keep, *(each for each in rule.copies if each.ref != rule.keep.ref))
        for entry in ordered:
            text = " ".join(entry.title.split())
            where = shown_path(session, path_of(entry.at))
            show_text(f"  {library.short(entry.ref)}  {where}\n    {text}")


def _emit(session: Session, rules: Sequence[Told]) -> None:
    from remem.views.documents.told import CopyReport, CostReport, RuleReport, ToldReport

    library, counter = session.workbench.library, session.workbench.counter
    emit(
        ToldReport(
            encoding=counter.encoding,
            exact=counter.exact,
            rules=tuple(
                RuleReport(
                    keep=library.short(rule.keep.ref),
                    is_exact=rule.is_exact,
                    copies=tuple(
                        CopyReport(
                            ref=library.short(entry.ref),
                            kind=entry.kind,
                            path=shown_path(session, path_of(entry.at)),
                            text=entry.title,
                        )
                        for entry in rule.copies
                    ),
                    costs=tuple(
                        CostReport(agent=cost.agent, tokens=cost.tokens) for cost in rule.costs
                    ),
                )
                for rule in rules
            ),
        )
    )
