"""The demo's anti-patterns: list items at the margin, flow and block maps side by side."""

from typing import Final

ANTI_PATTERNS: Final = """\
# What bit us. High severity always reaches the prompt, so keep that list short.
anti_patterns:

- id: ap-001
  description: "Reading the clock inside domain code"
  why_bad: "Tide windows cannot be tested, and a replay of last week plans with today's tide"
  fix_pattern: "take a Clock as an argument"
  source: {type: review_gate, ref: "sprint-2-review", story: "SLIP-031", date: "2026-02-20"}
  detection_hint: "calls to now() or today() below src/domain"
  detect: {files: ["services/*/domain/**"], forbid: 'datetime\\.now\\('}
  applies_to: [backend-engineer]
  severity: high
  status: confirmed

- id: ap-002
  description: "Checking free deck space and taking it in two transactions"
  why_bad: "Two bookings see the same last metre; we overbooked the 07:40 by a lorry"
  fix_pattern: "one UPDATE with the remaining length in its WHERE clause, and look at the row count"
  source: {type: retro, ref: "sprint-3-retro", story: "SLIP-058", date: "2026-03-09"}
  applies_to: [backend-engineer, reviewer]
  severity: high
  status: confirmed

- id: ap-003
  description: "Card data in logs, traces or fixtures"
  why_bad: "Our audit covers the log store too"
  fix_pattern: "log the provider's token, last four digits at most"
  source:
    type: review_gate
    ref: "sprint-5-review"
    story: "SLIP-102"
    date: "2026-04-03"
  applies_to: []
  severity: high

- id: ap-004
  description: "Sleeping in a test until the scanner has synchronised"
  why_bad: "Slow on a good day and flaky on a bad one"
  fix_pattern: "wait for the sync event with a deadline"
  source: {type: retro, ref: "sprint-4-retro", date: "2026-03-23"}
  applies_to: [qa-engineer]
  severity: medium
  status: confirmed

- id: ap-005
  description: "Formatting departure times on the server"
  why_bad: "Caches then hold one traveller's language and zone for all"
  fix_pattern: "send UTC and zone, format in the client"
  source: {type: review_gate, ref: "sprint-1-review", date: "2026-02-06"}
  applies_to: [backend-engineer, frontend-engineer]
  severity: medium
  status: confirmed

- id: ap-006
  description: "Polling the timetable from a component that is not on the screen"
  why_bad: "A forgotten tab made 9 % of our traffic"
  fix_pattern: "subscribe while visible, stop on hide"
  source: {type: retro, ref: "sprint-2-retro", date: "2026-02-23"}
  applies_to: [frontend-engineer]
  severity: low
  status: confirmed

- id: ap-007
  description: "One big pull request for a migration and the code that needs it"
  why_bad: "It cannot be rolled back in two steps"
  fix_pattern: "migration first, on its own, deployed and watched for a day"
  source: {type: retro, ref: "sprint-4-retro", date: "2026-03-23"}
  applies_to: [backend-engineer, devops-engineer, slicer]
  severity: medium
  status: confirmed

- id: ap-008
  description: "Catching every exception around the payment call"
  why_bad: "A typo looked like a declined card for two days"
  fix_pattern: "catch the provider's own errors, let the rest reach the request handler"
  source: {type: review_gate, ref: "sprint-3-review", story: "SLIP-066", date: "2026-03-06"}
  applies_to: [backend-engineer, reviewer]
  severity: medium
  status: confirmed

- id: ap-009
  description: "Refunds that are computed from the current tariff"
  why_bad: "The traveller paid by the tariff of the day of booking"
  fix_pattern: "keep the fare's breakdown with the booking and refund from that"
  source: {type: retro, ref: "sprint-5-retro", story: "SLIP-097", date: "2026-04-06"}
  applies_to: [backend-engineer]
  severity: medium
  status: confirmed

- id: ap-010
  description: "Stories that end at a layer: `the API part of boarding`"
  why_bad: "Nothing can be shown at the pier, and the second half waits"
  fix_pattern: "cut through: one ticket kind, one harbour, from scan to manifest"
  source: {type: retro, ref: "sprint-3-retro", date: "2026-03-09"}
  applies_to: [slicer, architect]
  severity: medium
  status: confirmed

- id: ap-011
  description: "Snapshots of whole pages in the booking tests"
  why_bad: "Each wording change turned 60 files red, and people stopped reading them"
  fix_pattern: "assert the total, the deck and the departure by role"
  source: {type: manual, ref: user-added, date: "2026-03-30"}
  applies_to: [qa-engineer, frontend-engineer]
  severity: low

- id: ap-012
  description: "Secrets of harbour systems in the deployment repository, even encrypted"
  why_bad: "Keys leave with every clone and cannot be called back"
  fix_pattern: "name them there, keep them in the vault"
  source: {type: review_gate, ref: "sprint-5-review", date: "2026-04-03"}
  applies_to: [devops-engineer]
  severity: high
  status: confirmed

# Not sure yet
- id: ap-013
  description: "Sending a disruption notice before the new departure is known"
  why_bad: "Every notice without a time produced about 200 calls"
  fix_pattern: "hold it for five minutes, then send what is known"
  source: {type: retro, ref: "sprint-6-retro", story: "SLIP-121", date: "2026-04-20"}
  applies_to: [backend-engineer]
  severity: medium
  status: candidate

- id: ap-014
  description: "Tide tables as constants in code"
  why_bad: "The hydrographic office corrects them twice a year"
  fix_pattern: "load the published table and its edition"
  source: {type: retro, ref: "sprint-6-retro", date: "2026-04-20"}
  applies_to: [backend-engineer, qa-engineer]
  severity: low
  status: candidate
"""
