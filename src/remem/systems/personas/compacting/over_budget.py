"""Which personas' memories have outgrown their budget, how fast they grow, and what would help.

Tokens are estimated here, and said to be: the vocabulary is not loaded for every snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.base.text import count
from remem.code import git
from remem.code.file_history import sizes
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.prompt.counter import CHARACTERS_A_TOKEN
from remem.core.relation.normal_form import is_label, norm
from remem.model.change import Json
from remem.model.entry import Entry, FileSpan, Problem
from remem.model.layout import Part, Reader
from remem.model.memo import kept
from remem.model.roles import persona_key
from remem.model.source import LoaderKind, SourceKind
from remem.systems.personas.compacting.archive_sections import is_team_log, old_sections
from remem.systems.personas.compacting.compact_memory import offered, topic_name
from remem.systems.personas.memory_files.whole_lists import stands_alone
from remem.systems.personas.persona_layouts import SHARED_OWNER
from remem.systems.personas.persona_verbs import PERSONA_COMPACT, SECTIONS_ARCHIVE, PersonaCompact
from remem.systems.personas.profiles.profile import profiles_of
from remem.systems.personas.read import ROOT_SECTION, document_of, passages
from remem.systems.personas.source import LESSON, PersonaSource, persona_sources

_MERGE: Final = "merge"
_RENAME: Final = "persona.rename"
OVER_LIMIT: Final = "over-limit"
"""The code of a problem: a file is longer than its tool takes, or says that it should be."""
OLD_DECISIONS: Final = 30
"""Days after which Squad calls a decision old."""
WEEKS: Final = 8
"""How far back is looked for growth."""
_DAYS: Final = 7
_REPEATS: Final = 3
"""Lessons that repeat others from which on it is told."""
_WORDS: Final = 4
"""Words that a lesson has at least besides its numbers: shorter ones are rows of a table."""
_NUMBER: Final = lazy_pattern(r"\d[\d.,:/-]*")
_FIELD: Final = lazy_pattern(
    r"\W*[A-Z][\w/-]*(?: [\w/-]+){0,3}\W{0,2}:\W*(?:\S+(?: \S+){0,2}|`[^`\n]+`(?:, `[^`\n]+`)*)\W*"
)
"""What one report says by a word or two: `**Files changed**: `src/app.py``, `Status: done`."""
_ASIDE: Final = lazy_pattern(r"\s*\([^()]*\d[^()]*\)\s*$")
_LEAST: Final = 20
"""Tokens a week below which a memory is not said to grow."""


def is_over(library: Library, source: PersonaSource) -> bool:
    """Tell whether Health calls a memory too long: for its tool, its budget, or to be read."""
    is_over_limit = any(problem.code == OVER_LIMIT for problem in source.problems)
    return is_over_limit or _is_over_budget(source) or bool(_why_long(library, source))


def over_budget(library: Library) -> Iterator[Issue]:
    """Yield each memory that does not fit what its persona may start with."""
    for source in persona_sources(library.sources):
        if _is_over_budget(source):
            yield _issue(library, source, _tokens(source), source.file.budget)


def said_twice(library: Library) -> Iterator[Issue]:
    """Yield each lesson that says word for word what the same memory says above it."""
    for source in persona_sources(library.sources):
        if not source.archived and source.is_writable and source.kind is SourceKind.MEMORY:
            for first, again, is_free in _doubles(source):
                message = f"duplicate of `{library.short(first.ref)}`"
                hint = "merge them" if is_free else "edit one: without it its list has a gap"
                at = again.at.start if isinstance(again.at, FileSpan) else 0
                line = source.data.count(b"\n", 0, at) + 1
                problem = Problem("duplicate", message, hint, source.path, line)
                verb = _MERGE if is_free else ""
                yield Issue(problem, again.ref, verb, {"into": str(first.ref)} if verb else {})


def repeats(library: Library) -> Iterator[Issue]:
    """Yield each memory that says the same again and again but for a number or a date."""
    for source in persona_sources(library.sources):
        if source.archived or not source.is_writable or source.kind is not SourceKind.MEMORY:
            continue
        again, title = _again(source)
        if again < _REPEATS:
            continue
        message = (
            f"{count(again, 'lesson')} of `{source.name}` say what another there says, "
            f"but for numbers: {title}"
        )
        hint = "compact the memory, or archive old sections"
        yield Issue(Problem("repeats", message, hint, source.path), None)


@kept
def _again(source: PersonaSource) -> tuple[int, str]:
    """Return how many lessons repeat another but for numbers, and what is said most often."""
    forms: dict[str, list[str]] = {}
    for entry in source.entries:
        if entry.kind == LESSON and not is_label(entry.title):
            # What stands in brackets at the end says where it was met again.
            said = _NUMBER.sub("", _ASIDE.sub("", entry.title))
            if len(said.split()) >= _WORDS:
                forms.setdefault(norm(said), []).append(entry.title)
    many = [same for same in forms.values() if len({*map(norm, same)}) > 1]
    most = max(many, key=len, default=[""])
    return sum(len(same) - 1 for same in many), most[0]


def folders_apart(library: Library) -> Iterator[Issue]:
    """Yield each memory whose folder is spelled otherwise than its row; its tool finds none."""
    sources = persona_sources(library.sources)
    called = {
        persona_key(profile.name): profile.name
        for source in sources
        if source.rows
        for profile in profiles_of(source)
    }
    told: set[Path] = set()
    for source in sources:
        name = called.get(persona_key(source.owner), source.owner)
        is_watched = source.rules.database and not source.rows and not source.archived
        if not is_watched or not source.owner or name == source.owner or source.folder in told:
            continue
        told.add(source.folder)
        problem = Problem(
            "folder-apart",
            f"the database says `{name}` and the folder is called `{source.owner}`: "
            f"{source.rules.tool} looks for a folder of the row's name",
            f"`remem persona rename {source.owner} {name}` gives it that name",
            path=source.path,
        )
        arguments: dict[str, Json] = {"persona": source.owner, "to": name}
        yield Issue(problem, None, _RENAME, arguments)


def old_decisions(library: Library) -> Iterator[Issue]:
    """Yield each team's log that is over what its tool says, with what archives old decisions."""
    before = (library.ground.given.clock.today() - timedelta(days=OLD_DECISIONS)).isoformat()
    for source in persona_sources(library.sources):
        if source.file.reader is not Reader.DECISIONS or not source.is_over_mark:
            continue
        size = (
            f"`{source.name}` has {len(source.data):,} bytes; {source.rules.tool} expects less "
            f"than {source.file.mark:,}"
        )
        old = old_sections(source, before)
        if not old or not is_team_log(source) or not source.is_writable:
            yield Issue(Problem(OVER_LIMIT, size, "archive old entries", path=source.path))
            continue
        problem = Problem(
            "old-decisions",
            f"{size}; {count(old, 'decision')} in it are from before {before}",
            "archive them in one go",
            path=source.path,
        )
        told: dict[str, Json] = {"team": True, "layout": source.layout, "before": before}
        yield Issue(problem, None, SECTIONS_ARCHIVE.id, told)


