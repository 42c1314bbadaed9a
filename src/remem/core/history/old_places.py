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

from remem.base.errors import RememError
from remem.core.history.removed import lacks_now, plain
from remem.core.library import Library
from remem.edit.merge_lines import Clash
from remem.edit.patch import Patch, merge_in, reverse, splice_to
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
    own = [each for each in effects if isinstance(each, Splice) and each.path == source.path]
    wanted = _told(library, source, _after(source.data, own))
    for put_back in (_all_of, _without_others):
        now = put_back(library, source, went)
        if now not in (None, source.data) and _told(library, source, now) == wanted:
            others = tuple(each for each in effects if each not in own)
            return (*splice_to(source.path, source.data, now, source.digest), *others)
    return effects


def _all_of(library: Library, source: Source, went: Sequence[tuple[str, Edited]]) -> bytes | None:
    """Return a file with all back that was taken out of it in one place with the texts."""
    now = source.data
    for step in dict.fromkeys(step for _, step in went):
        texts = [text for text, each in went if each == step]
        merged = merge_in(now, _taking_back(step, texts), step.size_after)
        if isinstance(merged, Clash):
            return None
        now = merged
    return now


def _without_others(
    library: Library, source: Source, went: Sequence[tuple[str, Edited]]
) -> bytes | None:
    """Return a file with the texts back alone, between what stands there of their neighbours."""
    now: bytes | None = source.data
    for step in dict.fromkeys(step for _, step in went):
        if now is not None:
            texts = frozenset(text for text, each in went if each == step)
            now = _back_alone(library, source, now, step, texts)
    return now


def _back_alone(
    library: Library, source: Source, now: bytes, step: Edited, texts: Collection[str]
) -> bytes | None:
    """Return a file with the texts back that a step took out, and nothing else that it took out.

    What was taken out in one place comes back as a whole. So what stands there again of it
    is taken away first, and what did not stand there afterwards. That this moves nothing else is
    seen by taking the texts out again: it has to leave the file as it stands.
    """
    back = _taking_back(step, texts)
    stood, taken = _titles(library, source, now), reverse(back)

    def is_other(title: str) -> bool:
        return title not in texts and any(lacks_now(each, title) for each in taken)

    bare = _left_out(library, source, now, is_other)
    merged = merge_in(bare, back, step.size_after) if bare is not None else None
    if merged is None or isinstance(merged, Clash):
        return None
    left = _left_out(library, source, merged, lambda title: is_other(title) and title not in stood)
    if left is None or _left_out(library, source, left, texts.__contains__) != now:
        return None
    return left


def _taking_back(step: Edited, texts: Collection[str]) -> list[Patch]:
    """Return what takes back the parts of a step that took one of the texts out."""
    turned = zip(step.patches, reverse(step.patches), strict=True)
    return [back for patch, back in turned if any(lacks_now(patch, text) for text in texts)]


def _titles(library: Library, source: Source, data: bytes) -> frozenset[str]:
    read = library.format(source.format).reader.read(replace(source, problems=()), data)
    return frozenset(plain(each.title) for each in read.entries)


def _left_out(
    library: Library, source: Source, data: bytes, is_meant: Callable[[str], bool]
) -> bytes | None:
    """Return bytes of a file without the entries of some titles; `None` where one cannot go."""
    each = library.format(source.format)
    while True:
        read = each.reader.read(replace(source, problems=()), data)
        found = next((e for e in read.entries if is_meant(plain(e.title))), None)
        if found is None:
            return data
        try:
            effects = each.keeper.remove(read, found)
        except RememError:
            return None
        splices = [e for e in effects if isinstance(e, Splice) and e.path == source.path]
        less = _after(data, splices)
        if len(splices) < len(effects) or len(less) >= len(data):
            return None
        data = less


def _after(data: bytes, splices: Sequence[Splice]) -> bytes:
    for each in sorted(splices, key=lambda splice: splice.start, reverse=True):
        data = data[: each.start] + each.new + data[each.end :]
    return data


def _told(library: Library, source: Source, data: bytes) -> Counter[tuple[str, ...]]:
    """Return what a file holds with those bytes, and under which headings, in whatever order."""
    reader = library.format(source.format).reader
    read = reader.read(replace(source, problems=()), data)
    return Counter((each.title, each.context, each.date, each.digest) for each in read.entries)
