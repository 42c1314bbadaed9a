"""Layouts: where a kind of agent keeps its files and how it loads them, as data.

A user adds one in the configuration without code. Patterns are checked here so that none can leave
its base; what they match is found in `systems/personas/discover.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from remem.base.frozen import dataclass
from remem.model.record import After, Limit
from remem.model.source import Loader, LoaderKind

PERSONA: Final = "{persona}"
"""Stands for the persona's name in a pattern; one part of a path."""
PROJECT: Final = "{project}"
"""Stands for the project's name in a pattern; one part of a path."""

_PLACEHOLDER: Final = r"\{[^{}]*\}"
_DRIVE: Final = r"[A-Za-z]:"


class Base(StrEnum):
    """The folder that a layout's patterns start from."""

    ROOT = "root"
    HOME = "home"


class Part(StrEnum):
    """What a file is to its persona or team."""

    MAIN = "main"
    CORE = "core"
    WORKING = "working"
    TOPIC = "topic"
    ARCHIVE = "archive"
    TEAM = "team"
    INBOX = "inbox"
    CHARTER = "charter"
    DEFINITION = "definition"
    PROFILE = "profile"
    ROSTER = "roster"
    ROUTING = "routing"
    REGISTRY = "registry"


class Reader(StrEnum):
    """How the text of a file falls into entries."""

    DATED = "dated"
    """Sections start at dated headings only; undated ones belong to the dated one above."""
    OUTLINE = "outline"
    """Sections nest by heading level."""
    DECISIONS = "decisions"
    """Entries are headings with what stands below them."""
    LOG = "log"
    """Entries are headings that begin with an id, with what stands below; the rest are units."""
    PARTED = "parted"
    """Entries are parted by lines of `§`."""
    WHOLE = "whole"
    """The file is one entry."""
    DOCUMENT = "document"
    """Browsed only: no entries."""


def inside(pattern: str) -> str:
    """Return `pattern` if it stays inside its base.

    Raises:
        ValueError: It is empty, absolute, climbs, or has a placeholder that remem does not know.
    """
    if not pattern.strip():
        raise ValueError("a pattern is empty; write a path below the layout's base")
    if "\\" in pattern or "\0" in pattern:
        raise ValueError(f"`{pattern}` holds a backslash or NUL; separate folders by `/`")
    if pattern.startswith(("/", "~")) or re.match(_DRIVE, pattern):
        raise ValueError(f"`{pattern}` is not below the layout's base; leave out the leading part")
    if any(part in {"..", ".", ""} for part in pattern.split("/")):
        raise ValueError(f"`{pattern}` has an empty, `.` or `..` part; a pattern stays in its base")
    for placeholder in re.findall(_PLACEHOLDER, pattern):
        if placeholder not in {PERSONA, PROJECT, "{stamp}"}:
            raise ValueError(
                f"`{placeholder}` in `{pattern}` is not a placeholder; "
                "there are `{persona}`, `{project}` and `{stamp}`"
            )
    return pattern


def _folder_of_a_persona(folder: str) -> str:
    if folder.split("/")[-1] != PERSONA or folder.count(PERSONA) != 1:
        raise ValueError(f"`folder` is `{folder}`; its last part, and only that, is `{PERSONA}`")
    if any(sign in folder for sign in "*?["):
        raise ValueError(f"`folder` is `{folder}`; only memory files may be globs")
    return folder


def _inside_or_empty(path: str) -> str:
    return inside(path) if path else path


def _file_beside(name: str) -> str:
    if "/" in inside(name):
        raise ValueError(f"`unit_archive` is `{name}`; it is the name of a file beside memory")
    return name


