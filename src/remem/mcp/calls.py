"""What each tool does: the calls of agents, in the terms of the workbench and of verified memory.

It knows nothing of the protocol. What goes wrong is an error with a code, a sentence and a hint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any, Final

from remem.base.errors import NotPossible
from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.core.repositories import repository_of
from remem.core.session import Workbench
from remem.core.settings import Places
from remem.core.verbs.verbs import PROPOSE
from remem.mcp.arguments import Arguments
from remem.mcp.short import CHARACTERS, capped, counted, cut_lines, without_hashes
from remem.mcp.tools import MAX_TOKENS, MOST
from remem.model.change import Intent, Json, texts_in
from remem.model.citation import CitationStatus, citation_of, together
from remem.model.prompt import Ask
from remem.store.io import real_path
from remem.systems.facts.answers import (
    told,
    told_findings,
    told_kept,
    told_place,
    told_stats,
    told_verdicts,
)
from remem.systems.facts.records import Actor, NewMemory
from remem.systems.facts.row_records import StoreUnavailable
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.source import FORMAT as VERIFIED
from remem.systems.facts.source import verified_sources
from remem.systems.shaktra.briefing import need_story
from remem.systems.shaktra.records import SHAKTRA
from remem.views.documents.memory import (
    MemoryAppliedReport,
    MemoryInvalidateReport,
    MemoryRecentReport,
    MemoryRefreshReport,
    MemorySearchReport,
    MemorySupersedeReport,
)

Answer = dict[str, Any]
_NAMED: Final = 10
"""Repositories that an empty answer names."""
_LISTED: Final = 50
"""Memories whose use `memory_stats` lists."""


@dataclass
class House:
    """Everything that the tools work on, for all calls of one server."""

    root: Path
    places: Places
    session: str
    """Tells the uses of this run from those of others."""

    def __post_init__(self) -> None:
        # One at a time: the workbench reads again before it answers.
        self.lock = RLock()
        self.memory = VerifiedMemory(real_path(self.root), self.places, door="mcp", actor="agent")

    @cached_property
    def workbench(self) -> Workbench:
        """Opened when a tool first needs it: most agents only ever ask for verified memory."""
        return Workbench(self.root, self.places, door="mcp", actor="agent")

    def need_root(self) -> None:
        """Refuse when the folder is gone: nothing there is not the same as nothing known.

        Raises:
            NotPossible: It is.
        """
        if not all(map(self.memory.disk.kind, (self.root, self.memory.root))):
            raise NotPossible(
                f"the folder `{self.root}` is not there any more",
                hint="start `remem mcp` again where the project lies now",
            )

    def close(self) -> None:
        """Let go of the database and the history."""
        self.memory.close()
        if "workbench" in self.__dict__:
            self.workbench.close()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one tool."""

    house: House
    arguments: Arguments
    client: str
    """What the client calls itself."""

    def actor(self, by: str = "") -> Actor:
        """On whose behalf it is."""
        return Actor(by or self.client, self.house.session)


def answer(call: Call) -> Answer:
    """Do what was asked and return what to tell.

    Raises:
        RememError: It cannot be done.
    """
    call.house.need_root()
    return _CALLS[call.arguments.tool.name](call)


def _store(call: Call) -> Answer:
    given = call.arguments
    by = given.text("created_by")
    new = NewMemory(
        _repository(call),
        given.text("subject").strip(),
        given.text("fact").strip(),
        given.citations("citations"),
        given.text_or_none("reason"),
        by or call.client,
    )
    return told_kept(call.house.memory.keep(new, call.actor(by))).to_values()


def _get_recent(call: Call) -> Answer:
    memory = call.house.memory
    repository = _repository(call)
    found = memory.recent(repository, _limit(call), call.actor())
    report = MemoryRecentReport(repo=repository, memories=tuple(map(told, found)))
    return _memories(call, report.to_values())


def _search_by_path(call: Call) -> Answer:
    given, memory = call.arguments, call.house.memory
    repository, path = _repository(call), given.text("path")
    found = memory.search_path(repository, path, _limit(call), call.actor())
    told_all = tuple(map(told, found))
    report = MemorySearchReport(repo=repository, path=path, memories=told_all)
    return _memories(call, report.to_values())


