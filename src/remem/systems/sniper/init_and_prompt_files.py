"""Plans the files of a new project memory, and of composed prompts; what is there stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.base.text import count
from remem.core.library import Library
from remem.core.system import Ground
from remem.edit.yaml_write import render
from remem.model.change import Change, Create, Effect, Intent, Json, Splice
from remem.model.entry import digest_of
from remem.store.paths import new_name
from remem.systems.sniper.stores import FOLDER, STORES

if TYPE_CHECKING:
    from remem.systems.sniper.sniper_verbs import Init, SpawnWrite

TEMPLATES: Final = ".sniper/templates"
_EMPTY_ESTIMATES: Final[Mapping[str, Json]] = {
    "calibration": {
        "velocity_factor": 1.0,
        "common_underestimates": [],
        "last_updated": None,
        "sprints_analyzed": 0,
    }
}
CONFIG: Final = """\
memory:
  enabled: true          # false: shown, and in no prompt
  auto_retro: true       # a retro is held after each sprint
  auto_codify: true      # false: every finding waits for a person
  token_budget: 2000     # of the memory in one prompt
"""
"""What `.sniper/config.yaml` may say about memory; a person puts it there."""

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
_ANALYST: Final = """\
# Retro analyst

You look back on one sprint and write down what the next one should know. You change no code and
no memory; a person or the rules decide what becomes of your findings.

## What you read

- the stories of the sprint with their estimates, and which were carried over
- the commits of the sprint: files, lines, and how often a story came back from review
- what the review gates stopped
- the conventions, anti-patterns and decisions that stand already

## What you look for

1. Conventions: what at least 60 % of the stories did in the same way, and no entry says.
2. Anti-patterns: what went wrong in two stories or more, with their names.
3. Gate failures: each check that failed, how often, and whether an entry tracks it.
4. Estimates: which stories took clearly more or less than was thought, and what they share.
5. Positive patterns: what should be done again.

## How you judge

- Every finding has evidence that a reader can check: a number of stories, a story, a file.
- What was seen in one story only is `monitor`, never `codify`.
- `high` confidence is for what held in nearly all stories that could have shown it.
- A finding is one sentence that an agent can follow. No names of people, no blame.
- Found nothing? An empty list is an answer.

## What you write

One file, `.sniper/memory/retros/sprint-N-retro.yaml`; `.sniper/templates/retro.yaml` has its shape.
"""
_TEAM: Final = """\
# One agent that looks back on a sprint after its review has passed.
team: retro
members:
  - name: retro-analyst
    persona: process/retro-analyst
    reads:
      - .sniper/memory/
      - docs/stories/
    writes:
      - .sniper/memory/retros/
"""
_FILES: Final = {
    f"{TEMPLATES}/memory-convention.yaml": _CONVENTION,
    f"{TEMPLATES}/memory-anti-pattern.yaml": _ANTI_PATTERN,
    f"{TEMPLATES}/memory-decision.yaml": _DECISION,
    f"{TEMPLATES}/retro.yaml": _RETRO,
    ".sniper/personas/process/retro-analyst.md": _ANALYST,
    ".sniper/teams/retro.yaml": _TEAM,
}


def missing_files(ground: Ground) -> tuple[Create, ...]:
    """Return the files of an empty memory that are not there yet."""
    memory = ground.root / FOLDER
    wanted: list[tuple[Path, bytes]] = [
        (memory / f"{store.part}.yaml", render({store.key: []})) for store in STORES
    ]
    wanted.append((memory / "estimates.yaml", render(_EMPTY_ESTIMATES)))
    wanted.append((memory / "retros" / ".gitkeep", b""))
    there = {
        path
        for path, _ in wanted
        for twin in (path, path.with_suffix(".yml"))
        if ground.disk.kind(twin) is not None
    }
    if ground.disk.names(memory / "retros"):
        there.add(memory / "retros" / ".gitkeep")
    return tuple(Create(path, data) for path, data in wanted if path not in there)


def plan_init(library: Library, intent: Intent, args: Init) -> Change:
    """Plan to make what a project memory lacks.

    Args:
        library: Where to make it.
        intent: What asks for it.
        args: Whether commented examples of every record come too, and who holds a retro.

    Raises:
        NotPossible: Nothing is missing.
    """
    effects = missing_files(library.ground)
    if args.templates:
        effects += tuple(_templates(library))
    if not effects:
        raise Already(
            "the project memory already exists",
            hint="`remem list` shows its entries",
        )
    files = count(effects, "file")
    return Change(intent, f"Create project memory ({files})", effects)


def _templates(library: Library) -> Iterator[Create]:
    for name, text in _FILES.items():
        path = library.ground.root / PurePosixPath(name)
        if library.ground.disk.kind(path) is None:
            yield Create(path, text.encode())


_PROMPTS: Final = ".sniper/spawn-prompts"
_ODD: Final = re.compile(r"[^\w-]+")


def plan_spawn_write(library: Library, intent: Intent, args: SpawnWrite) -> Change:
    """Plan to write a prompt; one that stands there is replaced, as SNIPER does it.

    Raises:
        Already: It stands there as it is.
        NotPossible: The prompt is empty, or is named like the template.
        UnsafeName: The name can be no file's.
    """
    name = new_name(slug(args.name))
    if not args.text.strip():
        raise NotPossible("the prompt is empty", hint="`remem compose --role ROLE` shows it")
    path = library.ground.root / _PROMPTS / f"{name}.md"
    data = f"{args.text}\n".encode()
    effect: Effect = Create(path, data)
    if library.ground.disk.kind(path) is not None:
        old = library.ground.disk.read(path)
        if old == data:
            raise Already(f"`{_PROMPTS}/{name}.md` already has this prompt")
        effect = Splice(path, 0, len(old), old, data, digest_of(old))
    return Change(intent, f"Write the prompt of {args.name}", (effect,))


def slug(name: str) -> str:
    """Return how SNIPER names the file of a prompt: `Backend Architect` is `backend-architect`."""
    return _ODD.sub("", "-".join(name.casefold().split())).strip("-_")
