"""The review gate: holds rules of memory against the lines that a change adds (FORMATS 1.9).

A rule is checked by its `detect:`; a decision without one by the alternatives it turned down. What
no machine can check is said to be skipped. It reads code that it is given, and runs none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from remem.base.text import count
from remem.code.changed import ChangedFile, Looked
from remem.core.checks.patterns import NotChecked, TooSlow, holds, places, require_pattern
from remem.model.compliance import Check, Compliance, Outcome, Rule, Violation
from remem.model.detect import AstPattern, Detect
from remem.model.globs import is_inside

_BRINGS_IN: Final = re.compile(
    r"^\s*(?:import|from|require|require_once|include|use|using|extern\s+crate|#\s*include)\b"
    r"|\b(?:require|import)\s*\("
    r"|^\s*(?:export|\}).*\bfrom\s+[\"']"
)
"""Lines of code that bring something in."""
_MANIFESTS: Final = (
    "package.json", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "environment.yml",
    "go.mod", "Cargo.toml", "Gemfile", "composer.json", "pom.xml", "build.gradle",
    "build.gradle.kts", "mix.exs", "pubspec.yaml", "Package.swift",
)  # fmt: skip
"""Files each line of which may name a dependency."""
_REQUIREMENTS: Final = re.compile(r"(?:requirements[\w.-]*\.(?:txt|in)|\.csproj)$")
_NAME_ENDS: Final = re.compile(r" — | - |:|\(")
_SHORTEST: Final = 3
"""Letters of a name that is searched for: a shorter one stands in every other line."""
_PACKAGES: Final[Mapping[str, Sequence[str]]] = {
    "mongodb": ("mongoose", "pymongo", "mongoengine"),
    "mongo": ("mongoose", "pymongo", "mongoengine"),
    "mysql": ("mysql2", "pymysql", "mysqlclient", "aiomysql", "MySQLdb"),
    "postgresql": ("pg", "pg-promise", "psycopg", "psycopg2", "asyncpg", "pgx"),
    "postgres": ("pg", "pg-promise", "psycopg", "psycopg2", "asyncpg", "pgx"),
    "sqlite": ("sqlite3", "better-sqlite3", "aiosqlite", "rusqlite"),
    "redis": ("ioredis", "aioredis", "go-redis", "redis-py"),
    "rabbitmq": ("amqplib", "pika", "aio-pika", "amqp"),
    "kafka": ("kafkajs", "kafka-python", "confluent-kafka", "sarama"),
    "elasticsearch": ("elasticsearch-dsl", "@elastic/elasticsearch"),
    "dynamodb": ("pynamodb", "dynamoose", "@aws-sdk/client-dynamodb"),
}
"""Packages by which code brings in a product, where they are not called after it."""
_OWN: Final = (".sniper/", ".remem/")
_PATIENCE: Final = 3
"""Files in which a pattern may take too long: among thousands it would take minutes."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a `detect:` finds."""

    violations: tuple[Violation, ...]
    """By path and line."""
    files: int
    """How many files it was held against."""
    missed: tuple[tuple[str, str], ...] = ()
    """Files that it could not be held against, each with the reason."""
    is_whole: bool = True
    """False = it was stopped before the last file."""


def comply(rules: Iterable[Rule], looked: Looked) -> Compliance:
    """Hold every rule against every file that it is about."""
    checks = tuple(_checked(rule, looked.files) for rule in rules)
    return Compliance(checks, len(looked.files), looked.unread)


def _checked(rule: Rule, files: Sequence[ChangedFile]) -> Check:
    check = Check(rule, Outcome.SKIP)
    detect = rule.detect
    if detect is not None and (detect.forbid is not None or detect.require is not None):
        return _detected(check, detect, files)
    if rule.turned_down is not None:
        return _consistent(check, rule.turned_down, files)
    why = "its hint is for people; `detect:` says what a machine checks"
    return replace(check, detail=why if rule.says("look at") else "it has no `detect:`")


def _detected(check: Check, detect: Detect, files: Sequence[ChangedFile]) -> Check:
    try:
        held = hold(detect, files)
    except NotChecked as problem:
        return replace(check, detail=_said(problem))
    missed = [f"{path}: {why}" for path, why in held.missed]
    check = replace(check, is_missing=detect.require is not None)
    return _judged(check, held.files, held.violations, missed, detect.message or "")


def hold(
    detect: Detect, files: Iterable[ChangedFile], stop: Callable[[], bool] = lambda: False
) -> Held:
    """Hold a `detect:` against the files that it is about.

    Args:
        detect: Forbids or requires something.
        files: Others than those that it is about are passed over.
        stop: Asked before each file; true = the rest is left out.

    Raises:
        NotChecked: What it forbids or requires is no pattern.
    """
    pattern = pattern_of(detect)
    require_pattern(pattern)
    held, slow = 0, 0
    found, missed = list[Violation](), list[tuple[str, str]]()
    for file in files:
        if stop():
            return Held(tuple(sorted(found)), held, tuple(missed), is_whole=False)
        file = _as_met(file, detect)
        if not is_about(file.path, detect) or not file.adds:
            continue
        if slow == _PATIENCE:
            missed.append((file.path, f"the pattern was stopped in {_PATIENCE} files before it"))
            continue
        try:
            found += _violations(detect, pattern, file)
            held += 1
        except NotChecked as problem:
            slow += isinstance(problem, TooSlow)
            missed.append((file.path, _said(problem)))
    return Held(tuple(sorted(found)), held, tuple(missed))


