"""Which plain files a tool loads at its start, which while it works, and why the others not.

Pure: it holds the tools' rules, as data says them, against a folder and the files worked on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.edit.markdown import BOM
from remem.model.globs import is_inside
from remem.model.loader import (
    Above,
    Below,
    Denied,
    Front,
    Keeps,
    Listing,
    Loads,
    Names,
    Tool,
)
from remem.model.prompt import Ask, Joins
from remem.model.source import LoaderKind
from remem.systems.plain.source import SKILL, Parts, PlainSource, Reached, is_word

SEEN: Final = "the agent sees only its description and decides"
"""Why a file is not loaded of which name and description are listed."""
_LONGEST_NAME: Final = 64
"""Characters of a name that Codex lists."""
_UNLISTED: Final = "its front matter lacks, or does not name it, or keeps it for a person"
_MAY_BE_NO_TEXT: Final = lazy_pattern(r"[-+.\w]+|\{.*")
"""What may be a number, a switch or keys to a reader of YAML: no glob, unless it is in a list."""
_LATE: Final = 9
"""The stage of what comes in while the agent works."""
_BETWEEN: Final = 2
"""The stage of what lies between, where a tool takes the two ends first."""
_BY_NAME: Final = frozenset({Front.CURSOR, Front.INCLUSION})
"""Whose globs without a folder fit a file in any."""
_ONE_PLACE: Final = frozenset({Above.ONLY_TOP, Above.ONLY_CHECKOUT})
_EXCLUDING: Final = frozenset({Front.APPLY_TO, Front.PATHS})
"""Kinds of rules that may name agents which are not to get them."""
_OPENED: Final = frozenset({LoaderKind.DESCRIBED, LoaderKind.BY_NAME, LoaderKind.ON_REQUEST})
"""How a file is loaded of which the agent has all once it opens it."""


@dataclass(frozen=True, slots=True)
class Way:
    """One file, as one row of a tool's rules comes to it."""

    source: PlainSource
    loads: Loads
    reached: Reached
    place: tuple[int, int, int, int, int, bool, int, str]
    """Where it stands in the tool's order."""
    why: str = ""
    """Why it is not loaded; empty = it is."""
    joins: Joins | None = None
    """Why it comes while the agent works; `None` = it is there from the start."""

    @property
    def kind(self) -> LoaderKind:
        return _kind(self.loads, self.source)

    @property
    def is_listed(self) -> bool:
        """Whether name and description may be listed at the start: it is not out of place."""
        return self.why in ("", SEEN) and self.joins is None

    @property
    def depth(self) -> int:
        """How deep the folder lies that it belongs to; 0 = it is the person's own."""
        return _depth(self.reached)


@dataclass(frozen=True, slots=True)
class Work:
    """Where an agent is started, and what it works on."""

    root: Path
    folder: Path
    checkout: Path | None
    """The top of the checkout that the folder lies in."""
    files: tuple[str, ...] = ()
    """Paths and globs below the root, in the order in which the agent works on them."""
    included: frozenset[Path] = frozenset()
    """Folders that count as those above the one where it is started."""

    @classmethod
    def of(cls, ground: Ground, tool: Tool, ask: Ask) -> Work:
        root, kind = ground.root, ground.disk.kind
        folder = root / ask.folder if ask.folder else root
        ups = (folder, *folder.parents)
        checkouts = (up for up in ups if any(kind(up / mark) for mark in tool.marks))
        files = tuple(path.removeprefix("./") for path in ask.files)
        return cls(root, folder, next(checkouts, None), files)

    def first_below(self, folder: Path) -> str:
        """Return the first file in that folder or below it that is worked on; empty = none is."""
        if not folder.is_relative_to(self.root):
            return ""
        place = folder.relative_to(self.root).as_posix()
        return next((path for path in self.files if path.startswith(f"{place}/")), "")

    def first_fitting(self, source: PlainSource, folder: Path) -> tuple[str, str]:
        """Return the first file that is worked on and a rule is for, and its glob; empty = none."""
        for path in self.files:
            for glob in source.told.globs:
                if any(is_inside(p, glob) for p in self._as_seen(path, folder, glob, source)):
                    return path, glob
        return "", ""

    def _as_seen(self, path: str, folder: Path, glob: str, source: PlainSource) -> Iterator[str]:
        yield path
        if folder != self.root and folder.is_relative_to(self.root):
            place = f"{folder.relative_to(self.root).as_posix()}/"
            if path.startswith(place):
                yield path.removeprefix(place)
        if source.plain.front in _BY_NAME and "/" not in glob:
            yield path.rpartition("/")[2]

    def opens(self, source: PlainSource) -> str:
        """Return how a file is called among those that are worked on; empty = it is none."""
        names = {str(source.path)}
        if source.path.is_relative_to(self.root):
            names.add(source.path.relative_to(self.root).as_posix())
        return next((path for path in self.files if path in names), "")


