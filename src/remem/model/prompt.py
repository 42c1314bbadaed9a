"""What an agent sees: offers of the formats, and the prompt that came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.model.entry import Ref


@dataclass(frozen=True, slots=True)
class Ask:
    """For whom and what a prompt is composed; what is empty was not given and filters nothing."""

    role: str = ""
    persona: str = ""
    project: str = ""
    """Whose memory of a persona; empty = the root's base name."""
    repository: str = ""
    """Which one of a workspace, where all are open; it is composed for as if opened alone."""
    agent: str = ""
    """For `as loaded`: the agent that loads files itself."""
    layout: str = ""
    task: str = ""
    files: tuple[str, ...] = ()
    phase: str = ""
    story: str = ""
    folder: str = ""
    """For `as loaded`: where below the root the agent is started; empty = in the root."""
    budget: int = 0
    """Replaces the budget of every memory layer, each for itself; 0 = each one's own."""
    layers: tuple[tuple[str, str], ...] = ()
    """Kind of layer → which one, where the role's own is not meant: `cognitive`, `security-first`.
    What kinds there are is the composing system's to say."""


class Reason(StrEnum):
    """Why an entry is out (FORMATS 0.7)."""

    ROLE = "role"
    STATUS = "status"
    CONFIDENCE = "confidence"
    SCOPE = "scope"
    EXPIRED = "expired"
    OVERRIDDEN = "overridden"
    LIMIT = "limit"
    BUDGET = "budget"
    DISABLED = "disabled"
    NOT_LOADED = "not_loaded"
    REJECTED = "rejected"


CROWDED_OUT: Final = frozenset((Reason.BUDGET, Reason.LIMIT, Reason.NOT_LOADED))
"""Reasons that say nothing against the entry itself: there was no room."""
NO_TEXT: Final = "it has no text"
"""Why an entry that says nothing is out."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """In, or out and why."""

    ref: Ref
    reason: Reason | None = None
    """`None` = in."""
    detail: str = ""
    """The reason in words, one sentence without a full stop."""
    tokens: int = 0
    """What the entry costs, or would cost."""
    lacked: int = 0
    """For `budget`: the tokens that were missing."""
    layer: str = ""
    """The layer that it is in or out of; empty where it never came near one."""

    @property
    def is_in(self) -> bool:
        return self.reason is None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading under which pieces stand; printed with the first piece below it that is in."""

    key: str
    heading: str
    """The whole line, `## Key Decisions`; empty for a section without one."""
    parent: str | None = None
    gap: int = 1
    """Blank lines between the heading and what follows it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry as its format would print it."""

    ref: Ref
    text: str
    """Whole lines without the last newline."""
    rank: tuple[int | float | str, ...] = ()
    """Smaller goes in first; the order of pieces in the offer is the order on the page."""
    section: str = ""
    always: bool = False
    """In even when the budget is exceeded."""
    gap: int = 0
    """Blank lines before it when it is not the first under its heading."""
    why: str = ""
    """Why it is offered, one sentence without a full stop; empty = nothing is said."""
    counted: str = ""
    """What its text begins with before its number; the number is its place among those in."""


class Unit(StrEnum):
    """What a budget counts."""

    TOKENS = "tokens"
    LINES = "lines"
    BYTES = "bytes"
    CHARACTERS = "characters"


@dataclass(frozen=True, slots=True)
class Offer:
    """A format's contribution to a prompt, before the budget has spoken."""

    layer: str
    """Name of the layer: `project memory`, `persona memory`."""
    pieces: tuple[Piece, ...] = ()
    sections: Mapping[str, Section] = field(default_factory=dict)
    cap: int = 0
    """The budget in `unit`s; 0 = none."""
    unit: Unit = Unit.TOKENS
    empty: str = ""
    """Printed when no piece is in; empty = the layer is left out then."""
    note: str = ""
    """Ends the layer when something was left out for budget."""
    verdicts: tuple[Verdict, ...] = ()
    """Entries that are out before any counting."""
    remarks: tuple[str, ...] = ()
    """What a person should know about the layer; it is not printed."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the text around memory: a profile, a template, a definition."""

    layer: str
    text: str
    """Whole lines; the empty text with `is_memory` is where the memory layers go."""
    is_memory: bool = False
    gap: int = 0
    """Blank lines before it, or before the memory that stands in its place."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The text around memory, in order; one segment may be the place of the memory layers."""

    segments: tuple[Segment, ...]
    note: str = ""
    """What the screen says about it: `a prompt override replaces the profile`."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a prompt."""

    text: str
    tokens: int
    ref: Ref | None = None
    source: str = ""
    """For `as loaded`: the file it came from, with its line: `MEMORY.md:12`."""
    path: Path | None = None
    """For `as loaded`: that file."""
    number: int = 0
    """For `as loaded`: its line there, from 1; 0 = it is not one of a file."""


