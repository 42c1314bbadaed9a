"""Makes the demo's Night Watch database in memory, so that its bytes are written like others."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from typing import Final

from remem.demo.content.profiles import Profile

_TABLE: Final = """
CREATE TABLE agent_personas (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, avatar_url TEXT,
    soul_json TEXT NOT NULL DEFAULT '{}', style_json TEXT NOT NULL DEFAULT '{}',
    skill_json TEXT NOT NULL DEFAULT '{}', model_config_json TEXT, system_prompt_override TEXT,
    is_active INTEGER NOT NULL DEFAULT 1, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
)
"""
_CREATED: Final = 1_769_500_800_000
"""Milliseconds since 1970: 2026-01-27."""


def database_bytes(profiles: Iterable[Profile]) -> bytes:
    """Return a SQLite database that holds `agent_personas` with these rows (FORMATS 3.6)."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(_TABLE)
        connection.executemany(
            "INSERT INTO agent_personas VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            map(_row, profiles),
        )
        connection.commit()
        return connection.serialize()


def _row(profile: Profile) -> tuple[str | int | None, ...]:
    texts = (json.dumps(part) for part in (profile.soul, profile.style, profile.skill))
    model = json.dumps({"provider": "anthropic", "model": profile.model})
    return (
        profile.id,
        profile.name,
        profile.role,
        *texts,
        model,
        profile.override or None,
        int(profile.is_active),
        _CREATED,
        _CREATED,
    )
