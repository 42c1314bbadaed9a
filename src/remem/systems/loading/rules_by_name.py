"""How Cline goes by the names of its rules: it sorts by them, and takes one of those alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.collation import collated
from remem.model.loader import Tool
from remem.systems.plain.cline_rules import ClineRule, cline_rule

if TYPE_CHECKING:
    from remem.systems.loading.load_rules import Way

_NOTHING_SAID: Final = ClineRule()


def in_order(tool: Tool, ways: Sequence[Way]) -> tuple[Way, ...]:
    """Return the ways by their names; of those that are called alike only one is taken."""
    return tuple(sorted(_last_alike(tool, ways), key=_name_of))


def _name_of(way: Way) -> tuple[int, tuple[list[int], list[bool], str]]:
    """Return what a tool that goes by names sorts a file by; it does not list it among them."""
    return way.loads.stage, collated(_called(way))


def _called(way: Way) -> str:
    """Return what such a tool calls a file: as it says itself, or after the file."""
    return _said_by(way).name or way.loads.called or way.reached.path.stem


def _said_by(way: Way) -> ClineRule:
    """Return what front matter says to Cline, which alone goes by names."""
    return _NOTHING_SAID if way.loads.never else cline_rule(way.source.data)


def _last_alike(tool: Tool, ways: Sequence[Way]) -> Iterator[Way]:
    """Yield the ways; of those that are called alike, all but the last row's last are left out.

    One that is switched off keeps the others out as well; one with a fault does not count.
    """
    rows = [loads.layout for loads in tool.loads]
    taken = [way for way in ways if not way.why or _said_by(way).is_off]
    taken.sort(key=lambda way: (rows.index(way.loads.layout), str(way.reached.path)))
    last = {(way.loads.stage, _called(way).lower()): way for way in taken}
    for way in ways:
        other = last.get((way.loads.stage, _called(way).lower()), way)
        if way.why or other is way:
            yield way
        else:
            why = f"`{other.source.name}` is called alike, and {tool.title} takes that one"
            yield replace(way, why=why, joins=None)


def alike_in_a_folder(ways: Sequence[Way]) -> Iterator[tuple[Way, Way]]:
    """Yield two files of one folder that are called alike, of which the disk picks one."""
    found: dict[tuple[Path, str], Way] = {}
    for way in ways:
        if not _said_by(way).why and not way.loads.never:
            other = found.setdefault((way.reached.path.parent, _called(way).lower()), way)
            if other is not way:
                yield other, way
