"""Who starts here, and what they start with: of a revision as of the work tree.

What each tool loads by itself the systems know, which are asked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.counter import Counter
from remem.core.registered import own
from remem.core.repositories import within
from remem.core.system import Ground
from remem.model.loader import Tool
from remem.model.memo import kept
from remem.model.prompt import Ask, Layer, LeftOut, Prompt, Verdict
from remem.model.source import Source


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """One file of an agent's start."""

    path: Path
    name: str
    tokens: int
    """Of what is loaded."""
    total: int
    """Tokens of the whole file, as its tool would hand it on."""
    why: str = ""
    """Why it is not loaded, or not all of it; empty = all of it is."""
    is_meant: bool = False
    """What is not loaded was written for people: comments."""

    @property
    def is_cut(self) -> bool:
        return self.tokens < self.total

    @property
    def lost(self) -> int:
        """Tokens that an agent should get and does not; what is meant for people is no loss."""
        return 0 if self.is_meant else self.total - self.tokens


@dataclass(frozen=True, slots=True)
class Agent:
    """Somebody who starts with memory, and what they start with."""

    name: str
    tool: str
    layout: str
    """Of a named agent the layout, of a tool its id."""
    tokens: int
    """Of the whole start, as loaded."""
    exact: bool
    """They are those that its model counts; else they carry `≈`."""
    files: tuple[LoadedFile, ...]
    """In loading order."""
    left: tuple[LoadedFile, ...] = ()
    """Files that exist for it and are not loaded at startup."""
    lists: tuple[tuple[str, int, int], ...] = ()
    """Names or descriptions that it is given: of what, of how many files, and their tokens."""
    around: int = 0
    """Tokens that are of no file: a profile out of a database."""
    unseen: tuple[str, ...] = ()
    """What it gets besides and nobody can count, in words."""
    stopped: str = ""
    """Why its tool does not start here; empty = it does."""

    @property
    def ask(self) -> Ask:
        """What to ask `as_loaded` for to see the start."""
        return Ask(agent=self.name, persona=self.name, layout=self.layout)


@dataclass(frozen=True, slots=True)
class Shared:
    """The instructions of a project as an agent gets them beside its own files."""

    layers: tuple[Layer, ...] = ()
    """Each with a blank line before it."""
    sources: tuple[Source, ...] = ()
    left: tuple[LeftOut, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    notes: tuple[str, ...] = ()


class Sharing(Protocol):
    """Gathers what several agents of one library are given alike, for as long as they are asked."""

    def of(self, tool: Tool, ask: Ask) -> Shared:
        """Return what a tool gives its named agents too when it is started as `ask` says."""
        ...

    def tools(self, folder: str) -> Sequence[Tool]:
        """Return the tools as their settings have them where they are started."""
        ...

    def about(self, name: str) -> Sequence[Source]:
        """Return an agent's own files and those that are nobody's own, in the library's order."""
        ...


class Starts(Protocol):
    """What knows how tools start."""

    def as_loaded(
        self,
        ground: Ground,
        sources: Sequence[Source],
        ask: Ask,
        counter: Counter,
        sharing: Sharing | None = None,
    ) -> Prompt:
        """Return what an agent gets at its start, each line with its file and entry."""
        ...

    def agents(
        self, ground: Ground, sources: Sequence[Source], counter: Counter
    ) -> tuple[Agent, ...]:
        """Return who starts with what: tools that read plain files, then named agents."""
        ...

    def names_of(self, ground: Ground, sources: Sequence[Source]) -> Iterator[tuple[str, str, str]]:
        """Yield name, tool and layout of everyone who starts here, as `agents` does, uncounted."""
        ...

    def reader_here(self, ground: Ground, sources: Sequence[Source], name: str) -> Tool | None:
        """Return the tool of that id or title if it reads a file that is here."""
        ...

    def sharing(self, ground: Ground, sources: Sequence[Source], counter: Counter) -> Sharing:
        """Return what gathers what agents of these sources are given alike."""
        ...


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who loads files at their start."""

    name: str
    tool: str
    layout: str
    """Of a named agent the layout, of a tool its id."""

    @property
    def ask(self) -> Ask:
        return Ask(agent=self.name, persona=self.name, layout=self.layout)


@kept
def agents(library: Library, counter: Counter) -> tuple[Agent, ...]:
    """Return who starts with what: tools that read plain files, then named agents.

    Of one snapshot and one counter it is worked out once.
    """
    return own().starts().agents(library.ground, library.sources, counter)


def agents_of(library: Library, repository: str = "") -> tuple[Who, ...]:
    """Return everyone who loads files here: tools first, then named agents, in a steady order.

    Args:
        library: Whose files.
        repository: One of an open workspace; empty = what its repositories share.
    """
    view = within(library, repository)
    found = own().starts().names_of(view.ground, view.sources)
    return tuple(Who(name, tool, layout) for name, tool, layout in found)


def reader_named(library: Library, name: str, repository: str = "") -> Who | None:
    """Return the tool of that id or title, whatever its case, if it reads a file that is here.

    It need not be one of `agents_of`: another tool's file may be all that tells who is used here.
    """
    view = within(library, repository)
    tool = own().starts().reader_here(view.ground, view.sources, name)
    return Who(tool.title, tool.title, tool.id) if tool is not None else None


def sharing(library: Library, counter: Counter) -> Sharing:
    """Return what gathers what agents of a library are given alike."""
    return own().starts().sharing(library.ground, library.sources, counter)


def as_loaded(library: Library, ask: Ask, counter: Counter, among: Sharing | None = None) -> Prompt:
    """Return what an agent gets at its start, each line with its file and entry.

    Args:
        library: Whose files.
        ask: Names the agent, or the persona; says where it is started and what it works on.
        counter: Counts tokens.
        among: Of `sharing`, where several agents are asked for.
    """
    given = (library.ground, library.sources, ask, counter, among)
    return own().starts().as_loaded(*given)


def is_composed(library: Library, layout: str) -> bool:
    """Tell whether remem can add the project's rules to what the agents of a layout load."""
    return any(each.name == layout and each.composed for each in library.ground.layouts)


def agents_called(
    library: Library, name: str, *, layout: str = "", repository: str = ""
) -> tuple[Who, ...]:
    """Return the agents of that name, whatever its case: several where layouts have one each."""
    return tuple(
        who
        for who in agents_of(library, repository)
        if who.name.casefold() == name.casefold() and layout in ("", who.layout)
    )
