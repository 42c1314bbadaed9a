"""Looking at verified memory from the command line: what is kept, and whether it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.cli.invocation import Invocation, tell
from remem.cli.options import pass_invocation, root_options
from remem.cli.out import (
    NOTHING,
    emit,
    on_terminal,
    print_exact,
    print_table,
    put_aside,
    say,
    show_field,
)
from remem.code.choose_reader import WORKTREE
from remem.code.git import person_at
from remem.core.checks.secrets import redacted
from remem.model.citation import CitationStatus, parse_place
from remem.store.io import real_path
from remem.systems.facts.records import Actor
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.verdicts import MOST, Looked
from remem.views.documents.memory import MemoryRecentReport, MemorySearchReport, MemoryWordsReport
from remem.views.entries.fact_answers import (
    stats_lines,
    told,
    told_history,
    told_looks,
    told_place,
    told_stats,
)

FINDINGS: Final = 1
"""How `verify` ends when a memory does not hold."""
_PAGE: Final = 50
_NAMED: Final = 3
"""Repositories that are named where another one has no facts."""

repo_option = click.option(
    "--repo", default="", metavar="OWNER/NAME", help="Default: this checkout."
)
limit_option = click.option(
    "--limit", default=_PAGE, type=click.IntRange(1, MOST), help=f"At most; default: {_PAGE}."
)
ref_option = click.option(
    "--ref", default=WORKTREE, metavar="REF", help="A commit; default: the working files."
)


def service_of(invocation: Invocation) -> VerifiedMemory:
    """Return verified memory at the root, given back when the command ends."""
    service = VerifiedMemory(real_path(invocation.root), invocation.places, clock=invocation.clock)
    context = click.get_current_context()
    context.call_on_close(service.close)
    context.call_on_close(lambda: tell(service.unfinished.told()))
    return service


@click.command("recent")
@repo_option
@limit_option
@click.option("--task", default="", metavar="TEXT", help="What fits this task comes first.")
@ref_option
@root_options
@pass_invocation
def recent(invocation: Invocation, repo: str, limit: int, task: str, ref: str) -> None:
    """List active facts, last refreshed first, with their verdict."""
    service = service_of(invocation)
    repo = repo or service.repository
    actor = _actor(invocation)
    found = (
        service.for_task(repo, task, limit, actor, ref)
        if task.strip()
        else service.recent(repo, limit, actor, ref)
    )
    if invocation.as_json:
        emit(MemoryRecentReport(repo=repo, memories=tuple(map(told, found))))
        return
    _list(found)
    if not found:
        say(f"no active facts of `{repo}`")
        _tell_others(service, repo)


@click.command("search")
@click.argument("words", metavar="WORDS", nargs=-1, required=True)
@repo_option
@limit_option
@ref_option
@root_options
@pass_invocation
def search(invocation: Invocation, words: tuple[str, ...], repo: str, limit: int, ref: str) -> None:
    """Search active facts by words, best matches first."""
    service = service_of(invocation)
    repo, query = repo or service.repository, " ".join(words)
    found = service.search(repo, query, limit, _actor(invocation), ref)
    if invocation.as_json:
        emit(MemoryWordsReport(repo=repo, query=query, memories=tuple(map(told, found))))
        return
    _list(found)
    if not found:
        say(f"no active facts of `{repo}` match `{query}`")


@click.command("history")
@click.argument("memory", metavar="ID")
@root_options
@pass_invocation
def history(invocation: Invocation, memory: str) -> None:
    """Show what a fact replaced, what replaced it, and why."""
    service = service_of(invocation)
    found = told_history(service.history(service.named(memory).id))
    if invocation.as_json:
        emit(found)
        return
    rows = [(each.id, each.status, (each.created_at or NOTHING)[:10], each.subject, each.fact)
            for each in found.chain]  # fmt: skip
    print_table(("ID", "STATUS", "SINCE", "SUBJECT", "FACT"), rows)
    happened = [((each.at or NOTHING)[:16], each.event.replace("_", " "), each.id,
                 each.by or NOTHING, each.reason or "") for each in found.events]  # fmt: skip
    print_table(("WHEN", "WHAT", "ID", "BY", "REASON"), happened)


@click.command("search-path")
@click.argument("path", metavar="PATH")
@repo_option
@limit_option
@ref_option
@root_options
@pass_invocation
def search_path(invocation: Invocation, path: str, repo: str, limit: int, ref: str) -> None:
    """List active facts that cite a file, with their verdict."""
    service = service_of(invocation)
    repo = repo or service.repository
    found = service.search_path(repo, path, limit, _actor(invocation), ref)
    if invocation.as_json:
        emit(MemorySearchReport(repo=repo, path=path, memories=tuple(map(told, found))))
        return
    _list(found)


@click.command("verify")
@click.argument("memories", nargs=-1, metavar="[ID]...")
@repo_option
@ref_option
@root_options
@pass_invocation
def verify(invocation: Invocation, memories: tuple[str, ...], repo: str, ref: str) -> int:
    """Compare citations with the code; default: of all active facts.

    Exits with 1 if a fact is not valid.
    """
    service = service_of(invocation)
    chosen = [service.named(each) for each in memories]
    active = chosen or service.every_active(repo)
    looked = service.verify(active, _actor(invocation), ref, _progress)
    if service.unlogged:
        say(f"note: these verdicts were not logged: {service.unlogged}")
    is_bad = any(each.verdict is not CitationStatus.VALID for each in looked)
    if invocation.as_json:
        emit(told_looks(looked))
        return FINDINGS if is_bad else 0
    _list([each for each in looked if each.verdict is not CitationStatus.VALID])
    valid = sum(each.verdict is CitationStatus.VALID for each in looked)
    say(f"{valid} of {count(len(looked), 'memory', 'memories')} valid")
    if not looked:
        _tell_others(service, repo or service.repository)
    return FINDINGS if is_bad else 0


@click.command("read-citation")
@click.argument("place", metavar="PATH:A-B")
@repo_option
@ref_option
@root_options
@pass_invocation
def read_citation(invocation: Invocation, place: str, repo: str, ref: str) -> None:
    """Print cited lines."""
    service = service_of(invocation)
    found = service.read_citation(repo or service.repository, parse_place(place), ref)
    if invocation.as_json:
        emit(told_place(found))
        return
    if found.content is None:
        raise NotPossible(f"`{place}`: {found.error or 'these lines do not exist'}")
    print_exact(f"{found.content}\n")
    if found.error:
        say(f"note: {found.error}")


@click.command("stats")
@repo_option
@limit_option
@root_options
@pass_invocation
def stats(invocation: Invocation, repo: str, limit: int) -> None:
    """Show how facts were used: created, verified, wrong, corrected, applied."""
    service = service_of(invocation)
    repo = repo or service.repository
    document = told_stats(
        service.stats(repo), service.telemetry(repo), service.usage(repo, limit),
        service.clock.now(),
    )  # fmt: skip
    if invocation.as_json:
        emit(document)
        return
    for name, value in stats_lines(document):
        show_field(name, value)
    rows = [(each.id, str(each.applied), str(each.retrieved), _days(each.age_days),
             _days(each.idle_days), each.subject) for each in document.usage]  # fmt: skip
    print_table(("ID", "USED", "GIVEN", "DAYS OLD", "DAYS IDLE", "SUBJECT"), rows)


def _tell_others(service: VerifiedMemory, repo: str) -> None:
    """Say whose facts the store has where it has none of a repository, as after it was renamed."""
    others = [f"`{each}`" for each in service.repositories() if each != service.called(repo)]
    if others:
        more = f" and {len(others) - _NAMED:,} others" if len(others) > _NAMED else ""
        say(f"the store has facts of {', '.join(others[:_NAMED])}{more}; `--repo` names one")


def _days(days: int | None) -> str:
    return NOTHING if days is None else str(days)


LOOKS: Final = (recent, search, search_path, history, verify, read_citation, stats)
"""The commands that only look, and log that they did."""


def _list(found: Sequence[Looked]) -> None:
    rows = [
        (
            each.memory.id,
            each.verdict.value,
            redacted(each.memory.subject),
            redacted(each.memory.fact),
        )
        for each in found
    ]
    print_table(("ID", "VERDICT", "SUBJECT", "FACT"), rows)
    for each in found:
        for finding in each.findings:
            say(f"warning: {each.memory.id}: {finding.message}")


def _actor(invocation: Invocation) -> Actor:
    return Actor(person_at(invocation.root))


def _progress(done: int, total: int) -> None:
    if on_terminal() and total > _PAGE:
        end = "\n" if done == total else ""
        put_aside(f"\r{done:,} of {total:,} citations{end}")
