"""A shop whose rules a machine checks, and what the gate finds in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent, Json
from remem.model.entry import digest_of
from remem.store.io import Disk

CONVENTIONS: Final = ".sniper/memory/conventions.yaml"
GATE: Final = ".remem/gate.yaml"
RULES: Final = """\
# kept by hand
conventions:
  - id: conv-001   # do not reuse
    rule: "No printing in the service"
    enforcement: both
    detect: {files: ["src/**"], forbid: 'print'}   # log instead

  - id: conv-002
    rule: "Consumers are idempotent"
    status: candidate
    source: {type: imported, ref: "pack.yaml", date: "2026-01-01"}
    detect: {forbid: "twice"}
# the end
"""
PRINTS: Final = [("src/a.py", 2, 'print("a")'), ("src/a.py", 9, "print(b)")]
Found = Sequence[tuple[str, int, str]]


def still() -> Clock:
    ids: Iterator[int] = count(1)
    return Clock(lambda: datetime(2026, 5, 4, 9, 30, tzinfo=UTC), lambda: f"{next(ids):016x}")


def bench_at(
    root: Path,
    files: Mapping[str, str] | None = None,
    home: Path | None = None,
    disk: Disk | None = None,
) -> Session:
    """Write files below a root and open it; without files as it lies there."""
    for name, text in (files or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    places = Places.of(home or root.parent / "home")
    return Session.open(root, places, door="cli", clock=still(), disk=disk)


def shop_at(tmp_path: Path, rules: str = RULES) -> Session:
    return bench_at(tmp_path / "shop", {CONVENTIONS: rules})


def found(rules: Mapping[str, Found], looked: str = "") -> Intent:
    """Return the intent that `check --record` makes of what it found."""
    told: list[Json] = [
        {"rule": rule, "places": [{"path": p, "line": n, "text": t} for p, n, t in places]}
        for rule, places in rules.items()
    ]
    return Intent("gate.record", arguments={"found": told, "looked": looked})


def record(bench: Session, rules: Mapping[str, Found], looked: str = "") -> bool:
    """Let findings wait; tell whether anything was written."""
    intent = found(rules, looked)
    if not bench.plan(intent).effects:
        return False
    bench.apply(intent)
    return True


def decide(bench: Session, verb: str, **arguments: Json) -> None:
    """Decide on everything that the gate brought, in one change."""
    shown = {each.ref: each.digest for each in bench.queue() if "the gate found" in each.why}
    bench.apply(Intent(verb, shown, arguments))


def tree(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): digest_of(path.read_bytes()) for path in files}
