"""The acceptance criteria of project memory that retros and packs answer for, from the outside."""

from __future__ import annotations

import json
import sys

import yaml
from tests.cli.conftest import Shell, write

CONVENTIONS = ".sniper/memory/conventions.yaml"
RETRO = ".sniper/memory/retros/sprint-4-retro.yaml"
GATE = "WARN conv-009: Names are verbs — 2 matches (src/b.py:3)\n"
STORIES = """\
stories:
  - {id: STORY-1, points: 3, status: done}
  - {id: STORY-2, points: 2, status: done}
"""
ANSWER = """\
findings:
  new_conventions:
    - {rule: "Importers log what they skip", confidence: high, evidence: "2 of 2 stories",
       recommendation: codify, applies_to: [backend-engineer]}
  new_anti_patterns:
    - {description: "Sleeping in tests", occurrences: 2, stories: [STORY-1, STORY-2],
       recommendation: codify, severity: medium, applies_to: [backend-engineer]}
  estimation_calibration: {overestimates: [], underestimates: [STORY-1], patterns: ["Imports +30%"]}
  positive_patterns: ["Small commits"]
"""


def with_agent(shop: Shell) -> None:
    """Configure an agent command that answers with findings, as a retro analyst does."""
    folder = shop.home / ".config" / "remem"
    command = json.dumps([sys.executable, "-S", "agent.py"])
    script = f"import sys\nsys.stdin.read()\nsys.stdout.write({ANSWER!r})\n"
    write(folder, {"config.yaml": f"agent: {{command: {command}}}\n", "agent.py": script})
    write(shop.root, {"gate.md": GATE, "stories.yaml": STORIES})


def run_retro(shop: Shell) -> None:
    with_agent(shop)
    files = ("--stories", str(shop.root / "stories.yaml"), "--gate", str(shop.root / "gate.md"))
    answer = shop("retro", "run", "--sprint", "4", *files)
    assert answer.code == 0, answer.err


def test_criterion_2_the_retro_agent_produces_a_structured_retro(shop: Shell) -> None:
    run_retro(shop)

    retro = yaml.safe_load(shop.bytes_of(RETRO))

    found = retro["findings"]
    assert retro["sprint"] == 4
    assert [each["rule"] for each in found["new_conventions"]] == ["Importers log what they skip"]
    assert [each["description"] for each in found["new_anti_patterns"]] == ["Sleeping in tests"]
    assert [each["check"] for each in found["review_gate_failures"]] == ["conv-009"]
    assert found["estimation_calibration"]["patterns"] == ["Imports +30%"]


def test_criterion_3_what_is_to_be_codified_with_high_confidence_is_added(shop: Shell) -> None:
    run_retro(shop)

    answer = shop("retro", "ingest", "--sprint", "4")

    stored = yaml.safe_load(shop.bytes_of(CONVENTIONS))["conventions"]
    assert answer.code == 0, answer.err
    assert (stored[-1]["rule"], stored[-1]["status"]) == (
        "Importers log what they skip", "confirmed",
    )  # fmt: skip


def test_criterion_6_export_strips_what_belongs_to_the_project(shop: Shell) -> None:
    answer = shop("export", "--with-decisions")

    pack = yaml.safe_load(answer.raw)
    items = [*pack["conventions"], *pack["anti_patterns"], *pack["decisions"]]
    assert len(items) == 3
    assert not any({"id", "source", "status", "superseded_by"} & each.keys() for each in items)
    assert {*pack} >= {"exported_from", "exported_at", "version"}


def test_criterion_7_imported_entries_are_candidates_until_they_are_confirmed(
    shop: Shell, empty: Shell
) -> None:
    write(shop.root, {"pack.yaml": "conventions:\n  - rule: Ovens are checked before dawn\n"})

    shop("import", str(shop.root / "pack.yaml"))

    stored = yaml.safe_load(shop.bytes_of(CONVENTIONS))["conventions"][-1]
    assert stored["status"] == "candidate"
    assert (stored["source"]["type"], stored["source"]["ref"]) == ("imported", "pack.yaml")
    assert "Ovens" not in shop("compose", "--role", "backend-engineer").out
    shop("approve", stored["id"])
    assert "Ovens" in shop("compose", "--role", "backend-engineer").out


def test_criterion_8_a_layer_over_its_budget_keeps_what_is_urgent(shop: Shell) -> None:
    many = "".join(
        f"  - {{id: conv-{n:03d}, rule: 'Rule {n} {'of the harbour ' * 20}', enforcement: both}}\n"
        for n in range(1, 61)
    )
    low = "".join(
        f"  - {{id: ap-{n:03d}, description: 'Low {n} {'tides ' * 300}', severity: low}}\n"
        for n in range(2, 20)
    )
    write(
        shop.root,
        {
            CONVENTIONS: f"conventions:\n{many}",
            ".sniper/memory/anti-patterns.yaml": "anti_patterns:\n" + low
            + "  - {id: ap-020, description: 'Urgent at the very end', severity: high}\n",
        },
    )  # fmt: skip

    document = shop("compose", "--role", "backend-engineer", "--json").document

    (layer,) = (each for each in document["layers"] if each["budget"])
    assert layer["tokens"] <= layer["budget"] == 2000
    assert "Urgent at the very end" in document["text"]
    assert "conv-001" in document["text"]
    assert "Low 2 " not in document["text"]
    assert "Memory layer truncated to fit token budget" in document["text"]
