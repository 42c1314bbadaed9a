"""How each tool lists what it loads no more of than name and description: skills and commands.

In which order, under which names and which one of several that are called alike: no two tools do it
the same way. Each way here was seen of the tools themselves, which the proofs of their rows name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Final

from remem.base.collation import collated
from remem.core.prompt.counter import Counter
from remem.core.system import Ground
from remem.model.loader import Hidden, Listing, Names, PlainLayout, Tool
from remem.model.prompt import Layer, Line
from remem.systems.loading.load_rules import Way
from remem.systems.plain.source import SKILL, Told, is_word, listed

DESCRIPTIONS: Final = "descriptions of skills"
"""Layer of the list of skills and commands."""
_BY_NAME_ALONE: Final = "Additional skills available (invoke by name): "
_ENTRY: Final = (
    "<skill>\n  <name></name>\n  <description></description>\n"
    "  <location>project</location>\n</skill>\n"
)
"""What Copilot writes around a skill, which counts against the room of its list."""
_KEPT_BACK: Final = "`{}` is called alike, and is kept for a person"
_NO_FILE_NAME: Final = re.compile(r'[:\\/<>*?"|]')
"""Signs that Gemini CLI writes as `-` in a name."""


def descriptions(
    ground: Ground, tool: Tool, ways: Sequence[Way], folder: Path, counter: Counter
) -> Layer:
    """Return skills and commands as their tool lists them.

    Args:
        ground: Has the layouts.
        tool: Whose list.
        ways: By which it came to each.
        folder: Where it is started.
        counter: Counts tokens.
    """
    layouts = {layout.name: layout for layout in ground.plain}
    match tool.listing:
        case Listing.SCOPES:
            found = _by_scope(ways)
        case Listing.NAMES:
            found = _by_name(ways, layouts)
        case Listing.PLACES:
            return _by_place(tool, ways, folder, counter)
        case Listing.ALL:
            found = ((_own(way), way) for way in ways)
        case Listing.LAST:
            found = _last_of_each(tool, ways, layouts)
        case Listing.FOLDERS:
            found = _by_folder(tool, ways, layouts)
    lines = (_line(tool, name, way, counter) for name, way in found)
    return list_layer(DESCRIPTIONS, tuple(lines), counter)


def names_of_memories(ground: Ground, ways: Sequence[Way], counter: Counter) -> Layer:
    """Return the names of memories, as their tool calls them."""
    layouts = {layout.name: layout for layout in ground.plain}
    lines = []
    for way in ways:
        name = _path_in_layout(layouts, way).with_suffix("").as_posix()
        lines.append(Line(name, counter.count(name), None, way.source.name, way.source.path))
    return list_layer("names of memories", lines, counter)


def list_layer(name: str, lines: Sequence[Line], counter: Counter) -> Layer:
    """Return a list as a layer, one line for each file."""
    return Layer(name, tuple(lines), counter.count("\n".join(line.text for line in lines)))


def alike(tool: Tool, ways: Sequence[Way]) -> Iterator[tuple[Way, Way]]:
    """Yield two that are called alike and say different things, where chance picks one of them."""
    if not tool.lists_any_alike:
        return
    found: dict[str, Way] = {}
    for way in ways:
        other = found.setdefault(_own(way), way)
        if _told_of(other) != _told_of(way):
            yield other, way


def kept_back(tool: Tool, ways: Sequence[Way]) -> tuple[Way, ...]:
    """Return the ways, with why Copilot does not list a command that a skill keeps out.

    The skill is called alike, and is for a person alone, so neither is listed.
    """
    skills = [way for way in ways if way.loads.lists and not way.loads.are_commands]
    parts = ((way, way.source.told.parts) for way in skills if tool.listing is Listing.PLACES)
    hidden = {_own(way): way for way, said in parts if said and said.is_hidden and not said.is_bare}
    if not hidden:
        return tuple(ways)
    return tuple(
        replace(way, why=_KEPT_BACK.format(hidden[_own(way)].source.name), joins=None)
        if way.loads.are_commands and _own(way) in hidden
        else way
        for way in ways
    )


def without_hidden(ground: Ground, tool: Tool, ways: Sequence[Way]) -> tuple[Way, ...]:
    """Return the ways, with why settings of the tool keep skills and commands out of its list."""
    if not tool.hidden:
        return tuple(ways)
    layouts = {layout.name: layout for layout in ground.plain}
    return tuple(_unless_hidden(tool, way, layouts) for way in ways)


def _unless_hidden(tool: Tool, way: Way, layouts: Mapping[str, PlainLayout]) -> Way:
    if not way.loads.lists:
        return way
    is_by_place = tool.listing is Listing.FOLDERS
    name = ":".join(_called(layouts, way).parts) if is_by_place else _own(way)
    found = _hidden(tool, way, name)
    if found is None or found.has_name:
        return way
    return replace(way, why=found.why, joins=None)


def _hidden(tool: Tool, way: Way, name: str) -> Hidden | None:
    path = way.reached.path
    for each in tool.hidden:
        is_fit = not each.folds or each.is_command == way.loads.are_commands
        is_named = each.name == (name.casefold() if each.folds else name)
        is_there = each.path in (path, path.parent, way.source.path)
        if is_there or (each.path is None and is_named and is_fit):
            return each
    return None


def _line(tool: Tool, name: str, way: Way, counter: Counter) -> Line:
    told = way.source.told
    if tool.hidden and _hidden(tool, way, name) is not None:
        text = f"- {name}"
        return Line(text, counter.count(text), None, way.source.name, way.source.path)
    if tool.listing is Listing.FOLDERS:
        is_fit = tool.names is Names.ANY or is_word(told.name)
        text = listed(name, told if is_fit else Told((), told.description), tool.listed)
    else:
        text = listed(name, Told((), _told_of(way)), tool.listed)
    return Line(text, counter.count(text), None, way.source.name, way.source.path)


def _told_of(way: Way) -> str:
    parts = way.source.told.parts
    return way.source.told.description if parts is None else parts.description


def _own(way: Way) -> str:
    """Return what a skill calls itself, else what its place calls it."""
    parts, path = way.source.told.parts, way.reached.path
    return (parts.name if parts else "") or (path.parent.name if path.name == SKILL else path.stem)


def _by_folder(
    tool: Tool, ways: Sequence[Way], layouts: Mapping[str, PlainLayout]
) -> Iterable[tuple[str, Way]]:
    rows = [loads.layout for loads in tool.loads]
    inside = [(_called(layouts, way), way) for way in ways]
    inside.sort(key=lambda each: [collated(part) for part in each[0].parts])
    inside.sort(key=lambda each: (rows.index(each[1].loads.layout), -each[1].depth))
    found: dict[str, Way] = {}
    for inner, way in inside:
        found.setdefault(":".join(inner.parts), way)
    return found.items()


def _last_of_each(
    tool: Tool, ways: Sequence[Way], layouts: Mapping[str, PlainLayout]
) -> Iterable[tuple[str, Way]]:
    rows = [loads.layout for loads in tool.loads]
    inside = sorted(ways, key=lambda way: _called(layouts, way).parts, reverse=True)
    found: dict[str, Way] = {}
    for way in sorted(inside, key=lambda way: rows.index(way.loads.layout)):
        found[_NO_FILE_NAME.sub("-", _own(way))] = way
    return found.items()


def _by_scope(ways: Sequence[Way]) -> Iterable[tuple[str, Way]]:
    return sorted(
        ((_own(way), way) for way in ways),
        key=lambda each: (each[1].reached.scope == "user", each[0]),
    )


def _by_name(ways: Sequence[Way], layouts: Mapping[str, PlainLayout]) -> Iterable[tuple[str, Way]]:
    found: dict[str, Way] = {}
    for way in sorted(ways, key=_nearest_skills_first):
        is_command = way.loads.are_commands
        name = ":".join(_called(layouts, way).parts) if is_command else _own(way)
        found.setdefault(name, way)
    ordered = sorted(found, key=lambda name: (found[name].loads.are_commands, collated(name)))
    return [(name, found[name]) for name in ordered]


def _nearest_skills_first(way: Way) -> tuple[bool, bool, int]:
    return way.loads.are_commands, way.reached.scope == "user", -way.depth


def _by_place(tool: Tool, ways: Sequence[Way], folder: Path, counter: Counter) -> Layer:
    rows = [loads.layout for loads in tool.loads]

    def group(way: Way) -> int:
        if way.loads.are_commands:
            return len(rows) + 2
        if way.reached.scope == "user":
            return rows.index(way.loads.layout) + 2
        return 0 if way.reached.folder == folder else 1

    def place(way: Way) -> tuple[int, int, int]:
        return group(way), -way.depth, rows.index(way.loads.layout)

    found: dict[str, tuple[int, Way]] = {}
    for way in sorted(ways, key=place):
        if way.source.told.parts is not None:
            found.setdefault(_own(way).replace(" ", "-"), (group(way), way))
    ordered = sorted(
        ((name, way) for name, (_, way) in found.items()),
        key=lambda each: (found[each[0]][0], each[0]),
    )
    most = _fitting(tool, ordered)
    lines = [_line(tool, name, way, counter) for name, way in ordered[:most]]
    if most < len(ordered):
        text = f"{_BY_NAME_ALONE}{', '.join(name for name, _ in ordered[most:])}"
        lines.append(Line(text, counter.count(text)))
    return list_layer(DESCRIPTIONS, lines, counter)


def _fitting(tool: Tool, ordered: Sequence[tuple[str, Way]]) -> int:
    """Return how many skills a list has room for, as its tool writes them; the rest are named."""
    taken, has_own = 0, False
    for at, (name, way) in enumerate(ordered):
        if way.loads.are_commands and not has_own:
            taken, has_own = taken + tool.listing_taken, True
        taken += len(_ENTRY) + len(escape(name)) + len(escape(_told_of(way)))
        if 0 < tool.listing_room < taken:
            return at
    return len(ordered)


def _called(layouts: Mapping[str, PlainLayout], way: Way) -> Path:
    """Return the part of a file's path that tools call it by."""
    inner = _path_in_layout(layouts, way)
    return inner.parent if inner.name == SKILL else inner.with_suffix("")


def _path_in_layout(layouts: Mapping[str, PlainLayout], way: Way) -> Path:
    """Return the part of a file's path that its layout leaves open."""
    pattern = layouts[way.reached.layout].files[way.reached.order]
    fixed = way.loads.names_below or pattern.partition("*")[0].rstrip("/")
    return way.reached.path.relative_to(way.reached.folder / fixed)
