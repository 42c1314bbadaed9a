"""`summary.md`: what project memory holds, for people, rendered from the files (FORMATS 1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.text import count
from remem.edit.yaml_read import parse_document
from remem.model.prompt import one_line
from remem.model.record import read_record
from remem.model.source import Source
from remem.systems.sniper.records import ESTIMATES, Calibration
from remem.systems.sniper.retro.retro_files import PART as RETRO
from remem.systems.sniper.stores import STORES, bullets
from remem.systems.sniper.summary_bullets import GROUPS, Block

if TYPE_CHECKING:
    from remem.systems.sniper.retro.retro_record import Retro

MARK: Final = "<!-- generated from the YAML beside it; edits are lost -->"

_TITLES: Final[Mapping[str, tuple[str, str]]] = {
    "conventions": ("## Conventions", "convention"),
    "anti-patterns": ("## Anti-patterns", "anti-pattern"),
    "decisions": ("## Decisions", "decision"),
}
_HEADINGS: Final = ("", "### Candidates", "### No longer in force")
"""Of the groups of a block, in their order."""


def is_ours(data: bytes) -> bool:
    """Tell whether remem wrote the summary, or somebody who would lose it."""
    return data.removeprefix(b"\xef\xbb\xbf").startswith(MARK.encode())


def render_summary(sources: Sequence[Source]) -> bytes:
    """Return the summary of what the sources hold; equal sources give equal bytes."""
    found = {store.part: bullets(sources, store.part) for store in STORES}
    sprints = sorted(_sprints(sources), key=lambda pair: (pair[1].date, pair[0]), reverse=True)
    counts = [_counted(found[part], noun) for part, (_, noun) in _TITLES.items()]
    blocks = _encoded(
        [MARK, "# Project memory", " · ".join((*counts, count(sprints, "retrospective")))]
    )
    for part, (title, _) in _TITLES.items():
        blocks += _section(title, found[part])
    blocks += _titled("## Estimation", _encoded(_estimation(sources)))
    minutes = (_minutes(name, retro) for name, retro in sprints)
    blocks += _titled("## Retrospectives", _encoded(minutes))
    return b"\n\n".join(blocks) + b"\n"


def _encoded(texts: Iterable[str]) -> list[bytes]:
    return [text.encode("utf-8", "replace") for text in texts]


def _counted(found: Sequence[Block], noun: str) -> str:
    candidates = sum(block.candidates for block in found)
    waiting = f" ({count(candidates, 'candidate')})" if candidates else ""
    return f"{count(sum(block.length for block in found), noun)}{waiting}"


def _section(title: str, found: Sequence[Block]) -> list[bytes]:
    parts: list[bytes] = []
    for group in range(GROUPS):
        lines = [block.texts[group] for block in found if block.texts[group]]
        parts += _titled(_HEADINGS[group], lines)
    return [title.encode(), *parts] if parts else []


def _titled(title: str, lines: Sequence[bytes]) -> list[bytes]:
    if not lines:
        return []
    return [*([title.encode()] if title else []), b"\n".join(lines)]


def _estimation(sources: Sequence[Source]) -> Iterator[str]:
    for source in sources:
        value = parse_document(source.data).value if source.part == ESTIMATES else None
        calibration = value.get("calibration") if isinstance(value, Mapping) else None
        if not isinstance(calibration, Mapping):
            continue
        record, _ = read_record(Calibration, calibration)
        since = f" · {record.last_updated}" if record.last_updated else ""
        sprints = count(record.sprints_analyzed, "sprint")
        yield f"- velocity factor {record.velocity_factor:g} over {sprints}{since}"
        for miss in record.common_underestimates:
            parts = (one_line(part) for part in (miss.pattern, miss.typical_miss, miss.reason))
            yield f"- {' · '.join(part for part in parts if part)}"


def _sprints(sources: Sequence[Source]) -> Iterator[tuple[str, Retro]]:
    from remem.systems.sniper.retro import retro_entries
    from remem.systems.sniper.retro.retro_record import Shape

    for source in sources:
        retro = retro_entries.parsed(source)[1] if source.part == RETRO else None
        if retro is not None and retro.shape is Shape.SPRINT:
            yield source.path.stem, retro


def _minutes(name: str, retro: Retro) -> str:
    parts = [retro.date]
    if retro.completed is not None:
        parts.append(f"{retro.completed} completed")
    if retro.carried_over:
        parts.append(f"{retro.carried_over} carried over")
    parts.append(count(retro.findings, "finding"))
    return f"- **{name}** {' · '.join(part for part in parts if part)}"
