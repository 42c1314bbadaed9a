"""What SNIPER keeps beside learnings: signals, which became learnings, and velocity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from remem.model.record import Record
from remem.systems.sniper.records import Names, Word

SIGNAL_START: Final = 0.4
MANUAL_START: Final = 0.9
SOURCES: Final[Mapping[str, str]] = {
    "ci_failure": "ci_failure",
    "pr_review_comment": "pr_review",
    "production_error": "ci_failure",
    "manual": "human",
}
"""Type of signal → type of a learning's source."""


class Signal(Record):
    """One thing that was noticed while agents worked."""

    type: Annotated[
        Literal["ci_failure", "pr_review_comment", "production_error", "manual"], Word
    ] = "ci_failure"
    source: str = ""
    timestamp: str = ""
    summary: str = ""
    details: str | None = None
    learning: str | None = None
    relevance_tags: Names | None = None
    affected_files: Names | None = None

    @property
    def text(self) -> str:
        """What a learning of it would say."""
        return (self.learning or "").strip() or self.summary


REQUIRED: Final = ("type", "source", "timestamp", "summary")
"""What a signal has to say."""


class Execution(Record):
    """What one run of a protocol used."""

    protocol: str = ""
    completed_at: str = ""
    tokens_used: float | None = None
    wall_clock_seconds: float | None = None
    tokens_per_phase: Mapping[str, Any] | None = None


class Velocity(Record):
    """What protocols use on average; read only."""

    executions: tuple[Execution, ...] = ()
    rolling_averages: Mapping[str, Any] | None = None
    calibrated_budgets: Mapping[str, Any] | None = None