Pattern = Annotated[str, After(inside)]
"""A path below a base: parts separated by `/`, with globs and placeholders."""
_Folder = Annotated[str, After(inside), After(_folder_of_a_persona)]
_Size = Annotated[int, Limit("ge", 0)]
AS_WRITTEN: Final[Mapping[str, Any]] = {"extra": "forbid", "str_strip_whitespace": True}
"""How pydantic reads a layout of the configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoaderRule:
    """How an agent gets a file, as configuration writes it."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = AS_WRITTEN

    kind: LoaderKind = LoaderKind.WHOLE
    lines: _Size = 0
    bytes: _Size = 0
    characters: _Size = 0

    def __post_init__(self) -> None:
        if self.kind is LoaderKind.HEAD and not (self.lines or self.bytes or self.characters):
            raise ValueError("a `head` loader needs `lines`, `bytes` or `characters`")
        if self.kind is LoaderKind.ENDS and not self.bytes:
            raise ValueError("an `ends` loader needs `bytes`")
        if self.kind is LoaderKind.TAIL and not self.characters:
            raise ValueError("a `tail` loader needs `characters`")

    def loader(self) -> Loader:
        return Loader(self.kind, self.lines, self.bytes, self.characters)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutFile:
    """Files of one part: where they lie, how they are read, how they are loaded."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = AS_WRITTEN

    pattern: Pattern
    """Below the persona's folder; below the base for files of a team and for profiles."""
    part: Part = Part.MAIN
    reader: Reader = Reader.OUTLINE
    loader: LoaderRule = LoaderRule()
    budget: _Size = 0
    """Tokens when remem composes; 0 = shares the budget of the layer it goes into."""
    mark: _Size = 0
    """The tool's own limit in bytes: more is a problem; 0 = none."""
    writable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where a kind of agent keeps its memory."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = AS_WRITTEN

    name: Annotated[str, Limit("pattern", r"^[a-z0-9][a-z0-9-]*$")]
    tool: str = ""
    """What people call the system: `Claude Code`."""
    scope: Annotated[str, Limit("pattern", r"^(project|local|user|)$")] = ""
    base: Base = Base.ROOT
    folder: _Folder
    """A persona's folder below the base; it ends in `{persona}`."""
    memory: Annotated[tuple[LayoutFile, ...], Limit("min_length", 1)]
    """Below the persona's folder; the first pattern that fits a file decides."""
    shared: tuple[LayoutFile, ...] = ()
    """Below the base, for the whole team: decisions, inbox, roster, memory without an owner."""
    profiles: tuple[LayoutFile, ...] = ()
    """Below the base: charter, definition or profile of a persona."""
    database: Annotated[str, After(_inside_or_empty)] = ""
    """Database of profiles below the base."""
    archive: Pattern | None = None
    """Where an archived persona's folder goes, below the base: `….archived/{persona}-{stamp}`."""
    unit_archive: Annotated[str, After(_file_beside)] = "archive.md"
    """File beside a memory file that takes its archived units."""
    order: tuple[Part, ...] = ()
    """Parts in the order in which the tool loads them; empty = nothing is loaded by itself."""
    composed: bool = False
    """The tool makes a prompt of profile and memory itself; remem can add the project's rules."""
    coordinator: str = ""
    """Folder of the one who hands out the work: without a profile it is nobody's."""
    kebab: bool = False
    """Folders are named in lower case with hyphens, whatever the persona is called."""
    claim: str = ""
    """Where the knowledge about paths and loaders comes from: a document, code, a measurement."""

    def __post_init__(self) -> None:
        if self.archive is not None and self.archive.count(PERSONA) != 1:
            raise ValueError(f"`archive` is `{self.archive}`; it needs `{PERSONA}` once")
        for file in self.memory:
            if PERSONA in file.pattern:
                raise ValueError(f"`{file.pattern}` lies below `folder`; leave out `{PERSONA}`")
        if self.base is Base.HOME and self.scope in {"project", "local"}:
            raise ValueError(f"scope `{self.scope}` lies in the root; `base` says `home`")

    @property
    def home_of_personas(self) -> str:
        """The folder that holds the personas' folders, below the base; empty = the base itself."""
        return self.folder.removesuffix(PERSONA).rstrip("/")

    @property
    def main(self) -> LayoutFile | None:
        """The one file that a persona's refs need not name, and that is made for a new one."""
        parts = {Part.MAIN, Part.WORKING}
        fixed = [file for file in self.memory if not any(sign in file.pattern for sign in "*?")]
        return next((file for file in fixed if file.part in parts), None)

    @property
    def archive_file(self) -> LayoutFile:
        """How the file of archived units is read: like the memory that they come from."""
        return LayoutFile(
            pattern=self.unit_archive,
            part=Part.ARCHIVE,
            reader=self.memory[0].reader,
            loader=LoaderRule(kind=LoaderKind.NOT_KNOWN),
        )


def fixed_folder(base: Path, pattern: str) -> Path:
    """Return the folder below which all that fits a layout's pattern lies."""
    parts = pattern.split("/")
    named = [any(sign in part for sign in "*?[{") for part in parts]
    fixed = parts[: named.index(True)] if True in named else parts[:-1]
    return base.joinpath(*fixed)
