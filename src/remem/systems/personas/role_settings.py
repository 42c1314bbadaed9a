"""Follows a persona's name in remem's own settings, which say the roles it works in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.edit.yaml_read import parse_document
from remem.model.change import Splice
from remem.model.entry import digest_of
from remem.model.roles import persona_key
from remem.store.io import Unreadable
from remem.systems.personas.rename import scalar

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
