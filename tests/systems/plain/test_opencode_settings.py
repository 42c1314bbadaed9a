"""Settings that stop OpenCode, and settings that it takes, as it was asked one by one.

Each line was the whole `opencode.json` of a project in which OpenCode 1.18.33 was asked for its
settings on 2026-11-28: it printed them, or it ended with an error.
"""

from __future__ import annotations

import json

import pytest

from remem.systems.plain.opencode_settings import faults_in
from remem.systems.plain.opencode_stops import fault_in_settings

TAKEN = r"""
{"mcp": {"a": {"type": "local", "command": ["x"]}}}
{"mcp": {"a": {"type": "local", "command": "x", "enabled": true}}}
{"mcp": {"a": {"enabled": false}}}
{"mcp": {"a": {"type": "remote", "url": "https://x.y"}}}
{"mcp": {"a": {"type": "local", "command": ["x"], "env": {"A": "b"}}}}
{"mcp": {"a": {"type": "remote", "url": "u", "oauth": {}}}}
{"plugin": [["a", {}]]}
{"references": {"a": {"path": "x"}}}
{"references": {"a": "x"}}
{"references": {"a": {"path": "x", "repository": 3}}}
{"formatter": {"a": {"extensions": ["x"]}}}
{"lsp": {"pyright": {"command": ["x"]}}}
{"lsp": {"mine": {"command": ["x"]}}}
{"lsp": {"mine": {"command": ["x"], "extensions": [".x"]}}}
{"lsp": {"mine": {"disabled": true}}}
{"compaction": {"reserved": 0}}
{"subagent_depth": 0}
{"tool_output": {"max_lines": 5}}
{"experimental": {"hook": {}}}
{"attachment": {"image": {"auto_resize": true}}}
{"provider": {"a": {"models": {"m": {}}}}}
{"provider": {"a": {"npm": "X", "options": {"x": 1}}}}
{"permission": "ask"}
{"permission": {"bash": {"*": "ask"}}}
{"autoupdate": "notify"}
{"share": "manual"}
{"logLevel": "INFO"}
{"layout": "auto"}
{"skills": ["x"]}
{"mode": {"a": {"description": "x"}}}
{"references": {"a": {"repository": "x"}}}
{"default_agent": "nobody"}
{"model": "bare"}
{"skills": []}
{"skills": {"paths": ["a"], "x": 1}}
{"permission": {"question": "ask"}}
{"permission": {"external_directory": {"*": "ask"}}}
{"permission": {"mine": {"*": "ask"}}}
{"mcp": {"a": {"type": "local", "command": []}}}
{"lsp": true}
{"formatter": true}
{"keybinds": 3}
{"theme": 3}
{"username": ""}
{"mcp": {}}
{"unknown": {"a": 1}}
"""
STOPPING = r"""
{"mcp": {"a": {"type": "local", "command": "x"}}}
{"mcp": {"a": {"command": "npx", "args": ["-y"]}}}
{"mcp": {"a": {"enabled": "no"}}}
{"mcp": {"a": {"type": "remote"}}}
{"mcp": {"a": {"type": "http", "url": "https://x.y"}}}
{"mcp": {"a": {"type": "local", "command": ["x"], "environment": {"A": 1}}}}
{"mcp": {"a": {"type": "local", "command": ["x"], "timeout": 0}}}
{"mcp": {"a": {"type": "remote", "url": "u", "oauth": true}}}
{"mcp": {"a": {"type": "remote", "url": "u", "headers": {"a": 1}}}}
{"mcp": {"a": {"type": "local", "url": "u"}}}
{"mcp": {"a": {}}}
{"mcp": {"a": "x"}}
{"plugin": [["a"]]}
{"plugin": [{}]}
{"references": {"a": {"repository": "x", "hidden": "y"}}}
{"references": {"a": {"path": "x", "description": 3}}}
{"references": {"a": {"path": 3}}}
{"references": {"a": {}}}
{"formatter": {"a": {"command": "x"}}}
{"formatter": {"a": {"command": ["x"], "environment": {"a": 1}}}}
{"formatter": {"a": false}}
{"lsp": {"pyright": {"disabled": false}}}
{"lsp": {"pyright": {}}}
{"lsp": {"pyright": {"command": ["x"], "disabled": "true"}}}
{"compaction": {"auto": "x"}}
{"compaction": {"reserved": -1}}
{"compaction": {"reserved": 1.5}}
{"subagent_depth": -1}
{"tool_output": {"max_lines": 0}}
{"server": {"port": "x"}}
{"server": {"port": 0}}
{"server": {"cors": "x"}}
{"experimental": {"batch_tool": "x"}}
{"experimental": {"mcp_timeout": 0}}
{"experimental": {"primary_tools": "x"}}
{"attachment": {"image": {"max_width": "3"}}}
{"provider": {"a": {"options": {"apiKey": 3}}}}
{"provider": {"a": {"models": {"m": "x"}}}}
{"provider": {"a": {"models": {"m": {"name": 3}}}}}
{"provider": {"a": {"env": "X"}}}
{"provider": {"a": {"models": ["m"]}}}
{"permission": {"bash": "maybe"}}
{"permission": {"webfetch": {"*": "ask"}}}
{"permission": ["x"]}
{"layout": "x"}
{"watcher": {"ignore": "x"}}
{"skills": {"paths": "x"}}
{"enterprise": {"url": 3}}
{"tools": {"bash": "no"}}
{"mode": {"a": {"mode": "x"}}}
{"agent": {"a": {"model": 3}}}
{"skills": [3]}
{"permission": {"question": {"*": "ask"}}}
{"permission": {"todowrite": {"*": "ask"}}}
{"permission": {"bash": {"*": "x"}}}
{"permission": {"read": 3}}
{"agent": {"a": {"permission": {"question": {"*": "ask"}}}}}
{"mcp": {"a": {"type": "local", "command": ["x"], "cwd": 3}}}
{"instructions": ["a", 3]}
{"disabled_providers": "x"}
{"provider": {"a": {"whitelist": "x"}}}
{"mcp": {"a": {"type": "remote", "url": 3}}}
{"mcp": {"a": {"type": "remote", "url": "u", "oauth": false, "timeout": "5"}}}
{"lsp": {"x": true}}
{"compaction": true}
{"plugin": "x"}
{"watcher": ["x"]}
{"experimental": true}
{"share": true}
{"snapshot": "yes"}
{"autoupdate": "never"}
{"username": 3}
{"small_model": null}
{"model": null}
{"shell": 3}
{"logLevel": "debug"}
{"enterprise": "x"}
{"attachment": true}
{"tool_output": 3}
{"server": "x"}
{"references": "x"}
{"reference": {"a": 3}}
{"tools": ["x"]}
{"mcp": ["x"]}
{"provider": ["x"]}
{"autoshare": "x"}
{"default_agent": 3}
{"enabled_providers": [3]}
{"subagent_depth": "x"}
{"layout": 3}
{"mode": ["x"]}
{"mode": {"a": "x"}}
{"agent": "x"}
{"command": {"a": {"template": 3}}}
{"command": {"a": {"template": "x", "subtask": "y"}}}
{"skills": {"urls": "x"}}
{"skills": "x"}
{"skills": {"paths": [3]}}
{"server": {"port": 1.5}}
{"compaction": {"prune": 1}}
"""


@pytest.mark.parametrize("settings", TAKEN.split("\n")[1:-1])
def test_settings_that_opencode_takes_are_no_problem(settings: str) -> None:
    assert fault_in_settings(settings.encode()) is None


@pytest.mark.parametrize("settings", STOPPING.split("\n")[1:-1])
def test_settings_that_stop_opencode_are_told(settings: str) -> None:
    fault = fault_in_settings(settings.encode())

    assert fault is not None
    assert fault.stops


def test_what_is_wrong_is_named_with_its_place_and_its_line() -> None:
    data = json.dumps(
        {
            "provider": {"own": {"env": ["A"]}},
            "mcp": {
                "first": {"type": "local", "command": ["x"]},
                "docs": {"type": "local", "command": "npx docs"},
                "web": {"type": "remote"},
            },
        },
        indent=2,
    ).encode()

    told = [(fault.said, fault.line) for fault in faults_in(json.loads(data), data)]

    lines = data.decode().split("\n")
    wrong = lines.index('      "command": "npx docs"') + 1
    assert told == [
        ("`mcp.docs.command` is `npx docs`, and it takes a list of texts", wrong),
        ("`mcp.web` has no `url`", lines.index('    "web": {') + 1),
    ]
