"""What a tree says of somebody, told by another hand: addresses that lead nowhere, and words.

It shares no code with remem and loads nothing of it. An address is a path to an agent's folder, a
key of Squad's registry, a row of its roster, a target of its routing, a `name:` of a definition.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

FOLDERS = (".squad/agents", ".ai-team/agents", ".claude/agent-memory", ".night-watch/agents")
TEAMS = (".squad", ".ai-team")
SKIPPED = {".git", "node_modules", ".remem"}
WHO = {"agent", "route to", "primary", "secondary", "owner", "who", "agents"}
PAST = {"log", "orchestration-log", "sessions", "inbox", "_alumni", ".archived", "templates"}


def files(root: Path) -> Iterator[Path]:
    """Yield every file of a tree but git's own."""
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(each for each in inner if each not in SKIPPED)
        yield from (Path(folder) / name for name in sorted(names))


def tree(root: Path) -> dict[str, tuple[int, bytes]]:
    """Return the mode and the bytes of every file, and the mode of every folder."""
    found = {}
    for folder, inner, names in os.walk(root):
        inner[:] = [each for each in inner if each not in SKIPPED]
        for name in (*inner, *names):
            path = Path(folder) / name
            mode = stat.S_IMODE(path.lstat().st_mode)
            is_plain = path.is_file() and not path.is_symlink()
            found[str(path.relative_to(root))] = (mode, path.read_bytes() if is_plain else b"")
    return found


def is_past(inner: Path) -> bool:
    """Tell whether a file is a log, an archive, or a record of what was cast."""
    is_history = inner.stem == "casting-history" or inner.parts[-2:] == ("casting", "history.json")
    return bool(PAST & set(inner.parts[:-1])) or "archive" in inner.name.lower() or is_history


def text_of(path: Path) -> str:
    """Return what a file says; nothing for one that is none of text, or very large."""
    if path.is_symlink() or path.stat().st_size > 1_000_000:
        return ""
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def cells(line: str) -> list[str]:
    """Return the cells of a row."""
    row = line.strip()
    return [each.strip() for each in row.strip("|").split("|")] if row.startswith("|") else []


def tables(text: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each row of each table: the heading above, its columns, its cells."""
    heading = ""
    columns: list[str] = []
    for line in text.splitlines():
        row = cells(line)
        if line.startswith("#"):
            heading = line.strip("# ").lower()
        if not row:
            columns = []
        elif not columns:
            columns = [re.sub(r"[*`]", "", each).lower() for each in row]
        elif not all(set(each) <= set("-: ") for each in row):
            yield heading, columns, row


def named_in(cell: str) -> str:
    """Return the name that a cell of a roster has, without what makes it bold or a link."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell).strip("*` ")


def dangling(root: Path, name: str, folder: str) -> Counter[str]:
    """Return the addresses of somebody that lead to nobody, each with how often.

    Args:
        root: The tree.
        name: What they were called.
        folder: What their folder was called, below that of all agents.
    """
    found: Counter[str] = Counter()
    for path in files(root):
        inner = path.relative_to(root)
        if is_past(inner):
            continue
        text = text_of(path)
        is_followed = inner.parts[0] in {".squad", ".ai-team", ".github", ".copilot", ".claude"}
        for home in FOLDERS if is_followed else ():
            shape = rf"(?<![\w.-])(?<!~/){re.escape(home)}/{re.escape(folder)}(?![\w-])"
            if re.search(shape, text) and not (root / home / folder).is_dir():
                found[f"path {home}/{folder} in {inner}"] += len(re.findall(shape, text))
                continue
            page = rf"(?<![\w.-])(?<!~/){re.escape(home)}/{re.escape(folder)}/[\w./-]*\w\.md(?!\w)"
            for match in re.findall(page, text):
                found[f"page {match} in {inner}"] += not (root / match).exists()
        if inner.parts[:2] == (".github", "agents") or inner.parts[:2] == (".claude", "agents"):
            found.update(_definition(root, inner, text, name, folder))
    for team in TEAMS:
        found.update(_team(root, root / team, name, folder))
    return +found


def _definition(root: Path, inner: Path, text: str, name: str, folder: str) -> Iterator[str]:
    """Yield the `name` of a definition whose agent went under another name."""
    match = re.match(r"---\r?\n(.*?)\r?\n---", text, re.DOTALL)
    line = (
        re.search(r"^name:[ \t]*[\"']?(.+?)[\"']?[ \t]*$", match[1], re.MULTILINE)
        if match
        else None
    )
    lives = any((root / home / folder).is_dir() for home in FOLDERS)
    away = any((root / team / "agents/_alumni" / folder).is_dir() for team in TEAMS)
    if line and line[1] in {name, folder} and not lives and not away:
        is_claude = inner.parts[0] == ".claude"
        if not (is_claude and (root / ".claude/agent-memory/.archived").is_dir()):
            yield f"name {line[1]} in {inner}"


def _team(root: Path, team: Path, name: str, folder: str) -> Iterator[str]:
    lives = (team / "agents" / folder).is_dir()
    if lives or not team.is_dir():
        return
    roster = _said(team / "team.md")
    for heading, columns, row in tables(roster):
        values = dict(zip(columns, row, strict=False))
        is_out = re.search(r"retired|inactive|alumni", values.get("status", ""), re.IGNORECASE)
        is_members = heading == "members" or "charter" in columns
        if is_members and named_in(values.get("name", "")) == name and not is_out:
            yield f"roster {name}"
        charter = re.search(r"agents/([^\s`)\]]+)/charter\.md", values.get("charter", ""))
        if charter and charter[1] == folder:
            yield f"charter {folder}"
    routing = _said(team / "routing.md")
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    for _, columns, row in tables(routing):
        for column, cell in zip(columns, row, strict=False):
            if column in WHO and word.search(cell):
                yield f"route {row[0]} to {name}"
    for page in sorted((team / "agents").glob("*/charter.md")):
        if re.search(rf"decisions/inbox/{re.escape(folder)}-", text_of(page)):
            yield f"inbox of {folder} in {page.parent.name}"
    yield from _settings(team / "config.json", name, folder)
    if (team / "casting/registry.json").is_file():
        agents = json.loads((team / "casting/registry.json").read_text("utf-8-sig")).get("agents")
        for key, agent in (agents or {}).items():
            called = agent.get("persistent_name") or agent.get("name") or key
            is_active = agent.get("status", "active") not in {"retired", "inactive"}
            if (key == folder or called == name) and is_active:
                yield f"key {key}"