def _memories(call: Call, document: Answer) -> Answer:
    """Return memories as short as the client wants them, and why there are none."""
    max_tokens = _max_tokens(call)
    if not document["memories"]:
        return {**document, "hint": _why_none(call, document["repo"])}
    return capped(_plain(call, document), "memories", max_tokens)


def _why_none(call: Call, asked: str) -> str:
    """Say how this checkout is called, where somebody asks for another one."""
    here = call.house.memory.repository
    if asked.casefold() == here.casefold():
        return f"no active memory of `{here}` fits; `memory_store` keeps the first"
    known = [each for each in call.house.memory.repositories() if each != asked]
    names = ", ".join(f"`{name}`" for name in known[:_NAMED]) or "none yet"
    return f"this checkout is `{here}`: leave `repo` out for it; there are memories of {names}"


def _repository(call: Call) -> str:
    return call.arguments.text("repo").strip() or call.house.memory.repository


def _limit(call: Call) -> int:
    return call.arguments.number("limit", 50, least=1, most=MOST)


def _max_tokens(call: Call) -> int:
    return call.arguments.number("max_tokens", MAX_TOKENS, least=200, most=20_000)


def _plain(call: Call, document: Answer) -> Answer:
    plain: Answer = document if call.arguments.flag("hashes") else without_hashes(document)
    return plain


def _refresh(call: Call) -> Answer:
    by = call.arguments.text("verified_by") or call.client
    found = call.house.memory.refresh(call.arguments.text("memory_id"), by, call.actor(by))
    return MemoryRefreshReport(
        success=True, id=found.id, verification_count=found.verification_count
    ).to_values()


def _invalidate(call: Call) -> Answer:
    given = call.arguments
    by = given.text("invalidated_by") or call.client
    memory = call.house.memory
    found = memory.invalidate(given.text("memory_id"), given.text("reason"), by, call.actor(by))
    return MemoryInvalidateReport(success=True, id=found.id).to_values()


def _supersede(call: Call) -> Answer:
    given = call.arguments
    by = given.text("created_by") or call.client
    old = given.text("old_memory_id")
    made = call.house.memory.supersede(
        old,
        given.text("new_fact").strip(),
        given.citations("new_citations") if given.values.get("new_citations") is not None else None,
        given.text_or_none("new_reason"),
        by,
        call.actor(by),
    )
    return MemorySupersedeReport(new_memory_id=made, old_memory_id=old).to_values()


def _log_applied(call: Call) -> Answer:
    given = call.arguments
    actor = Actor(
        given.text("agent_id") or call.client, given.text("session_id") or call.house.session
    )
    memory = given.text("memory_id")
    call.house.memory.log_applied(memory, actor)
    return MemoryAppliedReport(logged=True, id=memory).to_values()


def _read_citation(call: Call) -> Answer:
    given = call.arguments
    place: Json = {name: given.values[name] for name in ("path", "line_start", "line_end")}
    found = call.house.memory.read_citation(
        _repository(call), citation_of(place), given.text("ref") or "HEAD"
    )
    document = _plain(call, told_place(found).to_values())
    room = int(_max_tokens(call) * CHARACTERS)
    content = document.get("content")
    if isinstance(content, str) and len(content) > room:
        left = len(content) - room
        hint = "ask for fewer lines, or for more with `max_tokens`"
        document |= {"content": content[:room], "left_out_characters": left, "hint": hint}
    return document


def _verify_citations(call: Call) -> Answer:
    given, memory = call.arguments, call.house.memory
    repository, ref = _repository(call), given.text("ref") or "HEAD"
    citations = given.citations("citations")
    verdicts = memory.check(repository, citations, ref, call.actor())
    valid = sum(each.is_valid for each in verdicts)
    unread = sum(each.status is CitationStatus.UNCHECKED for each in verdicts)
    found = told_verdicts("", verdicts, together(verdicts)).to_values()
    del found["id"]
    counts = {"valid_count": valid, "invalid_count": len(verdicts) - valid - unread}
    document = _plain(call, {**found, **counts, "unchecked_count": unread})
    return capped(document, "citations", _max_tokens(call))


