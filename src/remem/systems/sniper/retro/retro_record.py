"""What a retro holds, and its findings as one flat list (FORMATS 1.7, 2.7).

Reading is tolerant: items may be texts or mappings. What comes of a finding is decided in
`systems/sniper/retro/retro_rules.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, TypeVar

from remem.base.frozen import dataclass
from remem.model.entry import LEARNING
from remem.model.record import (
    Fault,
    Record,
    Word,
    read_record,
)
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION, Names, Severity

CATEGORIES: Final[Mapping[str, tuple[str, ...]]] = {
    "new conventions": ("new_conventions",),
    "anti-patterns": ("new_anti_patterns",),
    "gate failures": ("review_gate_failures",),
    "estimation": ("overestimates", "underestimates", "patterns"),
    "positive patterns": ("positive_patterns",),
    "action items": ("action_items",),
    "to improve": ("needs_improvement", "what_needs_improvement"),
    "went well": ("went_well", "what_went_well"),
}
"""What a person calls the parts of a retro, in their order, and the lists of each."""


class NewConvention(Record):
    """A rule that a retro found."""

    rule: str
    confidence: Annotated[Literal["high", "medium"] | None, Word] = None
    evidence: str = ""
    recommendation: Annotated[Literal["codify", "monitor", "ignore"] | None, Word] = None
    applies_to: Names | None = None


class NewAntiPattern(Record):
    """A mistake that a retro found."""

    description: str
    occurrences: int | None = None
    stories: Names = ()
    recommendation: Annotated[Literal["codify", "monitor", "ignore"] | None, Word] = None
    severity: Severity | None = None
    applies_to: Names | None = None
    confidence: Annotated[Literal["high", "medium"] | None, Word] = None
    evidence: str = ""


class NewerItem(Record):
    """What went well or needs improvement, as SNIPER 4 writes it."""

    id: str = ""
    area: str = ""
    detail: str = ""
    action: str = ""


class GateFailure(Record):
    """What a review gate stopped."""

    check: str = ""
    failures: int = 1
    pattern: str
    already_tracked: bool = False


class EstimationFindings(Record):
    """Where a sprint's estimates were off."""

    overestimates: Names = ()
    underestimates: Names = ()
    patterns: Names = ()


class Findings(Record):
    """Everything that a sprint retro found."""

    new_conventions: tuple[NewConvention | str, ...] = ()
    new_anti_patterns: tuple[NewAntiPattern | str, ...] = ()
    review_gate_failures: tuple[GateFailure | str, ...] = ()
    estimation_calibration: EstimationFindings = EstimationFindings()
    positive_patterns: Names = ()


class SprintRetro(Record):
    """The analysis of one sprint."""

    sprint: int | None = None
    date: str = ""
    stories_completed: int | None = None
    stories_carried_over: int | None = None
    findings: Findings = Findings()


_Item = TypeVar("_Item", bound=Record)


class Shape(StrEnum):
    """Which kind of retro a file holds, told by its content."""

    SPRINT = "sprint"
    PROTOCOL = "protocol"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a retro found."""

    section: str
    """The list it stands in: `new_conventions`."""
    number: int
    """Its place in that list, from 1."""
    text: str
    kind: str = ""
    """The entry that it could become; empty = info only."""
    recommendation: str = ""
    """`codify`, `monitor`, `ignore`, or empty where none is given."""
    confidence: str = "medium"
    """What the rules go by."""
    says_confidence: bool = False
    """The retro itself says how sure it is; otherwise nothing may claim that it did."""
    evidence: str = ""
    area: str = ""
    """What it is about, as the retro calls it, with its number there: `I1 testing_gaps`."""
    asks: bool = False
    """It says what to do, not only what was amiss."""
    roles: Names = ()
    stories: Names = ()
    occurrences: int = 0
    severity: str = ""
    check: str = ""
    """The gate's check that failed."""
    waits: bool = False
    """It asks for a decision: recommended to codify, or a gate failure that nothing tracks."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Retro:
    """A retro with all that it found, in file order."""

    shape: Shape
    date: str = ""
    sprint: int | None = None
    completed: int | None = None
    carried_over: int | None = None
    findings: tuple[Finding, ...] = ()
    about: tuple[str, ...] = ()
    """What a protocol's retro tells of its run, a line each: outcome, phases, metrics."""
    faults: tuple[Fault, ...] = ()


