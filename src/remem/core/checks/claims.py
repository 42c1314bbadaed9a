"""Memory that says what the project says otherwise: scripts, managers, versions, ports, symbols.

Only what can be looked up is held against it, and only where the project says something of the
kind: a script is missed where there are scripts, a port where configuration names ports. Sentences
that deny (`never use npm`) claim nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from remem.base.errors import UnsafeName
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.issue import Issue
from remem.core.checks.suspicious import entry_at
from remem.core.library import Library
from remem.model.citation import Citation
from remem.model.entry import Problem
from remem.model.memo import kept
from remem.model.source import Source
from remem.store.io import Disk, Unreadable
from remem.store.paths import contained

CLAIM: Final = "claim"
NOT_LOOKED_UP: Final = "claim-not-looked-up"
_MOST: Final = 1 << 20
"""Bytes of a file in which claims are looked for."""
_CONFIG: Final = 512 * 1024
_LINE: Final = 2_000
"""Characters of a line that are looked through for another command."""
_FEW: Final = 8
"""Claims of one kind and file that are told."""
_DENIED: Final = re.compile(
    r"\b(?:never|not|don['’]t|no longer|avoid|instead of|rather than|without|nicht|nie|statt)\b"
    r"[^.;\n]{0,40}$",
    re.IGNORECASE,
)
_LOCKS: Final[Mapping[str, str]] = {
    "package-lock.json": "npm",
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "uv.lock": "uv",
    "poetry.lock": "poetry",
    "pdm.lock": "pdm",
    "Pipfile.lock": "pipenv",
}
_SCRIPTS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
_COMMAND: Final = re.compile(
    r"\b(?P<manager>npm|pnpm|yarn|bun|uv|poetry|pdm|pipenv)\s+"
    r"(?P<verb>install|add|ci|i|sync|lock|run|remove|update|test|exec)\b"
    r"(?:[ \t]+(?P<script>[A-Za-z][\w:.-]*))?"
)
_FOR_THE_MACHINE: Final = re.compile(r"[^\n;&|`]*\s(?:-g|--global)\b|\s+global\b")
"""Behind a command: it installs for the machine, with whatever manager that has."""
_MAKE: Final = re.compile(r"`(?:[^`\n]*[;&|]\s*)?make[ \t]+(?P<target>[A-Za-z][\w.-]*)[^`\n]*`")
_TARGET: Final = re.compile(r"^(?P<target>[A-Za-z][\w.-]*)\s*::?(?!=)", re.MULTILINE)
_VERSION: Final = re.compile(
    r"\b(?P<name>Node(?:\.js|JS)?|Python)\s+v?(?P<version>\d+(?:\.\d+){0,2})(?![\w.]*\d)(?!\s*\+)",
    re.IGNORECASE,
)
_PORT: Final = re.compile(r"(?:\bport\s+|\blocalhost:|\b127\.0\.0\.1:)(?P<port>\d{4,5})\b")
_TASK: Final = re.compile(
    r"`(?:[^`\n]*[;&|]\s*)?(?:uv run |poetry run |pdm run )?(?P<runner>poe|hatch run)[ \t]+"
    r"(?P<task>[A-Za-z][\w:.-]*)[^`\n]*`"
)
_CODE: Final = r"(?P<path>(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]{1,5})"
_DOTTED: Final = r"(?P<symbol>[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*)"
_SYMBOL: Final = re.compile(rf"`{_CODE}::{_DOTTED}(?:\(\))?`")
_SYMBOL_IN: Final = re.compile(rf"`{_DOTTED}(?:\(\))?`\s+(?:in|from|of|\()\s*`{_CODE}`")
_BRINGS_IN: Final = re.compile(
    r"^\s*(?:import|from|export|use|using|require|#include)\b", re.MULTILINE
)
_NAMED_PORT: Final = re.compile(rb"\b\d{4,5}\b")
_PINS: Final[Mapping[str, tuple[str, ...]]] = {
    "node": (".nvmrc", ".node-version"),
    "python": (".python-version",),
}
_PORT_FILES: Final = (
    *(".env", ".env.example", ".env.local", ".env.sample", "docker-compose.yml", "compose.yml"),
    *("docker-compose.yaml", "compose.yaml", "vite.config.ts", "vite.config.js", "package.json"),
    *(".env.local.example", ".env.development", "playwright.config.ts", "playwright.config.js"),
)
_USUAL_PORTS: Final = frozenset(
    b"1433 1521 2181 3306 5432 5672 6379 9092 9200 11211 11434 27017".split()
)
"""Those that services listen on as they come, which nobody has to configure."""
_DEFAULT_PORTS: Final[Mapping[str, tuple[bytes, ...]]] = {
    "angular.json": (b"4200",),
    "vite.config.ts": (b"5173", b"4173"),
    "vite.config.js": (b"5173", b"4173"),
}
"""The same of what serves a project while it is written, by the file that tells of it."""
_SERVED: Final = ("Dockerfile", *_PORT_FILES)
"""The files of a part of the project, `frontend/` say, that name its ports."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that a file says of the project."""

    kind: str
    """`script`, `make`, `task`, `manager`, `node`, `python`, `port`, `symbol`, `name`."""
    name: str
    at: int
    """Byte offset."""


