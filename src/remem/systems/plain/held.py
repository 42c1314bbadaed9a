"""Writes to auto memory that a hook of Claude Code held back, as files in remem's own state.

Each file is one call of the tool `Write` or `Edit`, as the tool was asked to make it (*Hooks
reference*, `PreToolUse` input), with what the file said then. It is shown where its memory is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.base.clock import moment_at
from remem.base.errors import NotPossible
from remem.core.system import Addition, Ground
from remem.model.change import Create, Delete, Derived, Effect, Json
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.layout import Base
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import ON_REQUEST, Source, SourceKind
from remem.store.io import Unreadable, real_path
from remem.systems.plain.discover import layouts_here
from remem.systems.plain.facets import HELD, HELD_NOTE
from remem.systems.plain.held_record import TOOLS, HeldWrite, held_in
from remem.systems.plain.layouts import AUTO_MEMORY

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting

_PLACE: Final = "user"
_AGENTS: Final = (".claude/agent-memory", ".claude/agent-memory-local")


def is_auto_memory(ground: Ground, path: Path) -> bool:
    """Tell whether a file is memory that Claude Code writes by itself at a root."""
    if path.suffix != ".md":
        return False
    for place in (path, real_path(path)):
        for base in (ground.root, ground.home):
            if any(place.is_relative_to(base / each) for each in _AGENTS):
                return True
        for layout in layouts_here(ground):
            base = ground.home if layout.base is Base.HOME else ground.root
            if layout.name in AUTO_MEMORY and place.is_relative_to(base):
                name = place.relative_to(base).as_posix()
                if any(fnmatchcase(name, each.replace("/**/", "/*")) for each in layout.files):
                    return True
    return False


def held_call(ground: Ground, told: Mapping[str, Any], at: int) -> HeldWrite | None:
    """Return the call that a hook is told of, if it writes auto memory; `None` = it does not.

    Args:
        ground: Where the agent works.
        told: What `PreToolUse` gives a hook on its input.
        at: When, in microseconds since the epoch.
    """
    tool, given = told.get("tool_name"), told.get("tool_input")
    if tool not in TOOLS or not isinstance(given, dict):
        return None
    path = Path(str(given.get("file_path") or ""))
    if not path.is_absolute() or not is_auto_memory(ground, path):
        return None
    before = None
    if ground.disk.kind(path) is not None:
        try:
            before = ground.disk.read(path).decode()
        except (Unreadable, UnicodeDecodeError):
            return None  # what is no text cannot be compared later, and the tool refuses it too
    return HeldWrite(path, tool, given, before, at, str(told.get("session_id") or ""))


class HeldWrites:
    """What a hook held back, behind the one protocol."""

    name = HELD
    kinds: tuple[str, ...] = ()

    def discover(self, ground: Ground) -> Iterator[Source]:
        if ground.held is None:
            return
        for path in ground.disk.walk(ground.held, 1, ".json"):
            held = None
            with suppress(Unreadable):
                held = held_in(ground.disk.read(path))
            if held is None or is_auto_memory(ground, held.path):
                name = f"held/{path.name}"
                yield Source(name, HELD, "", _PLACE, SourceKind.DOCUMENT, path, ON_REQUEST)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        source = replace(source, data=data, digest=digest_of(data))
        held = held_in(data)
        if held is None:
            message = f"`{source.name}` is no write that was held back"
            problem = Problem("shape", message, "remove it", source.path)
            return replace(source, problems=(*source.problems, problem))
        entry = Entry(
            ref=Ref(HELD, source.path.stem, source.place),
            kind=HELD_NOTE,
            title=held.title,
            status=Status.CANDIDATE,
            at=WholeFile(source.path),
            digest=source.digest,
            date=moment_at(held.at).date().isoformat(),
            context=held.tool,
        )
        return replace(source, entries=(entry,))

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.plain.held_waiting import HeldBack

        return (HeldBack(),)

    def waiting(self, source: Source) -> Iterator[Entry]:
        yield from source.entries

    def record(self, source: Source, entry: Entry) -> Record | None:
        return None

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        held = held_in(source.data)
        return dict(held.given) if held is not None else {}

    def body(self, source: Source, entry: Entry) -> str:
        held = held_in(source.data)
        return held.text if held is not None else source.data.decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        raise NotPossible("what is held back is not edited", hint="approve it, then edit the file")

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        if status is entry.status:
            return ()
        raise NotPossible("it can only be approved or rejected", hint="approve it or reject it")

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        return (Delete(source.path, source.data, source.digest),)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        raise NotPossible("only a hook holds writes back", hint="add to a file that is loaded")

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


def file_of_held(ground: Ground, held: HeldWrite) -> Create | None:
    """Return what keeps a call for review, filed by its time; `None` = the same waits already."""
    assert ground.held is not None
    if any(name.endswith(f"-{held.call}.json") for name in ground.disk.names(ground.held)):
        return None
    return Create(ground.held / f"{held.at:017d}-{held.call}.json", held.as_bytes())
