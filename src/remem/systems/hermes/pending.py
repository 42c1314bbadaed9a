"""Writes that Hermes staged, as files: `~/.hermes/pending/{memory,skills}/ID.json`.

Where `memory.write_approval` or `skills.write_approval` is on, Hermes writes what it wants to
remember there instead of into memory (`tools/write_approval.py` of NousResearch/hermes-agent, read
on 2026-11-25): `id`, `subsystem`, `action`, `summary`, `origin`, `created_at`, and as `payload` the
exact arguments of the write.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.system import Addition, Ground
from remem.model.change import Delete, Derived, Effect, Json
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import ON_REQUEST, Source, SourceKind
from remem.systems.hermes.facets import HELD, NAME, PENDING
from remem.systems.hermes.record import held_in

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting

SUBSYSTEMS: Final = ("memory", "skills")
_PLACE: Final = "user"


class Hermes:
    """What Hermes holds back, behind the one protocol."""

    name = NAME
    kinds: tuple[str, ...] = ()

    def discover(self, ground: Ground) -> Iterator[Source]:
        for subsystem in SUBSYSTEMS:
            for path in ground.disk.walk(ground.home / PENDING / subsystem, 1, ".json"):
                name = f"~/{PENDING}/{subsystem}/{path.name}"
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

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.hermes.waiting import HeldBack

        return (HeldBack(),)

    def waiting(self, source: Source) -> Iterator[Entry]:
        yield from source.entries

    def record(self, source: Source, entry: Entry) -> Record | None:
        return None

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        held = held_in(source.data)
        return dict(held.payload) if held is not None else {}

    def body(self, source: Source, entry: Entry) -> str:
        return source.data.decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        raise NotPossible(
            "a write that Hermes holds back cannot be edited", hint="approve it or reject it"
        )

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        if status is entry.status:
            return ()
        raise NotPossible(
            "a write that Hermes holds back can only be approved or rejected",
            hint="approve it or reject it",
        )

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return (Delete(source.path, source.data, source.digest),)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        raise NotPossible("only Hermes stages writes", hint="add the text to a file that it loads")

    def derived(self, ground: Ground, touched: Collection[Path]) -> tuple[Derived, ...]:
        return ()

    def render(self, ground: Ground, sources: Sequence[Source], path: Path) -> bytes | None:
        return None

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        return None

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        return ()

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        return ()
