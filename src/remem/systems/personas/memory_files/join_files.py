"""Puts one memory at the end of another, bytes unchanged, and proves that no unit was lost.

It plans what is written and says where each unit went. What becomes of the files that the text
came from is up to whoever asks; nothing is deduplicated here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from remem.base.errors import NotPossible, Refused
from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.edit.markdown import BOM, Kind
from remem.model.change import Create, Effect, Splice
from remem.model.entry import Entry, Ref
from remem.store.overlay import Overlay
from remem.systems.personas.discover import discover
from remem.systems.personas.read import document_of, passages, read_source
from remem.systems.personas.source import PersonaSource


@dataclass(frozen=True, slots=True)
class Joined:
    """What joining would write, and how its units add up."""

    effects: tuple[Effect, ...]
    touched: Mapping[Ref, Ref | None]
    there: int
    """Units that stood in the files that were added to."""
    added: int


@dataclass(slots=True)
class _File:
    """One file that takes text."""

    into: PersonaSource | None
    """As it stands; `None` = it is not there yet."""
    data: bytes
    parts: list[PersonaSource] = field(default_factory=list)
    """What was put at its end, in order."""


class Joining:
    """One plan in the making."""

    def __init__(self, ground: Ground, sources: Sequence[PersonaSource], heading: str) -> None:
        """Say what the added parts are called: the text of a heading of the second level."""
        self._ground = ground
        self._sources = {source.path: source for source in sources}
        self._heading = heading
        self._files: dict[Path, _File] = {}

    def add(self, source: PersonaSource, target: Path) -> None:
        """Put a memory at the end of the file at `target`, which is made if it is not there.

        Raises:
            NotPossible: One of the two is only for reading, or something else lies there.
        """
        if not source.entries and not any(each.blocks_writing for each in source.problems):
            return
        file = self._files.get(target) or self._open(target)
        for each in (source, file.into):
            if each is not None and each.why_read_only:
                raise NotPossible(each.why_read_only, hint="fix it in your editor first")
        file.data = _joined(file.data, self._heading, source.data.removeprefix(BOM))
        file.parts.append(source)
        self._files[target] = file

    def finish(self, follow: Callable[[bytes], bytes] = bytes) -> Joined:
        """Return what to write.

        Args:
            follow: Writes paths anew in what was added, once it is proved to be whole.

        Raises:
            Refused: A unit would be parsed differently in its new place.
        """
        effects = tuple(_effect(path, file) for path, file in self._files.items())
        after = read_after(self._ground, [*self._sources.values()], effects, self._files)
        touched: dict[Ref, Ref | None] = {}
        there = added = 0
        for path, file in self._files.items():
            stood = len(file.into.entries) if file.into is not None else 0
            new = [entry for part in file.parts for entry in part.entries]
            found = self._paired(file, after[path])
            touched |= {entry.ref: other.ref for entry, other in zip(new, found, strict=True)}
            there, added = there + stood, added + len(new)
        moved, effects = self._followed(after, effects, follow)
        touched = {old: moved.get(new, new) if new else new for old, new in touched.items()}
        return Joined(effects, touched, there, added)

    def _followed(
        self,
        after: Mapping[Path, PersonaSource],
        effects: tuple[Effect, ...],
        follow: Callable[[bytes], bytes],
    ) -> tuple[Mapping[Ref, Ref], tuple[Effect, ...]]:
        """Return the effects with paths written anew, and which refs that changes."""
        changed: list[Path] = []
        for path, file in self._files.items():
            end = len(file.into.data) if file.into is not None else 0
            data = file.data[:end] + follow(file.data[end:])
            if data != file.data:
                file.data = data
                changed.append(path)
        if not changed:
            return {}, effects
        effects = tuple(_effect(path, file) for path, file in self._files.items())
        again = read_after(self._ground, [*self._sources.values()], effects, changed)
        moved: dict[Ref, Ref] = {}
        for path in changed:
            before, now = after[path].entries, again[path].entries
            if len(before) != len(now):
                raise Refused(
                    f"`{path}` would be parsed differently with updated paths",
                    hint="nothing was written; change the paths in your editor first",
                )
            moved |= {a.ref: b.ref for a, b in zip(before, now, strict=True)}
        return moved, effects

    def _open(self, target: Path) -> _File:
        into = self._sources.get(target)
        if into is not None:
            return _File(into, into.data)
        if self._ground.disk.kind(target) is not None:
            raise NotPossible(
                f"`{target}` exists and is not memory", hint="move it away, then try again"
            )
        return _File(None, b"")

    def _paired(self, file: _File, after: PersonaSource) -> list[Entry]:
        """Return the entry that each added unit became, in order."""
        stood = file.into.entries if file.into is not None else ()
        entries = list(after.entries)
        came = [entry for part in file.parts for entry in part.entries]
        is_same = [e.digest for e in entries[: len(stood)]] == [e.digest for e in stood]
        found = entries[len(stood) :]
        own = {entry.ref for part in file.parts for entry in _front_matter(part)}
        pairs = zip(came, found, strict=False)
        differ = [a for a, b in pairs if a.digest != b.digest and a.ref not in own]
        if is_same and not differ and len(found) == len(came):
            return found
        raise Refused(
            f"{len(stood)} units plus {len(came)} would be parsed as {len(entries)}",
            hint="nothing was written; check both for an unclosed code fence",
        )


def read_after(
    ground: Ground,
    sources: Sequence[PersonaSource],
    effects: Sequence[Effect],
    paths: Collection[Path],
) -> Mapping[Path, PersonaSource]:
    """Return files of memory as the effects would leave them.

    Raises:
        Refused: One of them would not be recognised as memory.
    """
    shown = {source.path: source.data for source in sources if source.digest}
    disk = Overlay(ground.disk, effects, shown)
    wanted = set(paths)
    found = {
        source.path: read_source(source, disk.read(source.path))
        for source in discover(replace(ground, disk=disk))
        if source.path in wanted
    }
    for path in paths:
        if path not in found:
            raise Refused(f"`{path}` would not be recognised as memory", hint="nothing was written")
    return found


def _front_matter(source: PersonaSource) -> tuple[Entry, ...]:
    """Return the entry of a file's front matter, which is plain text below a heading."""
    first = passages(source)[0].unit
    is_front = first >= 0 and document_of(source.data).units[first].kind is Kind.FRONT_MATTER
    return (source.entries[0],) if is_front else ()


def _joined(data: bytes, heading: str, more: bytes) -> bytes:
    """Return `data` with a heading and `more` behind it, one blank line between the parts."""
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    lead = b""
    if data.removeprefix(BOM):
        lead = b"" if data.endswith(b"\n") else newline
        lead += b"" if (data + lead).endswith(newline * 2) else newline
    return b"".join([data, lead, b"## ", heading.encode(), newline * 2, more])


def _effect(path: Path, file: _File) -> Effect:
    if file.into is None:
        return Create(path, file.data)
    end = len(file.into.data)
    return Splice(path, end, end, b"", file.data[end:], file.into.digest)
