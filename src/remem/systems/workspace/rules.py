"""What the gate enforces at a root: the rules of a repository, and those it inherits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.core.library import Library
from remem.model.detect import Rule, Severity
from remem.model.entry import Entry, Problem, Ref, Status
from remem.model.source import Source, SourceKind
from remem.systems.sniper import config
from remem.systems.sniper.records import AntiPattern, Convention, Decision, Stored
from remem.systems.workspace.records import WORKSPACE

SNIPER: Final = "sniper"

STRICT: Final = "strict"
_GATED: Final = frozenset({"review_gate", "both"})


def rules_of(library: Library, status: Status = Status.ACTIVE) -> tuple[Rule, ...]:
    """Return what the gate enforces at a root: active entries, in the order of their files.

    With another status: what it would enforce, were it in force.
    """
    own = library.of_format(SNIPER)
    strict = config.settings_of(own).review_gates.after_sprint == STRICT
    out = _overridden(library)
    return tuple(
        rule
        for source in (*library.of_format(WORKSPACE), *own)
        for entry in source.entries
        if entry.status is status and entry.ref not in out
        for rule in _rule(library, entry, strict=strict)
    )


def _overridden(library: Library) -> Collection[Ref]:
    if not library.of_format(WORKSPACE):
        return ()
    from remem.systems.workspace.inherit import overridden

    return overridden(library.sources).keys()


def _describes(source: Source) -> bool:
    """Tell whether a file says what a workspace is."""
    if source.format != WORKSPACE:
        return False
    from remem.systems.workspace import shared
    from remem.systems.workspace.format import DESCRIPTION

    return source.part in (DESCRIPTION, shared.PART)


def unread_rules(library: Library) -> Iterator[tuple[Path, Problem]]:
    """Yield the files of rules that are not read, or not whole, each with what is wrong.

    The settings are one of them, since they say which rules block, and so is what describes a
    workspace, since it says where its rules stand.
    """
    found: dict[tuple[Path, Problem], None] = {}
    for source in (*library.of_format(WORKSPACE), *library.of_format(SNIPER)):
        problems: Iterable[Problem] = ()
        if source.kind is SourceKind.STORE or _describes(source):
            problems = (each for each in source.problems if each.blocks_writing)
        elif source.part == config.PART:
            problems = config.unread(source)
        found.update({(each.path or source.path, each): None for each in problems})
    yield from found


def rule_from(ref: str, record: Stored, *, strict: bool = False) -> Rule:
    """Return a record as the gate holds it.

    Args:
        ref: As people write it.
        record: What the file holds.
        strict: What only the gate enforces blocks.
    """
    blocks = isinstance(record, Convention) and strict and record.enforcement == "review_gate"
    severity = Severity.HIGH if blocks else Severity.MEDIUM
    if isinstance(record, AntiPattern) and record.severity:
        severity = Severity(record.severity)
    turned_down = None
    if isinstance(record, Decision):
        turned_down = record.alternatives_considered or ()
    return Rule(
        ref=ref,
        id=record.id,
        kind=record.kind,
        title=" ".join(record.text.split()),
        severity=severity,
        blocks=blocks,
        detect=record.detect,
        turned_down=turned_down,
        facts=tuple((word, text.strip()) for word, text in _facts(record) if text and text.strip()),
    )


def _rule(library: Library, entry: Entry, *, strict: bool) -> Iterator[Rule]:
    record = library.format_of(entry).reader.record(library.source_of(entry), entry)
    if not isinstance(record, Stored):
        return
    if isinstance(record, Convention) and (record.enforcement or "both") not in _GATED:
        return
    label = ""
    if entry.ref.format == WORKSPACE:
        from remem.systems.workspace.layer import LABEL

        label = LABEL
    made = rule_from(library.short(entry.ref), record, strict=strict)
    yield replace(made, id=f"{entry.ref.id}{label}", title=" ".join(entry.title.split()))


def _facts(record: Stored) -> Iterator[tuple[str, str | None]]:
    yield "look at", record.detection_hint
    if isinstance(record, Convention):
        yield "because", record.rationale
        if record.examples is not None:
            yield "like", record.examples.positive
            yield "not like", record.examples.negative
    elif isinstance(record, AntiPattern):
        yield "because", record.why_bad
        yield "instead", record.fix_pattern
    else:
        yield "decision", record.decision
        yield "turned down", ", ".join(record.alternatives_considered or ())
        yield "because", record.context
