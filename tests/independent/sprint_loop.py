"""Holds remem to the sprint loop's criteria from outside; it imports nothing of remem.

Run as `python tests/independent/sprint_loop.py --remem PROGRAM [--commits N] REPOSITORY…`. Each is
cloned to a scratch place first, and gets a rule about a word that its last commits add.

retro   A sprint that passed review: the retro is structured YAML with findings of the four
        categories, of what the gate's report, the stories and an agent of a fixed answer say.
gate    A convention with `enforcement: review_gate` is checked and each place is reported that
        git's own diff has, no other; one for prompts alone is not checked.
export  A portable YAML file: no ids, sources, dates, names of sprints and stories;
        `--keep-rationale` keeps those names; elsewhere its entries come in as candidates.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

RATIONALE = "Agreed in sprint 4 after STORY-12 broke. Readers search for it."
ANSWER: dict[str, dict[str, Any]] = {
    "findings": {
        "new_conventions": [
            {
                "rule": "Importers log what they skip",
                "confidence": "high",
                "evidence": "2 of 2 stories",
                "recommendation": "codify",
                "applies_to": ["backend-engineer"],
            }
        ],
        "new_anti_patterns": [
            {
                "description": "Reading the clock in loops",
                "occurrences": 2,
                "stories": ["STORY-1"],
                "recommendation": "monitor",
                "severity": "medium",
                "applies_to": ["backend-engineer"],
            }
        ],
        "estimation_calibration": {"patterns": ["Imports take longer than thought"]},
        "positive_patterns": ["Small commits"],
    }
}
CATEGORIES = (
    "new_conventions", "new_anti_patterns", "review_gate_failures", "estimation_calibration",
)  # fmt: skip
OF_THE_PROJECT = re.compile(r"\b(?:sprint|retro)[ -]?\d+|STORY-\d+", re.IGNORECASE)


@dataclass
class Held:
    """What came of one repository."""

    name: str
    faults: list[str] = field(default_factory=list)
    notes: dict[str, object] = field(default_factory=dict)

    def line(self) -> str:
        said = ", ".join(f"{what} {value}" for what, value in self.notes.items())
        verdict = f"{len(self.faults)} FAULTS {self.faults}" if self.faults else "kept"
        return f"{self.name}: {verdict} ({said})"

    def expect(self, holds: bool, claim: str) -> None:
        if not holds:
            self.faults.append(claim)


class Loop:
    """One clone with a rule, a home of its own, and an agent that always says the same."""

    def __init__(self, program: str, repository: Path, scratch: Path, commits: int) -> None:
        self.root, self.home = scratch / repository.name, scratch / "home"
        _run(["git", "clone", "-q", "--no-local", str(repository), str(self.root)], scratch)
        self._program = program
        self.held = Held(repository.name)
        every = self._git("rev-list", "--first-parent", "HEAD").split()
        self.range = f"{every[min(commits, len(every) - 1)]}..HEAD"
        self.word, self.places = self._word()
        self._write_rules()
        self._write_agent()

    def gate(self) -> str:
        """Hold the range against the rules; return the report as people read it."""
        code, out = self._remem("check", "--diff", self.range, "--json", "--limit", "0")
        report = json.loads(out)
        checks = {each["ref"].rpartition(":")[2]: each for each in report["checks"]}
        passed = {each["path"] for each in report["passed_over"]}
        told = {(each["path"], each["line"]) for each in checks["conv-901"]["violations"]}
        there = {place for place in self.places if place[0] not in passed}
        self.held.notes |= {"word": self.word, "places": len(there), "passed over": len(passed)}
        self.held.expect(told == there, f"gate: {sorted(told ^ there)[:3]} differ")
        self.held.expect(code == bool(there), f"gate: exit {code}, {len(there)} places")
        self.held.expect("conv-902" not in checks, "gate: a rule for prompts was checked")
        self.held.expect(checks["conv-903"]["outcome"] == "skip", "gate: prose was called checked")
        return self._remem("check", "--diff", self.range)[1]

    def retro(self, report: str) -> None:
        """Make the retro of the sprint; look at its file."""
        (self.home / "gate.md").write_text(report)
        stories = [{"id": f"STORY-{n}", "points": n, "status": "done"} for n in (1, 2)]
        (self.home / "stories.yaml").write_text(yaml.safe_dump({"stories": stories}))
        given = ("--stories", str(self.home / "stories.yaml"), "--gate", str(self.home / "gate.md"))
        code, out = self._remem("retro", "run", "--sprint", "4", "--range", self.range, *given)
        self.held.expect(code == 0, f"retro: exit {code} {out[:200]}")
        made = self.root / ".sniper/memory/retros/sprint-4-retro.yaml"
        retro = yaml.safe_load(made.read_text()) if made.exists() else {"findings": {}}
        found = retro["findings"]
        for category in CATEGORIES:
            self.held.expect(category in found, f"retro: no {category}")
        asked = ANSWER["findings"]
        for category in ("new_conventions", "new_anti_patterns", "positive_patterns"):
            self.held.expect(
                found.get(category) == asked[category], f"retro: {category} {found.get(category)}"
            )
        failures = [each.get("failures") for each in found.get("review_gate_failures", ())]
        broken = re.search(r"conv-901: .* — (\d+) match", report)
        expected = [int(broken[1])] if broken else []
        self.held.expect(failures == expected, f"retro: failures {failures}, not {expected}")
        self.held.expect(retro.get("sprint") == 4, "retro: another sprint")
        self.held.expect(retro.get("stories_completed") == 2, "retro: other stories")
        estimates = found.get("estimation_calibration") or {}
        said = asked["estimation_calibration"]["patterns"]
        self.held.expect(set(said) <= set(estimates.get("patterns", ())), "retro: no calibration")
        prompt = (self.home / "prompt.txt").read_text()
        subjects = self._git("log", "--format=%s", self.range).splitlines()
        self.held.notes |= {"commits": len(subjects), "prompt": f"{len(prompt):,} characters"}
        before = made.read_bytes() if made.exists() else b""
        self._remem("retro", "run", "--sprint", "4", "--range", self.range, *given)
        self.held.expect(made.read_bytes() == before, "retro: a second run wrote over the first")

    def export(self) -> None:
        """Export, keep the rationale, and import it into a project that has nothing."""
        _, text = self._remem("export")
        pack = yaml.safe_load(text)
        entries = [each for kind in ("conventions", "anti_patterns") for each in pack.get(kind, ())]
        rules = {each["rule"] for each in entries if "rule" in each}
        odd = {"id", "source", "status", "date", "seen"} & {key for each in entries for key in each}
        self.held.expect(f"Write `{self.word}` nowhere" in rules, "export: the rule is missing")
        self.held.expect(not odd, f"export: keeps {sorted(odd)}")
        self.held.expect(not OF_THE_PROJECT.search(text), "export: names a sprint or story")
        self.held.expect("Readers search for it" in text, "export: the rest of a reason is lost")
        self.held.expect(
            {"exported_from", "exported_at", "version"} <= set(pack), "export: no head"
        )
        _, kept = self._remem("export", "--keep-rationale")
        self.held.expect(RATIONALE in kept, "export: `--keep-rationale` does not keep it")
        other = self.home / "other"
        (other / ".sniper" / "memory").mkdir(parents=True)
        (self.home / "pack.yaml").write_text(text)
        self._remem("import", str(self.home / "pack.yaml"), root=other)
        store = other / ".sniper/memory/conventions.yaml"
        came = yaml.safe_load(store.read_text())["conventions"] if store.exists() else []
        self.held.notes["entries exported"] = len(entries)
        self.held.expect({each["rule"] for each in came} == rules, "import: other entries")
        self.held.expect({each.get("status") for each in came} == {"candidate"}, "import: active")

    def _word(self) -> tuple[str, set[tuple[str, int]]]:
        """Return a word that the range adds, neither rare nor everywhere, and all its places."""
        added = list(self._added())
        written = [each for each in added if "lock" not in each[0]]  # a lock file is passed over
        seen = Counter(word for _, _, text in written for word in set(_words(text)))
        most = [word for word, times in seen.most_common() if times <= 40] or ["the"]
        word = most[0]
        places = {(path, line) for path, line, text in added if word in _words(text)}
        return word, places

    def _added(self) -> list[tuple[str, int, str]]:
        """Read git's own diff: path, line and text of each line that was added."""
        options = ("-c", "core.quotePath=false", "diff", "-U0", "--no-ext-diff", "--no-renames")
        found, path, line = list[tuple[str, int, str]](), "", 0
        for each in self._git(*options, *self.range.split("..")).split("\n"):
            if each.startswith("+++ "):
                path = each[4:].removeprefix("b/").rstrip("\t")
            elif each.startswith("@@ "):
                line = int(re.search(r"\+(\d+)", each)[1])  # type: ignore[index]
            elif each.startswith("+"):
                found.append((path, line, each[1:]))
                line += 1
        return [each for each in found if not each[0].startswith(".sniper/")]

    def _write_rules(self) -> None:
        memory = self.root / ".sniper" / "memory"
        memory.mkdir(parents=True, exist_ok=True)
        source = {"type": "retro", "ref": "sprint-4-retro", "date": "2026-02-15"}
        pattern = {"forbid": rf"(?<!\w){self.word}(?!\w)"}
        rule: dict[str, Any] = {"rationale": RATIONALE, "source": source}
        rules = [
            {"id": "conv-901", "rule": f"Write `{self.word}` nowhere", "detect": pattern}
            | {"enforcement": "review_gate", **rule},
            {"id": "conv-902", "rule": f"Think before `{self.word}`", "detect": pattern}
            | {"enforcement": "spawn_prompt", **rule},
            {"id": "conv-903", "rule": "Be kind", "enforcement": "review_gate", **rule},
        ]
        text = yaml.safe_dump({"conventions": rules}, sort_keys=False)
        (memory / "conventions.yaml").write_text(text)

    def _write_agent(self) -> None:
        folder = self.home / ".config" / "remem"
        folder.mkdir(parents=True)
        agent = folder / "agent.py"
        agent.write_text(
            "import sys\n"
            f"open({str(self.home / 'prompt.txt')!r}, 'w').write(sys.stdin.read())\n"
            f"print({yaml.safe_dump(ANSWER)!r})\n"
        )
        command = json.dumps([sys.executable, "-S", str(agent)])
        (folder / "config.yaml").write_text(f"agent: {{command: {command}, timeout: 60}}\n")

    def _git(self, *arguments: str) -> str:
        return _run(["git", *arguments], self.root)[1]

    def _remem(self, *arguments: str, root: Path | None = None) -> tuple[int, str]:
        places = ("--root", str(root or self.root), "--home", str(self.home))
        return _run([self._program, *arguments, *places], self.root)


def _words(text: str) -> list[str]:
    return re.findall(r"(?<!\w)[A-Za-z]{4,12}(?!\w)", text)


def _run(command: list[str], folder: Path) -> tuple[int, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=os.environ)
    return done.returncode, done.stdout.decode(errors="replace")


def hold(program: str, repository: Path, commits: int = 20) -> Held:
    """Go once around with a clone of a repository."""
    with tempfile.TemporaryDirectory() as scratch:
        loop = Loop(program, repository, Path(scratch), commits)
        loop.retro(loop.gate())
        loop.export()
        return loop.held


def main() -> int:
    """Print a line for each repository; 1 = a criterion does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--remem", required=True)
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("repositories", nargs="+", type=Path)
    given = parser.parse_args()
    held = [hold(given.remem, each.resolve(), given.commits) for each in given.repositories]
    for each in held:
        sys.stdout.write(f"{each.line()}\n")
    return any(each.faults for each in held)


if __name__ == "__main__":
    sys.exit(main())