def ways_of(tool: Tool, sources: Sequence[PlainSource], work: Work) -> tuple[Way, ...]:
    """Return every file that the tool's rules come to, in the tool's order, each once."""
    found: dict[Path, Way] = {}
    for index, loads in enumerate(tool.loads):
        for source, reached in _reached(sources, loads.layout):
            if loads.below_alone and not _is_below(reached.folder, work):
                continue
            way = _way(tool, index, source, reached, work)
            why = "" if loads.lists else excluded(tool, loads, source, reached.path)
            why = why or _shadowed(tool, loads, reached, sources, work) or way.why
            way = replace(way, why=why, joins=way.joins if why in _shown(loads) else None)
            known = found.get(source.path)
            if known is None or (known.why and not way.why):
                found[source.path] = way
    ways = sorted(found.values(), key=lambda way: way.place)
    if not tool.by_name:
        return tuple(ways)
    from remem.systems.loading.rules_by_name import in_order  # one tool goes by names

    return in_order(tool, ways)


def _reached(sources: Sequence[PlainSource], layout: str) -> Iterator[tuple[PlainSource, Reached]]:
    for source in sources:
        for reached in source.reached:
            if reached.layout == layout:
                yield source, reached


def _way(tool: Tool, index: int, source: PlainSource, reached: Reached, work: Work) -> Way:
    loads = tool.loads[index]
    if work.included and (loads.lists or loads.lists_agents):
        work = replace(work, included=frozenset())  # of those folders come instructions alone
    why = loads.never or _out_of_place(loads, reached, work)
    if not why and loads.no_links and reached.path != source.path:
        why = f"`{reached.path.name}` is a link, which {tool.title} does not follow"
    if not why and reached.linked:
        why = _below_links(tool, loads, reached)
    if not why and loads.no_dots_from >= 0:
        why = _below_dots(tool, loads, reached)
    if not why and b"excludeAgent" in source.data and source.plain.front in _EXCLUDING:
        from remem.systems.plain.front_forms import excludes  # few rules say so

        why = excludes(tool.id, source.data)
    if not why and tool.by_name:
        from remem.systems.plain.cline_rules import cline_rule  # one tool goes by names

        why = cline_rule(source.data).why
    kind = _kind(loads, source)
    file = joins = ""
    is_sure = bool(loads.late)
    if not why and reached.scope != "user" and _is_below(reached.folder, work):
        file = work.first_below(reached.folder) if loads.below is Below.ON_WORK else ""
        joins = f"the agent works on `{file}`, below `{_place_of(reached, work)}/`"
    if not why and kind is LoaderKind.BY_PATH:
        fitting, glob = work.first_fitting(source, reached.folder)
        why = "" if fitting else _not_worked_on(source)
        if not file or work.files.index(fitting or file) > work.files.index(file):
            file, joins = fitting, f"the agent works on `{fitting}`, which `{glob}` matches"
    elif not why:
        why = _unlisted(tool, loads, source, reached) or _by_kind(kind, loads)
        opened = work.opens(source) if why and kind in _OPENED and not loads.lists else ""
        if opened:
            file, joins, why, is_sure = opened, "the agent opens it", "", True
    return Way(
        source,
        loads,
        reached,
        _order(tool, index, reached, work, file, kind),
        why,
        Joins(file, joins, is_sure) if file and why in _shown(loads) else None,
    )


