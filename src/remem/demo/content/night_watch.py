"""The memories of the demo's Night Watch personas: months of lessons, three as v1, one as v2."""

from collections.abc import Mapping
from typing import Final

_INES: Final = """\
- Ask what happens on the second delivery of the same message before reading anything else
- A story that cannot be shown at one harbour with one ticket kind is two stories
- When capacity and money change in one pull request, review them on two different days
- The tide table is an input with an edition, not a fact

## 2026-02-09
- The first timetable review missed summer time; put the zone's change days on the checklist
- Small migrations get read, large ones get approved

## 2026-02-20
- Money as float slipped through because the test compared rounded values; ask for exact cents
- A diagram of the hold's life (placed, paid, expired, released) ended a discussion of two hours
- Do not approve while a question of mine is open, even if it is only about a name

## 2026-02-23
- The refund path had no test for a booking that was changed twice; look for *second* changes
- Tomasz explains better in code than in text: ask him for a failing test instead of a comment

## 2026-03-09
- Overbooking the 07:40 came from a check and a write in two transactions; I had read both files, \
but on different days and never beside each other
- Slice boarding by ticket kind: foot passenger, bicycle, car, lorry. Each can be shown alone
- A contract test that nobody runs is a comment

## 2026-03-11
- In a storm people read the first three words of a notice; review wording as carefully as code
- Write down who decides to cancel: it is the harbour master, never the software

## 2026-03-23
- The sweeper of holds was down and nobody noticed: a job whose absence is silent needs a reader \
that checks for itself
- Rolled back during Easter; the column was gone. Migrations only add, until the last reader left
- Reviewing at 18:00 before a night window is how the last two incidents began

## 2026-04-06
- Offline stories are three stories: decide, store, reconcile. Estimate the third one twice
- A red timetable test should say which harbour, date and tide it assumes
- Asked for the tariff sheet on every fare change; half of them did not have one

## 2026-04-14
- The tariff of a booking is part of the booking; any lookup of *the current* tariff in a refund \
is a finding

## 2026-04-20
- Flags without an owner: found eleven, removed four in review, nobody missed them
- SLIP-119 cut by ticket kind went to the pier on day two; keep doing this
- Storm notices took twice the estimate because four services wanted to word them

## 2026-04-28
- Read imported packs line by line: one of the harbour pack's rules looked right and was not

## 2026-05-04
- Fare replay over last month's bookings found 41 wrong fares before the merge; it pays for itself
- Double boarding after a night offline: the scanner was right to board, the manifest was late
- Sessions shared between relay and request: fourth time, so it becomes a rule
"""

_TOMASZ: Final = """\
## 2026-01-29
- `make up` needs 40 s the first time; start it before reading the story
- Holds live in booking, not in timetable, although the names suggest otherwise

## 2026-02-06
- Never format times on the server: send UTC and zone
- The provider's library retries on its own; set its retries to 0 or ours multiply

## 2026-02-18
- A value object for lane centimetres removed three conversions and one bug
- `pytest -k tide` takes 4 s, the whole timetable suite 90 s

## 2026-02-20
- Take a Clock as an argument, also in the functions that "only log"
- Integers for money: the fixture factory still makes floats, fix it first

## 2026-03-06
- Catching everything around `charge()` hid a typo for two days; catch ProviderError only
- The outbox relay reads in batches of 200; tests with 5 events prove nothing about order

## 2026-03-09
- One UPDATE with the remaining length in WHERE, then look at the row count:

  ```sql
  UPDATE deck SET free_cm = free_cm - :need
  WHERE sailing_id = :sailing AND free_cm >= :need
  ```

- JetStream replays per harbour; a consumer must survive three days of events at once

## 2026-03-17
- Reading the hold must check `expires_at` itself
- `FOR UPDATE SKIP LOCKED` fits the relay and does not fit holds

## 2026-03-23
- Add the column, deploy, backfill, deploy, drop: four pull requests, and the fourth is next month

## 2026-04-02
- Contract tests with recorded answers run in 3 s; record again when the provider's version changes
- The refund's breakdown lies with the booking since SLIP-097; nothing else is allowed to compute it

## 2026-04-16
- Port exports: write to a temporary name and rename, their job picks up half files otherwise

## 2026-04-20
- The storm of 11 March is a fixture now: `fixtures/storm_0311.jsonl`, 14 cancelled sailings
- Retry counts per call do not add up over 14 sailings; a budget per sailing would

## 2026-04-27
- `Session` is not shared between threads, and the relay is one
- Deadlock in billing: lock bookings in the order of their ids

## 2026-04-29
- Budget of 30 retries per sailing held the provider at 60 % during the strike
- The scanner's manifest has no index on ticket code; 4,000 rows made each scan 180 ms

## 2026-05-04
- Replay fares before asking for review: `make replay-fares MONTH=2026-04`
- Own session for the relay, closed after each batch
- Reconcile by (device, counter), not by time: two devices had clocks 11 minutes apart
"""

