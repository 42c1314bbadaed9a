"""What an entry will hold that comes of a finding or a proposal (FORMATS 1.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.model.change import Json
from remem.model.entry import Entry
from remem.model.source import Source
from remem.model.tolerant import read_record
from remem.systems.learnings.incoming import fields_of_finding, fields_of_signal
from remem.systems.learnings.records import LEARNING
from remem.systems.learnings.source import LearningSource
from remem.systems.own.proposals import text_of
from remem.systems.own.records import Proposal
from remem.systems.sniper import retros
from remem.systems.sniper.records import CONVENTION, FINDING
from remem.systems.sniper.retro_record import Finding, Retro

_NOT_THEIRS: Final = ("id", "status")
"""Fields that whoever proposes has no say in: the store numbers, and the person decides."""


@dataclass(frozen=True, slots=True)
class Coming:
    """An entry that a candidate would become."""

    kind: str
    text: str
    fields: Mapping[str, Json]
    target: str = ""
    """Name of the format that it goes to; empty = the one that keeps that kind."""


def coming_of(library: Library, entry: Entry) -> Coming:
    """Return what a finding or a proposal would become.

    Raises:
        NotPossible: The finding is for reading only.
    """
    source = library.source_of(entry)
    if isinstance(source, LearningSource):
        fields = fields_of_signal(source)
        return Coming(LEARNING, entry.title, fields)
    if entry.kind != FINDING:
        return _of_proposal(library, source, entry)
    retro, finding = finding_at(source, entry)
    if finding.kind == LEARNING:
        return Coming(LEARNING, finding.text, fields_of_finding(source, finding))
    if not finding.kind:
        raise NotPossible(
            "this finding is for reading; nothing comes of it",
            hint="`remem add` writes an entry by hand",
        )
    return Coming(finding.kind, finding.text, _fields(source, retro, finding))


def finding_at(source: Source, entry: Entry) -> tuple[Retro, Finding]:
    """Return the finding that an entry of a retro stands for.

    Raises:
        NotPossible: The retro no longer has it.
    """
    found = retros.finding_of(source, entry)
    if found is None:
        raise NotPossible(f"`{source.name}` no longer holds this finding")
    return found


def occurrence(source: Source, retro: Retro, finding: Finding) -> dict[str, Json]:
    """Return one item of an entry's `seen`."""
    item: dict[str, Json] = {"ref": source.path.stem, "date": retro.date}
    if finding.stories:
        item["stories"] = list(finding.stories)
    return item


def _fields(source: Source, retro: Retro, finding: Finding) -> dict[str, Json]:
    is_gate = finding.section == "review_gate_failures"
    origin: dict[str, Json] = {
        "type": "review_gate" if is_gate else "retro",
        "ref": source.path.stem,
        "date": retro.date,
    }
    roles: list[Json] = list(finding.roles)
    if finding.kind == CONVENTION:
        return {
            "rule": finding.text,
            "rationale": finding.evidence,
            "source": origin,
            "applies_to": roles,
        }
    if finding.stories:
        origin["story"] = finding.stories[0]
    return {
        "description": finding.text,
        "source": origin,
        "applies_to": roles,
        "severity": finding.severity,
    }


def _of_proposal(library: Library, source: Source, entry: Entry) -> Coming:
    fields = library.format_of(entry).fields(source, entry)
    proposal, _ = read_record(Proposal, fields)
    coming = {name: each for name, each in proposal.fields.items() if name not in _NOT_THEIRS}
    return Coming(proposal.kind, text_of(proposal), coming, proposal.target)