def _unlisted(tool: Tool, loads: Loads, source: PlainSource, reached: Reached) -> str:
    """Say why a tool that goes by what stands in a skill does not list this one; empty = it may."""
    parts = source.told.parts
    if loads.lists_agents:
        from remem.systems.loading.agent_refusals import why_unlisted  # few roots have agents

        return why_unlisted(tool, source, reached)
    if not loads.lists or parts is None:
        return ""
    from remem.systems.plain.front_forms import What, fault_of, waits

    what: What = "command" if loads.are_commands else "skill"
    fault = fault_of(tool.id, what, source.data)
    if fault is not None:
        return f"{tool.title} skips it: {fault.said}"
    why = waits(tool.id, what, source.data)
    if why:
        return why
    if reached.linked and reached.linked == tool.follows_no:
        return f"{tool.title} lists no skill whose {reached.linked} is a link"
    match tool.listing:
        case Listing.PLACES:
            is_begun = source.data.removeprefix(BOM).lstrip().startswith(b"---")
            may_be_bare = loads.are_commands and not is_begun
            is_fit = not parts.is_hidden and (may_be_bare or not parts.is_bare)
            refusal = f"{tool.title} skips it: {parts.refusal}" if parts.refusal else ""
            return refusal if is_fit else _UNLISTED
        case Listing.NAMES | Listing.ALL:
            if loads.are_commands:  # which their places name
                is_fit = parts.is_described and parts.are_texts and not parts.is_hidden
                return "" if is_fit else _UNLISTED
            is_named = parts.name and parts.is_described
            return _unfit(tool, parts) if is_named else _UNLISTED
        case Listing.SCOPES:
            is_short = len(parts.name) <= _LONGEST_NAME
            why = "" if is_short else f"its name has more than {_LONGEST_NAME} characters"
            return why if parts.is_described else _UNLISTED
        case _:
            return ""


def _unfit(tool: Tool, parts: Parts) -> str:
    if tool.leaves_hidden and parts.is_hidden:
        return _UNLISTED
    if tool.names is Names.WORDS and not is_word(parts.name):
        return f"{tool.title} takes no name with other signs than letters, digits and `_.:-`"
    if tool.names is Names.TEXTS and not parts.are_texts:
        return f"{tool.title} takes no name or description that is a number, a date or a switch"
    return ""


def _kind(loads: Loads, source: PlainSource) -> LoaderKind:
    """Return how a tool loads a file: as its row says, or as the file does."""
    if loads.lists and loads.loader is None and source.loader.kind is LoaderKind.BY_PATH:
        parts = source.told.parts
        if parts is not None and source.path.name != SKILL:  # globs of a command decide nothing
            return LoaderKind.BY_NAME if parts.is_hidden else LoaderKind.DESCRIBED
    if loads.loader is not None or not loads.every:
        return loads.loader or source.loader.kind
    globs = source.told.globs
    always = not globs or (len(globs) == 1 and globs[0] in loads.every)
    if "" in loads.every and len(globs) == 1 and _MAY_BE_NO_TEXT.fullmatch(globs[0]):
        from remem.systems.plain.front_forms import values_of  # few rules say so

        paths = (values_of(source.data) or {}).get("paths")
        always = not isinstance(paths, str | list)
    return LoaderKind.WHOLE if always else LoaderKind.BY_PATH


def _shown(loads: Loads) -> tuple[str, ...]:
    """Return for which reasons something of a file is seen all the same; none is the best."""
    return ("", SEEN) if loads.lists else ("",)


def _order(
    tool: Tool, index: int, reached: Reached, work: Work, file: str, kind: LoaderKind
) -> tuple[int, int, int, int, int, bool, int, str]:
    """Return where a file stands: at the start stage by stage, then file by file worked on.

    What joins by one file comes from the person first, then from the folders below, and last from
    those that the agent was started in; so it was seen of Claude Code, and others say nothing.
    """
    depth, loads = _depth(reached), tool.loads[index]
    name = _files_first(reached) if loads.files_first else str(reached.path)
    if not file and tool.ends_first and _is_between(reached, work):
        # Folder by folder from below, whatever stage its kinds have.
        return (_BETWEEN, 0, 1, -depth, index, False, reached.order, name)
    if not file and tool.from_below:
        # A person's file stands among those of the working folder, row by row.
        depth = depth or len(work.folder.parts)
        return (loads.stage, 0, 0, -depth, index, False, reached.order, name)
    if not file:
        return (loads.stage, 0, 0, depth, index, False, reached.order, name)
    group = 0 if reached.scope == "user" else 1 if _is_below(reached.folder, work) else 2
    is_picked = kind is LoaderKind.BY_PATH
    at = work.files.index(file)
    return (_LATE, at, group, depth, loads.late_order or index, is_picked, reached.order, name)


