"""The demo's Claude Code agents: definitions, and memory beside `MEMORY.md`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MEMORY: Final = """\
# Release captain: what I know about shipping Slipway

## The night window

- **Opens 23:30, closes 04:30** harbour time, which is not the time of the build server
- The last sailing of the day may be late: look at `GET /sailings?state=boarding` first
- Nothing goes out when the gust forecast of any harbour is above 38 knots
- Freeze days of 2026 are in `deploy/freeze.yaml`; the port of Velhas adds its fiesta by phone
- A release without a way back is not a release, see **rollbacks.md**

### Before the window

1. Staging has run the build for 24 hours
2. `make replay-fares MONTH=<last>` shows no difference that nobody expected
3. The migration of this release is already in production and was watched for a day
4. Wanjiru has tried boarding with two devices
5. The notes name every flag that changes its default

### In the window

1. Stop the timetable job: `deploy job pause timetable-nightly`
2. Deploy in this order: notices, timetable, booking, billing, boards
3. After each one wait for ten green health checks and one booking of the test traveller
4. Start the timetable job again, by hand, and read its last line
5. Write the time of each step into the release issue

### After the window

- First departure of the day is the real test: 05:50 from Velhas
- Stay reachable until 07:00
- Lessons of the night go into this file the same day

## Services

### booking

- Owner: Tomasz; on call in April: Ines
- Needs 90 s to drain; it finishes the holds that it has begun to pay
- `BOOKING_HOLD_MINUTES` is 15; at 10 the call centre could not keep up
- ✅ Two versions side by side work since the events only grow
- ❌ Never deploy it together with billing: their contract test needs both old
- Memory climbs by 40 MB during the first hour and stays there
- A row lock on `sailing` for more than 2 s means that somebody opened the port's spreadsheet

### billing

- The provider must see one version at a time; use the blue/green switch
- Refunds are commands: after a rollback look at `refund_command` for states that the old code
  does not know
- Keys live in the vault under `slipway/billing`; the names are in the repository
- Month end: no deployment between the 30th and the 2nd
- ✅ Recorded answers were renewed on 2026-04-28

### timetable

- Recomputes 400 days in 22 minutes, one harbour in 5
- After a correction of the tide table only the days it touches, 40 s
- Its health check is green before it has read the table: wait for `tables loaded`
- If it is restarted between 02:00 and 02:20 the nightly run is skipped, without a message

### notices

- Owns all wording since 2026-03-23
- Queue length above 500 means a storm or a loop; look at the sailing ids
- Text messages cost 6 cents; a loop on 2026-03-11 cost 840 euros
- Templates are deployed with the service, translations are not

### boards

- 14 devices, image `kiosk-2026.18` since May
- They reload at 03:00, in the middle of the window: deploy boards after that
- A board that stays white has lost its clock; the port presses the left button for 5 s

### scanner

- Not ours to deploy: devices update when the ship is in harbour
- Oldest version at sea on 2026-05-04: 3.8.1, from 2026-04-11
- So every event has to be readable by code that is four weeks old

## Rollbacks

- See **rollbacks.md** for commands
- Deciding takes longer than doing: write the limit down before the window opens
- Limits that held so far:

| signal | limit | seen |
|--------|-------|------|
| errors of booking | 0.5 % for 3 minutes | 2026-03-28 |
| p95 of `POST /holds` | 900 ms for 5 minutes | 2026-04-09 |
| unpaid holds that expired | twice the week before | never |
| notices a minute outside storms | 40 | 2026-03-11 |

- Roll back the service that was deployed last, even if another one looks guilty
- After a rollback the next attempt is not in the same night

## Migrations

- Only add. A column goes one release after its last reader
- `CREATE INDEX CONCURRENTLY`, always; the plain one locked holds for 70 s on 2026-02-24
- Backfills run in batches of 5,000 with a pause of 200 ms
- Constraint first `NOT VALID`, then `VALIDATE` on another night
- Count rows before and after, write both into the issue
- The release user may not drop anything; ask Tomasz, he asks why

### Open ones

