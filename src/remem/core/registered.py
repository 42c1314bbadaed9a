"""The systems that this process knows: remem's own, listed by `systems/registry.py`, and plug-ins.

Core names none of them: a door makes them known before it opens anything, or says how that is done
when they are first asked for. What plug-ins bring is looked up then, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from remem.base.frozen import dataclass

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.plugins.register_plugins import Loaded
    from remem.core.prompt.agents import Starts
    from remem.core.system import Obeyed, System
    from remem.core.verbs.verb import Writing
    from remem.core.waiting.kinds import Waiting


@dataclass(frozen=True, slots=True)
class Own:
    """remem's own systems, and what core loads late."""

    systems: tuple[System, ...]
    """Prompts put their layers in this order."""
    gated: tuple[System, ...]
    """Those that the gate holds code against, and the one that knows what it found before."""
    starts: Callable[[], Starts]
    """Loads what knows how tools start that load files themselves."""
    kinds: Callable[[Library], Sequence[Waiting]]
    """Tells what waits for the same reason in every system."""
    verbs: Callable[[], tuple[Writing[Any], ...]]
    """Loads the verbs that each brings, in the order of keys and help."""


_registered: list[Own] = []
_ways: list[Callable[[], None]] = []


def register(own: Own) -> None:
    """Make remem's own systems known, once for a process."""
    _registered[:] = [own]


def register_with(make_known: Callable[[], None]) -> None:
    """Say how remem's own systems are made known once somebody asks for them."""
    _ways[:] = [make_known]


def own() -> Own:
    """Return remem's own systems.

    Raises:
        RuntimeError: No door has made them known, or said how.
    """
    if not _registered:
        for make_known in _ways:
            make_known()
    if not _registered:
        raise RuntimeError("no system is known: call `remem.systems.registry.make_known()` first")
    return _registered[0]


def all_systems() -> tuple[System, ...]:
    """Return remem's systems, and after them those of plug-ins."""
    loaded = plug_ins()
    return own().systems if loaded is None else (*own().systems, *loaded.systems)


def obeyed_kinds() -> dict[str, Obeyed]:
    """Return how doors speak of each kind that code is held against."""
    return {kind: each for system in all_systems() for kind, each in system.facets.obeyed.items()}


def plug_ins() -> Loaded | None:
    """Return the plug-ins that are installed, loaded once; `None` = none is."""
    return _loaded(tuple(sys.path))


@lru_cache(maxsize=2)
def _loaded(_: tuple[str, ...]) -> Loaded | None:
    from remem.core.plugins.installed import installed_here

    found = installed_here()
    if not found:
        return None
    from remem.core.plugins.register_plugins import load

    return load(found, own().systems)


def kinds_brought(library: Library) -> tuple[str, ...]:
    """Return the kinds of plug-ins of which an entry can be added."""
    return tuple(kind for each in library.formats for kind in each.facets.adds)


def verbs_brought(library: Library) -> tuple[Writing[Any], ...]:
    """Return the verbs of plug-ins, in their order."""
    return tuple(verb for each in library.formats for verb in each.facets.verbs)
