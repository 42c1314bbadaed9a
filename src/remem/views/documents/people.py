"""What `retro` and `persona` print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from remem.views.documents.document import Document, Part, Text
from remem.views.documents.entries import EntryReport, ProblemReport


class RetroReport(Part):
    """One retrospective."""

    name: Text
    path: Text
    date: Text
    findings: int
    waiting: int
    """Findings that wait for a decision."""
    sprint: int | None
    stories_completed: int | None
    stories_carried_over: int | None
    problems: tuple[ProblemReport, ...]


class RetroListReport(Document):
    """`remem retro list`, newest first."""

    retros: tuple[RetroReport, ...]


class FindingReport(EntryReport):
    """A finding of a retro. What the retro does not say is `null`, or empty."""

    waiting: bool = False
    why: Text = ""
    """Why it waits, or why it does not."""
    recommendation: str | None = None
    """`codify`, `monitor`, `ignore`."""
    confidence: str | None = None
    evidence: Text = ""
    occurrences: int | None = None
    stories: tuple[Text, ...] = ()
    severity: str | None = None
    check: Text = ""
    """Of a review gate."""
    area: Text = ""
    said: Mapping[str, Text] = field(default_factory=dict)
    """All that the retro says of it beside its text, in its own words for it."""


class RetroShowReport(Document):
    """`remem retro show`."""

    retro: RetroReport
    about: tuple[Text, ...]
    """What a protocol's retro tells of its run: outcome, phases, metrics."""
    findings: tuple[FindingReport, ...]
    text: Text


class PersonaFileReport(Part):
    """A file of a persona: memory, or who it is."""

    path: Text
    layout: str
    scope: str
    part: str
    """`main`, `core`, `topic`, `charter`, `definition`, …"""
    tokens: int
    """Of the whole file."""
    exact: bool
    units: int


class PersonaReport(Part):
    """An agent that has a name and a memory of its own."""

    name: Text
    title: Text
    """Its role in the words of its profile."""
    roles: tuple[Text, ...]
    """What the settings say it works as."""
    units: int
    """Of its memory that is in force."""
    archived_units: int
    """In its archives, which are never loaded."""
    archived: bool
    status: str
    """`active`, `inactive` where its team's lists say so, `archived`."""
    folder: Text
    """Of an archived one: the name of its folder, which `persona restore` takes too."""
    places: tuple[Text, ...]
    """Where its memory in use lies, as `persona move` and `persona merge` take it."""
    files: tuple[PersonaFileReport, ...]


class PersonaRow(PersonaReport):
    """A persona in the table of its team."""

    tokens_at_start: int = 0
    """Where it starts nowhere, of its memory."""
    exact: bool = True
    written: Text = ""
    """The day of the last write; empty = nobody knows."""
    growth: int | None = None
    """Tokens a week over the last four, about; `null` = there is no history."""
    growth_until: str = ""
    """The day up to which that is counted: that of the last commit, where nobody committed in the
    last four weeks; empty = today."""
    over_limit: int = 0
    """Files that Health calls too long: for their tool, their budget or to be read."""
    twins: int = 0
    """Lessons that another persona has too, word for word or nearly."""
    never_loaded: int = 0
    """Tokens that exist for its start and are never loaded."""
    new: bool = False
    """Written since remem looked last."""
    unreviewed: int = 0
    """Entries that agents wrote, changed or took out and that nobody reviewed."""
    unreviewed_new: int = 0
    """Of these, those that are new; the next two likewise."""
    unreviewed_changed: int = 0
    unreviewed_removed: int = 0


class DecisionsRow(Part):
    """The decisions that everybody on a team is given."""

    path: Text
    layout: str
    tokens: int
    exact: bool
    units: int
    undated: int
    oldest: str
    """The day of the oldest dated one; empty = none has a date. `newest` likewise."""
    newest: str
    old: int
    """Dated before `old_before`."""
    old_before: str
    over_limit: bool


class PersonaListReport(Document):
    """`remem persona list`."""

    personas: tuple[PersonaRow, ...]
    decisions: tuple[DecisionsRow, ...] = ()
    """Of each team here."""


class SharedRow(Part):
    """A lesson that several personas have."""

    text: Text
    exact: bool
    """All of them say it word for word, in normal form."""
    personas: tuple[Text, ...]
    refs: tuple[Text, ...]


class PersonaSharedReport(Document):
    """`remem persona shared`, those of the most personas first."""

    lessons: tuple[SharedRow, ...]


class PersonaShowReport(Document):
    """`remem persona show`."""

    persona: PersonaReport
    profile: ProfileReport
    entries: tuple[EntryReport, ...]
    not_loaded: tuple[PersonaFileReport, ...] = ()
    """Other files of its folder, which no agent is given at its start."""


class PersonaDiffReport(Document):
    """`remem persona diff`: units by their refs."""

    name: Text
    one: Text
    """A place."""
    other: Text
    both: tuple[tuple[Text, Text], ...]
    """What both say, as refs in one and in the other."""
    only_one: tuple[Text, ...]
    only_other: tuple[Text, ...]


class ProfileReport(Part):
    """Who a persona is, as its prompt begins."""

    text: Text
    """Compiled; empty where nothing says who it is."""
    tokens: int
    path: Text
    """The file that says it; empty for a row of a database, or for none yet."""
    writable: bool
    why_not: Text
    """Why `persona edit` cannot change it; empty when it can."""
    override: bool
    """A system prompt override replaces the compiled profile; memory still follows."""


class PersonaPromptReport(Document):
    """`remem persona reflect` and `remem persona compact` with `--prompt-only`."""

    prompt: Text
    base: str
    """Of a compaction: what `--base` takes, so that lines that come meanwhile stay."""
    part: int = 1
    """Of a long memory, which part it is about."""
    parts: int = 1


class OldLineReport(Part):
    """One unit of the memory."""

    number: int
    """From 1; what `--keep` takes."""
    section: Text
    text: Text


class NewLineReport(Part):
    """One line of the answer."""

    number: int
    """From 1; what `--accept` takes."""
    text: Text
    verdict: str
    """`kept`, `traced`, `doubtful` or `invented`."""
    accepted: bool
    known: float
    """Share of its words that old lines have, from 0 to 1; rare words count more."""
    new: tuple[Text, ...]
    """Its words that none of its old lines has."""
    doubt: Text
    stands_for: tuple[OldLineReport, ...]


class PersonaCompactReport(Document):
    """`remem persona compact` without `--apply`: nothing was written."""

    persona: Text
    path: Text
    base: str
    units: int
    lines: tuple[NewLineReport, ...]
    dropped: tuple[OldLineReport, ...]
    """Old units that no line stands for."""
    diff: Text
    receipt: Text
    notes: tuple[Text, ...]


class PersonasCompactReport(Document):
    """`remem persona compact` of several personas without `--apply`: nothing was written."""

    memories: tuple[PersonaCompactReport, ...]
    """Those that are long enough."""
