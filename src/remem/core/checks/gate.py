"""The review gate: holds rules of memory against the lines that a change adds (FORMATS 1.9).

A rule is checked by its `detect:`; a decision without one by the alternatives it turned down. What
no machine can check is said to be skipped; what a comment allows at a place (`remem: allow RULE:
reason`), or the baseline knows, is counted and no violation. It reads code that it is given, and
runs none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from math import inf
from time import monotonic
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.code.changed_lines import ChangedFile, Looked, Tree
from remem.core.checks.code_imports import brings_something, brought_in, packages_of
from remem.core.checks.code_parts import language_of
from remem.core.checks.generated_files import told_apart
from remem.core.checks.patterns import (
    MOST,
    NotChecked,
    TooSlow,
    holds,
    pattern_of,
    places,
    require_pattern,
)
from remem.model.detect import (
    AstPattern,
    Check,
    Compliance,
    Detect,
    Outcome,
    Rule,
    Violation,
    mark_of,
)
from remem.model.globs import is_inside

_NAME_ENDS: Final = re.compile(r" — | - |:|\(")
_SHORTEST: Final = 3
"""Letters of a name that is searched for: a shorter one stands in every other line."""
_OWN: Final = (".sniper/", ".remem/")
_PATIENCE: Final = 3
"""Files in which a pattern may take too long: among thousands it would take minutes."""
_PARSING: Final = 20.0
"""Seconds that a pattern of syntax may take with all files; one of them cannot be interrupted."""
Baseline = Mapping[str, Mapping[str, int]]
"""Of a rule: marks of places that are known, each with how often; 0 = however often."""


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
    lacks: str = ""
    """`file` or `folder`, where what those lack was looked for; empty = what stands in files."""

    @property
    def told(self) -> str:
        """How much was found, in a few words."""
        if self.lacks:
            return f"missing in {len(self.violations):,} of {count(self.files, self.lacks)}"
        found = count(self.violations, "match", "matches")
        return f"{found}, {count(self.files, 'file')} searched"

    def places(self, most: int) -> Iterator[tuple[str, str]]:
        """Yield where the first of them are, and what stands there; nothing where it lacks."""
        for each in self.violations[: most or len(self.violations)]:
            if self.lacks:
                yield each.path, ""
            else:
                yield f"{each.path}:{each.line}", " ".join(each.snippet.split())


@dataclass(frozen=True, slots=True)
class _Given:
    """All that rules are held against."""

    files: tuple[ChangedFile, ...]
    passed: tuple[tuple[ChangedFile, str], ...]
    tree: Tree
    baseline: Baseline
    by_path: Mapping[str, ChangedFile]
    home: str
    notes: dict[str, None] = field(default_factory=dict)

    def about(self, detect: Detect | None) -> Sequence[ChangedFile]:
        """Return the files for a rule: one that nobody writes is looked at where it is named."""
        named = detect.files if detect is not None and detect.files else ()
        return (*self.files, *(file for file, _ in self.passed if file.path in named))


def comply(
    rules: Iterable[Rule], looked: Looked, baseline: Baseline | None = None, home: str = ""
) -> Compliance:
    """Hold every rule against every file that it is about.

    Args:
        rules: In the order in which they are told.
        looked: The files.
        baseline: What is known already, by the ref of the rule.
        home: Name of the repository, which stands before paths where several share a rule.
    """
    written, passed = told_apart(looked.files)
    by_path = {file.path: file for file in looked.files}
    given = _Given(written, passed, looked.tree, baseline or {}, by_path, home)
    checks = tuple(_accepted(_checked(rule, given), given) for rule in rules)
    named = tuple((file.path, why) for file, why in passed if not is_own(file.path))
    return Compliance(checks, len(written), looked.unread, named, tuple(given.notes))


def _checked(rule: Rule, given: _Given) -> Check:
    check, detect = Check(rule, Outcome.SKIP), rule.detect
    if detect is not None and detect.looks_for_something:
        return _detected(check, detect, given)
    if detect is not None and rule.turned_down is None and (detect != Detect() or detect.unknown):
        odd = " or ".join(f"`{key}`" for key in detect.unknown)
        why = f"its `detect:` looks for nothing{f', and does not know {odd}' if odd else ''}"
        return replace(check, missed=f"not checked: {why} (write `forbid`, `require` or `beside`)")
    if rule.turned_down is not None:
        return _consistent(check, rule.turned_down, given.files)
    why = "its hint is for people; add `detect:` to check it automatically"
    return replace(check, detail=why if rule.says("look at") else "it has no `detect:`")


def _detected(check: Check, detect: Detect, given: _Given) -> Check:
    try:
        held = hold(detect, given.about(detect), tree=given.tree)
    except NotChecked as problem:
        return replace(check, missed=f"not checked: {_said(problem)}")
    missed = [f"{path}: {why}" for path, why in held.missed]
    check = replace(check, is_missing=detect.forbid is None)
    return _judged(check, held.files, held.violations, missed, detect.message or "")


def hold(
    detect: Detect,
    files: Iterable[ChangedFile],
    stop: Callable[[], bool] = lambda: False,
    tree: Tree | None = None,
    *,
    parsing: float = _PARSING,
) -> Held:
    """Hold a `detect:` against the files that it is about.

    Args:
        detect: Forbids or requires something.
        files: Others than those that it is about are passed over.
        stop: Asked before each file; true = the rest is left out.
        tree: All names there are, for a file that a folder must have; `None` = those of `files`.
        parsing: Seconds that a pattern of syntax may take with all files.

    Raises:
        NotChecked: What it forbids or requires is no pattern.
    """
    pattern = pattern_of(detect)
    names = tree or Tree.of(())
    if detect.beside is not None:
        return _folders(detect, detect.beside, tree or Tree.of(file.path for file in files))
    require_pattern(pattern)
    held, slow, lacks = 0, 0, "" if detect.forbid is not None else "file"
    end = monotonic() + parsing if isinstance(pattern, AstPattern) else inf
    found, missed = list[Violation](), list[tuple[str, str]]()
    for file in files:
        if stop():
            return Held(tuple(sorted(found)), held, tuple(missed), is_whole=False, lacks=lacks)
        file = _as_met(file, detect)
        if not is_about(file.path, detect) or not file.adds:
            continue
        if monotonic() > end:
            why = f"syntax patterns stop after {parsing:g} seconds"
            missed.append((file.path, why))
            continue
        if slow == _PATIENCE:
            missed.append((file.path, f"the pattern timed out in {_PATIENCE} earlier files"))
            continue
        try:
            here = _violations(detect, pattern, file, names)
            found += here
            held += 1
            if len(here) >= MOST:
                missed.append((file.path, f"more than {MOST:,} places"))
        except NotChecked as problem:
            slow += isinstance(problem, TooSlow)
            missed.append((file.path, _said(problem)))
    return Held(tuple(sorted(found)), held, tuple(missed), lacks=lacks)


def _folders(detect: Detect, wanted: str, tree: Tree) -> Held:
    """Look for folders that lack a file: those that are new, and those that had it before."""
    now, before = set(tree.after), set(tree.before)
    inside = {_folder(path) for path in now if is_about(path, detect)}
    known = {_folder(path) for path in before if is_about(path, detect)}
    looked = {each for each in inside if each not in known or f"{each}{wanted}" in before}
    lacking = (each for each in looked if f"{each}{wanted}" not in now)
    found = tuple(sorted(Violation(each or "./", 1, "") for each in lacking))
    return Held(found, len(looked), lacks="folder")


def _folder(path: str) -> str:
    """Return the folder of a file with a slash at its end; empty = the root."""
    return path[: path.rfind("/") + 1]


def _as_met(file: ChangedFile, detect: Detect) -> ChangedFile:
    """Return a file as a rule meets it: one that only now came under its globs is new to it."""
    return replace(file, added=None) if file.was and not is_about(file.was, detect) else file


def is_about(path: str, detect: Detect) -> bool:
    """Tell whether a file is one of those that are held against it.

    Without globs that is every file but memory's own, where the rule stands with its examples; a
    glob behind `!` takes files out. Where parts are asked for, it is a file that has some.
    """
    if detect.within and language_of(path) is None:
        return False
    among, out = _globs_of(detect.files or ())
    if out and _is_among(path, out):
        return False
    return _is_among(path, among) if among else not is_own(path)


@lru_cache(maxsize=1024)
def _globs_of(globs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the globs that files lie in, and those that take files out."""
    among = tuple(each for each in globs if not each.startswith("!"))
    return among, tuple(each[1:] for each in globs if each.startswith("!"))