def growth(library: Library, source: PersonaSource) -> tuple[int, str]:
    """Return by how many tokens a memory grows in a week, and who says so; 0 = nobody knows.

    git tells where the file is committed; else the dates of its sections do.
    """
    today = library.ground.given.clock.today()
    state = git.state(source.disk, source.path.parent)
    found = sizes(source.path, today - timedelta(weeks=WEEKS), state)
    if len(found) > 1:
        days = max((today - found[0].day).days, _DAYS)
        grown = len(source.data) - found[0].bytes
        return max(0, grown // CHARACTERS_A_TOKEN * _DAYS // days), "git"
    return dated_growth(source, today), "its dates"


def _issue(library: Library, source: PersonaSource, tokens: int, limit: int) -> Issue:
    weekly, who = growth(library, source)
    grows = f", growing by ≈{weekly:,} a week (by {who})" if weekly >= _LEAST else ""
    before = _cut(source, limit)
    hint = f"archive the sections before {before}" if before else "compact it, or archive lessons"
    problem = Problem(
        "over-budget",
        f"`{source.name}` uses ≈{tokens:,} of {limit:,} tokens{grows}",
        hint,
        path=source.path,
    )
    if not before or not source.is_writable:
        return Issue(problem)
    arguments: dict[str, Json] = {
        "persona": source.owner,
        "layout": source.layout,
        "file": str(source.path),
        "before": before,
    }
    return Issue(problem, None, SECTIONS_ARCHIVE.id, arguments)


def _counts(source: PersonaSource) -> bool:
    """Tell whether remem composes this memory under a budget."""
    return (
        source.rules.composed
        and source.file.budget > 0
        and not source.archived
        and source.kind is SourceKind.MEMORY
        and source.loader.kind is not LoaderKind.NOT_KNOWN
    )


def _is_over_budget(source: PersonaSource) -> bool:
    return _counts(source) and _tokens(source) > source.file.budget


def _tokens(source: PersonaSource) -> int:
    return -(-len(source.data.decode("utf-8", "replace")) // CHARACTERS_A_TOKEN)


@kept
def _cut(source: PersonaSource, limit: int) -> str:
    """Return the day before which sections have to go for the rest to fit; empty = no day does.

    As the budget is filled the oldest go first; the newest section always stays.
    """
    dates = {p.group: p.date for p in passages(source) if p.group != ROOT_SECTION and p.date}
    if not dates:
        return ""
    document = document_of(source.data)
    starts = [document.headings[group].start for group in sorted(dates)]
    by_day: dict[str, int] = {}
    for group, start, end in zip(
        sorted(dates), starts, [*starts[1:], len(source.data)], strict=True
    ):
        by_day[dates[group]] = by_day.get(dates[group], 0) + end - start
    left = len(source.data)
    days = sorted(by_day)
    for day, following in pairwise([*days, ""]):
        left -= by_day[day]
        if left <= limit * CHARACTERS_A_TOKEN:
            return following
    return ""


@kept
def dated_growth(source: PersonaSource, today: date, weeks: int = WEEKS) -> int:
    """Return the tokens a week that were dated within so many weeks before a day."""
    since = today - timedelta(weeks=weeks)
    recent = [p for p in passages(source) if (day := _day(p.date)) and since <= day <= today]
    days = {day for passage in recent if (day := _day(passage.date))}
    if len(days) < 2:
        return 0
    passed = max((today - min(days)).days / _DAYS, 1)
    return int(sum(p.end - p.start for p in recent) / CHARACTERS_A_TOKEN / passed)


def _day(text: str) -> date | None:
    """Return a heading's date; `None` for none, and for one that no calendar has."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@kept
def _doubles(source: PersonaSource) -> tuple[tuple[Entry, Entry, bool], ...]:
    """Return lessons that say the same, each with the first that does; cached by the source.

    Besides: whether the second can be taken out without a gap in its list.
    """
    same = [*_same(source)]
    if not same:
        return ()
    document, held = document_of(source.data), passages(source)
    units = [held[place].unit for _, _, place in same]
    return tuple(
        (first, again, unit >= 0 and stands_alone(document, unit))
        for (first, again, _), unit in zip(same, units, strict=True)
    )


def _same(source: PersonaSource) -> Iterator[tuple[Entry, Entry, int]]:
    """Yield equal lessons and which entry the second is; labels and bare dates are no lessons.

    Nor are the fields of two reports, each below a heading of its own.
    """
    known: dict[str, Entry] = {}
    for place, entry in enumerate(source.entries):
        form = norm(entry.title)
        first = known.setdefault(form, entry)
        is_double = form and first is not entry and entry.kind == first.kind == LESSON
        if is_double and not is_label(entry.title) and not _are_fields(source, first, entry):
            yield first, entry, place


def _are_fields(source: PersonaSource, first: Entry, again: Entry) -> bool:
    """Tell whether equal lessons are fields, and a heading stands between them."""
    one, two = first.at, again.at
    if not (isinstance(one, FileSpan) and isinstance(two, FileSpan)):
        return False
    is_parted = b"\n#" in source.data[one.start : two.start]
    return is_parted and _FIELD.fullmatch(again.title.strip()) is not None


def long_memories(library: Library) -> Iterable[Issue]:
    """Yield an issue for every memory that is over the threshold, of other projects too."""
    for source in persona_sources(library.of_format("persona")):
        why = _why_long(library, source)
        if why:
            name, topic = source.owner, topic_name(source)
            is_own = source.project in {"", library.ground.project}
            layout = source.layout if is_own else f"{source.layout}/{source.project}"
            of = "" if is_own else f" in `{source.project}`"
            has = f"`{topic}` of `{name}` has" if topic else f"the memory of `{name}`{of} has"
            message = f"{has} {why}"
            more = f" --topic {topic}" if topic else "" if is_own else f" --layout {layout}"
            hint = f"`remem persona compact {name}{more}` compacts it; the old text is archived"
            problem = Problem("long-memory", message, hint, path=source.path)
            args = PersonaCompact(persona=name, layout=layout, topic=topic)
            yield Issue(problem, verb=PERSONA_COMPACT.id, arguments=args.to_json())


def _why_long(library: Library, source: PersonaSource) -> str:
    """Return how long a memory is that is long enough to be compacted; empty = it is not."""
    is_live = source.part in {Part.MAIN, Part.WORKING, Part.TOPIC} and not source.archived
    if not is_live or not source.is_writable or source.owner in ("", SHARED_OWNER):
        return ""
    return offered(source, library.ground.compaction)
