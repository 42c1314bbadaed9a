"""The table of a team: who costs how much, who wrote last, who grows, who says what others say.

It looks at memory, at git and at the note of the last look; it decides and writes nothing.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from pathlib import Path
from typing import Final

from remem.base.clock import moment_at
from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.file_history import Written, written
from remem.code.worktree import top_of
from remem.core.last_look import Look
from remem.core.library import Library
from remem.core.prompt.agents import Agent, agents
from remem.core.prompt.counter import CHARACTERS_A_TOKEN, Counter
from remem.core.repositories import name_of, views
from remem.model.roles import persona_key
from remem.systems.personas.compacting.archive_sections import is_team_log
from remem.systems.personas.compacting.over_budget import dated_growth, is_over
from remem.systems.personas.layer import loaded_text
from remem.systems.personas.lessons.shared_lessons import shared_lessons
from remem.systems.personas.memory_files.decision_parts import decisions_in
from remem.systems.personas.source import PersonaSource, persona_sources
from remem.systems.personas.team.people import Persona, everyone, live_memory

TEAM_LOG: Final = "decisions"
"""What the log of a team is called among its personas."""
WEEKS: Final = 4
"""The weeks whose mean is told as growth."""
_KEPT_DAYS: Final = 30
"""Days after which a team's tool calls a decision old."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Entries that nobody reviewed yet, by what was done to them."""

    new: int = 0
    changed: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class Member:
    """A persona in the table."""

    persona: Persona
    tokens: int
    """At its start; where it starts nowhere, of its memory."""
    exact: bool
    written: str = ""
    """The day of the last write: `2026-05-04`; empty = nobody knows."""
    growth: int | None = None
    """Tokens a week, about; `None` = there is no history."""
    until: str = ""
    """The day up to which that is told, where nobody committed since; empty = today."""
    over: int = 0
    """Files that Health calls too long."""
    twins: int = 0
    """Lessons that another persona has too, word for word or nearly."""
    never: int = 0
    """Tokens that exist for its start and are never loaded."""
    is_new: bool = False
    """Written since somebody looked last."""
    waits: Waits = Waits()
    """What was done to its entries that nobody reviewed yet."""
    start: Agent | None = None
    """What its tokens are of; `None` = of its files alone."""

    @property
    def units(self) -> int:
        return self.persona.units

    @property
    def archived(self) -> bool:
        return self.persona.archived

    @property
    def unreviewed(self) -> int:
        """Entries that were written, changed or taken out and that nobody reviewed yet."""
        return self.waits.new + self.waits.changed + self.waits.removed

    @property
    def name(self) -> str:
        """As it is listed: an archived one by its folder."""
        return self.persona.folder or self.persona.name


@dataclass(frozen=True, slots=True)
class Decisions:
    """The log of decisions that everybody on a team is given."""

    source: PersonaSource
    tokens: int
    exact: bool
    dated: tuple[tuple[str, int], ...]
    """The days of its decisions, the oldest first, each with how many."""
    undated: int
    written: str
    over: bool
    """Longer than its tool says it should be."""
    old_before: str
    """The day before which the tool calls decisions old."""
    growth: None = None
    """Nobody asks git about it."""
    twins: int = 0
    never: int = 0

    @property
    def name(self) -> str:
        """Stands where the others have theirs."""
        return TEAM_LOG

    @property
    def archived(self) -> bool:
        return False

    @property
    def key(self) -> tuple[str, str, str]:
        """Names its row."""
        return ("decisions", self.source.layout, self.source.repository)

    @property
    def units(self) -> int:
        """All that its file holds: decisions, their parts and what stands above them."""
        return len(self.source.entries)

    @property
    def many(self) -> int:
        """How many decisions there are."""
        return self.undated + sum(many for _, many in self.dated)

    @property
    def old(self) -> int:
        """Decisions that are old, by their dates."""
        return sum(many for day, many in self.dated if day < self.old_before)


def old_day(library: Library) -> str:
    """Return the day before which a section or a decision is called old."""
    return (library.ground.given.clock.today() - timedelta(days=_KEPT_DAYS)).isoformat()


def decisions(library: Library, counter: Counter) -> tuple[Decisions, ...]:
    """Return the log of each team, of one repository or of a whole workspace."""
    clock = library.ground.given.clock
    old_before = old_day(library)
    found: list[Decisions] = []
    for view in views(library):
        for source in filter(is_team_log, persona_sources(view.sources)):
            days = Counts(each.date for each in decisions_in(source))
            stamp = view.ground.disk.stamp(source.path)
            written_on = _day(stamp.mtime_ns, clock.now().tzinfo) if stamp is not None else ""
            found.append(
                Decisions(
                    source,
                    counter.count(_text(source)),
                    counter.exact,
                    tuple(sorted((day, many) for day, many in days.items() if day)),
                    days[""],
                    max((each.date for each in source.entries if each.date), default=written_on),
                    source.is_over_mark,
                    old_before,
                )
            )
    return tuple(found)


