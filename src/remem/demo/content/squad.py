"""The demo's Squad team, which builds the departure boards."""

from collections.abc import Mapping
from typing import Final

_TEAM: Final = """\
# Squad Team

## Project Context

| Field | Value |
|-------|-------|
| **Project** | Departure boards of Slipway |
| **Stack** | TypeScript, a kiosk browser, 14 boards in 5 harbours |
| **Created** | 2026-03-16 |

## Members

| Name | Role | Charter | Status |
|------|------|---------|--------|
| Petrel | Lead | .squad/agents/petrel/charter.md | Active |
| Dunlin | Board Engineer | .squad/agents/dunlin/charter.md | Active |
| Gannet | Field Technician | — | Retired |
"""

_REGISTRY: Final = """\
{
  "agents": {
    "petrel": {
      "persistent_name": "Petrel",
      "universe": "Seabirds",
      "created_at": "2026-03-16T08:00:00Z",
      "legacy_named": false,
      "status": "active"
    },
    "dunlin": {
      "persistent_name": "Dunlin",
      "universe": "Seabirds",
      "created_at": "2026-03-16T08:00:00Z",
      "legacy_named": false,
      "status": "active"
    },
    "gannet": {
      "persistent_name": "Gannet",
      "universe": "Seabirds",
      "created_at": "2026-03-16T08:00:00Z",
      "legacy_named": false,
      "status": "retired"
    }
  }
}
"""

_PETREL: Final = """\
# Petrel — Lead

## Role
Plans the work on the boards and answers to the five ports.

## Responsibilities
- Keep one list of what each board shows and who asked for it
- Decide which harbour goes first; merge decisions from the inbox

## Boundaries
- Does not write board code
- Does not promise dates to a port without a technician
"""

_PETREL_HISTORY: Final = """\
# Petrel — History

## Core Context

**Project:** Departure boards, 14 screens, five harbours
- Ports report by phone; whoever answers writes it down here
- Velhas has two boards that see the sun directly

## Learnings

### 2026-03-18 — First round of visits
- Boards are switched off at the plug every evening in Porto Fino; a start takes 50 s
- The harbour masters want the berth larger than the time

### 2026-04-02 — Contrast trial (#14)
- White on dark blue was read from 30 m, grey on white from 9 m
- A board that shows its own age ("as of 07:31") stopped most phone calls

## Learnings — Storm drill (2026-04-22)

- One board kept showing yesterday. Nobody dared to switch it off
- Write the order of fallbacks on the wall: live, last known with age, paper
"""

_DUNLIN: Final = """\
# Dunlin — Board Engineer

## Role
Builds what runs on the boards.

## What I Own
- `boards/` and the kiosk image
- Font sizes, contrast, start-up time

## Boundaries
- No network calls outside the sync worker
"""

_DUNLIN_HISTORY: Final = """\
# Dunlin — History

## Project Context
Boards are 4:3 panels behind glass, 1,200 nits, ambient light from dawn to noon.

## Learnings

### 2026-03-20 — Memory
- The kiosk browser leaks 3 MB an hour with the ticker; reload at 03:00
- `requestAnimationFrame` costs more than a CSS transition on this panel

### 2026-04-03 — Layout
| rows | readable from | note |
|------|---------------|------|
| 6 | 32 m | default |
| 8 | 24 m | busy summer days |
| 10 | 15 m | never at Velhas |

- Berths are two characters; the third one in Porto Fino is a typing error of theirs

### 2026-04-23 — Stale data
- Show the age from the last *applied* event, not from the last poll
- After 10 minutes without an event the board says so in words

Reconnecting: the worker waits 1, 2, 4, 8 seconds and then stays at 8. Anything longer and
somebody pulls the plug.

### 2026-05-01 — Kiosk image
1. Image is built in 6 minutes, flashed in 11
2. Keep two sticks in each harbour office
"""

_GANNET_HISTORY: Final = """\
# Gannet — History

## Learnings

### 2026-03-25 — Cabling
- Velhas: power from the ticket office, not from the lamp post
"""

_DECISIONS: Final = """\
# Decisions

### 2026-03-16: Boards show six rows
**By:** Petrel
**What:** Six rows on all boards, eight on request of a port
**Why:** Six rows are read from 30 metres

### 2026-04-02: White on dark blue
**By:** Dunlin
**What:** One palette for all harbours, no themes
**Why:** Measured in Velhas at noon; everything else failed

### 2026-04-23: A board says how old it is
**By:** Petrel
**What:** Every board carries `as of HH:MM`; after ten minutes the line turns into a sentence
**Why:** The storm drill
"""

_INBOX: Final = """\
### 2026-05-05: Berth before time
**By:** Dunlin
**What:** Swap the columns: berth first, departure second
**Why:** Drivers look for the lane; 8 of 10 asked in Porto Fino knew their time already
"""

FILES: Final[Mapping[str, str]] = {
    ".squad/team.md": _TEAM,
    ".squad/casting/registry.json": _REGISTRY,
    ".squad/agents/petrel/charter.md": _PETREL,
    ".squad/agents/petrel/history.md": _PETREL_HISTORY,
    ".squad/agents/dunlin/charter.md": _DUNLIN,
    ".squad/agents/dunlin/history.md": _DUNLIN_HISTORY,
    ".squad/agents/_alumni/gannet/history.md": _GANNET_HISTORY,
    ".squad/decisions.md": _DECISIONS,
    ".squad/decisions/inbox/dunlin-berth-before-time.md": _INBOX,
}
"""Path below the project → text."""
