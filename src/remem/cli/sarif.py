"""The gate's findings as SARIF 2.1.0, which code hosts and editors show at the line.

Nothing here comes from a host: the document stands alone, paths are relative to the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from remem.model.compliance import Check, Compliance, Outcome, Severity, Violation

if TYPE_CHECKING:
    from pathlib import Path

    from remem.cli.check_memory import Fault
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


def sarif(
    found: Compliance,
    wrong: Sequence[Fault],
    root: Path,
    opinions: Sequence[Opinion] = (),
    *,
    is_whole: bool = True,
) -> dict[str, Any]:
    """Return one run with a rule for each entry and a result for each violation.

    Faults of memory itself follow, a rule for each kind of them. What an agent thinks to be broken
    is for people to review, and of no level. The run is not `is_whole` where rules were not read.
    """
    checks = found.checks
    placed = [each for each in wrong if each.problem.path is not None]
    codes = [*dict.fromkeys(each.problem.code for each in placed)]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
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
                "results": [
                    _result(index, check, violation)
                    for index, check in enumerate(checks)
                    for violation in check.violations
                ]
                + [*_reviews(checks, opinions)]
                + [_fault(len(checks) + codes.index(e.problem.code), e, root) for e in placed],
                "invocations": [
                    {
                        "executionSuccessful": is_whole,
                        "toolExecutionNotifications": [*_notes(found)],
                    }
                ],
            }
        ],
    }


def level(check: Check) -> str:
    """Return how a violation of this rule is shown."""
    return "error" if check.blocks else _LEVELS[check.severity]


def _rule(check: Check) -> dict[str, Any]:
    return {
        "id": check.ref,
        "name": check.kind,
        "shortDescription": {"text": _plain(check.title) or check.ref},
        "defaultConfiguration": {"level": level(check)},
    }


def _result(index: int, check: Check, violation: Violation) -> dict[str, Any]:
    return {
        "ruleId": check.ref,
        "ruleIndex": index,
        "level": level(check),
        "message": {"text": _plain(check.detail or check.title) or check.ref},
        "locations": [_location(violation)],
    }


def _reviews(checks: Sequence[Check], opinions: Sequence[Opinion]) -> Iterator[dict[str, Any]]:
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
                "locations": [_location(place) for place in each.places],
            }


def _location(violation: Violation) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": violation.line}
    if violation.text:
        region["snippet"] = {"text": _plain(violation.text)}
    return {
        "physicalLocation": {
            "artifactLocation": {
                "uri": quote(violation.path.encode("utf-8", "surrogateescape")),
                "uriBaseId": _ROOT,
            },
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
    for path, why in found.unread:
        yield {"level": "warning", "message": {"text": _plain(f"{path} was not read: {why}")}}


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