def is_own(path: str) -> bool:
    """Tell whether a file is one of memory's own, where rules stand with their examples."""
    return path.startswith(_OWN)


def _violations(
    detect: Detect, pattern: str | AstPattern, file: ChangedFile, tree: Tree
) -> list[Violation]:
    if detect.forbid is not None:
        met = places(pattern, file, detect.parts)
        if detect.imports:
            from remem.core.checks.own_imports import own_imports

            known = {each.line for each in met}
            more = own_imports(file, detect.imports, tree)
            met += tuple(each for each in more if each.line not in known)
        return [Violation(file.path, each.line, each.text, each.first) for each in met]
    return [] if holds(pattern, file, detect.parts) else [Violation(file.path, 1, "")]


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
        return replace(check, detail="no checked file matches its globs")
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


def _accepted(check: Check, given: _Given) -> Check:
    """Take out what a line allows, and what the baseline knows."""
    if not check.violations:
        return check
    known = given.baseline.get(check.ref, {})
    allowed = [
        each
        for each in check.violations
        if (file := given.by_path.get(each.path)) is not None
        and is_allowed(check.rule, each, file, given.notes)
    ]
    out = set(allowed)
    left = [each for each in check.violations if each not in out]
    new = sorted(_unknown(check.rule, left, known, given)) if known else left
    if len(new) == len(check.violations):
        return check
    check = replace(check, violations=tuple(new), allowed=len(allowed), known=len(left) - len(new))
    if new:
        return check
    return replace(check, outcome=Outcome.SKIP if check.missed else Outcome.PASS)


