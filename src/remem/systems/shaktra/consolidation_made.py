"""What a new entry holds that comes of observations (FORMATS 5.2, steps 4 to 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from remem.model.change import Json
from remem.systems.shaktra.consolidation_terms import Made, Noted, sentences_of
from remem.systems.shaktra.faults import LONGEST, SHORTEST
from remem.systems.shaktra.records import (
    ANTI_PATTERN,
    CATEGORIES,
    PRINCIPLE,
    PROCEDURE,
    SEVERITIES,
    WORKFLOWS,
    plain,
    roles_for,
)

_MOST_GUIDANCE: Final = 5
_MOST_CATEGORIES: Final = 3
_ASSUMED: Final = "maintainability"
_NO_SEVERITY: Final = "P2"


def too_short(noted: Noted) -> bool:
    """Tell whether a text cannot be a principle's."""
    return len(one_line(noted.record.text)) < SHORTEST


def text_for(kind: str, noted: Noted) -> str:
    """Return the text that an entry of that kind would have."""
    text = noted.record.text
    return _shortened(text) if kind == PRINCIPLE else one_line(text)


def one_line(text: str) -> str:
    """Return a text with its line breaks as blanks."""
    return " ".join(text.split())


def principle_of(
    noted: Noted, story: str, start: float, why: str, *, proposed: bool = False
) -> Made:
    """Return the principle that an observation makes."""
    tags = [*dict.fromkeys(noted.record.tags)]
    words = dict.fromkeys(map(plain, tags))
    found = [word for word in words if word in CATEGORIES][:_MOST_CATEGORIES]
    notes: tuple[str, ...] = ()
    if not found:
        notes = (f"no tag of `{noted.name}` is a category; `{_ASSUMED}` is assumed",)
    categories = found or [_ASSUMED]
    text = _shortened(noted.record.text)
    fields: dict[str, Json] = {
        "text": text,
        "categories": [*categories],
        "guidance": [*sentences_of(noted.record.text)[:_MOST_GUIDANCE]],
        "confidence": start,
        "source_count": 1,
        "tags": [*tags],
        "roles": [*roles_for((*categories, *tags))],
        "source": story,
    }
    return Made(PRINCIPLE, text, fields, (noted,), why, notes, proposed)


def anti_pattern_of(
    group: Sequence[Noted],
    rationales: Iterable[Noted],
    story: str,
    start: float,
    why: str,
    *,
    proposed: bool = False,
) -> Made:
    """Return the anti-pattern that failures of one pattern make; the first one gives its text."""
    text, tags = one_line(group[0].record.text), _tags(group)
    severities = [s for s in SEVERITIES if any(each.record.severity == s for each in group)]
    words = frozenset(map(plain, tags))
    fixes = sorted((e for e in rationales if e.words & words), key=lambda each: each.weight)
    fields: dict[str, Json] = {
        "failed_approach": text,
        "failure_mode": "",
        "severity": severities[0] if severities else _NO_SEVERITY,
        "recommended_approach": one_line(fixes[0].record.text) if fixes else "",
        "trigger_patterns": [*tags],
        "confidence": start,
        "tags": [*tags],
        "roles": [*roles_for(tags)],
        "source": story,
    }
    return Made(ANTI_PATTERN, text, fields, _of_story(group, story), why, (), proposed)


def procedure_of(
    group: Sequence[Noted], story: str, start: float, why: str, *, proposed: bool = False
) -> Made:
    """Return the procedure that a pattern of work makes; the first one gives its text."""
    text, tags = one_line(group[0].record.text), _tags(group)
    flows = [word for word in WORKFLOWS if word in frozenset(map(plain, tags))]
    fields: dict[str, Json] = {
        "text": text,
        "confidence": start,
        "source_count": len(group),
        "tags": [*tags],
        "roles": [*roles_for(tags)],
        "applies_to": [*(flows or ["general"])],
        "source": story,
    }
    return Made(PROCEDURE, text, fields, _of_story(group, story), why, (), proposed)


def _tags(group: Sequence[Noted]) -> list[str]:
    return [*dict.fromkeys(tag for each in group for tag in each.record.tags)]


def _of_story(group: Sequence[Noted], story: str) -> tuple[Noted, ...]:
    own = sorted((each for each in group if each.story == story), key=lambda each: each.turn)
    others = [each for each in group if each.story != story]
    return (*own, *others)


def _shortened(text: str) -> str:
    """Return as many sentences as a principle may hold, or the start of the first."""
    line = one_line(text)
    if len(line) <= LONGEST:
        return line
    kept = ""
    for sentence in sentences_of(text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > LONGEST:
            break
        kept = longer
    return kept or f"{line[: LONGEST - 1].rsplit(' ', 1)[0]}…"
