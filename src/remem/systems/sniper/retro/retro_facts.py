"""What a sprint's own files say: the stories that were planned, and what review gates stopped.

Both are written by people and tools of all kinds, so reading is tolerant: what is not understood is
a problem with its place, and nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.code.commit_facts import RangeFacts, StoryFacts
from remem.edit.yaml_read import parse_document
from remem.model.entry import Problem
from remem.model.record import Record, read_record

_FILE: Final = 20
"""Lines that a changed file counts for: finding one's way into it costs, too."""
_REVIEW: Final = 100
"""Lines that a round of review counts for."""
MISS: Final = 0.3
"""From this part of the estimate on a story was mis-estimated."""

_IDS: Final = ("id", "story", "story_id", "key")
_POINTS: Final = ("points", "estimate", "estimated", "story_points", "estimated_points")
_DONE: Final = frozenset({"done", "complete", "completed", "closed", "merged", "accepted"})
_NAMED: Final = re.compile(
    r"^(?:[Ss]tory[-_ ])?(?![Ss]print[-_ ]?\d)([A-Za-z]*-?\d+)(?![A-Za-z0-9])"
)
"""The id that the name of a story's file begins with."""
_LISTED: Final = re.compile(
    r"^[ \t]*[-*][ \t]+(?:\[(?P<box>[ xX])\][ \t]+)?[*`]*(?P<id>[A-Za-z]+-?\d+)(?![A-Za-z0-9])"
    r"(?P<rest>[^\r\n]*)",
    re.MULTILINE,
)
_SIZE: Final = re.compile(r"\b(\d+(?:\.\d+)?)[ -]?(?:points?|pts?|SP)\b", re.IGNORECASE)
_SAID_DONE: Final = re.compile(rf"\b(?:{'|'.join(sorted(_DONE))})\b", re.IGNORECASE)
_FRONT: Final = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
_FIELD: Final = re.compile(r"^[>\s*-]*\*\*([A-Za-z ]+):\*\*[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_BARE: Final = re.compile(
    r"^[ \t]*(id|key|sprint|stat(?:us|e)|actual|estimated?"
    r"|(?:estimated |story )?points|story(?: id)?):[ \t]*(\S.*?)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that names one of the fields of a story without marks: `points: 3`."""
_IN_SPRINT: Final = re.compile(r"\bsprint[ -]?(\d{1,5})\b", re.IGNORECASE)
_TOP: Final = 2_000
"""Characters of a page in which lines name its fields."""
_CHECKS: Final = ("check", "name", "id", "rule")
_TEXTS: Final = ("pattern", "message", "description", "text", "detail", "details")
_COUNTS: Final = ("failures", "count", "matches", "occurrences")
_LISTS: Final = ("review_gate_failures", "failures", "violations", "findings", "checks", "results")
_PASSED: Final = frozenset(
    {"pass", "passed", "ok", "true", "skip", "skipped", "n/a", "success", "clean"}
)
_LINE: Final = re.compile(
    r"(?:[-*]\s+)?(?P<word>PASS|WARN|FAIL|SKIP|✅|⚠️?|❌)\s+"
    r"(?:(?P<id>[A-Za-z][\w-]*-\d+):\s+)?(?P<text>.*)"
)
_FAILING: Final = frozenset({"WARN", "FAIL", "⚠", "⚠️", "❌"})
_MATCHES: Final = re.compile(r"(\d+) (?:match|violation|failure|occurrence)")


@dataclass(frozen=True, slots=True)
class Planned:
    """A story as the sprint planned it."""

    story: str
    points: float | None = None
    actual: float | None = None
    """In points, where the team says what it took."""
    done: bool | None = None
    """`None` = the file does not say."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What a review gate stopped."""

    check: str
    pattern: str
    failures: int
    tracked: bool | None = None
    """Whether the report says that memory knows it."""


def read_stories(path: Path, data: bytes) -> tuple[tuple[Planned, ...], tuple[Problem, ...]]:
    """Return the stories of a YAML or JSON file: a list, or a mapping from each to its points."""
    document = parse_document(data)
    if document.problems:
        return (), tuple(_at(path, problem) for problem in document.problems)
    value = document.value
    if isinstance(value, Mapping) and "stories" in value:
        value = value["stories"]
    if isinstance(value, Mapping) and all(map(_is_plan, value.values())):
        value = [{"id": name, **_details(each)} for name, each in value.items()]
    if not isinstance(value, list):
        hint = (
            "write `stories:` with items like `- {id: STORY-1, points: 3, status: done}` for each"
        )
        return (), (Problem("shape", "this is not a list of stories", hint, path, line=1),)
    found: dict[str, Planned] = {}
    problems: list[Problem] = []
    for number, item in enumerate(value, 1):
        story = _story(item)
        if story is None or story.story in found:
            what = "has no `id`" if story is None else f"duplicates `{story.story}`"
            problems.append(
                Problem("shape", f"story {number} {what}", "list each story once", path)
            )
        else:
            found[story.story] = story
    return tuple(found.values()), tuple(problems)


def read_story(path: Path, data: bytes) -> Planned | None:
    """Return the story that a page of its own tells of; `None` where it names none.

    Its front matter says id, points and status, or lines as `**Story ID:** S01` and `points: 3` do;
    else the file's name begins with the id, as `S01-scaffold.md` does.
    """
    told = _told_in(data.decode("utf-8", "replace"))
    name = _first(told, _IDS) or next(iter(_NAMED.findall(path.stem)), "")
    return _story({**told, "id": str(name).strip()})


def read_listed(data: bytes) -> tuple[Planned, ...]:
    """Return the stories that a sprint's page lists: `- [x] STORY-1: Login (3 points)`."""
    found: dict[str, Planned] = {}
    for match in _LISTED.finditer(data.decode("utf-8", "replace")):
        points, done = _SIZE.search(match["rest"]), _SAID_DONE.search(match["rest"])
        is_done = match["box"] in ("x", "X") or done is not None
        told = {"id": match["id"], "points": points[1] if points is not None else None}
        story = _story({**told, "status": "done"} if is_done else told)
        if story is not None:
            found.setdefault(story.story, story)
    return tuple(found.values())


def sprint_of_story(data: bytes) -> int | None:
    """Return the sprint that a story's page names: `sprint: 2`, or `Status: Done (Sprint 2)`."""
    told = _told_in(data.decode("utf-8", "replace"))
    number = _number(told.get("sprint"))
    if number is not None:
        return int(number)
    match = _IN_SPRINT.search(str(told.get("status") or ""))
    return int(match[1]) if match else None


def _told_in(text: str) -> Mapping[str, Any]:
    """Return what stands in the front matter of a page, and on the lines that name a field."""
    told: dict[str, Any] = {}
    front = _FRONT.match(text)
    if front is not None:
        value = parse_document(front[1].encode()).value
        told = {str(key): each for key, each in value.items()} if isinstance(value, Mapping) else {}
    for match in (*_FIELD.finditer(text[:_TOP]), *_BARE.finditer(text[:_TOP])):
        told.setdefault(match[1].strip().casefold().replace(" ", "_"), match[2].strip())
    return told


def read_gate(path: Path, data: bytes) -> tuple[tuple[Failure, ...], tuple[Problem, ...]]:
    """Return what a gate's report lists as failed: its lines of text (FORMATS 1.9), or YAML."""
    text = data.decode("utf-8", "replace")
    lines = [_LINE.fullmatch(line.strip()) for line in text.splitlines()]
    if any(lines):
        return tuple(_failed_lines(text.splitlines())), ()
    document = parse_document(data)
    if document.problems:
        return (), tuple(_at(path, problem) for problem in document.problems)
    if isinstance(document.value, Mapping):
        known = [name for name in (*_LISTS, "checklist") if name in document.value]
        if known:
            return tuple(_failed_items(document.value)), ()
    hint = "a report has lines like `WARN conv-004: …`, or a YAML list `failures:`"
    return (), (Problem("shape", "this is not a report of a review gate", hint, path, line=1),)


def together(failures: Iterable[Failure]) -> tuple[Failure, ...]:
    """Return each failure once, with the sum of its counts, in the order of the reports."""
    found: dict[tuple[str, str], Failure] = {}
    for each in failures:
        key = (each.check, each.pattern)
        before = found.get(key)
        count = each.failures + (before.failures if before else 0)
        found[key] = Failure(each.check, each.pattern, count, each.tracked)
    return tuple(found.values())


def measure(
    facts: RangeFacts | None, planned: Sequence[Planned], before: Sequence[Measured]
) -> Measured:
    """Hold what the commits show against what was estimated.

    A story's effort is its changed lines, 20 more for each file and 100 more for each round of
    review. What a point costs is the median over the stories of the first sprint that was measured,
    so that sprints can be compared.

    Args:
        facts: `None` = no commits were looked at.
        planned: May be empty.
        before: Of earlier sprints, oldest first.
    """
    shown = {story.story: story for story in facts.stories} if facts else {}
    names = list(dict.fromkeys((*(each.story for each in planned), *shown)))
    plans = {each.story: each for each in planned}
    pairs = [(plans.get(name, Planned(name)), shown.get(name)) for name in names]
    price = next((m.effort_per_point for m in before if m.effort_per_point), None) or _price(pairs)
    stories = tuple(_measured(plan, found, price) for plan, found in pairs)
    both = [(s.points, s.actual) for s in stories if s.points and s.actual is not None]
    return Measured(
        range=facts.asked if facts else "",
        base=facts.base if facts else "",
        head=facts.head if facts else "",
        commits=len(facts.commits) if facts else 0,
        files=facts.files if facts else 0,
        added=facts.added if facts else 0,
        removed=facts.removed if facts else 0,
        unassigned=facts.unassigned if facts else 0,
        effort_per_point=price,
        estimated=round(sum(points or 0 for points, _ in both), 1) if both else None,
        actual=round(sum(actual or 0 for _, actual in both), 1) if both else None,
        stories=stories,
    )


def misses(measured: Measured) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stories that took clearly less than was estimated, and those that took more."""
    ratios = {
        each.story: round(each.actual / each.points, 2)
        for each in measured.stories
        if each.points and each.actual is not None
    }
    over = tuple(story for story, ratio in ratios.items() if ratio <= 1 - MISS)
    under = tuple(story for story, ratio in ratios.items() if ratio >= 1 + MISS)
    return over, under


def _price(pairs: Sequence[tuple[Planned, StoryFacts | None]]) -> float | None:
    """Return the effort of one point, as the stories of this sprint have it."""
    prices = sorted(_effort(facts) / plan.points for plan, facts in pairs if plan.points and facts)
    if not prices:
        return None
    middle = len(prices) // 2
    return round((prices[middle] + prices[~middle]) / 2, 1) or None


def _effort(story: StoryFacts) -> int:
    return story.added + story.removed + _FILE * story.files + _REVIEW * story.reviews


def _measured(plan: Planned, facts: StoryFacts | None, price: float | None) -> StoryMeasured:
    if facts is None:
        return StoryMeasured(story=plan.story, points=plan.points, actual=plan.actual)
    actual = plan.actual
    if actual is None and price:
        actual = round(_effort(facts) / price, 1)
    return StoryMeasured(
        story=plan.story,
        points=plan.points,
        actual=actual,
        commits=len(facts.commits),
        files=facts.files,
        added=facts.added,
        removed=facts.removed,
        reviews=facts.reviews,
    )


def _is_plan(value: Any) -> bool:
    """Tell whether it can stand behind a story's name: nothing, points, or a mapping."""
    return value is None or isinstance(value, Mapping) or _number(value) is not None


def _details(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {"points": value}


def _story(item: Any) -> Planned | None:
    if isinstance(item, str):
        return Planned(item.strip()) if item.strip() else None
    if not isinstance(item, Mapping):
        return None
    name = str(_first(item, _IDS) or "").strip()
    if not name:
        return None
    status = _first(item, ("status", "state"))
    done = None if status is None else _is_done(str(status))
    return Planned(name, _number(_first(item, _POINTS)), _number(item.get("actual")), done)


def _is_done(status: str) -> bool:
    """Tell whether a story is done: `Complete (Sprint 1)` says it, too."""
    return _IN_SPRINT.sub("", status).strip(" ()").casefold() in _DONE


def _first(item: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)


def _number(value: Any) -> float | None:
    """Return a figure above nothing; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 < number < 1_000_000 else None


def _failed_lines(lines: Iterable[str]) -> Iterator[Failure]:
    section = ""
    for line in lines:
        if line.startswith("#"):
            section = line.strip("# ")
        match = _LINE.fullmatch(line.strip())
        if match is None or match["word"] not in _FAILING or not match["text"].strip():
            continue
        text, _, rest = match["text"].partition(" — ")
        counted = _MATCHES.search(rest)
        failures = int(counted[1][:6]) if counted else 1
        yield Failure(match["id"] or section or "gate", text.strip(), max(failures, 1))


def _failed_items(report: Mapping[str, Any]) -> Iterator[Failure]:
    for name in _LISTS:
        items = report.get(name)
        for item in items if isinstance(items, list) else ():
            failure = _failed_item(item)
            if failure is not None:
                yield failure
    checklist = report.get("checklist")
    for name, passed in checklist.items() if isinstance(checklist, Mapping) else ():
        if passed is False or (isinstance(passed, str) and not _has_passed(passed)):
            words = name.replace("_", " ")
            yield Failure(words, words, 1)


def _failed_item(item: Any) -> Failure | None:
    if isinstance(item, str):
        return Failure("gate", item.strip(), 1) if item.strip() else None
    if not isinstance(item, Mapping):
        return None
    result = _first(item, ("status", "result", "passed"))
    if result is not None and _has_passed(result):
        return None
    check, text = str(_first(item, _CHECKS) or ""), str(_first(item, _TEXTS) or "")
    if not (check or text).strip():
        return None
    count = _number(_first(item, _COUNTS)) or 1
    tracked = item.get("already_tracked")
    return Failure(
        (check or "gate").strip(),
        (text or check).strip(),
        int(count),
        tracked if isinstance(tracked, bool) else None,
    )


def _has_passed(result: Any) -> bool:
    return str(result).strip().casefold() in _PASSED


def _at(path: Path, problem: Problem) -> Problem:
    return Problem(problem.code, problem.message, problem.hint, path, problem.line, problem.column)


MEASURED: Final = "measured"
"""The key of a sprint retro."""


class StoryMeasured(Record):
    """One story of a sprint."""

    story: str
    points: float | None = None
    """As estimated."""
    actual: float | None = None
    """In points too: said by the stories file, else the effort by the effort of one point."""
    commits: int = 0
    files: int = 0
    added: int = 0
    removed: int = 0
    reviews: int = 0
    """Rounds of review that the commits show."""


class Measured(Record):
    """One sprint."""

    range: str = ""
    """As it was asked for; empty = no commits were looked at."""
    base: str = ""
    """The commit that the sprint began on."""
    head: str = ""
    commits: int = 0
    files: int = 0
    added: int = 0
    removed: int = 0
    unassigned: int = 0
    """Commits that belong to no story."""
    effort_per_point: float | None = None
    """What `actual` was divided by; the first sprint that was measured sets it."""
    estimated: float | None = None
    """Points of the stories that have both figures."""
    actual: float | None = None
    """Of the same stories."""
    stories: tuple[StoryMeasured, ...] = ()


def measured_of(retro: Mapping[str, Any]) -> Measured | None:
    """Return what a retro's file says was measured; `None` where nothing was."""
    found = retro.get(MEASURED)
    return read_record(Measured, found)[0] if isinstance(found, Mapping) else None
