"""The memory that a workspace shares, as a format: its stores, texts and contracts (FORMATS 1.13).

Its stores are those of SNIPER in another folder and another name space. What a repository gets of
them, and which it overrides, is `inherit.py` and the composer's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.core.system import Addition, AddsMany, Ground, Parts
from remem.model.change import Effect, Json
from remem.model.entry import Entry, FileSpan, Problem, Status, digest_of
from remem.model.prompt import Ask, Offer
from remem.model.record import Record
from remem.model.source import COMPOSED, ON_REQUEST, Source, SourceKind
from remem.model.workspace import Shape, Workspace
from remem.systems.sniper import edits
from remem.systems.sniper.format import either_ending
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION, DECISION
from remem.systems.sniper.stores import STORES, StoreEntries, read_store
from remem.systems.workspace import contracts, shared
from remem.systems.workspace.discover import inherits, settings_path, unfound, workspaces
from remem.systems.workspace.layer import kept_from, offer
from remem.systems.workspace.records import CONTRACT, WORKSPACE

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting

DESCRIPTION: Final = "workspace"
"""The part of the file that describes a workspace."""
FEATURE: Final = "feature"
_FEATURES: Final = "WKSP-"
_CONTRACTS: Final = (".contract.yaml", ".contract.yml")


@dataclass(frozen=True, slots=True, eq=False)
class WorkspaceSource(Source):
    """A file of a workspace."""

    workspace: Workspace | None = None
    """`None` = it only says that there should be one."""


class Workspaces(AddsMany, Parts):
    """What several repositories share; a repository inside reads it from its own root."""

    name = WORKSPACE
    kinds = (CONVENTION, ANTI_PATTERN, DECISION)

    def discover(self, ground: Ground) -> Iterator[Source]:
        for each in workspaces(ground):
            found = [*_described(each), *_stores(ground, each), *_contracts(ground, each)]
            found += _features(ground, each)
            problems = each.problems if each.config is None else ()
            for number, source in enumerate(found):
                more = problems if number == 0 else ()
                rests_on = (each.config,) if each.config is not None else ()
                yield replace(source, problems=(*source.problems, *more), rests_on=rests_on)
        wrong = tuple(unfound(ground))
        path = settings_path(ground) if wrong else None
        if path is not None:
            yield _document(None, path, DESCRIPTION, WORKSPACE, problems=wrong)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        source = replace(source, data=data, digest=digest_of(data))
        if not isinstance(source, WorkspaceSource) or source.workspace is None:
            return source
        match source.part:
            case shared.PART:
                return shared.read_shared(source)
            case contracts.PART:
                return contracts.read_contracts(source, source.workspace.open_repositories)
            case _ if source.kind is SourceKind.STORE:
                return read_store(source, data, before)
            case _:
                return source

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.workspace.override import Override
        from remem.systems.workspace.promotion_found import SharedByRepositories

        return (Override(), SharedByRepositories())

    def waiting(self, source: Source) -> Iterator[Entry]:
        if isinstance(source.entries, StoreEntries):
            yield from source.entries.waiting()

    def record(self, source: Source, entry: Entry) -> Record | None:
        if isinstance(source.entries, StoreEntries):
            return source.entries.parsed(source.entries.number(entry)).record
        if entry.kind == CONTRACT:
            return contracts.record_of(source, entry)
        return shared.record_of(source, entry)

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        if isinstance(source.entries, StoreEntries):
            return dict(source.entries.value(source.entries.number(entry)))
        if entry.kind == CONTRACT:
            return dict(contracts.fields_of(source, entry))
        return dict(shared.fields_of(source, entry))

    def body(self, source: Source, entry: Entry) -> str:
        if isinstance(entry.at, FileSpan):
            return source.data[entry.at.start : entry.at.end].decode("utf-8", "replace")
        if entry.kind == CONTRACT:
            return contracts.body_of(source, entry)
        return entry.title

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        _need_store(source, entry)
        return edits.set_fields(source, entry, fields)

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        _need_store(source, entry)
        return edits.set_status(source, entry, status)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        _need_store(source, entry)
        return edits.remove(source, entry)

    def add_all(
        self,
        ground: Ground,
        sources: Sequence[Source],
        kind: str,
        several: Sequence[Mapping[str, Json]],
        *,
        foreign: bool = False,
    ) -> tuple[Addition, ...]:
        """Plan to add entries at the end of the workspace's store.

        Raises:
            NotPossible: There is no workspace, it has no place for them, or a field is wrong.
            Refused: The store cannot be written.
        """
        found = workspaces(ground)
        if not found:
            raise NotPossible("no workspace was found here", hint="see `remem workspace show`")
        kept = next((each for each in found if each.memory is not None), None)
        if kept is None or kept.memory is None:
            raise NotPossible(
                f"the workspace `{found[0].name}` has no memory folder",
                hint="set `memory.directory` in `.sniper-workspace/config.yaml`",
            )
        mine = (s for s in sources if isinstance(s, WorkspaceSource))
        own = [source for source in mine if source.path.parent == kept.memory]
        keeper = edits.Keeper(self.name, kept.memory, kept.place)
        if kind == CONVENTION:
            several = [{"scope": WORKSPACE, **fields} for fields in several]
        return edits.add_all(ground, own, kind, several, foreign=foreign, keeper=keeper)

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        found = offer(ground, sources, ask, refused=_not_handed_down(sources))
        if found is None:
            return ()
        return (found if inherits(ground, _workspaces_of(sources)) else kept_from(found),)

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        return tuple(
            role for source in sources for entry in source.entries for role in entry.roles or ()
        )


def _need_store(source: Source, entry: Entry) -> None:
    if isinstance(source.entries, StoreEntries):
        return
    kind = "a contract" if entry.kind == CONTRACT else f"the content of `{source.path.name}`"
    raise NotPossible(f"{kind} is read-only here", hint=f"change `{source.path}` in your editor")


def _not_handed_down(sources: Sequence[Source]) -> frozenset[str]:
    """Return the places whose conventions stay in the workspace, as its settings say."""
    return frozenset(
        each.place for each in _workspaces_of(sources) if not each.hands_down_conventions
    )


def _workspaces_of(sources: Sequence[Source]) -> Iterator[Workspace]:
    own = (s for s in sources if isinstance(s, WorkspaceSource))
    return (s.workspace for s in own if s.workspace is not None)


def _described(each: Workspace) -> Iterator[WorkspaceSource]:
    if each.config is None:
        return
    if each.shape is Shape.FOLDER:
        yield _document(each, each.config, DESCRIPTION, each.config.name, problems=each.problems)
        return
    yield WorkspaceSource(
        "shared",
        WORKSPACE,
        "",
        each.place,
        SourceKind.DOCUMENT,
        each.config,
        COMPOSED,
        part=shared.PART,
        writable=False,
        problems=each.problems,
        workspace=each,
    )


def _stores(ground: Ground, each: Workspace) -> Iterator[WorkspaceSource]:
    if each.memory is None:
        return
    names = ground.disk.names(each.memory)
    for store in STORES:
        for name, place, path, problems in either_ending(
            each.memory, names, store.part, each.place
        ):
            yield WorkspaceSource(
                name,
                WORKSPACE,
                "",
                place,
                SourceKind.STORE,
                path,
                COMPOSED,
                part=store.part,
                holds=store.kind,
                problems=problems,
                workspace=each,
            )


def _contracts(ground: Ground, each: Workspace) -> Iterator[WorkspaceSource]:
    memory = each.memory
    paths: list[Path] = []
    if memory is not None:
        names = ground.disk.names(memory)
        paths += (memory / name for name in ("contracts.yaml", "contracts.yml") if name in names)
    if each.contracts is not None:
        paths += (p for p in ground.disk.walk(each.contracts, 1) if p.name.endswith(_CONTRACTS))
    for path in paths:
        name = path.name if path.parent == memory else f"contracts/{path.name}"
        yield _document(each, path, contracts.PART, name)


def _features(ground: Ground, each: Workspace) -> Iterator[WorkspaceSource]:
    """Yield the documents of features that several repositories build together."""
    folder = each.root / "features"
    for name in ground.disk.names(folder) if each.shape is Shape.FOLDER else ():
        if name.startswith(_FEATURES):
            for path in ground.disk.walk(folder / name, 1):
                if path.suffix in (".yaml", ".yml", ".md"):
                    yield _document(each, path, FEATURE, f"features/{name}/{path.name}")


def _document(
    each: Workspace | None, path: Path, part: str, name: str, problems: tuple[Problem, ...] = ()
) -> WorkspaceSource:
    return WorkspaceSource(
        name,
        WORKSPACE,
        "",
        each.place if each is not None else "",
        SourceKind.DOCUMENT,
        path,
        ON_REQUEST,
        part=part,
        writable=False,
        problems=problems,
        workspace=each,
    )
