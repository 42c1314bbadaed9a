"""Shaktra in the demo: what was learnt of timetables, and one story that observed more."""

from collections.abc import Mapping
from typing import Final

PRINCIPLES: Final = """\
# Principles: what to do, and why
principles:
  - id: PR-001
    text: "Every import of sailings can be run again without making any of them twice"
    categories: [reliability, correctness]
    guidance:
      - "Look the sailing up by the number of its origin"
      - "Write it in one transaction with its history"
    confidence: 0.76
    source_count: 3
    tags: [import, sailings]
    roles: [developer, sw-engineer]
    scope: project
    status: active
    source: ST-101
    created: "2026-02-09"
    last_reinforced: "2026-03-30"

  - id: PR-002
    text: "Times are kept in UTC and shown in the zone of the harbour"
    categories: [correctness]
    guidance: ["Convert at the edge, never in a query"]
    confidence: 0.28
    source_count: 2
    tags: [time, board]
    roles: [developer]
    scope: project
    status: active
    source: ST-102
    created: "2026-02-16"
"""
ANTI_PATTERNS: Final = """\
# Anti-patterns: what fails, and how
anti_patterns:
  - id: AP-001
    failed_approach: "Reading all sailings into memory to sort them"
    failure_mode: "Large boards took eleven seconds and then nothing"
    severity: P1
    recommended_approach: "Sort in the database, a page at a time"
    trigger_patterns: [sort, board, sailings]
    confidence: 0.72
    tags: [board, performance]
    roles: [developer, sw-quality]
    scope: project
    status: active
    source: ST-102
    created: "2026-02-16"
"""
PROCEDURES: Final = """\
# Procedures: how to run the work
procedures:
  - id: PC-001
    text: "The import is tried on last month's timetable before the story is called done"
    confidence: 0.68
    source_count: 3
    tags: [import, review]
    roles: [developer, sdm]
    applies_to: [tdd]
    scope: project
    status: active
    source: ST-101
    created: "2026-03-02"
"""
STORY: Final = """\
id: ST-104
title: "Take a timetable in from a spreadsheet"
description: "A harbour drops a spreadsheet on its board and sees its sailings there."
created: "2026-04-27"
files: [src/sailings/import_sheet.py, src/board/drop.py]
acceptance_criteria:
  - id: AC-1
    description: "The same sheet dropped twice changes nothing"
tags: [import, board]
"""
OBSERVATIONS: Final = """\
# Observations: what agents noticed
observations:
  - id: OB-001
    agent: developer
    phase: code
    type: consistency-check
    importance: 7
    principle_id: PR-001
    relationship: reinforce
    tags: [import]
    text: "Dropping the sheet twice made no sailing twice, by the number of its row."
  - id: OB-002
    agent: sw-quality
    phase: quality
    type: consistency-check
    importance: 6
    principle_id: PR-002
    relationship: contradict
    tags: [time]
    text: "Sheets hold times of no zone, and the rule made them an hour late."
  - id: OB-003
    agent: developer
    phase: code
    type: discovery
    importance: 8
    tags: [reliability, spreadsheet]
    text: "Spreadsheets end with thousands of empty rows. Stop at the first ten of them."
"""
HANDOFF: Final = """\
story_id: ST-104
current_phase: quality
completed_phases: [plan, tests, code]
memory_captured: false
"""
SETTINGS: Final = """\
# The defaults of the plugin, but for the last one
memory:
  confidence_start: 0.6
  confidence_reinforce: 0.08
  confidence_weaken: 0.08
  confidence_contradict: 0.20
  confidence_archive: 0.2
  max_briefing_entries: 10
"""


_SHEET: Final = """\
id: ST-102
title: "Import the winter sailings"
description: "The winter timetable comes as one file a harbour."
created: "2026-03-16"
files: [src/sailings/import_file.py]
tags: [import]
"""
_SHEET_OBSERVED: Final = """\
# Observations: what agents noticed
observations:
  - id: OB-001
    agent: developer
    phase: code
    type: consistency-check
    importance: 6
    principle_id: PR-001
    relationship: reinforce
    tags: [import, sailings]
    text: "The second run of the winter file wrote nothing."
"""
_FERRY: Final = """\
id: ST-103
title: "Take cancelled sailings off the board"
description: "A cancelled sailing leaves the board within a minute of its import."
created: "2026-03-30"
files: [src/board/cancelled.py]
tags: [board, sailings]
"""
_FERRY_BRIEFED: Final = """\
# What memory has for this story; `remem brief` writes it anew
story_context:
  id: ST-103
  keywords: [board, cancelled, import, leaves, minute, sailing, sailings]
relevant_principles:
  - id: PR-001
    text: "Every import of sailings can be run again without making any of them twice"
    confidence: 0.68
    guidance:
      - "Look the sailing up by the number of its origin"
      - "Write it in one transaction with its history"
    relevance: "It is about import and sailings; its text speaks of sailing."
    roles: [developer, sw-engineer]
relevant_anti_patterns:
  - id: AP-001
    failed_approach: "Reading all sailings into memory to sort them"
    recommended_approach: "Sort in the database, a page at a time"
    severity: P1
    relevance: "The story says \\"board\\" and \\"sailings\\", which triggers it; it is about both."
    roles: [developer, sw-quality]
relevant_procedures: []
"""
_FERRY_OBSERVED: Final = """\
# Observations: what agents noticed
observations:
  - id: OB-001
    agent: sw-quality
    phase: quality
    type: consistency-check
    importance: 7
    principle_id: PR-001
    relationship: reinforce
    tags: [import]
    text: "Cancelling twice leaves one sailing, cancelled once."
"""
_CAPTURED: Final = """\
story_id: {story}
current_phase: complete
memory_captured: true
"""
_STORIES: Final = ".shaktra/stories"

FILES: Final[Mapping[str, str]] = {
    ".shaktra/settings.yml": SETTINGS,
    ".shaktra/memory/principles.yml": PRINCIPLES,
    ".shaktra/memory/anti-patterns.yml": ANTI_PATTERNS,
    ".shaktra/memory/procedures.yml": PROCEDURES,
    ".shaktra/stories/ST-104.yml": STORY,
    ".shaktra/stories/ST-104/.observations.yml": OBSERVATIONS,
    ".shaktra/stories/ST-104/handoff.yml": HANDOFF,
    f"{_STORIES}/ST-102.yml": _SHEET,
    f"{_STORIES}/ST-102/.observations.yml": _SHEET_OBSERVED,
    f"{_STORIES}/ST-102/handoff.yml": _CAPTURED.format(story="ST-102"),
    f"{_STORIES}/ST-103.yml": _FERRY,
    f"{_STORIES}/ST-103/.briefing.yml": _FERRY_BRIEFED,
    f"{_STORIES}/ST-103/.observations.yml": _FERRY_OBSERVED,
    f"{_STORIES}/ST-103/handoff.yml": _CAPTURED.format(story="ST-103"),
}
"""Path in the project → text."""
