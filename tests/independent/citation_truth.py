"""How well citations are judged on real histories, told by git and a search of our own.

It shares no code with remem. Citations are drawn from an old commit of repositories that somebody
cloned, put into the database as rows, and judged by `remem memory verify` at a newer commit. What
is true of each is told by git's own difference between the two commits, and by looking for its
lines in every file:

    python -m tests.independent.citation_truth --seed 7 --each 700 CLONE...
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
BOM = b"\xef\xbb\xbf"
CODE = re.compile(r"\.(py|ts|tsx|js|jsx|go|cs|rs|java|rb|php|c|h|md|yml|yaml|toml|json)$")


@dataclass
class Case:
    """One citation, and what is true of it at the newer commit."""

    path: str
    start: int
    end: int
    lines: tuple[str, ...]
    truth: str = ""
    """`stands`, `moved`, `elsewhere` (no line of git's, but the text is somewhere) or `gone`."""
    at: tuple[str, int] | None = None


@dataclass
class Score:
    """What came of all cases."""

    table: Counter[tuple[str, str]] = field(default_factory=Counter)
    right_line: int = 0
    misses: list[str] = field(default_factory=list)

    def count(self, *truths: str) -> int:
        return sum(number for (truth, _), number in self.table.items() if truth in truths)

    def said(self, status: str, *truths: str) -> int:
        return sum(self.table[truth, status] for truth in truths)

    @property
    def invalid_found(self) -> float:
        gone = ("moved", "elsewhere", "gone")
        return 1 - self.said("valid", *gone) / max(self.count(*gone), 1)

    @property
    def false_alarms(self) -> float:
        stands = self.count("stands")
        return (stands - self.said("valid", "stands")) / max(stands, 1)

    @property
    def moved_found(self) -> float:
        return self.said("moved", "moved") / max(self.count("moved"), 1)

    @property
    def moved_right(self) -> float:
        return self.right_line / max(self.said("moved", "moved"), 1)


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def text_lines(data: str) -> list[str]:
    lines = data.split("\n")
    return [line.removesuffix("\r") for line in (lines[:-1] if not lines[-1] else lines)]


def drawn(clone: Path, old: str, number: int, chance: random.Random) -> list[Case]:
    """Draw citations of one to six lines, from files that have some, none of them blank."""
    paths = [each for each in git(clone, "ls-files").splitlines() if CODE.search(each)]
    texts: dict[str, list[str]] = {}
    found: list[Case] = []
    while len(found) < number:
        path = chance.choice(paths)
        if path not in texts:
            data = (clone / path).read_bytes()
            is_text = b"\0" not in data and len(data) < 400_000
            data = data.removeprefix(BOM)
            texts[path] = text_lines(data.decode("utf-8", "replace")) if is_text else []
        lines = texts[path]
        if len(lines) < 8:
            continue
        start = chance.randint(1, len(lines))
        end = min(len(lines), start + chance.choice((0, 0, 1, 2, 3, 5)))
        said = tuple(lines[start - 1 : end])
        if any(line.strip() for line in said):
            found.append(Case(path, start, end, said))
    return found


def renames(clone: Path, old: str, new: str) -> dict[str, str]:
    rows = git(clone, "diff", "-M", "--name-status", "--diff-filter=R", old, new).splitlines()
    return {was: now for _, was, now in (row.split("\t") for row in rows)}


def went(clone: Path, old: str, new: str, was: str, now: str) -> Iterator[tuple[int, int, int]]:
    """Yield git's hunks of a file: where they begin, how many lines go, how many come."""
    told = git(clone, "diff", "-M", "-U0", "--no-color", f"{old}:{was}", f"{new}:{now}")
    for row in told.splitlines():
        match = HUNK.match(row)
        if match:
            gone, came = int(match[2] or 1), int(match[4] or 1)
            yield int(match[1]) + (0 if gone else 1), gone, came


def mapped(hunks: Sequence[tuple[int, int, int]], start: int, end: int) -> int | None:
    """Return where lines went that no hunk touches."""
    shift = 0
    for at, gone, came in hunks:
        if at > end:
            break
        if at + gone > start or (gone == 0 and start < at <= end):
            return None
        shift += came - gone
    return start + shift


def judge(clone: Path, old: str, new: str, cases: Sequence[Case]) -> None:
    """Say what is true of each case; the work tree is at the newer commit."""
    now: dict[str, list[str]] = {}
    for path in git(clone, "ls-files").splitlines():
        file = clone / path
        if file.is_file() and not file.is_symlink() and file.stat().st_size < 1 << 20:
            data = file.read_bytes()
            if b"\0" not in data[:8000]:
                now[path] = text_lines(data.removeprefix(BOM).decode("utf-8", "replace"))
    stripped = {path: [line.strip() for line in lines] for path, lines in now.items()}
    where: dict[str, list[tuple[str, int]]] = {}
    for path, lines in stripped.items():
        for number, line in enumerate(lines):
            where.setdefault(line, []).append((path, number))
    became = renames(clone, old, new)
    hunks: dict[str, list[tuple[int, int, int]]] = {}
    for case in cases:
        path = case.path if case.path in now else became.get(case.path, "")
        here = now.get(case.path, [])[case.start - 1 : case.end]
        if [each.rstrip() for each in here] == [each.rstrip() for each in case.lines]:
            case.truth = "stands"
            continue
        if path in now:
            if case.path not in hunks:
                hunks[case.path] = [*went(clone, old, new, case.path, path)]
            at = mapped(hunks[case.path], case.start, case.end)
            if at is not None and (path, at) != (case.path, case.start):
                case.truth, case.at = "moved", (path, at)
                continue
        said = [line.strip() for line in case.lines]
        longest = max(range(len(said)), key=lambda n: len(said[n]))
        anywhere = any(
            number >= longest
            and stripped[at][number - longest : number - longest + len(said)] == said
            for at, number in where.get(said[longest], ())
        )
        case.truth = "elsewhere" if anywhere else "gone"


def stored(clone: Path, home: Path, cases: Sequence[Case], sha: str) -> dict[str, Case]:
    """Put citations into the database as another program would."""
    case = cases[0]
    remem(clone, home, "memory", "store", "--repo", "acme/truth", "--subject", "first",
          "--fact", "first", "--cite", f"{case.path}:{case.start}-{case.end}")  # fmt: skip
    names: dict[str, Case] = {}
    with sqlite3.connect(clone / ".remem/memory.db") as sql:
        sql.execute("DELETE FROM agent_memory_telemetry")
        sql.execute("DELETE FROM agent_memory")
        for number, each in enumerate(cases):
            name = str(uuid.UUID(int=number + 1))
            text = "\n".join(line.rstrip() for line in each.lines)
            cited = {
                "path": each.path, "line_start": each.start, "line_end": each.end, "sha": sha,
                "snippet_hash": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
                "snippet": "\n".join(each.lines),
            }  # fmt: skip
            row = (name, "acme/truth", f"s{number}", f"f{number}", json.dumps([cited]))
            at = "2026-01-01T00:00:00.000000Z"
            columns = "id, repo, subject, fact, citations, created_at, refreshed_at"
            sql.execute(
                f"INSERT INTO agent_memory ({columns}) VALUES (?,?,?,?,?,?,?)", (*row, at, at)
            )
            names[name] = each
    return names


def remem(clone: Path, home: Path, *arguments: str) -> Any:
    command = [sys.executable, "-m", "remem", *arguments, "--json"]
    where = ["--root", str(clone), "--home", str(home)]
    done = subprocess.run([*command, *where], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return json.loads(done.stdout)


def measured(source: Path, back: int, number: int, chance: random.Random, score: Score) -> None:
    """Judge citations of one repository, from so many commits back to its newest one."""
    with tempfile.TemporaryDirectory() as folder:
        clone, home = Path(folder) / "truth", Path(folder) / "home"
        subprocess.run(["git", "clone", "-qs", str(source), str(clone)], check=True)
        git(clone, "remote", "set-url", "origin", "https://example.org/acme/truth.git")
        new = git(clone, "rev-parse", "HEAD").strip()
        line = git(clone, "rev-list", "--first-parent", "HEAD").split()
        old = line[min(back, len(line) - 1)]
        git(clone, "checkout", "-q", old)
        cases = drawn(clone, old, number, chance)
        names = stored(clone, home, cases, old)
        git(clone, "checkout", "-q", new)
        judge(clone, old, new, cases)
        told: Mapping[str, Any] = remem(clone, home, "memory", "verify", "--repo", "acme/truth")
        for result in told["results"]:
            case, (verdict,) = names[result["id"]], result["citations"]
            status = verdict["status"]
            score.table[case.truth, status] += 1
            place = (verdict.get("new_path") or case.path, verdict.get("new_line_start"))
            if case.truth == "moved" and status == "moved" and place == case.at:
                score.right_line += 1
            odd = (case.truth == "stands") != (status == "valid") or (
                case.truth == "moved" and place != case.at
            ) or (case.truth == "gone" and status == "moved")  # fmt: skip
            if odd:
                to = f"{place} not {case.at}" if case.at else f"{place}"
                score.misses.append(
                    f"{source.parent.name} {case.path}:{case.start}-{case.end} is {case.truth}, "
                    f"told {status} {to}: {case.lines[0].strip()[:50]!r}"
                )


def main(arguments: Sequence[str] | None = None) -> Score:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--each", type=int, default=700)
    parser.add_argument("--back", type=int, default=400)
    given = parser.parse_args(arguments)
    score = Score()
    for source in given.clones:
        measured(source, given.back, given.each, random.Random(given.seed), score)
    statuses = sorted({status for _, status in score.table})
    lines = [f"seed {given.seed}, {sum(score.table.values())} citations"]
    lines.append("| truth | " + " | ".join(statuses) + " |")
    for truth in ("stands", "moved", "elsewhere", "gone"):
        row = " | ".join(str(score.table[truth, status]) for status in statuses)
        lines.append(f"| {truth} ({score.count(truth)}) | {row} |")
    lines.append(
        f"invalid found {score.invalid_found:.2%}, false alarms {score.false_alarms:.2%}, "
        f"moved found {score.moved_found:.2%}, at the right line {score.moved_right:.2%}"
    )
    sys.stdout.write("\n".join([*lines, *score.misses[:60]]) + "\n")
    return score


if __name__ == "__main__":
    main()
