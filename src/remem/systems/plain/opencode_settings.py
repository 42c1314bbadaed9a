"""What OpenCode takes in its settings; with anything else it does not start.

Each key was asked of OpenCode 1.18.33 on 2026-11-28, with a right value and with wrong ones; it
names them all in the schema that its settings are held against. Keys that it does not know it lets
pass. What an agent, a command and a provider's models may say stands elsewhere or was not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.systems.plain.taken_values import (
    COUNT,
    KEYS,
    SWITCH,
    SWITCHES,
    TEXT,
    TEXTS,
    Fault,
    Takes,
    are_permissions,
    is_text,
    line_of,
    one_of,
    shown,
)


@dataclass(frozen=True, slots=True)
class _Keys:
    """An object that may have some keys, each with what it takes."""

    keys: Mapping[str, _Shape]
    needs: tuple[str, ...] = ()
    """Those that it must have."""


@dataclass(frozen=True, slots=True)
class _Each:
    """An object whose every value has one shape; `or_switch`: `true` and `false` will do, too."""

    shape: _Shape
    or_switch: bool = False


@dataclass(frozen=True, slots=True)
class _By:
    """What a value takes is told by the value."""

    choose: Callable[[Any], _Shape]


_Shape = Takes | _Keys | _Each | _By


def faults_in(value: Mapping[str, Any], data: bytes) -> Iterator[Fault]:
    """Yield what OpenCode does not take among the values of its settings.

    Args:
        value: The settings.
        data: The file, for the lines.
    """
    yield from _faults(value, _SETTINGS, (), data)


def _faults(value: Any, shape: _Shape, at: tuple[str, ...], data: bytes) -> Iterator[Fault]:
    if isinstance(shape, _By):
        yield from _faults(value, shape.choose(value), at, data)
    elif isinstance(shape, Takes):
        if not shape.fits(value):
            yield _fault(value, shape.said, at, data)
    elif isinstance(shape, _Each) and shape.or_switch and isinstance(value, bool):
        return
    elif not isinstance(value, dict):
        also = ", `true` or `false`" if isinstance(shape, _Each) and shape.or_switch else ""
        yield _fault(value, f"keys with values{also}", at, data)
    elif isinstance(shape, _Each):
        for key, each in value.items():
            yield from _faults(each, shape.shape, (*at, key), data)
    else:
        for key in shape.needs:
            if key not in value:
                yield Fault(f"`{'.'.join(at)}` has no `{key}`", _line(at, data), stops=True)
        for key, each in value.items():
            if key in shape.keys:
                yield from _faults(each, shape.keys[key], (*at, key), data)


def _fault(value: Any, takes: str, at: tuple[str, ...], data: bytes) -> Fault:
    said = f"`{'.'.join(at)}` is {shown(value)}, and it takes {takes}"
    return Fault(said, _line(at, data), stops=True)


def _line(at: tuple[str, ...], data: bytes) -> int:
    """Return the line of a key: the first of that name behind those that it lies in."""
    line, start = 1, 0
    for key in at:
        line = line_of(key, data, start)
        start = sum(map(len, data.splitlines(keepends=True)[: line - 1]))
    return line


def _is_count_or_nought(value: Any) -> bool:
    return COUNT.fits(value) or (value == 0 and not isinstance(value, bool))


def _are_texts_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_text, value.values()))


def _are_plugins(value: Any) -> bool:
    return isinstance(value, list) and all(
        is_text(each)
        or (isinstance(each, list) and len(each) == 2 and is_text(each[0]) and KEYS.fits(each[1]))
        for each in value
    )


_FROM_NOUGHT: Final = Takes("a whole number from 0", _is_count_or_nought)
_BY_NAME: Final = Takes("names with a text each", _are_texts_by_name)
_LOCAL: Final = _Keys(
    {
        "command": TEXTS,
        "cwd": TEXT,
        "environment": _BY_NAME,
        "enabled": SWITCH,
        "timeout": COUNT,
    },
    needs=("command",),
)
_REMOTE: Final = _Keys(
    {
        "url": TEXT,
        "enabled": SWITCH,
        "headers": _BY_NAME,
        "oauth": Takes("`false` or keys with values", lambda v: v is False or KEYS.fits(v)),
        "timeout": COUNT,
    },
    needs=("url",),
)
_NAMELESS: Final = _Keys({"type": one_of("local", "remote")}, needs=("type",))


def _server(value: Any) -> _Shape:
    """Return what a server of MCP takes: one that is only switched on or off, nothing more."""
    if not isinstance(value, dict) or isinstance(value.get("enabled"), bool):
        return KEYS
    return {"local": _LOCAL, "remote": _REMOTE}.get(str(value.get("type")), _NAMELESS)


def _skills(value: Any) -> _Shape:
    return TEXTS if isinstance(value, list) else _Keys({"paths": TEXTS, "urls": TEXTS})


def _reference(value: Any) -> _Shape:
    if not isinstance(value, dict):
        return Takes("a text or keys with values", is_text)
    about: dict[str, _Shape] = {"description": TEXT}
    if is_text(value.get("path")):
        return _Keys(about)
    return _Keys(
        {**about, "repository": TEXT, "branch": TEXT, "hidden": SWITCH}, needs=("repository",)
    )


def _language_server(value: Any) -> _Shape:
    if isinstance(value, dict) and value.get("disabled") is True:
        return KEYS
    keys = {"command": TEXTS, "extensions": TEXTS, "disabled": SWITCH, "env": _BY_NAME}
    return _Keys({**keys, "initialization": KEYS}, needs=("command",))


_SIZES: Final = ("max_width", "max_height", "max_base64_bytes")
_KEPT: Final = ("tail_turns", "preserve_recent_tokens", "reserved")
_TRIED: Final = ("disable_paste_summary", "batch_tool", "openTelemetry", "continue_loop_on_deny")
_PROVIDER: Final = _Keys(
    {
        **dict.fromkeys(("api", "name", "id", "npm"), TEXT),
        **dict.fromkeys(("env", "whitelist", "blacklist"), TEXTS),
        "options": _Keys({"apiKey": TEXT, "baseURL": TEXT, "enterpriseUrl": TEXT}),
        "models": _Each(_Keys({"id": TEXT, "name": TEXT})),
    }
)
_SETTINGS: Final = _Keys(
    {
        **dict.fromkeys(("$schema", "shell", "model", "small_model", "default_agent"), TEXT),
        "username": TEXT,
        **dict.fromkeys(("snapshot", "autoshare"), SWITCH),
        "logLevel": one_of("DEBUG", "INFO", "WARN", "ERROR"),
        "share": one_of("manual", "auto", "disabled"),
        "layout": one_of("auto", "stretch"),
        "autoupdate": Takes(
            "`true`, `false` or `notify`", lambda v: isinstance(v, bool) or v == "notify"
        ),
        **dict.fromkeys(("disabled_providers", "enabled_providers", "instructions"), TEXTS),
        "plugin": Takes("a list of names, or of a name with options each", _are_plugins),
        "watcher": _Keys({"ignore": TEXTS}),
        "skills": _By(_skills),
        "enterprise": _Keys({"url": TEXT}),
        "tools": SWITCHES,
        "permission": Takes(
            "`allow`, `ask` or `deny`, or tools with one of them each", are_permissions
        ),
        "subagent_depth": _FROM_NOUGHT,
        "tool_output": _Keys({"max_lines": COUNT, "max_bytes": COUNT}),
        "compaction": _Keys(
            {"auto": SWITCH, "prune": SWITCH, **dict.fromkeys(_KEPT, _FROM_NOUGHT)}
        ),
        "server": _Keys(
            {"port": COUNT, "hostname": TEXT, "mdns": SWITCH, "mdnsDomain": TEXT, "cors": TEXTS}
        ),
        "attachment": _Keys(
            {"image": _Keys({"auto_resize": SWITCH, **dict.fromkeys(_SIZES, COUNT)})}
        ),
        "experimental": _Keys(
            {**dict.fromkeys(_TRIED, SWITCH), "primary_tools": TEXTS, "mcp_timeout": COUNT}
        ),
        **dict.fromkeys(("references", "reference"), _Each(_By(_reference))),
        "formatter": _Each(
            _Keys(
                {
                    "disabled": SWITCH,
                    "command": TEXTS,
                    "environment": _BY_NAME,
                    "extensions": TEXTS,
                }
            ),
            or_switch=True,
        ),
        "lsp": _Each(_By(_language_server), or_switch=True),
        "mcp": _Each(_By(_server)),
        "provider": _Each(_PROVIDER),
    }
)
