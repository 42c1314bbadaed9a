"""What `compose` and `why` print."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text


class LineReport(Part):
    """One line of a prompt."""

    text: Text
    tokens: int
    ref: Text | None
    file: Text = ""
    """As loaded: the file that it stands in."""
    line: int = 0
    """As loaded: its line there, from 1; 0 = it is not one of a file."""


class JoinsReport(Part):
    """Why a part comes while an agent works, and not at its start."""

    file: Text
    """The file that it worked on when it came."""
    why: Text
    confirmed: bool
    """A page of the tool or a run of it shows that it comes then."""


class LayerReport(Part):
    """One section of a prompt."""

    name: Text
    tokens: int
    budget: int | None
    unit: str
    """What the budget counts: `tokens`, `lines`, `bytes` or `characters`."""
    joins: JoinsReport | None = None
    """As loaded: `null` = it is there from the start."""
    lines: tuple[LineReport, ...]


class ExcludedReport(Part):
    """An entry that is out."""

    ref: Text
    reason: str
    detail: Text


class LeftReport(Part):
    """A file that exists for an agent, of which all or a part is not loaded."""

    file: Text
    tokens: int
    """Of what is not loaded."""
    first: int
    """The first line that is not loaded, from 1."""
    part: str = ""
    """Which of its lines, in words; empty = all of it."""
    why: Text


class ComposeReport(Document):
    """`remem compose`."""

    role: Text
    persona: Text
    encoding: str
    exact: bool
    """False: token counts are estimates."""
    as_loaded: bool
    tokens: int
    """Of the whole text; as loaded the sum of its layers, without the blank lines between them."""
    files: tuple[Text, ...] = ()
    """What the agent worked on, in this order; none = it is at its start."""
    at_start: int = 0
    """Tokens that are there before it works on anything."""
    layers: tuple[LayerReport, ...]
    included: tuple[Text, ...]
    excluded: tuple[ExcludedReport, ...]
    notes: tuple[Text, ...]
    unseen: tuple[Text, ...]
    """What the agent also gets and remem does not show."""
    left: tuple[LeftReport, ...] = ()
    """As loaded: what exists and is not loaded."""
    text: Text


class GotReport(Part):
    """One copy that somebody gets."""

    ref: Text
    path: Text
    tokens: int
    joins: Text
    """Why it comes while they work; empty = it is there from the start."""


class GetsReport(Part):
    """What somebody who starts here gets of a rule."""

    name: Text
    tool: Text
    """The tool of an agent; `role` for a role."""
    how: str
    """`start`, `later` (while it works) or `never`."""
    times: int
    tokens: int
    """Of all copies that it gets, estimated where the tool's tokenizer is not public."""
    copies: tuple[GotReport, ...]
    why: Text
    """For `never`; empty otherwise."""


class CopyReport(Part):
    """One copy of a rule."""

    ref: Text
    path: Text
    text: Text


class RuleReport(Part):
    """A rule, who gets it, and its copies."""

    title: Text
    drifted: bool
    """Its copies in several files do not say the same any more."""
    opposed: bool
    """Two of them differ in a number, or one says not."""
    own: bool
    """It stands in memories of named agents alone."""
    texts: int
    missing: int
    """How many get none of it."""
    copies: tuple[CopyReport, ...]
    gets: tuple[GetsReport, ...]


class WhyReport(Document):
    """`remem why`."""

    ref: Text
    role: Text
    """The role, persona or agent that was asked for; empty = everyone."""
    included: bool
    reason: str
    """Why it is out, as a code; empty = it is in. As in `compose`: `role`, `status`, `confidence`,
    `scope`, `expired`, `overridden`, `limit`, `budget`, `disabled`, `not_loaded`, `rejected`."""
    because: Text
    """Why it is in or out, in words: `it is for backend-engineer`."""
    sentences: tuple[Text, ...]
    """First the verdict, then what belongs to it."""
    tokens: int
    """What the entry costs, or would cost."""
    lacked: int
    """For `budget`: how much has to go before it fits."""
    makes_room: tuple[Text, ...]
    """Each of these, taken out by itself, would let it in."""
    rule: RuleReport | None = None
    """Where nobody was named: who gets it, and who misses it; `null` = it is active nowhere."""


class InOrOutReport(Part):
    """An entry that is in somebody's prompt, or out of it."""

    ref: Text
    title: Text
    included: bool
    tokens: int
    """What it costs, or would cost; 0 where nobody counted it."""
    because: Text
    """Why it is in or out, in words."""


class WhyAllReport(Document):
    """`remem why` without an entry: who gets which rule."""

    encoding: str
    exact: bool
    thorough: bool
    """False: there are so many rules that those which differ in a number were not compared."""
    rules: tuple[RuleReport, ...]
    """What drifted first, then what most miss that others get; memories of named agents last.

    Of one that is named: those that it misses.
    """
    entries: tuple[InOrOutReport, ...] = ()
    """Of one that is named: what is in its prompt, then what is out."""
