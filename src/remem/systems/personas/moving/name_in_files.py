"""Where a persona's name stands inside files, and the edits that write another one there.

It stands in remem's own settings too, which say the roles that a persona works in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.edit.markdown import front_matter_end
from remem.edit.markdown_edit import Edit
from remem.edit.patch import splice_to
from remem.edit.yaml_read import parse_document
from remem.model.change import Splice
from remem.model.entry import digest_of
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.store.io import Unreadable
from remem.systems.personas.claude_agents import front_matter
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team import squad, squad_lists

_LINES: Final = {
    key: re.compile(
        rb"^" + key.encode() + rb"[ \t]*:[ \t]+"
        rb"(?P<value>\"[^\"\r\n]*\"|'[^'\r\n]*'|[^\"'#\s]++(?:[ \t]++[^#\s]++)*+)"
        rb"(?=[ \t]*(?:#|\r|\n|\Z))",
        re.MULTILINE,
    )
    for key in ("name", "memory")
}
_PLAIN: Final = re.compile(r"[A-Za-z][\w .-]*[\w]|[A-Za-z]")
_WORDS_OF_YAML: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def renamed(source: PersonaSource, folder: str, name: str, new_folder: str) -> Iterator[Splice]:
    """Yield what writes a persona's new name into one file.

    Args:
        source: A charter, a definition, a profile, a roster or a registry.
        folder: Name of the persona's folder so far.
        name: The new name.
        new_folder: Name that the folder gets; differs from `name` where that is taken.

    Raises:
        Refused: It is a roster without a row of that name.
    """
    if source.part == Part.REGISTRY:
        yield from _registered(source, folder, name, new_folder)
        return
    edit = _edit(source, folder, name, new_folder)
    if edit is None:
        return
    old = source.data[edit.start : edit.end]
    if old != edit.new:
        yield Splice(source.path, edit.start, edit.end, old, edit.new, digest_of(source.data))


def rescoped(source: PersonaSource, scope: str) -> Iterator[Splice]:
    """Yield what lets an agent's definition load the memory of another scope."""
    edit = _set(source.data, front_matter_end(source.data), "memory", scope)
    if edit is not None:
        old = source.data[edit.start : edit.end]
        yield Splice(source.path, edit.start, edit.end, old, edit.new, digest_of(source.data))


def _edit(source: PersonaSource, folder: str, name: str, new_folder: str) -> Edit | None:
    match source.part:
        case Part.CHARTER:
            return squad.retitle_charter(source.data, name)
        case Part.DEFINITION:
            return _set(source.data, front_matter_end(source.data), "name", new_folder)
        case Part.PROFILE if not source.rows:
            return _set(source.data, len(source.data), "name", name)
        case Part.ROSTER:
            return squad_lists.renamed_member(source, folder, name, new_folder)
        case _:
            return None


def _set(data: bytes, stop: int, key: str, text: str) -> Edit | None:
    """Plan to set a top-level key of YAML; `None` where it has none on a line of its own."""
    match = _LINES[key].search(data, 0, stop)
    if match is None:
        return None
    edit = Edit(match.start("value"), match.end("value"), scalar(text).encode())
    after = edit.apply(data)
    value = front_matter(after) if front_matter_end(data) else parse_document(after).value
    return edit if isinstance(value, dict) and value.get(key) == text else None


def scalar(name: str) -> str:
    """Return a name as YAML reads it as text."""
    if _PLAIN.fullmatch(name) and name.casefold() not in _WORDS_OF_YAML:
        return name
    return f'"{name}"'


def _registered(source: PersonaSource, folder: str, name: str, new_folder: str) -> Iterator[Splice]:
    for key, agent in squad.registry(source.data).items():
        called = persona_key(squad.registered_name(key, agent))
        if persona_key(folder) not in {persona_key(key), called}:
            continue
        # A registry may be kept by role, `"core-dev": {"persistent_name": "Tank"}`: that stays.
        is_of_role = persona_key(key) not in {persona_key(folder), called}
        new_key = key if is_of_role else new_folder
        after = squad.rename_registered(source.data, key, name, new_key)
        if after is not None:
            yield from splice_to(source.path, source.data, after, digest_of(source.data))
        return


_ROLES: Final = "roles"


def renamed_in_settings(ground: Ground, name: str, new: str) -> Iterator[Splice]:
    """Yield what lets a persona that gets another name keep its roles.

    Settings that cannot be read, or whose roles would be read otherwise, stay as they are: the
    plan names them among what still mentions the old name.
    """
    for path in ground.settings_files:
        if ground.disk.kind(path) == "file":
            yield from _renamed(ground, path, name, new)


def _renamed(ground: Ground, path: Path, name: str, new: str) -> Iterator[Splice]:
    try:
        data = ground.disk.read(path)
    except Unreadable:
        return
    before = parse_document(data).value
    roles = before.get(_ROLES) if isinstance(before, Mapping) else None
    if not isinstance(before, Mapping) or not isinstance(roles, Mapping) or new in roles:
        return
    old = next((key for key in roles if persona_key(str(key)) == persona_key(name)), None)
    if old is None:
        return
    spelled = scalar(new).encode()
    wanted = {**before, _ROLES: {new if key == old else key: roles[key] for key in roles}}
    for match in _keys(data, str(old)):
        start, end = match.span("key")
        if parse_document(data[:start] + spelled + data[end:]).value == wanted:
            yield Splice(path, start, end, data[start:end], spelled, digest_of(data))
            return


def _keys(data: bytes, key: str) -> Iterator[re.Match[bytes]]:
    """Yield where the key may stand, bare or in quotes."""
    bare = re.escape(key.encode())
    spelled = (rb'"' + bare + rb'"', rb"'" + bare + rb"'", bare)
    return re.finditer(rb"(?P<key>" + rb"|".join(spelled) + rb")[ \t]*:", data)
