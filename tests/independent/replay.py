"""Holds remem to three promises from outside; it imports nothing of remem and knows no format.

Run as `python tests/independent/replay.py --remem PROGRAM [--seed N] [--verbs N] FOLDER…`. Each
folder is copied to a scratch place first. It speaks to the command line alone and judges by bytes:

late lines  A writer keeps a memory file open while entries of it are edited, and goes on to
            append lines that resemble those that stand there. All of its lines stand there at the
            end, each as often as it wrote it.
undo        Random decisions, then `undo` until there is nothing left: every file of the tree has
            the first bytes and the first mode again, and redo brings the last.
receipts    What `told --keep` says was told twice: no distinct line of the tree is gone
            afterwards, and each block of lines that was taken out stands somewhere as a whole.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SKIPPED = {".git", "node_modules"}
TEXTS = (".md", ".yaml", ".yml", ".json", ".mdc", ".txt")


@dataclass
class Outcome:
    """What one promise came to on one folder."""

    promise: str
    tried: int = 0
    faults: list[str] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)

    def line(self, folder: str) -> str:
        said = ", ".join(f"{count} {what}" for what, count in sorted(self.notes.items()))
        said = f" ({said})" if said else ""
        verdict = f"{len(self.faults)} FAULTS" if self.faults else "kept"
        return f"{folder}: {self.promise}: {verdict}, {self.tried} tried{said}"


@dataclass(frozen=True)
class Remem:
    """The program at one copy of a folder, with a home of its own."""

    program: str
    root: Path
    home: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("REMEM_")},
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "NO_COLOR": "1",
        }
        return subprocess.run(
            [self.program, *words],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def document(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise SystemExit(
                f"`remem {' '.join(words)}` printed no JSON (exit {done.returncode}): {done.stderr}"
            ) from None

    def entries(self) -> list[dict[str, Any]]:
        return list(self.document("list")["entries"])


def files_of(root: Path) -> Iterator[Path]:
    """Every file below `root` that is no program's own; links are left out."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in SKIPPED)
        for name in sorted(files):
            path = Path(folder) / name
            if path.is_file() and not path.is_symlink():
                yield path


