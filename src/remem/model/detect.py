"""What a machine checks of a rule: `detect:`, which stands beside the hint for people."""

from __future__ import annotations

from remem.model.record import Record


class AstPattern(Record):
    """A pattern of syntax instead of text."""

    ast: str
    pattern: str


class Detect(Record):
    """What a machine checks beside the hint for people: remem's own key."""

    files: tuple[str, ...] | None = None
    forbid: str | AstPattern | None = None
    require: str | AstPattern | None = None
    message: str | None = None


class Examples(Record):
    """How to do it, and how not to."""

    positive: str = ""
    negative: str = ""