def _unknown(
    rule: Rule, found: Sequence[Violation], known: Mapping[str, int], given: _Given
) -> Iterator[Violation]:
    """Yield what the baseline does not know: of equal places of a file, the last that are more."""
    told = Counter[str]()
    places: dict[str, Counter[str]] = {}
    for each in reversed(found):
        shared = mark_of(f"{given.home}/{each.path}", each.text)
        most = known.get(each.mark, known.get(shared))
        if most is None:
            yield each
        elif most:
            if each.path not in places:
                places[each.path] = _in_whole(rule, each.path, found, given)
            told[each.mark] += 1
            if told[each.mark] <= places[each.path][each.text.strip()] - most:
                yield each


def _in_whole(rule: Rule, path: str, found: Sequence[Violation], given: _Given) -> Counter[str]:
    """Return how often each line of a file breaks a rule, in the lines that did not change, too."""
    file = given.by_path.get(path)
    if file is None or file.added is None:
        return Counter(each.text.strip() for each in found if each.path == path)
    whole = replace(file, added=None)
    alone = replace(given, files=(whole,), passed=(), by_path={path: whole}, notes={})
    every = _checked(rule, alone).violations
    counts = (each for each in every if not is_allowed(rule, each, whole, {}))
    return Counter(each.text.strip() for each in counts)


def _consistent(check: Check, turned_down: Sequence[str], files: Sequence[ChangedFile]) -> Check:
    names = [*filter(None, map(_searchable, turned_down))]
    if not names:
        return replace(check, detail="it has no alternative that can be searched for")
    names += [re.escape(each) for one in turned_down for each in packages_of(alternative_name(one))]
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(names)})(?![\w-])", re.IGNORECASE)
    found = [
        Violation(file.path, line, file.lines[line - 1])
        for file in files
        for line, brought in brought_in(file)
        if pattern.search(brought)
    ]
    message = "it adds something the decision rejected" if found else ""
    held = sum(file.adds and brings_something(file.path) for file in files)
    return _judged(check, held, found, (), message)


def _searchable(alternative: str) -> str:
    """Return the pattern of an alternative's name; empty where it is none to search for.

    A name of several words stands in code with hyphens, underscores or nothing between them.
    """
    words = re.split(r"[\s_-]+", alternative_name(alternative))
    if sum(map(len, words)) < _SHORTEST or len(words) > 3:
        return ""
    return "[ _-]?".join(map(re.escape, words))


def alternative_name(alternative: str) -> str:
    """Return the name that an alternative begins with: before ` — `, ` - `, `:` or `(`."""
    return _NAME_ENDS.split(alternative, maxsplit=1)[0].strip()


def _said(problem: NotChecked) -> str:
    return f"{problem} ({problem.hint})" if problem.hint else str(problem)


_ALLOWS: Final = re.compile(r"\bremem:\s*allow\s+(?P<rule>[^\s,;]+)[,;:]?(?P<why>[^\n]*)")
_ALONE: Final = re.compile(r"^\s*(?://+|#+|/?\*+|--|<!--|;+|%|\{/\*)\s*remem:")
"""A comment with nothing before it, which speaks of the line below."""
_NO_REASON: Final = re.compile(r"^\W*$")


def is_allowed(rule: Rule, place: Violation, file: ChangedFile, notes: dict[str, None]) -> bool:
    """Tell whether a comment allows a place, and note where one does so without a reason.

    It stands on the line, above it, or above what the line is part of; of what a whole file lacks
    anywhere in the file.
    """
    lacks = rule.detect is not None and rule.detect.forbid is None
    for number in _near(file, place, is_whole=lacks):
        match = _ALLOWS.search(file.lines[number - 1])
        if match is None or match["rule"].strip("`") not in (rule.ref, rule.id.split()[0]):
            continue
        if not _NO_REASON.match(match["why"]):
            return True
        notes[f"`{file.path}:{number}` allows `{rule.ref}` without a reason, so it counts"] = None
    return False


def _near(file: ChangedFile, place: Violation, *, is_whole: bool) -> Iterator[int]:
    if is_whole:
        yield from (n for n, line in enumerate(file.lines, 1) if "remem:" in line)
        return
    begins = {place.line, place.first or place.line}
    yield from sorted(begins)
    for number in begins:
        if number > 1 and _ALONE.match(file.lines[number - 2]):
            yield number - 1