_BASTIEN: Final = """\
- Everything that comes from a harbour system is a stranger's input, also when the port is a friend
- The log store is in scope of the card audit

## 2026-02-12
- Staff accounts: devices are shared, so sessions end when the device is put into its cradle

## 2026-02-27
- Barcodes are signed but the signature was checked after parsing; changed the order
- Rate limit by sailing as well as by address: a school class books from one address

## 2026-03-13
- Traces held the whole request of the payment form; mask by allow-list, never by deny-list
- A port sent its database password by mail. Answer by phone, rotate, then explain

## 2026-04-03
- Encrypted secrets in the deployment repository cannot be called back; names there, \
keys in the vault
- Review fixtures too: two held real last four digits together with a name

## 2026-04-17
- The read-only export has no names in it; postcode and birth year together would be one

## 2026-04-28
- Imported rule packs are input as well: look at them with hidden characters shown
- Signature check of webhooks compares in constant time since today

## 2026-05-04
- Two scanners with the same device id after a repair: bind the id to the key, not to the housing
"""

_WANJIRU_CORE: Final = """\
- [PATTERN] A bug at the pier is reproduced with a harbour, a date and a tide (promoted 2026-03-24)
- [PATTERN] Two devices, one ticket: try it in every boarding story (promoted 2026-04-07)
- [DECISION] Wait for the sync event with a deadline instead of sleeping (promoted 2026-04-07)
- [ARCHITECTURE] Tests of the scanner use a local stand-in for JetStream (promoted 2026-04-21)
"""

_WANJIRU_WORKING: Final = """\
## 2026-03-24 [OBSERVATION]
- [OBSERVATION] Tests that move the clock leave it moved (ref: tests/conftest.py#L18)
- [TODO] Run the capacity suite with 40 parallel bookings (ref: tests/capacity/test_race.py#L9-L44)

## 2026-04-07 [HYPOTHESIS]
- [HYPOTHESIS] Flaky boards come from the ticker's animation, not from the data
- [OBSERVATION] 9 of 10 flaky runs happened in the minute in which a sailing departs

## 2026-04-21 [OBSERVATION]
- [OBSERVATION] Replay of the storm finds late notices (ref: tests/notices/test_storm.py#L31)
- [TODO] Ask the port of Velhas for a day of real gate times

## 2026-05-05 [OBSERVATION]
- [OBSERVATION] Double boarding reproduced: device A offline 9 h, device B online (ref: SLIP-131)
- [HYPOTHESIS] The manifest's counter starts again after a factory reset
- [TODO] A case with a gap in the counter (ref: scanner/src/test/ManifestTest.kt#L77-L90)
"""

_SALOME: Final = """\
## 2026-01-30
- The pilot harbour changes its berth numbers by radio; nothing we can subscribe to

## 2026-02-19
- Handed the notes on Velhas to Wanjiru
"""

FILES: Final[Mapping[str, str]] = {
    "agents/Ines/memories/project/main.md": _INES,
    "agents/Tomasz/memories/project/main.md": _TOMASZ,
    "agents/Bastien/memories/project/main.md": _BASTIEN,
    "agents/Wanjiru/memories/project/core.md": _WANJIRU_CORE,
    "agents/Wanjiru/memories/project/working.md": _WANJIRU_WORKING,
    "agents/.archived/Salome-20260220T081500Z/memories/project/main.md": _SALOME,
}
"""Path below `.night-watch` → text."""
