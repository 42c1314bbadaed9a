"""Memory files as they are in the wild: everything is shown, and one edit touches one span.

`REMEM_SAMPLES` names a folder with real ones; without it the files written here stand for them.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sniper_files import carry_out, open_shop, take_back, write

from remem.base.errors import NotPossible, Refused
from remem.core.verbs.verbs import plan
from remem.edit.markdown import Kind, parse
from remem.model.change import Intent
from remem.model.entry import FileSpan
from remem.model.source import SourceKind
from remem.systems.personas.source import PersonaSource, persona_sources

REV = "shop/.claude/agent-memory/rev/MEMORY.md"
HILL = "shop/.squad/agents/hill/history.md"

UNTIDY = {
    REV: (
        "# Reviewer memory\n\nWhat I know. See **rollbacks.md**.\n\n---\n\n## Boards\n\n"
        "- ✅ **Refresh** every 30 s\n  ```ts\n  ## not a heading\n  poll(30)\n  ```\n"
        "- ❌ Never poll per screen\nlazy line of it\n\n"
        "| board | port |\n|---|---|\n| 1 | Velhas |\n\n"
        "### Tree\n\n```\nsrc/\n├── app\n## 2026-01-01 is no date here\n```\n\n"
        "1. first\n2. second\n   - nested\n\n## Empty\n\n## March 2026\n\nProse without a bullet\n"
    ),
    HILL: (
        "# Project Context\r\n\r\n- **Owner:** Ines\n- Mixed line ends\r\n\r\n## Learnings\n\n"
        "### 2026-03-03 — Cache (#874)\n\nA paragraph of two\nlines\n\n- bullet\n\n"
        "## Learnings — Boards (2026-02-27)\n\n* star\n+ plus\n\n## Learnings\n\n#### Deep\n- last"
    ),
}


def workshops(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Yield folders with a `shop` in them: ours, and one for each real root there is."""
    ours = tmp_path / "ours"
    (ours / "shop").mkdir(parents=True)
    write(ours, UNTIDY)
    yield "ours", ours
    named = os.environ.get("REMEM_SAMPLES", "")
    for root in sorted(Path(named).iterdir()) if named else ():
        if (root / ".ai-team").is_dir() or (root / ".claude").is_dir():
            folder = tmp_path / root.name
            for path in (p for p in root.rglob("*") if p.is_file()):
                write(folder / "shop", {str(path.relative_to(root)): path.read_bytes()})
            yield root.name, folder


def memories(folder: Path) -> list[PersonaSource]:
    found = persona_sources(open_shop(folder).sources)
    return [s for s in found if s.kind is SourceKind.MEMORY and s.owner]


def test_sections_bullets_and_prose_are_all_there(tmp_path: Path) -> None:
    sums: dict[str, tuple[int, int, int]] = {}
    for name, folder in workshops(tmp_path):
        documents = [parse(source.data) for source in memories(folder)]
        units = [unit for document in documents for unit in document.units]
        bullets = sum(unit.kind is Kind.ITEM for unit in units)
        sections = sum(len(document.headings) for document in documents)
        sums[name] = (sections, bullets, len(units) - bullets)
        entries = [entry for source in memories(folder) for entry in source.entries]
        assert len(entries) == len(units)

    assert sums["ours"] == (11, 10, 5)


def test_one_edited_bullet_is_undone_to_the_same_bytes_in_every_file(tmp_path: Path) -> None:
    edited = 0
    for _, folder in workshops(tmp_path):
        for source in memories(folder):
            if not source.is_writable:
                continue
            before = source.path.read_bytes()
            library = open_shop(folder)
            for entry in source.entries[:: max(len(source.entries) // 3, 1)]:
                text = f"{entry.title} (edited)"
                intent = Intent("edit", {entry.ref: entry.digest}, {"fields": {"text": text}})
                try:
                    change = plan(library, intent)
                except (NotPossible, Refused):
                    continue  # an open fence or front matter, which is shown and left alone
                carry_out(library, change)
                after = source.path.read_bytes()
                assert isinstance(entry.at, FileSpan)
                assert after.startswith(before[: entry.at.start])
                assert after.endswith(before[entry.at.end :])
                source.path.write_bytes(take_back(change, source.path))
                assert source.path.read_bytes() == before
                edited += 1
    assert edited >= 5


def test_a_heading_in_a_fence_begins_no_section(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    write(tmp_path, {REV: "## 2026-05-04\n- a\n\n```\n## 2026-01-01\n- b\n```\n"})

    (source,) = memories(tmp_path)

    assert [entry.date for entry in source.entries] == ["2026-05-04", "2026-05-04"]
    assert [entry.title.split("\n")[0] for entry in source.entries] == ["a", "```"]


def test_both_sides_of_a_conflict_are_shown_and_said(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    sides = "- a\n<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> other\n"
    write(tmp_path, {REV: sides, HILL: f"How git tells:\n\n```\n{sides}```\n"})

    hill, rev = sorted(memories(tmp_path), key=lambda source: source.owner)

    assert [(p.code, p.line) for p in rev.problems if p.code == "conflict-markers"] == [
        ("conflict-markers", 2)
    ]
    assert {entry.title.split("\n")[0] for entry in rev.entries} >= {"mine", "theirs"}
    assert [p for p in hill.problems if p.code == "conflict-markers"] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- " + "word " * 200_000, id="one-line"),
        pytest.param(("<<<<<<< HEAD\n- a\n=======\n" * 3) * 1_500, id="conflicts-without-an-end"),
        pytest.param("- a\n" * 4_000, id="four-thousand-twins"),
    ],
)
def test_large_and_hostile_files_are_read_in_time_and_edited(tmp_path: Path, text: str) -> None:
    (tmp_path / "shop").mkdir()
    write(tmp_path, {REV: text})

    (source,) = memories(tmp_path)
    library = open_shop(tmp_path)
    entry = source.entries[-1]
    intent = Intent("edit", {entry.ref: entry.digest}, {"fields": {"text": "short"}})
    change = plan(library, intent)

    assert len(change.effects) == 1


def test_only_the_edited_line_of_a_file_with_both_line_ends_changes(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    write(tmp_path, UNTIDY)
    library = open_shop(tmp_path)
    entry = next(e for e in library.of_kind("lesson") if e.title == "Mixed line ends")

    intent = Intent("edit", {entry.ref: entry.digest}, {"fields": {"text": "Both line ends"}})
    carry_out(library, plan(library, intent))

    after = (tmp_path / HILL).read_bytes().decode()
    assert after == UNTIDY[HILL].replace("Mixed line ends", "Both line ends")