- `booking.legacy_deck`: last reader left with 2026.17, drop in 2026.19
- `sailing.tide_class`: the export for ports still reads it
- `hold.device_id`: becomes mandatory when 3.8.1 is gone from all ships

## Flags

| flag | owner | goes away | note |
|------|-------|-----------|------|
| `lorry-lanes` | Tomasz | 2026-05-18 | on in Velhas only |
| `berth-first` | Dunlin | 2026-05-11 | boards, trial |
| `storm-wording-2` | Ines | 2026-05-25 | on |
| `passkeys` | nobody | – | service is gone, flag is not |
| `two-step-refund` | Tomasz | 2026-06-01 | off in production |

- Changing a default is a release of its own
- A flag that was not switched for 60 days is a bug

## Communication

- Ports get a mail at 18:00 with what will be different in the morning, in their language
- No internal names in it: `booking` is "the sales system"
- If nothing visible changes, no mail
- The call centre opens at 06:00; they want one sentence and one screenshot
- After an incident: what travellers saw, from when to when, what they should do

### Phrases that worked

- "Tickets bought yesterday are valid as they are"
- "The board shows the time of its last news; trust the speaker until then"
- "Boarding goes on without network, nothing has to be written down"

### Phrases that did not

- "Degraded service": three calls to ask what it means
- "Temporarily": everybody asked how long

## Harbours

- **Velhas**: tide window, two sunny boards, harbour master decides alone; see `harbours/velhas.md`
- **Porto Fino**: tide window, berths 2 and 3 are often confused, power off at night
- **Ribeira**: best network; new things go there first
- **Santa Clara**: one lorry lane, measured again in April: 1,840 cm
- **Queimada**: summer only, opens on 2026-06-13

## Incidents

### 2026-02-24: locked holds

- Plain index creation in the window that overlapped a late sailing
- 70 s without bookings, 11 calls
- Since then: concurrently, and a check for boarding sailings

### 2026-03-11: storm

- 14 sailings cancelled in an hour, notices sent three times, each with another wording
- Retries took the provider down for 9 minutes
- Since then: one service words notices, the storm is a fixture

### 2026-03-28: Easter rollback

- The old version asked for a column that was gone
- 26 minutes; boarding went on offline, nobody at the pier noticed
- Since then: migrations only add

### 2026-04-09: slow holds

- Missing index after a partial restore of the database
- Rolled back although the release was innocent; that was right at 23:50
- Since then: `make schema-diff` compares production with the migrations

### 2026-04-22: the board of yesterday

- A kiosk kept its page after a failed reload
- Since then: boards carry the age of what they show

## Tools

- `deploy status --all` shows versions in the order of deployment
- `deploy diff booking` lists commits, migrations and flags; paste it into the issue
- `tide 2026-05-14 velhas` prints the window, from the same table that the service uses
- Log search: `sailing_id:VEL-20260504-0740 AND level:warn`
- Traces keep 7 days, logs 30, the audit log 10 years
- The dashboard *first departure* has everything for the morning on one page

## People

- Harbour masters: never during a manoeuvre, which is 20 minutes around each departure
- Accounting closes on the 3rd; refunds wait until then without anyone minding
- The provider's night line answers in 4 minutes and wants the merchant number first

## Things I got wrong

- Believed a green health check of timetable: it only means that the process is alive
- Deployed boards at 02:50, ten minutes before their own reload
- Counted the freeze by date and not by tide: the ship was still out at 00:40
- Restarted notices to "clear" its queue; the queue is in the stream and came back
- Wrote "no changes" in the mail to the ports although a button had moved

## Not certain yet

- Whether two booking versions can share a hold that is being paid
- Whether the scanner accepts a manifest that shrinks
- How long the provider keeps an idempotency key: the documents say 24 h, we saw 30

## Season 2026

- From 13 June five harbours, 61 sailings a day, two lorry ships
- Window shrinks to 00:30–04:00 from 1 July
- Queimada has no fibre until August: boards by radio, 64 kbit/s
- Extra staff start on 22 June, they get devices with a fresh image
"""


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