@dataclass(frozen=True, slots=True)
class Joins:
    """Why a part of a prompt is not there at the start, but comes while the agent works."""

    file: str
    """The file that the agent worked on when it came."""
    why: str
    """One sentence without a full stop."""
    is_confirmed: bool = False
    """A page of the tool or a run of it shows that it comes then."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One section of a composed prompt."""

    name: str
    lines: tuple[Line, ...]
    tokens: int
    """Of the layer's whole text, headings, blank lines and note included."""
    budget: int | None = None
    unit: Unit = Unit.TOKENS
    over_budget: int = 0
    """By how much entries that are always in exceed the budget."""
    gap: int = 0
    """Blank lines before it in the whole text; they belong to no layer."""
    lets_in: Callable[[Ref, Ref], bool] | None = field(default=None, compare=False, repr=False)
    """Tells whether the second entry would be in without the first; `None` = no budget says so."""
    joins: Joins | None = None
    """For `as loaded`: why it comes after the start; `None` = it is there from the start."""

    @property
    def is_held(self) -> bool:
        """Tell whether its tokens are held against a budget."""
        return bool(self.budget) and self.unit is Unit.TOKENS

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that exists for an agent, of which all or a part is not loaded."""

    path: Path
    name: str
    tokens: int
    """Of what is not loaded."""
    why: str
    """One sentence without a full stop."""
    first: int = 1
    """The first line that is not loaded, from 1."""
    part: str = ""
    """Which of its lines, in words: `from line 12 on`; empty = all of it."""
    is_meant: bool = False
    """Who wrote it meant it for people: comments."""


BETWEEN_LAYERS: Final = "between layers"
"""Names `Prompt.between` where layers are listed with their tokens."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an agent will see, and why."""

    ask: Ask
    encoding: str
    exact: bool
    """False: the counts are estimates and are shown with `≈`."""
    layers: tuple[Layer, ...]
    tokens: int
    """Of the whole text."""
    verdicts: tuple[Verdict, ...] = ()
    as_loaded: bool = False
    unseen: tuple[str, ...] = ()
    """What an agent also gets and remem does not show, in words."""
    notes: tuple[str, ...] = ()
    left: tuple[LeftOut, ...] = ()
    """For `as loaded`: what exists and is not loaded, in the order in which it would be."""

    @property
    def joined(self) -> tuple[Layer, ...]:
        """For `as loaded`: what came while the agent worked, in the order in which it did."""
        return tuple(layer for layer in self.layers if layer.joins is not None)

    @property
    def text(self) -> str:
        """The exact text."""
        return "\n".join("\n" * layer.gap + layer.text for layer in self.layers)

    @property
    def budget(self) -> int:
        """Tokens that the memory layers may use together; 0 = no layer has such a budget."""
        return sum(layer.budget or 0 for layer in self._budgeted)

    @property
    def used(self) -> int:
        """Tokens that are held against the budget; of the whole text where there is none."""
        layers = self._budgeted
        return sum(layer.tokens for layer in layers) if layers else self.tokens

    @property
    def beside(self) -> int:
        """Tokens of the layers that are held against no budget."""
        return sum(layer.tokens for layer in self.layers if not layer.is_held)

    @property
    def between(self) -> int:
        """Tokens of the whole text that no layer has: what stands between two of them.

        Layers are counted one by one. Where the end of one and the start of the next are one token,
        it is less than 0.
        """
        return self.tokens - sum(layer.tokens for layer in self.layers)

    @property
    def _budgeted(self) -> list[Layer]:
        return [each for each in self.layers if each.is_held]

    def verdict(self, ref: Ref) -> Verdict | None:
        return next((verdict for verdict in self.verdicts if verdict.ref == ref), None)


_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")


def one_line(text: str) -> str:
    """Return the text with its line breaks and tabs as blanks, one for each run of them."""
    lines = text.replace("\t", "\n").splitlines()
    return " ".join(part for line in lines if (part := line.strip()))


def sentence(text: str) -> str:
    """Return the text on one line, with a full stop where it ends without one."""
    line = one_line(text)
    return line if not line or line.endswith(_ENDS) else f"{line}."
