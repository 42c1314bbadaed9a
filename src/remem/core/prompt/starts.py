"""Who starts here, and what they start with, for those who compare or add up starts.

It asks `loaded.py`, of any library: of a revision as of the work tree.
"""

from __future__ import annotations

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.loaded import as_loaded, names_of, reader_here
from remem.core.prompt.tokens import Counter
from remem.core.prompt.tool_files import Sharing
from remem.core.repositories import within
from remem.model.prompt import Ask, Prompt


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


def agents_of(library: Library, repository: str = "") -> tuple[Who, ...]:
    """Return everyone who loads files here: tools first, then named agents, in a steady order.

    Args:
        library: Whose files.
        repository: One of an open workspace; empty = what its repositories share.
    """
    view = within(library, repository)
    found = names_of(view.ground, view.sources)
    return tuple(Who(name, tool, layout) for name, tool, layout in found)


def reader_named(library: Library, name: str, repository: str = "") -> Who | None:
    """Return the tool of that id or title, whatever its case, if it reads a file that is here.

    It need not be one of `agents_of`: another tool's file may be all that tells who is used here.
    """
    view = within(library, repository)
    tool = reader_here(view.ground, view.sources, name)
    return Who(tool.title, tool.title, tool.id) if tool is not None else None


def start_of(
    library: Library, who: Who, counter: Counter, sharing: Sharing | None = None
) -> Prompt:
    """Return what one of `agents_of` gets at their start."""
    formats, ground, sources = library.formats, library.ground, library.sources
    return as_loaded(formats, ground, sources, who.ask, counter, sharing)
