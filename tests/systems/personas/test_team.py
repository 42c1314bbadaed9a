"""The table of a team: what it says of everyone, how it is ordered, several at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.code_files import commit, git
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.errors import UnknownRef
from remem.core.checks.issues import issues
from remem.core.prompt.counter import Estimate
from remem.model.change import Intent, Json
from remem.systems.personas.team.people import everyone
from remem.systems.personas.team.squad_export import exported
from remem.systems.personas.team.team_table import Line, Member, decisions, ordered, team
from remem.views.entries.browse import source_tree
from remem.views.entries.entry_details import entry_lines
from remem.views.glyphs import UNICODE
from remem.views.list_rows import Node
from remem.views.team import HEADINGS, team_cells

ROUTING = "| Work | Agent |\n|--|--|\n| Ports | Hill, Fury |\n| Rest | Vega |\n"
TEAM = """\
## Members

| Name | Role | Charter | Status |
|------|------|---------|--------|
| Hill | Core | .squad/agents/hill/charter.md | Active |
| Fury | Prose | .squad/agents/fury/charter.md | Active |
| Vega | Stars | .squad/agents/vega/charter.md | Active |
"""


def _house(at: Path) -> House:
    lessons = {
        "hill": "- Ports are counted twice a day\n- Bells ring at noon in spring\n",
        "fury": "- Ports are counted twice a day\n",
        "vega": f"- Stars are {'far ' * 5_000}\n",
    }
    root: dict[str, str | bytes] = {".squad/team.md": TEAM, ".squad/routing.md": ROUTING}
    for name, text in lessons.items():
        root[f".squad/agents/{name}/history.md"] = f"# {name.title()}\n\n{text}"
        root[f".squad/agents/{name}/charter.md"] = f"# {name.title()} — x\n"
    return House(at, root=root)


def _team(of: House) -> dict[str, Member]:
    members = team(of.bench.library, Estimate(), of.bench.looked_last())
    return {each.name: each for each in members}


def test_it_says_who_is_over_the_limit_and_who_says_what_another_says(tmp_path: Path) -> None:
    found = _team(_house(tmp_path))

    assert [name for name, each in found.items() if each.over] == ["Vega"]
    assert {name: each.twins for name, each in found.items()} == {"Hill": 1, "Fury": 1, "Vega": 0}
    assert found["Vega"].tokens > found["Hill"].tokens > 0
    assert found["Hill"].persona.units == 2


def test_a_memory_that_health_would_have_compacted_is_counted_as_over(tmp_path: Path) -> None:
    long = "".join(f"- Lesson {number} of the tides\n" for number in range(160))
    memory = {".squad/agents/hill/history.md": f"# Hill\n\n{long}"}
    of = House(tmp_path, root={".squad/team.md": TEAM, **memory})
    told = [each.problem.message for each in issues(of.bench.library)]

    assert "the memory of `hill` has 162 lines (limit 150)" in told
    assert _team(of)["Hill"].over == 1


def test_it_is_ordered_by_what_is_asked_for_with_archived_ones_last(tmp_path: Path) -> None:
    of = _house(tmp_path)
    of.does("persona.archive", persona="Vega")

    members = team(of.bench.library, Estimate())

    assert [each.name for each in ordered(members, "units")] == ["Hill", "Fury", "vega"]
    assert [each.name for each in ordered(members, "name")] == ["Fury", "Hill", "vega"]


def test_who_was_written_since_the_last_look_is_marked(tmp_path: Path) -> None:
    of = _house(tmp_path)
    assert not any(each.is_new for each in _team(of).values())

    of.bench.note_look()
    history = of.root / ".squad/agents/fury/history.md"
    history.write_text(history.read_text() + "- Ink is dear\n")
    of.bench.refresh()

    assert [name for name, each in _team(of).items() if each.is_new] == ["Fury"]


def test_what_agents_wrote_and_nobody_reviewed_is_counted_by_persona(tmp_path: Path) -> None:
    of = _house(tmp_path)
    of.bench.begin_inbox()
    history = of.root / ".squad/agents/fury/history.md"
    history.write_text(history.read_text() + "- Ink is dear\n- Paper is dear\n")
    of.bench.refresh()
    of.bench.look()

    found = _team(of)

    assert {name: each.unreviewed for name, each in found.items() if each.unreviewed} == {"Fury": 2}
    assert team_cells(found["Fury"])[HEADINGS.index("UNREVIEWED")] == "2 new"
    assert team_cells(found["Hill"])[HEADINGS.index("UNREVIEWED")] == ""


def test_what_the_person_wrote_through_remem_is_not_marked_as_new(tmp_path: Path) -> None:
    of = _house(tmp_path)
    of.bench.begin_inbox()
    of.bench.note_look()

    of.does("persona.rename", persona="Fury", to="Nick")
    of.bench.look()

    assert not any(each.is_new or each.unreviewed for each in _team(of).values())


def test_the_tree_counts_units_and_tokens_of_the_same_files_and_calls_no_archive_whole(
    tmp_path: Path,
) -> None:
    of = _house(tmp_path)
    before = _drawn(of, "Hill")
    archive = of.root / ".squad/agents/hill/history-archive.md"
    archive.write_text("# Old\n\n" + "- Long ago this was learnt about boats.\n" * 200)
    of.bench.refresh()
    assert _drawn(of, "Hill") == before

    of.does("persona.archive", persona="Hill")

    library = of.bench.library
    entry = next(e for e in library.entries() if library.source_of(e).archived)
    lines = entry_lines(library, entry, Estimate(), UNICODE)
    assert any("archive, never loaded" in line.text for line in lines)


def _drawn(of: House, name: str) -> str:
    """Return what the tree of Browse says of the size of a persona."""
    library = of.bench.library
    nodes = [*source_tree(library, everyone(library), Estimate(), documents=True)]
    found: list[Node] = []
    while nodes:
        node = nodes.pop()
        nodes += node.children
        if isinstance(node.key, tuple) and node.key[:2] == ("persona", name):
            found.append(node)
    return "".join(part.text for part in found[0].right)


def test_what_was_removed_or_changed_is_counted_by_kind(tmp_path: Path) -> None:
    of = _house(tmp_path)
    of.bench.begin_inbox()
    history = of.root / ".squad/agents/hill/history.md"
    history.write_text("# Hill\n\n- Ports are counted twice a day\n- Ink is dear\n")
    of.bench.refresh()
    of.bench.look()

    told = team_cells(_team(of)["Hill"])[HEADINGS.index("UNREVIEWED")]

    assert told == "1 new, 1 removed"


def test_the_decisions_of_the_team_are_ordered_like_everyone(tmp_path: Path) -> None:
    of = _house(tmp_path)
    (of.root / ".squad/decisions.md").write_text(DECIDED)
    of.bench.refresh()
    lines: list[Line] = [
        *team(of.bench.library, Estimate()),
        *decisions(of.bench.library, Estimate()),
    ]

    by_tokens = [(each.name, each.tokens) for each in ordered(lines, "tokens")]

    assert by_tokens == sorted(by_tokens, key=lambda each: -each[1])
    assert [each.name for each in ordered(lines, "name")] == ["decisions", "Fury", "Hill", "Vega"]


def test_units_in_an_archive_are_not_counted_as_in_force(tmp_path: Path) -> None:
    of = _house(tmp_path)
    archive = of.root / ".squad/agents/hill/history-archive.md"
    archive.write_text("# Hill\n\n- Bells rang at one\n")
    of.bench.refresh()

    hill = _team(of)["Hill"]

    assert (hill.units, hill.persona.put_away) == (2, 1)


@pytest.mark.slow
def test_where_nobody_committed_for_long_growth_is_told_up_to_the_last_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = _house(tmp_path)
    history = of.root / ".squad/agents/hill/history.md"
    git(of.root, "init", "-q")
    _committed_on(of.root, "2025-01-06", monkeypatch)
    history.write_text(history.read_text() + "- more\n" * 200)
    _committed_on(of.root, "2025-02-10", monkeypatch)
    history.write_text("# Hill\n\n- all of it was taken out since\n")
    of.bench.refresh()

    found = _team(of)["Hill"]

    assert found.until == "2025-02-10"
    assert found.growth is not None
    assert found.growth > 50


def _committed_on(root: Path, day: str, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("GIT_COMMITTER_DATE", f"{day}T10:00:00Z")
    commit(root, day)


@pytest.mark.slow
def test_growth_and_the_last_write_come_from_git(tmp_path: Path) -> None:
    of = _house(tmp_path)
    history = of.root / ".squad/agents/hill/history.md"
    git(of.root, "init", "-q")
    commit(of.root, "all")
    git(of.root, "commit", "-q", "--amend", "--no-edit", "--date", "2026-01-05T10:00:00Z")
    history.write_text(history.read_text() + "- more\n" * 200)
    of.bench.refresh()

    found = _team(of)

    assert found["Fury"].written
    assert found["Hill"].written >= found["Fury"].written


def test_who_was_archived_keeps_the_day_of_the_last_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = _house(tmp_path)
    git(of.root, "init", "-q")
    _committed_on(of.root, "2026-04-03", monkeypatch)
    of.bench.refresh()

    of.does("persona.archive", persona="Hill")

    assert _team(of)["hill"].archived
    assert _team(of)["hill"].written == "2026-04-03"


def test_of_who_was_renamed_since_the_last_commit_no_growth_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = _house(tmp_path)
    git(of.root, "init", "-q")
    _committed_on(of.root, "2025-01-06", monkeypatch)
    history = of.root / ".squad/agents/hill/history.md"
    history.write_text(history.read_text() + "- more\n" * 200)
    _committed_on(of.root, "2025-02-10", monkeypatch)
    of.bench.refresh()
    assert _team(of)["Hill"].growth

    of.does("persona.rename", persona="Hill", to="Dale")

    assert _team(of)["Dale"].growth is None


def test_several_are_archived_and_restored_in_one_change_with_one_undo(tmp_path: Path) -> None:
    of = _house(tmp_path)
    before = of.tree()

    change = of.does("persona.archive", persona="Hill", others=["Fury", "Hill", "Vega"])

    assert change.title == "Archive 3 personas"
    assert of.living() == []
    routing = (of.root / ".squad/routing.md").read_text()
    assert routing == "| Work | Agent |\n|--|--|\n| Ports | — |\n| Rest | — |\n"
    of.does("persona.restore", persona="Hill", others=["Vega"])
    assert of.living() == ["Hill", "Vega"]
    of.bench.undo()
    of.bench.undo()
    assert of.tree() == before


def test_where_one_of_several_is_unknown_nothing_is_done(tmp_path: Path) -> None:
    of = _house(tmp_path)
    before = of.tree()

    with pytest.raises(UnknownRef, match="no persona is called `Nobody`"):
        of.does("persona.archive", persona="Hill", others=["Nobody"])

    assert of.tree() == before


def test_several_are_exported_as_squad_does_with_every_file_of_theirs(tmp_path: Path) -> None:
    of = _house(tmp_path)

    found = exported(of.bench.library, ["Hill", "Vega"])
    manifest = json.loads(found.data)

    assert found.receipt == "2 personas = 4 files with 3 units"
    history = (of.root / ".squad/agents/hill/history.md").read_text()
    assert manifest["version"] == "1.0"
    assert set(manifest["agents"]) == {"hill", "vega"}
    assert manifest["agents"]["hill"] == {"charter": "# Hill — x\n", "history": history}
    assert manifest["files"][".squad/agents/hill/history.md"] == history
    with pytest.raises(UnknownRef):
        exported(of.bench.library, ["Nobody"])


def test_memories_of_several_are_compacted_in_one_change_with_one_receipt(tmp_path: Path) -> None:
    of = _house(tmp_path)
    memories: list[Json] = [
        {"persona": "Hill", "lines": ["Ports are counted twice a day"]},
        {"persona": "Fury", "lines": ["Ports are counted twice a day"]},
    ]
    (of.root / ".squad/agents/fury/history.md").write_text("# Fury\n\n- Ports are counted\n- x\n")
    of.bench.refresh()
    before = of.tree()

    change = of.does("personas.compact", memories=memories)

    assert change.title == "Compact 2 memories"
    assert change.receipt.count("units 2 = ") == 2
    of.bench.undo()
    assert of.tree() == before


DECIDED = """\
# Decisions

