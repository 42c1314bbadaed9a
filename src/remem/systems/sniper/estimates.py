"""What sprints teach about estimates: patterns that a person takes over, and the factor.

The factor is proposed with its arithmetic and changes only when a person says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.edit import yaml_edit, yaml_splice
from remem.edit.patch import splice_to
from remem.edit.yaml_read import parse_document
from remem.edit.yaml_write import render
from remem.model.change import Change, Create, Effect, Intent, Json
from remem.model.entry import Entry
from remem.model.memo import kept
from remem.model.record import read_record
from remem.model.source import Source, need_writable
from remem.systems.sniper.records import ESTIMATES, FINDING, Calibration, Miss
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_facts import Measured, measured_of
from remem.systems.sniper.retro.retro_files import PART as RETRO
from remem.systems.sniper.retro.retro_record import Retro, Shape
from remem.systems.sniper.stores import FOLDER

if TYPE_CHECKING:
    from remem.systems.sniper.sniper_verbs import EstimatesTake

_MORE: Final = "common_underestimates"
_LESS: Final = "common_overestimates"
LEAST: Final = 3
"""Measured sprints from which a factor is proposed."""
TAKEN_FROM: Final = ("patterns", "underestimates", "overestimates")
"""Lists of a retro whose items can be taken over."""
_MISS: Final = re.compile(r"([+\-~−]?)(\d+) ?%")
_STORY: Final = re.compile(r"[A-Za-z]*-?\d+")
_UNDER: Final = re.compile(r"\bunder-?estimat", re.IGNORECASE)
_OVER: Final = re.compile(r"\bover-?estimat", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SprintPoint:
    """One sprint in the chart."""

    name: str
    """File name of its retro."""
    sprint: int | None
    date: str
    estimated: float | None
    """Points of the stories that were measured; `None` = it was not measured."""
    actual: float | None
    under: int
    """Stories that took longer than was thought."""
    over: int

    @property
    def factor(self) -> float | None:
        """What the sprint alone says of the velocity factor."""
        if not self.estimated or not self.actual:
            return None
        return round(self.estimated / self.actual, 4)


@dataclass(frozen=True, slots=True)
class Proposed:
    """A velocity factor that the measured sprints speak for."""

    factor: float
    arithmetic: str
    """`(21 + 18 + 24) estimated / (26 + 20 + 29) actual = 63 / 75 = 0.84`."""


@dataclass(frozen=True, slots=True)
class EstimatesView:
    """What is known of a project's estimates."""

    factor: float
    updated: str
    analyzed: int
    """Sprints, as the file counts them."""
    misses: tuple[Miss, ...]
    sprints: tuple[SprintPoint, ...]
    """Every sprint with a retro, oldest first."""
    proposed: Proposed | None
    """`None` where too few were measured, or the file has that factor."""
    too_few: str = ""
    """Why no factor can be proposed, as one sentence; empty where one can."""


def estimates_view(library: Library) -> EstimatesView:
    """Return the estimates with the chart of the sprints."""
    source = _source(library)
    record = _calibration(source)
    points = tuple(_points(library))
    proposed = propose(points)
    missing = LEAST - sum(point.factor is not None for point in points)
    if proposed is not None and proposed.factor == record.velocity_factor:
        proposed = None
    return EstimatesView(
        record.velocity_factor,
        record.last_updated or "",
        record.sprints_analyzed,
        record.common_underestimates,
        points,
        proposed,
        f"{count(missing, 'more sprint')} measured by `remem retro run` until a factor is proposed"
        if missing > 0
        else "",
    )


def propose(points: Sequence[SprintPoint]) -> Proposed | None:
    """Return the factor of the measured sprints; `None` = fewer than three."""
    both = [(p.estimated, p.actual) for p in points if p.estimated and p.actual]
    if len(both) < LEAST:
        return None
    estimated = sum(each for each, _ in both)
    actual = sum(each for _, each in both)
    factor = round(estimated / actual, 2)
    first = " + ".join(f"{each:g}" for each, _ in both)
    second = " + ".join(f"{each:g}" for _, each in both)
    text = f"({first}) estimated / ({second}) actual = {estimated:g} / {actual:g} = {factor:g}"
    return Proposed(factor, text)


