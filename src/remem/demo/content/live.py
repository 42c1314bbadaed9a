"""What the demo's agents write while somebody watches."""

from typing import Final

REFLECTIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "Tomasz",
        (
            "{story}: the manifest got its index, a scan takes 4 ms with 4,000 rows",
            "Measure on the device, not in the emulator",
        ),
    ),
    ("Ines", ("{story} is two stories: the lorry's length, and who may correct it",)),
    (
        "Bastien",
        ("{story}: a webhook came from an address outside the port's list; asked",),
    ),
    (
        "Tomasz",
        (
            "{story}: a partial index on open holds halved the planner's time",
            "`EXPLAIN` with 5 rows says nothing about 50,000",
        ),
    ),
    ("Ines", ("{story}: asked which tide the test assumes, and the author did not know",)),
    ("Bastien", ("{story}: error pages echoed the booking code; replaced by the request id",)),
    ("Tomasz", ("{story}: replay of the storm with a budget of 30 retries: 0 calls wasted",)),
    (
        "Ines",
        ("{story}: third review in which a flag had no date; decide on flags",),
    ),
)
"""Persona → lessons of one reflection; `{story}` differs each time."""

NOTES: Final[tuple[str, ...]] = (
    "- {story}: boards were deployed at 03:10, after their reload, without a white page",
    "- {story}: ten health checks took 50 s; booking needs 70 s since it warms its cache",
    "- {story}: the ports' mail went out at 18:05 because the freeze list was read late",
)
"""Lines that the release captain adds to its memory by writing the whole file anew."""

RETROS: Final[tuple[tuple[str, str], ...]] = (
    (
        "sprint-8-retro.yaml",
        """\
sprint: 8
date: "2026-05-18"
stories_completed: 7
stories_carried_over: 0
findings:
  new_conventions:
    - rule: "A harbour's berth numbers come from its own plan, with the plan's date"
      confidence: high
      evidence: "5 of 7 stories"
      recommendation: codify
      applies_to: [backend-engineer, frontend-engineer]
  new_anti_patterns:
    - description: "Judging a query by its plan on five rows"
      occurrences: 3
      stories: ["SLIP-139", "SLIP-140", "SLIP-142"]
      recommendation: codify
      severity: medium
      applies_to: [backend-engineer]
  positive_patterns:
    - "The fare replay runs in the pull request now"
""",
    ),
    (
        "sprint-9-retro.yaml",
        """\
sprint: 9
date: "2026-06-01"
stories_completed: 8
stories_carried_over: 1
findings:
  new_conventions:
    - rule: "A device is known by its key, never by its housing or its name"
      confidence: medium
      evidence: "5 of 8 stories"
      recommendation: codify
      applies_to: [backend-engineer, qa-engineer]
  review_gate_failures:
    - check: "flags"
      failures: 3
      pattern: "Flags without a date on which they are removed"
      already_tracked: false
""",
    ),
)
"""File name → text."""
