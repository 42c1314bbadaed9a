"""A promotion writes several files: whatever the disk refuses, it stands everywhere or nowhere."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.failing_disk import RefusingDisk
from tests.gate_files import bench_at, tree
from tests.promoting import RULE, Rules, lift
from tests.workspace_files import workspace

from remem.base.errors import RememError

_NEVER = 1 << 30


@pytest.mark.slow
def test_whichever_call_is_refused_it_stands_everywhere_or_nowhere(tmp_path: Path) -> None:
    rules = {"api": [RULE, "a"], "web": [RULE, "b"]}
    calls = _attempt(tmp_path / "counted", rules, RefusingDisk(_NEVER, errno.EROFS))[0].effects
    refused = 0

    for at in calls[::5]:  # each one holds too, and takes a minute
        disk = RefusingDisk(at, errno.EROFS)
        _, error, before, after, whole = _attempt(tmp_path / f"at-{at}", rules, disk)
        refused += error is not None
        assert after in (before, whole), f"call {at} left it between"

    assert refused > len(calls) / 10


def _attempt(
    base: Path, rules: Mapping[str, Rules], disk: RefusingDisk
) -> tuple[RefusingDisk, RememError | None, dict[str, str], dict[str, str], dict[str, str]]:
    """Promote with one call refused; return what was told, and the files before and after.

    Last comes what the files are once the promotion stands.
    """
    root = workspace(base, ["Services log JSON"], rules)
    at, disk.at = disk.at, _NEVER
    bench = bench_at(root, disk=disk)
    bench.begin()
    intent, before = lift(bench, "sniper@api:conv-001"), _stores(root)
    disk.calls.clear()
    disk.at = at
    error = None
    try:
        bench.apply(intent)
    except RememError as told:
        error = told
    disk.at = _NEVER
    bench.close()
    again = bench_at(root)
    again.begin()
    after = _stores(root)
    if after == before:
        again.apply(intent)
    whole = _stores(root)
    again.close()
    return disk, error, before, after, whole


def _stores(root: Path) -> dict[str, str]:
    return {name: each for name, each in tree(root).items() if name.endswith("conventions.yaml")}