def _files_first(reached: Reached) -> str:
    """Return a path that sorts behind the files of each folder that it lies in a folder of."""
    *folders, name = reached.path.relative_to(reached.folder).parts
    return "/".join((*(f"\U0010ffff{folder}" for folder in folders), name))


def _is_between(reached: Reached, work: Work) -> bool:
    """Tell whether a file lies between the top of the checkout and where the agent is started."""
    return reached.scope != "user" and reached.folder not in (work.checkout, work.folder)


def _depth(reached: Reached) -> int:
    return len(reached.folder.parts) if reached.scope != "user" else 0


def _place_of(reached: Reached, work: Work) -> str:
    return reached.folder.relative_to(work.root).as_posix()


def _is_below(folder: Path, work: Work) -> bool:
    is_above = folder == work.folder or folder in work.folder.parents
    return not is_above and folder not in work.included


def _out_of_place(loads: Loads, reached: Reached, work: Work) -> str:
    """Say why a file's folder keeps it out of the start; empty = it does not."""
    folder = reached.folder
    if _is_too_deep(loads, reached):
        return "the tool only loads files directly in the folder"
    if reached.scope != "user" and loads.above in _ONE_PLACE:
        return _out_of_one_place(loads.above, folder, work)
    if reached.scope == "user" or folder == work.folder or folder in work.included:
        return ""
    if _is_below(folder, work):
        if loads.below is Below.AT_START or (
            loads.below is Below.ON_WORK and work.first_below(folder)
        ):
            return ""
        place = folder.relative_to(work.root).as_posix()
        if loads.below is Below.ON_WORK:
            return f"loaded only when the agent works on a file in `{place}/`"
        return f"loaded only when the agent is started in `{place}/`"
    if loads.above is Above.TOP and folder == work.checkout:
        return ""
    if loads.above is Above.ALL or _is_inside(folder, _highest(loads.above, work)):
        return ""
    return "it is above the folder the agent starts in"


def _out_of_one_place(above: Above, folder: Path, work: Work) -> str:
    """Say why a file is not in the one folder that its tool looks into; empty = it is."""
    if work.checkout is None and above is Above.ONLY_CHECKOUT:
        return "it is loaded in a checkout of git alone"
    if folder == (work.checkout or work.folder):
        return ""
    named = "the folder it is started in" if work.checkout is None else "the top of the checkout"
    return f"the tool looks for it in {named} alone"


def _is_too_deep(loads: Loads, reached: Reached) -> bool:
    return 0 < loads.most_parts < len(reached.path.relative_to(reached.folder).parts)


def _below_links(tool: Tool, loads: Loads, reached: Reached) -> str:
    is_file = reached.linked == "file"
    link = reached.path if is_file else reached.path.parent
    least = loads.no_linked_files_from if is_file else loads.no_linked_folders_from
    is_passed = 0 <= least < len(link.relative_to(reached.folder).parts)
    return f"`{link.name}` is a link, which {tool.title} does not follow" if is_passed else ""


def _below_dots(tool: Tool, loads: Loads, reached: Reached) -> str:
    below = reached.path.relative_to(reached.folder).parts[loads.no_dots_from : -1]
    dotted = next((part for part in below if part.startswith(".")), "")
    return f"{tool.title} looks into no folder with a dot in front, as `{dotted}`" if dotted else ""


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


def for_some_files(ways: Sequence[Way], work: Work) -> Iterator[Way]:
    """Yield the rules for some files alone that a tool knows of from its start."""
    for way in ways:
        is_known = way.why in ("", _not_worked_on(way.source))
        is_users = way.reached.scope == "user"
        is_here = is_users or not _is_below(way.reached.folder, work)
        if is_known and is_here and way.kind is LoaderKind.BY_PATH and not way.loads.lists:
            yield way


def _not_worked_on(source: PlainSource) -> str:
    globs = ", ".join(f"`{glob}`" for glob in source.told.globs)
    return f"loaded only when the agent works on {globs}"


