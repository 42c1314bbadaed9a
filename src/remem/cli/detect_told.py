"""What `detect` reports of a rule: what is looked for, who said so, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remem.base.frozen import dataclass
from remem.model.detect import AstPattern, Detect
from remem.views.documents.checks import PatternReport, UnreadReport, ViolationReport

if TYPE_CHECKING:
    from remem.core.checks.compliance import Held


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for, and where that comes from."""

    origin: str
    detect: Detect | None = None
    said: str = ""
    left: str = ""


def told_of(
    ref: str, title: str, asked: Asked, held: Held, told: Mapping[str, bool | None], note: str
) -> dict[str, Any]:
    """Return what a report says of one rule."""
    return {
        "ref": ref,
        "title": title,
        "origin": asked.origin,
        "said": asked.said,
        "left": asked.left,
        "detect": _pattern(asked.detect) if asked.detect is not None else None,
        "matches": tuple(
            ViolationReport(path=each.path, line=each.line, text=each.snippet)
            for each in held.violations
        ),
        "files": held.files,
        "whole": held.is_whole,
        "unread": tuple(UnreadReport(path=path, why=why) for path, why in held.missed),
        "examples": dict(told),
        "note": note,
    }


def _pattern(detect: Detect) -> PatternReport:
    forbid, require = detect.forbid, detect.require
    syntax = next((each for each in (forbid, require) if isinstance(each, AstPattern)), None)
    return PatternReport(
        files=detect.files or (),
        forbid=forbid.pattern if isinstance(forbid, AstPattern) else forbid,
        require=require.pattern if isinstance(require, AstPattern) else require,
        ast=syntax.ast if syntax is not None else None,
        beside=detect.beside,
        within=detect.parts,
        message=detect.message,
    )
