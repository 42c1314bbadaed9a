"""The group `memory`: facts about the code, each with the lines that prove it.

It changes memories; what only looks at them stands in `memory_look.py`. The verbs act on a fact by
its id, with a look at its row alone, so that neither files nor other facts are read.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Final

import click

from remem.base.text import count
from remem.cli.agents.memory_look import LOOKS, repo_option, service_of
from remem.cli.apply_or_dry_run import acknowledge_option, carry_out
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation
from remem.cli.options import RenamedOption, pass_invocation, root_options
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.verb_command import command_of
from remem.code.git import person_at
from remem.model.change import Intent
from remem.model.citation import Citation, CitationStatus, citations_of, parse_place
from remem.systems.facts.fact_verbs import (
    MEMORY_INVALIDATE,
    MEMORY_REANCHOR,
    MEMORY_RETIRE,
    MEMORY_SUPERSEDE,
    MemoryInvalidate,
    MemoryReanchor,
    MemoryRetire,
    MemorySupersede,
)
from remem.systems.facts.records import Actor, NewMemory
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.verdicts import Looked
from remem.views.documents.document import Document
from remem.views.documents.memory import (
    MemoryAppliedReport,
    MemoryInvalidateReport,
    MemoryRefreshReport,
    MemorySupersedeReport,
)
from remem.views.entries.fact_answers import kept_lines, reanchored_rows, told_kept, told_reanchored


def _list_retired(invocation: Invocation, intent: Intent, _: MemoryRetire) -> None:
    """List what would be retired."""
    carry_out(invocation, intent, dry_run=True)


id_argument = click.argument("memory", metavar="ID")
by_option = click.option(
    "--as",
    "--by",
    "by",
    cls=RenamedOption,
    default="",
    metavar="NAME",
    help="Your name; default: git or login name.",
)
session_option = click.option("--session", "run", default="", metavar="ID", help="The session id.")
cite_option = click.option(
    "--cite",
    "places",
    multiple=True,
    metavar="PATH:A-B",
    help="What proves it: lines, `PATH::NAME[=VALUE]` or `FILE#KEY[=VALUE]`; repeatable.",
)
citations_option = click.option(
    "--citations", "cited", default="", metavar="JSON", help="The citations as a JSON list."
)
reason_option = click.option("--reason", default="", metavar="TEXT", help="Why it matters.")
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Check everything and print what would be done; write nothing."
)


@click.group("memory", context_settings={"help_option_names": ["-h", "--help"]})
@root_options
def memory() -> None:
    """Manage facts about code with the lines that prove them."""


@click.command("store")
@repo_option
@click.option("--subject", required=True, metavar="TEXT", help="The topic in a few words.")
@click.option("--fact", required=True, metavar="TEXT", help="The fact.")
@citations_option
@cite_option
@reason_option
@by_option
@session_option
@acknowledge_option
@dry_run_option
@root_options
@pass_invocation
def store(
    invocation: Invocation,
    repo: str,
    subject: str,
    fact: str,
    cited: str,
    places: tuple[str, ...],
    reason: str,
    by: str,
    run: str,
    acknowledge: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Store a fact with the lines that prove it; storing it again refreshes it."""
    service = service_of(invocation)
    by = by or _me(invocation)
    citations = _citations(cited, places)
    new = NewMemory(
        repo or service.repository, subject.strip(), fact.strip(), citations, reason or None, by
    )
    if dry_run:
        service.try_out(new, acknowledged=acknowledge)
        say(f"it would be stored with {count(len(citations), 'citation')}; nothing was written")
        return
    kept = service.keep(new, Actor(by, run), acknowledged=acknowledge)
    for line in kept_lines(kept):
        say(line)
    what = f"{kept.stored.status} `{subject}`"
    _answer(invocation, service, told_kept(kept), what, id=kept.stored.id)


@click.command("refresh")
@id_argument
@by_option
@session_option
@dry_run_option
@root_options
@pass_invocation
def refresh(invocation: Invocation, memory: str, by: str, run: str, dry_run: bool) -> None:
    """Confirm a fact; its citations are checked first."""
    service = service_of(invocation)
    if dry_run:
        _would(service.look([service.named(memory)])[0], "be refreshed")
        return
    by = by or _me(invocation)
    found = service.refresh(service.named(memory).id, by, Actor(by, run))
    number = found.verification_count
    report = MemoryRefreshReport(success=True, id=found.id, verification_count=number)
    what = f"refreshed `{found.subject}`, verified {count(number, 'time')}"
    _answer(invocation, service, report, what)


def _invalidate(
    invocation: Invocation, _: Intent, args: MemoryInvalidate, *, dry_run: bool, memory: str
) -> None:
    """Invalidate a fact, whatever its repository: its row alone is read."""
    service = service_of(invocation)
    named = service.named(memory)
    if dry_run:
        say(f"`{named.subject}` is {named.status}, and would be invalidated; nothing was written")
        return
    by = args.by or _me(invocation)
    found = service.invalidate(named.id, args.reason, by, Actor(by, args.session))
    what = "invalidated" if service.written else "it is already invalid:"
    report = MemoryInvalidateReport(success=True, id=found.id)
    _answer(invocation, service, report, f"{what} `{found.subject}`")


