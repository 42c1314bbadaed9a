"""Where a tool keeps its files elsewhere by a variable, remem looks there and nowhere else."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from remem.core.prompt.counter import Estimate
from remem.core.prompt.everyones_starts import agent_starts
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.kinds import UNREVIEWED
from remem.model.change import Intent

AGENT = "---\nname: scout\ndescription: looks\nmemory: user\n---\nLook.\n"
FILES = {
    "cfg/claude/CLAUDE.md": "- Mornings are for tests\n",
    "cfg/claude/agents/scout.md": AGENT,
    "cfg/claude/agent-memory/scout/MEMORY.md": "- The pier is north\n",
    "cfg/claude/projects/{root}/memory/MEMORY.md": "- Notes of the project\n",
    "cfg/codex/AGENTS.md": "- Answer in short\n",
    "cfg/hermes/memories/MEMORY.md": "Likes tea\n§\nWorks at night",
    ".claude/CLAUDE.md": "- Of another account\n",
    ".codex/AGENTS.md": "- Of another account too\n",
    ".hermes/memories/MEMORY.md": "Of another profile",
}
MOVED = {"CLAUDE_CONFIG_DIR": "claude", "CODEX_HOME": "codex", "HERMES_HOME": "hermes"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    slug = "".join(sign if sign.isalnum() else "-" for sign in str(root.resolve()))
    for path, text in FILES.items():
        file = tmp_path / "home" / path.replace("{root}", slug)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def places(root: Path, **told: str) -> Places:
    home = root.parent / "home"
    moved = {name: str(home / "cfg" / folder) for name, folder in MOVED.items()}
    return replace(Places.of(home), environment=moved | told)


def shown(session: Session) -> set[str]:
    return {session.library.ground.shown(source.path) for source in session.library.sources}


def test_what_is_listed_and_loaded_lies_where_the_variables_say(root: Path) -> None:
    session = Session.open(root, places(root), door="cli")

    assert len(shown(session)) == 6
    assert all(name.startswith("~/cfg/") for name in shown(session))
    starts = {start.name: start for start in agent_starts(session.library, session.counter)}
    assert set(starts) == {"Claude Code", "Codex", "Hermes", "scout"}
    assert "Mornings are for tests" in starts["scout"].prompt.text
    assert "another account" not in "".join(start.prompt.text for start in starts.values())
    assert session.problems == ()


def test_without_the_variables_the_usual_folders_count(root: Path) -> None:
    session = Session.open(root, Places.of(root.parent / "home"), door="cli")

    assert shown(session) == {
        "~/.claude/CLAUDE.md",
        "~/.codex/AGENTS.md",
        "~/.hermes/memories/MEMORY.md",
    }


def test_what_an_agent_writes_there_waits_and_can_be_taken_back(root: Path) -> None:
    session = Session.open(root, places(root), door="tui")
    session.begin()
    file = root.parent / "home/cfg/codex/AGENTS.md"
    before = file.read_bytes()
    file.write_bytes(before + b"- Never ask\n")
    session.refresh()

    (item,) = [each for each in session.queue() if each.waiting == UNREVIEWED]
    session.apply(Intent("reject", {item.ref: item.digest}, {}, (item.id,)))

    assert file.read_bytes() == before
    session.close()


def test_a_folder_outside_the_home_is_named_and_the_usual_one_is_not_read(root: Path) -> None:
    session = Session.open(root, places(root, CODEX_HOME=str(root.parent / "away")), door="cli")

    assert not any("codex" in name for name in shown(session))
    assert ["`CODEX_HOME` moves `~/.codex`" in p.message for p in session.problems] == [True]


def test_other_tools_read_the_usual_folder_whatever_moved_that_of_claude_code(root: Path) -> None:
    skill = root / ".opencode/skills/tide/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: tide\ndescription: reads tide tables\n---\nRead.\n")
    session = Session.open(root, places(root), door="cli")

    assert "~/.claude/CLAUDE.md" in shown(session)
    starts = {start.name: start.prompt.text for start in agent_starts(session.library, Estimate())}
    assert "Of another account" in starts["OpenCode"]
    assert "Mornings are for tests" not in starts["OpenCode"]
    assert "Mornings are for tests" in starts["Claude Code"]
    assert "Of another account" not in starts["Claude Code"]


def test_notes_outside_the_home_are_named_with_the_reason_why_they_are_not_read(
    root: Path,
) -> None:
    away = root.parent / "away"
    settings = root.parent / "home/cfg/claude/settings.json"
    settings.write_text(json.dumps({"autoMemoryDirectory": str(away)}))
    session = Session.open(root, places(root), door="cli")

    starts = {start.name: start.prompt for start in agent_starts(session.library, Estimate())}
    (told,) = [each for each in starts["Claude Code"].unseen if str(away) in each]
    assert told.endswith("remem reads and writes in the project and in your home folder alone")


def test_what_hermes_holds_back_is_found_where_it_lies(root: Path) -> None:
    pending = root.parent / "home/cfg/hermes/pending/memory/0000000a.json"
    pending.parent.mkdir(parents=True)
    payload = {"action": "add", "target": "memory", "content": "Prefers rye"}
    pending.write_text(json.dumps({"id": "0000000a", "subsystem": "memory", "payload": payload}))
    session = Session.open(root, places(root), door="cli")

    (item,) = [each for each in session.queue() if each.waiting == "hermes.held"]
    session.apply(Intent("approve", {item.ref: item.digest}, {}, (item.id,)))

    memory = root.parent / "home/cfg/hermes/memories/MEMORY.md"
    assert memory.read_text() == "Likes tea\n§\nWorks at night\n§\nPrefers rye"
    assert not pending.exists()


@pytest.mark.slow(reason="three processes")
def test_the_hook_and_the_last_look_follow_the_environment(root: Path) -> None:
    home = root.parent / "home"
    slug = "".join(sign if sign.isalnum() else "-" for sign in str(root.resolve()))
    note = home / f"cfg/claude/projects/{slug}/memory/topic.md"
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    moved = environment | {"CLAUDE_CONFIG_DIR": str(home / "cfg/claude")}

    def remem(told: dict[str, str], *arguments: str, given: str = "") -> str:
        command = [sys.executable, "-m", "remem", *arguments, "--root", str(root)]
        done = subprocess.run(
            command, env=told, input=given, capture_output=True, text=True, check=True
        )
        return done.stdout

    call = {"tool_name": "Write", "tool_input": {"file_path": str(note), "content": "- It\n"}}
    assert "deny" in remem(moved, "hook", "hold", given=json.dumps(call))
    assert remem(environment, "hook", "hold", given=json.dumps(call)) == ""

    remem(environment, "status")
    assert "run `remem status` once" not in remem(environment, "status", "--short")
    assert "run `remem status` once" in remem(moved, "status", "--short")
