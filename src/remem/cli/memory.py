"""The group `memory`: facts about the code, each with the lines that prove it.

It changes memories; what only looks at them stands in `memory_look.py`.
"""

from __future__ import annotations

import json

import click

from remem.base.text import count
from remem.cli.execute import acknowledge_option, carry_out
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation, RenamedOption, pass_invocation, root_options
from remem.cli.memory_look import LOOKS, repo_option, service_of
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.verb_command import command_of
from remem.code.git import user_name
from remem.core.setup import login_name
from remem.model.change import Intent
from remem.model.citation import Citation, CitationStatus, citations_of, parse_place
from remem.systems.facts.fact_verbs import MEMORY_RETIRE, MemoryRetire
from remem.systems.facts.records import Actor, NewMemory
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.verdicts import Looked
from remem.views.documents.memory import (
    AnchoredReport,
    MemoryAppliedReport,
    MemoryInvalidateReport,
    MemoryReanchorReport,
    MemoryRefreshReport,
    MemorySupersedeReport,
)
from remem.views.fact_answers import told_kept, told_verdicts


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


for _each in (*LOOKS, command_of(MEMORY_RETIRE, listing=_list_retired, shared=root_options)):
    memory.add_command(_each)


@memory.command("store")
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
    for finding in kept.findings:
        say(f"warning: {finding.message}")
    for warning in kept.warnings:
        say(f"warning: {warning}")
    for against in kept.opposed:
        other = against.memory
        say(f"warning: possible conflict with `{other.id[:8]}` ({against.because}): {other.fact}")
    if kept.opposed:
        say("hint: `remem memory supersede` or `invalidate` the one that is wrong")
    if kept.retire:
        say("hint: `remem memory retire` lists unused facts; the least used:")
        for each in kept.retire:
            say(f"  {each.id}  {each.subject}")
    if invocation.as_json:
        emit(told_kept(kept))
        return
    show_text(kept.stored.id)
    _done(service, f"{kept.stored.status} `{subject}`")


@memory.command("refresh")
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
    if invocation.as_json:
        number = found.verification_count
        emit(MemoryRefreshReport(success=True, id=found.id, verification_count=number))
        return
    times = count(found.verification_count, "time")
    _done(service, f"refreshed `{found.subject}`, verified {times}")


@memory.command("invalidate")
@id_argument
@click.option("--reason", default="", metavar="TEXT", help="What contradicts it.")
@by_option
@session_option
@dry_run_option
@root_options
@pass_invocation
def invalidate(
    invocation: Invocation, memory: str, reason: str, by: str, run: str, dry_run: bool
) -> None:
    """Invalidate a fact; it stays on record."""
    service = service_of(invocation)
    named = service.named(memory)
    if dry_run:
        say(f"`{named.subject}` is {named.status}, and would be invalidated; nothing was written")
        return
    by = by or _me(invocation)
    found = service.invalidate(named.id, reason, by, Actor(by, run))
    if invocation.as_json:
        emit(MemoryInvalidateReport(success=True, id=found.id))
        return
    is_new = bool(service.written)
    _done(service, f"{'invalidated' if is_new else 'it is already invalid:'} `{found.subject}`")


@memory.command("supersede")
@id_argument
@click.option("--fact", default="", metavar="TEXT", help="The new fact; default: unchanged.")
@citations_option
@cite_option
@click.option("--reason", default=None, metavar="TEXT", help="Default: unchanged.")
@by_option
@session_option
@acknowledge_option
@dry_run_option
@root_options
@pass_invocation
def supersede(
    invocation: Invocation,
    memory: str,
    fact: str,
    cited: str,
    places: tuple[str, ...],
    reason: str | None,
    by: str,
    run: str,
    acknowledge: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Replace a fact with a corrected one."""
    service = service_of(invocation)
    old = service.named(memory)
    citations = _citations(cited, places) if cited or places else None
    fact = fact.strip() or old.fact
    by = by or _me(invocation)
    if dry_run:
        wanted = service.inherited(old) if citations is None else citations
        new = NewMemory(old.repository, old.subject, fact, wanted, reason, by)
        service.try_out(new, acknowledged=acknowledge)
        say(f"it would supersede `{old.subject}`; nothing was written")
        return
    made = service.supersede(
        old.id, fact, citations, reason, by, Actor(by, run), acknowledged=acknowledge
    )
    if invocation.as_json:
        emit(MemorySupersedeReport(new_memory_id=made, old_memory_id=old.id))
        return
    show_text(made)
    _done(service, f"superseded `{old.subject}`")


@memory.command("log-applied")
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


@memory.command("reanchor")
@click.argument("memories", nargs=-1, metavar="[ID]...")
@repo_option
@by_option
@session_option
@dry_run_option
@root_options
@pass_invocation
def reanchor(
    invocation: Invocation, memories: tuple[str, ...], repo: str, by: str, run: str, dry_run: bool
) -> None:
    """Update citations of moved lines; default: of all active facts.

    Facts with changed or missing lines are left for you to supersede or invalidate.
    """
    service = service_of(invocation)
    chosen = [service.named(each) for each in memories]
    active = chosen or service.every_active(repo)
    looked = [each for each in service.look(active) if each.verdict is not CitationStatus.VALID]
    actor = Actor(by or _me(invocation), run)
    moved = [each for each in looked if each.verdict is CitationStatus.MOVED]
    made = {} if dry_run else service.reanchor(moved, actor)
    anchored = tuple(
        AnchoredReport(
            id=each.memory.id,
            subject=each.memory.subject,
            moves=tuple(str(verdict) for verdict in each.verdicts if not verdict.is_valid),
            new_id=made.get(each.memory.id),
        )
        for each in moved
    )
    left = [each for each in looked if each.verdict is not CitationStatus.MOVED]
    if invocation.as_json:
        told = tuple(told_verdicts(each.memory.id, each.verdicts, each.verdict) for each in left)
        emit(MemoryReanchorReport(anchored=anchored, left=told))
        return
    rows = [(each.id, move) for each in anchored for move in each.moves]
    rows += [(each.memory.id, str(v)) for each in left for v in each.verdicts if not v.is_valid]
    print_table(("ID", "CITATION"), rows)
    done = "would be re-anchored" if dry_run else "re-anchored"
    rest = f", {count(len(left), 'other')} need a decision" if left else ""
    _done(service, f"{count(len(anchored), 'memory', 'memories')} {done}{rest}")


def _done(service: VerifiedMemory, what: str) -> None:
    """Say what was done, and how to take it back if anything was written."""
    say(f"{what}; `remem undo {service.written}` undoes it" if service.written else what)


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
    return user_name(invocation.root) or login_name()