def claim_issues(library: Library) -> Iterator[Issue]:
    """Yield what memory says of the project and the project says otherwise, at the first place."""
    root, disk = library.ground.root, library.ground.disk
    told = [(source, _claims(source)) for source in library.sources if _is_asked(library, source)]
    if not any(claims for _, claims in told):
        return
    project = _Project(disk, root)
    yield from _not_judged(project, told)
    for source, claims in told:
        seen: dict[str, int] = {}
        for claim in claims:
            answer = project.denies(claim)
            seen[claim.kind] = seen.get(claim.kind, 0) + bool(answer)
            if answer and seen[claim.kind] <= _FEW:
                yield _issue(source, claim, answer)


def _not_judged(
    project: _Project, told: Sequence[tuple[Source, tuple[Claim, ...]]]
) -> Iterator[Issue]:
    """Say that symbols were not looked up, where what looks them up is not installed."""
    if find_spec("ast_grep_py") is not None:
        return
    every = {c.name for _, claims in told for c in claims if c.kind == "symbol"}
    named = [name for name in every if project.has_file(name.partition("::")[0])]
    if named:
        what = f"{count(named, 'symbol')} that memory names"
        message, hint = f"did not look up {what} in code", "`pip install 'remem[code]'`"
        yield Issue(Problem(NOT_LOOKED_UP, message, hint))


def _is_asked(library: Library, source: Source) -> bool:
    is_ours = library.ground.root in source.path.parents and not source.archived
    return is_ours and bool(source.data) and len(source.data) <= _MOST


@kept
def _claims(source: Source) -> tuple[Claim, ...]:
    """Return what a file claims, each thing once; a source is read once."""
    if source.path.suffix not in (".md", ".mdc", ".yaml", ".yml", ".txt", ""):
        return ()
    text = source.data.decode("utf-8", "replace")
    found: dict[tuple[str, str], int] = {}
    for kind, name, start in _found(text):
        if not _DENIED.search(text[max(start - 80, 0) : start]):
            found.setdefault((kind, name), start)
    return tuple(
        Claim(kind, name, len(text[:start].encode("utf-8", "replace")))
        for (kind, name), start in found.items()
    )


def _found(text: str) -> Iterator[tuple[str, str, int]]:
    for match in _COMMAND.finditer(text):
        if _FOR_THE_MACHINE.match(text, match.end("verb")) is not None:
            continue
        if _names_several(text, match.start(), match["manager"]):
            continue
        yield "manager", match["manager"], match.start()
        if match["verb"] == "run" and match["manager"] in _SCRIPTS and match["script"]:
            yield "script", match["script"].rstrip(".:-"), match.start()
    for match in _MAKE.finditer(text):
        yield "make", match["target"], match.start()
    for match in _TASK.finditer(text):
        yield "task", f"{match['runner'].split()[0]} {match['task']}", match.start()
    for match in _SYMBOL.finditer(text):
        yield "symbol", f"{match['path']}::{match['symbol']}", match.start()
    for match in _SYMBOL_IN.finditer(text):
        yield "name", f"{match['path']}::{match['symbol']}", match.start()
    for match in _VERSION.finditer(text):
        name = "python" if match["name"].casefold() == "python" else "node"
        yield name, match["version"], match.start()
    for match in _PORT.finditer(text):
        yield "port", match["port"], match.start()


