"""What remem keeps itself under `.remem/`: proposals, rejections, and what was consolidated.

A proposal is one file with one candidate in it (FORMATS 7). What approving it writes is the
business of the format that it aims at; what was rejected is looked up in
`core/waiting/rejected.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.own_folder import BASELINE, CONSOLIDATED, FOLDER, KEPT, OWN, REJECTED, ignore_file
from remem.core.system import Addition, Ground
from remem.edit.yaml_index import index
from remem.edit.yaml_read import MAX_FILE, Document, parse_document
from remem.model.change import Create, Delete, Effect, Json
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.proposals_and_rejections import (
    PROPOSAL,
    KeptCandidates,
    Proposal,
    Rejections,
    text_of,
)
from remem.model.record import (
    Fault,
    Record,
    field_names,
    read_record,
)
from remem.model.source import ON_REQUEST, Source, SourceKind
from remem.systems.own import found_by_gate
from remem.systems.own.records import Baseline
from remem.systems.waiting_only import WaitingOnly

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting

_LISTS: Final[Mapping[str, type[Record]]] = {
    REJECTED: Rejections,
    KEPT: KeptCandidates,
    BASELINE: Baseline,
}
"""Files that hold records of decisions, and how they are read."""
_DIGITS: Final = 8


class Own(WaitingOnly):
    """remem's own folder in a repository."""

    name = OWN
    kinds = (PROPOSAL,)

    def discover(self, ground: Ground) -> Iterator[Source]:
        folder = ground.root / FOLDER
        for path in ground.disk.walk(folder / "proposals", 1, ".yaml"):
            yield self._document(ground, path, PROPOSAL, f"proposals/{path.stem}")
        for part in (REJECTED, CONSOLIDATED, KEPT, BASELINE, found_by_gate.PART):
            path = folder / f"{part}.yaml"
            if ground.disk.kind(path) == "file":
                yield self._document(ground, path, part, part)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        source = replace(source, data=data, digest=digest_of(data))
        if source.part == CONSOLIDATED:
            found = (replace(each, path=source.path) for each in index(data, CONSOLIDATED).problems)
            return replace(source, problems=(*source.problems, *found))
        if source.part == found_by_gate.PART:
            return found_by_gate.read_findings(source)
        document = parse_document(data, MAX_FILE) if source.part == BASELINE else _parsed(data)
        problems = [replace(problem, path=source.path) for problem in document.problems]
        if not isinstance(document.value, Mapping):
            if not problems and (document.value is not None or source.part == PROPOSAL):
                problems.append(_not_a_mapping(source))
            return replace(source, problems=(*source.problems, *problems))
        if source.part in _LISTS:
            _, faults = read_record(_LISTS[source.part], document.value)
            problems += [_problem(source, document, fault) for fault in faults]
            return replace(source, problems=(*source.problems, *problems))
        entry = _entry(source, document, tuple(problems))
        return replace(source, entries=(entry,))

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.own.proposals_waiting import Proposals
        from remem.systems.own.violations_waiting import Violated

        return (Proposals(), Violated())

    def waiting(self, source: Source) -> Iterator[Entry]:
        # What the gate found is about entries that stand elsewhere, and waits beside them.
        if source.part != found_by_gate.PART:
            yield from source.entries

    def record(self, source: Source, entry: Entry) -> Record | None:
        if entry.kind == found_by_gate.VIOLATION:
            return found_by_gate.finding_of(source, entry)
        return read_record(Proposal, self.fields(source, entry))[0]

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        if entry.kind == found_by_gate.VIOLATION:
            return found_by_gate.fields_of(source, entry)
        value = _parsed(source.data).value
        return dict(value) if isinstance(value, Mapping) else {}

    def body(self, source: Source, entry: Entry) -> str:
        if entry.kind == found_by_gate.VIOLATION:
            return found_by_gate.body_of(source, entry)
        return source.data.decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        if entry.kind == found_by_gate.VIOLATION:
            raise NotPossible("a gate finding cannot be edited", hint="approve it or reject it")
        from remem.edit import yaml_splice
        from remem.edit.yaml_edit import REMOVE

        held = self.fields(source, entry).get("fields")
        inner = dict(held) if isinstance(held, Mapping) else {}
        effects: list[Effect] = []
        for name, value in _inner(inner, fields):
            if name not in inner:
                names = ", ".join(f"`{each}`" for each in inner)
                raise NotPossible(f"the proposal has no field `{name}`", hint=f"it has {names}")
            new = REMOVE if value is None else value
            edits = yaml_splice.set_in_document(source.data, ("fields", name), new)
            effects += source.splices(edits)
        return tuple(effects)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        if entry.kind == found_by_gate.VIOLATION:
            return found_by_gate.without(source, entry)
        return (Delete(source.path, source.data, source.digest),)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        if kind != PROPOSAL:
            raise NotPossible(f"remem itself stores no `{kind}`", hint="name the system that does")
        now = ground.given.clock.now()
        value = {"date": now.date().isoformat(), **fields}
        name = _new_name(value, {source.path.stem for source in sources})
        path = ground.root / FOLDER / "proposals" / f"{name}.yaml"
        _, faults = read_record(Proposal, value)
        if faults:
            raise NotPossible(faults[0].message, hint=faults[0].hint)
        from remem.edit.yaml_write import render

        effects = (*ignore_file(ground), Create(path, render(_in_order(value))))
        return Addition(Ref(self.name, name, ground.project), path, effects)

    def _document(self, ground: Ground, path: Path, part: str, name: str) -> Source:
        return Source(
            name,
            self.name,
            "",
            ground.project,
            SourceKind.DOCUMENT,
            path,
            ON_REQUEST,
            part=part,
        )


