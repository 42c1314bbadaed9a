"""What Cline makes of a rule's front matter: its name, whether it is switched off, or no rule.

As Cline 3.0.65 was seen to on 2026-11-28: it reads front matter as YAML 1.2, and passes a file over
whose front matter is none, as `globs: *.ts` or `description: one: two`. `paths` decide nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.edit.markdown import BOM
from remem.systems.plain.taken_values import line_of, shown

_FRONT: Final = re.compile(rb"---\r?\n(?P<inner>.*?)\r?\n---\r?\n?", re.DOTALL)
_SWITCHES: Final = ("disabled", "enabled")
_UNREAD: Final = frozenset({"syntax", "duplicate-key", "unknown-anchor"})
"""Codes of problems for which Cline passes a file over; of a tag it only warns."""


@dataclass(frozen=True, slots=True)
class ClineRule:
    """What a file's front matter says to Cline."""

    name: str = ""
    """Empty = it has that of its file."""
    why: str = ""
    """Why it is not loaded; empty = it is."""
    is_off: bool = False
    """It is switched off, and keeps out another one that is called alike and stands before it."""
    line: int = 1
    """Where what is wrong stands."""


@lru_cache(maxsize=512)
def cline_rule(data: bytes) -> ClineRule:
    """Read the front matter of a rule, or of `AGENTS.md`, as Cline does."""
    front = _FRONT.match(data.removeprefix(BOM))
    if front is None:
        return ClineRule()
    from remem.edit.yaml_read import parse_document  # few files have front matter

    read = parse_document(front["inner"])
    wrong = next((each for each in read.problems if each.code in _UNREAD), None)
    if wrong is not None:
        why = "Cline skips it: its front matter is no YAML that can be read"
        return ClineRule(why=why, line=(wrong.line or 0) + 1)
    values = read.value if isinstance(read.value, dict) else {}
    return _read(values, data)


def _read(values: dict[Any, Any], data: bytes) -> ClineRule:
    name = values.get("name")
    if name is not None and not isinstance(name, str):
        return _refused(data, "name", name, "a text")
    for key in _SWITCHES:
        if not isinstance(values.get(key), bool | None):
            return _refused(data, key, values[key], "`true` or `false`")
    own = (name or "").strip()
    off, on = (values.get(key) for key in _SWITCHES)
    if off or (off is None and on is False):
        key = "disabled" if off else "enabled"
        why = f"its `{key}` is `{'true' if off else 'false'}`"
        return ClineRule(own, why, is_off=True, line=line_of(key, data))
    return ClineRule(own)


def _refused(data: bytes, key: str, value: object, takes: str) -> ClineRule:
    why = f"Cline skips it: `{key}` is {shown(value)}, and it takes {takes}"
    return ClineRule(why=why, line=line_of(key, data))
