"""Replays real histories of memory files, and holds the inbox against a difference of its own.

Run as `python -m tests.independent.inbox_replay REPOSITORY...`. Every revision of each memory file
is written where it lay three times: while remem is open, while it is closed, and both in turn; now
and then all is marked as reviewed. What the inbox says must add up to the difference: line by line,
as often as a line stands there, nothing missing and nothing twice. Then the clone itself is moved
by git from revision to revision: of that nothing may wait. It shares no code with remem; it opens
it and reads what it tells.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import item_ids, kinds_drawn
from remem.model.change import Intent
from remem.systems.registry import make_known

MEMORY: Final = re.compile(
    r"(^|/)(CLAUDE|AGENTS|GEMINI)\.md$|(^|/)\.cursorrules$|^\.github/copilot-instructions\.md$"
    r"|^\.(squad|ai-team)/agents/[^/_]+/history\.md$|^\.serena/memories/.*\.md$"
    r"|^\.claude/agent-memory/.*\.md$|^\.claude/rules/.*\.md$"
)
LEAST: Final = 3
"""Revisions that a file has at least."""
MOST: Final = 60
"""Files of one repository, those with the most revisions."""


WAYS: Final = ("open", "closed", "in turn")


@dataclass
class Tally:
    """What a run came to."""

    files: int = 0
    revisions: int = 0
    items: int = 0
    wrong: int = 0


def git(top: Path, *words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=top, check=True, capture_output=True).stdout


def histories(top: Path) -> Iterator[tuple[str, list[bytes]]]:
    """Yield each memory file with all that it ever said, the oldest first."""
    told = git(
        top, "log", "--format=%x00%H", "--name-only", "--no-renames", "--diff-filter=AM", "-z"
    )
    revisions: dict[str, list[str]] = {}
    commit = ""
    for part in told.decode("utf-8", "replace").split("\0"):
        name = part.strip("\n")
        if re.fullmatch(r"[0-9a-f]{40}", name):
            commit = name
        elif MEMORY.search(name):
            revisions.setdefault(name, []).append(commit)
    most = sorted(revisions.items(), key=lambda pair: -len(pair[1]))[:MOST]
    for name, commits in most:
        if len(commits) >= LEAST:
            texts = [git(top, "show", f"{each}:{name}") for each in reversed(commits)]
            yield name, texts


HEADING: Final = re.compile(
    rb"\s*(#{1,6}(\s|$)|[-=*_|: ]+$|```|~~~|<!--|-->|>?\s*$|\*\*[^*]+\*\*:?\s*$)"
)


def lines(text: bytes) -> Counter[bytes]:
    """Return the lines that say something: no headings, labels, rules, fences and blank ones."""
    said = text.removeprefix(b"\xef\xbb\xbf")
    return Counter(line.strip() for line in said.splitlines() if not HEADING.match(line))


def said(bench: Session, path: Path) -> tuple[Counter[bytes], int]:
    """Return what the inbox tells of a file: the lines that came, less those that went."""
    net: Counter[bytes] = Counter()
    found = [each for each in bench.library.aside.unreviewed.values() if each.path == path]
    data = path.read_bytes() if path.exists() else b""
    spans: list[tuple[int, int]] = []
    for each in found:
        if each.what != "removed":
            at = bench.library.entry(each.ref).at
            span = (getattr(at, "start", 0), getattr(at, "end", len(data)))
            assert span not in spans, f"twice: {each.ref}"
            spans.append(span)
            net.update(lines(data[span[0] : span[1]]))
        net.subtract(lines(each.text_before))
    return Counter({line: n for line, n in net.items() if n}), len(found)


def replay(
    name: str, texts: Sequence[bytes], manner: str, random: Random, tally: Tally, log: list[str]
) -> None:
    """Write every revision of one file, remem being open, closed or both in turn, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        root, places = Path(folder) / "project", Places.of(Path(folder) / "home")
        path = root / name
        path.parent.mkdir(parents=True)
        path.write_bytes(texts[0])

        def opened() -> Session:
            bench = Session.open(root, places, door="tui")
            bench.begin()
            return bench

        bench, seen = opened(), texts[0]
        if path not in {source.path for source in bench.library.sources}:
            return
        tally.files += manner == WAYS[0]
        for number, text in enumerate(texts[1:]):
            way = WAYS[number % 2] if manner == "in turn" else manner
            if way == "closed":
                bench.close()
            path.write_bytes(text)
            if way == "closed":
                bench = opened()
            else:
                bench.refresh()
            tally.revisions += 1
            if b"\0" in text:
                continue  # no text: a person mends the file before anything in it is reviewed
            net, count = said(bench, path)
            tally.items += count
            wanted = lines(text)
            wanted.subtract(lines(seen))
            wanted = Counter({line: n for line, n in wanted.items() if n})
            if net != wanted:
                tally.wrong += 1
                missing = {k: n for k, n in wanted.items() if net[k] != n}
                extra = {k: n for k, n in net.items() if wanted[k] != n}
                log.append(f"{name} revision {number + 1} {way}: missing {missing}, said {extra}")
            if random.random() < 0.25:
                items = [each for each in bench.queue() if each.waiting == "unreviewed"]
                if items:
                    shown = {each.ref: each.digest for each in items}
                    told = {"acknowledged": True}
                    bench.apply(Intent("approve", shown, told, item_ids(items), kinds_drawn(items)))
                    seen = text
        bench.close()


def moved_by_git(top: Path, steps: int, log: list[str]) -> tuple[int, int]:
    """Move a clone from revision to revision; return how often, and how much waited."""
    with tempfile.TemporaryDirectory() as folder:
        root, places = Path(folder) / "clone", Places.of(Path(folder) / "home")
        subprocess.run(["git", "clone", "-q", "--shared", "-n", top, root], check=True)
        commits = git(root, "rev-list", "--first-parent", "HEAD").decode().split()
        chosen = commits[:: max(1, len(commits) // steps)]
        waited = 0
        for commit in reversed(chosen):
            try:
                git(root, "checkout", "-q", "-f", commit)
            except subprocess.CalledProcessError:
                continue  # a clone may lack what is too big for it
            bench = Session.open(root, places, door="tui")
            bench.begin()
            found = bench.library.aside.unreviewed
            waited += len(found)
            if found:
                log.append(f"git alone, {commit[:9]}: {[str(ref) for ref in found][:5]}")
            bench.close()
        return len(chosen), waited


def main(repositories: Sequence[str]) -> int:
    """Replay all, and print a line for each repository."""
    make_known()
    random, wrong = Random(23), 0
    for each in repositories:
        top, tally, log = Path(each), Tally(), list[str]()
        for name, texts in histories(top):
            for manner in WAYS:
                replay(name, texts, manner, random, tally, log)
        steps, waited = moved_by_git(top, 12, log)
        wrong += tally.wrong + waited
        told = f"{tally.files} files, {tally.revisions} revisions, {tally.items} items told"
        ends = f"{tally.wrong} differ; git alone {steps} times, {waited} items"
        called = top.parent.name if top.name in ("repo", ".git") else top.name
        lines_told = [f"{called}: {told}, {ends}", *(f"    {line[:700]}" for line in log[:8])]
        sys.stdout.write("".join(f"{line}\n" for line in lines_told))
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    if shutil.which("git") is None or len(sys.argv) < 2:
        sys.exit("name repositories that were cloned")
    sys.exit(main(sys.argv[1:]))
