"""What SNIPER's files hold: conventions, anti-patterns, decisions, estimates, settings.

Only shapes and words (FORMATS 1); what a retro holds is in `retro_record.py`. Where the files
lie and how they are written is told by the modules beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, ClassVar, Final, Literal

from remem.model.detect import Detect, Examples
from remem.model.entry import CONVENTION as CONVENTION
from remem.model.entry import Status
from remem.model.origin import Origin
from remem.model.record import Before, Record, Shaped, Word, lower


def _severity(value: object) -> object:
    """Later documents have `critical`, which counts as high (FORMATS 1.3)."""
    word = lower(value)
    return "high" if word == "critical" else word


Severity = Annotated[Literal["high", "medium", "low"], Before(_severity)]
Names = tuple[str, ...]

ANTI_PATTERN: Final = "anti_pattern"
DECISION: Final = "decision"
FINDING: Final = "finding"
"""What a retro found."""
ESTIMATES: Final = "estimates"
SUMMARY: Final = "summary"
"""Parts of a memory that are one document, as their files are called."""

CONFIRMED: Final[Mapping[str, Status]] = {
    "confirmed": Status.ACTIVE,
    "candidate": Status.CANDIDATE,
}
DECIDED: Final[Mapping[str, Status]] = {
    "active": Status.ACTIVE,
    "superseded": Status.SUPERSEDED,
    "deprecated": Status.ARCHIVED,
    "candidate": Status.CANDIDATE,
}


class Seen(Record):
    """One more time that an entry was met: remem's own key."""

    ref: str
    date: str = ""
    stories: Names | None = None
    said: str | None = None
    """In which words, where they are others: what was merged into the entry."""
    evidence: str | None = None
    """What that rested on."""
    places: Names | None = None
    """Where the gate found it broken, `path:line#mark` each."""
    auto: bool | None = None
    """`retro ingest` put the entry into force by it, and nobody looked at it yet."""


class _Stored(Record):
    """What the three kinds of entries share."""

    kind: ClassVar[str]
    text_field: ClassVar[str]
    prefix: ClassVar[str]
    words: ClassVar[Mapping[str, Status]] = CONFIRMED

    source: Origin | None = None
    applies_to: Names | None = None
    status: str | None = None
    detection_hint: str | None = None
    detect: Detect | None = None
    overrides: str | Names | None = None
    seen: tuple[Seen, ...] | None = None

    @property
    def text(self) -> str:
        """The entry's text, whole."""
        return str(getattr(self, self.text_field))


class Convention(_Stored):
    """A rule that agents follow."""

    kind = CONVENTION
    text_field = "rule"
    prefix = "conv"

    id: Annotated[str, Shaped(r"^conv-\d+$")]
    rule: str
    rationale: str | None = None
    enforcement: Annotated[Literal["review_gate", "spawn_prompt", "both"] | None, Word] = None
    scope: Annotated[Literal["project", "workspace"] | None, Word] = None
    examples: Examples | None = None


class AntiPattern(_Stored):
    """A mistake that agents avoid."""

    kind = ANTI_PATTERN
    text_field = "description"
    prefix = "ap"

    id: Annotated[str, Shaped(r"^ap-\d+$")]
    description: str
    why_bad: str | None = None
    fix_pattern: str | None = None
    severity: Severity | None = None


class Decision(_Stored):
    """What was decided, and instead of what."""

    kind = DECISION
    text_field = "title"
    prefix = "dec"
    words = DECIDED

    id: Annotated[str, Shaped(r"^dec-\d+$")]
    title: str
    context: str | None = None
    decision: str
    alternatives_considered: Names | None = None
    superseded_by: str | None = None


Stored = Convention | AntiPattern | Decision

RECORDS: Final[Mapping[str, type[Stored]]] = {
    CONVENTION: Convention,
    ANTI_PATTERN: AntiPattern,
    DECISION: Decision,
}

DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    CONVENTION: {
        "rule": "",
        "rationale": None,
        "source": None,
        "applies_to": (),
        "enforcement": "both",
        "scope": "project",
        "status": "confirmed",
        "examples": None,
        "detection_hint": None,
    },
    ANTI_PATTERN: {
        "description": "",
        "why_bad": None,
        "fix_pattern": None,
        "source": None,
        "detection_hint": None,
        "applies_to": (),
        "severity": "medium",
        "status": "confirmed",
    },
    DECISION: {
        "title": "",
        "context": None,
        "decision": "",
        "alternatives_considered": (),
        "source": None,
        "applies_to": (),
        "status": "active",
        "superseded_by": None,
        "detection_hint": None,
    },
}
"""What adding writes, in the order of FORMATS 1.2–1.4; `None` = only if it has a value.

SNIPER's own command writes empty texts, and nothing of SNIPER asks whether one stands there.
"""


def from_bare(kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Read an item of the later shape, a bare list, under the field names of FORMATS 1.2–1.4."""
    named = dict(value)
    field = RECORDS[kind].text_field
    if "text" in named and field not in named:
        named[field] = named.pop("text")
    if kind == DECISION and "decision" not in named and "title" in named:
        named["decision"] = named["title"]
    source = named.get("source")
    if isinstance(source, str):
        named["source"] = {"type": source}
        if "created" in named:
            named["source"]["date"] = named.pop("created")
    return named


class Miss(Record):
    """A kind of story that takes longer than people think, or less."""

    pattern: str
    typical_miss: str = ""
    reason: str = ""


class Calibration(Record):
    """How estimates and reality differ."""

    velocity_factor: float = 1.0
    common_underestimates: tuple[Miss, ...] = ()
    common_overestimates: tuple[Miss, ...] = ()
    last_updated: str | None = None
    sprints_analyzed: int = 0


class MemorySettings(Record):
    """How project memory is kept and composed."""

    enabled: bool = True
    auto_retro: bool = True
    auto_codify: bool = True
    token_budget: int = 2000


class ProjectSettings(Record):
    """What the project is called."""

    name: str = ""


class GateSettings(Record):
    """How strict the review gate is."""

    after_sprint: str = ""


class LearningSettings(Record):
    """How learning records are kept and composed."""

    max_per_retro: int = 5
    min_confidence: float = 0.4
    composition_limit: int = 10
    staleness_threshold: int = 5
    archive_after_days: int = 180


class AgentSettings(Record):
    """Who works here, in the generation of SNIPER that has agents of Claude Code."""

    base: Names = ()
    """Definitions in `.claude/agents/`; named by no older generation."""
    mixins: Mapping[str, Names] = field(default_factory=dict)
    """Agent → ways of thinking in `.claude/personas/cognitive/` that it takes on."""


class KnowledgeSettings(Record):
    """How much domain knowledge an agent of a protocol is given."""

    max_total_tokens: int = 50_000


class WorkspaceSettings(Record):
    """Which workspace a repository belongs to (FORMATS 1.13)."""

    enabled: bool = False
    workspace_path: str | None = None
    """From the repository to the workspace, where that is a folder with `memory/`."""
    repo_name: str | None = None
    ref: str | None = None
    """From the repository to a workspace with `.sniper-workspace/config.yaml`."""


class Settings(Record):
    """The keys of `.sniper/config.yaml` that matter here (FORMATS 1.8)."""

    project: ProjectSettings = ProjectSettings()
    memory: MemorySettings = MemorySettings()
    learning: LearningSettings = LearningSettings()
    review_gates: GateSettings = GateSettings()
    workspace: WorkspaceSettings = WorkspaceSettings()
    agents: AgentSettings = AgentSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    domain_pack: str | None = None
    """The pack whose contexts a prompt may take in."""
    ownership: Mapping[str, Names] = field(default_factory=dict)
