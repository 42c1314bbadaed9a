"""When an agent is looked at: at its start, after it worked on a file, or after many.

Which files a moment has is the ask's; this says what it is called, and which moments differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.repositories import within
from remem.model.globs import is_inside
from remem.model.prompt import Ask, Layer, Prompt
from remem.store.io import Disk
from remem.views.choice import Choice

if TYPE_CHECKING:
    from remem.core.reading_session import ReadingSession

AT_START: Final = "start"
ALL_FILES: Final = "all"
CHANGED: Final = "changed"
AFTER: Final = "after "
"""What the id of a file's choice begins with."""
_WILD: Final = frozenset("*?[{")
MOST: Final = 20_000
"""Files of a project that are tried; more change nothing that these do not show."""


def files_here(disk: Disk, root: Path) -> tuple[str, ...]:
    """Return the files below a root that an agent may work on, sorted: what git does not ignore."""
    from remem.code.changed import Changes

    changes = Changes(disk, root)
    if changes.has_git:
        return tuple(sorted(changes.named()))
    from remem.systems.plain.walk import folders_below

    found = folders_below(disk, root)
    folders = {*found.names, *found.passed}
    paths = (
        f"{place}/{name}" if place else name
        for place, names in found.names.items()
        for name in names
    )
    return tuple(sorted(path for path in paths if path not in folders))


def worked_on(disk: Disk, root: Path, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the files that were asked for, in order, each glob as the files that it fits here.

    What fits none stays as it is: it may be there later.
    """
    if not any(_WILD & set(path) for path in asked):
        return tuple(dict.fromkeys(asked))
    here = files_here(disk, root)
    files: list[str] = []
    for path in asked:
        fits = [each for each in here if is_inside(each, path)] if _WILD & set(path) else []
        files += fits or [path]
    return tuple(dict.fromkeys(files))


def moment_of(ask: Ask) -> str:
    """Return a moment in words: `at the start`, `after src/a.py`, `after 3 files`."""
    if not ask.files:
        return "at the start"
    return f"after {ask.files[0] if len(ask.files) == 1 else count(ask.files, 'file')}"


def at_start(prompt: Prompt) -> int:
    """Return the tokens that are there before the agent works on anything."""
    return prompt.tokens - sum(layer.tokens for layer in prompt.joined)


def joins_line(layer: Layer) -> str:
    """Return why a part comes, as one line; what no page and no run shows is labelled."""
    assert layer.joins is not None
    label = "" if layer.joins.is_confirmed else " (not confirmed)"
    return f"{layer.name} joins{label}: {layer.joins.why}"


def moment_choices(session: ReadingSession, ask: Ask) -> list[Choice]:
    """Return the moments at which the chosen agent has something else: slow in large projects."""
    root = within(session.library, ask.repository).ground.root
    here = code_here(session, root)
    everything = session.as_loaded(replace(ask, files=here))
    now = {(layer.name, layer.text) for layer in session.as_loaded(ask).layers}
    exact = "" if everything.exact else "≈"
    choices = [Choice(AT_START, "at the start", "no file was worked on")] if ask.files else []
    found: dict[str, list[Layer]] = {}
    for layer in everything.joined:
        if layer.joins is not None and (layer.name, layer.text) not in now:
            found.setdefault(layer.joins.file, []).append(layer)
    also = "and " if ask.files else ""
    for file, layers in found.items():
        names = ", ".join(layer.name for layer in layers[:2])
        more = f" +{len(layers) - 2}" if len(layers) > 2 else ""
        tokens = f"+{exact}{sum(layer.tokens for layer in layers):,}"
        choices.append(Choice(f"{AFTER}{file}", f"{also}after {file}", f"{names}{more}", tokens))
    if found:
        total = f"+{exact}{sum(each.tokens for each in everything.joined):,}"
        choices.append(Choice(ALL_FILES, f"after all {count(here, 'file')}", "", total))
    changed = changed_here(session.disk, root)
    if changed:
        note = "changed since the last commit"
        choices.append(Choice(CHANGED, f"after {count(changed, 'file')}", note))
    return choices


def code_here(session: ReadingSession, root: Path) -> tuple[str, ...]:
    """Return the files that an agent may work on; those that hold memory are none of its work."""
    memory = {source.path for source in session.library.sources}
    here = (path for path in files_here(session.disk, root) if root / path not in memory)
    return tuple(here)[:MOST]


def changed_here(disk: Disk, root: Path) -> tuple[str, ...]:
    """Return the files that were changed since the last commit; none without git."""
    from remem.code.changed import Changes

    try:
        return tuple(each.path for each in Changes(disk, root).since_head().files)
    except NotPossible:
        return ()


def at_moment(session: ReadingSession, ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a moment is chosen: a further file is added to those before."""
    root = within(session.library, ask.repository).ground.root
    if chosen == AT_START:
        return replace(ask, files=())
    if chosen == ALL_FILES:
        return replace(ask, files=code_here(session, root))
    if chosen == CHANGED:
        return replace(ask, files=changed_here(session.disk, root))
    further = tuple(_paths(session.disk, root, chosen.removeprefix(AFTER)))
    return replace(ask, files=tuple(dict.fromkeys((*ask.files, *further))))


def _paths(disk: Disk, root: Path, typed: str) -> Iterator[str]:
    yield from worked_on(disk, root, [typed.strip().removeprefix(f"{root}/").removeprefix("./")])