Line = Member | Decisions
"""What has a row in the table."""
SORTS: Final[Mapping[str, Callable[[Line], tuple[object, ...]]]] = {
    "name": lambda m: (),
    "tokens": lambda m: (-m.tokens,),
    "units": lambda m: (-m.units,),
    "written": lambda m: tuple(-ord(sign) for sign in m.written) or (0,),
    "growth": lambda m: (m.growth is None, -(m.growth or 0)),
    "over": lambda m: (-m.over,),
    "similar": lambda m: (-m.twins,),
    "unloaded": lambda m: (-m.never,),
}
"""Ways to order the table; the most, or the newest, first."""


def ordered(lines: Iterable[Line], sort: str) -> list[Line]:
    """Return the rows in an order of `SORTS`, archived personas last; else by name."""
    key = SORTS[sort]
    by_name = sorted(lines, key=lambda m: (persona_key(m.name), isinstance(m, Decisions)))
    return sorted(by_name, key=lambda m: (m.archived, key(m)))


def team(library: Library, counter: Counter, look: Look | None = None) -> tuple[Member, ...]:
    """Return everyone with what the table says of them.

    Args:
        library: One repository's, or a whole workspace's.
        counter: Counts tokens.
        look: The last look at this root, if there was one.
    """
    known = {path: (time, size) for path, time, size in look.stamps} if look is not None else None
    members: list[Member] = []
    for view in views(library):
        found = [
            persona
            for persona in everyone(view)
            if max((s.repository for s in persona.sources), default="") == name_of(view)
        ]
        starts, past, twins = _starts(view, counter), _past(view, found), _twins(view)
        members += (_member(view, each, counter, starts, past, twins, known) for each in found)
    return tuple(members)


@dataclass(frozen=True, slots=True)
class _Start:
    tokens: int
    never: int
    exact: bool
    agent: Agent | None = None


@dataclass(frozen=True, slots=True)
class _Past:
    top: Path | None
    written: Written | None


def _starts(library: Library, counter: Counter) -> Mapping[str, _Start]:
    """Return what each named agent starts with; of several places, the dearest."""
    layouts = {layout.name for layout in library.ground.layouts}
    found: dict[str, _Start] = {}
    for agent in agents(library, counter):
        if agent.layout not in layouts:
            continue
        never = sum(file.lost for file in agent.files)
        start = _Start(agent.tokens, never, agent.exact, agent)
        key = persona_key(agent.name)
        if key not in found or found[key].tokens < start.tokens:
            found[key] = start
    return found


def _past(library: Library, found: Sequence[Persona]) -> _Past:
    """Return what git knows of the personas' folders; one question for all of them."""
    ground = library.ground
    top = top_of(ground.disk, ground.root)
    if top is None:
        return _Past(None, None)
    folders = {
        source.folder.parent.relative_to(top).as_posix()
        for persona in found
        for source in live_memory(persona)
        if source.folder.is_relative_to(top)
    }
    today = ground.given.clock.today()
    try:
        return _Past(top, written(top, folders, today, timedelta(weeks=WEEKS)))
    except NotPossible:
        return _Past(top, None)


def _text(source: PersonaSource) -> str:
    """Return a file as its tool hands it on, whole."""
    return loaded_text(source).removesuffix(b"\n").decode("utf-8", "replace")


def _twins(library: Library) -> Mapping[str, int]:
    """Return by persona how many of its lessons another one has too."""
    copies = {entry.ref: entry for each in shared_lessons(library) for entry in each.copies}
    return Counts(persona_key(library.source_of(entry).owner) for entry in copies.values())


