"""`docs/coming-from.md` names all that the five systems have, and only commands that there are."""

import re
import shlex
from pathlib import Path

import click
import pytest

from remem.cli.commands import COMMANDS, load

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from.md").read_text("utf-8")
_FOUND = re.findall(r"`(remem(?: [^`]*)?)`", PAGE)
SPANS = [span for span in _FOUND if not span.startswith("remem.")]
NAMED = {
    "SNIPER project memory": (
        "/sniper-memory", "--conventions", "--anti-patterns", "--decisions", "--add convention",
        "--add anti-pattern", "--add decision", "--rationale", "--remove", "--promote", "--export",
        "--import", "--retro", "/sniper-compose", "/sniper-review", "/sniper-sprint",
        "/sniper-status", "sniper memory", "sniper init", "memory.enabled", "memory.auto_retro",
        "memory.auto_codify", "memory.token_budget", "detection_hint", "enforcement", "scope",
        "applies_to", "severity", "velocity_factor", "summary.md", "contracts.yaml",
    ),
    "SNIPER learnings": (
        "draft", "active", "validated", "deprecated", "created", "reinforced", "contradicted",
        "validated_by_absence", "recurrence_detected", "confidence_adjusted", "merged",
        "human_confirmed", "human_invalidated", "applied_in", "reinforced_by", "contradicted_by",
        "superseded_by", "expires_at", "anti_pattern", "correction", "source", "history",
        "agents", "phases", "files", "confidence",
    ),
    "Night Watch personas": (
        "getMemory", "appendReflection", "compact", "migrateMemory", "archiveMemory",
        "getMemoryPath", "reflect", "buildReflectionPrompt", "buildCompactionPrompt",
        "SoulCompiler.compile", "DeliberationEngine", "InteractionListener",
        "AgentPersonaRepository.update", "AgentPersonaRepository.delete", "MAX_MEMORY_LINES",
        "COMPACTION_TARGET_LINES", "MEMORY_TOKEN_BUDGET",
    ),
    "Shaktra": (
        "Briefing generation", "Agent reading", "Principle application", "Observation capture",
        "Memory consolidation", "Knowledge persistence", "SYNTHESIZE", "memory-curator",
        "migrate_memory.py", "/shaktra:dev", "confidence_start", "confidence_reinforce",
        "confidence_weaken", "confidence_contradict", "confidence_archive", "max_principles",
        "max_anti_patterns", "max_procedures", "max_observations_per_story", "principles.yml",
    ),
    "Verified memory": (
        "memory_store", "memory_get_recent", "memory_search_by_path", "memory_refresh",
        "memory_invalidate", "memory_supersede", "memory_log_applied", "memory_read_citation",
        "memory_verify_citations", "memory_stats", "VerifiedMemoryProvider", "agent_memory",
        "agent_memory_telemetry", "MEMORY RULES", "GitHub API",
    ),
}  # fmt: skip


def parsed(command: click.Command, arguments: list[str], name: str) -> None:
    """Parse a command line as it would be run; nothing is run."""
    while isinstance(command, click.Group):
        if not arguments and command.invoke_without_command:
            break
        with click.Context(command, info_name=name) as context:
            inner = command.get_command(context, arguments[0]) if arguments else None
            assert inner is not None, f"{name} has no command {arguments[:1]}"
            command, name, arguments = inner, arguments[0], arguments[1:]
    command.make_context(name, [*arguments])


@pytest.mark.parametrize("span", sorted(set(SPANS)))
def test_each_command_is_there_and_takes_these_options(span: str) -> None:
    program, *words = shlex.split(span)

    assert program == "remem"
    if words:
        parsed(load(COMMANDS[words[0]].target), words[1:], words[0])


@pytest.mark.parametrize("system", sorted(NAMED))
def test_all_that_a_system_has_is_named(system: str) -> None:
    section = PAGE.partition(f"\n## {system}\n")[2].partition("\n## ")[0]
    theirs = "\n".join(row.split(" | ")[0] for row in section.splitlines())

    assert [name for name in NAMED[system] if name not in theirs] == []


def test_what_is_no_command_would_be_noticed() -> None:
    with pytest.raises(click.UsageError):
        parsed(load(COMMANDS["check"].target), ["--nonsense"], "check")
    with pytest.raises(AssertionError):
        parsed(load(COMMANDS["retro"].target), ["nonsense"], "retro")
