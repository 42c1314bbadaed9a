"""Writes that Hermes staged, as files: `~/.hermes/pending/{memory,skills}/ID.json`.

Where `memory.write_approval` or `skills.write_approval` is on, Hermes writes what it wants to
remember there instead of into memory (`tools/write_approval.py` of NousResearch/hermes-agent, read
on 2026-11-25): `id`, `subsystem`, `action`, `summary`, `origin`, `created_at`, and as `payload` the
exact arguments of the write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remem.core.system import Ground
from remem.edit.patch import splice_to
from remem.model.change import Effect, Json
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.source import ON_REQUEST, Source, SourceKind
from remem.systems.hermes.facets import HELD, NAME, PENDING
from remem.systems.hermes.record import held_in
from remem.systems.waiting_only import WaitingOnly

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting

SUBSYSTEMS: Final = ("memory", "skills")
_PLACE: Final = "user"


class Hermes(WaitingOnly):
    """What Hermes holds back, behind the one protocol."""

    name = NAME
    called = "a write that Hermes holds back"
    adds = "only Hermes stages writes"
    adds_elsewhere = "add the text to a file that it loads"

    def discover(self, ground: Ground) -> Iterator[Source]:
        for subsystem in SUBSYSTEMS:
            for path in ground.disk.walk(ground.usual(PENDING) / subsystem, 1, ".json"):
                name = ground.shown(path)
                document = SourceKind.DOCUMENT
                yield Source(name, NAME, "", _PLACE, document, path, ON_REQUEST, part=subsystem)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        source = replace(source, data=data, digest=digest_of(data))
        held = held_in(data)
        if held is None:
            message = f"`{source.name}` is not a write that Hermes staged"
            problem = Problem("shape", message, "check what wrote it", source.path)
            return replace(source, problems=(*source.problems, problem))
        entry = Entry(
            ref=Ref(NAME, f"{source.part}/{source.path.stem}", source.place),
            kind=HELD,
            title=held.text or held.summary or source.path.stem,
            status=Status.CANDIDATE,
            at=WholeFile(source.path),
            digest=source.digest,
            date=held.created,
            context=held.action,
        )
        return replace(source, entries=(entry,))

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        held = held_in(source.data)
        assert held is not None
        return splice_to(source.path, source.data, held.edited(source.data, fields), source.digest)

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.hermes.waiting import HeldBack

        return (HeldBack(),)

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        held = held_in(source.data)
        return dict(held.payload) if held is not None else {}

    def body(self, source: Source, entry: Entry) -> str:
        return source.data.decode("utf-8", "replace")