def _by_kind(kind: LoaderKind, loads: Loads) -> str:
    match kind:
        case LoaderKind.WHOLE | LoaderKind.HEAD | LoaderKind.TAIL | LoaderKind.ENDS:
            return ""
        case LoaderKind.DESCRIBED:
            return SEEN
        case LoaderKind.BY_NAME:
            return "loaded only when someone names it"
        case LoaderKind.NAMES_ONLY:
            return "only its name is loaded"
        case LoaderKind.ON_REQUEST:
            return "the agent opens this file itself when it needs it"
        case _:
            because = f": {loads.unknown}" if loads.unknown else ""
            return f"unknown whether it is loaded{because}"


def _is_users(source: PlainSource) -> bool:
    return any(reached.scope == "user" for reached in source.reached)


def _shadowed(
    tool: Tool, loads: Loads, reached: Reached, sources: Sequence[PlainSource], work: Work
) -> str:
    """Say which file keeps this one out; empty = none does."""
    nearer = _nearer(loads, reached, sources, work)
    if nearer is not None:
        return f"{tool.title} takes `{nearer.name}`, which is nearer"
    for layout in loads.unless:
        row = next((x for x in tool.loads if x.layout == layout and not x.below_alone), None)
        for source, other in _reached(sources, layout):
            if _is_users(source) or _is_below(other.folder, work):
                continue
            if row is not None and _is_passed_over(row, other, sources, work):
                continue
            if excluded(tool, loads, source, other.path):
                continue
            if _says_something(tool, layout, source):
                return f"{tool.title} ignores it because `{source.name}` exists"
    for layout in loads.unless_there:
        for source, _ in _reached(sources, layout):
            return f"{tool.title} ignores it because `{source.name}` exists"
    for layout in loads.unless_beside:
        for source, other in _reached(sources, layout):
            if excluded(tool, loads, source, other.path) or not _is_taken(tool, layout, other):
                continue
            is_beside = other.folder == reached.folder
            if is_beside and (loads.even_empty or _says_something(tool, layout, source)):
                return f"shadowed by `{source.name}` beside it"
    return ""


def _is_passed_over(
    loads: Loads, reached: Reached, sources: Sequence[PlainSource], work: Work
) -> bool:
    """Tell whether a tool does not even look into a file, and so nothing is kept out by it."""
    is_out = bool(_out_of_place(loads, reached, work))
    return is_out or _nearer(loads, reached, sources, work) is not None


def _nearer(
    loads: Loads, reached: Reached, sources: Sequence[PlainSource], work: Work
) -> PlainSource | None:
    """Return what is taken in place of a file, where only the nearest is taken."""
    if not loads.nearest:
        return None
    place = _nearest_first(reached)
    others = (each for each in _reached(sources, loads.layout) if each[1] is not reached)
    return next(
        (
            source
            for source, other in others
            if not _is_below(other.folder, work) and _nearest_first(other) < place
        ),
        None,
    )


def _nearest_first(reached: Reached) -> tuple[int, int]:
    return -len(reached.folder.parts), reached.order


def _is_taken(tool: Tool, layout: str, reached: Reached) -> bool:
    """Tell whether a tool may take a file of a layout that it takes no folders of."""
    return not any(_is_too_deep(each, reached) for each in tool.loads if each.layout == layout)


def excluded(tool: Tool, loads: Loads, source: PlainSource, *shown: Path) -> str:
    """Say which setting keeps a file out; empty = none does.

    Args:
        tool: Whose settings.
        loads: The row that comes to it.
        source: The file.
        shown: As the tool finds it, where that is a link.
    """
    paths = (source.path, *shown)
    for glob, settings in tool.excludes:
        if any(is_inside(path.as_posix(), glob) for path in paths):
            return f"`claudeMdExcludes` in `{settings}` excludes it"
    for denied in loads.denied:
        if any(_is_denied(denied, path) for path in paths):
            return f"`permissions.deny` in `{denied.settings}` keeps {tool.title} from reading it"
    return ""


def _is_denied(denied: Denied, path: Path) -> bool:
    from remem.model.ignored import is_ignored  # few settings deny anything

    if not path.is_relative_to(denied.folder):
        return False
    return is_ignored(path.relative_to(denied.folder).as_posix(), denied.patterns)


def _says_something(tool: Tool, layout: str, source: PlainSource) -> bool:
    """Tell whether a file holds more than what the tool takes out of it."""
    is_stripped = any(each.keeps is Keeps.BARE for each in tool.loads if each.layout == layout)
    return bool((source.stripped if is_stripped else source.data).strip())
