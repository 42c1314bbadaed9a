"""A workspace whose repositories share rules, and how one of them is lifted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml
from tests.gate_files import bench_at
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import SHARED, workspace

from remem.core.session import Session
from remem.model.change import Intent, Json

RULE = "Every queue consumer is idempotent"
Rules = Sequence[str | Mapping[str, object]]


def acme(tmp_path: Path, shared: Rules = (), **repositories: Rules) -> Session:
    return bench_at(workspace(tmp_path, shared, repositories))


def inside(bench: Session, name: str) -> Session:
    return Session.open(
        bench.root / "repositories" / name, bench.places, door="cli", clock=bench.clock
    )


def lift(bench: Session, *names: str, **arguments: Json) -> Intent:
    entries = [bench.library.resolve(name) for name in names]
    return bench.intend("workspace.promote", entries, **arguments)


def stored(root: Path, name: str = "") -> list[dict[str, object]]:
    path = root / (f"repositories/{name}/{CONVENTIONS}" if name else SHARED)
    found: list[dict[str, object]] = yaml.safe_load(path.read_text())["conventions"]
    return found