def _supersede(
    invocation: Invocation,
    intent: Intent,
    args: MemorySupersede,
    *,
    dry_run: bool,
    memory: str,
    cited: str,
    places: tuple[str, ...],
) -> None:
    """Replace a fact, whatever its repository; what proves the new one is cited, or inherited."""
    service = service_of(invocation)
    old, by = service.named(memory), args.by or _me(invocation)
    citations = _citations(cited, places) if cited or places else None
    fact = args.fact.strip() or old.fact
    seen = _acknowledged(intent)
    if dry_run:
        wanted = service.inherited(old) if citations is None else citations
        new = NewMemory(old.repository, old.subject, fact, wanted, args.reason, by)
        service.try_out(new, acknowledged=seen)
        say(f"it would supersede `{old.subject}`; nothing was written")
        return
    actor = Actor(by, args.session)
    made = service.supersede(old.id, fact, citations, args.reason, by, actor, acknowledged=seen)
    report = MemorySupersedeReport(new_memory_id=made, old_memory_id=old.id)
    _answer(invocation, service, report, f"superseded `{old.subject}`", id=made)


@click.command("log-applied")
@id_argument
@click.option(
    "--as",
    "--agent",
    "agent",
    cls=RenamedOption,
    default="",
    metavar="NAME",
    help="Who used it; default: you.",
)
@session_option
@root_options
@pass_invocation
def log_applied(invocation: Invocation, memory: str, agent: str, run: str) -> None:
    """Log that a fact was used."""
    service = service_of(invocation)
    found = service.named(memory)
    service.log_applied(found.id, Actor(agent or _me(invocation), run))
    if invocation.as_json:
        emit(MemoryAppliedReport(logged=True, id=found.id))
        return
    say(f"logged the use of `{found.subject}`")


def _reanchor(
    invocation: Invocation,
    _: Intent,
    args: MemoryReanchor,
    *,
    dry_run: bool,
    memories: tuple[str, ...],
    repo: str,
) -> None:
    """Re-anchor the facts that were named, or all of a repository."""
    service = service_of(invocation)
    chosen = [service.named(each) for each in memories] or service.every_active(repo)
    looked = [each for each in service.look(chosen) if each.verdict is not CitationStatus.VALID]
    moved = [each for each in looked if each.verdict is CitationStatus.MOVED]
    actor = Actor(args.by or _me(invocation), args.session)
    made = {} if dry_run else service.reanchor(moved, actor)
    report = told_reanchored(looked, made)
    if not invocation.as_json:
        print_table(("ID", "CITATION"), reanchored_rows(looked))
    done = "would be re-anchored" if dry_run else "re-anchored"
    rest = f", {count(len(report.left), 'other')} need a decision" if report.left else ""
    _answer(invocation, service, report, f"{count(len(moved), 'memory', 'memories')} {done}{rest}")


def _answer(
    invocation: Invocation,
    service: VerifiedMemory,
    report: Document,
    what: str,
    id: str = "",  # noqa: A002
) -> None:
    """Say what was done, and how to take it back if anything was written."""
    if invocation.as_json:
        emit(report)
        return
    if id:
        show_text(id)
    say(f"{what}; `remem undo {service.written}` undoes it" if service.written else what)


def _acknowledged(intent: Intent) -> list[str]:
    seen = intent.arguments.get("acknowledged")
    return [str(each) for each in seen] if isinstance(seen, list) else []


def _would(looked: Looked, be_done: str) -> None:
    if looked.verdict is CitationStatus.VALID:
        say(f"valid; it would {be_done}; nothing was written")
        return
    failed = "; ".join(str(each) for each in looked.verdicts if not each.is_valid)
    say(f"not valid; it would not {be_done}: {failed}")


def _citations(cited: str, places: tuple[str, ...]) -> tuple[Citation, ...]:
    found = tuple(parse_place(place) for place in places)
    if not cited:
        return found
    try:
        return (*citations_of(json.loads(cited)), *found)
    except (ValueError, RecursionError) as error:
        raise BadUsage(
            "`--citations` is not JSON",
            hint='write `[{"path": "src/app.py", "line_start": 3, "line_end": 9}]`',
        ) from error


def _me(invocation: Invocation) -> str:
    return person_at(invocation.root)


_cited: Final = {"cited": citations_option, "places": cite_option}
_by_id: Final = {"memory": id_argument}
_of_many: Final = {
    "memories": click.argument("memories", nargs=-1, metavar="[ID]..."),
    "repo": repo_option,
}
_made_of = partial(command_of, shared=root_options, tries=dry_run_option)
for _each in (
    *LOOKS,
    command_of(MEMORY_RETIRE, listing=_list_retired, shared=root_options),
    store,
    refresh,
    _made_of(MEMORY_INVALIDATE, page=_invalidate, first=_by_id),
    _made_of(MEMORY_SUPERSEDE, page=_supersede, first=_by_id, more=_cited),
    log_applied,
    _made_of(MEMORY_REANCHOR, page=_reanchor, first=_of_many),
):
    memory.add_command(_each)
