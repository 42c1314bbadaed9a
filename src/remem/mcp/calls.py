"""What each tool does: the calls of agents, in the terms of the session and of verified memory.

It knows nothing of the protocol; what a proposal writes is planned in `core/verbs/propose.py`. What
goes wrong is an error with a code, a sentence and a hint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from remem.core.verbs.args import Args
from remem.core.verbs.propose_verbs import Propose
from remem.mcp.fitting_answers import (
    Room,
    as_text,
    brief,
    capped,
    fitted,
    plain,
    tokens_of,
    without_empty,
)
from remem.mcp.server_state import Answer, Call
from remem.mcp.tools import (
    MAX_TOKENS,
    Compose,
    GetRecent,
    History,
    Invalidate,
    LogApplied,
    ReadCitation,
    Refresh,
    Search,
    SearchByPath,
    Stats,
    Store,
    Supersede,
    VerifyCitations,
    Why,
)
from remem.model.change import Json
from remem.model.citation import CitationStatus, citation_of, together
from remem.systems.facts.records import Actor, Memory, NewMemory
from remem.systems.facts.verdicts import Looked
from remem.views.documents.memory import (
    MemoryAppliedReport,
    MemoryInvalidateReport,
    MemoryRefreshReport,
    MemorySupersedeReport,
)
from remem.views.entries.fact_answers import (
    told,
    told_history,
    told_kept,
    told_place,
    told_stats,
    told_verdicts,
)

_NAMED: Final = 10
"""Repositories that an empty answer names."""
_ROLES: Final = 8
"""Roles that are named to whom asks for another one."""
_SECONDS: Final = 19
"""Characters of a time to the second."""
_EVENTS: Final = 30
"""Events that `memory_history` tells at most."""
_ABOUT: Final = 60
"""Tokens that `memory_compose` needs to say that the text goes on."""
_CONFLICT: Final = (
    "it stands beside what it possibly conflicts with: read the lines that both cite, then "
    "`memory_supersede` or `memory_invalidate` the one that is wrong"
)
_LISTED: Final = 50
"""Memories whose use `memory_stats` lists."""


def answer(call: Call) -> Answer:
    """Do what was asked and return what to tell.

    Raises:
        RememError: It cannot be done.
    """
    call.state.need_root()
    found = _CALLS[type(call.args)](call, call.args)
    return found if "text" in found else fitted(found, getattr(call.args, "max_tokens", MAX_TOKENS))


def _store(call: Call, args: Store) -> Answer:
    new = NewMemory(
        _repository(call, args.repo),
        args.subject.strip(),
        args.fact.strip(),
        args.citations,
        args.reason,
        args.created_by or call.client,
    )
    kept = call.state.memory.keep(new, call.actor(args.created_by))
    document = told_kept(kept).to_values()
    return {**document, "hint": _CONFLICT} if kept.opposed else document


def _get_recent(call: Call, args: GetRecent) -> Answer:
    repository, memory = _repository(call, args.repo), call.state.memory
    task = args.task.strip()
    found = (
        memory.found_for_task(repository, task, args.limit)
        if task
        else memory.found(repository, args.limit)
    )
    return _memories(call, args, {"repo": repository}, found)


def _search_by_path(call: Call, args: SearchByPath) -> Answer:
    repository = _repository(call, args.repo)
    found = call.state.memory.found_by_path(repository, args.path, args.limit)
    return _memories(call, args, {"repo": repository, "path": args.path}, found)


def _search(call: Call, args: Search) -> Answer:
    repository = _repository(call, args.repo)
    found = call.state.memory.found_by_words(repository, args.query, args.limit)
    return _memories(call, args, {"repo": repository}, found)


def _history(call: Call, args: History) -> Answer:
    document = told_history(call.state.memory.history(args.memory_id)).to_values()
    also = ("status", "created_at", "created_by", "supersedes", "superseded_by")
    chain = [brief(each, also=also) for each in document["chain"]]
    events = [
        plain({**each, "at": (each["at"] or "")[:_SECONDS]})
        for each in document["events"][:_EVENTS]
    ]
    return capped({"chain": chain, "events": events}, "events", args.max_tokens)


def _memories(
    call: Call,
    args: GetRecent | SearchByPath | Search,
    about: Answer,
    found: Sequence[Memory],
) -> Answer:
    """Return as many memories as fit, and why there are none; only what is told counts as given."""
    if not found:
        return {**about, "memories": [], "hint": _why_none(call, about["repo"])}
    room = Room({**about, "memories": []}, args.max_tokens)

    def fits(looked: Looked) -> bool:
        document = told(looked).to_values()
        return room.take(without_empty(document) if args.hashes else brief(document))

    call.state.memory.give(about["repo"], found, call.actor(), fits=fits)
    return room.filled("memories", len(found))


def _why_none(call: Call, asked: str) -> str:
    """Say how this checkout is called, where somebody asks for another one."""
    here = call.state.memory.repository
    if asked.casefold() == here.casefold():
        return f"no active memory of `{here}` matches; `memory_store` stores the first"
    known = [each for each in call.state.memory.repositories() if each != asked]
    names = ", ".join(f"`{name}`" for name in known[:_NAMED]) or "none yet"
    return f"this checkout is `{here}` (the default for `repo`); there are memories for {names}"


def _repository(call: Call, named: str) -> str:
    return named.strip() or call.state.memory.repository


def _plain(args: ReadCitation | VerifyCitations, document: Answer) -> Answer:
    return document if args.hashes else plain(document)


def _refresh(call: Call, args: Refresh) -> Answer:
    by = args.verified_by or call.client
    found = call.state.memory.refresh(args.memory_id, by, call.actor(by))
    return MemoryRefreshReport(
        success=True, id=found.id, verification_count=found.verification_count
    ).to_values()


def _invalidate(call: Call, args: Invalidate) -> Answer:
    by = args.invalidated_by or call.client
    found = call.state.memory.invalidate(args.memory_id, args.reason, by, call.actor(by))
    return MemoryInvalidateReport(success=True, id=found.id).to_values()


def _supersede(call: Call, args: Supersede) -> Answer:
    by, old = args.created_by or call.client, args.old_memory_id
    made = call.state.memory.supersede(
        old, args.new_fact.strip(), args.new_citations, args.new_reason, by, call.actor(by)
    )
    return MemorySupersedeReport(new_memory_id=made, old_memory_id=old).to_values()


def _log_applied(call: Call, args: LogApplied) -> Answer:
    actor = Actor(args.agent_id or call.client, args.session_id or call.state.run_id)
    call.state.memory.log_applied(args.memory_id, actor)
    return MemoryAppliedReport(logged=True, id=args.memory_id).to_values()


def _read_citation(call: Call, args: ReadCitation) -> Answer:
    place: Json = {"path": args.path, "line_start": args.line_start, "line_end": args.line_end}
    found = call.state.memory.read_citation(
        _repository(call, args.repo), citation_of(place), args.ref or "HEAD"
    )
    document = _plain(args, told_place(found).to_values())
    content = document.get("content")
    need = tokens_of(as_text(document))
    if isinstance(content, str) and need > args.max_tokens:
        document["hint"] = "ask for fewer lines, or raise `max_tokens`"
        rest = tokens_of(as_text({**document, "content": "", "left_out_characters": 10**6}))
        room = len(content) * max(args.max_tokens - rest, 1) // need
        document |= {"content": content[:room], "left_out_characters": len(content) - room}
    return document


def _verify_citations(call: Call, args: VerifyCitations) -> Answer:
    repository, ref = _repository(call, args.repo), args.ref or "HEAD"
    verdicts = call.state.memory.check(repository, args.citations, ref, call.actor())
    valid = sum(each.is_valid for each in verdicts)
    unread = sum(each.status is CitationStatus.UNCHECKED for each in verdicts)
    found = told_verdicts("", verdicts, together(verdicts)).to_values()
    del found["id"]
    counts = {"valid_count": valid, "invalid_count": len(verdicts) - valid - unread}
    document = _plain(args, {**found, **counts, "unchecked_count": unread})
    return capped(document, "citations", args.max_tokens)


def _stats(call: Call, args: Stats) -> Answer:
    memory, repository = call.state.memory, _repository(call, args.repo)
    document: Answer = told_stats(
        memory.stats(repository),
        memory.telemetry(repository),
        memory.usage(repository, _LISTED),
        memory.clock.now(),
    ).to_values()
    document["usage"] = [plain(each) for each in document["usage"]]
    return capped(document, "usage", args.max_tokens)


def _of_library(call: Call, args: Propose | Compose | Why) -> Answer:
    """Do what needs all memory, which most agents never ask for and which takes long to load."""
    from remem.mcp.library_calls import answer_from_library

    with call.state.lock:
        return answer_from_library(call, args)


_CALLS: Final[Mapping[type[Args], Callable[[Call, Any], Answer]]] = {
    Store: _store,
    GetRecent: _get_recent,
    SearchByPath: _search_by_path,
    Search: _search,
    History: _history,
    Refresh: _refresh,
    Invalidate: _invalidate,
    Supersede: _supersede,
    LogApplied: _log_applied,
    ReadCitation: _read_citation,
    VerifyCitations: _verify_citations,
    Stats: _stats,
    **dict.fromkeys((Propose, Compose, Why), _of_library),
}
"""What each tool is told → what it does; a test holds it against `TOOLS`."""
