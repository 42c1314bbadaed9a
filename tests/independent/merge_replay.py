"""Replays real merges of memory files with the merge driver, beside git's own merge.

Run as `python -m tests.independent.merge_replay REPOSITORY...`. Of every merge commit each memory
file that both parents changed is merged twice: by `git merge-file`, and by the function that the
driver calls. It counts the conflicts that git reports and the driver solves, how many of these the
authors solved in the same way, and lists the others. What the driver loses of either side, against
a count of lines that it shares no code with, is a fault.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.independent.inbox_replay import MEMORY

from remem.edit.merge_entries import merge_entries


@dataclass
class Tally:
    """What a run came to."""

    merges: int = 0
    clean: int = 0
    """git merged it, and so did the driver."""
    otherwise: int = 0
    """git merged it, and the driver left a conflict."""
    solved: int = 0
    as_authors: int = 0
    left: int = 0
    """Both leave a conflict."""
    lost: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)


def git(top: Path, *words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=top, check=True, capture_output=True).stdout


def shown(top: Path, commit: str, name: str) -> bytes | None:
    found = subprocess.run(["git", "show", f"{commit}:{name}"], cwd=top, capture_output=True)
    return found.stdout if found.returncode == 0 else None


def by_git(ours: bytes, base: bytes, theirs: bytes) -> tuple[int, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for path, data in zip(paths, (ours, base, theirs), strict=True):
            path.write_bytes(data)
        words = ["git", "merge-file", "-p", *map(str, paths)]
        found = subprocess.run(words, capture_output=True)
        return found.returncode, found.stdout


def lines(text: bytes) -> Counter[bytes]:
    said = text.removeprefix(b"\xef\xbb\xbf")
    return Counter(line.strip() for line in said.splitlines() if line.strip())


def lost(base: bytes, ours: bytes, theirs: bytes, merged: bytes) -> Counter[bytes]:
    """Return the lines that a side added and that stand nowhere in what was merged."""
    was, now = lines(base), lines(merged)
    added = (lines(ours) - was) | (lines(theirs) - was)
    return Counter({line: n for line, n in added.items() if not now[line]})


def replay(top: Path, tally: Tally) -> None:
    for row in git(top, "log", "--all", "--merges", "--format=%H %P").decode().splitlines():
        commit, *parents = row.split()
        if len(parents) != 2:
            continue
        found = subprocess.run(["git", "merge-base", *parents], cwd=top, capture_output=True)
        start = found.stdout.decode().strip()
        if found.returncode != 0:
            continue
        sides = [
            {*git(top, "diff", "--name-only", "--no-renames", "-z", start, each).split(b"\0")}
            for each in parents
        ]
        for raw in sides[0] & sides[1]:
            name = raw.decode("utf-8", "replace")
            if MEMORY.search(name):
                one_file(top, commit, start, parents, name, tally)


def one_file(
    top: Path, commit: str, start: str, parents: Sequence[str], name: str, tally: Tally
) -> None:
    base = shown(top, start, name) or b""
    ours, theirs, then = (shown(top, each, name) for each in (*parents, commit))
    if ours is None or theirs is None or ours == theirs or base in (ours, theirs):
        return
    tally.merges += 1
    conflicts, _ = by_git(ours, base, theirs)
    made = merge_entries(base, ours, theirs)
    missing = lost(base, ours, theirs, made.data)
    if missing:
        tally.lost.append(f"{commit[:9]} {name}: {[*missing][:2]}")
    if not conflicts:
        tally.clean += not made.conflicts
        tally.otherwise += bool(made.conflicts)
        return
    if made.conflicts:
        tally.left += 1
        return
    tally.solved += 1
    if then is not None and lines(then) == lines(made.data):
        tally.as_authors += 1
    else:
        authors = lines(then or b"")
        own = sum((lines(made.data) - authors).values())
        theirs_only = sum((authors - lines(made.data)).values())
        tally.listed.append(f"{commit[:9]} {name}: +{own} -{theirs_only} lines to the authors'")


def main(repositories: Sequence[str]) -> int:
    faults = 0
    for each in repositories:
        tally = Tally()
        replay(Path(each), tally)
        faults += len(tally.lost)
        told = (
            f"{each}: {tally.merges} files merged; git and driver {tally.clean} clean, "
            f"driver alone in conflict {tally.otherwise}; git in conflict "
            f"{tally.solved + tally.left}: driver solves {tally.solved}, "
            f"{tally.as_authors} as the authors, {tally.left} left; lost in {len(tally.lost)}"
        )
        extra = [f"    otherwise: {line}" for line in tally.listed[:6]]
        extra += [f"    LOST {line}" for line in tally.lost[:6]]
        sys.stdout.write("\n".join([told, *extra]) + "\n")
        sys.stdout.flush()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
