"""Plans the files of a new project memory; what is there already stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from remem.errors import NotPossible
from remem.formats.sniper.format import Sniper
from remem.library import Library
from remem.model.change import Change, Create, Intent
from remem.text import count

TEMPLATES: Final = ".sniper/templates"

_CONVENTION: Final = """\
# One convention; agents of the named roles are told to follow it.
id: conv-001
rule: ""                      # an imperative sentence
rationale: ""                 # what went wrong without it
source: {type: manual, ref: "", date: ""}   # review_gate, retro, manual, imported
applies_to: []                # role names; empty = everyone
enforcement: both             # review_gate, spawn_prompt, both
scope: project                # project, workspace
status: candidate             # candidate waits for a person, confirmed is in force
examples: {positive: "", negative: ""}
"""
_ANTI_PATTERN: Final = """\
# One mistake that agents of the named roles are told to avoid.
id: ap-001
description: ""
why_bad: ""
fix_pattern: ""               # what to do instead
source: {type: manual, ref: "", date: ""}   # review_gate, retro, manual, imported
detection_hint: ""            # how a reader recognises it
applies_to: []                # role names; empty = everyone
severity: medium              # high, medium, low
status: candidate             # candidate waits for a person, confirmed is in force
"""
_DECISION: Final = """\
# One decision, and what it was taken instead of.
id: dec-001
title: ""
context: ""                   # what made it necessary
decision: ""
alternatives_considered: []   # `Name — why not`
source: {type: manual, ref: "", date: ""}   # review_gate, retro, manual, imported
applies_to: []                # role names; empty = everyone
status: active                # active, superseded, deprecated
superseded_by: null
"""
_RETRO: Final = """\
# What one sprint taught; findings with `codify` wait for a person's decision.
sprint: 1
date: ""
stories_completed: 0
stories_carried_over: 0
findings:
  new_conventions: []         # rule, confidence, evidence, recommendation, applies_to
  new_anti_patterns: []       # description, occurrences, stories, recommendation, severity
  review_gate_failures: []    # check, failures, pattern, already_tracked
  estimation_calibration: {overestimates: [], underestimates: [], patterns: []}
  positive_patterns: []
"""
_FILES: Final = {
    "memory-convention.yaml": _CONVENTION,
    "memory-anti-pattern.yaml": _ANTI_PATTERN,
    "memory-decision.yaml": _DECISION,
    "retro.yaml": _RETRO,
}


def plan_init(library: Library, intent: Intent) -> Change:
    """Plan to make what a project memory lacks.

    Args:
        library: Where to make it.
        intent: `templates: true` adds commented examples of every record.

    Raises:
        NotPossible: Nothing is missing.
    """
    effects = Sniper().scaffold(library.ground)
    if intent.flag("templates"):
        effects += tuple(_templates(library))
    if not effects:
        raise NotPossible(
            "every file of a project memory is there already",
            hint="`remem list` shows what it holds",
        )
    files = count(effects, "file")
    return Change(intent, f"Make a project memory ({files})", effects)


def _templates(library: Library) -> Iterator[Create]:
    for name, text in _FILES.items():
        path = library.ground.root / PurePosixPath(TEMPLATES) / name
        if library.ground.disk.kind(path) is None:
            yield Create(path, text.encode())
