"""What remem itself keeps in the demo: settings of the team, a proposal, an old rejection."""

from collections.abc import Mapping
from typing import Final

_CONFIG: Final = """\
# Shared by the team. What starts a program belongs into your own config.
roles:
  Ines: [reviewer, slicer]
  Tomasz: [backend-engineer]
  Wanjiru: [qa-engineer]

reject:
  reasons: [already covered, too specific, wrong, outdated, the linter does it]
"""

_PROPOSAL: Final = """\
kind: convention
target: sniper
fields:
  rule: "A new harbour is switched on by configuration, and its first sailing is a rehearsal"
  rationale: "Porto Fino went live with the berth numbers of Velhas"
  applies_to: [backend-engineer, devops-engineer, slicer]
  enforcement: both
evidence: "SLIP-125: berth 2 and berth 3 exchanged, noticed by the harbour master"
by: release-captain
door: mcp
date: "2026-05-02"
why: An agent proposed it while it worked on SLIP-125
"""

_REJECTED: Final = """\
rejected:
  - fingerprint: 9a0db614eb9d5acb2f8fb0d560cccab8ea2e9ebe26d61b3bfac038593c8e7d4f
    kind: convention
    text: "Every function has a docstring with an example"
    reason: "too specific"
    by: Ines Carvalho
    date: "2026-04-21"
    source: sprint-6-retro
"""
"""The retro of sprint 6 proposes it; the fingerprint is that of FORMATS 0.4."""

FILES: Final[Mapping[str, str]] = {
    ".remem/config.yaml": _CONFIG,
    ".remem/rejected.yaml": _REJECTED,
    ".remem/proposals/20260502-5b3e91c4.yaml": _PROPOSAL,
}
"""Path below the project → text."""
