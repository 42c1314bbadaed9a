"""Plans to let git merge memory files by entry: a line for each in two files of git's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from remem.base.errors import Already, NotPossible
from remem.core.library import DATABASE, Library
from remem.core.own_folder import OWN
from remem.model.change import Change, Create, Effect, Intent, Splice
from remem.model.entry import digest_of
from remem.model.source import SourceKind

DRIVER: Final = "remem merge-file %O %A %B --path %P --marks %L"
_SECTION: Final = f'[merge "remem"]\n\tname = memory files, by entry\n\tdriver = {DRIVER}\n'
_BY_COMMAND: Final = f"git config merge.remem.driver '{DRIVER}'"


def attribute_lines(library: Library) -> tuple[str, ...]:
    """Return the lines of `.gitattributes` that name the memory files of a project."""
    found = (f"{pattern} merge=remem" for pattern in _patterns(library))
    return tuple(dict.fromkeys(found))


def plan_merge_driver(library: Library, intent: Intent) -> Change:
    """Plan to name memory files in `.gitattributes`, and the driver in `.git/config`.

    Raises:
        NotPossible: There is no memory here, or the root is not the top of a checkout.
        Already: Both files say it.
    """
    root, disk = library.ground.root, library.ground.disk
    lines = attribute_lines(library)
    if not lines:
        raise NotPossible("there are no memory files here", hint="`remem init` makes some")
    config = root / ".git" / "config"
    if disk.kind(config) != "file":
        raise NotPossible(
            f"`{root}` is not the main checkout of a repository",
            hint=f"write `{lines[0]}` into `.gitattributes`, and run `{_BY_COMMAND}`",
        )
    effects: list[Effect] = []
    known = disk.read(root / ".gitattributes") if disk.kind(root / ".gitattributes") else None
    has = {line.strip() for line in (known or b"").decode("utf-8", "replace").splitlines()}
    wanted = "".join(f"{line}\n" for line in lines if line not in has)
    if wanted:
        effects.append(_appended(root / ".gitattributes", known, wanted))
    settings = disk.read(config)
    if b'[merge "remem"]' not in settings:
        effects.append(_appended(config, settings, _SECTION))
    if not effects:
        raise Already("git merges these memory files by entry already")
    return Change(intent, "Let git merge memory files by entry", tuple(effects))


def _appended(path: Path, data: bytes | None, text: str) -> Effect:
    if data is None:
        return Create(path, text.encode())
    new = text.encode() if not data or data.endswith(b"\n") else b"\n" + text.encode()
    return Splice(path, len(data), len(data), b"", new, digest_of(data))


def _patterns(library: Library) -> Iterator[str]:
    """Yield a pattern for each file that holds entries, or for the folder that it lies in."""
    root = library.ground.root
    for source in library.sources:
        is_memory = source.kind is not SourceKind.DOCUMENT and source.format != OWN
        if not is_memory or source.path.suffix == DATABASE or not source.path.is_relative_to(root):
            continue
        parts = source.path.relative_to(root).parts
        if len(parts) == 1 or not parts[0].startswith("."):
            yield _escaped(parts[-1] if parts[-1].split(".")[0].isupper() else "/".join(parts))
        else:
            yield _escaped("/".join(parts[:2])) + ("/**" if len(parts) > 2 else "")


def _escaped(name: str) -> str:
    """Return a name as git takes it in `.gitattributes`."""
    return f'"{name}"' if " " in name else name
