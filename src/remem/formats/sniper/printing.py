"""How one entry is printed: its lines in a prompt, its bullet in the summary, its rank."""

from __future__ import annotations

import re
from typing import Final

from remem.model.sniper import AntiPattern, Convention, Decision, Stored

_SENTENCE_END: Final = (".", "!", "?", "…")


def one_line(text: str) -> str:
    """Return the text with its line breaks as blanks."""
    return " ".join(part for line in text.splitlines() if (part := line.strip()))


def sentence(text: str) -> str:
    """Return the text on one line, with a full stop where it ends without one."""
    line = one_line(text)
    return line if not line or line.endswith(_SENTENCE_END) else f"{line}."


def piece(record: Stored, name: str) -> str:
    """Return the entry's lines in a prompt (FORMATS 1.10)."""
    match record:
        case Convention():
            return "\n".join([f"- **{name}:** {one_line(record.rule)}", *_examples(record)])
        case AntiPattern():
            severity = (record.severity or "medium").upper()
            return f"- **{name} ({severity}):** {_instead(record)}"
        case Decision():
            return f"- **{name}:** {_decided(record, ' — ')}"


def bullet(record: Stored, name: str) -> str:
    """Return the entry's line in `summary.md` (FORMATS 1.6)."""
    match record:
        case Convention():
            roles = ", ".join(record.applies_to or ()) or "every role"
            where = record.enforcement or "both"
            return f"- **{name}** {one_line(record.rule)} · {roles} · {where}"
        case AntiPattern():
            texts = (one_line(record.description), one_line(record.fix_pattern or ""))
            text = " → ".join(text for text in texts if text)
            return f"- **{name}** [{record.severity or 'medium'}] {text}"
        case Decision():
            return f"- **{name}** {_decided(record, ': ')}"


def step(record: Stored) -> int:
    """Return the entry's step under a budget, 1 goes in first (FORMATS 1.10)."""
    match record:
        case AntiPattern():
            return {"high": 1, "medium": 4, "low": 6}[record.severity or "medium"]
        case Convention():
            return 5 if record.enforcement == "spawn_prompt" else 2
        case Decision():
            return 3


def _instead(record: AntiPattern) -> str:
    fix = sentence(record.fix_pattern or "")
    if not fix:
        return one_line(record.description)
    return f"{sentence(record.description)} Instead: {fix}"


def _decided(record: Decision, between: str) -> str:
    title, decision = one_line(record.title), one_line(record.decision)
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
