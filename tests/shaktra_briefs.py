"""Shaktra memory for tests of briefings: stores, stories, what was observed in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from remem.base.clock import Clock
from remem.core.library import Library, open_library
from remem.core.system import Given, Ground
from remem.store.io import Disk
from remem.systems.registry import FORMATS

MEMORY = ".shaktra/memory"
STORIES = ".shaktra/stories"
PRINCIPLES = """\
# Principles of the shop
principles:
  - id: PR-001
    text: "Every webhook is answered before it is worked on"
    categories: [reliability]
    guidance: ["Put the body on a queue and answer 202"]
    confidence: 0.76
    source_count: 3
    tags: [webhook, queue]
    roles: [developer]
    scope: project
    status: active
    source: ST-038
    created: "2026-03-01"
  - id: PR-002
    text: "Money is counted in cents from the first line to the last"
    categories: [correctness]
    guidance: ["Parse amounts once, at the border"]
    confidence: 0.84
    source_count: 4
    tags: [money]
    roles: [developer, sw-quality]
    scope: project
    status: active
    source: ST-031
    created: "2026-02-11"
  - id: PR-003
    text: "A refund names the payment that it takes back"
    categories: [consistency]
    guidance: ["Keep the payment's id on every refund"]
    confidence: 0.32
    source_count: 1
    tags: [refund, payment]
    roles: [developer]
    scope: project
    status: active
    source: ST-036
    created: "2026-03-09"
  - id: PR-004
    text: "Payments are retried with one key"
    categories: [reliability]
    guidance: ["Send the same idempotency key again"]
    confidence: 0.9
    source_count: 6
    tags: [payment]
    roles: [developer]
    scope: project
    status: archived
    source: ST-020
    created: "2026-01-20"
"""
ANTI_PATTERNS = """\
# Anti-patterns of the shop
anti_patterns:
  - id: AP-001
    failed_approach: "Catching every error around the call of the bank"
    failure_mode: "Declined cards looked like outages"
    severity: P1
    recommended_approach: "Catch what the bank documents"
    trigger_patterns: ["call the bank", "except Exception"]
    confidence: 0.5
    tags: [errors]
    roles: [developer, sw-quality]
    scope: project
    status: active
    source: ST-033
    created: "2026-02-20"
"""
PROCEDURES = """\
# Procedures of the shop
procedures:
  - id: PC-001
    text: "Migrations are reviewed before the code that needs them"
    confidence: 0.68
    source_count: 3
    tags: [migration]
    roles: [sdm]
    applies_to: [bugfix]
    scope: project
    status: active
    source: ST-031
    created: "2026-04-11"
  - id: PC-002
    text: "A webhook is tried against the bank's sandbox first"
    confidence: 0.6
    source_count: 3
    tags: [webhook]
    roles: [developer]
    applies_to: [tdd]
    scope: project
    status: active
    source: ST-034
    created: "2026-04-12"
"""
STORY = """\
id: ST-040
title: "Take refunds through the webhook"
description: >
  The worker has to call the bank when a refund arrives.
files:
  - src/refund_worker.py
acceptance_criteria:
  - id: AC-1
    given: a refund arrives
    then: its amount is booked in cents
tags: [payment]
"""
FILES: Mapping[str, str] = {
    f"{MEMORY}/principles.yml": PRINCIPLES,
    f"{MEMORY}/anti-patterns.yml": ANTI_PATTERNS,
    f"{MEMORY}/procedures.yml": PROCEDURES,
    f"{STORIES}/ST-040.yml": STORY,
}


def put(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def open_files(root: Path, files: Mapping[str, str] = FILES) -> Library:
    """Write files below `root/shop` and open it."""
    shop, home = root / "shop", root / "home"
    home.mkdir(parents=True, exist_ok=True)
    put(shop, files)
    return open_library(Ground(shop, home, Disk(), "shop", given=Given(Clock())), FORMATS)


def check_of(
    story: str,
    *relationships: str,
    id: str = "PR-001",  # noqa: A002
    captured: bool = True,
) -> dict[str, str]:
    """Return the files of a story whose agents checked one entry."""
    rows = [
        f"  - {{id: OB-{number:03}, agent: developer, phase: code, type: consistency-check,\n"
        f"     principle_id: {id}, relationship: {word}, importance: 6, tags: [webhook],\n"
        f'     text: "Met again in the handler of {story}, time {number}."}}\n'
        for number, word in enumerate(relationships, 1)
    ]
    folder = f"{STORIES}/{story}"
    return {
        f"{folder}/.observations.yml": "observations:\n" + "".join(rows),
        f"{folder}/handoff.yml": f"story_id: {story}\nmemory_captured: {str(captured).lower()}\n",
    }
