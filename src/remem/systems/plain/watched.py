"""Which folders and files are watched for plain files, whether one of them is there yet or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from remem.core.system import Ground
from remem.model.layout import Base, fixed_folder
from remem.model.loader import Where
from remem.model.source import Source
from remem.systems.plain.discover import at_root, layouts_here
from remem.systems.plain.source import PlainSource


def watched_folders(ground: Ground) -> Iterator[Path]:
    """Yield the folders that layouts take in whole, at this root."""
    bases = {Base.ROOT: ground.root, Base.HOME: ground.home}
    for layout in ground.plain:
        if any("*" in pattern for pattern in layout.files):
            here = at_root(layout, ground).files
            yield from (fixed_folder(bases[layout.base], each) for each in here if "*" in each)


def watched_files(ground: Ground, sources: Sequence[Source]) -> Iterator[Path]:
    """Yield files that are watched by themselves: they lie where all else is no memory."""
    for source in sources:
        if isinstance(source, PlainSource):
            yield from (source.path, *(reached.path for reached in source.reached))
    bases = {Base.ROOT: ground.root, Base.HOME: ground.home}
    for layout in layouts_here(ground):
        for pattern in layout.files:
            if "*" not in pattern and layout.where is not Where.BELOW:
                yield bases[layout.base] / pattern