def picture(root: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and bytes by path."""
    return {
        str(path.relative_to(root)): (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
        for path in files_of(root)
    }


def differing(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )


def lines_of(data: bytes) -> Counter[bytes]:
    return Counter(line.rstrip(b"\r") for line in data.split(b"\n") if line.strip())


def end_of(line: bytes, start: int) -> bytes:
    """Return a line from about a byte on, as whole characters."""
    return line[start:].decode("utf-8", "ignore").encode()


def late_lines(remem: Remem, dice: random.Random, rounds: int) -> Outcome:
    """Append beside decisions, through a handle that stays open, what looks like what is there."""
    outcome = Outcome("late lines")
    by_file: dict[str, list[dict[str, Any]]] = {}
    for entry in remem.entries():
        if str(entry.get("path", "")).endswith(".md") and entry["status"] == "active":
            by_file.setdefault(entry["path"], []).append(entry)
    for path, entries in dice.sample(sorted(by_file.items()), min(rounds, len(by_file))):
        file = Path(path)
        there = [line for line in file.read_bytes().split(b"\n") if len(line.strip()) > 6]
        if not there or not file.read_bytes().endswith(b"\n"):
            continue
        chosen = dice.sample(there, min(6, len(there)))
        written: list[bytes] = []
        for line in chosen:
            bare = line.strip().rstrip(b"\r")
            written += [
                bare,
                end_of(bare, len(bare) // 2).strip(),
                b"  " + bare,
                bare + b" and more",
                bare,
            ]
        written = [line for line in written if line]
        with file.open("ab", buffering=0) as handle:
            early, late = written[: len(written) // 2], written[len(written) // 2 :]
            if dice.random() < 0.7:
                # Alone, it stands as bytes inside a longer line that is there.
                late = [end_of(dice.choice(there).rstrip(b"\r"), 1).strip()]
                early = early if dice.random() < 0.5 else []
                written = early + late
            before = lines_of(file.read_bytes())
            for line in early:
                handle.write(line + b"\n")
            applied = False
            for entry in dice.sample(entries, min(4, len(entries))):
                for verb in ("remove", "archive"):
                    if remem.run(verb, entry["ref"]).returncode == 0:
                        applied = True
                        break
                if applied:
                    break
            # By name the file is the new one; the handle may still hold the old one.
            wanted = lines_of(file.read_bytes())
            for line in late:
                handle.write(line + b"\n")
        if not applied:
            outcome.notes["refused"] += 1
            continue
        if dice.random() < 0.5 and remem.run("undo").returncode == 0:
            wanted = before + lines_of(b"\n".join(early))
        remem.run("add", "lesson", "Nothing of this is ever kept.", "--persona", "nobody")
        remem.run("list")
        outcome.tried += 1
        now = lines_of(file.read_bytes())
        wanted += lines_of(b"\n".join(late))
        for line, count in (wanted - now).items():
            outcome.faults.append(f"{path}: {count} × {line[:80]!r} is gone")
        outcome.notes["lines appended"] += len(written)
        outcome.notes["lines doubled"] += (now - wanted).total()
    return outcome


def words_for(dice: random.Random, entries: Sequence[Mapping[str, Any]], n: int) -> list[str]:
    """One random decision, as words of the command line."""
    ref = str(dice.choice(entries)["ref"])
    other = str(dice.choice(entries)["ref"])
    personas = sorted(
        {r[8:].split("#")[0] for e in entries if (r := e["ref"]).startswith("persona:")}
    )
    choices = [
        ["archive", ref],
        ["archive", other],
        ["remove", ref],
        ["edit", ref, f"text=Said again in other words, number {n}."],
        ["pin", ref],
        ["move", ref, "Learnings"],
    ]
    if personas:
        name = dice.choice(personas)
        choices += [
            ["add", "lesson", f"Learned on day {n} of the replay.", "--persona", name],
            ["add", "lesson", f"Learned twice on day {n}.", "--persona", name],
            ["persona", "archive", name],
            ["persona", "rename", name, f"walker{n}"],
        ]
    return dice.choice(choices)


def undo(remem: Remem, dice: random.Random, verbs: int) -> Outcome:
    """Decide at random, take all of it back, and do it again."""
    outcome = Outcome("undo")
    first = picture(remem.root)
    entries = remem.entries()
    for n in range(verbs):
        if not entries:
            break
        words = words_for(dice, entries, n)
        done = remem.run(*words)
        outcome.tried += 1
        idle = "Nothing to do" in done.stderr
        outcome.notes["refused" if done.returncode else "nothing to do" if idle else "applied"] += 1
        if done.returncode == 0:
            entries = remem.entries()
    last = picture(remem.root)
    undone = 0
    while (done := remem.run("undo")).returncode == 0 and undone <= 4 * verbs:
        if "nothing to undo" in done.stderr:
            break
        undone += 1
    outcome.notes["undone"] = undone
    if undone != outcome.notes["applied"]:
        outcome.faults.append(f"{outcome.notes['applied']} were applied and {undone} undone")
    if "nothing to undo" not in done.stderr:
        outcome.faults.append(f"undo stopped: {done.stderr.strip()}")
    for path in differing(first, picture(remem.root)):
        outcome.faults.append(f"after all undos `{path}` differs from the first bytes")
    for _ in range(undone):
        done = remem.run("redo")
        if done.returncode != 0 or "nothing to redo" in done.stderr:
            outcome.faults.append(f"redo stopped: {done.stderr.strip()}")
            break
    for path in differing(last, picture(remem.root)):
        outcome.faults.append(f"after all redos `{path}` differs from the last bytes")
    return outcome


def taken_out(before: bytes, after: bytes) -> Iterator[list[bytes]]:
    """The runs of lines that stood before and do not stand there afterwards, without blank ones."""
    old, new = before.split(b"\n"), after.split(b"\n")
    for tag, start, end, _, _ in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if tag in {"delete", "replace"}:
            run = [line.strip() for line in old[start:end] if line.strip()]
            if run:
                yield run


def receipts(remem: Remem, dice: random.Random, rounds: int) -> Outcome:
    """Settle what is told twice, and look for every text that was taken out."""
    outcome = Outcome("receipts")
    rules = list(remem.document("duplicates").get("rules", ()))
    outcome.notes["told twice"] = len(rules)
    for rule in dice.sample(rules, min(rounds, len(rules))):
        before = picture(remem.root)
        done = remem.run("duplicates", "--keep", str(rule["keep"]))
        if done.returncode != 0:
            outcome.notes["refused"] += 1
            continue
        outcome.tried += 1
        after = picture(remem.root)
        texts = [data for _, data in after.values()]
        left = {line.strip() for data in texts for line in data.split(b"\n")}
        squeezed = [
            b"\n".join(line.strip() for line in t.split(b"\n") if line.strip()) for t in texts
        ]
        # A near duplicate says it in other words: only an exact one promises the same text.
        exact = bool(rule["is_exact"])
        for path in differing(before, after):
            if path.startswith(".remem") or path not in before:
                continue
            now = after[path][1] if path in after else b""
            for run in taken_out(before[path][1], now):
                if not exact:
                    outcome.notes["lines of near duplicates"] += len(run)
                    continue
                for line in run:
                    if line not in left:
                        outcome.faults.append(f"{rule['keep']}: {path}: {line[:90]!r} is nowhere")
                if b"\n".join(run) not in b"\n\0".join(squeezed):
                    outcome.notes["blocks that stand in parts"] += 1
        if remem.run("undo").returncode != 0 or differing(before, picture(remem.root)):
            outcome.faults.append(f"{rule['keep']}: undo does not give back the first bytes")
    return outcome


Promise = Callable[[Remem, random.Random, int], Outcome]
PROMISES: tuple[Promise, ...] = (late_lines, undo, receipts)


def replay(
    program: str, folder: Path, seed: int, verbs: int, promises: Sequence[Promise] = PROMISES
) -> list[Outcome]:
    """Hold one folder to each promise, on a fresh copy."""
    outcomes = []
    for promise in promises:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / "root"
            shutil.copytree(
                folder, root, symlinks=True, ignore=shutil.ignore_patterns("node_modules")
            )
            subprocess.run(["chmod", "-R", "u+w", str(root)], check=True)
            home = Path(scratch) / "home"
            home.mkdir()
            outcomes.append(promise(Remem(program, root, home), random.Random(seed), verbs))
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--remem", default="remem")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--verbs", type=int, default=40)
    parser.add_argument("folders", nargs="+", type=Path)
    asked = parser.parse_args()
    failed = False
    for folder in asked.folders:
        for outcome in replay(asked.remem, folder, asked.seed, asked.verbs):
            sys.stdout.write(outcome.line(folder.name) + "\n")
            for fault in outcome.faults[:20]:
                sys.stdout.write(f"  {fault}\n")
            failed = failed or bool(outcome.faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
