"""Where other memories speak of a persona by its name, and what writes its new name there.

Nothing is rewritten unasked: a name may be an everyday word. What a persona's own files say of it
is not looked at here, and archives keep what they said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from remem.base.errors import Refused
from remem.base.text import count
from remem.model.change import Splice
from remem.model.entry import Ref
from remem.model.layout import Part
from remem.model.persona import persona_key
from remem.model.source import SourceKind
from remem.systems.personas.group import Persona
from remem.systems.personas.read import read_source
from remem.systems.personas.source import PersonaSource

LISTED: Final = 5
"""Mentions that are quoted one by one."""
_WIDE: Final = 72


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a memory has the name; offsets in bytes."""

    source: PersonaSource
    start: int
    end: int
    line: int
    text: str
    """The line it stands in."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What writes the new name, and which refs change by it."""

    splices: tuple[Splice, ...]
    touched: Mapping[Ref, Ref | None]


def mentions(sources: Sequence[PersonaSource], persona: Persona) -> tuple[Mention, ...]:
    """Return where living memories of others, and the team's, have the persona's name."""
    own = {persona_key(persona.name), *(persona_key(s.owner) for s in persona.sources)}
    spelled = {persona.name, *(source.owner for source in persona.sources)} - {""}
    names = sorted(map(re.escape, spelled), key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(names)})(?![\w-])")
    return tuple(
        mention
        for source in sources
        if _may_be_rewritten(source) and persona_key(source.owner) not in own
        for mention in _in_source(source, pattern)
    )


def mention_notes(sources: Sequence[PersonaSource], persona: Persona, name: str) -> Iterator[str]:
    """Yield what to tell of mentions that a rename leaves as they are."""
    if name == persona.name:
        return
    found = mentions(sources, persona)
    if not found:
        return
    files = len({mention.source.path for mention in found})
    yield (
        f"`{persona.name}` stays in {count(len(found), 'place')} of "
        f"{count(files, 'other memory', 'other memories')}, unless the references are rewritten too"
    )
    for mention in found[:LISTED]:
        text = mention.text.strip()
        shown = f"{text[:_WIDE]}…" if len(text) > _WIDE else text
        yield f"`{mention.source.name}` line {mention.line}: {shown}"
    if len(found) > LISTED:
        yield f"and {count(len(found) - LISTED, 'more place')}"


def rewrites(sources: Sequence[PersonaSource], persona: Persona, name: str) -> Rewritten:
    """Plan to write the new name wherever other memories have the old one.

    Raises:
        Refused: A memory would be read otherwise.
    """
    by_path: dict[Path, list[Mention]] = {}
    for mention in mentions(sources, persona):
        by_path.setdefault(mention.source.path, []).append(mention)
    splices: list[Splice] = []
    touched: dict[Ref, Ref | None] = {}
    for found in by_path.values():
        source = found[0].source
        edits = [_splice(mention, name) for mention in found]
        after = read_source(source, _applied(source.data, edits))
        if len(after.entries) != len(source.entries):
            raise Refused(
                f"`{source.name}` would be read otherwise with the new name",
                hint="rename without the references, and edit that file",
            )
        pairs = zip(source.entries, after.entries, strict=True)
        touched |= {old.ref: new.ref for old, new in pairs if old.digest != new.digest}
        splices += edits
    return Rewritten(tuple(splices), touched)


def _may_be_rewritten(source: PersonaSource) -> bool:
    is_memory = source.kind is SourceKind.MEMORY and source.part not in (Part.ARCHIVE, Part.INBOX)
    return is_memory and source.is_writable and not source.archived


def _in_source(source: PersonaSource, pattern: re.Pattern[str]) -> Iterator[Mention]:
    text = source.data.decode()
    at = offset = 0
    line = 1
    for match in pattern.finditer(text):
        offset += len(text[at : match.start()].encode())
        line += text.count("\n", at, match.start())
        at = match.start()
        first = text.rfind("\n", 0, at) + 1
        last = text.find("\n", at)
        whole = text[first : last if last >= 0 else len(text)]
        yield Mention(source, offset, offset + len(match[0].encode()), line, whole)


def _splice(mention: Mention, name: str) -> Splice:
    source = mention.source
    old = source.data[mention.start : mention.end]
    return Splice(source.path, mention.start, mention.end, old, name.encode(), source.digest)


def _applied(data: bytes, splices: Sequence[Splice]) -> bytes:
    for splice in reversed(splices):
        data = data[: splice.start] + splice.new + data[splice.end :]
    return data