FOR_READING: Final = ("positive_patterns", "went_well", "what_went_well")
"""Lists of a retro that ask for nothing."""
_TEXT_FIELDS: Final = ("detail", "text", "description")
_ESTIMATES: Final = ("overestimates", "underestimates", "patterns")
_PROTOCOL: Final = ("went_well", "needs_improvement", "action_items")
_NEWER: Final = ("what_went_well", "what_needs_improvement")
"""Lists of the retros of SNIPER 4, which stand at the top."""
_LEARNT: Final = ("needs_improvement", "action_items", "what_needs_improvement")
"""Lists of a protocol's retro that propose learnings (FORMATS 2.7)."""
_ABOUT: Final = ("outcome", "phases", "duration_phases", "metrics")
_SIGNED: Final = frozenset({"findings", "date", "completed_at", "started_at", "id", "description"})
_KNOWN: Final[Mapping[str, frozenset[str]]] = {
    "sprint": _SIGNED | {"sprint", "stories_completed", "stories_carried_over", "measured"},
    "protocol": _SIGNED
    | {"protocol", "protocol_id", "signals_analyzed", "decisions_analyzed", *_ABOUT, *_NEWER},
}
"""What may stand at the top of either shape."""


def shape_of(value: Mapping[str, Any]) -> Shape:
    """Tell a sprint's retro from a protocol's by what it holds."""
    findings = value.get("findings")
    names = set(findings) if isinstance(findings, Mapping) else set()
    if "sprint" in value or names & {"new_conventions", "new_anti_patterns"}:
        return Shape.SPRINT
    if {"protocol", *_NEWER} & value.keys() or names & set(_PROTOCOL):
        return Shape.PROTOCOL
    return Shape.UNKNOWN


def read_retro(value: Mapping[str, Any]) -> Retro:
    """Read either shape; what does not fit is a fault of the retro or of its finding."""
    shape = shape_of(value)
    if shape is Shape.UNKNOWN:
        hint = "a sprint retro has `sprint` and `findings`, a protocol retro has `protocol`"
        message = "this retro has an unknown format"
        if value:
            message = f"{message}: it holds {_listed(value)}"
        return Retro(shape, faults=(Fault("shape", (), message, hint),))
    plain = {key: each for key, each in value.items() if key != "findings"}
    record, faults = read_record(SprintRetro, plain)
    date = record.date or str(value.get("completed_at") or "")[:10]
    found = value.get("findings")
    if found is not None and not isinstance(found, Mapping):
        wrong = Fault(
            "type", ("findings",), "`findings` is not a mapping", "write the lists below it"
        )
        return Retro(shape, date, record.sprint, faults=(*faults, wrong))
    lists = _sprint_lists if shape is Shape.SPRINT else _protocol_lists
    findings: list[Finding] = []
    for section, items in lists(found or {}):
        if isinstance(items, list):
            findings += _findings(("findings",), section, items)
        elif items is not None:
            name = f"findings.{section}"
            path = ("findings", section)
            faults = (*faults, Fault("type", path, f"`{name}` is not a list", "write it as a list"))
    for section in _NEWER if shape is Shape.PROTOCOL else ():
        items = value.get(section)
        if isinstance(items, list):
            findings += _findings((), section, items)
        elif items is not None:
            wrong = Fault("type", (section,), f"`{section}` is not a list", "write it as a list")
            faults = (*faults, wrong)
    about = tuple(_about(value)) if shape is Shape.PROTOCOL else ()
    return Retro(
        shape,
        date,
        record.sprint,
        record.stories_completed,
        record.stories_carried_over,
        tuple(findings),
        about,
        (*faults, *_not_understood(shape, value)),
    )


