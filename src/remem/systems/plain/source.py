"""A plain file's source: a memory file without an owner, and the layouts that reach it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import UnknownRef
from remem.base.frozen import dataclass
from remem.model.layout import Layout, LayoutFile, Part
from remem.model.loader import Front, Linked, PlainLayout
from remem.model.source import Source
from remem.systems.personas.claude_agents import definition_body
from remem.systems.personas.source import PersonaSource
from remem.systems.plain.import_syntax import blocks_of_comment, front_end

FORMAT: Final = "plain"
IMPORTED: Final = "imported"
"""Name of the layout of files that are only there because another one imports them."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A way in which a layout comes to a file."""

    layout: str
    folder: Path
    """The folder that the layout's pattern started from."""
    path: Path
    """As the tool finds it: a link, where the file itself lies elsewhere."""
    order: int = 0
    """Place of its pattern in the layout."""
    scope: str = ""
    """The layout's: where the home folder lies above the root, a file may be had in two."""
    linked: Linked = ""
    """What of it is a link itself: the file, or the folder that it lies in."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands in a skill, for tools that list more or less of it than others."""

    name: str
    """Empty = it is called after its folder."""
    description: str
    is_described: bool
    """False: its first lines stand for a description."""
    is_bare: bool
    """It has no front matter."""
    is_hidden: bool
    """It says that only a person may call it."""
    are_texts: bool = True
    """False: a reader of YAML takes its name or its description for something else."""
    refusal: str = ""
    """What a tool that reads front matter strictly skips it for."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the front matter of a rule file says."""

    globs: tuple[str, ...] = ()
    description: str = ""
    name: str = ""
    """What it calls itself."""
    parts: Parts | None = None
    """Of a skill or a command."""


NOTHING: Final = Told()
_WORD: Final = re.compile(r"[\w.:-]+")
SKILL: Final = "SKILL.md"
"""The file of a skill, which is called after its folder."""


def is_word(name: str) -> bool:
    """Tell whether a name has nothing but letters, digits, `_`, `.`, `:` and `-`."""
    return bool(_WORD.fullmatch(name))


def listed(name: str, told: Told, most: int = 0) -> str:
    """Return the line by which a tool lists a file of which it loads no more.

    Args:
        name: As the file is called by its place.
        told: What it says of itself.
        most: Characters of a description; more are cut, and `…` tells of it.
    """
    own = f" ({told.name})" if told.name not in ("", name) else ""
    said = told.description
    if most and len(said) > most:
        said = f"{said[: most - 1]}…"
    return f"- {name}{own}: {said}" if said else f"- {name}{own}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlainSource(PersonaSource):
    """One instruction, rule or note file; its units are edited like those of a memory."""

    plain: PlainLayout
    reached: tuple[Reached, ...] = ()
    """The source's own layout first."""
    archive: Path
    """Where archived units go."""
    told: Told = NOTHING

    @property
    def unit_archive(self) -> Path:
        return self.archive

    @property
    def named(self) -> tuple[str, str]:
        """Name and description as they stand in front matter; empty = there is none."""
        parts = self.told.parts
        if parts is None:
            return "", ""
        return parts.name, parts.description if parts.is_described else ""

    @property
    def stripped(self) -> bytes:
        """The file without front matter and the comments that have their lines to themselves."""
        data = self.data
        for start, end in reversed(list(blocks_of_comment(data))):
            data = data[:start] + data[end:]
        return data[front_end(data) :]

    @property
    def body(self) -> bytes:
        """What a tool hands on: a rule without its front matter; Copilot leaves it in."""
        is_handed_on = self.plain.front in {Front.NONE, Front.APPLY_TO}
        return self.data if is_handed_on else definition_body(self.data)


def file_named(sources: Iterable[PlainSource], name: str) -> PlainSource:
    """Return the file that is called so, as it is listed or as its refs begin.

    Raises:
        UnknownRef: There is none.
    """
    living = [source for source in sources if not source.archived]
    found = next((each for each in living if name in (each.name, each.ref_id)), None)
    if found is not None:
        return found
    known = ", ".join(f"`{each.name}`" for each in living[:8])
    raise UnknownRef(f"no plain file `{name}`", hint=f"files here: {known or 'none'}")


def plain_sources(sources: Iterable[Source]) -> tuple[PlainSource, ...]:
    """Return those that this format made."""
    return tuple(source for source in sources if isinstance(source, PlainSource))


@lru_cache(maxsize=256)
def file_of(layout: PlainLayout, part: Part) -> LayoutFile:
    """Return how files of a layout are read, in the words of the personas' reader."""
    return LayoutFile(pattern="*", part=part, reader=layout.reader, loader=layout.loader)


@lru_cache(maxsize=256)
def rules_of(layout: PlainLayout) -> Layout:
    """Return a layout in the words of the personas' verbs: nobody owns what lies in it."""
    return Layout(
        name=layout.name,
        tool=layout.tool,
        scope="" if layout.scope == "managed" else layout.scope,
        base=layout.base,
        folder="{persona}",
        memory=(file_of(layout, Part.TOPIC),),
        claim=layout.claim,
    )
