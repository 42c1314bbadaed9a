"""The one source of time and random names, injected so that tests and screenshots stand still."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta

from remem.base.frozen import dataclass

_PLANNED_AT: ContextVar[datetime | None] = ContextVar("planned_at", default=None)


@contextmanager
def planned_at(at: datetime) -> Iterator[None]:
    """Let plans that are made meanwhile name days and archives by this time, in this thread."""
    before = _PLANNED_AT.set(at)
    try:
        yield
    finally:
        _PLANNED_AT.reset(before)


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _token() -> str:
    from secrets import token_hex

    return token_hex()


@dataclass(frozen=True, slots=True)
class Clock:
    """Tells the time and makes names that no one else has."""

    now: Callable[[], datetime] = _utc_now
    """Gives an aware time in UTC."""
    new_id: Callable[[], str] = _token
    """Gives lower-case hexadecimal digits, at least eight."""

    def today(self) -> date:
        """Return the UTC date."""
        return self._moment().date()

    def stamp(self) -> str:
        """Return the time as archive names carry it: `20260222T093000Z` (FORMATS 3.5)."""
        return self._moment().strftime("%Y%m%dT%H%M%SZ")

    def _moment(self) -> datetime:
        return _PLANNED_AT.get() or self.now()


def time_text(time: datetime) -> str:
    """Return a time as files carry it: `2026-02-22T09:30:00Z`."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_at(microseconds: int) -> datetime:
    """Return the aware time in UTC so long after the epoch."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