def _stats(call: Call) -> Answer:
    memory, repository = call.house.memory, _repository(call)
    document = told_stats(
        memory.stats(repository),
        memory.telemetry(repository),
        memory.usage(repository, _LISTED),
        memory.clock.now(),
    ).to_values()
    return capped(document, "usage", _max_tokens(call))


def _propose(call: Call) -> Answer:
    given = call.arguments
    by = given.text("by") or call.client
    fields = given.mapping("fields")
    arguments: dict[str, Json] = {
        "kind": given.text("kind"),
        "fields": fields,
        "target": given.text("target"),
        "evidence": given.text("evidence"),
        "by": by,
        "door": "mcp",
        "why": f"{by or 'an agent'} proposed it",
    }
    with call.house.lock:
        bench = call.house.workbench
        bench.refresh()
        done = bench.apply(Intent(PROPOSE.id, arguments=arguments))
        made = next(ref for ref in done.change.touched.values() if ref is not None)
        item = next((each for each in bench.queue() if each.ref == made), None)
        name = bench.library.short(made)
    findings = [each for text in texts_in(fields) for each in examine(text)]
    return {
        "item": item.id if item is not None else name,
        "ref": name,
        "findings": [each.to_values() for each in told_findings(findings)],
    }


def _compose(call: Call) -> Answer:
    given = call.arguments
    ask = Ask(
        role=given.text("role"),
        persona=given.text("persona"),
        story=given.text("story"),
        files=given.texts("files"),
        budget=given.number("budget", 0, least=1),
    )
    with call.house.lock:
        bench = call.house.workbench
        bench.refresh()
        _need_facts(bench.library)
        stories = bench.library.of_format(SHAKTRA)
        if ask.story and stories:
            need_story(stories, ask.story)
        bench.load_counter()
        prompt = bench.compose(ask)
        short = bench.library.short
        out = [
            {"ref": short(each.ref), "reason": each.reason.value, "detail": each.detail}
            for each in prompt.verdicts
            if each.reason is not None
        ]
        text = cut_lines(prompt.text, prompt.tokens, _max_tokens(call))
        found: Answer = {
            "text": text,
            "tokens": prompt.tokens,
            "encoding": prompt.encoding,
            "exact": prompt.exact,
            "excluded": counted(out),
        }
        left = len(prompt.text) - len(text)
        hint = "this is the start of it; `max_tokens` gives more"
        return {**found, "left_out_characters": left, "hint": hint} if left else found


def _need_facts(library: Library) -> None:
    """Compose nothing without verified memory: an agent would take it that there is none.

    Raises:
        StoreUnavailable: It cannot be read now.
    """
    for source in verified_sources(library.of_format(VERIFIED)):
        if source.unread:
            raise StoreUnavailable(source.unread.message, hint=source.unread.hint)


def _why(call: Call) -> Answer:
    given = call.arguments
    with call.house.lock:
        bench = call.house.workbench
        bench.refresh()
        bench.load_counter()
        entry = bench.library.resolve(given.text("ref"))
        there = repository_of(bench.library, entry.ref)
        found = bench.why(entry.ref, Ask(role=given.text("role"), repository=there))
        return {
            "ref": bench.library.short(entry.ref),
            "role": found.role,
            "included": found.is_in,
            "reason": found.reason.value if found.reason else "",
            "sentences": list(found.sentences),
            "tokens": found.tokens,
        }


_CALLS: Final[Mapping[str, Callable[[Call], Answer]]] = {
    "memory_store": _store,
    "memory_get_recent": _get_recent,
    "memory_search_by_path": _search_by_path,
    "memory_refresh": _refresh,
    "memory_invalidate": _invalidate,
    "memory_supersede": _supersede,
    "memory_log_applied": _log_applied,
    "memory_read_citation": _read_citation,
    "memory_verify_citations": _verify_citations,
    "memory_stats": _stats,
    "memory_propose": _propose,
    "memory_compose": _compose,
    "memory_why": _why,
}
"""Tool → what it does; a test holds it against `TOOLS`."""
