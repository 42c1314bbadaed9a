"""The projects that the tools are run on, as data; each file says a word that no other says.

`§` in a text becomes the word of its file, `¶` that of its description; a number behind it makes
another word of the same file. Paths are below the project's root, below the home folder with `~/`
in front, or beside the project with `../`. `⌂` in a text is the project's path, `{root}` in a path
the same as Claude Code writes it.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any, Final

_SIGN: Final = re.compile(r"(?P<sign>[§¶])(?P<number>\d*)")
_OF_AGENTS: Final = re.compile(r"/agents?/")
_WORD: Final = re.compile(r"(?:Body|Desc)[a-p]{10}x\d*")
_LETTERS: Final = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
_GIT: Final = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")
_NO_SETTINGS: Final = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


@dataclass(frozen=True)
class Fixture:
    """One project, one home folder, and where in it the tools are started."""

    name: str
    files: Mapping[str, str]
    start: str = ""
    """Folder below the root."""
    kind: str = "repository"
    """`repository`, `folder` (no git at all), `worktree` or `submodule`."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Path → what the link there says."""
    tools: tuple[str, ...] = ()
    """Ids of those that are asked; empty = all."""
    any_order: tuple[str, ...] = ()
    """Folders whose files come in the order in which the disk lists them, which is nobody's."""
    stops: bool = False
    """The tools that are asked do not start with it, and so load nothing."""


@dataclass(frozen=True)
class Built:
    """A fixture that lies on a disk."""

    fixture: Fixture
    root: Path
    home: Path

    @property
    def start(self) -> Path:
        return self.root / self.fixture.start

    def words(self) -> dict[str, str]:
        """Return each word that a file may say, and what it is called: the path, and `#number`."""
        found: dict[str, str] = {}
        for path, text in self.fixture.files.items():
            for sign in _SIGN.finditer(text):
                number = sign["number"]
                found[_word(path, sign["sign"], number)] = f"{path}#{number}" if number else path
        return found

    def called(self, path: str) -> str:
        """Return what a fixture calls the file at an absolute path."""
        real = Path(path).resolve()
        files = self.fixture.files
        return next((file for file in files if _place(self, file).resolve() == real), path)

    def said_in(self, text: str) -> Said:
        """Return what a text says of the files, in its order, each word once."""
        words = self.words()
        found = list(dict.fromkeys(word for word in _WORD.findall(text) if word in words))
        bodies = [words[word] for word in found if word.startswith("Body")]
        listed = [words[word] for word in found if word.startswith("Desc")]
        agents = tuple(each for each in listed if _OF_AGENTS.search(each))
        skills = [each for each in listed if each not in agents]
        bodies, skills = (list(_settled(each, self.fixture.any_order)) for each in (bodies, skills))
        return Said(tuple(bodies), tuple(skills), agents)


BY_DISK: Final = frozenset({"continue"})
"""Tools that list skills in the order in which the disk names their folders."""


@dataclass(frozen=True)
class Said:
    """What came of a fixture, by its files."""

    files: tuple[str, ...]
    skills: tuple[str, ...]
    agents: tuple[str, ...]

    def as_listed_by(self, tool: str) -> Said:
        """Return it without an order that is the disk's, and another one on the next machine."""
        return replace(self, skills=tuple(sorted(self.skills))) if tool in BY_DISK else self


def build(fixture: Fixture, place: Path) -> Built:
    """Write a fixture below an empty folder."""
    # No folder above may look like a checkout, and none of its names holds a dot.
    outer = place / "work"
    root, home = outer / "shop", place / "home"
    home.mkdir(parents=True)
    if fixture.kind == "worktree":
        _repository(outer / "first")
        _run(outer / "first", "worktree", "add", "-q", "-b", "other", str(root))
    elif fixture.kind == "submodule":
        _repository(outer / "inner")
        _repository(outer / "whole")
        root = outer / "whole" / "shop"
        allow = ("-c", "protocol.file.allow=always")
        _run(outer / "whole", *allow, "submodule", "--quiet", "add", str(outer / "inner"), "shop")
    else:
        root.mkdir(parents=True)
    built = Built(fixture, root, home)
    for path, text in fixture.files.items():
        at = _place(built, path)
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_bytes(_worded(path, text).replace("⌂", str(root)).encode())
    for path, target in fixture.links.items():
        at = _place(built, path)
        at.parent.mkdir(parents=True, exist_ok=True)
        at.symlink_to(target)
    built.start.mkdir(parents=True, exist_ok=True)
    if fixture.kind == "repository":
        shutil.copytree(_empty_repository(), root / ".git")
    return built


