"""Writes that Hermes staged, as files: `~/.hermes/pending/{memory,skills}/ID.json`.

Where `memory.write_approval` or `skills.write_approval` is on, Hermes writes what it wants to
remember there instead of into memory (`tools/write_approval.py` of NousResearch/hermes-agent, read
on 2026-11-25): `id`, `subsystem`, `action`, `summary`, `origin`, `created_at`, and as `payload` the
exact arguments of the write.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.core.system import Addition, Ground
from remem.model.change import Delete, Derived, Effect, Json
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import ON_REQUEST, Source, SourceKind
from remem.systems.hermes.facets import HELD, NAME, PENDING

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting

SUBSYSTEMS: Final = ("memory", "skills")
_PLACE: Final = "user"


@dataclass(frozen=True, slots=True)
class Held:
    """One write that Hermes staged."""

    id: str
    subsystem: str
    action: str
    summary: str
    origin: str
    created: str
    """The day; empty = it does not say."""
    payload: Mapping[str, Any]

    @property
    def text(self) -> str:
        """What it would write, for people and for the gate that looks for secrets."""
        said = [self.payload.get(name) for name in ("content", "new_string", "file_content")]
        said += [each.get("content") for each in self.operations if isinstance(each, dict)]
        return "\n".join(each for each in said if isinstance(each, str) and each)

    @property
    def operations(self) -> Sequence[Any]:
        found = self.payload.get("operations")
        return found if isinstance(found, list) else ()


@lru_cache(maxsize=256)
def held_in(data: bytes) -> Held | None:
    """Return the write that a file holds; `None` = it is none."""
    try:
        told = json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    if not isinstance(told, dict) or not isinstance(told.get("payload"), dict):
        return None
    at = told.get("created_at")
    try:
        day = datetime.fromtimestamp(at, UTC).date().isoformat() if at else ""
    except (TypeError, ValueError, OverflowError, OSError):
        day = ""
    words = {name: str(told.get(name) or "") for name in ("id", "subsystem", "summary", "origin")}
    action = str(told["payload"].get("action") or told.get("action") or "")
    return Held(action=action, created=day, payload=told["payload"], **words)


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
            message = f"`{source.name}` is no write that Hermes staged"
            problem = Problem("shape", message, "see what wrote it", source.path)
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
        raise NotPossible("what Hermes holds back is not edited", hint="approve it or reject it")

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        if status is entry.status:
            return ()
        raise NotPossible("it only waits", hint="approve it or reject it")

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return (Delete(source.path, source.data, source.digest),)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        raise NotPossible("Hermes alone stages writes", hint="add to a file that it loads")

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