def unlisted(root: Path, name: str, folder: str) -> Counter[str]:
    """Return where somebody who has a folder or a definition cannot be found by that name.

    A team needs a row that leads to the charter, and a key; Claude Code needs a `name`.
    """
    found: Counter[str] = Counter()
    for team in (root / each for each in TEAMS if (root / each / "agents" / folder).is_dir()):
        page = f"{team.name}/agents/{folder}/charter.md"
        found[f"no charter {page}"] += not (root / page).is_file()
        rows = [
            dict(zip(columns, row, strict=False))
            for heading, columns, row in tables(_said(team / "team.md"))
            if heading == "members" or "charter" in columns
        ]
        own = [each for each in rows if named_in(each.get("name", "")) == name]
        found[f"{len(own)} rows of {name}"] += (team / "team.md").is_file() and len(own) != 1
        for row in own:
            found[f"row to {row['charter']}"] += "charter" in row and page not in row["charter"]
            found[f"status {row['status']}"] += "active" not in row.get("status", "active").lower()
        registry = team / "casting/registry.json"
        agents = json.loads(registry.read_text("utf-8-sig")) if registry.is_file() else {}
        if isinstance(agents.get("agents"), dict):
            agent = agents["agents"].get(folder, {})
            found[f"key {folder}"] += agent.get("persistent_name") != name
    named = re.compile(rf'^name: *"?{re.escape(name)}"?$', re.MULTILINE)
    for one in sorted((root / ".claude/agents").glob(f"**/{folder}.md")):
        found[f"no name in {one.name}"] += named.search(_said(one)) is None
    return +found


def _said(path: Path) -> str:
    return text_of(path) if path.is_file() else ""


def _settings(path: Path, name: str, folder: str) -> Iterator[str]:
    """Yield the settings of a team that are for somebody who is renamed; an archive leaves them."""
    if not path.is_file() or (path.parent / "agents/_alumni" / folder).is_dir():
        return
    try:
        settings = json.loads(path.read_text("utf-8-sig"))
    except ValueError:
        return
    for field, value in settings.items() if isinstance(settings, dict) else ():
        if isinstance(value, dict) and {name, folder} & set(value):
            yield f"setting {field} of {name}"


def words(root: Path, name: str) -> Counter[str]:
    """Return how often each file says a name as a word, records left out."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    found: Counter[str] = Counter()
    for path in files(root):
        inner = path.relative_to(root)
        if not is_past(inner):
            found[str(inner)] += len(word.findall(text_of(path)))
    return +found