def can_take(library: Library, entry: Entry) -> str | None:
    """Return why an entry cannot be taken into the estimates; `None` when it can."""
    if entry.kind != FINDING or entry.context not in TAKEN_FROM:
        return "only a retro's findings on estimates can be applied"
    if _STORY.fullmatch(entry.title.strip()):
        return "it is about one story, not a kind of story"
    return "already in the estimates" if is_taken(library, entry) else None


def is_taken(library: Library, entry: Entry) -> bool:
    """Tell whether the estimates say what a retro found out about them."""
    record = _calibration(_source(library))
    held = (*record.common_underestimates, *record.common_overestimates)
    return norm(entry.title) in {norm(each.pattern) for each in held}


def plan_take(library: Library, intent: Intent, args: EstimatesTake) -> Change:
    """Plan to take patterns into `estimates.yaml`, or the proposed factor.

    Args:
        library: Where they stand.
        intent: Names findings about estimates.
        args: `factor` takes the proposed factor.

    Raises:
        NotPossible: Nothing can be taken over.
        Refused: The estimates cannot be written.
        Unacknowledged: A pattern holds hidden characters or a secret.
    """
    entries = [library.entry(ref, digest) for ref, digest in intent.shown.items()]
    fields: dict[str, Json] = {}
    notes: tuple[str, ...] = ()
    dates = [entry.date for entry in entries if entry.date]
    if args.factor:
        proposed = estimates_view(library).proposed
        if proposed is None:
            raise NotPossible(
                "no new velocity factor can be proposed",
                hint=estimates_view(library).too_few or "the file already has it",
            )
        fields["velocity_factor"] = proposed.factor
        measured = [point for point in _points(library) if point.factor is not None]
        dates += [point.date for point in measured if point.date]
        fields["sprints_analyzed"] = len(measured)
        notes = (proposed.arithmetic,)
    elif not entries:
        raise NotPossible(
            "nothing was selected", hint="`remem retro show` lists findings on estimates"
        )
    new: dict[str, list[dict[str, Json]]] = {_LESS: [], _MORE: []}
    for entry in entries:
        miss = _miss_of(library, entry, intent)
        new[_LESS if _is_over(entry.context, miss) else _MORE].append(miss)
    once = {name: _each_once(items) for name, items in new.items() if items}
    draft = Draft(library)
    draft.take(_written(library, fields, once, dates))
    what = _named(library, entries, fields)
    return Change(intent, f"Apply {what} to the estimates", draft.effects(), notes=notes)


def typical_miss(section: str, text: str) -> str:
    """Return by how much a pattern says that estimates are off: `+30%`; empty = it does not."""
    match = _MISS.search(text)
    if match is None:
        return ""
    sign = {"−": "-"}.get(match[1], match[1])
    if sign in ("", "~"):
        under, over = section == "underestimates", section == "overestimates"
        if _UNDER.search(text) or under:
            sign = "+"
        elif _OVER.search(text) or over:
            sign = "-"
    return f"{sign}{match[2]}%"


def _miss_of(library: Library, entry: Entry, intent: Intent) -> dict[str, Json]:
    reason = can_take(library, entry)
    name = library.short(entry.ref)
    if reason is not None:
        raise NotPossible(f"`{name}`: {reason}", hint="`remem retro show` lists its findings")
    if not entry.title.strip():
        raise NotPossible(f"`{name}` has no text", hint="fix it in the retro")
    need_clean([entry.title], intent, f"`{name}`")
    miss = typical_miss(entry.context, entry.title)
    return {"pattern": entry.title, "typical_miss": miss, "reason": ""}


def _is_over(section: str, item: Mapping[str, Json]) -> bool:
    """Tell whether stories took less than was thought: by the list, the figure or the words."""
    text = str(item["pattern"])
    if section == "overestimates" or str(item["typical_miss"]).startswith("-"):
        return True
    return _OVER.search(text) is not None and _UNDER.search(text) is None


