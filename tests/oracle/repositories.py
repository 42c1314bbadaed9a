"""A public repository's files as a fixture: each file of text says a word that no other says.

Nothing of it is kept or run: what would start a program (hooks, servers, plug-ins) stays out.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tests.oracle.fixtures import Fixture

_ENDINGS: Final = frozenset({".md", ".mdc", ".mdx", ".markdown", ".txt"})
_RULES: Final = frozenset(
    {".cursorrules", ".clinerules", ".windsurfrules", ".roorules", ".goosehints"}
)
_SETTINGS: Final = frozenset({"settings.json", "settings.local.json", "opencode.json"})
_STARTS: Final = (
    "hooks",
    "mcpServers",
    "mcp",
    "plugin",
    "enabledPlugins",
    "statusLine",
    "apiKeyHelper",
)
"""Settings by which a tool starts something."""
_FRONT: Final = re.compile(
    r"\A---[ \t]*\r?\n(?P<front>.*?)^---[ \t]*$\r?\n?", re.DOTALL | re.MULTILINE
)
_DESCRIBES: Final = re.compile(
    r"^(?P<key>description:[ \t]*)(?P<block>[>|][+-]?[ \t]*\r?\n[ \t]+)?(?P<quote>[\"'])?(?=\S)",
    re.MULTILINE,
)
_MOST: Final = 400_000
"""Bytes of one file; larger ones are left out."""


def repository_fixture(checkout: Path) -> Fixture:
    """Return what git tracks in a checkout as a fixture; code is left out."""
    listed = subprocess.run(
        ("git", "-c", "core.fsmonitor=false", "ls-files", "-z"),
        cwd=checkout,
        capture_output=True,
        check=True,
    ).stdout.decode()
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    for name in filter(None, listed.split("\0")):
        at = checkout / name
        if at.is_symlink():
            links[name] = str(at.readlink())
        elif at.is_file() and at.stat().st_size <= _MOST:
            text = _told(PurePosixPath(name), at)
            if text is not None:
                files[name] = text
    return Fixture(checkout.name, files, links=links)


def _told(name: PurePosixPath, at: Path) -> str | None:
    if name.name in _SETTINGS:
        return _harmless(at)
    if name.suffix.lower() not in _ENDINGS and name.name not in _RULES:
        return None
    text = at.read_bytes().decode("utf-8", "replace").replace("§", "s").replace("¶", "p")
    front = _FRONT.match(text)
    if front is None:
        return f"§\n\n{text}"
    head = _DESCRIBES.sub(_described, front[0], count=1)
    return f"{head}\n§\n\n{text[front.end() :]}"


def _described(match: re.Match[str]) -> str:
    return f"{match['key']}{match['block'] or ''}{match['quote'] or ''}¶ "


def _harmless(at: Path) -> str | None:
    try:
        settings: Any = json.loads(at.read_bytes())
    except ValueError:
        return None
    if not isinstance(settings, dict):
        return None
    return json.dumps({key: value for key, value in settings.items() if key not in _STARTS})
