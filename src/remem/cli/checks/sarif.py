"""The gate's findings as SARIF 2.1.0, which code hosts and editors show at the line.

Nothing here comes from a host: the document stands alone, paths are relative to the root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from remem.base.frozen import dataclass
from remem.cli.checks.check_printing import Checked, Lost, below
from remem.model.detect import Check, Compliance, Outcome, Severity, Violation

if TYPE_CHECKING:
    from pathlib import Path

    from remem.cli.checks.check_memory import Fault
    from remem.core.agent.judging import Opinion

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT: Final = "ROOT"
_LEVELS: Final[Mapping[Severity, str]] = {
    Severity.LOW: "note",
    Severity.MEDIUM: "warning",
    Severity.HIGH: "error",
}


def sarif_of(done: Sequence[Checked], root: Path, lost: Lost) -> dict[str, Any]:
    """Return a run for each repository that was looked at; what was not is told in each."""
    runs = [_run(each, root, lost) for each in done]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": runs}


def _run(done: Checked, root: Path, lost: Lost) -> dict[str, Any]:
    """Return one run with a rule for each entry and a result for each violation.

    Faults of memory itself follow, a rule for each kind of them. What an agent thinks to be broken
    is for people to review, and of no level.
    """
    found, checks = done.found, done.found.checks
    placed = [each for each in done.wrong if each.problem.path is not None]
    codes = [*dict.fromkeys(each.problem.code for each in placed)]
    inside = _Inside(below(done, root))
    results = [*_results(checks, inside), *_reviews(checks, done.heard.opinions, inside)]
    results += [_fault(len(checks) + codes.index(e.problem.code), e, root) for e in placed]
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "remem",
                "version": version("remem"),
                "rules": [
                    *(_rule(check) for check in checks),
                    *({"id": f"memory/{code}"} for code in codes),
                ],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _ROOT: {"description": {"text": "The folder that remem was opened on."}}
        },
        "results": results,
        "invocations": [
            {
                "executionSuccessful": not done.unread_rules and lost.is_whole,
                "toolExecutionNotifications": [*_notes(found), *_unread(lost.unread)],
            }
        ],
    }
    if done.name:
        run["automationDetails"] = {"id": f"remem/{_plain(done.name)}"}
    return run


@dataclass(frozen=True, slots=True)
class _Inside:
    """Where the paths of a repository begin, seen from the root."""

    prefix: str

    def uri(self, path: str) -> str:
        return quote(f"{self.prefix}{path}".encode("utf-8", "surrogateescape"))


def level(check: Check) -> str:
    """Return how a violation of this rule is shown."""
    return "error" if check.blocks else _LEVELS[check.severity]


def _rule(check: Check) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": check.ref,
        "name": check.kind,
        "shortDescription": {"text": _plain(check.title) or check.ref},
        "defaultConfiguration": {"level": level(check)},
        "properties": {"tags": ["memory", check.kind], "problem.severity": _said(check)},
    }
    told = [(word, _plain(text)) for word, text in check.rule.facts if word in _HELPS]
    if told:
        rule["fullDescription"] = {"text": "\n".join(f"{word}: {text}" for word, text in told)}
        rule["help"] = {
            "text": "\n".join(f"{word}: {text}" for word, text in told),
            "markdown": "\n\n".join(f"**{word}**: {_unmarked(text)}" for word, text in told),
        }
    return rule


_HELPS: Final = ("instead", "because", "decision", "like", "not like")


def _said(check: Check) -> str:
    """Return the level in the word that code hosts sort rules by."""
    return {"error": "error", "warning": "warning"}.get(level(check), "recommendation")


def _unmarked(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in text)


def _results(checks: Sequence[Check], inside: _Inside) -> Iterator[dict[str, Any]]:
    for index, check in enumerate(checks):
        turns = Counter[str]()
        for violation in check.violations:
            turns[violation.mark] += 1
            yield {
                "ruleId": check.ref,
                "ruleIndex": index,
                "level": level(check),
                "message": {"text": _message(check)},
                "locations": [_location(violation, inside)],
                # The same line in the same file is the same finding, wherever it moves to.
                "partialFingerprints": {
                    "rememPlace/v1": f"{check.ref}:{violation.mark}:{turns[violation.mark]}"
                },
            }


def _message(check: Check) -> str:
    """Return what a violation is, and what to do instead."""
    told = check.detail or check.title
    detect = check.rule.detect
    if check.is_missing and detect is not None and not check.detail:
        lacks = f"`{detect.beside}` is missing here" if detect.beside else "lacks what is required"
        told = f"{lacks}: {check.title}"
    more = check.rule.says("decision", "instead")
    return _plain(f"{told}. Instead: {more}" if more and more not in told else told) or check.ref


def _reviews(
    checks: Sequence[Check], opinions: Sequence[Opinion], inside: _Inside
) -> Iterator[dict[str, Any]]:
    """Yield what an agent thinks to be broken, where it says so of lines that are there."""
    indexes = {check.ref: index for index, check in enumerate(checks)}
    for each in opinions:
        if each.is_founded:
            yield {
                "ruleId": each.ref,
                "ruleIndex": indexes[each.ref],
                "kind": "review",
                "level": "none",
                "message": {"text": _plain(f"opinion of an agent: {each.because or each.title}")},
                "locations": [_location(place, inside) for place in each.places],
            }


def _location(violation: Violation, inside: _Inside) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": violation.line}
    if violation.text:
        region["snippet"] = {"text": _plain(violation.snippet)}
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": inside.uri(violation.path), "uriBaseId": _ROOT},
            "region": region,
        }
    }


def _fault(index: int, fault: Fault, root: Path) -> dict[str, Any]:
    problem = fault.problem
    assert problem.path is not None
    is_inside = problem.path.is_relative_to(root)
    path = problem.path.relative_to(root) if is_inside else problem.path
    place: dict[str, Any] = {"uri": quote(bytes(path)) if is_inside else path.as_uri()}
    if is_inside:
        place["uriBaseId"] = _ROOT
    named = f"{fault.ref}: " if fault.ref else ""
    return {
        "ruleId": f"memory/{problem.code}",
        "ruleIndex": index,
        "level": _LEVELS[fault.severity],
        "message": {"text": _plain(f"{named}{problem.message}")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": place,
                    "region": {"startLine": max(problem.line, 1)},
                }
            }
        ],
    }


def _notes(found: Compliance) -> Iterator[dict[str, Any]]:
    """Yield what was not checked: a report that hid it would read as a pass."""
    for check in found.checks:
        why = check.missed or (f"not checked: {check.detail}" if check.detail else "not checked")
        if check.missed or check.outcome is Outcome.SKIP:
            text = f"{check.ref} was {why}"
            yield {"level": "note", "message": {"text": _plain(text)}}
    yield from _unread(found.unread)
    for path, why in found.passed_over:
        yield {"level": "note", "message": {"text": _plain(f"{path} was skipped: {why}")}}
    for note in found.notes:
        yield {"level": "warning", "message": {"text": _plain(note)}}


def _unread(files: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for path, why in files:
        yield {"level": "warning", "message": {"text": _plain(f"{path} was not read: {why}")}}


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
