"""The demo's Claude Code agents: definitions, and memory beside `MEMORY.md`."""

from collections.abc import Mapping
from typing import Final

from remem.demo.content.release_captain import MEMORY

_CAPTAIN: Final = """\
---
name: release-captain
description: Prepares, carries out and watches the nightly release of Slipway
tools: Read, Bash, Grep
memory: project
---

You bring a build from staging to production during the night window.

Work through the lists in your memory, in their order. Write the time of each step into the release
issue. When a limit of the rollback table is passed, roll back first and look for the cause after.
Update your memory before you stop: what was different tonight.
"""

_ROLLBACKS: Final = """\
# Rollbacks

## Commands

```bash
deploy rollback booking --to previous   # 90 s to drain
deploy switch billing --blue            # instant, the other colour keeps running
deploy job resume timetable-nightly     # it was paused at the start
```

## Order

1. notices last: travellers should not hear of it twice
2. boards only if they show something wrong
3. never the scanner

## Rehearsals

- 2026-03-30: 4 minutes for booking, 20 s for billing
- 2026-04-27: the same, and the timetable job was forgotten; it is in the list now
"""

_VELHAS: Final = """\
# Velhas

- Window on 2026-05-14: 03:12 to 05:58, so the 05:50 is tight
- The harbour master prefers a call at 22:00 to a mail
- Board 1 faces east: white page at sunrise is a reflection, not a fault
- The speaker system takes its texts from notices, 40 characters at most
"""

_SCRIBE: Final = """\
---
name: port-scribe
description: Writes what ports are told, in three languages
memory: user
---

Write what a traveller will see, then what they should do. No internal names.
"""

_SCRIBE_MEMORY: Final = """\
# What ports like to read

- Times with the word *harbour time*, never a zone's abbreviation
- Portuguese first for Velhas and Ribeira, Italian first for Porto Fino
- One screenshot, cropped to what changed
- `Partida` is the departure of a ship, `embarque` is boarding; they are 20 minutes apart
"""

_TESTER: Final = """\
---
name: pier-tester
description: Tries the scanner on the devices that lie on this desk
tools: Bash, Read
memory: local
---

Install the build, run through the boarding list, write down what the device did and not what you
think it meant.
"""

_TESTER_MEMORY: Final = """\
# This desk

- Device 1 is the scratched one: its camera needs two seconds more
- Device 2 has the clock 11 minutes ahead, on purpose; leave it so
- `adb` finds both only through the hub with the blue cable

## Lists

- Boarding with gloves: use the thick ones, the thin ones prove nothing
- Flight mode on, scan twenty tickets, flight mode off: the outbox empties within 8 s
"""

FILES: Final[Mapping[str, str]] = {
    ".claude/agents/release-captain.md": _CAPTAIN,
    ".claude/agents/port-scribe.md": _SCRIBE,
    ".claude/agents/pier-tester.md": _TESTER,
    ".claude/agent-memory-local/pier-tester/MEMORY.md": _TESTER_MEMORY,
    ".claude/agent-memory/release-captain/MEMORY.md": MEMORY,
    ".claude/agent-memory/release-captain/rollbacks.md": _ROLLBACKS,
    ".claude/agent-memory/release-captain/harbours/velhas.md": _VELHAS,
}
"""Path below the project → text."""

HOME_FILES: Final[Mapping[str, str]] = {
    ".claude/agent-memory/port-scribe/MEMORY.md": _SCRIBE_MEMORY,
}
"""Path below the home folder → text."""
