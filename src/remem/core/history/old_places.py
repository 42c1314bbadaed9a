"""Where something stood before it was archived, told by the change that archived it.

An archive names the headings that a text stood below; beside what it stood there the history alone
knows. What a system planned stays wherever its neighbours are gone, or where the file would hold
anything else than that plan makes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from remem.core.history.removed import lacks_now, plain
from remem.core.library import Library
from remem.edit.merge_lines import Clash
from remem.edit.patch import merge_in, reverse, splice_to
from remem.model.change import Change, Effect, Splice
from remem.model.entry import Ref
from remem.model.source import Source
from remem.store.changes.steps import Edited, Step


def in_old_places(
    library: Library,
    change: Change,
    brought: Callable[[Collection[Ref]], Mapping[Ref, Sequence[Step]]],
) -> Change:
    """Return a restoring change with each text where it stood, as far as that can be told.

    Args:
        library: The snapshot that it was planned on.
        change: What the systems planned.
        brought: Gives what the changes did that brought entries into their archive.
    """
    sources = {source.path: source for source in library.sources}
    found = brought(change.intent.shown)
    steps = {ref: found[ref] for ref in change.intent.shown if ref in found}
    effects = change.effects
    for path in dict.fromkeys(each.path for each in effects if isinstance(each, Splice)):
        source = sources.get(path)
        if source is not None:
            effects = _back(library, source, effects, [*_went(library, path, steps)])
    return change if effects is change.effects else replace(change, effects=effects)


def _went(
    library: Library, path: Path, steps: Mapping[Ref, Sequence[Step]]
) -> Iterator[tuple[str, Edited]]:
    """Yield the text of each entry that left a file for its archive, and how the file changed."""
    for ref, done in steps.items():
        text = plain(library.entry(ref).title) if library.has(ref) else ""
        for step in done if text else ():
            if isinstance(step, Edited) and step.path == path:
                yield text, step


def _back(
    library: Library,
    source: Source,
    effects: tuple[Effect, ...],
    went: Sequence[tuple[str, Edited]],
) -> tuple[Effect, ...]:
    """Return effects that put the texts back where they stood in one file, or those given."""
    now = source.data
    for step in dict.fromkeys(step for _, step in went):
        texts = [text for text, each in went if each == step]
        turned = zip(step.patches, reverse(step.patches), strict=True)
        chosen = [back for patch, back in turned if any(lacks_now(patch, text) for text in texts)]
        merged = merge_in(now, chosen, step.size_after)
        if isinstance(merged, Clash):
            return effects
        now = merged
    own = [each for each in effects if isinstance(each, Splice) and each.path == source.path]
    if now == source.data or _told(library, source, now) != _told(
        library, source, _after(source.data, own)
    ):
        return effects
    others = tuple(each for each in effects if each not in own)
    return (*splice_to(source.path, source.data, now, source.digest), *others)


def _after(data: bytes, splices: Sequence[Splice]) -> bytes:
    for each in sorted(splices, key=lambda splice: splice.start, reverse=True):
        data = data[: each.start] + each.new + data[each.end :]
    return data


def _told(library: Library, source: Source, data: bytes) -> Counter[tuple[str, ...]]:
    """Return what a file holds with those bytes, and under which headings, in whatever order."""
    reader = library.format(source.format).reader
    read = reader.read(replace(source, problems=()), data)
    return Counter((each.title, each.context, each.date, each.digest) for each in read.entries)
