"""Random verbs and random writes of others: the inbox equals a model that shares no code with it.

The model keeps, of each file, how often each line counts as seen. An agent's write moves nothing; a
person's change moves what it did to lines that counted as seen, and answers what it was about.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from tests.core.inbox.test_inbox import at

from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.waiting.item import Item, item_ids, kinds_drawn
from remem.core.waiting.kinds import UNREVIEWED
from remem.model.change import Intent, Json

FILES = ("CLAUDE.md", "AGENTS.md", ".claude/rules/web.md", ".github/copilot-instructions.md")
WORDS = ("tabs", "pytest", "main", "suite", "ruff", "queue", "lock", "deploy", "harbour", "ferry")


def lines_of(path: Path) -> Counter[str]:
    text = path.read_text() if path.exists() else ""
    return Counter(line for line in text.splitlines() if line.startswith("- "))


@dataclass
class Model:
    """What a person has seen, line by line."""

    root: Path
    seen: dict[str, Counter[str]] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        return self.root / name

    def open_of(self, name: str) -> tuple[Counter[str], Counter[str]]:
        """Return what came and what went since it was seen."""
        now, seen = lines_of(self.path(name)), self.seen.get(name, Counter())
        return now - seen, seen - now

    def did(self, before: dict[str, Counter[str]], answered: dict[str, Counter[str]]) -> None:
        """Take over what a person's change did: what was unreviewed and is not now was answered."""
        for name in FILES:
            was, now = before[name], lines_of(self.path(name))
            seen = self.seen.setdefault(name, Counter())
            came, went = was - seen, seen - was
            added, gone = now - was, was - now
            # What is taken out of what came answers that; the rest was seen, and is not now.
            seen.subtract(gone - came)
            # What is put in again of what went answers that; the rest counts as seen.
            seen.update(added - went)
            for line, number in answered.get(name, Counter()).items():
                seen[line] += number
            self.seen[name] = Counter({k: n for k, n in seen.items() if n > 0})


def told(bench: Session, name: str, root: Path) -> tuple[Counter[str], Counter[str]]:
    came: Counter[str] = Counter()
    went: Counter[str] = Counter()
    for each in bench.library.aside.unreviewed.values():
        if each.path != root / name:
            continue
        if each.what != "removed":
            at_ = bench.library.entry(each.ref).at
            data = each.path.read_bytes()
            came[data[at_.start : at_.end].decode().strip()] += 1  # type: ignore[union-attr]
        if each.was:
            went[each.text_before.decode().strip()] += 1
    return came, went


def unreviewed(bench: Session) -> list[Item]:
    # A decision that an agent took back is asked about beside it, and answered by the same keys.
    aside = bench.library.aside
    found = (item for item in bench.queue() if item.waiting == UNREVIEWED)
    return [item for item in found if aside.reverted_at(item.ref) is None]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_inbox_equals_a_model_of_what_was_seen(tmp_path: Path, seed: int) -> None:
    random, root = Random(seed), tmp_path / "shop"
    root.mkdir()
    model = Model(root)
    number = 0

    def line() -> str:
        nonlocal number
        number += 1
        return f"- {' '.join(random.sample(WORDS, 4))} {number}"

    def write(name: str) -> None:
        path = root / name
        has = [x for x in (path.read_text() if path.exists() else "").splitlines() if x]
        for _ in range(random.randrange(1, 4)):
            bullets = [i for i, x in enumerate(has) if x.startswith("- ")]
            match random.choice(("add", "drop", "change")):
                case "drop" if bullets:
                    del has[random.choice(bullets)]
                case "change" if bullets:
                    at_ = random.choice(bullets)
                    has[at_] = f"{has[at_]} x{number}"
                case _:
                    has.append(line())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{x}\n" for x in has))

    for name in FILES:
        write(name)
        model.seen[name] = lines_of(root / name)
    bench = at(tmp_path)
    done: list[tuple[dict[str, Counter[str]], dict[str, Counter[str]]]] = []
    for step in range(40):
        before = {name: lines_of(root / name) for name in FILES}
        act = random.choice(("agent", "agent", "review", "discard", "person", "undo", "reopen"))
        answered: dict[str, Counter[str]] = {}
        saved = {name: Counter(seen) for name, seen in model.seen.items()}
        if act == "agent":
            write(random.choice(FILES))
            bench.refresh()
        elif act == "reopen":
            bench.close()
            bench = at(tmp_path)
        elif act == "undo":
            if done:
                try:
                    bench.undo()
                except RememError:
                    continue
                was, then = done.pop()
                # Only what was seen is restored; what others wrote since stays unreviewed.
                for name in FILES:
                    moved = Counter(then[name])
                    moved.subtract(was[name])
                    seen = Counter(model.seen[name])
                    seen.subtract(moved)
                    model.seen[name] = Counter({k: n for k, n in seen.items() if n > 0})
        else:
            items = unreviewed(bench)
            chosen = random.sample(items, min(len(items), random.randrange(1, 4)))
            entries = [
                e for s in bench.library.of_format("plain") for e in s.entries if s.is_writable
            ]
            try:
                if act in ("review", "discard"):
                    if not chosen:
                        continue
                    verb = "approve" if act == "review" else "reject"
                    found = [bench.library.aside.unreviewed[item.ref] for item in chosen]
                    if act == "review":
                        for each in found:
                            name = each.path.relative_to(root).as_posix()
                            marks = answered.setdefault(name, Counter())
                            if each.what != "removed":
                                at_ = bench.library.entry(each.ref).at
                                data = each.path.read_bytes()
                                marks[data[at_.start : at_.end].decode().strip()] += 1  # type: ignore[union-attr]
                            if each.was:
                                marks[each.text_before.decode().strip()] -= 1
                    shown = {item.ref: item.digest for item in chosen}
                    bench.apply(Intent(verb, shown, {}, item_ids(chosen), kinds_drawn(chosen)))
                elif entries:
                    entry = random.choice(entries)
                    own = bench.library.source_of(entry).name
                    other = random.choice([name for name in FILES if name != own])
                    unseen = bench.library.aside.unreviewed.get(entry.ref)
                    given: dict[str, Json]
                    verb = random.choice(("edit", "archive", "promote", "remove", "move"))
                    given = {"text": f"{line()[2:]}"} if verb == "edit" else {}
                    given |= {"to": other} if verb in ("promote", "move") else {}
                    bench.apply(bench.intend(verb, [entry], **given))
                    # Whatever is done to what was changed answers the change.
                    if unseen is not None and unseen.was:
                        marks = answered.setdefault(own, Counter())
                        marks[unseen.text_before.decode().strip()] -= 1
                else:
                    continue
            except RememError:
                assert {name: lines_of(root / name) for name in FILES} == before
                continue
            model.did(before, answered)
            done.append((saved, {name: Counter(seen) for name, seen in model.seen.items()}))
        for name in FILES:
            assert told(bench, name, root) == model.open_of(name), (seed, step, act, name)
    bench.close()
