"""Every system that remem has: the format that it reads, one line each, and the verbs it brings.

The code of a system is loaded where something of it is found: most roots have two of eight. Each
door makes them known to core. Prompts put the formats' layers in this order, and those of
plug-ins after them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.core.registered import Own, register, register_with
from remem.core.system import (
    NO_FACETS,
    Composer,
    Facets,
    Ground,
    Keeper,
    Parts,
    Reader,
    System,
)
from remem.systems.facts import facets as facts
from remem.systems.hermes import facets as hermes
from remem.systems.learnings import facets as learnings
from remem.systems.own import facets as own
from remem.systems.personas import facets as personas
from remem.systems.plain import facets as plain
from remem.systems.shaktra import facets as shaktra
from remem.systems.sniper import facets as sniper
from remem.systems.sniper.retro.retro_files import files_of
from remem.systems.workspace import facets as workspace
from remem.systems.workspace.discover import is_concerned

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.core.prompt.agents import Starts
    from remem.core.verbs.verb import Writing
    from remem.core.waiting.kinds import Waiting
    from remem.model.source import Source

_STORED: Final = ("convention", "anti_pattern", "decision")
_SNIPER: Final = Path(".sniper")
_OWN: Final = Path(".remem")
_LEARNINGS: Final = frozenset({"learnings", "archive", "signals", "velocity.yaml"})
_SHAKTRA: Final = Path(".shaktra")
_VERIFIED: Final = Path(".remem", "memory.db")


class Late:
    """Tells of a system what can be told without its code, and loads that when it is asked for."""

    def __init__(
        self,
        name: str,
        kinds: tuple[str, ...],
        load: Callable[[], Parts],
        may_find: Callable[[Ground], bool],
        *,
        facets: Facets = NO_FACETS,
        find: Callable[[Ground], Iterator[Source]] | None = None,
        waits_with: Callable[[Library], Sequence[Source]] | None = None,
    ) -> None:
        """Declare a system.

        Args:
            name: Its own.
            kinds: Its own.
            load: Imports its code and makes it.
            may_find: False where its `discover` would yield nothing; asked instead of loading it.
            facets: What is told of it without loading it.
            find: Its `discover`, where that loads less than all of its code.
            waits_with: Another system's files in which what waits may become an entry of this one.
        """
        self.name = name
        self.kinds = kinds
        self.facets = facets
        self._load = load
        self._may_find = may_find
        self._find = find
        self._waits_with = waits_with

    @cached_property
    def whole(self) -> Parts:
        """Its code, loaded when it is first asked for."""
        return self._load()

    @cached_property
    def reader(self) -> Reader:
        return self.whole

    @cached_property
    def keeper(self) -> Keeper:
        return self.whole

    @cached_property
    def composer(self) -> Composer:
        return self.whole

    def discover(self, ground: Ground) -> Iterator[Source]:
        if self._may_find(ground):
            yield from self._find(ground) if self._find else self.whole.discover(ground)

    def waits(self, library: Library) -> Sequence[Waiting]:
        files = library.of_format(self.name) or (self._waits_with and self._waits_with(library))
        return self.whole.waits(library) if files else ()


def _has_sniper(ground: Ground) -> bool:
    return ground.disk.kind(ground.root / _SNIPER) == "folder"


def _has_own(ground: Ground) -> bool:
    return ground.disk.kind(ground.root / _OWN) == "folder"


def _may_have_learnings(ground: Ground) -> bool:
    return not _LEARNINGS.isdisjoint(ground.disk.names(ground.root / ".sniper" / "memory"))


def _has_shaktra(ground: Ground) -> bool:
    return ground.disk.kind(ground.root / _SHAKTRA) == "folder"


def _has_verified(ground: Ground) -> bool:
    return ground.given.server is not None or ground.disk.kind(ground.root / _VERIFIED) == "file"


def _has_held_back(ground: Ground) -> bool:
    return ground.disk.kind(ground.usual(hermes.PENDING)) == "folder"


def _has_held_writes(ground: Ground) -> bool:
    return ground.held is not None and ground.disk.kind(ground.held) == "folder"


def _anywhere(_: Ground) -> bool:
    return True


def _find_personas(ground: Ground) -> Iterator[Source]:
    from remem.systems.personas.discover import discover

    return discover(ground)


def _find_plain(ground: Ground) -> Iterator[Source]:
    from remem.systems.plain.discover import discover

    return discover(ground)


def _workspace() -> Parts:
    from remem.systems.workspace.format import Workspaces

    return Workspaces()


def _sniper() -> Parts:
    from remem.systems.sniper.format import Sniper

    return Sniper()


def _sniper_rules() -> Parts:
    from remem.systems.sniper.format import SniperRules

    return SniperRules()


def _learnings() -> Parts:
    from remem.systems.learnings.format import Learnings

    return Learnings()


def _personas() -> Parts:
    from remem.systems.personas.format import Personas

    return Personas()


def _plain_issues(library: Library) -> Iterator[Issue]:
    """Yield what plain files tell of themselves, and what tools pass over among them."""
    from remem.systems.loading import passed_over

    if plain.FACETS.problems is not None:
        yield from plain.FACETS.problems(library)
    yield from passed_over.issues(library)


def _plain() -> Parts:
    from remem.systems.plain.format import Plain

    return Plain()


def _shaktra() -> Parts:
    from remem.systems.shaktra.format import Shaktra

    return Shaktra()


def _verified() -> Parts:
    from remem.systems.facts.format import Verified

    return Verified()


def _own() -> Parts:
    from remem.systems.own.proposals import Own

    return Own()


def _held() -> Parts:
    from remem.systems.plain.held.held_writes import HeldWrites

    return HeldWrites()


def _hermes() -> Parts:
    from remem.systems.hermes.pending import Hermes

    return Hermes()


_SHARED: Final = replace(
    sniper.FACETS,
    called="",
    settles=(),
    fixed={},
    faults=None,
    unread=None,
    derives=False,
    arriving=None,
    is_shared=True,
    finds=("contract", "promotion"),
    rises=workspace.rises,
    lifted=workspace.lifted,
    workspaces=workspace.Finder(),
    joins="sniper",
    joined=workspace.joined,
    problems=workspace.issues,
)
"""A workspace keeps what a repository of SNIPER does, for all of them."""
FORMATS: Final[tuple[System, ...]] = (
    Late("workspace", _STORED, _workspace, is_concerned, facets=_SHARED),
    Late("sniper", _STORED, _sniper, _has_sniper, facets=sniper.FACETS),
    Late(
        "learning",
        ("learning",),
        _learnings,
        _may_have_learnings,
        facets=learnings.FACETS,
        waits_with=files_of,
    ),
    Late(
        "persona",
        ("lesson",),
        _personas,
        _anywhere,
        facets=personas.FACETS,
        find=_find_personas,
    ),
    Late(
        "plain",
        (),
        _plain,
        _anywhere,
        facets=replace(plain.FACETS, problems=_plain_issues),
        find=_find_plain,
    ),
    Late(
        "shaktra",
        ("principle", "anti_pattern", "procedure"),
        _shaktra,
        _has_shaktra,
        facets=shaktra.FACETS,
    ),
    Late("verified", (), _verified, _has_verified, facets=facts.FACETS),
    Late(plain.HELD, (), _held, _has_held_writes, facets=plain.HELD_FACETS),
    Late("hermes", (), _hermes, _has_held_back, facets=hermes.FACETS),
    Late("remem", ("proposal",), _own, _has_own, facets=own.FACETS),
)


def _starts() -> Starts:
    from remem.systems.loading import loading_agents

    return loading_agents


def _kinds(library: Library) -> Sequence[Waiting]:
    from remem.core.waiting.queue import own_kinds

    return own_kinds(library)


def system_verbs() -> tuple[Writing[Any], ...]:
    """Return the verbs that each system brings, in the order of keys and help."""
    from remem.systems.facts import fact_verbs
    from remem.systems.learnings import learning_verbs
    from remem.systems.own import own_verbs
    from remem.systems.personas import persona_verbs
    from remem.systems.plain.held import held_verbs
    from remem.systems.shaktra import shaktra_verbs
    from remem.systems.sniper import sniper_verbs
    from remem.systems.workspace import workspace_verbs

    return (
        *own_verbs.VERBS,
        *sniper_verbs.VERBS,
        *persona_verbs.VERBS,
        *learning_verbs.VERBS,
        *shaktra_verbs.VERBS,
        *fact_verbs.VERBS,
        *workspace_verbs.VERBS,
        *held_verbs.VERBS,
    )


GATED: Final[tuple[System, ...]] = tuple(
    Late("sniper", _STORED, _sniper_rules, _has_sniper, facets=sniper.FACETS)
    if each.name == "sniper"
    else each
    for each in FORMATS
    if each.name in ("workspace", "sniper", "remem")
)
"""Those that the gate holds code against, and the one that knows what it found before."""


def make_known() -> None:
    """Tell core of remem's systems; each door does so before it opens anything."""
    register(Own(FORMATS, GATED, _starts, _kinds, system_verbs))


# Whoever imports this, the screens among them, need not say it once more.
register_with(make_known)
