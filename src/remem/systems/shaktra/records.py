"""What Shaktra's files hold: entries of three kinds, observations, briefings, settings.

Only shapes and words (FORMATS 5.1). What is wrong beyond a type is `faults.py`'s, where the
files lie and how they are written is `systems/shaktra`'s concern.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from remem.model.entry import Status
from remem.model.record import Before, Record, Shaped, Word

SHAKTRA: Final = "shaktra"
"""The name of the format in a ref."""
PRINCIPLE: Final = "principle"
ANTI_PATTERN: Final = "anti_pattern"
PROCEDURE: Final = "procedure"
OBSERVATION: Final = "observation"

START: Final = 0.6
"""Confidence of a new entry; also how one is read whose confidence cannot be."""

CATEGORIES: Final = (
    "correctness",
    "reliability",
    "compatibility",
    "performance",
    "security",
    "maintainability",
    "compliance",
    "testability",
    "observability",
    "scalability",
    "accessibility",
    "usability",
    "cost",
    "consistency",
)
SEVERITIES: Final = ("P0", "P1", "P2", "P3")
"""The worst first."""
WORKFLOWS: Final = ("tdd", "review", "analysis", "bugfix", "tpm", "pm", "general")
PHASES: Final = (
    "plan",
    "plan-review",
    "tests",
    "code",
    "code-gate",
    "quality",
    "review",
    "diagnosis",
)

DISCOVERY: Final = "discovery"
FINDING: Final = "quality-loop-finding"
RATIONALE: Final = "fix-rationale"
DEVIATION: Final = "deviation"
CHECK: Final = "consistency-check"
INCIDENT: Final = "incident-learning"
GAP: Final = "detection-gap"
TYPES: Final = (DISCOVERY, FINDING, RATIONALE, DEVIATION, OBSERVATION, CHECK, INCIDENT, GAP)
"""Types of observations."""
OF_WORKFLOWS: Final = (DISCOVERY, OBSERVATION)
"""Types that a workflow without a story may observe."""

REINFORCE: Final = "reinforce"
WEAKEN: Final = "weaken"
CONTRADICT: Final = "contradict"
RELATIONSHIPS: Final = (REINFORCE, WEAKEN, CONTRADICT)

DEVELOPER: Final = "developer"
_ENGINEERS: Final = (DEVELOPER, "sw-engineer")
_QUALITY: Final = (DEVELOPER, "sw-quality")
_FOUR: Final = (DEVELOPER, "sw-engineer", "sw-quality", "cr-analyzer")
ROLES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "correctness": _ENGINEERS,
    "reliability": _ENGINEERS,
    "compatibility": _ENGINEERS,
    "performance": (*_ENGINEERS, "architect"),
    "security": (*_ENGINEERS, "sw-quality"),
    "maintainability": _QUALITY,
    "compliance": _QUALITY,
    "testability": (*_QUALITY, "test-agent"),
    "observability": (DEVELOPER, "architect"),
    "scalability": (DEVELOPER, "architect"),
    "accessibility": (DEVELOPER,),
    "usability": (DEVELOPER,),
    "cost": ("architect",),
    "consistency": (*_ENGINEERS, "architect"),
    "workflow": ("sdm",),
    "process": ("sdm",),
    "planning": ("sdm",),
    "incident": _FOUR,
    "detection-gap": _FOUR,
    "post-mortem": _FOUR,
}
"""Category or tag → roles that need to know."""


def roles_for(words: Iterable[str]) -> tuple[str, ...]:
    """Return the roles of categories and tags, each once; those that name none are developers'."""
    found = dict.fromkeys(role for word in words for role in ROLES_OF.get(plain(word), ()))
    return tuple(found) or (DEVELOPER,)


def plain(word: object) -> str:
    """Return a tag, a category or an enumeration's word as it is compared."""
    return str(word).strip().casefold()


def _upper(value: object) -> object:
    return value.strip().upper() if isinstance(value, str) else value


Names: TypeAlias = tuple[str, ...]
Severity: TypeAlias = Annotated[Literal["P0", "P1", "P2", "P3"], Before(_upper)]
ScopeWord: TypeAlias = Annotated[Literal["project", "universal"], Word]


_SHARED: Final = ("confidence", "tags", "roles", "scope", "status", "source", "created")


class _Stored(Record):
    """What the three kinds of entries share."""

    kind: ClassVar[str]
    text_field: ClassVar[str] = "text"
    prefix: ClassVar[str]
    words: ClassVar[Mapping[str, Status]] = {
        "active": Status.ACTIVE,
        "archived": Status.ARCHIVED,
    }
    REQUIRED: ClassVar[tuple[str, ...]] = ()

    confidence: float = START
    tags: Names = ()
    roles: Names = ()
    scope: ScopeWord = "project"
    status: str | None = None
    source: str = ""
    """A story's id, `migrated:DC-001`, `manual-seed`."""
    created: str = ""

    @property
    def says(self) -> str:
        """The entry's text, whole."""
        return str(getattr(self, self.text_field))

    @property
    def reinforced(self) -> str:
        """The day on which it was last borne out; empty = never, or not kept."""
        return str(getattr(self, "last_reinforced", None) or "")


class Principle(_Stored):
    """A pattern of code: what to do, and why."""

    kind = PRINCIPLE
    prefix = "PR"
    words: ClassVar[Mapping[str, Status]] = {**_Stored.words, "superseded": Status.SUPERSEDED}
    REQUIRED = ("id", "text", "categories", "guidance", "source_count", *_SHARED)

    id: Annotated[str, Shaped(r"^PR-\d+$")]
    text: str
    categories: Names = ()
    guidance: Names = ()
    source_count: int = 1
    supersedes: str | Names | None = None
    """The entries whose place it took."""
    last_reinforced: str | None = None


