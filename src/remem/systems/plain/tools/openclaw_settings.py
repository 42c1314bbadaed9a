"""What `openclaw.json` says of a workspace: how much of its files is handed on, or that none is.

Seen of OpenClaw 2026.9.6 on 2026-11-28: an agent's own values come before those for all agents, and
with a value of another kind it does not start. The older `list` of agents counts as `entries` do.
With a key that it does not know it does not start either; which it knows is not held here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.loader import STOPS, Tool, without
from remem.store.io import Unreadable
from remem.systems.plain.json_with_comments import as_json_with_comments

_NAME: Final = "openclaw.json"
_EACH, _ALL, _WHETHER = "bootstrapMaxChars", "bootstrapTotalMaxChars", "contextInjection"
_ANSWERS: Final = ("always", "continuation-skip", "never")
_USUAL: Final = 20_000
"""Characters of a file that has no cap of its own, where nothing is set."""
_LISTED: Final = frozenset({"openclaw-skills", "agents-skills"})
"""Layouts of what it lists whatever it hands on."""


def settings_of_openclaw(ground: Ground) -> Path:
    """Return where the settings lie of the OpenClaw whose workspace the root may be."""
    place = ground.root.parent
    is_its_place = place.parent == ground.home and place.name.startswith(".openclaw")
    return (place if is_its_place else ground.home / ".openclaw") / _NAME


def with_settings(ground: Ground, tool: Tool) -> Tool:
    """Return OpenClaw as its settings have it for the root.

    Args:
        ground: Where the root and the home folder are.
        tool: As it comes.
    """
    path = settings_of_openclaw(ground)
    said, unread = _said(ground, path)
    if unread:
        unseen = f"what `{ground.shown(path)}` says: remem cannot read it"
        return replace(tool, unseen=(*tool.unseen, unseen))
    for key, takes in ((_EACH, _is_count), (_ALL, _is_count), (_WHETHER, _is_answer)):
        if key in said and not takes(said[key]):
            return replace(tool, stopped=_stopped(ground, path, key))
    if ground.disk.kind(path) is not None:
        unseen = f"whether `{ground.shown(path)}` has a key that keeps OpenClaw from starting"
        tool = replace(tool, unseen=(*tool.unseen, unseen))
    most, together = said.get(_EACH), said.get(_ALL, tool.most_characters)
    if most is not None:
        loads = (
            replace(row, most_characters=_most(row.most_characters, most)) for row in tool.loads
        )
        tool = replace(tool, loads=tuple(loads))
    tool = replace(tool, most_characters=together)
    if said.get(_WHETHER) != _ANSWERS[-1]:
        return tool
    layouts = frozenset(row.layout for row in tool.loads if not row.never) - _LISTED
    return without(tool, layouts, f"`{_WHETHER}` in `{ground.shown(path)}` is `{_ANSWERS[-1]}`")


def _most(own: int, said: int) -> int:
    """Return how many characters a file may have; one with a cap of its own can only have less."""
    return said if own == _USUAL else min(own, said)


def _said(ground: Ground, path: Path) -> tuple[Mapping[str, Any], bool]:
    """Return what the settings say for the agent whose workspace the root is, and if none can."""
    try:
        value = as_json_with_comments(ground.disk.read(path))
    except Unreadable:
        return {}, False
    except (ValueError, RecursionError):
        return {}, True
    agents = value.get("agents") if isinstance(value, dict) else None
    if not isinstance(agents, dict):
        return {}, False
    everyone = _keys(agents.get("defaults"))
    entries = {name: _keys(entry) for name, entry in _entries(agents)}
    return next(_of_agents(ground, path, everyone, entries), {}), False


def _entries(agents: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the agents that settings name, also as older versions wrote them."""
    if "entries" in agents or not isinstance(agents.get("list"), list):
        yield from _keys(agents.get("entries")).items()
        return
    for entry in agents["list"]:
        yield str(_keys(entry).get("id")), entry


def _of_agents(
    ground: Ground,
    path: Path,
    everyone: Mapping[str, Any],
    entries: Mapping[str, Mapping[str, Any]],
) -> Iterator[Mapping[str, Any]]:
    """Yield what counts for each agent that has the root for its workspace."""
    shared = everyone.get("workspace", str(path.parent / "workspace"))
    for entry in entries.values() if entries else ({},):
        own = entry.get("workspace", shared if len(entries) < 2 else None)
        if isinstance(own, str) and _place(ground, own) == ground.root:
            yield {**everyone, **entry}


def _place(ground: Ground, name: str) -> Path:
    return ground.home / name[2:] if name.startswith("~/") else Path(name)


def _keys(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_answer(value: object) -> bool:
    return value in _ANSWERS


def _stopped(ground: Ground, path: Path, key: str) -> Problem:
    takes = "`always`, `continuation-skip` or `never`" if key == _WHETHER else "a number from 1 on"
    return Problem(
        STOPS,
        f"OpenClaw does not start here because of `{ground.shown(path)}`: `{key}` in it takes "
        f"{takes}, and has something else",
        "correct the value, or remove its line; until then no file is loaded",
        path,
    )