### 2026-01-02: Ports first

**By:** Hill

### 2026-01-02: Bells at noon

**By:** Fury

### Ink is dear

**By:** Fury
"""


def test_the_teams_decisions_have_a_row_with_their_tokens_and_how_many_are_old(
    tmp_path: Path,
) -> None:
    of = _house(tmp_path)
    assert decisions(of.bench.library, Estimate()) == ()
    text = DECIDED.replace("# Decisions\n", "# Decisions\n\nThe team keeps them here.\n")
    text = text.replace("**By:** Hill\n", "**By:** Hill\n\n## Rationale\n\nShips come first.\n")
    (of.root / ".squad/decisions.md").write_text(text)
    of.bench.refresh()

    (found,) = decisions(of.bench.library, Estimate())

    assert found.tokens == Estimate().count(text)
    assert (found.many, found.undated, found.old) == (3, 1, 2)
    assert found.units == 5  # and a part, and what stands above them
    assert found.dated == (("2026-01-02", 2),)
    assert found.written == "2026-01-02"
    (change,) = [
        of.does("sections.archive", team=True, before=found.old_before, layout=found.source.layout)
    ]
    assert "= 2 here + 3 in decisions-archive.md" in change.receipt
    (after,) = decisions(of.bench.library, Estimate())
    assert (after.many, after.old) == (1, 0)


PARTED = """\
# Team Decisions

### 2026-01-02: Footers stay below

**By:** Hill

## Root cause

A host without height.

## Fix

A height.

### 2026-02-02: Bells at noon

**By:** Fury
"""


def test_one_decision_is_archived_or_removed_with_the_parts_that_stand_below_it(
    tmp_path: Path,
) -> None:
    of = _house(tmp_path)
    log, archive = of.root / ".squad/decisions.md", of.root / ".squad/decisions-archive.md"
    log.write_text(PARTED)
    of.bench.refresh()
    first = next(e for e in of.bench.library.of_kind("decision") if "Footers" in e.title)
    left = PARTED[: PARTED.index("### 2026-01")] + PARTED[PARTED.index("### 2026-02") :]

    whole = PARTED[PARTED.index("### 2026-01") : PARTED.index("### 2026-02")]

    of.bench.apply(Intent("archive", {first.ref: first.digest}))

    assert log.read_text() == left
    assert archive.read_text().endswith(f"{whole.rstrip()}\n")
    of.bench.undo()
    assert log.read_text() == PARTED
    of.bench.apply(Intent("remove", {first.ref: first.digest}))
    assert log.read_text() == left
