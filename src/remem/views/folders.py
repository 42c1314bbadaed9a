"""In which folders an agent may be started, as choices: where instructions of their own lie.

Pure: it knows the library's files and nothing of widgets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from remem.core.library import Library
from remem.model.prompt import Ask
from remem.systems.plain.source import plain_sources
from remem.views.choice import Choice

FOLDER: Final = "folder "
"""What the id of such a choice begins with; what follows is the folder below the root."""


def folder_choices(library: Library, ask: Ask) -> list[Choice]:
    """Return the folders that the chosen agent gets something else in, and the way back."""
    if not ask.agent:
        return []
    back = [Choice(FOLDER, f"{ask.agent} in the root", "folder")] if ask.folder else []
    return back + [
        Choice(f"{FOLDER}{place}", f"{ask.agent} in {place}/", "folder")
        for place in sorted({*_folders(library)})
        if place != ask.folder
    ]


def started_in(ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a folder is chosen."""
    return replace(ask, folder=chosen.removeprefix(FOLDER))


def _folders(library: Library) -> Iterator[str]:
    root = library.ground.root
    for source in plain_sources(library.sources):
        for reached in source.reached:
            if root in reached.folder.parents and source.plain.files != ("*",):
                yield reached.folder.relative_to(root).as_posix()
