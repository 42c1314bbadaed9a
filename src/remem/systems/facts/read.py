"""Reads verified memory: a row is an entry, and what it rests on are the files that it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.code.code_reader import plain_path
from remem.code.worktree import top_of
from remem.model.change import Json
from remem.model.citation import CitationStatus, Verdict
from remem.model.entry import FACT, Entry, Problem, Ref, Row, Status, digest_of
from remem.model.source import KnowsRefs
from remem.store.databases.rows import BadDatabase
from remem.systems.facts.database.lazy_rows import Memories, read_memories
from remem.systems.facts.records import Memory
from remem.systems.facts.source import FORMAT, TABLE, Proofs, VerifiedSource

_QUOTED: Final = 5_000
"""Of more memories the text has one line each: to quote their code would take too long."""


class Facts(KnowsRefs):
    """Entries of memories; whether a memory holds is part of what was shown of it."""

    __slots__ = ("_source",)

    def __init__(self, source: VerifiedSource) -> None:
        super().__init__([None] * len(source.memories))
        self._source = source

    @property
    def is_complete(self) -> bool:
        """True of few, too: their rows are there, so that nothing about them is a guess."""
        return len(self) <= _QUOTED or super().is_complete

    def make(self, index: int) -> Entry:
        return entry_of(self._source, self._source.memories[index])

    def ref(self, index: int) -> Ref:
        return Ref(FORMAT, self._source.memories.ids[index], self._source.place)

    def find(self, ref: Ref) -> int | None:
        here = self._source.memories.places.get(ref.id)
        return here if here is not None and ref == self.ref(here) else None


def read(source: VerifiedSource, before: VerifiedSource | None) -> VerifiedSource:
    """Return the source with its rows, as text that a person can read, and what it rests on."""
    try:
        memories, problem = _memories_of(source, before)
    except BadDatabase as error:
        problem = Problem(error.code, str(error), error.hint, path=source.path, blocks_writing=True)
        return replace(source, problems=(*source.problems, problem))
    if problem is not None:
        source = replace(source, problems=(*source.problems, problem))
    if memories is None:
        return source
    coming = source.ground.disk.coming_rows(source.path)
    if coming:
        memories = memories.with_edits([edit for edit in coming if edit.table == TABLE])
    is_same = before is not None and before.problems == source.problems
    if before is not None and is_same and before.memories == memories and before.is_current:
        return before  # somebody wrote down what they read, and nothing else
    top = top_of(source.ground.disk, source.ground.root) or source.ground.root
    cited = dict.fromkeys(map(plain_path, memories.cited))
    is_long = len(memories) > _QUOTED
    told = "\n".join(memories.lines()) if is_long else "\n\n".join(map(as_text, memories))
    data = told.encode("utf-8", "replace")
    found = replace(
        source,
        data=data,
        digest=digest_of(data),
        memories=memories,
        proofs=Proofs(source.ground, top, before.proofs if before is not None else None),
        rests_on=tuple(top / path for path in cited if path),
    )
    return replace(found, entries=Facts(found))


def _memories_of(
    source: VerifiedSource, before: VerifiedSource | None
) -> tuple[Memories | None, Problem | None]:
    """Return the memories, and what is wrong; `None` = a server did not say yet what it holds."""
    server = source.ground.given.server
    if server is None:
        known = before.memories if before is not None else None
        return read_memories(source.path, source.ground.tenant, known), None
    from remem.systems.facts.database.server_rows import MemoryServer

    assert isinstance(server, MemoryServer)  # `facets.server` made it
    held = server.held
    return held.memories if held.is_known else None, held.problem


def entry_of(source: VerifiedSource, memory: Memory) -> Entry:
    """Return the entry of a memory.

    What became of its proofs is part of its digest: who decided on `changed`, with the new text
    beside the old, did not decide on a third one.
    """
    shown = [as_text(memory), *(_said(verdict) for verdict in judged(source, memory))]
    return Entry(
        ref=Ref(FORMAT, memory.id, source.place),
        kind=FACT,
        title=memory.fact,
        status=memory.status,
        at=Row(source.path, TABLE, memory.id),
        digest=digest_of("\0".join(shown).encode("utf-8", "surrogatepass")),
        context=memory.subject,
        date=memory.refreshed_at.date().isoformat() if memory.refreshed_at else "",
        problems=memory.problems,
    )


def judged(source: VerifiedSource, memory: Memory) -> tuple[Verdict, ...]:
    """Return the verdicts on a memory in force; of another one nobody asks."""
    if memory.status is not Status.ACTIVE or source.proofs is None:
        return ()
    return source.proofs.one(memory, source.active)


def _said(verdict: Verdict) -> str:
    return "\0".join((verdict.status, str(verdict.moved_to), verdict.content or "", verdict.error))


def fields_of(source: VerifiedSource, memory: Memory) -> Mapping[str, Json]:
    """Return what a memory holds, in the order of its columns, and whether it holds now."""
    found: dict[str, Json] = {
        "repo": memory.repository,
        "subject": memory.subject,
        "fact": memory.fact,
    }
    if memory.reason:
        found["reason"] = memory.reason
    found["citations"] = [str(each) for each in memory.citations]
    verdicts = judged(source, memory)
    bad = [verdict for verdict in verdicts if not verdict.is_valid]
    if bad:
        # Without the line it moved to: whoever re-anchors means the text, wherever it stands.
        found["checked"] = [f"{verdict.citation} {verdict.status}" for verdict in bad]
    changed = [each.content or "" for each in bad if each.status is CitationStatus.CHANGED]
    if changed:
        found["stands_there_now"] = list(changed)
    rest: Mapping[str, Json] = {
        "created_by": memory.created_by,
        "supersedes": memory.supersedes,
        "superseded_by": memory.superseded_by,
    }
    return {**found, **{name: value for name, value in rest.items() if value}}


def as_text(memory: Memory) -> str:
    """Return a memory as text: what it says, and the lines that prove it."""
    lines = [f"# {memory.subject}", "", memory.fact]
    if memory.reason:
        lines += ["", f"Why: {memory.reason}"]
    for citation in memory.citations:
        lines += ["", f"{citation}", *_quoted(citation.snippet)]
    return "\n".join([*lines, "", f"{memory.repository} · {memory.status} · {memory.id}"])


def _quoted(snippet: str | None) -> Sequence[str]:
    return [] if snippet is None else [f"    {line}" for line in snippet.split("\n")]
