"""The demo's learning records, a signal, and the retro of a protocol."""

from collections.abc import Mapping
from typing import Final

_FROZEN: Final = """\
id: L-20260406-7be1
status: validated
confidence: 0.95
created_at: "2026-04-06T16:20:00Z"
updated_at: "2026-05-02T09:10:00Z"
source:
  type: gate_failure
  protocol_id: SNPR-20260406-19aa
  detail: "Two timetable tests failed whenever the tide turned"
learning: "Freeze the clock in every test of a timetable"
anti_pattern: "Sleeping until a departure is due"
correction: "Use the harbour clock of the test fixtures"
scope:
  agents: [qa-engineer, backend-engineer]
  files: ["tests/**", "services/timetable/**"]
applied_in: [SNPR-20260420-4c02]
reinforced_by: [SNPR-20260420-4c02, PR-388]
history:
  - timestamp: "2026-04-06T16:20:00Z"
    event: created
    actor: retro-analyst
  - timestamp: "2026-04-20T17:00:00Z"
    event: reinforced
    actor: retro-analyst
    detail: "by SNPR-20260420-4c02"
    confidence_delta: 0.15
  - timestamp: "2026-04-21T08:00:00Z"
    event: recurrence_detected
    actor: retro-analyst
    detail: "in SNPR-20260421-77d0"
    confidence_delta: -0.2
  - timestamp: "2026-04-22T08:30:00Z"
    event: human_confirmed
    actor: human
    confidence_delta: 0.35
  - timestamp: "2026-05-02T09:10:00Z"
    event: validated_by_absence
    actor: retro-analyst
    detail: "no recurrence in SNPR-20260420-4c02"
    confidence_delta: 0.05
"""
_HOLDS: Final = """\
id: L-20260420-c3d4
status: active
confidence: 0.55
created_at: "2026-04-20T17:00:00Z"
source: {type: retro, protocol_id: SNPR-20260420-4c02, detail: "action items, item 2"}
learning: "Let a hold run out in the database, never in the browser"
scope: {agents: [backend-engineer, frontend-engineer]}
history:
  - timestamp: "2026-04-20T17:00:00Z"
    event: created
    actor: human
  - timestamp: "2026-04-29T07:45:00Z"
    event: validated_by_absence
    actor: retro-analyst
    detail: "no recurrence in SNPR-20260429-0b1e"
    confidence_delta: 0.05
"""
_DRAFT: Final = """\
id: L-20260504-e5f6
status: draft
confidence: 0.4
created_at: "2026-05-04T11:05:00Z"
source: {type: pr_review, detail: "PR 402: the port asked for it twice"}
learning: "Show a closed berth before the sailings that leave from it"
scope: {agents: [frontend-engineer], files: ["boards/**"]}
history:
  - timestamp: "2026-05-04T11:05:00Z"
    event: created
    actor: code-reviewer
"""
_OLDER: Final = """\
id: L-20260322-0aa7
status: active
confidence: 0.5
created: "2026-03-22"      # written before times were asked for
source: {type: retro, protocol: SNPR-20260322-51f0, phase: review}
learning: "Try the scanner in gloves before a story is called done"
"""
_SIGNAL: Final = """\
type: ci_failure
source: "build 2210"
timestamp: "2026-05-03T22:14:00Z"
summary: "The notices service ran out of connections in the night window"
learning: "Give back a connection before a notice is sent"
relevance_tags: [notices, database]
affected_files: ["services/notices/**"]
"""
_RETRO: Final = """\
protocol: feature
protocol_id: SNPR-20260504-9f3c
completed_at: "2026-05-04T15:30:00Z"
duration_phases:
  - {phase: plan, agents: 2, gate_attempts: 1, gate_result: pass}
  - {phase: implement, agents: 3, gate_attempts: 2, gate_result: pass}
metrics: {total_tokens: 284000, total_agents_spawned: 5, gate_pass_rate: 0.67}
findings:
  went_well:
    - "The tide table of Velhas was checked before the first line of code"
  needs_improvement:
    - "Reviewers saw the boards only on a fast line"
  action_items:
    - "Freeze the clock in every test of a timetable."
    - "Replay a night of berth closures before a release"
  learning_ids: [L-20260406-7be1]
"""

FILES: Final[Mapping[str, str]] = {
    ".sniper/memory/learnings/L-20260406-7be1.yaml": _FROZEN,
    ".sniper/memory/learnings/L-20260420-c3d4.yaml": _HOLDS,
    ".sniper/memory/learnings/L-20260504-e5f6.yaml": _DRAFT,
    ".sniper/memory/learnings/L-20260322-0aa7.yaml": _OLDER,
    ".sniper/memory/signals/20260503-ci_failure-1777846440.yaml": _SIGNAL,
    ".sniper/retros/SNPR-20260504-9f3c.yaml": _RETRO,
}
"""Path below the project → text."""
