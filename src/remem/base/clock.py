"""The one source of time and random names, injected so that tests and screenshots stand still."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from remem.base.frozen import dataclass


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
        return self.now().date()

    def stamp(self) -> str:
        """Return the time as archive names carry it: `20260222T093000Z` (FORMATS 3.5)."""
        return self.now().strftime("%Y%m%dT%H%M%SZ")


def time_text(time: datetime) -> str:
    """Return a time as files carry it: `2026-02-22T09:30:00Z`."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_at(microseconds: int) -> datetime:
    """Return the aware time in UTC so long after the epoch."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