def _not_understood(shape: Shape, value: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what a retro holds beside what is known of its shape."""
    strange = [key for key, each in value.items() if key not in _KNOWN[shape] and each]
    if strange:
        is_one = len(strange) == 1
        message = (
            f"{_listed(strange)} {'is' if is_one else 'are'} not part of a retro and "
            f"{'is' if is_one else 'are'} ignored"
        )
        hint = "move it below `findings`, or read it in the file"
        yield Fault("not-understood", (strange[0],), message, hint)


def _listed(keys: Iterable[object]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _about(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a protocol's retro tells of its run, one line for each part."""
    for key in _ABOUT:
        told = value.get(key)
        if isinstance(told, list):
            text = " · ".join(_in_words(each) for each in told)
        else:
            text = _in_words(told)
        if text:
            yield f"{key.replace('_', ' ')}: {text}"


def _in_words(told: object) -> str:
    """Return a mapping as `gate pass, attempts 1`; its name stands first, without a word for it."""
    if not isinstance(told, Mapping):
        return "" if told is None else " ".join(str(told).split())
    parts = (
        " ".join(str(each).split())
        if key in ("name", "phase")
        else f"{str(key).replace('_', ' ')} {' '.join(str(each).split())}"
        for key, each in told.items()
        if each not in (None, "", {}, [])
    )
    return ", ".join(parts)


def _sprint_lists(found: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for section in ("new_conventions", "new_anti_patterns", "review_gate_failures"):
        yield section, found.get(section)
    estimates = found.get("estimation_calibration")
    if isinstance(estimates, Mapping):
        for section in _ESTIMATES:
            yield section, estimates.get(section)
    else:
        yield "estimation_calibration", estimates
    yield "positive_patterns", found.get("positive_patterns")


def _protocol_lists(found: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for section in _PROTOCOL:
        yield section, found.get(section)


def _findings(above: tuple[str, ...], section: str, items: Sequence[Any]) -> Iterator[Finding]:
    around = ("estimation_calibration",) if section in _ESTIMATES else ()
    for number, item in enumerate(items):
        finding = _finding(section, number + 1, item)
        path = (*above, *around, section, number)
        named = (replace(fault, path=(*path, *fault.path)) for fault in finding.faults)
        yield replace(finding, faults=tuple(named))


def _finding(section: str, number: int, item: Any) -> Finding:
    match section:
        case "new_conventions":
            return _convention(number, *_record(NewConvention, "rule", item))
        case "new_anti_patterns":
            return _anti_pattern(number, *_record(NewAntiPattern, "description", item))
        case "review_gate_failures":
            return _failure(number, *_record(GateFailure, "pattern", item))
        case "what_went_well" | "what_needs_improvement" if isinstance(item, Mapping):
            return _newer(section, number, item)
        case _:
            return _note(section, number, item)


def _record(model: type[_Item], field: str, item: Any) -> tuple[_Item, tuple[Fault, ...]]:
    """Read one item; a text, or a mapping with another name for the text, is taken with a fault."""
    if not isinstance(item, Mapping):
        message = f"a text instead of a mapping with `{field}`"
        record, _ = read_record(model, {field: "" if item is None else str(item)})
        return record, (Fault("shape", (), message, "write a mapping"),)
    other = next((name for name in _TEXT_FIELDS if name in item), None)
    if field in item or other is None:
        record, faults = read_record(model, item)
        return record, (*faults, *_strange(record))
    renamed = {field if name == other else name: each for name, each in item.items()}
    record, faults = read_record(model, renamed)
    fault = Fault("shape", (other,), f"`{other}` should be `{field}`", f"rename it to `{field}`")
    return record, (fault, *faults, *_strange(record))


def _strange(record: Record) -> Iterator[Fault]:
    """Yield what an item holds beside what such an item has."""
    strange = [key for key, each in record.unknown.items() if each not in (None, "", [], {})]
    if strange:
        message = f"{_listed(strange)} is not known here and is ignored"
        known = [name for name in record.__annotations__ if name != "unknown"]
        hint = f"known keys: {_listed(known)}"
        yield Fault("not-understood", (strange[0],), message, hint)


def _convention(number: int, item: NewConvention, faults: tuple[Fault, ...]) -> Finding:
    return Finding(
        "new_conventions",
        number,
        item.rule,
        CONVENTION,
        recommendation=item.recommendation or "",
        confidence=item.confidence or "medium",
        says_confidence=item.confidence is not None,
        evidence=item.evidence,
        roles=item.applies_to or (),
        waits=item.recommendation == "codify" and bool(item.rule.strip()),
        faults=faults,
    )


def _anti_pattern(number: int, item: NewAntiPattern, faults: tuple[Fault, ...]) -> Finding:
    occurrences = len(item.stories) if item.occurrences is None else item.occurrences
    return Finding(
        "new_anti_patterns",
        number,
        item.description,
        ANTI_PATTERN,
        recommendation=item.recommendation or "",
        confidence=item.confidence or ("high" if occurrences >= 3 else "medium"),
        says_confidence=item.confidence is not None,
        evidence=item.evidence,
        roles=item.applies_to or (),
        stories=item.stories,
        occurrences=occurrences,
        severity=item.severity or "medium",
        waits=item.recommendation == "codify" and bool(item.description.strip()),
        faults=faults,
    )


def _failure(number: int, item: GateFailure, faults: tuple[Fault, ...]) -> Finding:
    text = item.pattern or item.check
    return Finding(
        "review_gate_failures",
        number,
        text,
        ANTI_PATTERN,
        occurrences=item.failures,
        severity="high" if item.failures >= 3 else "medium",
        check=item.check,
        waits=not item.already_tracked and bool(text.strip()),
        faults=faults,
    )


def _note(section: str, number: int, item: Any) -> Finding:
    """Read a finding that is one text: for reading, or, of a protocol, for a learning."""
    kind = LEARNING if section in _LEARNT else ""
    asks = section == "action_items"
    if isinstance(item, str):
        return Finding(section, number, item, kind, asks=asks, waits=bool(kind and item.strip()))
    if not isinstance(item, Mapping):
        return Finding(section, number, "" if item is None else str(item), faults=(_NOT_A_TEXT,))
    name = next((name for name in _TEXT_FIELDS if name in item), None)
    parts = (f"{key}: {each}" for key, each in item.items())
    text = str(item[name]) if name else ", ".join(parts)
    waits = bool(kind and text.strip())
    return Finding(section, number, text, kind, asks=asks, waits=waits, faults=(_NOT_A_TEXT,))


def _newer(section: str, number: int, item: Mapping[str, Any]) -> Finding:
    """Read an item of SNIPER 4: what to do is the finding, and what was amiss speaks for it."""
    record, faults = read_record(NewerItem, item)
    kind = LEARNING if section in _LEARNT else ""
    action, detail = (" ".join(text.split()) for text in (record.action, record.detail))
    asks = bool(action)
    text = action or detail or ", ".join(f"{key}: {each}" for key, each in item.items())
    faults = (*faults, *_strange(record))
    return Finding(
        section,
        number,
        text,
        kind,
        evidence=detail if asks else "",
        area=" ".join(filter(None, (record.id, record.area))),
        asks=asks,
        waits=bool(kind and text.strip()),
        faults=faults,
    )


_NOT_A_TEXT: Final = Fault("type", (), "this is not text", "write it as text")
