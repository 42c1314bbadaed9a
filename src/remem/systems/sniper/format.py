"""SNIPER project memory as a format: what lies where, and who answers for it (FORMATS 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.system import Addition, AddsMany, Ground, Parts
from remem.edit.yaml_read import parse_document
from remem.model.change import Derived, Effect, Json
from remem.model.entry import Entry, FileSpan, Problem, Status, digest_of
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record, read_record
from remem.model.source import COMPOSED, ON_REQUEST, Loader, Source, SourceKind
from remem.store.io import Unreadable
from remem.systems.sniper import config
from remem.systems.sniper.records import (
    ANTI_PATTERN,
    CONVENTION,
    DECISION,
    ESTIMATES,
    FINDING,
    SUMMARY,
    Calibration,
)
from remem.systems.sniper.retro import retro_files
from remem.systems.sniper.stores import (
    BY_PART,
    FOLDER,
    STORES,
    StoreSource,
    entries_of,
    read_store,
    stores_among,
)

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting

_ENDINGS: Final = (".yaml", ".yml")


class Sniper(AddsMany, Parts):
    """Conventions, anti-patterns, decisions, estimates and retros of one repository."""

    name = "sniper"
    kinds = (CONVENTION, ANTI_PATTERN, DECISION)

    def discover(self, ground: Ground) -> Iterator[Source]:
        sniper = ground.root / ".sniper"
        if ground.disk.kind(sniper) != "folder":
            return
        from remem.systems.sniper import spawn_prompt

        memory = sniper / "memory"
        names = ground.disk.names(memory)
        yield from self._stores(ground, memory, names)
        yield from self._either(ground, memory, names, ESTIMATES, SourceKind.DOCUMENT)
        if "summary.md" in names:
            path = memory / "summary.md"
            yield self._document(ground, path, SUMMARY, "summary.md", ON_REQUEST)
        yield from self._retros(ground, (memory / "retros", sniper / "retros"))
        for found in self._settings(ground):
            yield found
            data = _bytes_of(ground, found.path)
            yield from spawn_prompt.discover_agents(ground, ground.project, data)
            yield from spawn_prompt.discover_knowledge(ground, ground.project, data)
        yield from spawn_prompt.discover_layers(ground, ground.project)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        if source.kind is SourceKind.STORE:
            return read_store(source, data, before)
        source = replace(source, data=data, digest=digest_of(data))
        if source.part == retro_files.PART:
            from remem.systems.sniper.retro.retro_entries import read_findings

            return read_findings(source)
        if source.part == config.PART:
            problems = config.read_config(source)
            return replace(source, problems=(*source.problems, *problems))
        if source.part == ESTIMATES:
            return _read_estimates(source)
        if source.part == SUMMARY and not _is_ours(data):
            return replace(source, problems=(*source.problems, _not_ours(source.path)))
        return source

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.sniper.rules_without_checks import Unchecked
        from remem.systems.sniper.waiting import Added, Findings

        return (Added(), Findings(), Unchecked())

    def waiting(self, source: Source) -> Iterator[Entry]:
        if source.kind is SourceKind.STORE and stores_among([source]):
            yield from entries_of(source).waiting()
        else:
            yield from (entry for entry in source.entries if entry.status is Status.CANDIDATE)

    def record(self, source: Source, entry: Entry) -> Record | None:
        if entry.kind == FINDING:
            return None
        entries = entries_of(source)
        return entries.parsed(entries.number(entry)).record

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        if entry.kind != FINDING:
            entries = entries_of(source)
            return dict(entries.value(entries.number(entry)))
        from remem.systems.sniper.retro import retro_entries

        found = retro_entries.finding_of(source, entry)
        raw = retro_entries.raw_item(source, found[1]) if found else None
        return dict(raw) if isinstance(raw, Mapping) else {"text": raw}

    def body(self, source: Source, entry: Entry) -> str:
        if isinstance(entry.at, FileSpan):
            return source.data[entry.at.start : entry.at.end].decode("utf-8", "replace")
        from remem.edit.yaml_write import render as render_yaml

        return render_yaml(dict(self.fields(source, entry))).decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        from remem.systems.sniper import edits

        _refuse_findings(entry)
        return edits.set_fields(source, entry, fields)

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        from remem.systems.sniper import edits

        _refuse_findings(entry)
        return edits.set_status(source, entry, status)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        from remem.systems.sniper import edits

        _refuse_findings(entry)
        return edits.remove(source, entry)

    def add_all(
        self,
        ground: Ground,
        sources: Sequence[Source],
        kind: str,
        several: Sequence[Mapping[str, Json]],
    ) -> tuple[Addition, ...]:
        from remem.systems.sniper import edits

        return edits.add_all(ground, sources, kind, several)

    def derived(self, ground: Ground, touched: Collection[Path]) -> tuple[Derived, ...]:
        memory = ground.root / FOLDER
        stems = {store.part for store in STORES} | {ESTIMATES}
        retro_folders = (memory / "retros", ground.root / ".sniper" / "retros")
        feeds = any(
            (path.parent == memory and path.stem in stems and path.suffix in _ENDINGS)
            or (path.parent in retro_folders and path.suffix in _ENDINGS)
            for path in touched
        )
        return (Derived(memory / "summary.md", self.name),) if feeds else ()

    def render(self, ground: Ground, sources: Sequence[Source], path: Path) -> bytes | None:
        from remem.systems.sniper.summary import render_summary

        own = [source for source in sources if source.format == self.name]
        there = next((source for source in own if source.path == path), None)
        if there is not None and not _is_ours(there.data):
            return None
        return render_summary(own)

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        from remem.systems.sniper import spawn_prompt

        return spawn_prompt.frame([source for source in sources if source.format == self.name], ask)

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        from remem.systems.sniper import layer

        own = [source for source in sources if source.format == self.name]
        offer = layer.offer(ground, own, ask)
        return () if offer is None else (offer,)

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        from remem.systems.sniper import spawn_prompt

        own = [source for source in sources if source.format == self.name]
        names = dict.fromkeys(spawn_prompt.role_layer_names(own))
        for source in own:
            for entry in source.entries:
                names |= dict.fromkeys(entry.roles or ())
        return tuple(names)

    def _stores(self, ground: Ground, memory: Path, names: Sequence[str]) -> Iterator[Source]:
        for store in STORES:
            yield from self._either(ground, memory, names, store.part, SourceKind.STORE)

    def _settings(self, ground: Ground) -> Iterator[Source]:
        """Yield the file of settings, if there is one."""
        for name in ("config.yaml", "config.yml"):
            path = ground.root / ".sniper" / name
            if ground.disk.kind(path) == "file":
                found = self._document(ground, path, config.PART, name, ON_REQUEST)
                yield replace(found, writable=False)
                return

    def _either(
        self, ground: Ground, memory: Path, names: Sequence[str], stem: str, kind: SourceKind
    ) -> Iterator[Source]:
        loader = COMPOSED if kind is SourceKind.STORE else ON_REQUEST
        holds = BY_PART[stem].kind if kind is SourceKind.STORE else ""
        for name, place, path, problems in either_ending(memory, names, stem, ground.project):
            yield StoreSource(
                name,
                self.name,
                "",
                place,
                kind,
                path,
                loader,
                part=stem,
                problems=problems,
                holds=holds,
                cache=ground.given.cache,
            )

    def _retros(self, ground: Ground, folders: Sequence[Path]) -> Iterator[Source]:
        stems: set[str] = set()
        for folder in folders:
            for path in ground.disk.walk(folder, 1):
                if path.suffix not in _ENDINGS:
                    continue
                found = self._document(ground, path, retro_files.PART, path.stem, ON_REQUEST)
                if path.stem in stems:
                    parts = path.relative_to(ground.root / ".sniper").parts
                    found = replace(found, place=f"{ground.project}/{'/'.join(parts)}")
                stems.add(path.stem)
                yield found

    def _document(self, ground: Ground, path: Path, part: str, name: str, loader: Loader) -> Source:
        return Source(
            name, self.name, "", ground.project, SourceKind.DOCUMENT, path, loader, part=part
        )


def _is_ours(data: bytes) -> bool:
    from remem.systems.sniper.summary import is_ours

    return is_ours(data)


def _bytes_of(ground: Ground, path: Path) -> bytes:
    try:
        return ground.disk.read(path)
    except Unreadable:
        return b""


class SniperRules(Sniper):
    """What the gate reads of a repository: its rules and settings, no retro and no prompt."""

    def discover(self, ground: Ground) -> Iterator[Source]:
        memory = ground.root / FOLDER
        yield from self._stores(ground, memory, ground.disk.names(memory))
        yield from self._settings(ground)


def _refuse_findings(entry: Entry) -> None:
    if entry.kind == FINDING:
        raise NotPossible(
            "a finding cannot be changed in its retro",
            hint="approve it to create an entry, or reject it",
        )


def _read_estimates(source: Source) -> Source:
    document = parse_document(source.data)
    problems = [replace(problem, path=source.path) for problem in document.problems]
    value = document.value.get("calibration") if isinstance(document.value, Mapping) else None
    if isinstance(value, Mapping):
        from remem.systems.sniper.retro.retro_entries import line_of

        _, faults = read_record(Calibration, value)
        for fault in faults:
            line = line_of(document.lines, ("calibration", *fault.path))
            field = f"calibration.{fault.field}"
            problems.append(
                Problem(fault.code, fault.message, fault.hint, source.path, line, field=field)
            )
    elif document.value is not None and not problems:
        hint = "write `calibration:` with the fields below it"
        problems.append(Problem("shape", "there is no `calibration`", hint, source.path))
    return replace(source, problems=(*source.problems, *problems))


def either_ending(
    folder: Path, names: Sequence[str], stem: str, place: str
) -> Iterator[tuple[str, str, Path, tuple[Problem, ...]]]:
    """Yield name, place and path of a file with either ending; both at once are a problem."""
    there = [folder / f"{stem}{ending}" for ending in _ENDINGS if f"{stem}{ending}" in names]
    for number, path in enumerate(there):
        problems = (_two_files(path, there),) if len(there) > 1 else ()
        yield (
            stem if number == 0 else path.name,
            place if number == 0 else f"{place}/yml",
            path,
            problems,
        )


def _two_files(path: Path, there: Sequence[Path]) -> Problem:
    names = " and ".join(f"`{each.name}`" for each in there)
    return Problem("two-files", f"{names} both exist", "merge the entries into one of them", path)


def _not_ours(path: Path) -> Problem:
    return Problem(
        "foreign-summary",
        "this summary was not written by remem, so remem leaves it alone",
        "remove it to have one generated",
        path,
    )
