"""The demo's code, the facts that agents noted about it, and the lines that prove them."""

from collections.abc import Mapping
from typing import Final

from remem.base.frozen import dataclass

_SAILING: Final = """\
// A sailing is known by its berth and by when it leaves; both come from the timetable.
export const TIMETABLE_VERSION = 4;

export function sailingKey(berth: string, leavesAt: string): string {
  return `${berth}@${leavesAt}`;
}
"""
_CLIENT: Final = """\
import { TIMETABLE_VERSION } from "../timetable/sailing";

export async function fetchTimetable(harbour: string): Promise<Response> {
  return fetch(`/timetables/${harbour}?v=${TIMETABLE_VERSION}`);
}
"""
_HOLD = """\
export interface Hold {
  readonly sailing: string;
  readonly laneCentimetres: number;
  readonly until: Date;
}
"""
_HOLDS = """\
import type { Hold } from "./hold";

export function isHeld(hold: Hold, now: Date): boolean {
  return now < hold.until;
}
"""
_NOTICES = """\
export async function sendAll(notices: readonly string[], send: (text: string) => Promise<void>) {
  for (const notice of notices) {
    await send(notice);
  }
}
"""
SAILING_FILE: Final = "services/timetable/sailing.ts"
CLIENT_FILE: Final = "services/booking/timetable-client.ts"
FILES: Final[Mapping[str, str]] = {
    SAILING_FILE: _SAILING,
    CLIENT_FILE: _CLIENT,
    "services/booking/hold.ts": _HOLD,
    "services/booking/holds.ts": _HOLDS,
    "services/notices/send.ts": _NOTICES,
}
"""Path below the project → text."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory as an agent stored it."""

    id: str
    subject: str
    fact: str
    places: tuple[tuple[str, int, int], ...]
    """Path, first line, last line."""
    day: str
    reason: str = ""
    superseded_by: str = ""
    by: str = "release-captain"
    held: bool = False
    """It was looked at again, and held."""


_KEY: Final = "5d0c9a1e-7b34-4c58-9f02-1a6be27d4c83"
_OLD_KEY: Final = "b7e2f460-3c9d-4a11-8d57-60f4a9c1e5d2"

FACTS: Final = (
    Fact(
        _OLD_KEY,
        "Sailing keys",
        "A sailing is named by the time at which it leaves, then by its berth.",
        ((SAILING_FILE, 4, 6),),
        "2026-03-18",
        superseded_by=_KEY,
    ),
    Fact(
        _KEY,
        "Sailing keys",
        "A sailing is named by its berth and then by when it leaves, and by nothing else.",
        ((SAILING_FILE, 4, 6),),
        "2026-04-23",
        reason="Keys in the other order sold one cabin twice.",
    ),
    Fact(
        "e41f7a95-20d8-4f6b-a3c7-94b85d02f16e",
        "Timetable version",
        "The version of the timetable stands in one place and goes with every request.",
        ((SAILING_FILE, 2, 2), (CLIENT_FILE, 4, 4)),
        "2026-04-22",
        reason="Two versions at once sent a ferry to the wrong berth.",
        held=True,
    ),
)
"""Oldest first but for what it replaced."""
