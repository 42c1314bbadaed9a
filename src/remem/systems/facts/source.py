"""Where verified memory lies, and the source that it is: rows, and whether their proofs hold.

The code is looked at when somebody asks whether a memory holds, and never before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.code.code_reader import plain_path
from remem.core.system import Ground
from remem.model.citation import Citation, Verdict
from remem.model.entry import Entry, Problem
from remem.model.source import COMPOSED, Source, SourceKind
from remem.store.io import Stamp
from remem.systems.facts.database.lazy_rows import Active, Memories
from remem.systems.facts.database.row_records import DATABASE
from remem.systems.facts.records import Memory

FORMAT: Final = "verified"
TABLE: Final = "agent_memory"
EVENTS: Final = "agent_memory_telemetry"


_AT_ONCE: Final = 1_000
"""Memories whose code is looked at together: one look for each of them would take a minute."""


class Proofs:
    """What became of the citations of memories; each is looked at once, when it is asked for."""

    def __init__(self, ground: Ground, top: Path, before: Proofs | None = None) -> None:
        """Begin with nothing known.

        Args:
            ground: Says how a citation is checked.
            top: What citations are relative to.
            before: Those of the last snapshot; what held there, in a file that is as it was, holds.
        """
        self._ground = ground
        self._top = top
        self._known: dict[str, tuple[Verdict, ...]] = {}
        self._stamps: dict[str, Stamp | None] = {}
        self._held: dict[tuple[str, Citation], tuple[Stamp, Verdict]] = {}
        self._before: Mapping[tuple[str, Citation], tuple[Stamp, Verdict]] = (
            before._held if before is not None else {}  # noqa: SLF001 - of the same class
        )

    def of(self, memories: Sequence[Memory]) -> tuple[tuple[Verdict, ...], ...]:
        """Return the verdicts on the citations of each memory, the files read in one go."""
        new = [memory for memory in memories if memory.id not in self._known]
        for repository in dict.fromkeys(memory.repository for memory in new):
            own = [memory for memory in new if memory.repository == repository]
            found = self._look(repository, [each for memory in own for each in memory.citations])
            for memory in own:
                self._known[memory.id] = tuple(found[each] for each in memory.citations)
        return tuple(self._known[memory.id] for memory in memories)

    def are_current(self) -> bool:
        """Tell whether every file that was looked at is as it was."""
        return all(self._stamp(path) == stamp for path, stamp in self._stamps.items())

    def one(self, memory: Memory, active: Active) -> tuple[Verdict, ...]:
        """Return the verdicts on one memory in force; those around it are looked at in one go."""
        if memory.id not in self._known:
            self.of(active.around(memory, _AT_ONCE))
        return self._known[memory.id]

    def _look(self, repository: str, citations: Sequence[Citation]) -> Mapping[Citation, Verdict]:
        # Stamps are taken before the look: a file that is written meanwhile is looked at again.
        stamps = {path: self._stamp(path) for path in {each.path for each in citations}}
        self._stamps |= stamps
        found: dict[Citation, Verdict] = {}
        for citation in citations:
            held = self._before.get((repository, citation))
            if held is not None and held[0] == stamps[citation.path]:
                found[citation] = held[1]
        wanted = [each for each in dict.fromkeys(citations) if each not in found]
        found |= zip(wanted, self._ground.given.prove(repository, wanted), strict=True)
        for citation, verdict in found.items():
            stamp = stamps[citation.path]
            if verdict.is_valid and stamp is not None:
                self._held[repository, citation] = (stamp, verdict)
        return found

    def _stamp(self, path: str) -> Stamp | None:
        plain = plain_path(path)
        return self._ground.disk.stamp(self._top / plain) if plain else None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VerifiedSource(Source):
    """The rows of one database."""

    ground: Ground = field(repr=False)
    memories: Memories = field(default_factory=Memories, repr=False)
    """Oldest first."""
    proofs: Proofs | None = field(default=None, repr=False)

    @property
    def active(self) -> Active:
        """The memories in force."""
        return self.memories.active

    @property
    def unread(self) -> Problem | None:
        """Why its rows cannot be read now; what is known of them may be old, or nothing."""
        return next((each for each in self.problems if each.blocks_writing), None)

    @property
    def is_current(self) -> bool:
        """True while no file that was looked at is another one."""
        return self.proofs is not None and self.proofs.are_current()

    def judged(self) -> Iterator[tuple[Memory, tuple[Verdict, ...]]]:
        """Yield the memories in force with the verdicts on their citations."""
        if self.proofs is not None:
            yield from zip(self.active, self.proofs.of(self.active), strict=True)

    def chain(self, memory: Memory) -> tuple[Memory, ...]:
        """Return versions, oldest first, the memory itself among them."""
        back = [*self._followed(memory, lambda each: each.supersedes)]
        on = self._followed(memory, lambda each: each.superseded_by)
        return (*reversed(back), memory, *on)

    def _followed(self, memory: Memory, step: Callable[[Memory], str]) -> Iterator[Memory]:
        seen = {memory.id}
        here: Memory | None = memory
        while here is not None and (here := self.memories.named(step(here))) is not None:
            if here.id in seen:
                return  # a circle, which no verb makes
            seen.add(here.id)
            yield here


def discover(ground: Ground) -> Iterator[VerifiedSource]:
    """Yield the database that is configured, else that of the root if there is one."""
    own, server = ground.root / DATABASE, ground.given.server
    has_own = ground.disk.kind(own) == "file"
    if server is None and not has_own:
        return
    message = f"`{DATABASE}` is ignored: a database server is configured"
    unused = Problem("memory-unused-file", message, "move it away, or remove the database URL", own)
    yield VerifiedSource(
        "verified memory",
        FORMAT,
        "",
        ground.project,
        SourceKind.STORE,
        own if server is None else server.path,
        COMPOSED,
        part="memory",
        problems=(unused,) if server is not None and has_own else (),
        is_served=server is not None,
        ground=ground,
    )


def verified_sources(sources: Sequence[Source]) -> list[VerifiedSource]:
    """Return the sources of this format among others."""
    return [source for source in sources if isinstance(source, VerifiedSource)]


def memory_at(source: VerifiedSource, entry: Entry) -> Memory:
    """Return the memory that an entry of this source stands for."""
    found = source.memories.named(entry.ref.id)
    assert found is not None
    return found
