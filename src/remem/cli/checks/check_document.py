"""What `check` found as one document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remem.cli.checks.check_opinion import Heard
from remem.cli.checks.check_printing import Checked, Lost, below, is_checked, place_of
from remem.model.detect import Check
from remem.views.documents.checks import (
    CheckedReport,
    CheckReport,
    FaultReport,
    OpinionReport,
    UnreadReport,
    ViolationReport,
)

if TYPE_CHECKING:
    from remem.cli.checks.check_memory import Fault


def report_of(done: Sequence[Checked], root: Path, lost: Lost) -> CheckReport:
    """Return all that was found as one document; paths are told from what was opened."""
    first = done[0] if len(done) == 1 and not done[0].name else None
    opinions = [_opinions(each.heard) for each in done]
    asked = [one for one in opinions if one is not None]
    checks = [check for each in done for check in each.found.checks]
    recorded = [each.recorded.places for each in done if each.recorded is not None]
    accepted = [each.accepted.places for each in done if each.accepted is not None]
    return CheckReport(
        failed=any(each.failed for each in done),
        files=sum(each.found.files for each in done),
        checked=sum(map(is_checked, checks)),
        violated=sum(bool(each.violations) for each in checks),
        checks=tuple(
            _check_document(check, each.name, below(each, root))
            for each in done
            for check in each.found.checks
        ),
        unread=tuple(
            UnreadReport(path=f"{below(each, root)}{path}", why=why)
            for each in done
            for path, why in each.found.unread
        )
        + tuple(UnreadReport(path=path, why=why) for path, why in lost.unread),
        passed_over=tuple(
            UnreadReport(path=f"{below(each, root)}{path}", why=why)
            for each in done
            for path, why in each.found.passed_over
        ),
        memory=tuple(
            _fault_report(fault, first.root if first else root)
            for each in done
            for fault in each.wrong
        ),
        recorded=sum(recorded) if recorded else None,
        baseline=sum(accepted) if accepted else None,
        opinions=tuple(one for each in asked for one in each) if asked else None,
        notes=tuple(n for each in done for n in (*each.found.notes, *each.heard.notes)),
    )


def _opinions(heard: Heard) -> tuple[OpinionReport, ...] | None:
    """Return the opinions as JSON has them; `None` = nobody asked."""
    if not heard.asked:
        return None
    return tuple(
        OpinionReport(
            ref=each.ref,
            verdict=each.view.value,
            because=each.because,
            lines=tuple(
                ViolationReport(path=one.path, line=one.line, text=one.text) for one in each.places
            ),
        )
        for each in heard.opinions
    )


def _fault_report(fault: Fault, root: Path) -> FaultReport:
    path = fault.problem.path
    return FaultReport(
        ref=fault.ref or None,
        code=fault.problem.code,
        severity=fault.severity.value,
        message=fault.problem.message,
        hint=fault.problem.hint,
        path=place_of(path, root) if path is not None else None,
        line=fault.problem.line,
    )


def _check_document(check: Check, repository: str, below: str) -> CheckedReport:
    rule = check.rule
    return CheckedReport(
        ref=check.ref,
        repository=repository or None,
        kind=check.kind,
        title=check.title,
        outcome=check.outcome.value,
        severity=check.severity.value,
        blocking=check.blocks,
        files=check.files,
        violations=tuple(
            ViolationReport(path=f"{below}{each.path}", line=each.line, text=each.snippet)
            for each in check.violations
        ),
        missing=check.is_missing,
        accepted=check.allowed + check.known,
        instead=rule.says("instead"),
        because=rule.says("because"),
        decision=rule.says("decision"),
        detail="; ".join(filter(None, (check.detail, check.missed))),
    )
