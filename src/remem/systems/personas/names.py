"""Names of personas that clash, look alike, or stand in several places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from remem.model.entry import Problem
from remem.model.roles import persona_key
from remem.model.source import SourceKind
from remem.store.paths import collision_key, name_warning
from remem.systems.personas.layouts import SHARED_OWNER
from remem.systems.personas.source import PersonaSource


def name_problems(found: Sequence[PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    """Yield clashes of names in one place and names that stand in several places."""
    first: dict[tuple[str, str], PersonaSource] = {}
    for source in found:
        if source.owner and not source.archived and source.kind is SourceKind.MEMORY:
            first.setdefault((source.layout, source.owner), source)
    yield from _clashes(first)
    yield from _several_places(first)


def _clashes(first: dict[tuple[str, str], PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    names: dict[str, list[str]] = {}
    for layout, name in first:
        names.setdefault(layout, []).append(name)
    for (layout, name), source in first.items():
        others = [other for other in names[layout] if other != name]
        for other in others:
            if collision_key(other) == collision_key(name):
                yield (
                    source.path,
                    Problem(
                        "name-clash",
                        f"`{name}` and `{other}` differ only in case",
                        "rename one of them, or merge them",
                        path=source.path,
                    ),
                )
        if warning := name_warning(name, others):
            yield (
                source.path,
                Problem("look-alike", warning, "rename it in plain letters", path=source.path),
            )


def _several_places(first: dict[tuple[str, str], PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    places: dict[str, dict[str, PersonaSource]] = {}
    for (layout, name), source in first.items():
        if name != SHARED_OWNER:
            places.setdefault(persona_key(name), {}).setdefault(layout, source)
    for by_layout in places.values():
        if len(by_layout) < 2:
            continue
        kept = next(iter(by_layout))
        names = ", ".join(f"`{name}`" for name in by_layout)
        for source in [*by_layout.values()][1:]:
            yield (
                source.path,
                Problem(
                    "several-places",
                    f"`{source.owner}` has memory in {len(by_layout)} places: {names}",
                    "each tool reads its own copy; `remem persona diff "
                    f"{source.owner}` compares them, `remem persona merge {source.owner} "
                    f"--from {source.layout} --to {kept}` joins them",
                    path=source.path,
                ),
            )
