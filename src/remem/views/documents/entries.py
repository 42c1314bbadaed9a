"""What `list`, `show` and `queue` print, and the pieces that other documents share."""

from __future__ import annotations

from typing import Any

from remem.views.documents.document import Document, Part, Text
from remem.views.documents.learnings import ConfidenceReport


class ProblemReport(Part):
    """Something wrong that was found while reading."""

    code: str
    message: Text
    hint: Text
    path: Text | None
    line: int
    """From 1; 0 where there is none."""
    column: int
    """From 1; 0 where there is none."""
    field: Text
    blocks_writing: bool


class EntryReport(Part):
    """One memory as lists show it."""

    ref: Text
    """Accepted wherever a command takes a REF."""
    kind: str
    title: Text
    status: str
    """Of a finding that was decided on: `confirmed`, `kept`, `merged`, `known` or `rejected`."""
    label: Text
    """What its record calls it, where that is not its text; else empty."""
    roles: tuple[Text, ...] | None
    """`null` = everyone."""
    phases: tuple[Text, ...]
    """Phases of a protocol that it is for; empty = all."""
    source: Text
    path: Text
    context: Text
    """The headings it stands under, ` › ` between them."""
    date: Text
    """`YYYY-MM-DD`, or empty."""
    problems: tuple[ProblemReport, ...]
    digest: str
    """Stands for the entry's bytes; `--shown` takes it."""
    became: Text | None = None
    """The entry that a decided finding became, went into, or that says it."""


class ListReport(Document):
    """`remem list`."""

    entries: tuple[EntryReport, ...]


class ItemReport(Part):
    """One thing that needs a decision."""

    id: str
    """Accepted wherever a command takes an ITEM; its start will do."""
    ref: Text
    kind: str
    title: Text
    source: Text
    group: Text
    """The retro or the source that it is shown under."""
    why: Text
    evidence: tuple[Text, ...]
    roles: tuple[Text, ...] | None
    """`null` = everyone."""
    suggested: str
    """The verb that remem would use; empty = none."""
    verbs: tuple[str, ...]
    digest: str
    """Stands for what was looked at; `--shown` takes it."""
    suspects: tuple[Text, ...]
    """Hidden characters, secrets and risky instructions in it."""
    impact: tuple[ReachReport, ...] | None = None
    """With `--impact`: whose prompts letting it in changes; `null` = that cannot be planned."""


class LinkReport(Part):
    """What an entry points to, or what points to it."""

    name: str
    """How: `see also`, `went to`, `overridden` …"""
    told: Text
    """The other one, as the screen shows it."""


class ShowReport(Document):
    """`remem show`."""

    entry: EntryReport
    fields: dict[str, Any]
    """What the entry holds, in the order of its file."""
    body: Text
    """The entry's bytes as text."""
    digest: str
    """Stands for the entry's bytes."""
    confidence: ConfidenceReport | None = None
    """`null` for an entry that has none."""
    conflicts: tuple[Text, ...] = ()
    """What in force may say otherwise than a candidate: each with its whole text."""
    item: ItemReport | None = None
    """Why it waits for a decision and what it is like; `null` where nothing is to decide."""
    links: tuple[LinkReport, ...] = ()
    """What it points to and what is found here, as the screen lists them."""


class QueueReport(Document):
    """`remem queue`."""

    items: tuple[ItemReport, ...]


class UnreviewedReport(ItemReport):
    """One thing that was written, changed or taken out since a person looked."""

    what: str
    """`new`, `changed` or `removed`."""
    path: Text
    time: str
    """When its file was written, as far as that was seen, in UTC."""
    event: int
    """What came at once has one number; `remem restore --event` takes it."""
    by: Text
    """What is known of who wrote it: a commit; empty = nothing is."""
    before: Text
    """What it said before; empty where it is new."""


class InboxReport(Document):
    """`remem inbox`."""

    items: tuple[UnreviewedReport, ...]


class MergeFileReport(Document):
    """`remem merge-file`."""

    path: Text
    conflicts: int
    """Places that are left for a person; 0 = it is merged."""


class SnapshotReport(Document):
    """`remem snapshot`."""

    root: Text
    changed: int
    """Files and folders that were not as they were at the last snapshot."""
    unreviewed: int | None
    """Entries that nobody has reviewed; `null` = nothing changed, so they were not counted."""


class ForgetReport(Document):
    """`remem forget`."""

    path: Text
    forgotten: bool
    """False: nothing was kept of it."""


class CopyReport(Part):
    """One copy of a rule."""

    ref: Text
    kind: str
    path: Text
    text: Text


class CostReport(Part):
    """What being told twice costs one agent."""

    agent: Text
    tokens: int
    """Of the copies beyond the first, at every start."""


class RuleReport(Part):
    """A rule that an agent is told more than once."""

    keep: Text
    """The copy that is suggested to stay."""
    is_exact: bool
    """False: the copies say it in other words."""
    copies: tuple[CopyReport, ...]
    costs: tuple[CostReport, ...]
    """The dearest first."""


class PairReport(Part):
    """Two entries that are alike."""

    refs: tuple[Text, Text]
    relation: str
    """`duplicate of`, `similar to` or `possible conflict with`: the second one's to the first."""
    because: Text
    """The words that decided it; may be empty."""


class DuplicatesReport(Document):
    """`remem duplicates`."""

    encoding: str
    exact: bool
    """False: token counts are estimates."""
    rules: tuple[RuleReport, ...]
    """The dearest first."""
    pairs: tuple[PairReport, ...]
    """Entries in force that say nearly the same, or conflict, in file order."""


class ReachReport(Part):
    """What a change does to one prompt: of a role of one repository, or of an agent."""

    repository: Text
    role: Text
    """Empty for an agent."""
    agent: Text = ""
    """Who loads files by itself."""
    tool: Text = ""
    """Of the agent."""
    starts: Text = ""
    """`now` or `no longer`, of an agent that is not there before or after the change."""
    measure: Text
    """What the tokens are of: `memory`, which is held against the budget, or `whole prompt`. All
    roles of a change have one measure, and all agents that start before and after it."""
    before: int
    after: int
    budget: int
    """0 = none: of the whole prompt."""
    exact: bool
    pushed_out: tuple[Text, ...]
    """Refs that find no room any more."""
    let_in: tuple[Text, ...]
    """Refs that had no room before."""
    added: tuple[Text, ...] = ()
    """Refs that the change itself puts in."""
    removed: tuple[Text, ...] = ()
    """Refs that the change itself takes out."""
    no_room: tuple[Text, ...] = ()
    """Refs that it would put in, and that find no room."""
