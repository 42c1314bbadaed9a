"""Comments that let a rule be broken at a place: `remem: allow RULE: reason` (FORMATS 1.9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from remem.code.changed import ChangedFile
from remem.model.compliance import Rule, Violation

_ALLOWS: Final = re.compile(r"\bremem:\s*allow\s+(?P<rule>[^\s,;]+)[,;:]?(?P<why>[^\n]*)")
_ALONE: Final = re.compile(r"^\s*(?://+|#+|/?\*+|--|<!--|;+|%|\{/\*)\s*remem:")
"""A comment with nothing before it, which speaks of the line below."""
_NO_REASON: Final = re.compile(r"^\W*$")


def is_allowed(rule: Rule, place: Violation, file: ChangedFile, notes: dict[str, None]) -> bool:
    """Tell whether a comment allows a place, and note where one does so without a reason.

    It stands on the line, above it, or above what the line is part of; of what a whole file lacks
    anywhere in the file.
    """
    for number in _near(file, place):
        match = _ALLOWS.search(file.lines[number - 1])
        if match is None or match["rule"].strip("`") not in (rule.ref, rule.id.split()[0]):
            continue
        if not _NO_REASON.match(match["why"]):
            return True
        notes[f"`{file.path}:{number}` allows `{rule.ref}` without a reason, so it counts"] = None
    return False


def _near(file: ChangedFile, place: Violation) -> Iterator[int]:
    if not place.text:
        yield from (n for n, line in enumerate(file.lines, 1) if "remem:" in line)
        return
    begins = {place.line, place.first or place.line}
    yield from sorted(begins)
    for number in begins:
        if number > 1 and _ALONE.match(file.lines[number - 2]):
            yield number - 1
