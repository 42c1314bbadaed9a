"""Earlier stories of Shaktra's in the demo: what they were briefed with, and what they bore out."""

from collections.abc import Mapping
from typing import Final

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
    f"{_STORIES}/ST-102.yml": _SHEET,
    f"{_STORIES}/ST-102/.observations.yml": _SHEET_OBSERVED,
    f"{_STORIES}/ST-102/handoff.yml": _CAPTURED.format(story="ST-102"),
    f"{_STORIES}/ST-103.yml": _FERRY,
    f"{_STORIES}/ST-103/.briefing.yml": _FERRY_BRIEFED,
    f"{_STORIES}/ST-103/.observations.yml": _FERRY_OBSERVED,
    f"{_STORIES}/ST-103/handoff.yml": _CAPTURED.format(story="ST-103"),
}
"""Path in the project → text."""
