"""Asks remem of each tracked file that looks like memory whether anything is said of it.

`python -m tests.independent.looks_like_memory CHECKOUT...` prints what is neither loaded, nor left
out with a reason, nor named as unknown, and ends with 1 where there is any. The patterns are those
of the tools' own pages, written down here again; nothing is imported from remem, which is asked by
its command line.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

PATTERNS: Final = (
    r"(^|/)(CLAUDE|CLAUDE\.local|AGENTS|AGENTS\.override|AGENT|GEMINI|QWEN|WARP|CRUSH)\.md$",
    r"(^|/)\.(cursorrules|windsurfrules|clinerules|roorules|goosehints)$",
    r"(^|/)\.clinerules/.+\.(md|txt)$",
    r"(^|/)\.cursor/rules/.+\.mdc$",
    r"(^|/)\.windsurf/(rules|workflows)/.+\.md$",
    r"(^|/)\.github/copilot-instructions\.md$",
    r"(^|/)\.github/(instructions|agents|prompts|chatmodes)/.+\.md$",
    r"(^|/)\.claude/(agents|rules|commands|agent-memory|agent-memory-local)/.+\.md$",
    r"(^|/)\.(claude|agents|github|gemini|qwen|opencode|codex|cline)/skills/.+/SKILL\.md$",
    r"(^|/)\.serena/memories/.+\.md$",
    r"(^|/)\.(squad|ai-team)/(agents/[^/]+/[^/]+|team|decisions|routing)\.md$",
    r"(^|/)memory-bank/[^/]+\.md$",
    r"(^|/)\.kiro/steering/.+\.md$",
    r"(^|/)\.junie/guidelines\.md$",
    r"(^|/)\.roo/rules[^/]*/.+\.(md|txt)$",
    r"(^|/)\.continue/rules/.+\.md$",
    r"(^|/)\.learnings/[^/]+\.md$",
)
_MEMORY: Final = re.compile("|".join(PATTERNS))
LOADED, LEFT, UNKNOWN, SOURCE, NOTHING = "loaded", "left out", "unknown", "browsed", "NOTHING"


def tracked(checkout: Path) -> list[str]:
    """Return what git tracks and looks like memory, as far as it lies there."""
    listed = subprocess.run(
        ("git", "-c", "core.fsmonitor=false", "ls-files", "-z"),
        cwd=checkout,
        capture_output=True,
        check=True,
    ).stdout.decode("utf-8", "surrogateescape")
    names = [each for each in listed.split("\0") if _MEMORY.search(each)]
    return [each for each in names if (checkout / each).exists()]


def said(checkout: Path, home: Path) -> Iterator[tuple[str, str]]:
    """Yield each path of which remem says anything, and what."""
    status = _asked(checkout, home, "status")
    for problem in status["problems"]:
        if problem["path"] and problem["code"] in ("not-confirmed", "not-read"):
            yield problem["path"], UNKNOWN
    for name in status["passed_over"]:
        yield str(checkout / name), UNKNOWN
    for source in status["sources"]:
        yield source["path"], SOURCE
    for agent in status["agents"]:
        for file in agent["files"]:
            yield file["path"], LOADED if file["loaded"] else LEFT
    for name in sorted({agent["tool"] for agent in status["agents"]}):
        start = _asked(checkout, home, "compose", "--as-loaded", "--agent", name)
        for layer in start.get("layers", ()):
            yield from ((line["file"], LOADED) for line in layer["lines"] if line["file"])
        yield from ((each["file"], LEFT) for each in start.get("left", ()))


def judged(checkout: Path) -> dict[str, str]:
    """Return for each tracked file what is said of it, the most telling first."""
    order = (LOADED, LEFT, UNKNOWN, SOURCE)
    found: dict[Path, str] = {}
    with tempfile.TemporaryDirectory() as home:
        for name, what in said(checkout, Path(home)):
            path = Path(name).resolve()
            known = found.get(path)
            if known is None or order.index(what) < order.index(known):
                found[path] = what
    told: dict[str, str] = {}
    for name in tracked(checkout):
        path = (checkout / name).resolve()
        places = (path, *path.parents)
        at = next((each for each in places if each in found), None)
        is_own = at == path or (at is not None and found[at] == UNKNOWN)
        told[name] = found[at] if at is not None and is_own else NOTHING
    return told


def _asked(checkout: Path, home: Path, *words: str) -> Any:
    command = (sys.executable, "-m", "remem", "--root", str(checkout), "--home", str(home))
    done = subprocess.run(
        (*command, *words, "--json"), cwd=checkout, capture_output=True, check=False
    )
    return json.loads(done.stdout)


def main(checkouts: Sequence[str]) -> int:
    """Print a line for each checkout, and each file of which nothing is said."""
    silent = 0
    for name in checkouts:
        checkout = Path(name).resolve()
        told = judged(checkout)
        counts = Counter(told.values())
        summed = ", ".join(f"{counts[each]} {each}" for each in sorted(counts))
        sys.stdout.write(f"{checkout.name}: {len(told)} files: {summed}\n")
        missed = [file for file, what in told.items() if what == NOTHING]
        silent += len(missed)
        sys.stdout.writelines(f"    {file}\n" for file in missed[:20])
    sys.stdout.write(f"{silent} files of which nothing is said\n")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