class AntiPattern(_Stored):
    """A way to fail that was met before."""

    kind = ANTI_PATTERN
    prefix = "AP"
    text_field = "failed_approach"
    REQUIRED = (
        "id",
        "failed_approach",
        "failure_mode",
        "severity",
        "recommended_approach",
        "trigger_patterns",
        *_SHARED,
    )

    id: Annotated[str, Shaped(r"^AP-\d+$")]
    failed_approach: str
    failure_mode: str = ""
    severity: Severity = "P2"
    recommended_approach: str = ""
    trigger_patterns: Names = ()


class Procedure(_Stored):
    """A pattern of work: how to run the process."""

    kind = PROCEDURE
    prefix = "PC"
    REQUIRED = ("id", "text", "source_count", "applies_to", *_SHARED)

    id: Annotated[str, Shaped(r"^PC-\d+$")]
    text: str
    source_count: int = 1
    applies_to: Names = ()
    """Workflows."""
    last_reinforced: str | None = None


Stored: TypeAlias = Principle | AntiPattern | Procedure
RECORDS: Final[Mapping[str, type[Stored]]] = {
    PRINCIPLE: Principle,
    ANTI_PATTERN: AntiPattern,
    PROCEDURE: Procedure,
}

DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    PRINCIPLE: {
        "text": "",
        "categories": ("maintainability",),
        "guidance": (),
        "confidence": START,
        "source_count": 1,
        "tags": (),
        "roles": (),
        "scope": "project",
        "status": "active",
        "supersedes": None,
        "source": "manual-seed",
        "created": None,
        "last_reinforced": None,
    },
    ANTI_PATTERN: {
        "failed_approach": "",
        "failure_mode": "",
        "severity": "P2",
        "recommended_approach": "",
        "trigger_patterns": (),
        "confidence": START,
        "tags": (),
        "roles": (),
        "scope": "project",
        "status": "active",
        "source": "manual-seed",
        "created": None,
    },
    PROCEDURE: {
        "text": "",
        "confidence": START,
        "source_count": 1,
        "tags": (),
        "roles": (),
        "applies_to": ("general",),
        "scope": "project",
        "status": "active",
        "source": "manual-seed",
        "created": None,
        "last_reinforced": None,
    },
}
"""What adding writes, in the order of Shaktra's own files; `None` = only if it has a value."""


class Observation(Record):
    """One thing that an agent noticed while it worked."""

    REQUIRED: ClassVar[tuple[str, ...]] = ("id", "agent", "phase", "type", "text", "importance")

    id: Annotated[str, Shaped(r"^OB-\d+$")]
    agent: str = ""
    phase: str = ""
    type: Annotated[str, Word] = ""
    text: str
    tags: Names = ()
    importance: int = 5
    """From 1 to 10."""
    severity: Severity | None = None
    resolved: bool | None = None
    iterations: int | None = None
    principle_id: str | None = None
    """Any entry, in spite of its name."""
    relationship: Annotated[str | None, Word] = None


class Observations(Record):
    """The file of a story's observations, or of a workflow's."""

    observations: tuple[Observation, ...] = ()


class StoryContext(Record):
    """What a briefing was made for."""

    id: str = ""
    keywords: Names = ()


class BriefedPrinciple(Record):
    """A principle as a briefing has it."""

    id: str
    text: str = ""
    confidence: float = START
    guidance: Names = ()
    relevance: str = ""
    roles: Names = ()


class BriefedAntiPattern(Record):
    """An anti-pattern as a briefing has it."""

    id: str
    failed_approach: str = ""
    recommended_approach: str = ""
    severity: Severity = "P2"
    relevance: str = ""
    roles: Names = ()


class BriefedProcedure(Record):
    """A procedure as a briefing has it."""

    id: str
    text: str = ""
    confidence: float = START
    relevance: str = ""
    roles: Names = ()


class Briefing(Record):
    """What of memory matters to one story."""

    story_context: StoryContext = StoryContext()
    relevant_principles: tuple[BriefedPrinciple, ...] = ()
    relevant_anti_patterns: tuple[BriefedAntiPattern, ...] = ()
    relevant_procedures: tuple[BriefedProcedure, ...] = ()


class MemorySettings(Record):
    """The numbers by which memory is kept."""

    confidence_start: float = START
    confidence_reinforce: float = 0.08
    confidence_weaken: float = 0.08
    """Taken off, and written without a sign."""
    confidence_contradict: float = 0.20
    confidence_archive: float = 0.2
    """Strictly below it an entry is archived."""
    max_principles: int = 200
    max_anti_patterns: int = 100
    max_procedures: int = 50
    max_observations_per_story: int = 30
    briefing_confidence_threshold: float = 0.4
    retrieval_tier1_max: int = 100
    retrieval_tier2_max: int = 500
    max_briefing_entries: int = 15
    retrieval_chunk_size: int = 150


class IncidentSettings(Record):
    """How much more incidents weigh."""

    incident_confidence_multiplier: float = 1.5


class Settings(Record):
    """The keys of `.shaktra/settings.yml` that matter here."""

    memory: MemorySettings = MemorySettings()
    incident: IncidentSettings = IncidentSettings()


class Consumed(Record):
    """An observation that a consolidation has counted."""

    story: str
    observation: str
    sha256: Annotated[str, Shaped("^[0-9a-f]{64}$")]
    """Of what it said; under the same id another one may come."""
    moved: dict[str, tuple[float, ...]] | None = None
    """Entry's id → its confidence before and after; `None` = counted before this was kept."""


class Consumptions(Record):
    """The file of all observations that were counted."""

    consolidated: tuple[Consumed, ...] = ()
