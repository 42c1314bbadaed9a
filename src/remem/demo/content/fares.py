"""The demo's branch to gate: a small service, its rules, and a branch that breaks three of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_CONVENTIONS: Final = """\
conventions:
  - id: conv-001
    rule: "Amounts are whole cents"
    rationale: "Two fares were a cent short after a float was rounded twice"
    detection_hint: "float( below src"
    detect: {files: ["src/**"], forbid: 'float\\('}
    applies_to: []
    enforcement: both
    status: confirmed

  - id: conv-002
    rule: "Every module of src has a test of its name"
    rationale: "The refund rules went untested for two sprints"
    applies_to: [qa-engineer]
    enforcement: review_gate
    status: confirmed
"""
_ROUNDED: Final = """
  - id: conv-003
    rule: "A discount is rounded in favour of the passenger"
    rationale: "The port asks for it in every audit"
    applies_to: [backend-engineer]
    enforcement: review_gate
    status: confirmed
"""
_ANTI_PATTERNS: Final = """\
anti_patterns:
  - id: ap-001
    description: "Reading the clock inside fare rules"
    why_bad: "A fare of last week cannot be calculated again"
    fix_pattern: "take the day as an argument"
    detection_hint: "today() below src"
    detect: {files: ["src/**"], forbid: 'date\\.today\\('}
    applies_to: [backend-engineer]
    severity: high
    status: confirmed

  - id: ap-002
    description: "An exception that is caught and dropped"
    why_bad: "A discount that failed was charged in full, and nobody knew"
    fix_pattern: "let it rise, or log it with the booking"
    detect: {files: ["src/**"], forbid: 'except \\w+:\\s*pass'}
    applies_to: []
    severity: medium
    status: confirmed
"""
_FARES: Final = '''\
"""Fares of a crossing, in cents."""

from datetime import date


def fare(base: int, day: date) -> int:
    """Return what a seat costs on a day."""
    return base if day.weekday() < 5 else base + base // 4
'''
_CHEAP: Final = '''\
"""Fares of a crossing, in cents."""

from datetime import date


def fare(base: int, day: date) -> int:
    """Return what a seat costs on a day."""
    return base if day.weekday() < 5 else base + base // 4


def friday_fare(base: int) -> int:
    """Return today's fare with the discount of Fridays."""
    if date.today().weekday() != 4:
        return base
    return int(base * float("0.8"))


def discount(codes: dict[str, int], code: str) -> int:
    """Return the cents that a code takes off."""
    try:
        return codes[code]
    except KeyError: pass
    return 0
'''
_TEST: Final = """\
from datetime import date

from src.fares import fare


def test_a_weekend_costs_a_quarter_more() -> None:
    assert fare(1200, date(2026, 5, 9)) == 1500
"""
BRANCH: Final = "cheap-fridays"
"""It is checked out, and breaks three rules of `main`."""

MAIN: Final[Mapping[str, str]] = {
    ".sniper/memory/anti-patterns.yaml": _ANTI_PATTERNS,
    ".sniper/memory/conventions.yaml": _CONVENTIONS,
    "src/fares.py": _FARES,
    "tests/test_fares.py": _TEST,
}
CHEAP: Final[Mapping[str, str]] = {
    **MAIN,
    ".sniper/memory/conventions.yaml": _CONVENTIONS + _ROUNDED,
    "src/fares.py": _CHEAP,
}