def _names_several(text: str, at: int, manager: str) -> bool:
    """Tell whether the line has the command of another manager too: one is as good as the other."""
    if manager not in _SCRIPTS:
        return False
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)][:_LINE]
    return bool({m["manager"] for m in _COMMAND.finditer(line)} & (_SCRIPTS - {manager}))


def _issue(source: Source, claim: Claim, answer: str) -> Issue:
    said = {"script": "the script", "make": "`make`", "port": "port"}
    said |= dict.fromkeys(("manager", "task", "symbol", "name"), "")
    word = said.get(claim.kind, claim.kind.capitalize())
    line = source.data.count(b"\n", 0, claim.at) + 1
    problem = Problem(
        CLAIM,
        f"`{source.name}` says {word} `{claim.name}`, but {answer}".replace("  ", " "),
        "write what is true now, or take the line out",
        source.path,
        line,
    )
    entry = entry_at(source, claim.at)
    return Issue(problem, entry.ref if entry is not None else None)


class _Project:
    """What the files of a project say, each read when it is first asked for."""

    def __init__(self, disk: Disk, root: Path) -> None:
        self._disk = disk
        self._root = root
        self._names = disk.names(root)
        self._known: dict[str, object] = {}

    def denies(self, claim: Claim) -> str:
        """Return what the project says instead; empty = nothing, or nobody can tell."""
        return {
            "script": self._script,
            "make": self._make,
            "task": self._task,
            "symbol": self._symbol,
            "name": self._name,
            "manager": self._manager,
            "node": lambda version: self._version("node", version, 1),
            "python": lambda version: self._version("python", version, 2),
            "port": self._port,
        }[claim.kind](claim.name)

    def _once(self, name: str, read: Callable[[], Any]) -> Any:
        if name not in self._known:
            self._known[name] = read()
        return self._known[name]

    def _read(self, path: Path) -> bytes:
        try:
            data = self._disk.read(path) if self._disk.kind(path) == "file" else b""
        except Unreadable:
            return b""
        return data if len(data) <= _CONFIG else b""

    def _parts(self) -> list[Path]:
        """Return the root, the folders in it, and the packages that some of these hold."""
        places = [self._root]
        for name in self._names:
            folder = self._root / name
            if name[0] not in "._" and name != "node_modules" and self._is_folder(folder):
                places.append(folder)
                if name in ("packages", "apps", "services"):
                    places += [folder / each for each in self._disk.names(folder)]
        return places

    def _packages(self) -> Mapping[str, Any]:
        """Return the scripts of the project and of the packages in it."""
        scripts: dict[str, Any] = {}
        for place in self._once("parts", self._parts):
            try:
                told = json.loads(self._read(place / "package.json") or b"{}")
            except ValueError:
                return {}
            own = told.get("scripts") if isinstance(told, dict) else None
            scripts |= own if isinstance(own, dict) else {}
        return scripts

    def _is_folder(self, path: Path) -> bool:
        return self._disk.kind(path) == "folder"

    def _script(self, name: str) -> str:
        scripts = self._once("scripts", self._packages)
        if not scripts or name in scripts:
            return ""
        return "no `package.json` here has that script"

    def _make(self, name: str) -> str:
        def targets() -> set[str]:
            data = self._read(self._root / "Makefile").decode("utf-8", "replace")
            return set() if "include " in data else {m["target"] for m in _TARGET.finditer(data)}

        found = self._once("make", targets)
        return "`Makefile` has no such target" if found and name not in found else ""

    def _task(self, name: str) -> str:
        """Answer for what `pyproject.toml` alone defines; a script may be any program there is."""
        runner, _, task = name.partition(" ")

        def tasks() -> dict[str, set[str]]:
            try:
                told = tomllib.loads(self._read(self._root / "pyproject.toml").decode())
            except (ValueError, UnicodeDecodeError):
                return {}
            poe = _below(told, "tool", "poe", "tasks")
            environments = _below(told, "tool", "hatch", "envs")
            hatch = [_below(each, "scripts") for each in environments.values()]
            return {"poe": {*poe}, "hatch": {script for each in hatch for script in each}}

        found = self._once("tasks", tasks).get(runner)
        is_there = not found or task.rpartition(":")[2] in found or task in found
        return "" if is_there else "`pyproject.toml` defines no such task"

    def has_file(self, name: str) -> bool:
        """Tell whether a name is a file inside the root."""
        return bool(self._code(name))

    def _code(self, name: str) -> str:
        try:
            path = contained(self._root, Path(name))
        except UnsafeName:
            return ""
        text: str = self._once(name, lambda: self._read(path).decode("utf-8", "replace"))
        return text

    def _symbol(self, name: str) -> str:
        path, _, symbol = name.partition("::")
        text = self._code(path)
        if not text or not _lacks(text, path, symbol):
            return ""
        return f"`{path}` defines no `{symbol}`"

    def _name(self, name: str) -> str:
        """Answer for `X` in a file, which may as well be used there as defined."""
        path, _, symbol = name.partition("::")
        text, last = self._code(path), re.split(r"::|\.", symbol)[-1]
        if not text or re.search(rf"(?<![\w$]){re.escape(last)}(?![\w$])", text):
            return ""
        return f"`{last}` does not occur there" if _is_code(path) else ""

    def _manager(self, name: str) -> str:
        of_js = name in _SCRIPTS
        locks = [lock for lock in _LOCKS if lock in self._names]
        own = [lock for lock in locks if (_LOCKS[lock] in _SCRIPTS) is of_js]
        if not own or any(_LOCKS[lock] == name for lock in own):
            return ""
        return f"`{own[0]}` is of {_LOCKS[own[0]]}"

    def _version(self, name: str, version: str, parts: int) -> str:
        said = version.split(".")[:parts]
        for file in _PINS[name]:
            pinned = self._read(self._root / file).decode("utf-8", "replace").strip()
            match = re.fullmatch(r"v?(\d+(?:\.\d+)*)", pinned)
            if match is not None:
                own = match[1].split(".")[:parts]
                differs = own[: len(said)] != said[: len(own)]
                return f"`{file}` says {pinned}" if differs else ""
        return self._oldest(said) if name == "python" else ""

    def _oldest(self, said: list[str]) -> str:
        def least() -> str:
            try:
                told = tomllib.loads(self._read(self._root / "pyproject.toml").decode())
            except (ValueError, UnicodeDecodeError):
                return ""
            project = told.get("project")
            return str(project.get("requires-python") or "") if isinstance(project, dict) else ""

        wanted = self._once("python", least)
        match = re.match(r">=\s*(\d+)\.(\d+)", wanted)
        if match is None or len(said) < 2:
            return ""
        is_older = (int(said[0]), int(said[1])) < (int(match[1]), int(match[2]))
        return f"`pyproject.toml` wants {wanted}" if is_older else ""

    def _port(self, name: str) -> str:
        def ports() -> set[bytes]:
            parts: list[Path] = self._once("parts", self._parts)
            files = [p / each for p in parts for each in _SERVED if each in self._disk.names(p)]
            texts = map(self._read, files)
            told = {found for text in texts for found in _NAMED_PORT.findall(text)}
            names = {name for part in parts for name in self._disk.names(part)}
            served = (usual for name, usual in _DEFAULT_PORTS.items() if name in names)
            return told | {port for usual in served for port in usual} if told else told

        has_ports = any(
            b"port" in self._read(self._root / each).lower() for each in _PORT_FILES[:8]
        )
        found = self._once("ports", ports)
        if not has_ports or not found or name.encode() in found | _USUAL_PORTS:
            return ""
        return "no configuration here names it"


@lru_cache(maxsize=256)
def _lacks(text: str, path: str, symbol: str) -> bool:
    """Tell whether a file surely does not define a symbol, by its syntax."""
    from remem.code.symbols_and_keys import Failed, NotJudged, judge

    name = re.split(r"::|\.", symbol)[-1]
    for match in _BRINGS_IN.finditer(text):
        line, _, _ = text[match.start() :].lstrip().partition("\n")
        if name in line or "*" in line:
            return False  # it is another file's, and can be had from this one
    try:
        return isinstance(judge(text.splitlines(), Citation(path, 0, 0, symbol=symbol)), Failed)
    except NotJudged:
        return False


def _is_code(path: str) -> bool:
    from remem.code.symbols_and_keys import is_code

    return is_code(path)


def _below(value: Any, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}
