"""Roots for what Start is measured on: many plain files of many tools, and long histories."""

import subprocess
from pathlib import Path

from tests.bench.workspaces import rule

OWNER = "quayside"
"""A named agent; nothing else on the screen is called that."""


def everyones_files(root: Path, files: int = 200, size: int = 10_000) -> Path:
    """Write that many files of about that many bytes, as tools and agents keep them."""
    places = [
        *("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md"),
        f".claude/agent-memory/{OWNER}/MEMORY.md",
    ]
    kinds = (
        *(".claude/rules/rule-{}.md", ".cursor/rules/rule-{}.mdc", "memory-bank/note-{}.md"),
        *(".squad/agents/agent-{}/history.md", ".serena/memories/note-{}.md"),
    )
    places += [kinds[number % len(kinds)].format(number) for number in range(files - len(places))]
    for number, place in enumerate(places):
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "---\nalwaysApply: true\n---\n" if path.suffix == ".mdc" else "# Notes\n\n"
        text, line = head, number * 1_000
        while len(text) < size:
            text += f"- {rule(line)}\n"
            line += 1
        path.write_text(text)
    definition = root / ".claude" / "agents" / f"{OWNER}.md"
    definition.parent.mkdir(parents=True)
    definition.write_text(
        f"---\nname: {OWNER}\ndescription: d\nmemory: project\n---\nYou count the lamps.\n"
    )
    return root


def with_history(root: Path, commits: int, day: int = 86_400, until: int = 1_790_000_000) -> Path:
    """Make a repository in which three people add to memory, a line with each commit."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    memory = f".claude/agent-memory/{OWNER}/MEMORY.md"
    texts = {
        "CLAUDE.md": "# Rules\n\n",
        f".claude/agents/{OWNER}.md": f"---\nname: {OWNER}\ndescription: d\n"
        f"memory: project\n---\nYou count.\n",
        memory: "# Memory\n\n",
        "src/code.py": "",
    }
    told: list[str] = []
    for number in range(commits):
        name = ("CLAUDE.md", memory, "src/code.py")[number % 3]
        texts[name] += f"- {rule(number)}\n"
        time = until - (commits - number) * day
        told.append(_commit(("Ada", "Ben", "Chi")[number % 3], time))
        told += [_file(each, texts[each]) for each in (texts if not number else (name,))]
    command = ["git", "-C", str(root), "fast-import", "--quiet"]
    subprocess.run(command, input="".join(told).encode(), check=True)
    subprocess.run(["git", "-C", str(root), "reset", "-q", "--hard"], check=True)
    return root


def _commit(who: str, time: int) -> str:
    by = f"{who} <{who.lower()}@example.org> {time} +0000"
    return f"commit refs/heads/main\ncommitter {by}\ndata 4\nnote\n"


def _file(path: str, text: str) -> str:
    return f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"