@cache
def _empty_repository() -> Path:
    """Return what git makes of an empty folder; asked once, for git is slow to ask."""
    place = Path(tempfile.mkdtemp(prefix="empty-repository"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    _run(place, "init", "-q", "--template=")
    return place / ".git"


def _worded(path: str, text: str) -> str:
    return _SIGN.sub(lambda sign: _word(path, sign["sign"], sign["number"]), text)


def _word(path: str, sign: str, number: str) -> str:
    kind = "Body" if sign == "§" else "Desc"
    return f"{kind}{sha256(path.encode()).hexdigest()[:10].translate(_LETTERS)}x{number}"


def _place(built: Built, path: str) -> Path:
    name = re.sub(r"[^A-Za-z0-9]", "-", str(built.root))
    path = path.replace("{root}", name)
    return built.home / path[2:] if path.startswith("~/") else built.root / path


def _settled(found: list[str], folders: tuple[str, ...]) -> Iterator[str]:
    """Yield the files, those of a folder that has no order by name."""
    for folder in folders:
        inside = [at for at, each in enumerate(found) if each.startswith(f"{folder}/")]
        names = sorted(found[at] for at in inside)
        for at, name in zip(inside, names, strict=True):
            found[at] = name
    yield from found


def _repository(at: Path) -> None:
    at.mkdir(parents=True)
    _run(at, "init", "-q")
    _run(at, "commit", "-q", "--allow-empty", "-m", "first")


def _run(at: Path, *arguments: str) -> None:
    env = {**os.environ, **_NO_SETTINGS}
    subprocess.run((*_GIT, *arguments), cwd=at, env=env, check=True, capture_output=True)


_SKILL: Final = "---\nname: {name}\ndescription: it does ¶\n---\n\n§\n"
_AGENT: Final = "---\nname: {name}\ndescription: it does ¶\n---\n\n§\n"
_ONE: Final = ("claude-code",)
_BUT_OPENCODE: Final = (
    "claude-code",
    "codex",
    "gemini",
    "copilot",
    "qwen-code",
    "cline",
    "continue",
)
"""OpenCode lists of skills that are called alike the one that it happens to read last."""
_TWO: Final = ("claude-code", "codex")
_CODEX_ALONE: Final = ("codex",)
_CONTINUE: Final = ("continue",)
_CLINE: Final = ("cline",)
_COPILOT: Final = ("copilot",)
_QWEN: Final = ("qwen-code",)
_GEMINI: Final = ("gemini",)
_BEGINS: Final = "---\ndescription: ¶\nmode: primary\n---\n§\n"
_STYLE: Final = '{"outputStyle": "Terse"}'
_LEAD: Final = '{"default_agent": "lead"}'
_CLAUDE_LEAD: Final = '{"agent": "lead"}'
_LEADS: Final = "---\nname: lead\ndescription: it does ¶\n{more}---\n§\n"
_ROUND_LEAD: Final = {
    "CLAUDE.md": "§\n",
    ".claude/settings.json": _CLAUDE_LEAD,
    ".claude/agents/bee.md": "---\nname: bee\ndescription: it does ¶\n---\n§\n",
    ".claude/skills/one/SKILL.md": "---\nname: one\ndescription: it does ¶\n---\n\n§\n",
}
_MEMORIES_OF_LEAD: Final = {
    ".claude/agent-memory/lead/MEMORY.md": "§\n",
    ".claude/agent-memory-local/lead/MEMORY.md": "§\n",
    "~/.claude/agent-memory/lead/MEMORY.md": "§\n",
    "~/.claude/projects/{root}/memory/MEMORY.md": "§\n",
}
_OF_AGENTS_HERE: Final = ".claude/agent-memory"
_OF_A_PERSON: Final = {".claude/settings.json": "{}", "~/.claude/settings.json": _CLAUDE_LEAD}
_NO_BODY: Final = {
    ".claude/agents/lead.md": "---\nname: lead\ndescription: it does ¶\nmemory: project\n---\n",
    ".claude/agent-memory/lead/MEMORY.md": "§\n",
}
_BEE: Final = "---\nname: bee\ndescription: it does ¶\n---\n§\n"
_DENIES: Final = '{{"permissions": {{"deny": ["{rules}"]}}}}'
_MAY_BE_DENIED: Final = {
    "CLAUDE.md": "§ @docs/in.md\n",
    "docs/in.md": "§\n",
    "CLAUDE.local.md": "§\n",
    ".claude/rules/r.md": "§\n",
    "~/.claude/CLAUDE.md": "§ @~/notes.md\n",
    "~/notes.md": "§\n",
    "~/.claude/projects/{root}/memory/MEMORY.md": "§\n",
    ".claude/agents/bee.md": "---\nname: bee\ndescription: it does ¶\n---\n§\n",
    ".claude/agents/ant.md": "---\nname: ant\ndescription: it does ¶\n---\n§\n",
    ".claude/skills/one/SKILL.md": "---\nname: one\ndescription: it does ¶\n---\n\n§\n",
}
_OPENCODE: Final = ("opencode",)
_ROLE: Final = 'name = "{name}"\ndescription = "it does ¶"\ndeveloper_instructions = "§"\n'
_TRUSTED: Final = '[projects."⌂"]\ntrust_level = "trusted"\n'
_NOT_TRUSTED: Final = _TRUSTED.replace('"trusted"', '"untrusted"')
_OF_CODEX: Final = "~/.codex/config.toml"
_CODEX_HERE: Final = ".codex/config.toml"
_SAYS_MORE: Final = 'developer_instructions = "§1"\n'
_SAYS_IT: Final = 'instructions = "§1"\n'
_REMEMBERS: Final = "[features]\nmemories = true\n"
_ROUND_CODEX: Final = {
    _OF_CODEX: _TRUSTED,
    "AGENTS.md": "§\n",
    "~/.codex/AGENTS.md": "§\n",
    "sub/OTHER.md": "§\n",
    ".agents/skills/one/SKILL.md": "---\nname: one\ndescription: it does ¶\n---\n\n§\n",
}
_ROUND_A_PROMPT: Final = {
    "AGENTS.md": "§\n",
    "{own}/system.md": "§\n",
    "~/{own}/system.md": "§\n",
    "sys.md": "§\n",
    "{own}/skills/one/SKILL.md": "---\nname: one\ndescription: it does ¶\n---\n\n§\n",
    "{own}/agents/bee.md": "---\nname: bee\ndescription: it does ¶\n---\n§\n",
}
_LISTED_BY_GEMINI: Final = {"~/.gemini/projects.json": '{"projects": {"⌂": "shop-2"}}'}
_KEPT_BY_GEMINI: Final = "~/.gemini/tmp/shop-2/memory"
_IMPORTS_IN_MEMORY: Final = {
    f"{_KEPT_BY_GEMINI}/MEMORY.md": "§1\n@./other.md\n§2\n",
    f"{_KEPT_BY_GEMINI}/other.md": "§\n",
}
_QWEN_OWN: Final = ".qwen/settings.json"
_QWEN_MANY: Final = ("AGENTS.md", "README.md", "NONE.md", "CONTEXT.md", "QWEN.md")
_QWEN_NAMES: Final = (
    "x",
    "n" * 51,
    "-lead",
    "main",
    "a.b",
    "ünï",
    "two words",
    "Caps",
    "77",
    "a_b",
    "end-",
)
_CLAUDE_HERE: Final = ".claude/settings.json"
_CLAUDE_OWN: Final = ".claude/settings.local.json"
_NO_SKILL: Final = {"permissions": {"deny": ["Skill"]}}
_ROUND_SETTINGS: Final = {
    **dict.fromkeys(("CLAUDE.md", "GEMINI.md", "QWEN.md", "X.md", "sub/x"), "§\n"),
    **{
        f".{tool}/skills/one/SKILL.md": "---\nname: one\ndescription: it does ¶\n---\n\n§\n"
        for tool in ("claude", "gemini", "qwen")
    },
    **{
        f".claude/skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: ¶\n---\n\n§\n"
        for name in ("two", "three")
    },
    **{
        f".claude/commands/{name}.md": "---\ndescription: it does ¶\n---\n\n§\n"
        for name in ("c", "in/d", "in/e")
    },
}
_LINKED: Final = {
    ".claude": "of-claude",
    ".agents": "of-agents",
    ".gemini": "of-gemini",
    ".qwen": "of-qwen",
    ".opencode": "of-opencode",
    ".github": "of-github",
    ".continue": "of-continue",
    ".codex": "of-codex",
}
_COMMAND: Final = "---\ndescription: it does ¶\n---\n\n§\n"
_SIGNED: Final = (
    *("single", "brace", "equal", "slash", "word", "escaped", "hash", "comma", "dash", "colon"),
    *("square", "code", "quote", "star", "line", "twice", "two", "three", "four", "five", "ten"),
    *("eleven", "twelve", "thirteen"),
)
"""Names behind each of the signs before an `@`."""
_OPENCLAW: Final = ("openclaw",)
_WORKSPACE: Final = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md")
_HERMES: Final = ("hermes",)
_HERMES_TAKES: Final = (".hermes.md", "HERMES.md", "AGENTS.md", "CLAUDE.md", ".cursorrules")
_HERMES_HOME: Final = ("SOUL.md", "memories/MEMORY.md", "memories/USER.md")
_OWN: Final = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")


def _beginning(*names: str) -> dict[str, str]:
    """Return agents that a session may begin with."""
    return {f".claude/agents/{name}.md": _AGENT.format(name=name) for name in names}


def _settings(said: object) -> dict[str, str]:
    assert isinstance(said, dict)
    return {path: json.dumps(each) for path, each in said.items()}


def _plain(*paths: str) -> dict[str, str]:
    """Return files that say their word and nothing else."""
    return dict.fromkeys(paths, "# Rules\n\n- §\n")


def _of_agents_here(**said: Any) -> str:
    """Return OpenClaw's settings for its agents, whose workspace is the project."""
    agents = {**said, "defaults": {"workspace": "⌂", **said["defaults"]}}
    return json.dumps({"agents": agents}, ensure_ascii=False)


def _long(*lines: str, most: int = 24_000) -> str:
    """Return lines that each say a word of their own, in turns, of about so many characters."""
    said = (f"{lines[at % len(lines)].format(at)}{' and so on' * 20}" for at in range(most // 230))
    return "\n".join(("# Long", "", *said, ""))


def _numbered(first: int, last: int, *said: int) -> str:
    """Return numbered lines, of which some say a word."""
    return "".join(f"- {'§' if n in said else ''}{n}\n" for n in range(first, last + 1))


_FULL: Final = {
    "AGENTS.md": _long("boats must moor, says §{}", most=30_000),
    "SOUL.md": _long("kind §{}", most=30_000),
    "IDENTITY.md": _long("named §{}", most=9_000),
    "USER.md": _long("likes tea §{}", most=9_000),
    "MEMORY.md": _long("moved in May §{}", most=30_000),
}
"""A workspace of OpenClaw of which more is there than it takes."""


def _rule(front: str) -> str:
    return f"---\n{front}\n---\n\n- §\n"


_MEMORY_OF_HERMES: Final[Mapping[str, str]] = {
    "off": "memory:\n  memory_enabled: false\n",
    "of-the-user-off": "memory:\n  user_profile_enabled: false\n",
    "off-by-a-word": "memory:\n  memory_enabled: no  # not now\n  user_profile_enabled: Off\n",
    "on-by-a-quoted-word": "memory:\n  memory_enabled: 'no'\n  user_profile_enabled: \"off\"\n",
    "off-by-nothing": "memory:\n  memory_enabled:\n  user_profile_enabled: 0\n",
    "off-by-a-list": "memory: [a]\n",
    "on-by-no-value": "memory:\n",
    "unread": "memory:\n - a\n b: c\n",
    "small": "memory:\n  memory_char_limit: 5\n  user_char_limit: 5\n",
    "elsewhere": "memory_enabled: false\n",
}


def _hermes() -> Iterator[Fixture]:
    """Yield projects for Hermes, where its versions that chain `AGENTS.md` say the same."""

    def fixture(name: str, files: Mapping[str, str], start: str = "", **more: Any) -> Fixture:
        return Fixture(f"hermes-{name}", files, start=start, tools=_HERMES, **more)

    rules = {
        ".cursor/rules/b.mdc": _rule("alwaysApply: false"),
        ".cursor/rules/a.mdc": _rule('globs: "*.py"'),
        ".cursor/rules/c.md": "§",
        ".cursor/rules/below/d.mdc": "§",
    }
    for at in range(len(_HERMES_TAKES)):
        yield fixture(f"from-{at}", {**_plain(*_HERMES_TAKES[at:]), **rules})
    yield fixture("rules-alone", rules)
    yield fixture("home", _plain(*(f"~/.hermes/{name}" for name in _HERMES_HOME), "SOUL.md"))
    yield fixture(
        "home-odd",
        {
            "~/.hermes/SOUL.md": "\ufeff---\na: b\n---\n\n§\r\n\n",
            "~/.hermes/memories/MEMORY.md": "§1\n§\n§2\n§\n\n§\n§3",
            "~/.hermes/memories/USER.md": " \n",
        },
    )
    yield fixture("empty", {"AGENTS.md": " \n\n", ".hermes.md": "", **_plain("CLAUDE.md")})
    yield fixture("front", {".hermes.md": "---\nmodel: §1\n---\n\n§2\n", **_plain("AGENTS.md")})
    yield fixture("front-alone", {".hermes.md": "---\nmodel: §1\n---\n"})
    yield fixture("front-open", {"HERMES.md": "---\nmodel: §1\n\n§2\n"})
    yield fixture("front-agents", {"AGENTS.md": "---\nmodel: §1\n---\n\n§2 @CLAUDE.md\n"})
    at_home = _plain("~/.hermes/memories/MEMORY.md", "~/.hermes/memories/USER.md")
    files = {**_plain("AGENTS.md", "~/.hermes/SOUL.md"), **at_home}
    for name, said in _MEMORY_OF_HERMES.items():
        yield fixture(f"memory-{name}", {**files, "~/.hermes/config.yaml": said})
    off = _MEMORY_OF_HERMES["off"]
    yield fixture("memory-of-the-project", {**files, ".hermes/config.yaml": off})
    nested = _plain("HERMES.md", "sub/.hermes.md", "sub/HERMES.md", "sub/low/CLAUDE.md")
    yield fixture("nearest", nested, "sub/low")
    yield fixture("nearest-above", _plain("HERMES.md", "sub/CLAUDE.md"), "sub")
    yield fixture("claude-of-sub", _plain("sub/CLAUDE.md", "CLAUDE.md"), "sub")
    yield fixture("above", _plain("../AGENTS.md", "../.hermes.md", "CLAUDE.md"))
    yield fixture("no-git", _plain("HERMES.md", "sub/CLAUDE.md"), "sub", kind="folder")
    yield fixture("long", {"AGENTS.md": _long("the harbour opens at dawn, says §{}", most=19_000)})
    linked = {"AGENTS.md": "docs/rules.md", "sub/HERMES.md": "../docs/own.md"}
    yield fixture("links", _plain("docs/rules.md", "docs/own.md"), links=linked)
    yield fixture("links-in-sub", _plain("docs/rules.md", "docs/own.md"), "sub", links=linked)


def _beside() -> Iterator[Fixture]:
    """Yield `AGENTS.md` beside, and below, each choice of the files that keep it out."""
    for count in range(1, len(_OWN) + 1):
        for chosen in combinations(_OWN, count):
            name = "-".join(path.removesuffix(".md").replace("/", "").lower() for path in chosen)
            name = name.replace(".", "-").removeprefix("-")
            yield Fixture(
                f"agents-beside-{name}", _plain("AGENTS.md", ".claude/AGENTS.md", *chosen)
            )
            below = ("sub/AGENTS.md", "sub/.claude/AGENTS.md")
            yield Fixture(f"agents-below-{name}", _plain(*below, *chosen), start="sub", tools=_TWO)


def _odd(place: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return files whose front matter has each of these lines beside name and description."""
    return {
        place.format(name=name): f"---\nname: {name}\ndescription: ¶\n{line}\n---\n§\n"
        for name, line in values.items()
    }


_AGENTS_SET: Final = json.dumps(
    {
        "agent": {
            "zed": {"description": "¶1"},
            "ann": {"description": "¶2", "mode": "subagent"},
            "both": {"description": "¶3"},
            "pri": {"description": "¶4", "mode": "primary"},
            "off": {"description": "¶5", "disable": True},
            "general": {"description": "¶6"},
            "build": {"description": "¶7"},
            "none": {},
            "file": {"description": "¶8"},
            "hid": {"description": "¶9", "hidden": True},
        }
    },
    ensure_ascii=False,
)
_STOPPING: Final[Mapping[str, tuple[str, ...]]] = {
    "mode": ("helper", "PRIMARY", "[subagent]", ""),
    "tools": ("Read, Write", "[a, b]", "{bash: ask}", ""),
    "temperature": ("hot", '"0.5"', ".inf"),
    "model": ("7", ""),
    "disable": ("yes",),
    "hidden": ('"true"',),
    "permission": ("maybe", "{edit: true}", "{webfetch: {a: allow}}"),
    "color": ("red", '"#fff"'),
    "steps": ("0", "1.5"),
    "options": ("helper",),
    "variant": ("true",),
}
_ODD_FOR_GEMINI: Final[Mapping[str, str]] = {
    "tools-text": "tools: read_file",
    "tools-known": "tools: [read_file, search_file_content]",
    "tools-others": "tools: [Read, Grep]",
    "tools-one-other": "tools: [read_file, nope]",
    "tools-all": 'tools: ["*"]',
    "tools-none": "tools: []",
    "tools-mcp": "tools: [mcp_a_b, mcp_s_*]",
    "servers": "mcp_servers: {a: {command: x}}",
    "servers-text": "mcp_servers: {a: b}",
    "model-number": "model: 7",
    "model-empty": "model:",
    "temperature": "temperature: 3",
    "temperature-text": "temperature: hot",
    "turns": "max_turns: 5",
    "turns-none": "max_turns: 0",
    "turns-part": "max_turns: 1.5",
    "minutes-text": 'timeout_mins: "5"',
    "shown": "display_name: [a]",
    "twice": "model: a\nmodel: b",
}
_ODD_FOR_COPILOT: Final[Mapping[str, str]] = {
    "tools-number": "tools: 7",
    "tools-text": "tools: read",
    "tools-empty": "tools:",
    "tools-mixed": "tools: [a, 7]",
    "model-list": "model: [a, b]",
    "model-none": "model: []",
    "model-empty": "model:",
    "infer-off": "infer: false",
    "infer-text": 'infer: "false"',
    "kept": "disable-model-invocation: true",
    "not-kept": "infer: false\ndisable-model-invocation: false",
    "callable-text": "user-invocable: yes",
    "skills-text": "skills: a",
    "github-text": "github: a",
    "hooks-text": "hooks: {a: b}",
    "servers": 'mcp-servers: {a: {command: x, args: [], tools: ["*"]}}',
    "servers-far": 'mcp-servers: {a: {type: http, url: "http://x", tools: ["*"]}}',
    "servers-bare": "mcp-servers: {a: {command: x}}",
    "servers-untyped": 'mcp-servers: {a: {url: "http://x", tools: ["*"]}}',
    "servers-empty": "mcp-servers:",
    "twice": "model: a\nmodel: b",
    "other": "unknown: [a]",
}
_ODD_AGENTS_FOR_QWEN: Final[Mapping[str, str]] = {
    "approval": "approvalMode: auto-edit",
    "approval-other": "approvalMode: acceptEdits",
    "approval-none": "approvalMode:",
    "model-keys": "model: {name: x}",
    "model-list": "model: [a]",
    "background-keys": "background: {a: 1}",
    "background-text": "background: x",
    "tools-number": "tools: 7",
}
_ODD_SKILLS_FOR_QWEN: Final[Mapping[str, str]] = {
    "s-tools-text": "allowedTools: Read, Bash",
    "s-tools-list": "allowedTools: [Read]",
    "s-tools-empty": "allowedTools:",
    "s-model-number": "model: 7",
    "s-paths": "paths: [src/**]",
    "s-paths-text": "paths: src/**",
    "s-paths-none": "paths: []",
}
_ODD_COMMANDS_FOR_QWEN: Final[Mapping[str, str]] = {
    "c-hint-list": "argument-hint: [branch]",
    "c-hint-text": 'argument-hint: "[branch]"',
    "c-when-number": "when_to_use: 7",
    "c-kept-text": 'disable-model-invocation: "false"',
    "c-kept-not": "disable-model-invocation: false",
}
_ODD_FOR_CODEX: Final[Mapping[str, str]] = {
    "model-number": "model = 7",
    "sandbox": 'sandbox_mode = "read-only"',
    "sandbox-other": 'sandbox_mode = "none"',
    "nicknames": 'nickname_candidates = ["a"]',
    "nicknames-text": 'nickname_candidates = "a"',
    "policy-other": 'approval_policy = "always"',
    "tools-list": 'tools = ["a"]',
    "effort-number": "model_reasoning_effort = 7",
}
_FRONTS: Final[Mapping[str, tuple[str, str]]] = {
    "blank": ("---\n\n", "---\n"),
    "blanks": ("---\n   \n\n", "---\n"),
    "blank-last": ("---\n", "\n---\n"),
    "comment": ("---\n# why\n\n", "---\n"),
    "behind": ("---  \n", "---  \n"),
    "dots": ("---\n", "...\n"),
    "four": ("----\n", "----\n"),
}
"""Ways to begin and to end front matter."""
_NO_YAML: Final[Mapping[str, str]] = {
    "quote-in": 'description: "¶ a "b" c"',
    "quoted-in": 'description: "does "b" ¶ c"',
    "hint": "description: ¶ it\nargument-hint: [<f>] [--m x|y]",
    "hint-bare": "description: ¶ it\nargument-hint: <f> [--m x|y]",
    "colon": "description: ¶ does: this",
    "at": "description: @x ¶",
    "tick": "description: `x` ¶",
    "star": "description: *x* ¶",
    "percent": "description: %x ¶",
    "brace": "description: {x} ¶",
    "open": 'description: "¶ abc',
    "its": "description: 'it's ¶'",
    "after": 'description: "x" ¶',
    "tab": "description:\t¶ x",
    "indented": "description: ¶ x\n  more text: y",
    "twice": "description: ¶1 x\ndescription: ¶2 y",
    "bare": "description: ¶ x\nthis line is no key",
}
"""Front matter beside `name` that YAML stumbles over, all of it or not."""


def _doubled(text: str) -> str:
    """Return a text as a format that says it."""
    return text.replace("{", "{{").replace("}", "}}")


def _in_all(places: Mapping[str, str], forms: Mapping[str, str]) -> dict[str, str]:
    """Return a file for each place and form; `{name}` is another one for each."""
    return {
        f"{place}/{ending.format(name=name)}": text.format(name=name)
        for place, ending in places.items()
        for form, text in forms.items()
        for name in (f"{form}-{place.strip('.').replace('/', '-')}",)
    }


_LISTED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (f"{folder}/skills" for folder in _LINKED),
        "{name}/SKILL.md",
    ),
    **dict.fromkeys(
        (".claude/agents", ".qwen/agents", ".opencode/agents", ".qwen/commands"), "{name}.md"
    ),
    ".github/agents": "{name}.agent.md",
}
"""Folders of what tools list, and how a file in them is called."""
_RULED: Final[Mapping[str, tuple[str, str]]] = {
    ".claude/rules": ("{name}.md", "paths: src/**"),
    ".github/instructions": ("{name}.instructions.md", "applyTo: src/**"),
    ".continue/rules": ("{name}.md", "globs: src/**"),
    ".clinerules": ("{name}.md", "paths: src/**"),
}
"""Folders of rules, how a file in them is called, and what makes it one for some files."""


FIXTURES: Final = (
    Fixture("claude-alone", _plain("CLAUDE.md")),
    Fixture("agents-alone", _plain("AGENTS.md")),
    Fixture("agents-and-dot-claude", _plain("AGENTS.md", ".claude/AGENTS.md")),
    *_beside(),
    Fixture(
        "agents-of-a-root-and-claude-of-a-folder",
        _plain("AGENTS.md", ".claude/AGENTS.md", "sub/CLAUDE.md"),
        start="sub",
    ),
    Fixture(
        "agents-of-a-root-and-dot-claude-of-a-folder",
        _plain("AGENTS.md", "sub/.claude/CLAUDE.md", "sub/AGENTS.md"),
        start="sub",
    ),
    Fixture(
        "agents-on-three-levels",
        _plain("AGENTS.md", "sub/AGENTS.md", "sub/deep/AGENTS.md", "other/AGENTS.md"),
        start="sub/deep",
    ),
    Fixture("files-below-the-start", _plain("sub/CLAUDE.md", "sub/AGENTS.md", "sub/GEMINI.md")),
    Fixture(
        "claude-on-three-levels",
        _plain("CLAUDE.md", "sub/CLAUDE.md", "sub/deep/CLAUDE.md", "other/CLAUDE.md"),
        start="sub",
    ),
    Fixture(
        "the-order-of-all-kinds",
        tools=_ONE,
        files=_plain(
            "~/.claude/CLAUDE.md",
            "~/.claude/rules/u.md",
            "CLAUDE.md",
            ".claude/CLAUDE.md",
            ".claude/rules/r.md",
            "CLAUDE.local.md",
            "sub/CLAUDE.md",
            "sub/.claude/CLAUDE.md",
            "sub/.claude/rules/s.md",
            "sub/CLAUDE.local.md",
            "~/.claude/projects/{root}/memory/MEMORY.md",
        ),
        start="sub",
    ),
    Fixture(
        "user-claude-and-agents",
        tools=("claude-code", "opencode"),
        files=_plain("~/.claude/CLAUDE.md", "AGENTS.md"),
    ),
    Fixture("user-rules-and-agents", tools=_ONE, files=_plain("~/.claude/rules/u.md", "AGENTS.md")),
    Fixture("rules-and-agents", _plain(".claude/rules/r.md", "AGENTS.md")),
    Fixture(
        "rules-with-paths",
        {
            ".claude/rules/list.md": _rule('paths:\n  - "src/**"\n  - "lib/*.ts"'),
            ".claude/rules/comma.md": _rule("paths: src/**, lib/**"),
            ".claude/rules/braces.md": _rule('paths: "src/**/*.{ts,tsx}"'),
            ".claude/rules/inline.md": _rule('paths: ["src/**"]'),
            ".claude/rules/all.md": _rule('paths: "**"'),
            ".claude/rules/all-twice.md": _rule('paths: "**/**"'),
            ".claude/rules/all-star.md": _rule('paths: "**/*"'),
            ".claude/rules/star.md": _rule('paths: "*"'),
            ".claude/rules/empty.md": _rule("paths: []"),
            ".claude/rules/null.md": _rule("paths:"),
            ".claude/rules/other-key.md": _rule('globs: "src/**"'),
        },
        any_order=(".claude/rules",),
    ),
    Fixture(
        "rules-whose-front-matter-does-not-parse",
        tools=_ONE,
        files={
            ".claude/rules/tab.md": _rule("paths:\n\t- src/**"),
            ".claude/rules/open.md": "---\npaths: src/**\n\n- §\n",
            ".claude/rules/colon.md": _rule("paths: [src/**\nfoo: : bar"),
            ".claude/rules/number.md": _rule("paths: 7"),
            ".claude/rules/map.md": _rule("paths:\n  src: yes"),
            ".claude/rules/none.md": "---\n---\n\n- §\n",
        },
        any_order=(".claude/rules",),
    ),
    Fixture(
        "rules-in-folders",
        tools=_ONE,
        files={
            **_plain(
                ".claude/rules/a.md",
                ".claude/rules/deep/b.md",
                ".claude/rules/deep/er/c.md",
                ".claude/rules/.hidden.md",
                ".claude/rules/d.txt",
                ".claude/rules/e.mdc",
                ".claude/rules/F.MD",
            )
        },
        any_order=(".claude/rules",),
    ),
    Fixture(
        "rules-on-two-levels",
        tools=_ONE,
        files=_plain(".claude/rules/a.md", "sub/.claude/rules/b.md", "other/.claude/rules/c.md"),
        start="sub",
    ),
    Fixture(
        "imports-four-and-five-deep",
        {
            "CLAUDE.md": "- §\n\n@one.md\n",
            **{
                f"{name}.md": f"- §\n\n@{after}.md\n"
                for name, after in (
                    ("one", "two"),
                    ("two", "three"),
                    ("three", "four"),
                    ("four", "five"),
                )
            },
            "five.md": "- §\n",
        },
    ),
    Fixture(
        "imports-in-a-circle",
        {"CLAUDE.md": "§\n\n@a.md\n", "a.md": "§\n\n@b.md\n", "b.md": "§\n\n@CLAUDE.md @a.md\n"},
    ),
    Fixture("an-import-first", {"CLAUDE.md": "@AGENTS.md\n\n- §\n", "AGENTS.md": "- §\n"}),
    Fixture(
        "imports-between-lines",
        {"CLAUDE.md": "§1\n\n@a.md\n\n§2\n\nsee @b.md for more\n\n§3\n", "a.md": "§", "b.md": "§"},
    ),
    Fixture(
        "imports-in-code-and-comments",
        {
            "CLAUDE.md": "§\n\n`@span.md`\n\n```\n@fence.md\n```\n\n> @quote.md\n\n"
            "- @item.md\n\n<!-- @comment.md -->\n\n    @indented.md\n\n**@bold.md**\n\n"
            "(@paren.md)\n",
            **dict.fromkeys(
                (
                    "span.md",
                    "fence.md",
                    "quote.md",
                    "item.md",
                    "comment.md",
                    "indented.md",
                    "bold.md",
                    "paren.md",
                ),
                "§\n",
            ),
        },
    ),
    Fixture(
        "imports-by-odd-paths",
        tools=_ONE,
        files={
            "CLAUDE.md": "§\n\n@docs/with\\ space.md\n@./docs/dot.md\n@docs/part.md#section\n"
            "@docs/stop.md.\n@docs/plain\n@docs/text.txt\n@docs\n@missing.md\n@someone\n",
            "docs/with space.md": "§\n",
            "docs/dot.md": "§\n",
            "docs/part.md": "§\n",
            "docs/stop.md": "§\n",
            "docs/plain": "§\n",
            "docs/text.txt": "§\n",
        },
    ),
    Fixture(
        "imports-relative-to-the-file",
        {
            "CLAUDE.md": "§\n\n@docs/a.md\n",
            "docs/a.md": "§\n\n@b.md\n",
            "docs/b.md": "§",
            "b.md": "§",
        },
    ),
    Fixture(
        "imports-out-of-the-root",
        {
            "CLAUDE.md": "§\n\n@../beside.md\n@~/notes.md\n@in.md\n",
            "../beside.md": "§\n",
            "~/notes.md": "§\n",
            "in.md": "§\n",
        },
    ),
    Fixture(
        "imports-from-above-the-start",
        {
            "CLAUDE.md": "§\n\n@i.md\n@sub/j.md\n",
            "i.md": "§\n",
            "sub/j.md": "§\n",
            "sub/CLAUDE.md": "§\n\n@../k.md\n",
            "k.md": "§\n",
        },
        start="sub",
    ),
    Fixture(
        "imports-of-the-user",
        tools=_ONE,
        files={
            "~/.claude/CLAUDE.md": "§\n\n@own.md\n@~/more.md\n",
            "~/.claude/own.md": "§\n",
            "~/more.md": "§\n",
            "CLAUDE.md": "§\n",
        },
    ),
    Fixture(
        "one-file-imported-twice",
        {
            "CLAUDE.md": "§\n\n@a.md\n",
            "CLAUDE.local.md": "§\n\n@a.md\n@b.md\n",
            ".claude/rules/r.md": "§\n\n@../../b.md\n",
            "a.md": "§\n",
            "b.md": "§\n",
        },
    ),
    Fixture(
        "imports-of-agents",
        {"AGENTS.md": "§\n\n@a.md\n", "a.md": "§\n\n@b.md\n", "b.md": "§\n"},
    ),
    Fixture(
        "imports-of-gemini-in-marked-text",
        tools=("gemini", "copilot", "qwen-code"),
        files={
            **dict.fromkeys(
                ("GEMINI.md", "QWEN.md", "CLAUDE.md"),
                '# @head.md\n\n§\n\n_@em.md_ and *@star.md* [@link.md](x) "@quoted.md"\n\n'
                "**@bold.md** (@paren.md)\n\n- @item.md\n\n`@span.md`\n\n```\n@fence.md\n```\n\n"
                "<!-- @comment.md -->\n\nuse @comma.md, and @./dot.md and @stop.md.\n\n"
                "@with\\ space.md\n\n@part.md#section\n\n@plain\n\n@text.txt\n\n@~/home.md\n\n"
                "@../outside.md\n\n    @indented.md\n\n@missing.md @someone\n",
            ),
            **dict.fromkeys(
                (
                    *(
                        f"{name}.md"
                        for name in (
                            *("head", "em", "star", "link", "quoted", "bold", "paren", "item"),
                            *("span", "fence", "comment", "comma", "dot", "stop", "with space"),
                            *("part", "indented"),
                        )
                    ),
                    "plain",
                    "text.txt",
                    "~/home.md",
                    "../outside.md",
                ),
                "§\n",
            ),
        },
    ),
    Fixture(
        "imports-of-gemini",
        {
            "GEMINI.md": "§1\n\n@a.md\n\n§2\n\n`@code.md` and @inline.md here\n",
            "a.md": "§\n\n@b.md\n",
            "b.md": "§\n",
            "code.md": "§\n",
            "inline.md": "§\n",
        },
    ),
    Fixture(
        "excluded-files",
        tools=_ONE,
        files={
            ".claude/settings.json": '{"claudeMdExcludes": ["**/sub/CLAUDE.md", "**/r.md"]}',
            **_plain("CLAUDE.md", "sub/CLAUDE.md", ".claude/rules/r.md", ".claude/rules/s.md"),
        },
    ),
    Fixture(
        "excluded-claude-beside-agents",
        tools=_ONE,
        files={
            ".claude/settings.local.json": '{"claudeMdExcludes": ["**/CLAUDE.md"]}',
            **_plain("CLAUDE.md", "AGENTS.md"),
        },
    ),
    Fixture(
        "excluded-by-the-user",
        tools=_ONE,
        files={
            "~/.claude/settings.json": '{"claudeMdExcludes": ["**/shop/CLAUDE.md"]}',
            **_plain("CLAUDE.md", "CLAUDE.local.md", "~/.claude/CLAUDE.md"),
        },
    ),
    Fixture(
        "settings-that-do-not-parse",
        tools=_ONE,
        files={
            ".claude/settings.json": '{"claudeMdExcludes": ["**/CLAUDE.md"',
            **_plain("CLAUDE.md"),
        },
    ),
    Fixture(
        "local-on-two-levels",
        tools=_ONE,
        files=_plain("CLAUDE.local.md", "sub/CLAUDE.local.md"),
        start="sub",
    ),
    Fixture(
        "ignored-by-git",
        {
            ".gitignore": "*.local.md\nCLAUDE.md\nAGENTS.md\n.claude/rules/\nGEMINI.md\n",
            **_plain(
                "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/rules/r.md", "GEMINI.md"
            ),
        },
    ),
    Fixture(
        "a-memory-of-260-lines",
        tools=_ONE,
        files={
            "CLAUDE.md": "§\n",
            "~/.claude/projects/{root}/memory/MEMORY.md": "".join(
                f"- line {at} §{at}\n" if at in {1, 200, 202, 260} else f"- line {at}\n"
                for at in range(1, 261)
            ),
            "~/.claude/projects/{root}/memory/topic.md": "§\n",
        },
    ),
    Fixture(
        "a-memory-of-30000-bytes",
        tools=_ONE,
        files={
            "~/.claude/projects/{root}/memory/MEMORY.md": "".join(
                f"- {'word ' * 190} §{at}\n" for at in range(1, 31)
            ),
        },
    ),
    Fixture(
        "a-memory-that-is-off",
        tools=_ONE,
        files={
            ".claude/settings.json": '{"autoMemoryEnabled": false}',
            **_plain("CLAUDE.md", "~/.claude/projects/{root}/memory/MEMORY.md"),
        },
    ),
    Fixture(
        "a-worktree",
        _plain(
            "CLAUDE.md", "../first/CLAUDE.md", "../first/CLAUDE.local.md", "AGENTS.md", "GEMINI.md"
        ),
        kind="worktree",
    ),
    Fixture(
        "a-worktree-with-agents",
        _plain("AGENTS.md", "../first/CLAUDE.md", "sub/AGENTS.md", "sub/GEMINI.md", "GEMINI.md"),
        kind="worktree",
        start="sub",
    ),
    Fixture(
        "a-submodule",
        _plain(
            "CLAUDE.md", "AGENTS.md", "GEMINI.md", "../CLAUDE.md", "../AGENTS.md", "../GEMINI.md"
        ),
        kind="submodule",
    ),
    Fixture("a-submodule-with-agents", _plain("AGENTS.md", "../AGENTS.md"), kind="submodule"),
    Fixture(
        "files-above-the-checkout",
        _plain("../CLAUDE.md", "../AGENTS.md", "../GEMINI.md", "AGENTS.md", "GEMINI.md"),
    ),
    Fixture("agents-above-the-checkout", _plain("../AGENTS.md", "sub/AGENTS.md"), start="sub"),
    Fixture(
        "a-folder-without-git",
        _plain(
            "../CLAUDE.md", "CLAUDE.md", "AGENTS.md", "GEMINI.md", "sub/AGENTS.md", "sub/GEMINI.md"
        ),
        kind="folder",
        start="sub",
    ),
    Fixture(
        "claude-that-is-a-link-to-agents", _plain("AGENTS.md"), links={"CLAUDE.md": "AGENTS.md"}
    ),
    Fixture(
        "agents-that-is-a-link-to-claude", _plain("CLAUDE.md"), links={"AGENTS.md": "CLAUDE.md"}
    ),
    Fixture(
        "links-among-rules",
        tools=_ONE,
        files=_plain("docs/rules/in.md", "../far/out.md", "docs/one.md"),
        links={
            ".claude/rules/linked": "../../docs/rules",
            ".claude/rules/far": "../../../far",
            ".claude/rules/one.md": "../../docs/one.md",
        },
        any_order=(".claude/rules", "docs", ".."),
    ),
    Fixture(
        "links-in-a-circle",
        tools=_ONE,
        files=_plain(".claude/rules/a.md", "CLAUDE.md"),
        links={".claude/rules/again": "../rules", "sub/up": ".."},
    ),
    Fixture("links-to-nothing", _plain("AGENTS.md"), links={"CLAUDE.md": "missing.md"}),
    Fixture(
        "comments",
        {
            "CLAUDE.md": "§1\n\n<!-- §2 -->\n\ninline <!-- §3 --> comment\n\n"
            "```\n<!-- §4 -->\n```\n\n"
            "<!--\n§5\n-->\n\n    <!-- §6 -->\n\n§7\n",
            "AGENTS.md": "§1\n\n<!-- §2 -->\n",
            "GEMINI.md": "§1\n\n<!-- §2 -->\n",
        },
    ),
    Fixture("comments-only", {"CLAUDE.md": "<!-- § -->\n", "AGENTS.md": "- §\n"}),
    Fixture("an-empty-claude", {"CLAUDE.md": "", "AGENTS.md": "- §\n", "GEMINI.md": "\n\n"}),
    Fixture(
        "front-matter-in-claude",
        {
            "CLAUDE.md": "---\ntitle: §1\n---\n\n- §2\n",
            "AGENTS.md": "---\ntitle: §1\n---\n\n- §2\n",
            "GEMINI.md": "---\ntitle: §1\n---\n\n- §2\n",
        },
    ),
    Fixture(
        "imports-in-marked-text",
        {
            "CLAUDE.md": "# @head.md\n\n§\n\n_@em.md_ and *@star.md* and ~~@del.md~~\n\n"
            '[@link.md](x) and "@quoted.md"\n\n| a | b |\n|---|---|\n| @cell.md | c |\n\n'
            "<b>@html.md</b>\n\n1. @number.md\n\n- [ ] @task.md\n\nuse @comma.md, "
            "and @colon.md: so\n\n**see @inbold.md**\n\nmail a@mail.md\n\n"
            "x @bang.md! @ask.md? @semi.md; @close.md)\n",
            **dict.fromkeys(
                (
                    f"{name}.md"
                    for name in [
                        "head",
                        "em",
                        "star",
                        "del",
                        "link",
                        "quoted",
                        "cell",
                        "html",
                        "number",
                        "task",
                        "comma",
                        "colon",
                        "inbold",
                        "mail",
                        "bang",
                        "ask",
                        "semi",
                        "close",
                    ]
                ),
                "§\n",
            ),
        },
    ),
    Fixture(
        "front-matter-with-paths-in-claude",
        any_order=(".claude/rules",),
        tools=_ONE,
        files={
            "CLAUDE.md": "---\npaths: src/**\n---\n\n- §\n",
            "AGENTS.md": "- §\n",
            ".claude/CLAUDE.md": "---\nfoo: [1\n---\n\n- §\n",
            "CLAUDE.local.md": "---\n\n- §\n\n---\n\n- §2\n",
            ".claude/rules/a.md": "---\n§1 --- §2\n§3---\n§4\n---\n§5\n",
            ".claude/rules/b.md": "\n---\na: §1\n---\n§2\n",
            ".claude/rules/c.md": "--- \na: §1\n--- \n§2\n",
            ".claude/rules/d.md": "---\na: §1\n----\n§2\n---\n§3\n",
            ".claude/rules/e.md": "---\na: §1\n...\n§2\n",
        },
    ),
    Fixture(
        "front-matter-in-what-is-imported",
        {
            "AGENTS.md": "---\ntitle: §1\n---\n\n- §2\n\n@a.md\n",
            "a.md": "---\ntitle: §1\n---\n\n- §2\n\n<!-- §3 -->\n",
            "~/.claude/CLAUDE.md": "---\ntitle: §1\n---\n\n- §2\n",
            "~/.claude/projects/{root}/memory/MEMORY.md": "---\ntitle: §1\n---\n\n- §2\n\n"
            "<!-- §3 -->\n",
        },
    ),
    Fixture(
        "lines-that-end-with-cr",
        {"CLAUDE.md": "\ufeff# A\r\n\r\n- §\r\n\r\n@a.md\r\n", "a.md": "§\r\n"},
    ),
    Fixture("names-in-lower-case", _plain("claude.md", "agents.md", "gemini.md")),
    Fixture(
        "a-large-import",
        tools=_ONE,
        files={
            "CLAUDE.md": "§\n\n@large.md\n",
            "large.md": "§1\n\n" + "words and words\n" * 8000 + "\n§2\n",
        },
    ),
    Fixture(
        "odd-folders",
        _plain("build/CLAUDE.md", "build/AGENTS.md", "build/GEMINI.md", "CLAUDE.md"),
        start="build",
    ),
    Fixture("a-dot-folder", _plain(".github/AGENTS.md", "AGENTS.md", "GEMINI.md"), start=".github"),
    Fixture(
        "agents-of-all-kinds",
        {
            ".claude/agents/good.md": _AGENT.format(name="good"),
            ".claude/agents/deep/inner.md": _AGENT.format(name="inner"),
            ".claude/agents/README.md": "# Agents ¶\n\n§\n",
            ".claude/agents/no-name.md": "---\ndescription: it does ¶\n---\n\n§\n",
            ".claude/agents/no-description.md": "---\nname: mute ¶\n---\n\n§\n",
            ".claude/agents/dash.md": _AGENT.format(name="-dash"),
            ".claude/agents/colon.md": _AGENT.format(name="a:b"),
            ".claude/agents/broken.md": "---\nname: [broken\ndescription: it does ¶\n---\n\n§\n",
            ".claude/agents/plain-colon.md": "---\nname: talks\ndescription: it says: ¶\n"
            "---\n\n§\n",
            "CLAUDE.md": "§\n",
        },
    ),
    Fixture(
        "agents-on-two-levels",
        tools=_ONE,
        files={
            ".claude/agents/both.md": _AGENT.format(name="both"),
            ".claude/agents/root.md": _AGENT.format(name="root"),
            "sub/.claude/agents/both.md": _AGENT.format(name="both"),
            "sub/.claude/agents/sub.md": _AGENT.format(name="sub"),
            "other/.claude/agents/other.md": _AGENT.format(name="other"),
        },
        start="sub",
    ),
    Fixture(
        "agents-of-the-user",
        tools=_ONE,
        files={
            "~/.claude/agents/both.md": _AGENT.format(name="both"),
            "~/.claude/agents/own.md": _AGENT.format(name="own"),
            ".claude/agents/both.md": _AGENT.format(name="both"),
            ".claude/agents/theirs.md": _AGENT.format(name="theirs"),
        },
    ),
    Fixture(
        "one-name-as-skill-and-command",
        tools=_ONE,
        files={
            ".claude/skills/same/SKILL.md": _SKILL.format(name="same"),
            ".claude/commands/same.md": "---\ndescription: it does ¶\n---\n\n§\n",
            "~/.claude/commands/same.md": "---\ndescription: it does ¶\n---\n\n§\n",
            "sub/.claude/skills/near/SKILL.md": _SKILL.format(name="near"),
            ".claude/skills/near/SKILL.md": _SKILL.format(name="near"),
            "sub/.claude/commands/near-command.md": "---\ndescription: it does ¶\n---\n\n§\n",
            ".claude/commands/near-command.md": "---\ndescription: it does ¶\n---\n\n§\n",
        },
        start="sub",
    ),
    Fixture(
        "a-name-that-two-agents-share",
        tools=_ONE,
        files={
            ".claude/agents/a.md": _AGENT.format(name="same"),
            ".claude/agents/b.md": _AGENT.format(name="same"),
            ".claude/agents/quoted.md": '---\nname: "quoted"\ndescription: "it: ¶"\n---\n\n§\n',
            ".claude/agents/folded.md": "---\nname: folded\ndescription: >-\n  it does\n  ¶\n"
            "---\n\n§\n",
            ".claude/agents/examples.md": "---\nname: examples\n"
            'description: Use it. Examples:\\n\\n<example>user: "go" ¶</example>\n'
            "model: inherit\ntools: Read, Grep\n---\n\n§\n",
            ".claude/agents/caps.md": _AGENT.format(name="With Space"),
            ".claude/agents/number.md": "---\nname: 7\ndescription: it does ¶\n---\n\n§\n",
        },
    ),
    Fixture(
        "an-agent-with-skills",
        tools=_ONE,
        files={
            ".claude/agents/smith.md": "---\nname: smith\ndescription: it does ¶\n"
            "skills:\n  - forge\n---\n\n§\n",
            ".claude/skills/forge/SKILL.md": _SKILL.format(name="forge"),
            ".claude/skills/other/SKILL.md": _SKILL.format(name="other"),
        },
    ),
    *(
        Fixture(
            f"names-of-skills-in-{folder.strip('.')}",
            {
                f"{folder}/skills/{name}/SKILL.md": _SKILL.format(name=name)
                for name in ("zeta", "a_b", "a-b", "Ab", "aa", "a.b", "a1", "a")
            },
            tools=tools,
        )
        for folder, tools in (
            (".claude", ("claude-code", "opencode", "copilot")),
            (".agents", ("codex", "gemini")),
            (".qwen", ("qwen-code",)),
        )
    ),
    *(
        Fixture(
            "one-skill-in" + "".join(folders).replace("~/.", "-home-").replace(".", "-"),
            {f"{folder}/skills/same/SKILL.md": _SKILL.format(name="same") for folder in folders}
            | {"AGENTS.md": "§\n"},
            tools=_BUT_OPENCODE,
        )
        for folders in (
            (".claude", ".agents"),
            (".github", ".agents"),
            (".claude", ".github", ".agents"),
            (".opencode", ".claude", ".agents"),
            (".qwen", ".claude", ".agents"),
            (".gemini", ".claude", ".agents"),
            (".cline", ".claude", ".agents"),
            (".codex", ".claude", ".agents"),
            (".agents", "~/.claude", "~/.agents"),
            (".claude", "~/.claude", "~/.agents"),
        )
    ),
    Fixture(
        "skills-for-a-person-alone",
        {
            f"{folder}/skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: it does ¶\n"
            f"{line}\n---\n\n§\n"
            for folder in (".claude", ".agents", ".gemini", ".qwen", ".opencode", ".continue")
            for name, line in (
                (f"{folder.strip('.')}-hidden", "disable-model-invocation: true"),
                (f"{folder.strip('.')}-not-asked", "user-invocable: false"),
                (f"{folder.strip('.')}-listed", "license: MIT"),
            )
        }
        | {"AGENTS.md": "§\n"},
    ),
    Fixture(
        "skills-of-a-person",
        {
            f"{folder}/{name}/SKILL.md": _SKILL.format(name=name)
            for folder, name in (
                ("~/.gemini/skills", "gemini"),
                ("~/.qwen/skills", "qwen"),
                ("~/.config/opencode/skills", "opencode"),
                ("~/.config/opencode/skill", "opencode-one"),
                ("~/.opencode/skills", "opencode-home"),
                (".opencode/skill", "opencode-here"),
                ("~/.codex/skills", "codex"),
                ("~/.copilot/skills", "copilot"),
                ("~/.continue/skills", "continue"),
                ("~/.cline/skills", "cline"),
                ("~/.claude/skills", "claude"),
                ("~/.agents/skills", "shared"),
            )
        }
        | {"AGENTS.md": "§\n"},
    ),
    Fixture(
        "one-skill-of-a-person-in-gemini",
        {
            f"{folder}/skills/same/SKILL.md": _SKILL.format(name="same")
            for folder in ("~/.gemini", "~/.agents")
        }
        | {"AGENTS.md": "§\n"},
        tools=_BUT_OPENCODE,
    ),
    Fixture(
        "one-skill-of-a-person-in-qwen",
        {
            f"{folder}/skills/same/SKILL.md": _SKILL.format(name="same")
            for folder in ("~/.qwen", "~/.agents", ".agents")
        }
        | {"AGENTS.md": "§\n"},
        tools=_BUT_OPENCODE,
    ),
    Fixture(
        "one-skill-on-levels",
        {
            f"{place}{folder}/skills/same/SKILL.md": _SKILL.format(name="same")
            for place in ("", "sub/", "sub/deep/")
            for folder in (".claude", ".agents", ".github", ".gemini", ".opencode", ".qwen")
        }
        | {"AGENTS.md": "§\n"},
        start="sub/deep",
        tools=_BUT_OPENCODE,
    ),
    Fixture(
        "one-name-in-one-folder",
        {
            f"{folder}/skills/{name}/SKILL.md": _SKILL.format(name="same")
            for folder in (".claude", ".agents", ".qwen")
            for name in ("a", "b")
        }
        | {"AGENTS.md": "§\n"},
        tools=_BUT_OPENCODE,
    ),
    Fixture(
        "names-of-commands",
        tools=("claude-code", "copilot"),
        files={
            f".claude/commands/{name}.md": "---\ndescription: it does ¶\n---\n\n§\n"
            for name in ("zeta", "a_b", "a-b", "Ab", "aa", "a.b", "a1", "a", "aa-b", "deep/a")
        },
    ),
    Fixture(
        "names-of-agents",
        tools=_ONE,
        files={
            f".claude/agents/{name}.md": _AGENT.format(name=name)
            for name in ("zeta", "a_b", "a-b", "Ab", "aa", "a.b", "a1", "a", "aa-b")
        },
    ),
    Fixture(
        "skills-of-all-kinds",
        {
            ".claude/skills/good/SKILL.md": _SKILL.format(name="good"),
            ".claude/skills/renamed/SKILL.md": _SKILL.format(name="another"),
            ".claude/skills/hidden/SKILL.md": "---\nname: hidden\ndescription: it does ¶\n"
            "disable-model-invocation: true\n---\n\n§\n",
            ".claude/skills/by-path/SKILL.md": "---\nname: by-path\ndescription: it does ¶\n"
            "paths: src/**\n---\n\n§\n",
            ".claude/skills/mute/SKILL.md": "---\nname: mute\n---\n\n¶ is the first line\n\n§\n",
            ".claude/skills/bare/SKILL.md": "# ¶ bare\n\n§\n",
            ".claude/skills/when/SKILL.md": "---\nname: when\ndescription: it does ¶1\n"
            "when_to_use: when ¶2\n---\n\n§\n",
            ".claude/skills/not-asked/SKILL.md": "---\nname: not-asked\ndescription: it does ¶\n"
            "user-invocable: false\n---\n\n§\n",
            ".claude/skills/deep/er/SKILL.md": _SKILL.format(name="er"),
            ".claude/skills/loose.md": _SKILL.format(name="loose"),
            ".claude/skills/lower/skill.md": _SKILL.format(name="lower"),
        },
    ),
    Fixture(
        "skills-on-levels",
        {
            "~/.claude/skills/both/SKILL.md": _SKILL.format(name="both"),
            "~/.claude/skills/own/SKILL.md": _SKILL.format(name="own"),
            ".claude/skills/both/SKILL.md": _SKILL.format(name="both"),
            ".claude/skills/top/SKILL.md": _SKILL.format(name="top"),
            "sub/.claude/skills/sub/SKILL.md": _SKILL.format(name="sub"),
            "other/.claude/skills/other/SKILL.md": _SKILL.format(name="other"),
        },
        start="sub",
    ),
    Fixture(
        "commands",
        tools=("claude-code", "copilot"),
        files={
            ".claude/commands/one.md": "---\ndescription: it does ¶\n---\n\n§\n",
            ".claude/commands/deep/two.md": "---\ndescription: it does ¶\n---\n\n§\n",
            ".claude/commands/bare.md": "Say ¶\n\n§\n",
            ".claude/commands/hidden.md": "---\ndescription: it does ¶\n"
            "disable-model-invocation: true\n---\n\n§\n",
            "~/.claude/commands/own.md": "---\ndescription: it does ¶\n---\n\n§\n",
        },
    ),
    Fixture(
        "skills-of-other-folders",
        {
            ".agents/skills/shared/SKILL.md": _SKILL.format(name="shared"),
            ".github/skills/forge/SKILL.md": _SKILL.format(name="forge"),
            ".claude/skills/claude/SKILL.md": _SKILL.format(name="claude"),
            ".codex/skills/codex/SKILL.md": _SKILL.format(name="codex"),
            ".gemini/skills/gemini/SKILL.md": _SKILL.format(name="gemini"),
            ".qwen/skills/qwen/SKILL.md": _SKILL.format(name="qwen"),
            ".opencode/skills/opencode/SKILL.md": _SKILL.format(name="opencode"),
            ".cline/skills/cline/SKILL.md": _SKILL.format(name="cline"),
            "~/.agents/skills/own/SKILL.md": _SKILL.format(name="own"),
            "AGENTS.md": "§\n",
        },
    ),
    Fixture(
        "shared-skills",
        any_order=("~/.agents/skills", ".agents/skills"),
        tools=("claude-code", "codex", "copilot", "opencode", "cline", "gemini"),
        files={
            ".agents/skills/zoo/SKILL.md": _SKILL.format(name="zoo"),
            ".agents/skills/ant/SKILL.md": _SKILL.format(name="ant"),
            ".agents/skills/both/SKILL.md": _SKILL.format(name="both"),
            ".agents/skills/renamed/SKILL.md": _SKILL.format(name="another"),
            ".agents/skills/mute/SKILL.md": "---\nname: mute\n---\n\n¶ is the first line\n",
            ".agents/skills/bare/SKILL.md": "# ¶ bare\n",
            ".agents/skills/hidden/SKILL.md": "---\nname: hidden\ndescription: it does ¶\n"
            "disable-model-invocation: true\n---\n\n§\n",
            ".agents/skills/deep/er/SKILL.md": _SKILL.format(name="er"),
            "sub/.agents/skills/near/SKILL.md": _SKILL.format(name="near"),
            "sub/deep/.agents/skills/far/SKILL.md": _SKILL.format(name="far"),
            "~/.agents/skills/both/SKILL.md": _SKILL.format(name="both"),
            "~/.agents/skills/bee/SKILL.md": _SKILL.format(name="bee"),
            "~/.codex/skills/own/SKILL.md": _SKILL.format(name="own"),
            ".codex/skills/its/SKILL.md": _SKILL.format(name="its"),
            "AGENTS.md": "§\n",
        },
        start="sub",
    ),
    Fixture(
        "codex-override",
        tools=_TWO,
        files=_plain("AGENTS.override.md", "AGENTS.md", "sub/AGENTS.md"),
        start="sub",
    ),
    Fixture(
        "codex-empty-override", tools=_TWO, files={"AGENTS.override.md": "", "AGENTS.md": "§\n"}
    ),
    Fixture(
        "codex-user-files",
        tools=_TWO,
        files=_plain("~/.codex/AGENTS.md", "AGENTS.md"),
    ),
    Fixture(
        "codex-user-override",
        tools=_TWO,
        files=_plain("~/.codex/AGENTS.md", "~/.codex/AGENTS.override.md", "AGENTS.md"),
    ),
    Fixture(
        "codex-user-empty-override",
        tools=_TWO,
        files={"~/.codex/AGENTS.override.md": "\n", **_plain("~/.codex/AGENTS.md", "AGENTS.md")},
    ),
    Fixture(
        "codex-fallback-names",
        tools=_TWO,
        files={
            "~/.codex/config.toml": 'project_doc_fallback_filenames = ["TEAM.md", "CLAUDE.md"]\n',
            **_plain(
                "TEAM.md", "CLAUDE.md", "sub/CLAUDE.md", "sub/AGENTS.md", "sub/deep/CLAUDE.md"
            ),
        },
        start="sub/deep",
    ),
    Fixture(
        "codex-few-bytes",
        tools=_TWO,
        files={
            "~/.codex/config.toml": "project_doc_max_bytes = 60\n",
            "AGENTS.md": "§1 aaaaaaaaaaaaaaaaaaaaaaa\n",
            "sub/AGENTS.md": "§1 §2 §3\n",
        },
        start="sub",
    ),
    Fixture(
        "codex-no-bytes",
        tools=_TWO,
        files={"~/.codex/config.toml": "project_doc_max_bytes = 0\n", "AGENTS.md": "§\n"},
    ),
    Fixture(
        "codex-32-kib",
        tools=_TWO,
        files={
            "AGENTS.md": "§1\n" + "words and words\n" * 1500 + "§2\n",
            "sub/AGENTS.md": "§1\n" + "words and words\n" * 1500 + "§2\n",
            "sub/deep/AGENTS.md": "§\n",
        },
        start="sub/deep",
    ),
    Fixture(
        "gemini-on-levels",
        _plain(
            "GEMINI.md",
            "sub/GEMINI.md",
            "sub/deep/GEMINI.md",
            "other/GEMINI.md",
            "~/.gemini/GEMINI.md",
        ),
        start="sub",
    ),
    Fixture(
        "gemini-other-names",
        {
            ".gemini/settings.json": '{"context": {"fileName": ["AGENTS.md", "TEAM.md"]}}',
            **_plain("AGENTS.md", "TEAM.md", "GEMINI.md", "sub/AGENTS.md"),
        },
    ),
    Fixture(
        "gemini-other-names-of-the-user",
        {
            "~/.gemini/settings.json": '{"context": {"fileName": "CLAUDE.md"}}',
            **_plain("CLAUDE.md", "GEMINI.md", "~/.gemini/GEMINI.md", "~/.gemini/CLAUDE.md"),
        },
    ),
    Fixture(
        "copilot-files",
        _plain(
            ".github/copilot-instructions.md",
            "AGENTS.md",
            "CLAUDE.md",
            ".claude/CLAUDE.md",
            "GEMINI.md",
            "~/.copilot/copilot-instructions.md",
            ".cursorrules",
        ),
    ),
    Fixture(
        "copilot-in-a-folder",
        _plain(
            ".github/copilot-instructions.md",
            "AGENTS.md",
            "sub/AGENTS.md",
            "sub/CLAUDE.md",
            "sub/.github/copilot-instructions.md",
            "sub/deep/AGENTS.md",
        ),
        start="sub",
    ),
    Fixture(
        "copilot-paths",
        {
            ".github/instructions/all.instructions.md": _rule('applyTo: "**"'),
            ".github/instructions/all-star.instructions.md": _rule('applyTo: "**/*"'),
            ".github/instructions/star.instructions.md": _rule('applyTo: "*"'),
            ".github/instructions/some.instructions.md": _rule('applyTo: "src/**"'),
            ".github/instructions/two.instructions.md": _rule('applyTo: "**,src/**"'),
            ".github/instructions/none.instructions.md": "- §\n",
            ".github/instructions/other.instructions.md": _rule("description: some"),
            ".github/instructions/deep/in.instructions.md": _rule('applyTo: "**"'),
            ".github/instructions/plain.md": _rule('applyTo: "**"'),
            "~/.copilot/instructions/own.instructions.md": _rule('applyTo: "**"'),
        },
        any_order=(".github/instructions",),
    ),
    Fixture(
        "copilot-agents",
        {
            ".github/agents/one.agent.md": _AGENT.format(name="one"),
            ".github/agents/two.md": _AGENT.format(name="two"),
            ".github/agents/no-description.agent.md": "---\nname: three ¶\n---\n\n§\n",
            ".github/agents/no-name.agent.md": "---\ndescription: it does ¶\n---\n\n§\n",
            ".github/agents/deep/four.agent.md": _AGENT.format(name="four"),
            ".github/agents/README.md": "# ¶\n\n§\n",
            "~/.copilot/agents/own.agent.md": _AGENT.format(name="own"),
        },
    ),
    Fixture(
        "continue-rules",
        tools=_CONTINUE,
        files={
            **_plain(
                "AGENTS.md",
                "AGENT.md",
                ".continue/rules/m.md",
                ".continue/rules/b/a.md",
                ".continue/rules/z/a.md",
                ".continue/rules/text.txt",
                "sub/.continue/rules/below.md",
                "~/.continue/rules/own.md",
                "~/.continue/rules/deep/own.md",
            ),
            ".continue/rules/always.md": _rule('globs: "*.py"\nalwaysApply: true'),
            ".continue/rules/globs.md": _rule('globs: "**/*"'),
            ".continue/rules/regex.md": _rule('regex: "^import"'),
            ".continue/rules/never.md": "---\nalwaysApply: false\ndescription: it ¶\n---\n\n§\n",
            ".continue/rules/said.md": "---\ndescription: it ¶\n---\n\n§\n",
            ".continue/rules/open.md": "---\nname: open\n§\n",
            ".continue/skills/own/SKILL.md": _SKILL.format(name="own"),
            ".claude/skills/two/SKILL.md": _SKILL.format(name="two"),
            ".agents/skills/not/SKILL.md": _SKILL.format(name="not"),
            "~/.continue/skills/home/SKILL.md": _SKILL.format(name="home"),
            "~/.claude/skills/none/SKILL.md": _SKILL.format(name="none"),
        },
    ),
    Fixture(
        "continue-below",
        tools=_CONTINUE,
        files=_plain(
            "AGENTS.md",
            "sub/CLAUDE.md",
            "sub/AGENT.md",
            ".continue/rules/top.md",
            "sub/.continue/rules/here.md",
            "~/.continue/rules/own.md",
        ),
        start="sub",
    ),
    Fixture(
        "continue-first-of-four",
        tools=_CONTINUE,
        files={"AGENT.md": "", "CLAUDE.md": "§\n", "CODEX.md": "§\n"},
    ),
    Fixture(
        "copilot-on-four-levels",
        tools=_COPILOT,
        files={
            **_plain(
                "AGENTS.md",
                "CLAUDE.md",
                "sub/AGENTS.md",
                "sub/CLAUDE.md",
                "sub/deep/AGENTS.md",
                "sub/deep/low/AGENTS.md",
                "sub/deep/low/CLAUDE.md",
                ".github/copilot-instructions.md",
                "sub/.github/copilot-instructions.md",
                "sub/deep/low/.github/copilot-instructions.md",
                ".claude/rules/top.md",
                ".claude/rules/deep/er.md",
                "sub/.claude/rules/between.md",
                "sub/deep/low/.claude/rules/here.md",
                "~/.claude/rules/own.md",
                "~/.claude/CLAUDE.md",
            ),
            ".claude/rules/some.md": _rule("paths: src/**"),
            ".github/instructions/all.instructions.md": _rule('applyTo: "**"'),
            ".github/instructions/some.instructions.md": _rule('applyTo: "src/**"'),
            "sub/.github/instructions/between.instructions.md": _rule('applyTo: "**"'),
            "sub/deep/low/.github/instructions/here.instructions.md": _rule('applyTo: "**"'),
        },
        start="sub/deep/low",
        any_order=(".claude/rules", ".github/instructions"),
    ),
    Fixture(
        "copilot-skills",
        tools=_COPILOT,
        files={
            ".claude/skills/zoo/SKILL.md": _SKILL.format(name="zoo"),
            ".claude/skills/both/SKILL.md": _SKILL.format(name="both"),
            ".claude/skills/no-front/SKILL.md": "# ¶\n\n§\n",
            ".claude/commands/order.md": "---\ndescription: it does ¶\n---\n\n§\n",
            ".github/skills/both/SKILL.md": _SKILL.format(name="both"),
            ".github/skills/ant/SKILL.md": _SKILL.format(name="ant"),
            ".github/skills/deep/er/SKILL.md": _SKILL.format(name="er"),
            ".agents/skills/moth/SKILL.md": _SKILL.format(name="moth"),
            ".agents/skills/both/SKILL.md": _SKILL.format(name="both"),
            ".agents/skills/unnamed/SKILL.md": "---\ndescription: it does ¶\n---\n\n§\n",
            ".copilot/skills/its/SKILL.md": _SKILL.format(name="its"),
            "sub/.github/skills/zebra/SKILL.md": _SKILL.format(name="zebra"),
            "sub/.claude/skills/ape/SKILL.md": _SKILL.format(name="ape"),
            "sub/deep/.github/skills/here/SKILL.md": _SKILL.format(name="here"),
            "~/.copilot/skills/own/SKILL.md": _SKILL.format(name="own"),
            "~/.copilot/skills/both/SKILL.md": _SKILL.format(name="both"),
            "~/.agents/skills/bee/SKILL.md": _SKILL.format(name="bee"),
            "~/.claude/skills/none/SKILL.md": _SKILL.format(name="none"),
        },
        start="sub/deep",
    ),
    Fixture(
        "copilot-refuses",
        tools=_COPILOT,
        files={
            f".claude/{path}": f"---\n{front}\n---\n\n§\n"
            for path, front in {
                "commands/list.md": "description: ¶\nargument-hint: [all]",
                "commands/lists.md": "description: ¶\nargument-hint: [one|two] [three]",
                "commands/text.md": 'description: ¶\nargument-hint: "[all]"',
                "commands/open.md": "description: ¶\nargument-hint: <all>",
                "commands/none.md": "description: ¶\nargument-hint:",
                "commands/number.md": "description: ¶\nargument-hint: 3",
                "commands/named.md": "description: ¶\nname: My Own",
                "commands/tools.md": "description: ¶\nallowed-tools: 3",
                "commands/hidden.md": "description: ¶\ndisable-model-invocation: yes please",
                "commands/other.md": "description: ¶\nunknown: [a]",
                "skills/colon/SKILL.md": "name: colon\ndescription: ¶: so",
                "skills/listed/SKILL.md": "name: [listed]\ndescription: ¶",
                "skills/loud/SKILL.md": "name: loud!\ndescription: ¶",
                "skills/point/SKILL.md": "name: a.b\ndescription: ¶",
                "skills/upper/SKILL.md": "name: UPPER\ndescription: ¶",
                "skills/twice/SKILL.md": "name: twice\ndescription: ¶\nname: twice",
                "skills/long/SKILL.md": f"name: long\ndescription: ¶ {'d' * 1100}",
                "skills/quoted/SKILL.md": 'name: quoted\ndescription: ¶\nallowed-tools: "Bash(a)"',
            }.items()
        },
    ),
    Fixture(
        "copilot-full-list",
        tools=_COPILOT,
        files={
            **{
                f".claude/skills/k{at:02}/SKILL.md": f"---\nname: k{at:02}\n"
                f"description: ¶ {'é&x' * 110}\n---\n\n§\n"
                for at in range(16)
            },
            ".claude/skills/z/SKILL.md": _SKILL.format(name="z"),
            ".claude/commands/last.md": "---\ndescription: ¶\n---\n\n§\n",
        },
    ),
    Fixture(
        "copilot-list-full-of-commands",
        tools=_COPILOT,
        files={
            f".claude/commands/k{at:02}.md": f"---\ndescription: ¶ {'x' * 900}\n---\n\n§\n"
            for at in range(17)
        },
    ),
    Fixture(
        "copilot-agents-of-folders",
        tools=_COPILOT,
        files={
            ".claude/agents/zed.md": _AGENT.format(name="zed"),
            ".claude/agents/both.md": _AGENT.format(name="both"),
            ".github/agents/both.agent.md": _AGENT.format(name="both"),
            ".github/agents/ann.agent.md": _AGENT.format(name="ann"),
            ".github/agents/Caps.agent.md": _AGENT.format(name="Caps"),
            "sub/.github/agents/sue.agent.md": _AGENT.format(name="sue"),
            "sub/.github/agents/both.agent.md": _AGENT.format(name="both"),
            "sub/.claude/agents/sam.md": _AGENT.format(name="sam"),
            "sub/deep/.github/agents/dee.agent.md": _AGENT.format(name="dee"),
            "sub/deep/.claude/agents/dan.md": _AGENT.format(name="dan"),
            "~/.claude/agents/own.md": _AGENT.format(name="own"),
            "~/.copilot/agents/both.agent.md": _AGENT.format(name="both"),
            "~/.copilot/agents/mine.agent.md": _AGENT.format(name="mine"),
        },
        start="sub/deep",
    ),
    Fixture(
        "copilot-imports-nine-deep",
        tools=_COPILOT,
        files={
            "CLAUDE.md": "- §\n\n@f1.md\n",
            **{f"f{at}.md": f"- §\n\n@f{at + 1}.md\n" for at in range(1, 10)},
            "f10.md": "- §\n",
        },
    ),
    Fixture(
        "copilot-imports-of-all-files",
        tools=_COPILOT,
        files={
            "AGENTS.md": "§1\n\n@a.md and again @a.md\n\n§2\n",
            ".github/copilot-instructions.md": "§1\n\n@../b.md @beside.md @a.md\n\n§2\n",
            ".github/instructions/all.instructions.md": '---\napplyTo: "**"\n---\n\n§ @c.md\n',
            ".github/instructions/c.md": "§\n",
            ".github/beside.md": "§\n",
            ".claude/rules/r.md": "---\nname: @front.md\n---\n\n§ @d.md\n",
            ".claude/rules/front.md": "---\npaths: src/**\n---\n\n§\n",
            ".claude/rules/d.md": "---\npaths: src/**\n---\n\n§\n",
            "~/.copilot/copilot-instructions.md": "§ @own.md\n",
            "~/.copilot/own.md": "§\n",
            "a.md": "§ @b.md\n",
            "b.md": "§\n",
        },
    ),
    Fixture(
        "copilot-imports-by-sign",
        tools=_COPILOT,
        files={
            "CLAUDE.md": "§ '@single.md' {@brace.md} =@equal.md /@slash.md x@word.md \\@escaped.md"
            " #@hash.md ,@comma.md -@dash.md :@colon.md [@square.md] `@code.md` «@quote.md»"
            " *@star.md * _@line.md _ @@twice.md @docs/plain @docs/Makefile @docs/.hidden"
            " @docs/in.md @docs @two.md@three.md @four.md's @five.md...\n\n@six.mdx @seven.json"
            " @eight.MD @nine.markdown @./docs/../ten.md @./plain @/eleven.md @docs/a-b_c.md"
            " @twelve.md>x @thirteen.md*x\n",
            **dict.fromkeys(
                (
                    *(f"{name}.md" for name in _SIGNED),
                    *("docs/plain", "docs/Makefile", "docs/.hidden", "docs/in.md", "plain"),
                    *("six.mdx", "seven.json", "eight.MD", "nine.markdown", "docs/a-b_c.md"),
                ),
                "§\n",
            ),
        },
    ),
    Fixture(
        "copilot-names-and-links",
        tools=_COPILOT,
        files={
            **_plain("Agents.md", "Claude.md", ".github/Copilot-Instructions.md", "team.md"),
            ".github/agents/same.agent.md": _AGENT.format(name="same"),
            ".claude/agents/same.md": _AGENT.format(name="same"),
            ".claude/skills/same/SKILL.md": _SKILL.format(name="same"),
            ".agents/skills/same/SKILL.md": _SKILL.format(name="same"),
            ".claude/skills/folder/SKILL.md": _SKILL.format(name="Upper"),
            ".claude/skills/quiet/SKILL.md": "---\nname: quiet\ndescription: it does ¶\n"
            "user-invocable: false\n---\n\n§\n",
            ".claude/skills/long/SKILL.md": "---\nname: long\n---\n\n# Head ¶1\n\n"
            + "words and words\n" * 100
            + "¶2\n",
        },
        links={"GEMINI.md": "team.md", "sub/AGENTS.md": "../team.md"},
    ),
    Fixture(
        "cline-rules",
        {
            **_plain(
                ".clinerules/a.md",
                ".clinerules/b.txt",
                ".clinerules/c.markdown",
                ".clinerules/deep/d.md",
                ".clinerules/workflows/w.md",
                ".cline/rules/e.md",
                "AGENTS.md",
                "sub/AGENTS.md",
                "~/.agents/AGENTS.md",
                "~/Documents/Cline/Rules/u.md",
                ".cursorrules",
                ".windsurfrules",
            ),
            ".clinerules/some.md": _rule('paths:\n  - "src/**"'),
            ".clinerules/all.md": _rule('paths:\n  - "**"'),
        },
    ),
    Fixture(
        "copilot-table-of-rules",
        {
            ".github/copilot-instructions.md": "§\n",
            ".github/instructions/code.instructions.md": _rule(
                "description: '¶ When you write | code'\napplyTo: '**/*.ts'"
            ),
            ".github/instructions/lines.instructions.md": _rule(
                "description: >\n  ¶ Two\n  lines\napplyTo: ['a/**', 'b/**']"
            ),
            ".github/instructions/untold.instructions.md": _rule("applyTo: 'x y/**,z/**'"),
            ".github/instructions/deep/in.instructions.md": _rule(
                "description: ¶ Deep\napplyTo: 'docs/**'"
            ),
            ".claude/rules/web.md": _rule("description: ¶ Web\npaths: web/**"),
            "~/.copilot/instructions/own.instructions.md": _rule(
                "description: ¶ Own\napplyTo: 'lib/**'"
            ),
            "web/.github/instructions/below.instructions.md": _rule(
                "description: ¶ Below\napplyTo: '**/*.css'"
            ),
            "web/.claude/rules/below.md": _rule("description: ¶ Below\npaths: [c/**, d/**]"),
            "other/.github/instructions/not.instructions.md": _rule(
                "description: ¶ Elsewhere\napplyTo: '**/*.css'"
            ),
        },
        start="web",
        tools=("copilot",),
    ),
    Fixture("cline-one-file", _plain(".clinerules", "AGENTS.md", "CLAUDE.md")),
    Fixture(
        "cline-in-a-folder",
        _plain(".clinerules/a.md", "sub/.clinerules/b.md", "AGENTS.md"),
        start="sub",
    ),
    Fixture(
        "many-tools",
        _plain(
            "AGENTS.md",
            "CLAUDE.md",
            "GEMINI.md",
            "QWEN.md",
            "CONTEXT.md",
            ".github/copilot-instructions.md",
            ".clinerules/a.md",
            ".cursor/rules/b.mdc",
            ".windsurf/rules/c.md",
            ".junie/guidelines.md",
        ),
    ),
    Fixture("qwen-alone", _plain("QWEN.md", "~/.qwen/QWEN.md", "sub/QWEN.md")),
    Fixture(
        "qwen-in-a-folder",
        _plain("QWEN.md", "AGENTS.md", "sub/QWEN.md", "sub/AGENTS.md"),
        start="sub",
    ),
    Fixture(
        "opencode-settings",
        {
            "opencode.json": '{"instructions": ["docs/*.md", "CONTRIBUTING.md", "~/x.md"]}',
            **_plain("AGENTS.md", "docs/a.md", "docs/b.md", "CONTRIBUTING.md", "~/x.md"),
        },
    ),
    Fixture(
        "opencode-user", _plain("~/.config/opencode/AGENTS.md", "~/.claude/CLAUDE.md", "CLAUDE.md")
    ),
    Fixture(
        "openclaw-workspace",
        _plain(
            *_WORKSPACE,
            *("BOOTSTRAP.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md", "memory/2026-11-28.md"),
            *("sub/AGENTS.md", "sub/SOUL.md", "CLAUDE.md", "users/ann/USER.md"),
        ),
        tools=_OPENCLAW,
    ),
    *_hermes(),
    Fixture("openclaw-two-files", _plain("AGENTS.md", "SOUL.md"), tools=_OPENCLAW),
    Fixture("openclaw-without-agents", _plain("SOUL.md", "IDENTITY.md"), tools=_OPENCLAW),
    Fixture(
        "openclaw-odd-files",
        {
            "AGENTS.md": "\ufeff- §1\r\n\r\n\r\n\r\n- §2\r\n",
            "SOUL.md": "---\ntitle: §1\n---\n\n<!-- §2 -->\n\n\n\n- §3  \n \n\n\n",
            "IDENTITY.md": "",
            "USER.md": " \n\n",
            "MEMORY.md": "\n\n\n@SOUL.md\n\n- §\n",
        },
        tools=_OPENCLAW,
    ),
    Fixture(
        "openclaw-long-files",
        {
            "AGENTS.md": _long("the harbour opens at dawn, says §{}", "boats must moor, says §{}"),
            "SOUL.md": _long("kind §{}"),
            "IDENTITY.md": _long("named §{}", most=5_000),
            "USER.md": _long("likes tea §{}"),
            "MEMORY.md": _long("🌊 moved in May §{}"),
        },
        tools=_OPENCLAW,
    ),
    Fixture(
        "openclaw-no-room-left",
        {
            **{name: _long("full §{}") for name in ("AGENTS.md", "SOUL.md", "IDENTITY.md")},
            **_plain("USER.md", "MEMORY.md"),
        },
        tools=_OPENCLAW,
    ),
    Fixture(
        "openclaw-links",
        _plain("docs/soul.md", "CLAUDE.md", "IDENTITY.md", "../user.md"),
        links={"SOUL.md": "docs/soul.md", "AGENTS.md": "CLAUDE.md", "USER.md": "../user.md"},
        tools=_OPENCLAW,
    ),
    Fixture(
        "openclaw-small-letters",
        _plain("AGENTS.md", "SOUL.md", "memory.md", "user.md"),
        tools=_OPENCLAW,
    ),
    Fixture(
        "openclaw-entries-of-projects",
        {
            **_plain("SOUL.md"),
            "AGENTS.md": "- §1\n\nDefault heartbeat prompt:\n`Read HEARTBEAT.md if it exists: §2 "
            "HEARTBEAT_OK.`\n\n- §3\n",
            "USER.md": "- §1\n- §2 <!-- project: pier -->\n",
            "MEMORY.md": "# §1\n\n- §2\n- §3 <!-- project: pier -->\n  §4\n\n## §5\n\n§6\n",
        },
        tools=_OPENCLAW,
    ),
    *(
        Fixture(
            f"openclaw-set-{name}",
            tools=_OPENCLAW,
            stops=name.startswith("no-"),
            files={**files, "~/.openclaw/openclaw.json": said},
        )
        for name, said, files in (
            *(
                (name, _of_agents_here(defaults={key: value}), _plain(*_WORKSPACE))
                for name, key, value in (
                    ("never", "contextInjection", "never"),
                    ("always", "contextInjection", "always"),
                    ("no-sometimes", "contextInjection", "sometimes"),
                    ("no-characters", "bootstrapMaxChars", 0),
                    ("no-number", "bootstrapTotalMaxChars", "3000"),
                    ("no-part", "bootstrapMaxChars", 3000.5),
                )
            ),
            *(
                (name, _of_agents_here(defaults={key: value}), _FULL)
                for name, key, value in (
                    ("few-of-each", "bootstrapMaxChars", 3_000),
                    ("more-of-each", "bootstrapMaxChars", 50_000),
                    ("hardly-any-of-each", "bootstrapMaxChars", 10),
                    ("few-together", "bootstrapTotalMaxChars", 15_000),
                    ("more-together", "bootstrapTotalMaxChars", 200_000),
                    ("hardly-any-together", "bootstrapTotalMaxChars", 300),
                )
            ),
            (
                "of-one-agent",
                _of_agents_here(
                    defaults={"bootstrapMaxChars": 3_000},
                    entries={"main": {"bootstrapMaxChars": 9_000}},
                ),
                _FULL,
            ),
            (
                "of-one-in-a-list",
                _of_agents_here(defaults={}, list=[{"id": "main", "bootstrapMaxChars": 3_000}]),
                _FULL,
            ),
            (
                "never-but-for-one",
                _of_agents_here(
                    defaults={"contextInjection": "never"},
                    entries={"main": {"contextInjection": "always"}},
                ),
                _plain(*_WORKSPACE),
            ),
        )
    ),
    *(
        Fixture(
            f"qwen-rule-for-{name}",
            tools=_QWEN,
            files={"QWEN.md": "§\n", ".qwen/rules/r.md": f"---\n{front}\n---\n§\n"},
        )
        for name, front in (
            ("a-number", "paths: 7"),
            ("a-switch", "paths: true"),
            ("a-list-of-a-number", "paths: [7]"),
            ("a-number-and-a-text", "paths: [7, a]"),
            ("a-text-of-a-number", "paths: '7'"),
            ("a-word", "paths: README"),
            ("a-date", "paths: 2024-01-01"),
            ("nothing", "paths:"),
            ("no-list", "paths: []"),
            ("an-object", "paths: {a: b}"),
            ("all", "paths: '**'"),
        )
    ),
    *(
        Fixture(
            f"qwen-notes-{name}",
            tools=_QWEN,
            kind=kind,
            start=start,
            files={
                **_plain("QWEN.md", "sub/QWEN.md", "~/.qwen/memories/MEMORY.md"),
                "~/.qwen/projects/{root}/memory/MEMORY.md": "§\n",
                **files,
            },
        )
        for name, kind, start, files in (
            ("of-a-folder", "folder", "", {}),
            ("below-a-folder", "folder", "sub", {}),
            ("below-a-checkout", "repository", "sub", {}),
            ("of-a-checkout-below", "repository", "sub", {"sub/.git/HEAD": "ref: refs/heads/a\n"}),
            ("of-a-checkout-in-a-folder", "folder", "sub", {"sub/.git/HEAD": "ref: x\n"}),
        )
    ),
    *(
        Fixture(
            f"qwen-includes-{name}",
            tools=_QWEN,
            stops=name.startswith("no-"),
            files={
                **_plain("QWEN.md", "docs/QWEN.md"),
                at: json.dumps({"context": {"includeDirectories": said}}),
            },
        )
        for name, at, said in (
            ("a-folder", _QWEN_OWN, ["docs"]),
            ("a-missing-folder", _QWEN_OWN, ["none"]),
            ("none", _QWEN_OWN, []),
            ("no-list", _QWEN_OWN, "docs"),
            ("no-number", _QWEN_OWN, 7),
            ("no-list-of-a-person", f"~/{_QWEN_OWN}", "docs"),
        )
    ),
    *(
        Fixture(
            f"qwen-names-{name}",
            tools=_QWEN,
            files={
                **_plain("QWEN.md", "AGENTS.md", "README.md", "CONTEXT.md", "sub/README.md"),
                **_plain("~/.qwen/QWEN.md", "~/.qwen/AGENTS.md", "~/.qwen/README.md", "C.md"),
                **_plain("docs/a.md", "sub/docs/a.md", "~/.qwen/docs/a.md"),
                **{file: json.dumps(said) for file, said in settings.items()},
            },
            start=start,
        )
        for name, start, settings in (
            ("usual", "", {}),
            ("two", "", {_QWEN_OWN: {"context": {"fileName": ["README.md", "QWEN.md"]}}}),
            ("below", "sub", {"sub/.qwen/settings.json": {"context": {"fileName": "README.md"}}}),
            ("above", "sub", {_QWEN_OWN: {"context": {"fileName": "README.md"}}}),
            ("one", "", {_QWEN_OWN: {"context": {"fileName": "CONTEXT.md"}}}),
            ("many", "", {_QWEN_OWN: {"context": {"fileName": [*_QWEN_MANY]}}}),
            (
                "user",
                "",
                {f"~/{_QWEN_OWN}": {"context": {"fileName": ["CONTEXT.md", "AGENTS.md"]}}},
            ),
            (
                "both",
                "",
                {
                    f"~/{_QWEN_OWN}": {"context": {"fileName": ["CONTEXT.md"]}},
                    _QWEN_OWN: {"context": {"fileName": ["README.md"]}},
                },
            ),
            ("none", "", {_QWEN_OWN: {"context": {"fileName": []}}}),
            ("paths", "", {_QWEN_OWN: {"context": {"fileName": ["docs/a.md", "NONE.md"]}}}),
            ("odd", "", {_QWEN_OWN: {"context": {"fileName": ["", "./README.md", "QWEN.md"]}}}),
        )
    ),
    Fixture(
        "qwen-commands",
        tools=_QWEN,
        files={
            ".qwen/commands/a.md": _COMMAND,
            ".qwen/commands/plain.md": "§ ¶\n",
            ".qwen/commands/git/e.md": _COMMAND,
            ".qwen/commands/git/deep/f.md": _COMMAND,
            ".qwen/commands/hidden.md": _COMMAND.replace(
                "does", "does\ndisable-model-invocation: true\nsays:"
            ),
            ".qwen/commands/i.md": "---\nname: other\ndescription: ¶\n---\n§\n",
            ".qwen/commands/UPPER.md": _COMMAND,
            ".qwen/commands/with space.md": _COMMAND,
            ".qwen/commands/k.md": "---\ndescription: ¶\nargument-hint: x\n---\n§\n",
            ".qwen/commands/number.md": "---\ndescription: 7\n---\n§ ¶\n",
            ".qwen/commands/empty.md": "---\ndescription:\n---\n§ ¶\n",
            ".qwen/commands/text.txt": _COMMAND,
            ".qwen/commands/both.md": _COMMAND,
            ".claude/commands/y.md": _COMMAND,
            "sub/.qwen/commands/x.md": _COMMAND,
            "~/.qwen/commands/both.md": _COMMAND,
            "~/.qwen/commands/u.md": _COMMAND,
            "~/.qwen/commands/a.md": _COMMAND,
            "~/.qwen/commands/m.md": _COMMAND,
            ".qwen/skills/m/SKILL.md": _SKILL.format(name="m"),
            ".qwen/skills/zed/SKILL.md": _SKILL.format(name="zed"),
        },
    ),
    Fixture(
        "qwen-agents",
        tools=_QWEN,
        files={
            ".qwen/agents/a.md": _AGENT.format(name="zed"),
            ".qwen/agents/b.md": _AGENT.format(name="beta"),
            ".qwen/agents/c.md": "---\ndescription: ¶\n---\n§",
            ".qwen/agents/d.md": "---\nname: dd\n---\n§ ¶",
            ".qwen/agents/deep/f.md": _AGENT.format(name="deep"),
            ".qwen/agents/g.md": _AGENT.format(name="twin"),
            ".qwen/agents/h.md": _AGENT.format(name="twin"),
            ".qwen/agents/no-task.md": "---\nname: nn\ndescription: ¶\n---\n  \n",
            ".qwen/agents/text.txt": _AGENT.format(name="oo"),
            **{
                f".qwen/agents/name-{at}.md": _AGENT.format(name=name)
                for at, name in enumerate(_QWEN_NAMES)
            },
            ".claude/agents/y.md": _AGENT.format(name="yy"),
            "~/.qwen/agents/u.md": _AGENT.format(name="uu"),
            "~/.qwen/agents/z.md": _AGENT.format(name="zed"),
        },
    ),
    Fixture(
        "qwen-lists-in-a-folder",
        tools=_QWEN,
        files={
            ".qwen/agents/top.md": _AGENT.format(name="top"),
            ".qwen/commands/top.md": _COMMAND,
            "sub/.qwen/agents/low.md": _AGENT.format(name="low"),
            "sub/.qwen/commands/low.md": _COMMAND,
        },
        start="sub",
    ),
    Fixture(
        "opencode-skills-named",
        tools=_OPENCODE,
        files={
            "opencode.json": '{"skills": {"paths": ["extra", "~/more", "./deep/er", "none"]}}',
            "extra/SKILL.md": _SKILL.format(name="extra"),
            "extra/one/SKILL.md": _SKILL.format(name="one"),
            "extra/a/b/two/SKILL.md": _SKILL.format(name="two"),
            "extra/.hidden/SKILL.md": _SKILL.format(name="hidden"),
            ".opencode/skills/.dot/SKILL.md": _SKILL.format(name="dot"),
            ".claude/skills/.dot2/SKILL.md": _SKILL.format(name="dot-two"),
            ".agents/skills/x/.dot3/SKILL.md": _SKILL.format(name="dot-three"),
            "~/.config/opencode/skills/.dot4/SKILL.md": _SKILL.format(name="dot-four"),
            "~/more/three/SKILL.md": _SKILL.format(name="three"),
            "more/four/SKILL.md": _SKILL.format(name="four"),
            "deep/er/five/SKILL.md": _SKILL.format(name="five"),
            "deep/six/SKILL.md": _SKILL.format(name="six"),
            "beside/seven/SKILL.md": _SKILL.format(name="seven"),
        },
        links={"extra/linked": "../beside"},
    ),
    Fixture(
        "opencode-skills-named-twice",
        tools=_OPENCODE,
        files={
            "opencode.json": '{"skills": ["extra"]}',
            ".opencode/opencode.jsonc": '{"skills": {"paths": ["more"],},}',
            "~/.config/opencode/opencode.json": '{"skills": {"paths": ["users"]}}',
            "extra/one/SKILL.md": _SKILL.format(name="one"),
            "more/two/SKILL.md": _SKILL.format(name="two"),
            "users/three/SKILL.md": _SKILL.format(name="three"),
        },
    ),
    Fixture(
        "opencode-skills-named-by-a-person",
        tools=_OPENCODE,
        files={
            "~/.config/opencode/opencode.json": '{"skills": {"paths": ["users", "~/own"]}}',
            "opencode.json": '{"skills": {"urls": []}}',
            "users/three/SKILL.md": _SKILL.format(name="three"),
            "~/own/four/SKILL.md": _SKILL.format(name="four"),
        },
    ),
    Fixture(
        "opencode-skills-named-in-a-list",
        tools=_OPENCODE,
        files={
            "opencode.json": '{"skills": ["extra/", "https://example.org/skills"]}',
            "extra/one/SKILL.md": _SKILL.format(name="one"),
        },
    ),
    *(
        Fixture(
            f"opencode-skills-named-{name}",
            tools=_OPENCODE,
            files={
                "opencode.json": json.dumps({"skills": {"paths": [path]}}),
                "a/b/two/SKILL.md": _SKILL.format(name="two"),
                "extra/one/SKILL.md": _SKILL.format(name="one"),
                ".dot/x/SKILL.md": _SKILL.format(name="dot"),
                "[x]/three/SKILL.md": _SKILL.format(name="three"),
            },
        )
        for name, path in (
            ("as-all", "."),
            ("as-all-here", "./"),
            ("with-two-strokes", "a//b"),
            ("with-a-dot", "a/./b"),
            ("with-a-way-back", "extra/../a"),
            ("in-brackets", "[x]"),
            ("by-no-pattern", "extra/*"),
        )
    ),
    Fixture(
        "opencode-skills-named-above",
        tools=_OPENCODE,
        files={
            "opencode.json": '{"skills": {"paths": ["extra"]}}',
            "extra/one/SKILL.md": _SKILL.format(name="one"),
            "sub/extra/two/SKILL.md": _SKILL.format(name="two"),
        },
        start="sub",
    ),
    Fixture(
        "opencode-references",
        tools=_OPENCODE,
        files={
            "opencode.json": '{"references": {"docs": {"path": "docs", "description": "¶"}, '
            '"bare": "docs", "hid": {"path": "docs", "description": "¶2", "hidden": true}, '
            '"Git": {"repository": "a/b", "description": "¶3"}, "none": {"path": "docs"}}}',
            "~/.config/opencode/opencode.json": '{"references": '
            '{"all": {"path": "~/all", "description": "¶"}}}',
            "docs/a.md": "§\n",
            "AGENTS.md": "§\n",
        },
    ),
    Fixture(
        "opencode-references-and-more",
        tools=_OPENCODE,
        files={
            "opencode.json": '{"reference": {"old": {"path": "x", "description": "¶"}}, '
            '"references": {"new": {"path": "x", "description": "¶2"}, '
            '"both": {"path": "x", "description": "¶3"}}, '
            '"mode": {"moor": {"description": "¶4"}}}',
            ".opencode/opencode.json": '{"references": '
            '{"both": {"path": "y", "description": "¶"}, "new": {"path": "z"}}}',
            "sub/opencode.json": '{"references": {"low": {"path": "x", "description": "¶"}}}',
            ".opencode/agent/bee.md": _COMMAND,
            "AGENTS.md": "§\n",
        },
    ),
    Fixture(
        "opencode-references-of-old",
        tools=_OPENCODE,
        files={
            "opencode.json": '{"reference": {"old": {"path": "x", "description": "¶"}, '
            '"a b": {"path": "x", "description": "¶2"}, "7": {"path": "x", "description": "¶3"}}}',
            "AGENTS.md": "§\n",
        },
    ),
    Fixture(
        "opencode-agents",
        tools=_OPENCODE,
        files={
            **{
                f"{folder}/{name}.md": _COMMAND
                for folder, name in (
                    (".opencode/agent", "fox"),
                    (".opencode/agents", "bee"),
                    ("~/.config/opencode/agent", "dog"),
                    ("~/.config/opencode/agents", "ant"),
                    ("~/.opencode/agent", "eel"),
                    ("~/.opencode/agents", "cat"),
                )
            },
            ".opencode/agent/prim.md": "---\ndescription: ¶\nmode: primary\n---\n§\n",
            ".opencode/agent/all.md": "---\ndescription: ¶\nmode: all\n---\n§\n",
            ".opencode/agent/off.md": "---\ndescription: ¶\ndisable: true\n---\n§\n",
            ".opencode/agent/hidden.md": "---\ndescription: ¶\nhidden: true\n---\n§\n",
            ".opencode/agent/deep/in.md": _COMMAND,
            ".opencode/agent/named.md": _AGENT.format(name="other"),
            ".opencode/agent/Upper.md": _COMMAND,
            ".opencode/agent/two words.md": _COMMAND,
            ".opencode/agent/general.md": _COMMAND,
            ".opencode/agent/quoted.md": "---\ndescription: '7 ¶'\n---\n§\n",
            ".opencode/agent/text.txt": _COMMAND,
        },
    ),
    *(
        Fixture(
            f"opencode-agents-alike-{number}",
            tools=_OPENCODE,
            files={f"{folder}/twin.md": _COMMAND for folder in folders},
            start="sub" if any("sub" in folder for folder in folders) else "",
        )
        for number, folders in enumerate(
            (
                (".opencode/agent", "~/.config/opencode/agent"),
                (".opencode/agent", "~/.opencode/agent"),
                ("~/.config/opencode/agents", "~/.opencode/agents"),
                (".opencode/agent", "sub/.opencode/agent"),
            ),
            1,
        )
    ),
    Fixture(
        "gemini-agents",
        tools=_GEMINI,
        files={
            "GEMINI.md": "§\n",
            "~/.gemini/agents/b.md": _AGENT.format(name="zed"),
            "~/.gemini/agents/a.md": _AGENT.format(name="beta"),
            "~/.gemini/agents/c.md": "---\ndescription: ¶\n---\n§",
            "~/.gemini/agents/d.md": "---\nname: dd\n---\n§ ¶",
            "~/.gemini/agents/deep/f.md": _AGENT.format(name="deep"),
            "~/.gemini/agents/g.md": _AGENT.format(name="twin"),
            "~/.gemini/agents/h.md": _AGENT.format(name="twin"),
            "~/.gemini/agents/_i.md": _AGENT.format(name="under"),
            "~/.gemini/agents/j.md": _AGENT.format(name="Upper"),
            "~/.gemini/agents/k.md": _AGENT.format(name="two words"),
            "~/.gemini/agents/l.md": _AGENT.format(name="hy-phen_us"),
            "~/.gemini/agents/m.md": _AGENT.format(name="with-key\ncolor: red"),
            "~/.gemini/agents/n.md": _AGENT.format(name="with-model\nmodel: gemini-2.5-pro"),
            "~/.gemini/agents/o.md": _AGENT.format(name="tools\ntools:\n  - read_file"),
            "~/.gemini/agents/p.md": _AGENT.format(name="7"),
            ".gemini/agents/own.md": _AGENT.format(name="own"),
        },
    ),
    *(
        Fixture(
            f"codex-agents-{name}",
            tools=("codex",),
            files={
                "AGENTS.md": "§\n",
                "~/.codex/agents/b.toml": _ROLE.format(name="zed"),
                "~/.codex/agents/a.toml": _ROLE.format(name="beta"),
                "~/.codex/agents/c.toml": 'description = "¶"\ndeveloper_instructions = "§"\n',
                "~/.codex/agents/d.toml": 'name = "dd"\ndeveloper_instructions = "§ ¶"\n',
                "~/.codex/agents/e.toml": 'name = "ee"\ndescription = "¶"\n',
                "~/.codex/agents/bad.toml": "name = [ ¶\n",
                "~/.codex/agents/deep/f.toml": _ROLE.format(name="deep"),
                "~/.codex/agents/h.toml": _ROLE.format(name="Upper"),
                "~/.codex/agents/i.toml": _ROLE.format(name="two words"),
                "~/.codex/agents/twin.toml": _ROLE.format(name="twin"),
                "~/.codex/agents/text.md": _AGENT.format(name="text"),
                ".codex/agents/own.toml": _ROLE.format(name="own"),
                ".codex/agents/twin.toml": _ROLE.format(name="twin"),
                "sub/.codex/agents/low.toml": _ROLE.format(name="low"),
                **settings,
            },
            start=start,
        )
        for name, start, settings in (
            ("untrusted", "", {}),
            ("untrusted-below", "sub", {}),
            ("trusted", "", {"~/.codex/config.toml": _TRUSTED}),
            ("trusted-below", "sub", {"~/.codex/config.toml": _TRUSTED}),
        )
    ),
    *(
        Fixture(
            f"opencode-stopped-by-{name}",
            tools=_OPENCODE,
            files={"AGENTS.md": "§\n", ".opencode/agent/ok.md": _COMMAND, **files},
            start=start,
            stops=True,
        )
        for name, start, files in (
            *(
                (
                    f"agents-{key}-{number}",
                    "",
                    {".opencode/agents/bad.md": f"---\ndescription: ¶\n{key}: {value}\n---\n§\n"},
                )
                for key, values in _STOPPING.items()
                for number, value in enumerate(values, 1)
            ),
            ("no-description", "", {".opencode/agents/bad.md": "---\ndescription:\n---\n§\n"}),
            ("a-colon", "", {".opencode/agents/bad.md": "---\ndescription: a: ¶\nmode: x\n---\n"}),
            ("a-readme", "", {".opencode/agents/deep/README.md": "---\nmode: x\n---\n§\n"}),
            ("a-persons-agent", "", {"~/.config/opencode/agent/a.md": "---\nmode: x\n---\n§\n"}),
            ("a-persons-other-agent", "", {"~/.opencode/agent/a.md": "---\nmode: x\n---\n§\n"}),
            ("above", "sub", {".opencode/agent/bad.md": "---\nmode: x\n---\n§\n"}),
            ("a-command", "", {".opencode/command/c.md": "---\ndescription: [a]\n---\n§\n"}),
            ("a-commands-subtask", "", {".opencode/commands/c.md": "---\nsubtask: x\n---\n§\n"}),
            ("settings-mode", "", {"opencode.json": '{"agent": {"a": {"mode": "x"}}}'}),
            ("settings-tools", "", {"opencode.json": '{"agent": {"a": {"tools": ["x"]}}}'}),
            ("settings-agent", "", {"opencode.json": '{"agent": {"a": "x"}}'}),
            ("settings-agents", "", {"opencode.json": '{"agent": 7}'}),
            ("settings-command", "", {"opencode.json": '{"command": {"a": {"agent": "x"}}}'}),
            ("settings-list", "", {"opencode.json": "[]"}),
            ("settings-model", "", {"opencode.json": '{"model": null}'}),
            (
                "settings-server",
                "",
                {"opencode.json": '{"mcp": {"a": {"type": "local", "command": "npx"}}}'},
            ),
            (
                "settings-question",
                "",
                {"opencode.json": '{"permission": {"question": {"*": "ask"}}}'},
            ),
            ("settings-broken", "", {"opencode.json": '{"instructions": ["x.md"'}),
            ("settings-instructions", "", {"opencode.json": '{"instructions": ["x.md", 7]}'}),
            ("a-persons-settings", "", {"~/.config/opencode/opencode.json": '{"agent": 7}'}),
        )
    ),
    *(
        Fixture(f"claude-style-{name}", tools=("claude-code",), files=files)
        for name, files in (
            (
                "of-the-project",
                {
                    ".claude/settings.json": _STYLE,
                    ".claude/output-styles/deep/terse.md": _SKILL.format(name="Terse"),
                    "~/.claude/output-styles/terse.md": _SKILL.format(name="Terse"),
                    ".claude/rules/a.md": "§\n",
                    ".claude/skills/a/SKILL.md": _SKILL.format(name="a"),
                    ".claude/agents/bee.md": _AGENT.format(name="bee"),
                    "CLAUDE.md": "§\n",
                    "CLAUDE.local.md": "§\n",
                    "~/.claude/CLAUDE.md": "§\n",
                },
            ),
            (
                "of-a-person",
                {
                    "~/.claude/settings.json": _STYLE,
                    "~/.claude/output-styles/Terse.md": "§\n",
                    ".claude/output-styles/other.md": _SKILL.format(name="terse"),
                    "CLAUDE.md": "§\n",
                },
            ),
            (
                "of-two",
                {
                    ".claude/settings.json": '{"outputStyle": "x"}',
                    ".claude/settings.local.json": _STYLE,
                    ".claude/output-styles/a.md": _SKILL.format(name="Terse"),
                    ".claude/output-styles/b.md": _SKILL.format(name="Terse"),
                    ".claude/output-styles/x.md": "§\n",
                    "CLAUDE.md": "§\n",
                },
            ),
            (
                "of-none",
                {
                    ".claude/output-styles/Terse.md": _SKILL.format(name="Terse"),
                    "CLAUDE.md": "§\n",
                },
            ),
            (
                "of-no-yaml",
                {
                    ".claude/settings.json": _STYLE,
                    ".claude/output-styles/Terse.md": "---\nname: [\n---\n§\n",
                    "CLAUDE.md": "§\n",
                },
            ),
        )
    ),
    *(
        Fixture(
            f"claude-links-to-{name}",
            tools=("claude-code",),
            files={"CLAUDE.md": "§\n", **dict.fromkeys(agents, _BEE)},
            links=links,
        )
        for name, agents, links in (
            ("an-agent", ("docs/bee.md",), {".claude/agents/bee.md": "../../docs/bee.md"}),
            ("all-agents", ("docs/a/bee.md",), {".claude/agents": "../docs/a"}),
            ("more-agents", ("docs/a/bee.md",), {".claude/agents/more": "../../docs/a"}),
            (
                "a-persons-agent",
                ("~/dots/bee.md",),
                {"~/.claude/agents/bee.md": "../../dots/bee.md"},
            ),
            ("a-persons-agents", ("~/dots/bee.md",), {"~/.claude/agents": "../dots"}),
            ("one-agent-twice", (".claude/agents/bee.md",), {".claude/agents/z.md": "bee.md"}),
            ("all-of-it", ("dots/agents/bee.md",), {".claude": "dots"}),
        )
    ),
    *(
        Fixture(
            f"claude-links-to-memory-{name}",
            tools=("claude-code",),
            files={
                "CLAUDE.md": "§\n",
                ".claude/settings.json": _CLAUDE_LEAD,
                ".claude/agents/lead.md": _LEADS.format(more=f"memory: {scope}\n"),
                memory: "§\n",
            },
            links=links,
        )
        for name, scope, memory, links in (
            (
                "here",
                "project",
                "docs/agent-memory/MEMORY.md",
                {".claude/agent-memory/lead": "../../docs/agent-memory"},
            ),
            (
                "of-all",
                "project",
                "docs/agent-memory/lead/MEMORY.md",
                {".claude/agent-memory": "../docs/agent-memory"},
            ),
            (
                "outside",
                "project",
                "../far/agent-memory/MEMORY.md",
                {".claude/agent-memory/lead": "../../../far/agent-memory"},
            ),
            (
                "file",
                "project",
                "docs/agent-memory/m.md",
                {".claude/agent-memory/lead/MEMORY.md": "../../../docs/agent-memory/m.md"},
            ),
            (
                "local",
                "local",
                "docs/agent-memory/MEMORY.md",
                {".claude/agent-memory-local/lead": "../../docs/agent-memory"},
            ),
            (
                "of-a-person",
                "user",
                "~/docs/agent-memory/MEMORY.md",
                {"~/.claude/agent-memory/lead": "../../docs/agent-memory"},
            ),
        )
    ),
    *(
        Fixture(
            f"claude-begins-{name}",
            tools=("claude-code",),
            start=start,
            files={**_ROUND_LEAD, ".claude/agents/lead.md": _LEADS.format(more=more), **files},
        )
        for name, more, start, files in (
            ("with-an-agent", "", "", {}),
            ("with-its-memory", "memory: project\n", "", _MEMORIES_OF_LEAD),
            ("with-a-persons-memory", "memory: user\n", "", _MEMORIES_OF_LEAD),
            ("with-a-local-memory", "memory: local\n", "", _MEMORIES_OF_LEAD),
            ("with-what-it-says-first", "initialPrompt: say §1\n", "", {}),
            ("without-its-skills", "skills: [one]\nomitClaudeMd: true\n", "", {}),
            ("without-lists", "tools: Read, Grep\n", "", {}),
            ("with-no-tools-but-agents", "tools: Read, Agent\n", "", {}),
            ("with-one-agent-to-call", "tools: Read Agent(bee)\n", "", {}),
            ("with-two-agents-to-call", "tools: ['Agent(bee, lead)', Read]\n", "", {}),
            ("without-an-agent-to-call", "disallowedTools: Task(bee)\n", "", {}),
            ("without-skills", "disallowedTools: Skill\n", "", {}),
            ("with-all-tools", "tools: Read, '*'\n", "", {}),
            ("with-a-persons-settings", "", "", _OF_A_PERSON),
            ("with-local-settings", "", "", {".claude/settings.local.json": '{"agent": "bee"}'}),
            (
                "with-none-by-local-settings",
                "",
                "",
                {".claude/settings.local.json": '{"agent": ""}'},
            ),
            ("with-another-case", "", "", {".claude/settings.json": '{"agent": "Lead"}'}),
            ("with-no-body", "memory: project\n", "", _NO_BODY),
            ("with-two-alike", "", "", {".claude/agents/z/a.md": _LEADS.format(more="")}),
            (
                "below",
                "memory: project\n",
                "sub",
                {
                    "sub/.claude/settings.json": _CLAUDE_LEAD,
                    ".claude/agent-memory/lead/MEMORY.md": "§\n",
                    "sub/.claude/agent-memory/lead/MEMORY.md": "§\n",
                },
            ),
            (
                "below-with-the-nearest",
                "",
                "sub",
                {
                    "sub/.claude/settings.json": _CLAUDE_LEAD,
                    "sub/.claude/agents/lead.md": _LEADS.format(more=""),
                },
            ),
            (
                "and-a-style",
                "",
                "",
                {
                    ".claude/settings.json": '{"agent": "lead", "outputStyle": "Terse"}',
                    ".claude/output-styles/Terse.md": "§\n",
                },
            ),
        )
    ),
    *(
        Fixture(
            f"claude-denies-{name}",
            tools=("claude-code",),
            files={**_MAY_BE_DENIED, ".claude/settings.json": _DENIES.format(rules=rules)},
        )
        for name, rules in (
            ("nothing", "Bash(rm *)"),
            ("to-read", "Read"),
            ("to-read-a-file", "Read(./CLAUDE.md)"),
            ("to-read-in-any-case", "Read(claude.MD)"),
            ("to-read-what-is-imported", "Read(docs/**)"),
            ("to-read-rules", 'Read(.claude/**)", "Read(~/.claude/**)'),
            ("to-read-from-the-top", "Read(/⌂/CLAUDE.md)"),
            ("to-read-from-the-settings", "Read(/CLAUDE*)"),
            ("to-read-all-but-one", 'Read(*.md)", "Read(!CLAUDE.md)'),
            ("to-read-in-braces", "Read({CLAUDE,x}.md)"),
            ("to-read-folders", "Read(CLAUDE.md/)"),
            ("to-edit", "Edit(CLAUDE.md)"),
            ("skills", "Skill"),
            ("a-skill", "Skill(one)"),
            ("agents", "Task"),
            ("an-agent", "Agent(bee)"),
            ("agents-of-a-pattern", "Agent(be*)"),
        )
    ),
    *(
        Fixture(f"claude-denies-{name}", tools=("claude-code",), start=start, files=files)
        for name, start, files in (
            (
                "what-stands-before-another",
                "",
                {
                    ".claude/settings.json": _DENIES.format(rules="Read(CLAUDE.md)"),
                    "CLAUDE.md": "§\n",
                    "AGENTS.md": "§\n",
                },
            ),
            (
                "below",
                "sub",
                {
                    "sub/.claude/settings.json": _DENIES.format(rules="Read(CLAUDE.md)"),
                    "CLAUDE.md": "§\n",
                    "sub/CLAUDE.md": "§\n",
                },
            ),
            (
                "from-a-persons-settings",
                "",
                {
                    "~/.claude/settings.json": _DENIES.format(rules="Read(/CLAUDE.md)"),
                    "CLAUDE.md": "§\n",
                },
            ),
            (
                "in-two-files",
                "",
                {
                    "~/.claude/settings.json": _DENIES.format(rules="Read(*.md)"),
                    ".claude/settings.json": _DENIES.format(rules="Read(!CLAUDE.md)"),
                    "CLAUDE.md": "§\n",
                },
            ),
            (
                "all",
                "",
                {**_MAY_BE_DENIED, "~/.claude/settings.json": _DENIES.format(rules="Read(*)")},
            ),
        )
    ),
    *(
        Fixture(
            f"{tool}-prompt-{name}",
            tools=(tool,),
            start=start,
            stops=name.startswith("no-"),
            files={
                text.format(own=own): said.format(own=own, key=key)
                for text, said in {**_ROUND_A_PROMPT, **files}.items()
            },
        )
        for tool, own, key in (
            ("gemini", ".gemini", "GEMINI_SYSTEM_MD"),
            ("qwen-code", ".qwen", "QWEN_SYSTEM_MD"),
        )
        for name, start, files in (
            ("that-is-usual", "", {"{own}/.env": "{key}=1\n"}),
            ("that-is-true", "", {".env": "A=1\nexport {key} = 'TRUE' # yes\n"}),
            ("at-a-path", "", {"{own}/.env": "{key}=./sys.md\n"}),
            ("of-a-person", "", {"~/{own}/.env": "{key}=~/{own}/system.md\n"}),
            ("of-home", "", {"~/.env": "{key}=1\n"}),
            ("that-is-off", "", {"{own}/.env": "{key}=0\n"}),
            ("that-is-empty", "", {"{own}/.env": "{key}=\n"}),
            ("of-the-nearest", "", {"{own}/.env": "{key}=sys.md\n", ".env": "{key}=1\n"}),
            ("of-another-key", "", {"{own}/.env": "A=1\n", ".env": "{key}=1\n"}),
            ("of-two-lines", "", {".env": "{key}=1\n{key}=sys.md\n"}),
            ("behind-a-project", "", {".env": "A=1\n", "~/{own}/.env": "{key}=1\n"}),
            ("behind-a-project-at-home", "", {".env": "A=1\n", "~/.env": "{key}=1\n"}),
            ("of-settings", "", {"{own}/settings.json": '{{"env": {{"{key}": "1"}}}}'}),
            ("from-above", "sub", {"~/.env": "{key}=~/{own}/system.md\n"}),
            ("no-file", "", {"{own}/.env": "{key}=none.md\n"}),
            ("no-file-below", "sub", {"{own}/.env": "{key}=1\n"}),
            (
                "with-lists",
                "",
                {
                    "{own}/.env": "{key}=1\n",
                    "{own}/system.md": "§1 ${{AgentSkills}} §2 ${{SubAgents}}\n",
                },
            ),
        )
    ),
    *(
        Fixture(
            f"codex-says-{name}",
            tools=("codex",),
            start=start,
            stops=name.startswith("no-"),
            files={**_ROUND_CODEX, **files},
        )
        for name, start, files in (
            ("more", "", {_OF_CODEX: 'developer_instructions = """\n§1\n\n§2\n"""\n' + _TRUSTED}),
            ("what-it-is", "", {_OF_CODEX: 'instructions = "§1"\n' + _TRUSTED}),
            (
                "all",
                "",
                {
                    _OF_CODEX: 'instructions = "§1"\ndeveloper_instructions = "§2"\n'
                    'model_instructions_file = "sys.md"\n' + _TRUSTED,
                    "~/.codex/sys.md": "§\n",
                },
            ),
            ("nothing", "", {_OF_CODEX: 'developer_instructions = ""\n' + _TRUSTED}),
            (
                "more-where-it-is-trusted",
                "",
                {_OF_CODEX: 'instructions = "§1"\n' + _TRUSTED, _CODEX_HERE: _SAYS_MORE},
            ),
            ("nothing-where-it-is-not-trusted", "", {_OF_CODEX: "", _CODEX_HERE: _SAYS_MORE}),
            (
                "nothing-where-it-is-untrusted",
                "",
                {_OF_CODEX: _NOT_TRUSTED, _CODEX_HERE: _SAYS_MORE},
            ),
            (
                "what-the-nearest-says",
                "sub",
                {_CODEX_HERE: _SAYS_MORE, f"sub/{_CODEX_HERE}": _SAYS_MORE},
            ),
            (
                "what-both-say",
                "sub",
                {_CODEX_HERE: _SAYS_MORE, f"sub/{_CODEX_HERE}": 'instructions = "§1"\n'},
            ),
            (
                "a-file-from-above",
                "sub",
                {_CODEX_HERE: 'model_instructions_file = "sys.md"\n', ".codex/sys.md": "§\n"},
            ),
            ("names", "sub", {_CODEX_HERE: 'project_doc_fallback_filenames = ["OTHER.md"]\n'}),
            ("less", "", {_CODEX_HERE: "project_doc_max_bytes = 0\n"}),
            ("no-file", "", {_OF_CODEX: 'model_instructions_file = "none.md"\n'}),
            ("no-profile", "", {_OF_CODEX: 'profile = "x"\n'}),
        )
    ),
    *(
        Fixture(
            f"codex-memories-{name}",
            tools=("codex",),
            files={
                **_ROUND_CODEX,
                "~/.codex/memories/memory_summary.md": "§\n",
                "~/.codex/memories/MEMORY.md": "§\n",
                "~/.codex/memories/raw_memories.md": "§\n",
                _OF_CODEX: users + _TRUSTED,
                _CODEX_HERE: own,
            },
        )
        for name, users, own in (
            ("off", "", ""),
            ("on", _REMEMBERS, ""),
            ("by-their-old-name", "[features]\nmemory_tool = true\n", ""),
            ("off-by-their-old-name", f"{_REMEMBERS}memory_tool = false\n", ""),
            ("not-used", f"{_REMEMBERS}[memories]\nuse_memories = false\n", ""),
            ("not-made", f"{_REMEMBERS}[memories]\ngenerate_memories = false\n", ""),
            ("of-a-project", "", _REMEMBERS),
            ("off-in-a-project", _REMEMBERS, "[features]\nmemories = false\n"),
            (
                "used-in-a-project",
                f"{_REMEMBERS}[memories]\nuse_memories = false\n",
                "[memories]\nuse_memories = true\n",
            ),
            ("with-no-instructions", f"project_doc_max_bytes = 0\n{_REMEMBERS}", ""),
        )
    ),
    Fixture(
        "codex-memories-too-long",
        tools=("codex",),
        files={
            _OF_CODEX: _REMEMBERS,
            "~/.codex/memories/memory_summary.md": _long("- §{}"),
        },
    ),
    *(
        Fixture(
            f"codex-stops-by-{name}",
            tools=("codex",),
            stops=not name.startswith("nothing"),
            files={**_ROUND_CODEX, _OF_CODEX: users, _CODEX_HERE: own},
        )
        for name, users, own in (
            ("no-toml", "a =\n", ""),
            ("a-key-twice", f'model = "a"\nmodel = "b"\n{_TRUSTED}', ""),
            ("no-toml-of-a-project", _TRUSTED, "a =\n"),
            ("nothing-where-it-is-not-trusted", "", "a =\n"),
            ("nothing-where-it-is-untrusted", _NOT_TRUSTED, "developer_instructions = 7\n"),
            ("nothing-unknown", f"none = 7\n{_TRUSTED}", ""),
            ("nothing-that-a-project-corrects", f"instructions = 7\n{_TRUSTED}", _SAYS_IT),
            ("a-number-for-a-text", f"developer_instructions = 7\n{_TRUSTED}", ""),
            ("a-number-of-a-project", _TRUSTED, "developer_instructions = 7\n"),
            ("a-text-for-bytes", f"project_doc_max_bytes = 'x'\n{_TRUSTED}", ""),
            ("fewer-bytes-than-none", f"project_doc_max_bytes = -1\n{_TRUSTED}", ""),
            ("a-text-for-names", f"project_doc_fallback_filenames = 'X.md'\n{_TRUSTED}", ""),
            ("a-number-for-a-name", f"project_doc_fallback_filenames = [7]\n{_TRUSTED}", ""),
            ("no-features", f"features = true\n{_TRUSTED}", ""),
            ("a-number-for-a-feature", f"[features]\nmemories = 1\n{_TRUSTED}", ""),
            ("no-memories", f"memories = true\n{_TRUSTED}", ""),
            ("another-level", '[projects."⌂"]\ntrust_level = "maybe"\n', ""),
            ("another-level-of-a-project", _TRUSTED, '[projects."/x"]\ntrust_level = "maybe"\n'),
            ("no-folders", "projects = 7\n", ""),
        )
    ),
    *(
        Fixture(
            f"gemini-includes-{name}",
            tools=_GEMINI,
            stops=name.startswith("no-"),
            files={
                "GEMINI.md": "§\n",
                "docs/GEMINI.md": "§\n",
                "docs/x": "",
                "lib/GEMINI.md": "§\n",
                "lib/sub/GEMINI.md": "§\n",
                at: f'{{"context": {{"includeDirectories": {said}}}}}',
            },
        )
        for name, at, said in (
            ("a-folder", ".gemini/settings.json", '["docs"]'),
            ("a-text", ".gemini/settings.json", '"./docs/"'),
            ("two-deep", ".gemini/settings.json", '["lib/sub", "docs"]'),
            ("none", ".gemini/settings.json", "[]"),
            ("a-persons", "~/.gemini/settings.json", '["lib"]'),
            ("no-folder", ".gemini/settings.json", '["docs", "none"]'),
            ("no-file", ".gemini/settings.json", '["docs/x"]'),
        )
    ),
    *(
        Fixture(
            f"gemini-keeps-{name}",
            tools=_GEMINI,
            start=start,
            files={"GEMINI.md": "§\n", "~/.gemini/GEMINI.md": "§\n", "sub/x": "", **files},
        )
        for name, start, files in (
            (
                "an-index",
                "",
                {
                    **_LISTED_BY_GEMINI,
                    f"{_KEPT_BY_GEMINI}/MEMORY.md": "§\n",
                    f"{_KEPT_BY_GEMINI}/GEMINI.md": "§\n",
                    f"{_KEPT_BY_GEMINI}/other.md": "§\n",
                },
            ),
            ("no-index", "", {**_LISTED_BY_GEMINI, f"{_KEPT_BY_GEMINI}/GEMINI.md": "§\n"}),
            (
                "an-empty-index",
                "",
                {
                    **_LISTED_BY_GEMINI,
                    f"{_KEPT_BY_GEMINI}/MEMORY.md": "\n",
                    f"{_KEPT_BY_GEMINI}/GEMINI.md": "§\n",
                },
            ),
            (
                "what-is-named",
                "",
                {
                    **_LISTED_BY_GEMINI,
                    ".gemini/settings.json": '{"context": {"fileName": "X.md"}}',
                    f"{_KEPT_BY_GEMINI}/X.md": "§\n",
                    f"{_KEPT_BY_GEMINI}/GEMINI.md": "§\n",
                },
            ),
            ("what-imports", "", {**_LISTED_BY_GEMINI, **_IMPORTS_IN_MEMORY}),
            ("by-its-folder", "", {"~/.gemini/tmp/shop/memory/MEMORY.md": "§\n"}),
            (
                "by-its-owner",
                "",
                {
                    "~/.gemini/tmp/other/memory/MEMORY.md": "§\n",
                    "~/.gemini/tmp/other/.project_root": "⌂",
                },
            ),
            (
                "of-another-owner",
                "",
                {
                    "~/.gemini/tmp/shop/memory/MEMORY.md": "§\n",
                    "~/.gemini/tmp/shop/.project_root": "/else",
                },
            ),
            (
                "of-another-by-the-list",
                "",
                {
                    "~/.gemini/projects.json": '{"projects": {"/else": "shop"}}',
                    "~/.gemini/tmp/shop/memory/MEMORY.md": "§\n",
                },
            ),
            (
                "one-that-another-took",
                "",
                {
                    **_LISTED_BY_GEMINI,
                    f"{_KEPT_BY_GEMINI}/MEMORY.md": "§\n",
                    "~/.gemini/tmp/shop-2/.project_root": "/else",
                },
            ),
            ("below", "sub", {**_LISTED_BY_GEMINI, f"{_KEPT_BY_GEMINI}/MEMORY.md": "§\n"}),
        )
    ),
    *(
        Fixture(
            f"opencode-begins-{name}",
            tools=_OPENCODE,
            files={"AGENTS.md": "§\n", **files},
            start=start,
            stops=name.startswith("no-"),
        )
        for name, start, files in (
            ("with-build", "", {".opencode/agents/build.md": _BEGINS}),
            ("with-build-of-no-mode", "", {".opencode/agents/build.md": _COMMAND}),
            (
                "with-another",
                "",
                {".opencode/agents/lead.md": _BEGINS, "opencode.json": _LEAD},
            ),
            (
                "with-one-for-all",
                "",
                {
                    ".opencode/agents/lead.md": _BEGINS.replace("primary", "all"),
                    "opencode.json": _LEAD,
                },
            ),
            (
                "with-a-persons",
                "",
                {
                    "~/.config/opencode/agents/lead.md": _BEGINS,
                    "~/.config/opencode/opencode.json": _LEAD,
                },
            ),
            (
                "below",
                "sub",
                {".opencode/agents/lead.md": _BEGINS, "opencode.json": _LEAD},
            ),
            (
                "with-settings",
                "",
                {
                    "opencode.json": '{"agent": {"build": {"prompt": "Say ¶"}}, "references": '
                    '{"docs": {"path": "docs", "description": "¶2"}}}'
                },
            ),
            ("with-a-mode", "", {"opencode.json": '{"mode": {"build": {"prompt": "Say ¶"}}}'}),
            (
                "with-both",
                "",
                {
                    "opencode.json": '{"agent": {"build": {"prompt": "Say ¶"}}}',
                    ".opencode/agents/build.md": _BEGINS,
                },
            ),
            (
                "with-an-empty-one",
                "",
                {
                    "opencode.json": '{"agent": {"build": {"prompt": "Say ¶"}}}',
                    ".opencode/agents/build.md": "---\ndescription: ¶\nmode: primary\n---\n",
                },
            ),
            (
                "with-plan",
                "",
                {
                    ".opencode/agents/plan.md": _BEGINS,
                    ".opencode/agents/build.md": _BEGINS,
                    "opencode.json": '{"default_agent": "plan"}',
                },
            ),
            (
                "with-plan-for-build",
                "",
                {
                    ".opencode/agents/aaa.md": _BEGINS,
                    ".opencode/agents/plan.md": _BEGINS,
                    "opencode.json": '{"agent": {"build": {"disable": true}}}',
                },
            ),
            (
                "with-the-only-one",
                "",
                {
                    ".opencode/agents/nnn.md": _BEGINS,
                    ".opencode/agents/sub.md": _BEGINS.replace("primary", "subagent"),
                    "opencode.json": '{"agent": {"build": {"disable": true}, '
                    '"plan": {"disable": true}}}',
                },
            ),
            (
                "in-the-folder",
                "",
                {
                    ".opencode/agents/lead.md": _BEGINS,
                    ".opencode/agents/other.md": _BEGINS,
                    ".opencode/opencode.json": '{"default_agent": "other"}',
                    "opencode.json": _LEAD,
                },
            ),
            ("no-nobody", "", {".opencode/agents/other.md": _BEGINS, "opencode.json": _LEAD}),
            (
                "no-helper",
                "",
                {
                    ".opencode/agents/lead.md": _BEGINS.replace("primary", "subagent"),
                    "opencode.json": _LEAD,
                },
            ),
            (
                "no-hidden",
                "",
                {
                    ".opencode/agents/lead.md": _BEGINS.replace("mode", "hidden: true\nmode"),
                    "opencode.json": _LEAD,
                },
            ),
            (
                "no-disabled",
                "",
                {
                    ".opencode/agents/lead.md": _BEGINS.replace("mode", "disable: true\nmode"),
                    "opencode.json": _LEAD,
                },
            ),
            ("no-built-in", "", {"opencode.json": '{"default_agent": "explore"}'}),
        )
    ),
    *(
        Fixture(
            f"opencode-settings-{name}",
            tools=_OPENCODE,
            files={"AGENTS.md": "§\n", **settings, **_plain("x.md", "y.md", "z.md", "~/u.md")},
        )
        for name, settings in (
            (
                "with-comments",
                {"opencode.json": '// a "b"\n{"instructions": ["x.md", /* , */ "y.md",],}'},
            ),
            ("jsonc", {"opencode.jsonc": '{"instructions": ["x.md"]}'}),
            ("in-their-folder", {".opencode/opencode.json": '{"instructions": ["x.md"]}'}),
            ("in-their-folder-jsonc", {".opencode/opencode.jsonc": '{"instructions": ["x.md"]}'}),
            (
                "persons-jsonc",
                {"~/.config/opencode/opencode.jsonc": '{"instructions": ["~/u.md"]}'},
            ),
            ("persons-config", {"~/.config/opencode/config.json": '{"instructions": ["~/u.md"]}'}),
            (
                "all",
                {
                    "~/.config/opencode/opencode.json": '{"instructions": ["~/u.md", "z.md"]}',
                    "opencode.json": '{"instructions": ["y.md"]}',
                    "opencode.jsonc": '{"instructions": ["x.md", "y.md"]}',
                },
            ),
            (
                "all-in-the-folder",
                {
                    "opencode.json": '{"instructions": ["z.md"]}',
                    ".opencode/opencode.json": '{"instructions": ["y.md"]}',
                    ".opencode/opencode.jsonc": '{"instructions": ["x.md"]}',
                },
            ),
        )
    ),
    *(
        Fixture(
            f"opencode-agents-of-settings{name}",
            tools=_OPENCODE,
            files={"AGENTS.md": "§\n", **files},
            start=start,
        )
        for name, start, files in (
            (
                "",
                "",
                {
                    "opencode.json": _AGENTS_SET,
                    ".opencode/agent/file.md": "---\nmode: subagent\n---\n§\n",
                    ".opencode/agent/both.md": _COMMAND,
                    ".opencode/agent/mid.md": _COMMAND,
                    "~/.config/opencode/agent/zed.md": _COMMAND,
                },
            ),
            (
                "-of-a-person",
                "",
                {
                    "~/.config/opencode/opencode.json": _AGENTS_SET,
                    "opencode.json": '{"agent": {"zed": {"description": "¶"}}}',
                    "~/.config/opencode/agent/both.md": _COMMAND,
                },
            ),
            (
                "-above",
                "sub",
                {
                    "opencode.json": _AGENTS_SET,
                    "sub/opencode.json": '{"agent": {"zed": {"description": "¶"}}}',
                },
            ),
            (
                "-and-files",
                "",
                {
                    "opencode.json": '{"agent": {"off": {"disable": true}, "only": {"mode": '
                    '"subagent"}, "pri": {"mode": "primary"}, "back": {"disable": true}}}',
                    ".opencode/agent/off.md": _COMMAND,
                    ".opencode/agent/pri.md": _COMMAND,
                    ".opencode/agent/only.md": _COMMAND,
                    ".opencode/agent/back.md": "---\ndescription: ¶\ndisable: false\n---\n§\n",
                    ".opencode/agent/two.md": "---\nmode: all\n---\n§\n",
                    "~/.config/opencode/agent/two.md": _COMMAND,
                },
            ),
        )
    ),
    Fixture(
        "opencode-agents-that-are-no-yaml",
        tools=_OPENCODE,
        files={
            "AGENTS.md": "§\n",
            **{
                f".opencode/agent/{name}.md": f"---\n{front}\n---\n§\n"
                for name, front in {
                    "list": "description: [¶",
                    "colon": "description: a: ¶",
                    "colon-primary": "description: a: ¶\nmode: primary",
                    "twice": "description: x\ndescription: ¶",
                    "quote": 'description: "¶',
                    "at": "description: @¶",
                    "star": "description: *¶",
                    "example": "description: ¶\nexample: <a>: b: c",
                    "fine": "description: ¶\ntools:\n  write: false\npermission:\n  edit: ask\n"
                    '  bash:\n    "git *": allow\nsteps: 3\ncolor: "#ff5733"\nhidden: True',
                }.items()
            },
            ".opencode/mode/old.md": "---\nmode: x\n---\n§\n",
            "sub/.opencode/agent/bad.md": "---\nmode: x\n---\n§\n",
            ".claude/agents/other.md": _AGENT.format(name="other\nmode: x"),
        },
    ),
    Fixture(
        "gemini-agents-with-odd-values",
        tools=_GEMINI,
        files={
            "GEMINI.md": "§\n",
            **_odd("~/.gemini/agents/{name}.md", _ODD_FOR_GEMINI),
        },
    ),
    Fixture(
        "copilot-agents-with-odd-values",
        tools=_COPILOT,
        files={
            "AGENTS.md": "§\n",
            **_odd(".github/agents/{name}.agent.md", _ODD_FOR_COPILOT),
            **_odd(
                ".claude/agents/{name}.md",
                {"c-tools": "tools: 7", "c-kept": "disable-model-invocation: true", "c-fine": ""},
            ),
        },
    ),
    Fixture(
        "copilot-table-of-rules-and-lists",
        tools=_COPILOT,
        files={
            "AGENTS.md": "§\n",
            ".github/instructions/a.instructions.md": _rule("applyTo: 'src/**'\ndescription: ¶"),
            ".claude/rules/r.md": _rule("paths: src/**\ndescription: ¶"),
            ".github/skills/s/SKILL.md": _SKILL.format(name="s"),
            ".github/agents/g.agent.md": _AGENT.format(name="g"),
            ".claude/commands/c.md": _COMMAND,
        },
    ),
    Fixture(
        "copilot-agents-by-their-places",
        tools=_COPILOT,
        files={
            "AGENTS.md": "§\n",
            **dict.fromkeys(
                (
                    ".github/agents/deep/x.agent.md",
                    ".github/agents/deep/more/y.agent.md",
                    ".github/agents/.hidden.agent.md",
                    ".github/agents/ignored.agent.md",
                    ".claude/agents/deep/w.md",
                    "lib/one.agent.md",
                ),
                _COMMAND,
            ),
            ".github/agents/deep/z.agent.md": _AGENT.format(name="zed"),
            "../.github/agents/up.agent.md": _AGENT.format(name="up"),
            ".gitignore": ".github/agents/ignored.agent.md\n",
        },
        links={".github/agents/link.agent.md": "../../lib/one.agent.md"},
    ),
    Fixture(
        "copilot-agents-without-a-checkout",
        tools=_COPILOT,
        files={
            ".github/agents/r.agent.md": _AGENT.format(name="r"),
            "sub/.github/agents/s.agent.md": _AGENT.format(name="s"),
            ".claude/agents/c.md": _AGENT.format(name="c"),
        },
        kind="folder",
        start="sub",
    ),
    Fixture(
        "qwen-lists-with-odd-values",
        tools=_QWEN,
        files={
            "QWEN.md": "§\n",
            **_odd(".qwen/agents/{name}.md", _ODD_AGENTS_FOR_QWEN),
            **_odd(".qwen/skills/{name}/SKILL.md", _ODD_SKILLS_FOR_QWEN),
            **_odd(".qwen/commands/{name}.md", _ODD_COMMANDS_FOR_QWEN),
        },
    ),
    Fixture(
        "codex-agents-with-odd-values",
        tools=("codex",),
        files={
            "AGENTS.md": "§\n",
            **{
                f"~/.codex/agents/{name}.toml": f"{_ROLE.format(name=name)}{more}\n"
                for name, more in _ODD_FOR_CODEX.items()
            },
            **_odd(
                ".agents/skills/{name}/SKILL.md",
                {"text": "metadata: x", "list": "metadata: [a]", "none": "metadata:"},
            ),
        },
    ),
    Fixture(
        "continue-skills-that-are-no-yaml",
        tools=("continue",),
        files={
            f".continue/skills/{name}/SKILL.md": (
                f"---\nname: {name}\ndescription: {said}\n---\n\n§\n"
            )
            for name, said in {
                "fine": "¶",
                "colon": "Use when: ¶",
                "at": "@¶",
                "dash": "- ¶",
                "gt": "> ¶",
                "quote": '"¶',
                "quoted": '"¶: a"',
            }.items()
        },
    ),
    Fixture(
        "claude-lists-with-odd-values",
        tools=("claude-code",),
        files={
            "CLAUDE.md": "§\n",
            **_odd(
                ".claude/agents/{name}.md",
                {"hooks-text": "hooks: x", "hooks-none": "hooks:", "hooks-map": "hooks: {a: b}"},
            ),
            **_odd(
                ".claude/commands/{name}.md",
                {"text": "paths: src/**", "list": "paths: [a, b]", "fine": ""},
            ),
        },
    ),
    Fixture(
        "skill-folders-that-are-links",
        files={
            **{f"lib/{name}/SKILL.md": _SKILL.format(name=name) for name in _LINKED.values()},
            **{
                f"{folder}/skills/own-{name}/SKILL.md": _SKILL.format(name=f"own-{name}")
                for folder, name in _LINKED.items()
            },
        },
        links={f"{f}/skills/{name}": f"../../lib/{name}" for f, name in _LINKED.items()},
    ),
    Fixture(
        "skill-files-that-are-links",
        files={
            **{f"lib/{name}/SKILL.md": _SKILL.format(name=name) for name in _LINKED.values()},
            "AGENTS.md": "§\n",
        },
        links={
            f"{folder}/skills/{name}/SKILL.md": f"../../../lib/{name}/SKILL.md"
            for folder, name in _LINKED.items()
        },
    ),
    Fixture(
        "skills-in-a-folder-that-is-a-link",
        files={
            f"lib-{name}/{name}/SKILL.md": _SKILL.format(name=name) for name in _LINKED.values()
        },
        links={f"{folder}/skills": f"../lib-{name}" for folder, name in _LINKED.items()},
    ),
    Fixture(
        "front-matter-between-odd-lines",
        files=_in_all(
            _LISTED,
            {
                form: f"{begins}name: {{name}}\ndescription: it does ¶\n{ends}\n§\n"
                for form, (begins, ends) in _FRONTS.items()
            },
        ),
    ),
    Fixture(
        "rules-between-odd-lines",
        files={
            path: text
            for place, (ending, key) in _RULED.items()
            for path, text in _in_all(
                {place: ending},
                {form: f"{a}{key}\n{b}\n- §\n" for form, (a, b) in _FRONTS.items()},
            ).items()
        },
        any_order=(".claude/rules",),
    ),
    Fixture(
        "front-matter-that-is-no-yaml",
        files=_in_all(
            _LISTED,
            {
                form: f"---\nname: {{name}}\n{_doubled(said)}\n---\n\nSteps\n\n§\n"
                for form, said in _NO_YAML.items()
            },
        ),
    ),
    Fixture(
        "commands-that-skills-keep-out",
        files={
            **{
                f"{folder}/skills/{name}/SKILL.md": (
                    f"---\nname: {said}\ndescription: ¶\ndisable-model-invocation: true\n---\n§\n"
                )
                for folder in (".claude", ".qwen", ".github")
                for name, said in (("alike", "alike"), ("named", "other"))
            },
            **{
                f"{folder}/commands/{name}.md": "---\ndescription: ¶\n---\n§\n"
                for folder in (".claude", ".qwen")
                for name in ("alike", "named", "other")
            },
            ".claude/commands/four.md": "----\ndescription: ¶\n----\n§\n",
            ".claude/commands/bare.md": "Say ¶\n",
        },
        tools=("claude-code", "copilot", "qwen-code"),
    ),
    Fixture(
        "copilot-rules-for-other-agents",
        tools=_COPILOT,
        files={
            **_odd(
                ".github/instructions/{name}.instructions.md",
                {
                    "text": "applyTo: '**'\nexcludeAgent: coding-agent",
                    "cloud": "applyTo: '**'\nexcludeAgent: cloud-agent",
                    "list": "applyTo: '**'\nexcludeAgent: [code-review, coding-agent]",
                    "comma": "applyTo: '**'\nexcludeAgent: coding-agent, code-review",
                    "other": "applyTo: '**'\nexcludeAgent: code-review",
                    "number": "applyTo: '**'\nexcludeAgent: 7",
                    "table": "applyTo: 'src/**'\nexcludeAgent: coding-agent",
                },
            ),
            ".claude/rules/rule.md": _rule("excludeAgent: coding-agent"),
            "AGENTS.md": _rule("excludeAgent: coding-agent"),
        },
    ),
    *(
        Fixture(
            f"qwen-rules-and-memory{ending}",
            tools=_QWEN,
            files={
                **_plain(
                    "QWEN.md",
                    ".qwen/QWEN.local.md",
                    ".qwen/rules/a.md",
                    ".qwen/rules/deep/b.md",
                    ".qwen/rules/.hidden/c.md",
                    ".qwen/rules/d.txt",
                    ".qwen/memory/MEMORY.md",
                    ".qwen/team-memory/x.md",
                    "other/.qwen/rules/o.md",
                    "sub/.qwen/rules/s.md",
                    "sub/.qwen/QWEN.local.md",
                    "~/.qwen/QWEN.local.md",
                    "~/.qwen/rules/u.md",
                    "~/.qwen/rules/deep/u.md",
                    "~/.qwen/memories/MEMORY.md",
                    "~/.qwen/memories/one.md",
                    "~/.qwen/projects/{root}/memory/MEMORY.md",
                    "~/.qwen/projects/{root}/memory/one.md",
                ),
                ".qwen/rules/list.md": _rule("paths: [src/**]"),
                ".qwen/rules/text.md": _rule("paths: src/**"),
                ".qwen/rules/all.md": _rule("paths: '**'"),
                ".qwen/rules/empty.md": _rule("paths: []"),
                ".qwen/rules/null.md": _rule("paths:"),
                ".qwen/rules/import.md": "- §\n\n@../../other.md\n",
                "other.md": "§\n",
                ".qwen/rules/comment.md": "<!-- §1 -->\n\n- §2\n",
                ".qwen/rules/nothing.md": "<!-- §1 -->\n",
            },
            start=start,
            kind=kind,
        )
        for ending, start, kind in (
            ("", "", "repository"),
            ("-below", "sub", "repository"),
            ("-without-git", "", "folder"),
        )
    ),
    Fixture(
        "qwen-memory-of-260-lines",
        tools=_QWEN,
        files={
            "~/.qwen/projects/{root}/memory/MEMORY.md": "".join(
                f"- §{number}\n" if number in (1, 199, 200, 201, 260) else f"- {number}\n"
                for number in range(1, 261)
            ),
            "~/.qwen/memories/MEMORY.md": "".join(f"- §{n} {'x' * 980}\n" for n in range(10, 40)),
        },
    ),
    Fixture(
        "claude-imports-of-a-denied-link",
        tools=_ONE,
        files={
            "CLAUDE.md": "§1\n@link.md\n@docs/../other.md\n",
            "docs/in.md": "§\n",
            "other.md": "§\n",
            **_settings(
                {_CLAUDE_HERE: {"permissions": {"deny": ["Read(link.md)", "Read(other.md)"]}}}
            ),
        },
        links={"link.md": "docs/in.md"},
    ),
    Fixture(
        "claude-notes-below-without-git",
        tools=_ONE,
        files=_plain("CLAUDE.md", "sub/CLAUDE.md", "~/.claude/projects/{root}/memory/MEMORY.md"),
        start="sub",
        kind="folder",
    ),
    Fixture(
        "claude-agent-without-memory",
        tools=_ONE,
        files={
            "CLAUDE.md": "§\n",
            ".claude/settings.json": '{"agent": "lead", "autoMemoryEnabled": false}',
            ".claude/agents/lead.md": _LEADS.format(more="memory: project\n"),
            **_MEMORIES_OF_LEAD,
        },
    ),
    *(
        Fixture(
            f"memory-of-{name}-beyond-ascii",
            tools=(tool,),
            files={
                f"{at}/MEMORY.md": "".join(
                    f"- {'§' if n in (1, 40, 60) else ''}{n} {'é' * 490}\n" for n in range(1, 61)
                ),
                **_plain("CLAUDE.md", "QWEN.md"),
                **more,
            },
        )
        for name, tool, at, more in (
            ("claude", "claude-code", "~/.claude/projects/{root}/memory", {}),
            ("qwen", "qwen-code", "~/.qwen/projects/{root}/memory", {}),
            (
                "an-agent",
                "claude-code",
                ".claude/agent-memory/lead",
                {
                    ".claude/settings.json": _CLAUDE_LEAD,
                    ".claude/agents/lead.md": _LEADS.format(more="memory: project\n"),
                },
            ),
        )
    ),
    *(
        Fixture(
            f"memory-of-{name}-{what}",
            tools=(tool,),
            files={f"{at}/MEMORY.md": text, **_plain("CLAUDE.md", "QWEN.md"), **more},
        )
        for name, tool, at, more in (
            ("claude", "claude-code", "~/.claude/projects/{root}/memory", {}),
            ("qwen", "qwen-code", "~/.qwen/projects/{root}/memory", {}),
            (
                "an-agent",
                "claude-code",
                ".claude/agent-memory/lead",
                {
                    ".claude/settings.json": _CLAUDE_LEAD,
                    ".claude/agents/lead.md": _LEADS.format(more="memory: project\n"),
                },
            ),
        )
        for what, text in (
            ("behind-blank-lines", "\n\r\n \u3000\n" * 80 + _numbered(1, 210, 1, 200, 202)),
            ("behind-nothing-blank", "\x1c\n\x85\n" + _numbered(1, 210, 1, 198, 200)),
            (
                "with-comments",
                _numbered(1, 50, 1, 50)
                + "\n<!-- §901\n-->\n\n"
                + _numbered(51, 210, 196, 198, 199, 201),
            ),
            (
                "in-pictures",
                "".join(
                    f"- {'§' if n < 48 or n > 49 else ''}{n} {'🐝' * 245}\n" for n in range(60)
                ),
            ),
        )
    ),
    *(
        Fixture(
            f"claude-memory-of-an-agent-called-{called}",
            tools=_ONE,
            files={
                "CLAUDE.md": "§\n",
                ".claude/settings.json": json.dumps({"agent": name}),
                ".claude/agents/f.md": _LEADS.format(more=f"memory: {scope}\n").replace(
                    "name: lead", f"name: {json.dumps(name, ensure_ascii=False)}"
                ),
                **{f"{at}/{folder}/MEMORY.md": "§\n" for folder in folders},
            },
        )
        for called, name, scope, at, folders in (
            ("by-letters", "Ünï", "project", _OF_AGENTS_HERE, ("-n-", "Ünï", "ünï", "Uni")),
            ("by-words", "two words", "project", _OF_AGENTS_HERE, ("two-words", "two words")),
            ("by-words-here", "a.b", "local", f"{_OF_AGENTS_HERE}-local", ("a-b", "a.b")),
            ("by-words-of-mine", "a b", "user", f"~/{_OF_AGENTS_HERE}", ("a-b", "a b")),
            ("by-a-path", "a/b", "project", _OF_AGENTS_HERE, ("a-b", "a/b", "a")),
            ("by-a-picture", "🐝", "project", _OF_AGENTS_HERE, ("-", "--", "🐝")),
            ("by-capitals", "Lead", "project", _OF_AGENTS_HERE, ("Lead", "lead")),
            ("by-other-capitals", "Lead", "project", _OF_AGENTS_HERE, ("lead",)),
            ("by-underscores", "a_b", "project", _OF_AGENTS_HERE, ("a_b", "a-b")),
        )
    ),
    Fixture(
        "qwen-memory-that-is-off",
        tools=_QWEN,
        files={
            ".qwen/settings.json": '{"memory": {"enableManagedAutoMemory": false}}',
            **_plain(
                "QWEN.md",
                ".qwen/rules/a.md",
                "~/.qwen/memories/MEMORY.md",
                "~/.qwen/projects/{root}/memory/MEMORY.md",
            ),
        },
    ),
    Fixture(
        "gemini-names-in-folders",
        tools=_GEMINI,
        files={
            ".gemini/settings.json": json.dumps(
                {"context": {"fileName": ["docs/TEAM.md", ".agents/lead.md", "./b.md", "TEAM.md"]}}
            ),
            **_plain(
                "AGENTS.md",
                "GEMINI.md",
                "TEAM.md",
                "b.md",
                "docs/TEAM.md",
                ".agents/lead.md",
                "sub/docs/TEAM.md",
                "~/.gemini/docs/TEAM.md",
                "~/.gemini/GEMINI.md",
                "~/.gemini/TEAM.md",
            ),
        },
    ),
    Fixture(
        "rules-that-are-links",
        tools=("cline", "copilot"),
        files=_plain(
            "lib/a.md",
            "lib/a.instructions.md",
            "lib/deep/b.md",
            "lib/deep/b.instructions.md",
            "lib/r.md",
            ".clinerules/mine.md",
            ".cline/rules/own.md",
        ),
        links={
            ".clinerules/a.md": "../lib/a.md",
            ".cline/rules/other.md": "../../lib/r.md",
            ".github/instructions/a.instructions.md": "../../lib/a.instructions.md",
            ".github/instructions/deep": "../../lib/deep",
            ".claude/rules/r.md": "../../lib/r.md",
            ".claude/rules/deep": "../../lib/deep",
        },
    ),
    Fixture(
        "folders-of-rules-that-are-links",
        tools=("cline", "copilot"),
        files=_plain("lib/a.md", "lib/a.instructions.md", "rules/r.md"),
        links={
            ".clinerules": "lib",
            ".github/instructions": "../lib",
            ".claude/rules": "../rules",
        },
    ),
    Fixture(
        "cline-rules-of-a-person",
        tools=_CLINE,
        files=_plain(
            "AGENTS.md",
            "~/.agents/AGENTS.md",
            "~/.cline/rules/a.md",
            "~/Cline/Rules/b.txt",
            "~/Documents/Cline/Rules/c.markdown",
            "~/.cline/rules/d.md",
            "~/Cline/Rules/d.md",
            "~/Documents/Cline/Rules/D.md",
            "~/.clinerules/e.md",
            "~/.cline/AGENTS.md",
            "~/AGENTS.md",
        ),
    ),
    Fixture(
        "cline-rules-in-order",
        tools=_CLINE,
        files=_plain(
            "AGENTS.md",
            *(
                f".clinerules/{name}.md"
                for name in (
                    *("10-a", "2-b", "B", "a", "é", "_x", "-y", ".g", "a b", "a.b", "a-b", "ab"),
                    *("a_b", "[x]", "#y", "日", "ß", "ü", "uu", "zebra", "Yak"),
                )
            ),
        ),
    ),
    *(
        Fixture(
            f"cline-rule-{name}",
            tools=_CLINE,
            files={"AGENTS.md": "§\n", ".clinerules/m.md": "§\n", at: text},
        )
        for name, at, text in (
            *(
                (name, ".clinerules/r.md", f"---\n{front}\n---\n§\n")
                for name, front in (
                    ("off", "disabled: true"),
                    ("not-on", "enabled: false"),
                    ("on-and-not-off", "enabled: true\ndisabled: false"),
                    ("not-on-and-not-off", "enabled: false\ndisabled: false"),
                    ("not-on-and-nothing", "disabled:\nenabled: false"),
                    ("off-in-words", "disabled: 'true'"),
                    ("off-by-yes", "disabled: yes"),
                    ("named", "name: aaa"),
                    ("named-by-a-number", "name: 7"),
                    ("named-by-a-date", "name: 2024-01-01"),
                    ("named-by-nothing", "name: ''"),
                    ("for-some-files", "paths:\n  - src/**"),
                    ("for-a-number", "paths: 7"),
                    ("for-a-bare-glob", "paths: **/*.ts"),
                    ("of-cursor", "description:\nglobs: *.ts\nalwaysApply: false"),
                    ("with-two-colons", "description: one: two"),
                    ("with-an-open-list", "a: ["),
                    ("with-a-key-twice", "a: 1\na: 2"),
                    ("with-a-tab", "\ta: 1"),
                    ("with-an-at", "a: @x"),
                    ("with-a-tag", "name: !foo bar"),
                    ("with-a-text", "just text"),
                    ("with-a-list", "- a"),
                    ("with-nothing", ""),
                )
            ),
            ("behind-a-line", ".clinerules/r.md", "\n---\ndisabled: true\n---\n§\n"),
            ("behind-blanks", ".clinerules/r.md", "--- \ndisabled: true\n---\n§\n"),
            ("behind-a-mark", ".clinerules/r.md", "\ufeff---\ndisabled: true\n---\n§\n"),
            ("before-four-dashes", ".clinerules/r.md", "---\ndisabled: true\n----\n§\n"),
            ("before-dots", ".clinerules/r.md", "---\ndisabled: true\n...\n§\n"),
            ("of-windows", ".clinerules/r.md", "---\r\ndisabled: true\r\n---\r\n§\r\n"),
            ("without-text", ".clinerules/r.md", "---\na: 1 # §\n---\n\n"),
            ("called-as-agents", ".clinerules/r.md", "---\nname: Workspace AGENTS.md\n---\n§\n"),
            ("off-of-agents", "AGENTS.md", "---\ndisabled: true\n---\n§\n"),
            ("unread-of-agents", "AGENTS.md", "---\na: [\n---\n§\n"),
            ("named-of-agents", "AGENTS.md", "---\nname: aa\n---\n§\n"),
            ("off-hides", ".cline/rules/m.md", "---\ndisabled: true\n---\n§\n"),
            ("off-of-a-person-hides", "~/.cline/rules/M.md", "---\nenabled: false\n---\n§\n"),
            ("with-a-fault-hides-not", ".cline/rules/m.md", "---\ndisabled: 7\n---\n§\n"),
        )
    ),
    Fixture(
        "cline-one-file-off",
        tools=_CLINE,
        files={"AGENTS.md": "§\n", ".clinerules": "---\ndisabled: true\n---\n§\n"},
    ),
    Fixture(
        "cline-lists-nothing",
        tools=_CLINE,
        files={
            "AGENTS.md": "§ @docs/in.md <!-- §1 -->\n",
            "docs/in.md": "§\n",
            **{
                f"{folder}/one-{at}/SKILL.md": _SKILL.format(name=f"one-{at}")
                for at, folder in enumerate(
                    (".cline/skills", ".clinerules/skills", ".agents/skills", "~/.cline/skills")
                )
            },
            ".cline/workflows/x.md": _COMMAND,
            "~/.cline/workflows/y.md": _COMMAND,
            ".cline/agents/a.md": _AGENT.format(name="a"),
            ".clinerules/agents/b.md": _AGENT.format(name="b"),
        },
    ),
    Fixture(
        "cline-rules-called-alike",
        tools=("cline",),
        files={
            **_plain(
                ".clinerules/a.md",
                ".cline/rules/A.md",
                ".clinerules/c.md",
                "~/Documents/Cline/Rules/c.md",
                ".clinerules/z.md",
                ".cline/rules/e.md",
            ),
            ".clinerules/d.md": _rule("name: e"),
            ".clinerules/y.md": _rule("name: zz"),
        },
    ),
    *(
        Fixture(
            f"settings-of-gemini-{name}",
            tools=_GEMINI,
            files={**_ROUND_SETTINGS, ".gemini/settings.json": said, **more},
            links=links,
            stops=stops,
        )
        for name, said, more, links, stops in (
            ("with-comments", '// a\n{"context": {"fileName": "X.md"} /* b */}\n', {}, {}, False),
            ("end-in-a-comma", '{"context": {"fileName": "X.md"},}', {}, {}, True),
            ("with-a-mark", '\ufeff{"context": {"fileName": "X.md"}}', {}, {}, True),
            ("cut-off", '{"context": {"fileName": "X.md"}', {}, {}, True),
            ("that-are-a-list", "[]", {}, {}, True),
            ("that-are-empty", "", {}, {}, True),
            ("with-a-number-for-a-name", '{"context": {"fileName": ["X.md", 7]}}', {}, {}, True),
            ("with-a-number-for-folders", '{"context": {"includeDirectories": 7}}', {}, {}, True),
            ("that-disable-a-skill", '{"skills": {"disabled": ["ONE"]}}', {}, {}, False),
            ("without-skills", '{"skills": {"enabled": false}}', {}, {}, False),
            (
                "that-include-a-link",
                '{"context": {"includeDirectories": ["l"]}}',
                {
                    "lib/GEMINI.md": "§\n",
                    "lib/.gemini/skills/far/SKILL.md": _SKILL.format(name="far"),
                },
                {"l": "lib"},
                False,
            ),
            (
                "that-exclude-a-variable",
                '{"advanced": {"excludedEnvVars": ["GEMINI_SYSTEM_MD"]}}',
                {".env": "GEMINI_SYSTEM_MD=sys.md\n", "sys.md": "§\n"},
                {},
                False,
            ),
            (
                "that-exclude-a-variable-of-its-own-folder",
                '{"advanced": {"excludedEnvVars": ["GEMINI_SYSTEM_MD"]}}',
                {".gemini/.env": "GEMINI_SYSTEM_MD=sys.md\n", "sys.md": "§\n"},
                {},
                False,
            ),
            (
                "and-a-prompt-that-is-a-link",
                "{}",
                {".env": "\ufeffGEMINI_SYSTEM_MD: l.md\n", "sys.md": "§\n"},
                {"l.md": "sys.md"},
                False,
            ),
        )
    ),
    *(
        Fixture(
            f"settings-of-qwen-{name}",
            tools=_QWEN,
            files={**_ROUND_SETTINGS, ".qwen/settings.json": said, **more},
            stops=stops,
        )
        for name, said, more, stops in (
            ("with-comments", '// a\n{"context": {"fileName": "X.md"} /* b */}\n', {}, False),
            ("end-in-a-comma", '{"context": {"fileName": "X.md"},}', {}, False),
            ("that-are-a-list", "[]", {}, True),
            ("with-a-number-for-a-name", '{"context": {"fileName": ["X.md", 7]}}', {}, True),
            (
                "that-disable-skills",
                '{"skills": {"disabled": ["ONE", "c"]}, "slashCommands": {"disabled": ["d"]}}',
                {
                    "~/.qwen/settings.json": '{"skills": {"disabled": ["two"]}}',
                    ".qwen/skills/two/SKILL.md": _SKILL.format(name="two"),
                    ".qwen/commands/c.md": _COMMAND,
                    ".qwen/commands/d.md": _COMMAND,
                },
                False,
            ),
            (
                "that-exclude-a-variable",
                '{"advanced": {"excludedEnvVars": ["QWEN_SYSTEM_MD"]}}',
                {".env": "QWEN_SYSTEM_MD=sys.md\n", "sys.md": "§\n"},
                False,
            ),
            (
                "and-a-variable-behind-a-mark",
                "{}",
                {".env": "\ufeffQWEN_SYSTEM_MD: sys.md\n", "sys.md": "§\n"},
                False,
            ),
        )
    ),
    *(
        Fixture(
            f"settings-of-codex-{name}",
            tools=("codex",),
            files={**_ROUND_CODEX, _OF_CODEX: f"{users}{_TRUSTED}", _CODEX_HERE: said, **more},
            links=links,
            stops=stops,
        )
        for name, users, said, more, links, stops in (
            ("with-a-mark", "\ufeff", f"\ufeff{_SAYS_MORE}", {}, {}, False),
            ("cut-off", "", "a = [\n", {}, {}, True),
            ("of-a-person-cut-off", "a = [\n", "", {}, {}, True),
            ("with-a-number-for-a-text", "", "developer_instructions = 3\n", {}, {}, True),
            ("with-a-text-for-a-number", "", 'project_doc_max_bytes = "5"\n', {}, {}, True),
            (
                "with-another-trust",
                '[projects."/else"]\ntrust_level = "Trusted"\n',
                "",
                {},
                {},
                True,
            ),
            (
                "and-a-prompt-that-is-a-link",
                "",
                'model_instructions_file = "l.md"\n',
                {"p.md": "§\n"},
                {".codex/l.md": "../p.md"},
                False,
            ),
            (
                "and-a-blank-prompt",
                "",
                'model_instructions_file = "p.md"\n',
                {".codex/p.md": "\n"},
                {},
                True,
            ),
            ("and-no-name-of-a-prompt", "", 'model_instructions_file = ""\n', {}, {}, True),
            (
                "that-turn-skills-off",
                '[[skills.config]]\nname = "one"\nenabled = false\n'
                '[[skills.config]]\npath = "⌂/.agents/skills/two/SKILL.md"\nenabled = false\n',
                '[[skills.config]]\nname = "three"\nenabled = false\n',
                {
                    ".agents/skills/two/SKILL.md": _SKILL.format(name="two"),
                    ".agents/skills/three/SKILL.md": _SKILL.format(name="three"),
                },
                {},
                False,
            ),
            ("without-skills", "[skills]\ninclude_instructions = false\n", "", {}, {}, False),
            *(
                (f"with-a-wrong-{name}", f"{said}\n", "", {}, {}, True)
                for name, said in (
                    ("approval-policy", 'approval_policy = "sometimes"'),
                    ("sandbox-mode", 'sandbox_mode = "none"'),
                    ("effort", 'model_reasoning_effort = ""'),
                    ("search", "web_search = true"),
                    ("notify", 'notify = "x"'),
                    ("markers", 'project_root_markers = ".hg"'),
                    ("theme-of-none", "tui = 5"),
                )
            ),
            *(
                (f"with-a-wrong-{name}-here", "", f"{said}\n", {}, {}, stops)
                for name, said, stops in (
                    ("approval-policy", "approval_policy = 5", True),
                    ("sandbox-mode", 'sandbox_mode = "Read-Only"', True),
                    ("server", '[mcp_servers.x]\nargs = ["a"]', True),
                    ("notify", 'notify = "x"', False),
                )
            ),
            (
                "with-a-server-in-both",
                '[mcp_servers.x]\ncommand = "x"\nenabled = false\n',
                '[mcp_servers.x]\nargs = ["a"]\n',
                {},
                {},
                False,
            ),
        )
    ),
    *(
        Fixture(
            f"settings-of-claude-{name}",
            tools=_ONE,
            files={
                **_ROUND_SETTINGS,
                **_beginning("one", "two"),
                **_settings(said),
            },
            start=start,
        )
        for name, start, said in (
            *(
                (f"with-a-wrong-{key.lower()}", "", {_CLAUDE_HERE: {**_NO_SKILL, key: wrong}})
                for key, wrong in (
                    ("model", 5),
                    ("agent", None),
                    ("env", []),
                    ("claudeMdExcludes", "x"),
                    ("autoMemoryEnabled", "no"),
                    ("sandbox", "x"),
                )
            ),
            (
                "with-a-wrong-mode",
                "",
                {_CLAUDE_HERE: {"permissions": {"deny": ["Skill"], "defaultMode": "nope"}}},
            ),
            (
                "with-a-wrong-rule",
                "",
                {_CLAUDE_HERE: {"permissions": {"deny": ["Skill", 7, "Foo("]}}},
            ),
            ("and-right-ones-beside", "", {_CLAUDE_HERE: {"model": 5}, _CLAUDE_OWN: _NO_SKILL}),
            ("of-the-checkout", "sub", {_CLAUDE_OWN: _NO_SKILL, f"sub/{_CLAUDE_HERE}": {}}),
            (
                "of-the-checkout-that-win",
                "sub",
                {
                    _CLAUDE_OWN: {"agent": "one"},
                    f"sub/{_CLAUDE_OWN}": {"agent": "two"},
                },
            ),
            ("between", "sub/deep", {f"sub/{_CLAUDE_OWN}": _NO_SKILL}),
            (
                "that-override-skills",
                "",
                {
                    _CLAUDE_HERE: {
                        "skillOverrides": {
                            "one": "name-only",
                            "two": "off",
                            "Three": "off",
                            "c": "user-invocable-only",
                            "in:d": "off",
                            "e": "off",
                        }
                    },
                    _CLAUDE_OWN: {"skillOverrides": {"two": "on"}},
                    "~/.claude/settings.json": {"skillOverrides": {"one": "off"}},
                },
            ),
        )
    ),
    *(
        Fixture(
            f"codex-tops-{name}",
            tools=_CODEX_ALONE,
            files={
                **_plain("AGENTS.md", "sub/AGENTS.md", "sub/low/AGENTS.md", "../AGENTS.md"),
                "sub/.hg/x": "",
                "../mark": "",
                ".agents/skills/one/SKILL.md": _SKILL.format(name="one"),
                "sub/.agents/skills/two/SKILL.md": _SKILL.format(name="two"),
                "sub/low/.agents/skills/three/SKILL.md": _SKILL.format(name="three"),
                _OF_CODEX: f"{said}{_TRUSTED}",
                _CODEX_HERE: _SAYS_MORE + here,
                f"sub/{_CODEX_HERE}": _SAYS_IT,
                ".codex/agents/a.toml": _ROLE.format(name="a"),
            },
            start="sub/low",
            kind=kind,
        )
        for name, said, here, kind in (
            ("by-another-mark", 'project_root_markers = [".hg"]\n', "", "repository"),
            ("by-two-marks", 'project_root_markers = [".git", ".hg"]\n', "", "repository"),
            ("without-git", 'project_root_markers = [".hg"]\n', "", "folder"),
            ("by-no-mark", "project_root_markers = []\n", "", "repository"),
            ("by-a-blank-mark", 'project_root_markers = [""]\n', "", "repository"),
            ("by-a-mark-that-is-not-there", 'project_root_markers = ["no"]\n', "", "repository"),
            ("by-a-mark-above", 'project_root_markers = ["mark"]\n', "", "repository"),
            ("by-a-path", 'project_root_markers = ["sub/AGENTS.md"]\n', "", "repository"),
            ("by-a-mark-of-the-project", "", 'project_root_markers = [".hg"]\n', "repository"),
        )
    ),
    *(
        Fixture(
            f"{tool}-imports-{name}",
            tools=(asked,),
            files={
                own: "§\n",
                f"~/.{folder}/{own}": "§\n",
                **_plain("docs/a.md", "~/mine.md", "../o.md", f"~/.{folder}/x.md"),
                **{at.format(own=own, folder=folder): text for at, text in said.items()},
            },
            start=start,
            kind=kind,
        )
        for tool, asked, own, folder in (
            ("gemini", "gemini", "GEMINI.md", "gemini"),
            ("qwen", "qwen-code", "QWEN.md", "qwen"),
        )
        for name, kind, start, said in (
            ("by-whole-paths", "repository", "", {"{own}": "§ @⌂/docs/a.md @⌂/../o.md\n"}),
            ("from-the-home-folder", "repository", "", {"{own}": "§ @~/mine.md\n"}),
            (
                "of-a-person",
                "repository",
                "",
                {"~/.{folder}/{own}": "§1\n@⌂/docs/a.md\n@../mine.md\n@x.md\n§2\n"},
            ),
            ("out-of-a-folder", "folder", "sub", {"sub/{own}": "§ @../docs/a.md @⌂/docs/a.md\n"}),
            (
                "out-of-a-checkout-below",
                "repository",
                "sub",
                {"sub/{own}": "§ @../docs/a.md\n", "sub/.git/HEAD": "x"},
            ),
            ("up-in-a-checkout", "repository", "sub", {"sub/{own}": "§ @../docs/a.md\n"}),
            (
                "through-a-folder",
                "folder",
                "",
                {"{own}": "§ @sub/b.md\n", "sub/b.md": "§ @../docs/a.md\n"},
            ),
        )
    ),
    *(
        Fixture(
            f"continue-rule-{name}",
            tools=_CONTINUE,
            files={"AGENTS.md": "§\n", ".continue/rules/a.md": f"---\n{front}\n---\n§\n"},
        )
        for name, front in (
            ("to-call", "invokable: true"),
            ("to-call-and-always", "invokable: true\nalwaysApply: true"),
            ("not-to-call", "invokable: false"),
            ("with-an-empty-always", "alwaysApply:"),
            ("with-an-empty-regex", 'regex: ""'),
            ("with-a-regex", "regex: x"),
            ("with-empty-globs", 'globs: ""'),
        )
    ),
    Fixture(
        "cline-rules-in-capitals",
        tools=_CLINE,
        files=_plain(
            ".clinerules/a.MD",
            ".clinerules/b.TXT",
            ".clinerules/c.md",
            ".clinerules/sub/d.MD",
            ".cline/rules/e.MARKDOWN",
            "~/.cline/rules/f.MD",
            "~/Documents/Cline/Rules/g.TXT",
        ),
    ),
    *(
        Fixture(
            f"qwen-{whose}-settings-{name}",
            tools=_QWEN,
            files={**_plain("QWEN.md", "~/.qwen/QWEN.md"), f"{at}.qwen/settings.json": said},
            stops=stops and whose == "own",
        )
        for whose, at in (("own", "~/"), ("project", ""))
        for name, said, stops in (
            ("cut-off", '{"context": {', True),
            ("empty", "", True),
            ("with-a-comma-too-many", '{"context": {"fileName": "X.md"},}', True),
            ("with-a-mark", '\ufeff{"context": {"fileName": "X.md"}}', False),
        )
    ),
    Fixture(
        "gemini-skills-deep-below",
        tools=_GEMINI,
        files={
            f"{folder}/skills/{place}/SKILL.md": _SKILL.format(name=f"{name}-{at}")
            for at, folder in enumerate((".agents", ".gemini", "~/.agents", "~/.gemini"))
            for place, name in (("near", "near"), ("deep/far", "far"))
        },
    ),
)
"""Each is asked of every tool."""