def _member(
    library: Library,
    persona: Persona,
    counter: Counter,
    starts: Mapping[str, _Start],
    past: _Past,
    twins: Mapping[str, int],
    known: Mapping[str, tuple[int, int]] | None,
) -> Member:
    memory = live_memory(persona)
    disk = library.ground.disk
    keys = [persona_key(name) for name in (persona.name, *(s.owner for s in memory))]
    start = next((starts[key] for key in keys if key in starts), None)
    if start is None or persona.archived:
        tokens = sum(counter.count(_text(source)) for source in memory)
        start = _Start(tokens, 0, counter.exact)
    stamps = {source.path: disk.stamp(source.path) for source in memory}
    # Where an inbox tells what agents wrote, a file that the person wrote to is not new.
    has_inbox = library.aside.reviewed is not None
    is_new = (
        known is not None
        and not has_inbox
        and any(
            stamp is not None and known.get(str(path)) != (stamp.mtime_ns, stamp.size)
            for path, stamp in stamps.items()
        )
    )
    zone = library.ground.given.clock.now().tzinfo
    days = [_day_of(s, past, stamps[s.path], zone) for s in memory]
    today = library.ground.given.clock.today()
    until = min(past.written.until, today) if past.written is not None else today
    return Member(
        persona,
        start.tokens,
        start.exact,
        max(days, default=""),
        None if persona.archived else _growth(memory, past, until, is_over=until < today),
        until.isoformat() if until < today else "",
        sum(is_over(library, source) for source in memory),
        0 if persona.archived else next((twins[key] for key in keys if key in twins), 0),
        start.never,
        is_new and not persona.archived,
        _waits(each.what for each in library.aside.unreviewed.values() if each.path in stamps),
        start.agent,
    )


def alike_in(library: Library, persona: Persona) -> Mapping[str, int]:
    """Return who else has lessons of a persona, word for word or nearly, and how many of them."""
    keys = {persona_key(name) for name in (persona.name, *(s.owner for s in live_memory(persona)))}
    names = {persona_key(p.name): p.name for view in views(library) for p in everyone(view)}
    found: Counts[str] = Counts()
    for each in shared_lessons(library):
        owners = [library.source_of(entry).owner for entry in each.copies]
        own = sum(persona_key(owner) in keys for owner in owners)
        others = dict.fromkeys(owner for owner in owners if persona_key(owner) not in keys)
        found.update(dict.fromkeys(others, own) if own else {})
    return {names.get(persona_key(owner), owner): many for owner, many in found.most_common()}


def _waits(kinds: Iterable[str]) -> Waits:
    many = Counts(kinds)
    return Waits(many["new"], many["changed"], many["removed"])


def _day_of(source: PersonaSource, past: _Past, stamp: object, zone: tzinfo | None) -> str:
    """Return the day of the last commit, or of the file where git does not have it like that."""
    if past.top is not None and past.written is not None and source.path.is_relative_to(past.top):
        name = source.path.relative_to(past.top).as_posix()
        if past.written.now.get(name) == len(source.data) and name in past.written.last:
            return past.written.last[name]
        if name not in past.written.now and (day := _day_before_move(name, source, past)):
            return day
    time = getattr(stamp, "mtime_ns", None)
    return "" if time is None else _day(time, zone)


def _day_before_move(name: str, source: PersonaSource, past: _Past) -> str:
    """Return the day of the last commit of a file that lies elsewhere since, as it was."""
    if past.top is None or past.written is None:
        return ""
    folder, file = name.split("/")[-2:]
    same = (
        each
        for each, size in past.written.now.items()
        if size == len(source.data)
        and each.endswith(f"/{file}")
        and folder.startswith(each.split("/")[-2])
        and source.disk.kind(past.top / each) is None
    )
    return max((past.written.last.get(each, "") for each in same), default="")


def _day(time: int, zone: tzinfo | None) -> str:
    return moment_at(time // 1_000).astimezone(zone).date().isoformat()


def _growth(
    memory: Sequence[PersonaSource], past: _Past, until: date, *, is_over: bool
) -> int | None:
    """Return tokens a week, from the sizes of files in git, else from dates in them.

    Of files that lie elsewhere than in any commit nothing is known: `None`.

    Args:
        memory: Its files.
        past: What git knows of them.
        until: The day up to which it is told.
        is_over: That is not today: what was written since, and not committed, has no part in it.
    """
    if past.top is None or past.written is None or past.written.then is None:
        dated = [s for s in memory if s.is_writable]
        return sum(dated_growth(s, until, WEEKS) for s in dated) if dated else None
    inside = [s for s in memory if s.path.is_relative_to(past.top)]
    if not inside:
        return sum(dated_growth(s, until, WEEKS) for s in memory) if memory else None
    then = past.written.then
    names = {source.path.relative_to(past.top).as_posix(): source for source in inside}
    committed = {*past.written.now, *then}
    names = {name: each for name, each in names.items() if name in committed}
    if not names:
        return None
    now = past.written.now if is_over else {name: len(s.data) for name, s in names.items()}
    grown = sum(now.get(name, 0) - then.get(name, 0) for name in names)
    return round(grown / CHARACTERS_A_TOKEN / WEEKS)