def _new_name(value: Mapping[str, Json], taken: Set[str]) -> str:
    """Return a name made of what is proposed, so that planning it twice gives the same one."""
    from remem.core.waiting.item import hashed

    day, told = str(value["date"]).replace("-", ""), json.dumps(value, sort_keys=True)
    names = (f"{day}-{hashed(told, str(place))[:_DIGITS]}" for place in count())
    return next(name for name in names if name not in taken)


@lru_cache(maxsize=256)
def _parsed(data: bytes) -> Document:
    return parse_document(data)


def _entry(source: Source, document: Document, problems: tuple[Problem, ...]) -> Entry:
    value = document.value if isinstance(document.value, Mapping) else {}
    proposal, faults = read_record(Proposal, value)
    roles = proposal.fields.get("applies_to") or proposal.fields.get("roles")
    return Entry(
        ref=Ref(source.format, source.path.stem, source.place),
        kind=PROPOSAL,
        title=text_of(proposal) or source.path.stem,
        status=Status.CANDIDATE,
        at=WholeFile(source.path),
        digest=source.digest,
        roles=tuple(map(str, roles)) if isinstance(roles, list) and roles else None,
        date=proposal.date,
        context=proposal.kind,
        problems=(*problems, *(_problem(source, document, fault) for fault in faults)),
    )


def _inner(held: Mapping[str, Json], fields: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield what is set in what a proposal proposes, named one by one or as its `fields`."""
    for name, value in fields.items():
        if name != "fields" or not isinstance(value, Mapping):
            yield name, value
            continue
        yield from ((each, new) for each, new in value.items() if held.get(each) != new)
        yield from ((each, None) for each in held if each not in value)


def _in_order(value: Mapping[str, Json]) -> dict[str, Json]:
    order = field_names(Proposal)
    return {name: value[name] for name in sorted(value, key=order.index) if value[name] != ""}


def _problem(source: Source, document: Document, fault: Fault) -> Problem:
    line = document.lines.get(fault.path, 0)
    return Problem(fault.code, fault.message, fault.hint, source.path, line, field=fault.field)


def _not_a_mapping(source: Source) -> Problem:
    hint = "remem generates it; remove it, or fix it in an editor"
    message = f"`{source.name}` has no `key: value` lines"
    return Problem("shape", message, hint, source.path, blocks_writing=True)
