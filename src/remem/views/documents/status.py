"""What `status` prints."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text
from remem.views.documents.entries import ProblemReport


class LoadedFileReport(Part):
    """A file that an agent gets at its start."""

    path: Text
    tokens: int
    """What the file adds to the start."""
    loaded: int
    """Tokens of the part that the agent gets."""
    total: int
    """Tokens of the whole file."""


class StartRowReport(Part):
    """One row of a start; the tokens of all of them are the start's."""

    kind: str
    """`file`, `skill`, `agent` (their descriptions), `name`, `rule`, `layer`, `between` (the
    blank lines between layers), `hook` or `unknown`."""
    name: Text
    path: Text | None
    tokens: int | None
    """`null` = nobody can count it."""


class AgentReport(Part):
    """An agent and what it starts with."""

    name: Text
    tool: Text
    tokens: int
    exact: bool
    """False: `tokens` is an estimate."""
    files: tuple[LoadedFileReport, ...]
    """In loading order; behind them those that are not loaded at startup, with 0 tokens."""
    rows: tuple[StartRowReport, ...] = ()
    """The whole start as one sum."""
    stopped: Text = ""
    """Why its tool does not start here; empty = it does."""


class FindingReport(Part):
    """One thing most worth a look."""

    kind: str
    """`unreadable`, `hidden-characters`, `unreviewed`, `cited-gone`, `never-loaded`, `no-agent`,
    `heavy-start`, `told-twice` or `grew`."""
    message: Text
    hint: Text
    path: Text | None
    line: int
    """From 1; 0 where there is none."""
    ref: Text | None
    agent: Text | None
    """Whose start it is about."""
    verb: str
    """Id of the verb that mends it; empty = none does by itself."""
    tokens: int
    """At stake."""
    worth: float
    """What it is ranked by."""
    because: Text
    """How the worth came about."""


class StartedWithReport(Part):
    """What somebody started with on a day."""

    name: Text
    layout: str
    """`role` for a role."""
    tokens: int


class PointReport(Part):
    """What everyone started with on a day."""

    day: str
    agents: tuple[StartedWithReport, ...]


class GrownReport(Part):
    """A file or an author, and the tokens that came by them; less than 0 = it shrank."""

    name: Text
    tokens: int


class GrowthReport(Part):
    """How starts grew, as the commits tell that were looked at."""

    points: tuple[PointReport, ...]
    """Oldest first; the last one is now."""
    since: str | None
    """The day that files and writers are compared with; `null` = they were not compared."""
    files: tuple[GrownReport, ...]
    writers: tuple[GrownReport, ...]
    """Estimated by the bytes that they committed."""
    exact: bool
    """False: tokens of points and files are estimates."""
    commits: int
    """How many were looked at."""
    note: Text
    """What is not known, and why; empty = nothing."""


class SourceReport(Part):
    """A place that holds memory."""

    name: Text
    format: str
    layout: str
    place: Text
    kind: str
    """`store`, `memory` or `document`."""
    path: Text
    owner: Text
    """The persona that it belongs to; empty for what all share."""
    scope: str
    loader: str
    archived: bool
    writable: bool
    entries: int
    problems: int


class MemoryReport(Part):
    """Project memory in a few numbers."""

    retros: int
    last_retro: Text
    """The newest one; empty = there is none."""
    findings: int
    """Findings of retros that wait."""
    unseen: int
    """Entries that `retro ingest` put into force and nobody looked at."""
    velocity_factor: float
    sprints_analyzed: int


class StatusReport(Document):
    """`remem status`."""

    root: Text
    home: Text
    agents: tuple[AgentReport, ...]
    findings: tuple[FindingReport, ...]
    """The five most worth a look, the most first."""
    growth: GrowthReport | None
    """`null` under `--no-growth`."""
    sources: tuple[SourceReport, ...]
    counts: dict[str, dict[str, int]]
    """Kind → status → number of entries."""
    memory: MemoryReport | None
    """`null` where there is no project memory."""
    queue: int
    """How many items wait for a decision."""
    unreviewed: int
    """How many entries were written, changed or taken out since a person looked; they wait too."""
    problems: tuple[ProblemReport, ...]
    passed_over: dict[str, str]
    """Folders that were not looked into, by their path below the root, each with the reason."""
    pending: tuple[Text, ...]
    """Changes that were cut short; the next command that writes settles them."""


class HeldReport(Part):
    """One row of remem's list, of the tool's own, or of both."""

    kind: str
    """`file`, `agent` or `skill`."""
    name: Text
    who: str
    """`both`, `remem`, `tool`, or `brought`: the tool has it from no file that remem reads."""
    tokens: int | None
    """As remem counts; `null` = it has no such row."""
    theirs: Text
    """As the tool prints them, which estimates in its own way; empty = it has no such row."""
    source: Text
    """Where the tool says that it comes from."""


class AgainstReport(Document):
    """`remem status --against`: a tool's own list of its start held against remem's."""

    agent: Text
    differ: int
    """How many rows only one of both has; what the tool brings itself is none of them."""
    encoding: str
    exact: bool
    tokens: int
    """Of the whole start, as remem counts."""
    rows: tuple[HeldReport, ...]
    uncounted: tuple[Text, ...]
    """What the start has besides, of which nobody knows the tokens."""


class ShortReport(Document):
    """`remem status --short`: what was found the last time, without reading memory."""

    root: Text | None
    """`null` = nobody looked here yet; then so are `review` and `at`."""
    review: int | None
    """Items to review when it was looked."""
    at: str | None
    """When, in UTC."""
    changed: int
    """Files and folders that are not as they were then; 0 = `review` still holds for them."""
    unfinished: int
    """Changes that a crash left, of any root."""
