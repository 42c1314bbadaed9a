"""Who committed what to the demo's repositories, and when: made up, with fixed dates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.demo.made_up_history import Commit, Growing

_INES: Final = "Ines Carvalho"
_TOMASZ: Final = "Tomasz Wilk"
_NADIA: Final = "Nadia Reis"
_RULES: Final = (".sniper/memory/", ".shaktra/")
_CLAUDE: Final = (".claude/",)
_SQUAD: Final = (".squad/",)

PROJECT: Final = (
    Commit("2026-01-26", _INES, "Kick-off: who works on what, and the first decisions"),
    Commit("2026-02-09", _INES, "Write down what sprint 1 taught", _RULES),
    Commit("2026-02-24", _NADIA, "Begin the memory of the release captain", _CLAUDE),
    Commit("2026-03-09", _INES, "Take in the retro of sprint 3", (*_RULES, "services/")),
    Commit("2026-03-18", _NADIA, "Add the team of the departure boards", _SQUAD),
    Commit("2026-03-23", _TOMASZ, "Take in the retro of sprint 4", _RULES),
    Commit("2026-04-03", _NADIA, "Notes on boards and on releases", (*_CLAUDE, *_SQUAD)),
    Commit("2026-04-06", _INES, "Take in the retro of sprint 5", _RULES),
    Commit("2026-04-20", _INES, "Take in the retro of sprint 6", (*_RULES, ".sniper/", ".remem/")),
    Commit("2026-04-23", _NADIA, "Notes on the storm drill", (*_CLAUDE, *_SQUAD)),
    Commit("2026-05-01", _NADIA, "Notes on the kiosk image and the harbours", (*_CLAUDE, *_SQUAD)),
    Commit("2026-05-04", _INES, "Take in the retro of sprint 7", is_whole=True),
    Commit("2026-05-06", _TOMASZ, "HOLD-31 A hold carries its own expiry", ("services/booking/",)),
    Commit("2026-05-07", _NADIA, "BOARD-12 Notices leave one at a time", ("services/notices/",)),
    Commit("2026-05-08", _TOMASZ, "HOLD-33 Whoever reads a hold checks it", ("services/booking/",)),
)
"""The oldest first; the last three are of a sprint that has no retro yet."""
PROJECT_STARTED: Final[Mapping[str, str]] = {
    "": "2026-01-26",
    ".sniper/memory/anti-patterns.yaml": "2026-02-06",
    ".sniper/memory/conventions.yaml": "2026-02-09",
    ".shaktra/": "2026-02-09",
    ".claude/agent-memory": "2026-02-24",
    "services/": "2026-03-09",
    ".squad/": "2026-03-16",
    ".claude/agent-memory/release-captain/harbours/": "2026-04-28",
    ".sniper/memory/summary.md": "2026-05-04",
    ".squad/decisions/inbox/": "2026-05-04",
    "services/booking/hold.ts": "2026-05-06",
    "services/notices/": "2026-05-07",
    "services/booking/holds.ts": "2026-05-08",
}
"""How a path begins → the day from which on it is there at the earliest."""
PROJECT_GROWING: Final[Mapping[str, Growing]] = {
    ".claude/agent-memory/release-captain/MEMORY.md": Growing("2026-02-24", "2026-05-01"),
}
PROJECT_EXCLUDED: Final = (".claude/agent-memory-local/",)
"""What Claude Code keeps for one person."""

CREW: Final = (
    Commit("2025-11-03", "Amadi", "Cast the crew"),
    Commit("2025-12-15", "Scribe", "Session notes until mid-December"),
    Commit("2026-01-19", "Scribe", "Session notes of January"),
    Commit("2026-02-16", "Scribe", "Session notes until mid-February"),
    Commit("2026-03-09", "Scribe", "Session notes until March"),
    Commit("2026-03-30", "Amadi", "Session notes and decisions of March"),
    Commit("2026-04-13", "Scribe", "Session notes of two weeks"),
    Commit("2026-04-20", "Scribe", "Session notes of the week"),
    Commit("2026-04-27", "Scribe", "Session notes of the week"),
    Commit("2026-05-04", "Scribe", "Session notes of the week"),
)
"""The oldest first."""
CREW_STARTED: Final[Mapping[str, str]] = {
    "": "2025-11-03",
    ".squad/agents/_alumni/": "2026-03-30",
}
