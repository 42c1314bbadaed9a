"""Finds what a person names on the command line: entries, kinds, fields, shown paths."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from remem.base.errors import UnknownRef
from remem.base.text import did_you_mean, nearest
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation
from remem.cli.out import say
from remem.core.library import Library
from remem.core.repositories import repositories_of
from remem.edit.yaml_read import parse_document
from remem.model.change import Json
from remem.model.entry import Entry, Ref, mark_in
from remem.model.source import Source

LIKE_ENOUGH = 70
"""Percent of likeness from which a ref is offered for another."""
_NEAR = 3
_NAMED = 9
"""Agents that are named as near to what was asked for, and as those who are here."""


def entry_named(library: Library, text: str) -> Entry:
    """Return the entry that `text` names.

    Raises:
        UnknownRef: None or several do; the hint offers the nearest.
    """
    try:
        return library.resolve(text)
    except UnknownRef as error:
        near = _nearest(text, library.entries())
        if not near or near == text:
            raise
        raise UnknownRef(str(error), hint=f"did you mean `{near}`?") from None


def entries_named(library: Library, texts: Iterable[str]) -> tuple[Entry, ...]:
    """Return the entries in the order they were named, each once."""
    found = {entry.ref: entry for entry in (entry_named(library, text) for text in texts)}
    return tuple(found.values())


def refs_named(library: Library, texts: Iterable[str]) -> dict[Ref, str]:
    """Return what is named with its digest, in order; what vanished is still known by its ref."""
    found: dict[Ref, str] = {}
    aside = library.aside
    removed = (ref for ref, each in aside.unreviewed.items() if each.what == "removed")
    gone = dict.fromkeys((*(each.ref for each in aside.vanished), *removed))
    for text in texts:
        mark = mark_in(text)
        lost = [
            ref
            for ref in gone
            if text in (str(ref), library.short(ref), ref.id)
            or (mark and ref.mark.startswith(mark))
        ]
        if len(lost) == 1 and not library.has(lost[0]):
            found[lost[0]] = ""
        else:
            entry = entry_named(library, text)
            found[entry.ref] = entry.digest
    return found


def kind_word(text: str) -> str:
    """Return a kind as entries carry it; people may write a hyphen."""
    return text.strip().casefold().replace("-", "_")


def near_kind(library: Library, text: str) -> str:
    """Return the kind that is meant, also by its plural or nearly by its name; empty = none."""
    kind = kind_word(text)
    known = {entry.kind for entry in library.entries()}
    for system in library.formats:
        known.update(system.kinds, system.facets.finds)
    for one in (kind, kind.removesuffix("s"), f"{kind.removesuffix('ies')}y"):
        if one in known:
            return one
    return next(iter(nearest(kind, known)), "")


def shown_path(invocation: Invocation, path: Path | str) -> str:
    """Return a path as people read it: below the root without it, below the home with `~`."""
    return path_told(Path(path), invocation.root, invocation.places.home)


def path_told(path: Path, root: Path, home: Path) -> str:
    """Return a path as people read it: below `root` without it, below `home` with `~`."""
    if path.is_relative_to(root):
        return str(path.relative_to(root))
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def tell_unread(invocation: Invocation, sources: Iterable[Source]) -> None:
    """Say which sources could not be read: what stands there is missing from what is printed."""
    for source in sources:
        for problem in source.problems:
            if problem.blocks_writing and not source.entries:
                line = f":{problem.line}" if problem.line else ""
                path = shown_path(invocation, problem.path or source.path)
                say(f"not read: {path}{line}  {problem.message}")


def tell_all_unread(invocation: Invocation, sources: Iterable[Source]) -> None:
    """Say which sources could not be read, and in which folders nothing could be looked for."""
    tell_unread(invocation, sources)
    for problem in invocation.session.shut_folders():
        if problem.path is not None:
            say(f"not read: {shown_path(invocation, problem.path)}/  {problem.message}")


def who_is_there(name: str, names: Iterable[str]) -> str:
    """Return the hint for a name that no agent has: the nearest, and the first who are here."""
    there = tuple(dict.fromkeys(names))
    if not there:
        return "no agent files found here"
    near = did_you_mean(name, there, most=_NEAR) if name else ""
    known = ", ".join(f"`{each}`" for each in there[:_NAMED])
    more = f" and {len(there) - _NAMED:,} more" if len(there) > _NAMED else ""
    return f"{near} agents here: {known}{more}".lstrip()


def _nearest(text: str, entries: Iterable[Entry]) -> str:
    from rapidfuzz import fuzz, process

    has_format = ":" in text
    names = [str(e.ref.without_place()) if has_format else e.ref.id for e in entries]
    best = process.extractOne(
        text, names, scorer=fuzz.ratio, processor=str.casefold, score_cutoff=LIKE_ENOUGH
    )
    return best[0] if best else ""


def need_one_repository(library: Library) -> None:
    """Let no command on the code or the files of one repository run over all of a workspace.

    Raises:
        BadUsage: Several are open.
    """
    names = [each.name for each in repositories_of(library)]
    if names:
        listed = ", ".join(f"`{name}`" for name in names[:9])
        raise BadUsage(
            "this is a whole workspace", hint=f"choose a repository with `--repo`: {listed}"
        )


def fields_of(settings: Iterable[str]) -> Iterable[tuple[str, Json]]:
    """Yield fields and their values.

    Raises:
        BadUsage: One has no `=`, or its list cannot be read.
    """
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name.strip():
            raise BadUsage(f"`{setting}` sets no field", hint="write it like `severity=high`")
        yield name.strip(), _value(setting, text)


def _value(setting: str, text: str) -> Json:
    if text == "null":
        return None
    if not text.startswith(("[", "{")):
        return text
    document = parse_document(text.encode())
    if document.problems or not isinstance(document.value, list | dict):
        raise BadUsage(f"the value of `{setting}` cannot be read", hint="write a list as `[a, b]`")
    value: Json = document.value
    return value
