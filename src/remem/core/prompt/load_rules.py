"""Which plain files a tool loads at its start, which while it works, and why the others not.

Pure: it holds the tools' rules, as data says them, against a folder and the files worked on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.model.globs import is_inside
from remem.model.loader import Above, Below, Front, Loads, Tool
from remem.model.prompt import Ask
from remem.model.source import LoaderKind
from remem.systems.plain.source import PlainSource, Reached

SEEN: Final = "the agent sees only its description, and decides"
"""Why a file is not loaded of which name and description are listed."""
_LATE: Final = 9
"""The stage of what comes in while the agent works."""


@dataclass(frozen=True, slots=True)
class Way:
    """One file, as one row of a tool's rules comes to it."""

    source: PlainSource
    loads: Loads
    reached: Reached
    place: tuple[int, int, int, int, str]
    """Where it stands in the tool's order."""
    why: str = ""
    """Why it is not loaded; empty = it is."""

    @property
    def kind(self) -> LoaderKind:
        return self.loads.loader or self.source.loader.kind


@dataclass(frozen=True, slots=True)
class Work:
    """Where an agent is started, and what it works on."""

    root: Path
    folder: Path
    checkout: Path | None
    """The top of the checkout that the folder lies in."""
    files: tuple[str, ...] = ()
    """Paths and globs below the root."""

    @classmethod
    def of(cls, ground: Ground, ask: Ask) -> Work:
        root = ground.root
        folder = root / ask.folder if ask.folder else root
        checkouts = (up for up in (folder, *folder.parents) if ground.disk.kind(up / ".git"))
        files = tuple(path.removeprefix("./") for path in ask.files)
        return cls(root, folder, next(checkouts, None), files)

    def is_below(self, folder: Path) -> bool:
        """Tell whether the agent works on a file in that folder or below it."""
        if not folder.is_relative_to(self.root):
            return False
        place = folder.relative_to(self.root).as_posix()
        return any(path.startswith(f"{place}/") for path in self.files)

    def fits(self, source: PlainSource, folder: Path) -> bool:
        """Tell whether the agent works on a file that one of a rule's globs fits."""
        return any(
            is_inside(path, glob)
            for glob in source.told.globs
            for path in self._as_seen(folder, glob, source.plain.front)
        )

    def _as_seen(self, folder: Path, glob: str, front: Front) -> Iterator[str]:
        yield from self.files
        if folder != self.root and folder.is_relative_to(self.root):
            place = f"{folder.relative_to(self.root).as_posix()}/"
            yield from (p.removeprefix(place) for p in self.files if p.startswith(place))
        if front is Front.CURSOR and "/" not in glob:
            yield from (path.rpartition("/")[2] for path in self.files)


def ways_of(tool: Tool, sources: Sequence[PlainSource], work: Work) -> tuple[Way, ...]:
    """Return every file that the tool's rules come to, in the tool's order, each once."""
    found: dict[Path, Way] = {}
    for index, loads in enumerate(tool.loads):
        for source, reached in _reached(sources, loads.layout):
            way = _way(loads, index, source, reached, work)
            why = "" if loads.lists else excluded(tool, source, reached.path)
            why = why or _shadowed(tool, loads, reached, sources, work) or way.why
            way = Way(source, loads, reached, way.place, why)
            known = found.get(source.path)
            if known is None or (known.why and not way.why):
                found[source.path] = way
    return tuple(sorted(found.values(), key=lambda way: way.place))


def _reached(sources: Sequence[PlainSource], layout: str) -> Iterator[tuple[PlainSource, Reached]]:
    for source in sources:
        for reached in source.reached:
            if reached.layout == layout:
                yield source, reached


def _way(loads: Loads, index: int, source: PlainSource, reached: Reached, work: Work) -> Way:
    name = str(reached.path)
    depth = len(reached.folder.parts) if reached.scope != "user" else 0
    stage, why = loads.stage, loads.never or _out_of_place(loads, reached, work)
    kind = loads.loader or source.loader.kind
    is_below = reached.scope != "user" and _is_below(reached.folder, work)
    if not why and is_below and loads.below is Below.ON_WORK:
        stage = _LATE
    if not why and kind is LoaderKind.BY_PATH:
        stage, why = _LATE, _not_worked_on(source, reached, work)
    elif not why:
        why = _by_kind(kind, loads)
    return Way(source, loads, reached, (stage, depth, index, reached.order, name), why)


