"""What a retro's findings are grouped by, and the line that stands above them.

Pure: it reads retros as the library has them and returns spans. Which findings wait is the
queue's to say, and how retros compare is `compare_retros.py`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from remem.base.errors import UnknownRef
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.model.entry import Entry
from remem.model.source import Source
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION, FINDING
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_record import CATEGORIES as OF_A_SPRINT
from remem.systems.sniper.retro.retro_record import Shape
from remem.views.spans import Spans, Tone, span

ESTIMATES: Final = OF_A_SPRINT["estimation"]
"""Lists of a retro whose items a person may take over into the estimates."""
_NAMES: Final[Mapping[str, str]] = {
    "needs_improvement": "to improve",
    "what_needs_improvement": "to improve",
    "action_items": "action items",
    **{section: name for name, sections in OF_A_SPRINT.items() for section in sections},
    "went_well": "positive patterns",
    "what_went_well": "positive patterns",
}
CATEGORIES: Final = tuple(dict.fromkeys(_NAMES.values()))
"""Their names, in the order in which they are gone through."""
_OF_KIND: Final = {CONVENTION: "new conventions", ANTI_PATTERN: "anti-patterns"}


@dataclass(frozen=True, slots=True)
class Head:
    """A retro at a glance."""

    name: str
    date: str = ""
    completed: int | None = None
    """Stories."""
    carried_over: int | None = None
    found: Mapping[str, int] | None = None
    """Category → findings, those included that ask for nothing."""
    source: Source | None = None


def retros_of(library: Library) -> list[Source]:
    """Return the retros that can be read, the one that was held first first."""
    return [
        source
        for source in retro_entries.held(library)
        if retro_entries.parsed(source)[1] is not None
    ]


def with_the_one_before(library: Library, name: str = "") -> tuple[Source, Source]:
    """Return a retro after the one that it is compared with.

    That is the one held before it, of its own shape where there is one: a sprint's retro is held
    against a sprint's, a protocol's against a protocol's. The first is compared with the next.

    Args:
        library: Where.
        name: The stem of its file; empty = the newest.

    Raises:
        UnknownRef: There is no such retro, or no other one.
    """
    held = retros_of(library)
    here = next((each for each in reversed(held) if name in ("", each.path.stem)), None)
    if here is None:
        raise UnknownRef("no retro was found here" if not name else "this retro cannot be read")
    shape = _shape(here)
    alike = [each for each in held if _shape(each) is shape]
    among = alike if len(alike) > 1 else held
    if len(among) == 1:
        raise UnknownRef("there is no other retro", hint="`remem retro list` lists them")
    place = max(1, among.index(here))
    return among[place - 1], among[place]


def _shape(source: Source) -> Shape | None:
    _, retro = retro_entries.parsed(source)
    return None if retro is None else retro.shape


def heads_of(library: Library, groups: Collection[str]) -> dict[str, Head]:
    """Return the retros among the groups of the queue, by their file's stem."""
    return {
        source.path.stem: _head(source)
        for source in retros_of(library)
        if source.path.stem in groups
    }


def category_of(entry: Entry) -> str:
    """Return the category of a finding, or of an entry that came of one."""
    if entry.kind == FINDING:
        return section_name(entry.context)
    return _OF_KIND.get(entry.kind, "")


def section_name(section: str) -> str:
    """Return what a person calls a list of a retro: `gate failures`."""
    return _NAMES.get(section, section.replace("_", " "))


def heading_of(section: str) -> str:
    """Return what stands above a list of a retro: with its own name where several share one."""
    name = section_name(section)
    shares = sum(section_name(each) == name for each in ESTIMATES) > 1
    return f"{name}: {section}" if shares else name


def is_estimate(entry: Entry) -> bool:
    """Tell whether an entry is something that a retro says about the estimates."""
    return entry.kind == FINDING and entry.context in ESTIMATES


def stories(head: Head) -> str:
    """Return `stories: 8 done, 1 carried over`, as far as the retro tells; empty = it does not."""
    told = stories_told(head.completed, head.carried_over)
    return f"stories: {told}" if told else ""


def stories_told(completed: int | None, carried_over: int | None) -> str:
    """Return `8 done, 1 carried over`, as far as it is known."""
    parts = []
    if completed is not None:
        parts.append(f"{completed} done")
    if carried_over is not None:
        parts.append(f"{carried_over} carried over")
    return ", ".join(parts)


def head_line(head: Head) -> Spans:
    """Return what stands at the top of every card of a retro."""
    told = " · ".join(part for part in (head.date, stories(head)) if part)
    return (span(head.name, Tone.HEADING), span(f"  {told}", Tone.DIM))


def _head(source: Source) -> Head:
    _, retro = retro_entries.parsed(source)
    entries: Sequence[Entry] = source.entries
    found: dict[str, int] = {}
    for entry in entries:
        category = category_of(entry)
        found[category] = found.get(category, 0) + 1
    return Head(
        name=source.path.stem,
        date=retro.date if retro else "",
        completed=retro.completed if retro else None,
        carried_over=retro.carried_over if retro else None,
        found=found,
        source=source,
    )
