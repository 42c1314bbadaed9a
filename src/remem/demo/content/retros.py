"""The demo's sprint retros, one of them broken, and its estimates."""

from typing import Final

SPRINT_5: Final = """\
sprint: 5
date: "2026-04-06"
stories_completed: 6
stories_carried_over: 1
findings:
  new_conventions:
    - rule: "A test of a timetable names the harbour, the date and the tide it assumes"
      confidence: high
      evidence: "4 of 6 stories
      recommendation: codify
      applies_to: [qa-engineer, backend-engineer]
  positive_patterns:
    - "Pairing with the port of Velhas found the barcode bug in an hour"
"""
"""The quote that opens the evidence is never closed, as if the agent was stopped there."""

SPRINT_6: Final = """\
sprint: 6
date: "2026-04-20"
stories_completed: 7
stories_carried_over: 2

findings:
  new_conventions:
    - rule: "Feature flags have an owner and a date on which they are removed"   # exact: conv-018
      confidence: medium
      evidence: "5 of 7 stories touched a flag nobody could explain"
      recommendation: codify
      applies_to: [backend-engineer, frontend-engineer, devops-engineer]
    - rule: "Boards show the age of what they show"
      confidence: high
      evidence: "SLIP-117, SLIP-119, SLIP-121, SLIP-122, SLIP-125: stale boards in 5 of 7 stories"
      recommendation: codify
      applies_to: [frontend-engineer]
    - rule: "Every function has a docstring with an example"                      # turned down
      confidence: medium
      evidence: "missing in 5 of 7 stories"
      recommendation: codify
      applies_to: [backend-engineer]
    - rule: "Pair on the first story of a new harbour"
      confidence: medium
      evidence: "2 of 7 stories"
      recommendation: monitor
      applies_to: [backend-engineer, frontend-engineer]
    - rule: "Name branches after the ship"
      confidence: high
      evidence: "everyone liked it"
      recommendation: ignore
      applies_to: [backend-engineer]

  new_anti_patterns:
    - description: "Tide tables as constants in code"
      occurrences: 2
      stories: ["SLIP-118", "SLIP-124"]
      recommendation: codify
      severity: low
      applies_to: [backend-engineer, qa-engineer]
    - description: "Retrying a cancelled sailing's notices after the next one departed"
      occurrences: 3
      stories: ["SLIP-117", "SLIP-121", "SLIP-125"]
      recommendation: codify
      severity: medium
      applies_to: [backend-engineer]

  review_gate_failures:
    - check: "no clock in the domain"
      failures: 2
      pattern: "Reading the clock inside domain code"
      already_tracked: true
    - check: "translations complete"
      failures: 4
      pattern: "Merging texts for travellers before the Portuguese wording is reviewed"
      already_tracked: false

  estimation_calibration:
    overestimates: ["SLIP-123 export for the port: 5 points, done in a day"]
    underestimates:
      - "SLIP-121 storm notices: 3 points, took 6 days"
      - "SLIP-125 board in Porto Fino: 2 points, took 4 days"
    patterns:
      - "Everything with a port's own hardware takes +60%"

  positive_patterns:
    - "Replaying the storm of 11 March in staging found three bugs before the next one"
    - "Cutting SLIP-119 by ticket kind let us show boarding on day two"
"""

SPRINT_7: Final = """\
# written by the retro analyst; edited by Ines on 2026-05-05
sprint: 7
date: "2026-05-04"
stories_completed: 8
stories_carried_over: 1
findings:
  new_conventions:

    # near conv-014
    - rule: "Tests of a timetable name the harbour, the date and the tide they assume"
      confidence: high
      evidence: "6 of 8 stories; two red tests were explained by the tide in their name"
      recommendation: codify
      applies_to: [qa-engineer, backend-engineer]

    # against conv-012
    - rule: "The scanner never boards a ticket offline and reconciles it with the manifest later"
      confidence: medium
      evidence: "SLIP-131 and SLIP-134: two double boardings after a night without network"
      recommendation: codify
      applies_to: [frontend-engineer, backend-engineer, qa-engineer]

    # known already, word for word: conv-008
    - rule: "Errors of the API carry a code, a sentence for people and the id of the request"
      confidence: high
      evidence: "5 of 8 stories"
      recommendation: codify
      applies_to: [backend-engineer, frontend-engineer]

    - rule: "Every change to a fare is replayed over last month's bookings before it is merged"
      confidence: high
      evidence: "SLIP-128, SLIP-130, SLIP-133, SLIP-135, SLIP-136: 41 wrong fares found, none live"
      recommendation: codify
      applies_to: [backend-engineer, qa-engineer, reviewer]

    - rule: "Retries use a budget per sailing instead of a count per call"
      confidence: medium
      evidence: "5 of 8 stories; provider stayed up on 29 April"
      recommendation: codify
      applies_to: [backend-engineer]

    - rule: "Slices end at something a deck hand can try"
      confidence: medium
      evidence: "5 of 8 stories"
      recommendation: codify
      applies_to: [slicer]

    - rule: "Stand-ups happen after the first departure"
      confidence: medium
      evidence: "3 of 8 stories"
      recommendation: monitor

  new_anti_patterns:
    - description: "Sending a manifest to the port by mail when its API is slow"
      occurrences: 2
      stories: ["SLIP-129", "SLIP-132"]
      recommendation: codify
      severity: high
      applies_to: [backend-engineer, devops-engineer]
    - description: "Sharing one database session between the outbox relay and the request"
      occurrences: 4
      stories: ["SLIP-127", "SLIP-130", "SLIP-131", "SLIP-136"]
      recommendation: codify
      severity: high
      applies_to: [backend-engineer, reviewer]
    - description: "Comments that repeat the ticket number"
      occurrences: 6
      stories: ["SLIP-127", "SLIP-128", "SLIP-129"]
      recommendation: ignore
      severity: low

  review_gate_failures:
    - {check: "pier contrast", failures: 1, pattern: "Grey text on boards", already_tracked: false}
    - {check: "no float money", failures: 1, pattern: "Amounts as floats", already_tracked: true}

  estimation_calibration:
    overestimates: []
    underestimates: ["SLIP-131 offline conflicts: 5 points, took 9 days"]
    patterns:
      - "Stories with offline behaviour take +80%"
      - "Fare changes are estimated well since the replay exists"

  positive_patterns:
    - "Reviewers ran the scanner on a real device for every boarding story"
    - "Tomasz' outbox diagram answered most questions in review"
    - "The port of Velhas sent its tide corrections as data for the first time"
"""

ESTIMATES: Final = """\
calibration:
  velocity_factor: 0.85   # what we call 5 points takes about six
  common_underestimates:
    - pattern: "Anything that has to work without a network"
      typical_miss: "+80%"
      reason: "Conflicts are found at the pier, not at the desk"
    - pattern: "A port's own hardware"
      typical_miss: "+60%"
      reason: "One device on site, and the tide decides when we reach it"
    - {pattern: "Refunds across currencies", typical_miss: "+35%", reason: "Rounding rules"}
  last_updated: "2026-04-06"
  sprints_analyzed: 5
"""