def _is_below(folder: Path, work: Work) -> bool:
    return folder != work.folder and folder not in work.folder.parents


def _out_of_place(loads: Loads, reached: Reached, work: Work) -> str:
    """Say why a file's folder keeps it out of the start; empty = it does not."""
    folder = reached.folder
    if reached.scope == "user" or folder == work.folder:
        return ""
    if _is_below(folder, work):
        if loads.below is Below.AT_START or (
            loads.below is Below.ON_WORK and work.is_below(folder)
        ):
            return ""
        place = folder.relative_to(work.root).as_posix()
        if loads.below is Below.ON_WORK:
            return f"loaded only when the agent works on a file in `{place}/`"
        return f"loaded only when the agent is started in `{place}/`"
    if loads.above is Above.ALL or _is_inside(folder, _highest(loads.above, work)):
        return ""
    return "it lies above the folder that the agent is started in"


def _highest(above: Above, work: Work) -> Path | None:
    """Return up to where a tool looks; `None` = nowhere but in the folder itself."""
    match above:
        case Above.PROJECT:
            return work.checkout or work.root
        case Above.CHECKOUT:
            return work.checkout
        case _:
            return None


def _is_inside(folder: Path, top: Path | None) -> bool:
    return top is not None and folder.is_relative_to(top)


def _not_worked_on(source: PlainSource, reached: Reached, work: Work) -> str:
    if work.fits(source, reached.folder):
        return ""
    globs = ", ".join(f"`{glob}`" for glob in source.told.globs)
    return f"loaded only when the agent works on {globs}"


def _by_kind(kind: LoaderKind, loads: Loads) -> str:
    match kind:
        case LoaderKind.WHOLE | LoaderKind.HEAD | LoaderKind.TAIL:
            return ""
        case LoaderKind.DESCRIBED:
            return SEEN
        case LoaderKind.BY_NAME:
            return "loaded only when somebody names it"
        case LoaderKind.NAMES_ONLY:
            return "only its name is loaded"
        case LoaderKind.ON_REQUEST:
            return "the agent opens this file itself when it needs it"
        case _:
            because = f": {loads.unknown}" if loads.unknown else ""
            return f"whether it is loaded is not known{because}"


def _is_users(source: PlainSource) -> bool:
    return any(reached.scope == "user" for reached in source.reached)


def _shadowed(
    tool: Tool, loads: Loads, reached: Reached, sources: Sequence[PlainSource], work: Work
) -> str:
    """Say which file keeps this one out; empty = none does."""
    for layout in loads.unless:
        for source, other in _reached(sources, layout):
            if _is_users(source) or _is_below(other.folder, work):
                continue
            if excluded(tool, source, other.path):
                continue
            if _says_something(tool, layout, source):
                return f"{tool.title} leaves it alone where `{source.name}` is"
    for layout in loads.unless_beside:
        for source, other in _reached(sources, layout):
            if excluded(tool, source, other.path):
                continue
            is_beside = other.folder == reached.folder
            if is_beside and (loads.even_empty or _says_something(tool, layout, source)):
                return f"shadowed by `{source.name}` beside it"
    return ""


def excluded(tool: Tool, source: PlainSource, *shown: Path) -> str:
    """Say which setting keeps a file out; empty = none does.

    Args:
        tool: Whose settings.
        source: The file.
        shown: As the tool finds it, where that is a link.
    """
    for glob, settings in tool.excludes:
        if any(is_inside(path.as_posix(), glob) for path in (source.path, *shown)):
            return f"`claudeMdExcludes` in `{settings}` keeps it out"
    return ""


def _says_something(tool: Tool, layout: str, source: PlainSource) -> bool:
    """Tell whether a file holds more than what the tool takes out of it."""
    is_stripped = any(each.strips_comments for each in tool.loads if each.layout == layout)
    return bool((source.without_comments if is_stripped else source.data).strip())