def _each_once(items: Iterable[dict[str, Json]]) -> list[dict[str, Json]]:
    return [*{norm(str(item["pattern"])): item for item in items}.values()]


def _written(
    library: Library,
    fields: dict[str, Json],
    new: Mapping[str, Sequence[dict[str, Json]]],
    dates: Sequence[str],
) -> tuple[Effect, ...]:
    """Return what brings the patterns and the factor into the file."""
    source = _source(library)
    record = _calibration(source)
    fields["last_updated"] = max((*dates, record.last_updated or "")) or None
    if new:
        sprints = sum(1 for _ in _retros(library))
        fields["sprints_analyzed"] = max(sprints, record.sprints_analyzed)
    if source is None:
        path = library.ground.root / FOLDER / f"{ESTIMATES}.yaml"
        whole: dict[str, Json] = {
            "velocity_factor": 1.0,
            _MORE: [],
            **{name: list(items) for name, items in new.items()},
            "last_updated": None,
            "sprints_analyzed": 0,
        }
        return (Create(path, render({"calibration": {**whole, **fields}})),)
    need_writable(source)
    data = source.data
    held = {_MORE: record.common_underestimates, _LESS: record.common_overestimates}
    for name, items in new.items():
        if not held[name] and name == _LESS:
            data = _set(data, ("calibration", name), [*items])
            continue
        for number, item in enumerate(items, len(held[name])):
            data = _set(data, ("calibration", name, number), item)
    for name, value in fields.items():
        data = _set(data, ("calibration", name), value)
    return splice_to(source.path, source.data, data, source.digest)


def _set(data: bytes, path: tuple[str | int, ...], value: Json) -> bytes:
    return yaml_edit.apply(data, yaml_splice.set_in_document(data, path, value))


def _named(library: Library, entries: Sequence[Entry], fields: Mapping[str, Json]) -> str:
    parts = []
    if len(entries) == 1:
        parts.append(library.short(entries[0].ref))
    elif entries:
        parts.append(count(entries, "pattern"))
    if "velocity_factor" in fields:
        parts.append(f"the factor {fields['velocity_factor']:g}")
    return " and ".join(parts)


def _source(library: Library) -> Source | None:
    sources = library.of_format("sniper")
    return next((each for each in sources if each.part == ESTIMATES), None)


def _calibration(source: Source | None) -> Calibration:
    return _calibration_in(source) if source is not None else Calibration()


@kept
def _calibration_in(source: Source) -> Calibration:
    value: Any = parse_document(source.data).value
    inner = value.get("calibration") if isinstance(value, Mapping) else None
    return read_record(Calibration, inner)[0] if isinstance(inner, Mapping) else Calibration()


def _retros(library: Library) -> Iterable[tuple[Source, Retro, Mapping[str, Any]]]:
    for source in library.of_format("sniper"):
        document, retro = retro_entries.parsed(source) if source.part == RETRO else (None, None)
        if document is not None and retro is not None and retro.shape is Shape.SPRINT:
            assert isinstance(document.value, Mapping)
            yield source, retro, document.value


def _points(library: Library) -> list[SprintPoint]:
    """Return one point for each sprint, oldest first."""
    points = [_point(*each) for each in _retros(library)]
    return sorted(points, key=lambda p: (p.date, p.sprint or 0, p.name))


def _point(source: Source, retro: Retro, value: Mapping[str, Any]) -> SprintPoint:
    measured = measured_of(value)
    estimated, actual = _sums(measured) if measured is not None else (None, None)
    sections = [finding.section for finding in retro.findings]
    return SprintPoint(
        source.path.stem,
        retro.sprint,
        retro.date,
        estimated,
        actual,
        sections.count("underestimates"),
        sections.count("overestimates"),
    )


def _sums(measured: Measured) -> tuple[float | None, float | None]:
    """Return estimated and actual points of the stories that have both."""
    if measured.estimated and measured.actual:
        return measured.estimated, measured.actual
    both = [(s.points, s.actual) for s in measured.stories if s.points and s.actual]
    if not both:
        return None, None
    return sum(points for points, _ in both), sum(actual for _, actual in both)
