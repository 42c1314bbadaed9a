"""How one entry is printed: its lines in a prompt, its bullet in the summary, its rank."""

from __future__ import annotations

import re
from functools import cache

from remem.base.frozen import dataclass
from remem.model.entry import Entry
from remem.model.prompt import one_line, sentence
from remem.systems.sniper.records import (
    ANTI_PATTERN,
    CONVENTION,
    DECISION,
    AntiPattern,
    Convention,
    Decision,
    Stored,
)


@dataclass(frozen=True, slots=True)
class Rest:
    """What the lines of an entry say beside what the entry itself holds."""

    name: str
    """Empty where it is the id of the ref."""
    word: str
    """Where a convention is enforced, how severe an anti-pattern is."""
    text: str = ""
    """What to do instead, what was decided; of a convention its examples, as lines of a prompt."""


def rest_of(record: Stored, entry_id: str) -> Rest:
    """Return what `piece` and `bullet` need to know of a record."""
    name = record.id if record.id != entry_id else ""
    word: str
    match record:
        case Convention():
            word, text = record.enforcement or "both", "\n".join(_examples(record))
        case AntiPattern():
            word, text = record.severity or "medium", record.fix_pattern or ""
        case Decision():
            word, text = "", record.decision
    return Rest(name, word, text) if name or text else usual(word)


@cache
def usual(word: str) -> Rest:
    """Return what an entry says that has its id and no other text.

    Most conventions have the same few: a hundred thousand of them need no object each.
    """
    return Rest("", word)


def says_nothing(entry: Entry, rest: Rest) -> bool:
    """Tell whether an entry has no text: what to do instead, and examples, alone are none."""
    text = f"{entry.title}{rest.text}" if entry.kind == DECISION else entry.title
    return not text.strip()


def piece(entry: Entry, rest: Rest, label: str = "") -> str:
    """Return the entry's lines in a prompt, with what follows its id (FORMATS 1.10)."""
    name, line = f"{rest.name or entry.ref.id}{label}", one_line(entry.title)
    if entry.kind == CONVENTION:
        text = f"- **{name}:** {line}"
        return f"{text}\n{rest.text}" if rest.text else text
    if entry.kind == ANTI_PATTERN:
        return f"- **{name} ({rest.word.upper()}):** {_instead(entry.title, rest.text)}"
    return f"- **{name}:** {_decided(line, rest.text, ' — ')}"


def bullet(entry: Entry, rest: Rest) -> str:
    """Return the entry's line in `summary.md` (FORMATS 1.6)."""
    name, line = rest.name or entry.ref.id, one_line(entry.title)
    if entry.kind == CONVENTION:
        roles = ", ".join(entry.roles or ()) or "every role"
        return f"- **{name}** {line} · {roles} · {rest.word}"
    if entry.kind == ANTI_PATTERN:
        text = " → ".join(text for text in (line, one_line(rest.text)) if text)
        return f"- **{name}** [{rest.word}] {text}"
    return f"- **{name}** {_decided(line, rest.text, ': ')}"


def step(record: Stored) -> int:
    """Return the entry's step under a budget, 1 goes in first (FORMATS 1.10)."""
    match record:
        case AntiPattern():
            return {"high": 1, "medium": 4, "low": 6}[record.severity or "medium"]
        case Convention():
            return 5 if record.enforcement == "spawn_prompt" else 2
        case Decision():
            return 3


def _instead(description: str, fix: str) -> str:
    if not (ended := sentence(fix)):
        return one_line(description)
    return f"{sentence(description)} Instead: {ended}"


def _decided(title: str, text: str, between: str) -> str:
    decision = one_line(text)
    return title if title == decision else between.join(part for part in (title, decision) if part)


def _examples(record: Convention) -> list[str]:
    if record.examples is None:
        return []
    pairs = (("Example", record.examples.positive), ("NOT", record.examples.negative))
    return [f"  {label}:{_code(text)}" for label, text in pairs if text.strip()]


def _code(text: str) -> str:
    lines = text.strip("\r\n").splitlines()
    if len(lines) > 1:
        fence = "`" * max(3, _longest_run(text) + 1)
        return "\n" + "\n".join(f"  {line}".rstrip() for line in (fence, *lines, fence))
    line = lines[0].strip()
    if "`" not in line:
        return f" `{line}`"
    ticks = "`" * max(2, _longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f" {ticks}{pad}{line}{pad}{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
