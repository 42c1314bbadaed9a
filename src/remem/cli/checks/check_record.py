"""What `check --record` does: lets the violations that were found wait in Review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.out import say
from remem.model.change import Intent, Json
from remem.model.entry import Status
from remem.systems.own.own_verbs import GATE_BASELINE, GATE_RECORD, GateBaseline, GateRecord

if TYPE_CHECKING:
    from remem.code.changed_lines import Looked
    from remem.core.library import Library
    from remem.core.session import Session
    from remem.model.detect import Check, Compliance


@dataclass(frozen=True, slots=True)
class Recorded:
    """What waits now that did not before."""

    places: int
    candidates: int
    """How many candidates were found broken."""
    notes: tuple[str, ...]


def record(session: Session, found: Compliance, looked: Looked, options: str) -> Recorded:
    """Let wait what nobody knows yet of what was found, and of what candidates would have found.

    Args:
        session: Open at the root that was looked at.
        found: What the rules in force found.
        looked: The code.
        options: What was looked at, as options of `check`; empty = the work tree.
    """
    from remem.core.checks.gate import comply
    from remem.systems.workspace.rules import rules_of

    waiting = _waiting(session.library)
    candidates = comply(rules_of(session.library, Status.CANDIDATE), looked).checks
    told = GateRecord(found=tuple(_told((*found.checks, *candidates))), looked=options)
    intent = Intent(GATE_RECORD.id, arguments=told.to_json())
    change = session.plan(intent)
    if change.effects:
        session.apply(intent)
    new = _waiting(session.library) - waiting
    broken = sum(bool(each.violations) for each in candidates)
    return Recorded(new, broken, change.notes)


def tell(recorded: Recorded) -> None:
    """Say on stderr what waits now."""
    if recorded.candidates:
        names = count(recorded.candidates, "candidate")
        say(f"{names} would be violated too, and can be confirmed by it")
    for note in recorded.notes:
        say(f"note: {note}")
    if recorded.places:
        places = count(recorded.places, "new place")
        say(
            f"{places} {'wait' if recorded.places > 1 else 'waits'}; `remem "
            "queue` lists the items to review"
        )


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the baseline has now."""

    places: int
    rules: int
    id: str = ""
    """Of the change; empty = nothing was written."""
    is_known: bool = False
    """It has just these already."""


def accept(session: Session, found: Compliance, *, dry_run: bool) -> Accepted:
    """Write all that is broken into the baseline."""
    told = tuple(_told(found.checks))
    intent = Intent(GATE_BASELINE.id, arguments=GateBaseline(found=told).to_json())
    places = sum(len(check.violations) for check in found.checks)
    is_known = not session.plan(intent).effects
    if dry_run or is_known:
        return Accepted(places, len(told), is_known=is_known)
    return Accepted(places, len(told), session.apply(intent).id)


def tell_accepting(accepted: Accepted) -> None:
    """Say on stderr, before the report, that what it lists is what the baseline accepts."""
    if accepted.places and not accepted.is_known:
        does = "accepts" if accepted.id else "would accept"
        places = count(accepted.places, "violation")
        rules = count(accepted.rules, "rule")
        say(f"the baseline {does} {places} of {rules}; the report lists them")


def tell_accepted(accepted: Accepted) -> None:
    """Say on stderr what the baseline holds."""
    what = f"{count(accepted.places, 'place')} of {count(accepted.rules, 'rule')}"
    if accepted.is_known:
        say(f"the baseline already has {what}; nothing was written")
    elif accepted.id:
        say(
            f"the baseline has {what}: only new violations are reported; commit "
            "`.remem/baseline.yaml`"
        )
        say(f"`remem undo {accepted.id}` undoes it")
    else:
        say(f"the baseline would have {what}; nothing was written")


def _told(checks: Sequence[Check]) -> Iterator[Mapping[str, Json]]:
    """Yield rules that are broken, as the verb takes them."""
    for check in checks:
        places: list[Json] = [
            {"path": each.path, "line": each.line, "text": each.text} for each in check.violations
        ]
        if places:
            yield {"rule": check.ref, "places": places}


def _waiting(library: Library) -> int:
    from remem.systems.own.violations import found_by_gate

    return sum(len(found.places) for found in found_by_gate(library).values())
