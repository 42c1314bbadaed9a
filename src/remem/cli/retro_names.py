"""Finds the retro that a person names on the command line."""

from __future__ import annotations

from pathlib import Path

from remem.base.errors import UnknownRef
from remem.base.text import did_you_mean
from remem.core.library import Library
from remem.model.source import Source
from remem.store.io import real_path
from remem.systems.sniper import retros


def retros_of(library: Library) -> list[Source]:
    """Return the retros, newest first."""
    return retros.held(library)[::-1]


def newest(library: Library) -> Source:
    """Return the retro that was held last.

    Raises:
        UnknownRef: There is none.
    """
    known = retros_of(library)
    if not known:
        raise UnknownRef(
            "no retrospective was found here",
            hint="they lie in `.sniper/memory/retros/` or `.sniper/retros/`",
        )
    return known[0]


def retro_named(library: Library, name: str) -> Source:
    """Return the retro of that file name, with or without its ending, or of that sprint number.

    Raises:
        UnknownRef: None or several are called so.
    """
    known = retros_of(library)
    names = {name, f"sprint-{name}-retro"}
    found = [source for source in known if names & {source.path.stem, source.path.name}]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"`{source.path}`" for source in found)
        raise UnknownRef(f"`{name}` is the name of {len(found)} retros", hint=f"they are {places}")
    near = did_you_mean(name, (source.path.stem for source in known))
    hint = near or "`remem retro list` names what there is"
    raise UnknownRef(f"there is no retro `{name}`", hint=hint)


def retro_at(library: Library, file: str) -> Source:
    """Return the retro in that file: a path from here or from the root, else a name.

    Raises:
        UnknownRef: There is none, or the file lies where retros are not looked for.
    """
    root = library.ground.root
    given = Path(file)
    paths = {real_path(Path.cwd() / given), real_path(root / given)}
    for source in retros_of(library):
        if real_path(source.path) in paths:
            return source
    if any(library.ground.disk.kind(path) == "file" for path in paths):
        raise UnknownRef(
            f"`{file}` does not lie where retros are kept",
            hint="put it into `.sniper/memory/retros/` as `sprint-N-retro.yaml`",
        )
    return retro_named(library, file)


def date_of(source: Source) -> str:
    """Return when a retro was held, as it says."""
    _, found = retros.parsed(source)
    return found.date if found else ""