def _as_met(file: ChangedFile, detect: Detect) -> ChangedFile:
    """Return a file as a rule meets it: one that only now came under its globs is new to it."""
    return replace(file, added=None) if file.was and not is_about(file.was, detect) else file


def pattern_of(detect: Detect) -> str | AstPattern:
    """Return what is forbidden, else what is required.

    Raises:
        NotChecked: It is neither, or both: checked by one of them it would pass for the other.
    """
    if detect.forbid is not None and detect.require is not None:
        raise NotChecked("`detect:` forbids and requires", hint="make two rules of it")
    pattern = detect.forbid if detect.forbid is not None else detect.require
    if pattern is None:
        raise NotChecked("`detect:` neither forbids nor requires anything")
    return pattern


def is_about(path: str, detect: Detect) -> bool:
    """Tell whether a file is one of those that are held against it.

    Without globs that is every file but memory's own, where the rule stands with its examples.
    """
    if not detect.files:
        return not is_own(path)
    return _is_among(path, detect.files)


def is_own(path: str) -> bool:
    """Tell whether a file is one of memory's own, where rules stand with their examples."""
    return path.startswith(_OWN)


def _violations(detect: Detect, pattern: str | AstPattern, file: ChangedFile) -> list[Violation]:
    if detect.forbid is not None:
        return [Violation(file.path, place.line, place.text) for place in places(pattern, file)]
    return [] if holds(pattern, file) else [Violation(file.path, 1, "")]


@lru_cache(maxsize=65_536)
def _is_among(path: str, globs: tuple[str, ...]) -> bool:
    """Tell whether one of the globs has the path; many rules are about the same files."""
    return any(is_inside(path, glob) or _below(path, glob) for glob in globs)


def _below(path: str, glob: str) -> bool:
    """Read `src/` as all that lies below it."""
    return glob.endswith("/") and path.startswith(glob.removeprefix("./"))


def _judged(
    check: Check, files: int, found: Sequence[Violation], missed: Sequence[str], message: str
) -> Check:
    more = f" and {count(len(missed) - 1, 'more file')}" if len(missed) > 1 else ""
    left_out = f"not checked in {missed[0]}{more}" if missed else ""
    if not files and not found and not missed:
        return replace(check, detail="no file that was looked at concerns it")
    fine = Outcome.SKIP if missed else Outcome.PASS
    outcome = Outcome.WARN if found else fine
    return replace(
        check,
        outcome=outcome,
        files=files,
        violations=tuple(sorted(found)),
        detail=message,
        missed=left_out,
    )


def _consistent(check: Check, turned_down: Sequence[str], files: Sequence[ChangedFile]) -> Check:
    names = [*filter(None, map(_searchable, turned_down))]
    if not names:
        return replace(check, detail="it names no alternative that can be searched for")
    names += [re.escape(each) for one in turned_down for each in _packages_of(one)]
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(names)})(?![\w-])", re.IGNORECASE)
    found = [
        Violation(file.path, line, text)
        for file in files
        for line, text in _brought_in(file)
        if pattern.search(text)
    ]
    message = "it brings in what the decision turned down" if found else ""
    return _judged(check, sum(file.adds for file in files), found, (), message)


def _searchable(alternative: str) -> str:
    """Return the pattern of an alternative's name; empty where it is none to search for.

    A name of several words stands in code with hyphens, underscores or nothing between them.
    """
    words = re.split(r"[\s_-]+", alternative_name(alternative))
    if sum(map(len, words)) < _SHORTEST or len(words) > 3:
        return ""
    return "[ _-]?".join(map(re.escape, words))


def _packages_of(alternative: str) -> Sequence[str]:
    name = re.sub(r"[^a-z0-9]+", "", alternative_name(alternative).lower())
    return _PACKAGES.get(name, ())


def alternative_name(alternative: str) -> str:
    """Return the name that an alternative begins with: before ` — `, ` - `, `:` or `(`."""
    return _NAME_ENDS.split(alternative, maxsplit=1)[0].strip()


def _brought_in(file: ChangedFile) -> Iterator[tuple[int, str]]:
    is_manifest = file.path.rpartition("/")[2] in _MANIFESTS or _REQUIREMENTS.search(file.path)
    for line, text in enumerate(file.lines, 1):
        if file.is_added(line) and (is_manifest or _BRINGS_IN.search(text)):
            yield line, text


def _said(problem: NotChecked) -> str:
    return f"{problem} ({problem.hint})" if problem.hint else str(problem)
