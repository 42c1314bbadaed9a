"""Writes to auto memory that a hook of Claude Code held back, as files in remem's own state.

Each file is one call of the tool `Write` or `Edit`, as the tool was asked to make it (*Hooks
reference*, `PreToolUse` input), with what the file said then. It is shown where its memory is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.base.clock import moment_at
from remem.base.errors import Already, NotPossible
from remem.core.library import Library
from remem.core.system import Ground
from remem.edit.patch import splice_to
from remem.model.change import Change, Create, Effect, Intent, Json
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.layout import Base
from remem.model.source import ON_REQUEST, Source, SourceKind
from remem.store.io import Unreadable, real_path
from remem.systems.plain.discover import layouts_here
from remem.systems.plain.facets import HELD, HELD_NOTE
from remem.systems.plain.held.held_record import TOOLS, HeldWrite, held_in
from remem.systems.plain.plain_layouts import AUTO_MEMORY
from remem.systems.waiting_only import WaitingOnly

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting
    from remem.systems.plain.held.held_verbs import HoldBack


_PLACE: Final = "user"
_AGENTS: Final = (".claude/agent-memory", ".claude/agent-memory-local")


def is_auto_memory(ground: Ground, path: Path) -> bool:
    """Tell whether a file is memory that Claude Code writes by itself at a root."""
    if path.suffix != ".md":
        return False
    for place in (path, real_path(path)):
        agents = [found(each) for found in (ground.root.joinpath, ground.usual) for each in _AGENTS]
        if any(place.is_relative_to(each) for each in agents):
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


class HeldWrites(WaitingOnly):
    """What a hook held back, behind the one protocol."""

    name = HELD
    called = "a write that is held back"
    adds = "only a hook holds writes back"
    adds_elsewhere = "add the text to a file that is loaded"

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

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        held = held_in(source.data)
        assert held is not None
        return splice_to(source.path, source.data, held.edited(fields), source.digest)

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.plain.held.held_waiting import HeldBack

        return (HeldBack(),)

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        held = held_in(source.data)
        return dict(held.given) if held is not None else {}

    def body(self, source: Source, entry: Entry) -> str:
        held = held_in(source.data)
        return held.text if held is not None else source.data.decode("utf-8", "replace")


def file_of_held(ground: Ground, held: HeldWrite) -> Create | None:
    """Return what keeps a call for review, filed by its time; `None` = the same waits already."""
    assert ground.held is not None
    if any(name.endswith(f"-{held.call}.json") for name in ground.disk.names(ground.held)):
        return None
    return Create(ground.held / f"{held.at:017d}-{held.call}.json", held.as_bytes())


def plan_hold(library: Library, intent: Intent, args: HoldBack) -> Change:
    """Plan to keep a call for review.

    Raises:
        Already: The same call is held back already.
        NotPossible: It writes no memory that is held back.
    """
    ground = library.ground
    at = int(ground.given.clock.now().timestamp() * 1_000_000)
    held = held_call(ground, args.call, at)
    if held is None or ground.held is None:
        raise NotPossible("that writes no memory that is held back", hint="let it be written")
    kept = file_of_held(ground, held)
    if kept is None:
        raise Already("it is held back already")
    return Change(intent, f"Hold back a write to `{held.path.name}`", (kept,))
