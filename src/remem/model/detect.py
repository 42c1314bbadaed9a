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
    beside: str | None = None
    """A file that each folder has which holds one of `files`."""
    within: str | tuple[str, ...] | None = None
    """The parts of a file that are looked at: `code`, `strings`, `texts`, `comments`."""
    message: str | None = None

    @property
    def looks_for_something(self) -> bool:
        return any(each is not None for each in (self.forbid, self.require, self.beside))

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a file that are looked at; empty = all of it, line by line."""
        return (self.within,) if isinstance(self.within, str) else self.within or ()


class Examples(Record):
    """How to do it, and how not to."""

    positive: str = ""
    negative: str = ""
