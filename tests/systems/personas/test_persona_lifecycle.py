"""What seed 002 and FORMATS 3.5 promise of renaming, archiving and restoring, on real disks."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.persona_files import AGENTS, CARLOS, add_database, write

from remem.base.clock import Clock
from remem.base.errors import NotPossible, Refused, UnknownRef, WriteFailed
from remem.core.checks.issues import issues
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Change, Intent, Json, Splice
from remem.store.changes.commit import Committer
from remem.store.databases.row_sets import RowSets
from remem.store.io import Disk
from remem.systems.personas.team.people import everyone

P = ParamSpec("P")
R = TypeVar("R")

ARCHIVE = f"{AGENTS}/.archived"
REGISTRY = """\
{
  "agents": {
    "hill": {"persistent_name": "Hill", "universe": "x", "status": "active"},
    "fury": {"persistent_name": "Fury", "status": "retired"}
  }
}
"""
TEAM = """\
# Team

| Name | Role | Charter | Status |
|------|------|---------|--------|
| Hill | Core | .squad/agents/hill/charter.md | ✅ Active |
| Fury | Writer | — | 🚫 Inactive |

Some prose that is nobody's row.
"""
SQUAD = {
    ".squad/agents/hill/history.md": "# Hill — History\n\n- a\n- b\n",
    ".squad/agents/hill/charter.md": "# Hill — Core\n\n## Boundaries\n",
    ".squad/team.md": TEAM,
    ".squad/casting/registry.json": REGISTRY,
}


class House:
    """A home with Night Watch personas and a project, at a real session."""

    def __init__(
        self,
        at: Path,
        *,
        home: Mapping[str, str | bytes] | None = None,
        root: Mapping[str, str | bytes] | None = None,
    ) -> None:
        self.home, self.root = at / "home", at / "acme"
        self.home.mkdir(parents=True)
        self.root.mkdir()
        write(self.home, home or {})
        write(self.root, root or {})
        self.bench = Session.open(self.root, Places.of(self.home), door="cli", clock=Clock())

    def plans(self, verb: str, **arguments: Json) -> Change:
        return self.bench.plan(Intent(verb, arguments=arguments))

    def does(self, verb: str, **arguments: Json) -> Change:
        return self.bench.apply(Intent(verb, arguments=arguments)).change

    def tree(self) -> dict[str, bytes]:
        """Return every file of personas by its path, and every empty folder."""
        found: dict[str, bytes] = {}
        for base in (self.home / ".night-watch", self.home / ".claude", self.root):
            for path in sorted(base.rglob("*")):
                if path.is_file():
                    found[str(path)] = path.read_bytes()
                elif not any(path.iterdir()):
                    found[str(path)] = b"an empty folder"
        return found

    def living(self) -> list[str]:
        return [each.name for each in everyone(self.bench.library) if not each.archived]

    def archived(self) -> list[str]:
        return [each.name for each in everyone(self.bench.library) if each.archived]

    def row(self, column: str, id: str = "1") -> object:  # noqa: A002 - the column's name
        with closing(sqlite3.connect(self.home / ".night-watch/state.db")) as connection:
            query = f"SELECT {column} FROM agent_personas WHERE id = ?"
            (value,) = connection.execute(query, (id,)).fetchone()
        return value


def watched(at: Path, *more: Mapping[str, object]) -> House:
    """Return a house in which Carlos has a memory and a row."""
    home = at / "home"
    write(home, {f"{CARLOS}/main.md": "- a\n- b\n"})
    add_database(home, {"id": "1", "name": "Carlos"}, *more)
    home.rename(at / "made")
    house = House(at / "house")
    (at / "made/.night-watch").rename(house.home / ".night-watch")
    house.bench.refresh()
    return house


@pytest.mark.parametrize(
    ("verb", "more", "living"),
    [("persona.archive", {}, []), ("persona.rename", {"to": "Noor"}, ["Noor"])],
)
def test_a_preview_shows_the_rows_of_a_database_as_the_plan_would_leave_them(
    tmp_path: Path, verb: str, more: dict[str, Json], living: list[str]
) -> None:
    house = watched(tmp_path)
    change = house.bench.plan(Intent(verb, {}, {"persona": "Carlos", **more}))

    after = house.bench.library.preview(change.effects)

    assert [each.name for each in everyone(after) if not each.archived] == living
    assert house.living() == ["Carlos"]


def test_renaming_a_persona_moves_its_memory_with_the_same_content(tmp_path: Path) -> None:
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})

    house.does("persona.rename", persona="Carlos", to="Noor")

    assert not (house.home / AGENTS / "Carlos").exists()
    assert (house.home / AGENTS / "Noor/memories/acme/main.md").read_text() == "- a\n"


AGENT = "---\nname: {0}\ndescription: x\nmemory: project\n---\nYou are the {0}.\n"


def linked(at: Path) -> House:
    """Return a house in which memory of agents lies behind links: a folder's, and a file's."""
    memory = at / "acme/.claude/agent-memory"
    house = House(
        at,
        root={
            ".claude/agents/captain.md": AGENT.format("captain"),
            ".claude/agents/mate.md": AGENT.format("mate"),
            "shared/MEMORY.md": "- Deploy on Mondays.\n",
        },
    )
    (memory / "mate").mkdir(parents=True)
    (memory / "captain").symlink_to("../../shared")
    (memory / "mate/MEMORY.md").symlink_to("../../../shared/MEMORY.md")
    house.bench.refresh()
    return house


def test_a_new_name_renames_the_link_that_an_agents_memory_is_and_undo_gives_it_back(
    tmp_path: Path,
) -> None:
    house = linked(tmp_path)
    memory = house.root / ".claude/agent-memory"

    house.does("persona.rename", persona="captain", to="skipper")
    house.does("persona.rename", persona="mate", to="officer")

    assert sorted(each.name for each in memory.iterdir()) == ["officer", "skipper"]
    assert (memory / "skipper").readlink() == Path("../../shared")
    assert (memory / "skipper/MEMORY.md").samefile(memory / "officer/MEMORY.md")
    assert [each.ref.id.partition("#")[0] for each in house.bench.library.entries()] == ["skipper"]

    house.bench.undo()
    house.bench.undo()
    assert sorted(each.name for each in memory.iterdir()) == ["captain", "mate"]
    assert (memory / "captain/MEMORY.md").samefile(memory / "mate/MEMORY.md")


def test_a_lesson_behind_a_link_is_edited_where_it_lies(tmp_path: Path) -> None:
    house = linked(tmp_path)
    (lesson,) = house.bench.library.entries()

    house.bench.apply(house.bench.intend("edit", [lesson], text="Deploy on Tuesdays."))

    assert (house.root / "shared/MEMORY.md").read_text() == "- Deploy on Tuesdays.\n"
    assert (house.root / ".claude/agent-memory/captain").is_symlink()
    assert not (house.root / "shared/MEMORY.md").is_symlink()

    house.bench.undo()
    assert (house.root / "shared/MEMORY.md").read_text() == "- Deploy on Mondays.\n"


@pytest.mark.parametrize(
    ("persona", "told"),
    [("captain", "only folders are moved"), ("mate", "is a link, which remem does not follow")],
)
def test_no_link_is_archived_as_it_may_lead_nowhere_from_there(
    tmp_path: Path, persona: str, told: str
) -> None:
    house = linked(tmp_path)

    with pytest.raises(NotPossible, match=told):
        house.plans("persona.archive", persona=persona)


def test_an_agent_whose_definition_is_a_link_or_lies_above_is_not_renamed(tmp_path: Path) -> None:
    house = House(tmp_path, root={"docs/cook.md": AGENT.format("cook"), "sub/x.txt": ""})
    write(house.root, {".git/HEAD": "", ".claude/agents/pilot.md": AGENT.format("pilot")})
    (house.root / ".claude/agents/cook.md").symlink_to("../../docs/cook.md")
    house.bench.refresh()

    with pytest.raises(NotPossible, match="reached by a link"):
        house.plans("persona.rename", persona="cook", to="chef")

    below = Session.open(house.root / "sub", Places.of(house.home), door="cli", clock=Clock())
    with pytest.raises(NotPossible, match="lies above the project"):
        below.plan(Intent("persona.rename", arguments={"persona": "pilot", "to": "chef"}))


def test_archiving_a_persona_moves_its_memory_with_the_time_in_its_name(tmp_path: Path) -> None:
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})
    assert not (house.home / ARCHIVE).exists()

    house.does("persona.archive", persona="Carlos")

    (folder,) = (house.home / ARCHIVE).iterdir()
    assert folder.name.startswith("Carlos-2")
    assert folder.name.endswith("Z")
    assert (folder / "memories/acme/main.md").read_text() == "- a\n"
    assert not (house.home / AGENTS / "Carlos").exists()


@pytest.mark.parametrize(
    ("verb", "told"), [("persona.rename", {"to": "Noor"}), ("persona.archive", {})]
)
def test_a_name_that_nobody_has_is_refused(
    tmp_path: Path, verb: str, told: dict[str, Json]
) -> None:
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})
    before = house.tree()

    with pytest.raises(UnknownRef, match="no persona is called `Dana`"):
        house.plans(verb, persona="Dana", **told)

    assert house.tree() == before


def test_a_taken_name_is_refused_and_lies_beside_where_that_is_asked_for(
    tmp_path: Path,
) -> None:
    taken = f"{AGENTS}/Noor/memories/acme/main.md"
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n", taken: "- n\n"})

    with pytest.raises(NotPossible, match="`Noor` is taken in night-watch"):
        house.plans("persona.rename", persona="Carlos", to="Noor")
    change = house.does("persona.rename", persona="Carlos", to="Noor", beside=True)

    beside = [p for p in (house.home / AGENTS).iterdir() if p.name.startswith("Noor-2")]
    assert [(p / "memories/acme/main.md").read_text() for p in beside] == ["- a\n"]
    assert (house.home / taken).read_text() == "- n\n"
    assert any("beside the existing one" in note for note in change.notes)


def test_the_history_tells_of_every_rename_and_archive(tmp_path: Path) -> None:
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})

    house.does("persona.rename", persona="Carlos", to="Noor")
    house.does("persona.archive", persona="Noor")

    titles = [logged.title for logged in house.bench.past.changes()]
    (folder,) = (house.home / ARCHIVE).iterdir()
    assert titles == [f"Archive Noor to ~/{ARCHIVE}/{folder.name}", "Rename Carlos to Noor"]
    assert all("0 lost, 0 added" in logged.receipt for logged in house.bench.past.changes())


@pytest.mark.parametrize(
    "name", ["Maya", "Carlos", "Priya", "Dev", "Zoë-7 of_Nine", "harbour.pilot"]
)
def test_a_persona_of_any_name_is_kept_alike(tmp_path: Path, name: str) -> None:
    memory = f"{AGENTS}/{name}/memories/acme/main.md"
    house = House(tmp_path, home={memory: "- a\n"})
    before = house.tree()

    house.does("persona.rename", persona=name, to="Somebody else")
    house.does("persona.archive", persona="Somebody else")
    house.does("persona.restore", persona="Somebody else")
    house.does("persona.rename", persona="Somebody else", to=name)

    assert house.tree() == before


def test_an_archived_persona_of_night_watch_is_not_among_the_living(tmp_path: Path) -> None:
    house = watched(tmp_path)

    house.does("persona.archive", persona="Carlos")
    gone = (house.living(), house.archived(), house.row("is_active"))
    house.does("persona.restore", persona="Carlos")

    assert gone == ([], ["Carlos"], 0)
    assert (house.living(), house.archived(), house.row("is_active")) == (["Carlos"], [], 1)


def test_one_that_only_a_row_names_is_archived_and_restored_by_its_row(tmp_path: Path) -> None:
    house = watched(tmp_path, {"id": "2", "name": "Noor"})

    house.does("persona.archive", persona="Noor")
    gone = (house.living(), house.archived(), house.row("is_active", "2"))
    house.does("persona.restore", persona="Noor")

    assert gone == (["Carlos"], ["Noor"], 0)
    assert (house.living(), house.row("is_active", "2")) == (["Carlos", "Noor"], 1)


def test_restoring_wakes_only_the_row_that_the_archiving_put_to_sleep(tmp_path: Path) -> None:
    house = watched(tmp_path, {"id": "2", "name": "Carlos", "is_active": 0})
    house.does("persona.archive", persona="Carlos")

    house.does("persona.restore", persona="Carlos")

    assert (house.row("is_active"), house.row("is_active", "2")) == (1, 0)


def test_a_row_that_cannot_be_written_sends_the_folder_back(tmp_path: Path) -> None:
    house = watched(tmp_path)
    before = house.tree()
    bench = house.bench
    given = (bench.disk, bench.journal, bench.clock, bench.places.state)
    bench.committer = Committer(*given, rows=RowSets(busy=0.05))

    with closing(sqlite3.connect(house.home / ".night-watch/state.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(WriteFailed, match="locked"):
            house.does("persona.rename", persona="Carlos", to="Noor")
        other.rollback()

    assert house.tree() == before
    assert house.row("name") == "Carlos"
    assert house.bench.past.changes() == ()


@pytest.mark.parametrize(
    ("verb", "told"),
    [
        ("persona.rename", {"to": "Vega"}),
        ("persona.archive", {}),
        ("persona.merge", {"into": "Noor"}),
    ],
)
def test_a_database_of_another_version_stops_what_would_leave_its_row_behind(
    tmp_path: Path, verb: str, told: dict[str, Json]
) -> None:
    house = watched(tmp_path)
    write(house.home, {f"{AGENTS}/Noor/memories/acme/main.md": "- n\n"})
    with closing(sqlite3.connect(house.home / ".night-watch/state.db")) as other:
        other.execute("ALTER TABLE agent_personas RENAME COLUMN soul_json TO soul_blob")
        other.commit()
    house.bench.refresh()
    before = house.tree()

    with pytest.raises(Refused, match=r"soul_json.*nothing was written"):
        house.does(verb, persona="Carlos", **told)

    assert house.tree() == before


def test_whoever_retires_is_called_retired_by_the_teams_lists_and_may_return(
    tmp_path: Path,
) -> None:
    house = House(tmp_path, root=SQUAD)
    before = house.tree()

    house.does("persona.archive", persona="Hill")
    team = (house.root / ".squad/team.md").read_text()
    registry = (house.root / ".squad/casting/registry.json").read_text()
    gone = house.living()
    house.does("persona.restore", persona="hill")

    row = "| Hill | Core | .squad/agents/_alumni/hill/charter.md | Retired (was ✅ Active) |"
    assert team == TEAM.replace("| Hill | Core | .squad/agents/hill/charter.md | ✅ Active |", row)
    assert registry == REGISTRY.replace('"active"', '"retired"')
    assert gone == []
    assert house.living() == ["Hill"]
    assert house.tree() == before


def test_what_follows_a_new_name_is_counted_with_the_lists_of_members(tmp_path: Path) -> None:
    house = House(tmp_path, root=SQUAD)

    change = house.bench.plan(Intent("persona.rename", {}, {"persona": "Hill", "to": "Sol"}))

    edited = {effect.path for effect in change.effects if isinstance(effect, Splice)}
    assert {path.name for path in edited} >= {"team.md", "registry.json"}
    (told,) = (note for note in change.notes if " follow: " in note)
    assert f" of {len(edited)} files follow: " in told
    assert "`.squad/casting/registry.json`" in told


@pytest.mark.parametrize("verb", ["persona.archive", "persona.merge"])
def test_who_leaves_is_told_as_still_listed_and_the_lists_are_counted_among_what_follows(
    tmp_path: Path, verb: str
) -> None:
    fury = ".squad/agents/fury/history.md"
    house = House(tmp_path, root={**SQUAD, fury: "# Fury\n\n- a\n"})
    told: dict[str, Json] = {"persona": "Hill"}
    told |= {"into": "fury"} if verb == "persona.merge" else {}

    change = house.bench.plan(Intent(verb, {}, told))

    lists = "`.squad/casting/registry.json`, `.squad/team.md`"
    (follows,) = (note for note in change.notes if " follow: " in note)
    assert f"{lists} still list `Hill`, as retired" in change.notes
    written = {each.path.name for each in change.effects if isinstance(each, Splice)}
    assert f" of {len(written - {'history.md'})} files follow: " in follows


def test_a_newcomer_stands_on_the_roster_and_in_the_registry(tmp_path: Path) -> None:
    house = House(tmp_path, root=SQUAD)

    house.does("persona.new", persona="Vega", role="Tests | more")

    team = (house.root / ".squad/team.md").read_text()
    row = "| Vega | Tests / more | .squad/agents/vega/charter.md | ✅ Active |\n"
    assert team == TEAM.replace("🚫 Inactive |\n", f"🚫 Inactive |\n{row}")
    registry = (house.root / ".squad/casting/registry.json").read_text()
    assert registry.startswith(REGISTRY.removesuffix("\n  }\n}\n"))
    assert '"vega": {' in registry
    assert house.living() == ["Hill", "Vega"]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        pytest.param(
            "Hill", "| Hill | Core | .squad/agents/Hill/charter.md | ✅ Active |", id="left"
        ),
        pytest.param(
            "Fury", "| Fury | Writer | .squad/agents/fury/charter.md | ✅ Active |", id="listed"
        ),
    ],
)
def test_a_newcomer_with_the_name_of_someone_retired_works_here_again(
    tmp_path: Path, name: str, row: str
) -> None:
    house = House(tmp_path, root=SQUAD)
    if name == "Hill":
        house.does("persona.archive", persona=name)

    change = house.does("persona.new", persona=name)

    assert row in (house.root / ".squad/team.md").read_text()
    assert change.notes == ()
    assert name in house.living()


def test_a_newcomer_whom_the_lists_name_already_needs_no_hand(tmp_path: Path) -> None:
    house = House(tmp_path, root={path: SQUAD[path] for path in SQUAD if "agents" not in path})

    change = house.does("persona.new", persona="Hill")

    assert change.notes == ()
    assert (house.root / ".squad/team.md").read_text() == TEAM


def test_a_new_name_that_is_anothers_elsewhere_is_refused_or_told(tmp_path: Path) -> None:
    house = House(tmp_path, root=SQUAD, home={f"{CARLOS}/main.md": "- c\n"})

    with pytest.raises(NotPossible, match="`Hill` is taken in squad"):
        house.plans("persona.rename", persona="Carlos", to="Hill")
    change = house.does("persona.rename", persona="Carlos", to="Hill", beside=True)

    told = "`Hill` already exists in `squad`: the same name means the same persona"
    assert told in change.notes
    assert house.living() == ["Hill"]


def test_a_list_that_cannot_be_edited_is_told_and_the_persona_moves_all_the_same(
    tmp_path: Path,
) -> None:
    twice = REGISTRY.replace('"x", "status": "active"', '"x", "status": "a", "status": "active"')
    house = House(tmp_path, root={**SQUAD, ".squad/casting/registry.json": f"{twice}trailing"})

    change = house.does("persona.new", persona="Vega")

    assert any("registry.json` could not be extended" in note for note in change.notes)
    assert (house.root / ".squad/casting/registry.json").read_text() == f"{twice}trailing"


def test_references_in_other_memories_are_told_and_rewritten_only_when_asked(
    tmp_path: Path,
) -> None:
    fury = "# Fury — History\n\n- Ask Hill first, or hill-top, or Hills; `Hill` knows\n- b\n"
    files = {**SQUAD, ".squad/agents/fury/history.md": fury}
    told = House(tmp_path / "one", root=files)
    house = House(tmp_path / "two", root=files)

    change = told.does("persona.rename", persona="hill", to="Vega")
    asked = house.does("persona.rename", persona="hill", to="Vega", references=True)

    assert any(note.startswith("`Hill` stays in 1 line of 1 other file") for note in change.notes)
    assert (change.offers, asked.offers) == ("references", "")
    assert (told.root / ".squad/agents/fury/history.md").read_text() == fury
    expected = fury.replace("Ask Hill", "Ask Vega").replace("`Hill`", "`Vega`")
    assert (house.root / ".squad/agents/fury/history.md").read_text() == expected
    moved = [new for new in asked.touched.values() if new is not None]
    assert all(house.bench.library.has(ref) for ref in moved)
    house.bench.undo()
    assert (house.root / ".squad/agents/fury/history.md").read_text() == fury


PROPOSAL = "text: Ports are counted twice\nby: Hill\n"


def test_references_are_offered_only_where_they_would_follow(tmp_path: Path) -> None:
    proposal = {".remem/proposals/20260502-5b3e91c4.yaml": PROPOSAL}
    fury = {".squad/agents/fury/history.md": "# Fury — History\n\n- Ask Hill first\n"}
    alone = House(tmp_path / "alone", root={**SQUAD, **proposal})
    both = House(tmp_path / "both", root={**SQUAD, **proposal, **fury})

    change = alone.does("persona.rename", persona="hill", to="Vega")
    mixed = both.does("persona.rename", persona="hill", to="Vega")

    assert change.offers == ""
    assert (
        "`Hill` stays in 1 line of 1 other file, unless you rewrite it too with `--in FILE`: "
        "no tool follows names there"
    ) in change.notes
    assert mixed.offers == "references"
    assert (
        "`Hill` stays in 2 lines of 2 other files; 1 of them would follow if you also rewrite the "
        "references"
    ) in mixed.notes
    place = ".remem/proposals/20260502-5b3e91c4.yaml"
    assert f"`{place}` line 2 (needs `--in FILE`): by: Hill" in mixed.notes


def test_a_name_in_capitals_is_told_and_rewritten_in_capitals_when_that_is_asked(
    tmp_path: Path,
) -> None:
    fury = "# Fury — History\n\n- ASK HILL FIRST, not HILLS or HILL_ID\n"
    files = {**SQUAD, ".squad/agents/fury/history.md": fury}
    told = House(tmp_path / "one", root=files)
    house = House(tmp_path / "two", root=files)

    change = told.does("persona.rename", persona="Hill", to="Vega")
    house.does("persona.rename", persona="Hill", to="Vega", references=True)

    assert "`.squad/agents/fury/history.md` line 3: - ASK HILL FIRST, not HILLS or HILL_ID" in (
        change.notes
    )
    assert (told.root / ".squad/agents/fury/history.md").read_text() == fury
    asked = (house.root / ".squad/agents/fury/history.md").read_text()
    assert asked == fury.replace("ASK HILL", "ASK VEGA")


NAMES = st.sampled_from(["Noor", "hill", "HILL", "Vega Nine", "Мауа", "x.y"])
LINES = st.lists(
    st.sampled_from(["- a", "- b Hill", "# Hill", "prose of Hill", "```", "", "1. one", "\ttab"]),
    max_size=8,
).map("\n".join)


@settings(max_examples=8, deadline=None)
@given(NAMES, LINES, LINES, st.booleans())
def test_undoing_a_rename_gives_back_the_whole_tree(
    tmp_path_factory: pytest.TempPathFactory, name: str, own: str, other: str, references: bool
) -> None:
    files = {
        **SQUAD,
        ".squad/agents/hill/history.md": own,
        ".squad/agents/fury/history.md": other,
        ".claude/agent-memory/hill/MEMORY.md": own,
        ".claude/agents/hill.md": "---\nname: hill\ndescription: d\n"
        "memory: project\n---\n\nYou are Hill.\n",
    }
    house = House(tmp_path_factory.mktemp("house"), root=files)
    before = house.tree()
    house.does("persona.rename", persona="Hill", to=name, references=references)
    assert house.tree() != before

    house.bench.undo()
    house.bench.close()

    assert house.tree() == before


@settings(max_examples=6, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_what_was_archived_comes_back_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, own: str, newline: str
) -> None:
    memory = own.replace("\n", newline).encode()
    files: dict[str, str | bytes] = {".claude/agent-memory/hill/MEMORY.md": memory}
    folder = tmp_path_factory.mktemp("house")
    house = House(folder, root=files, home={f"{AGENTS}/Hill/memories/acme/main.md": memory})
    before = house.tree()
    house.does("persona.archive", persona="Hill")

    house.does("persona.restore", persona="hill")
    house.bench.close()

    assert house.tree() == before


def test_restoring_over_the_living_and_whom_nobody_archived_are_errors(tmp_path: Path) -> None:
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})
    house.does("persona.archive", persona="Carlos")
    write(house.home, {f"{CARLOS}/main.md": "- again\n"})
    house.bench.refresh()

    with pytest.raises(NotPossible, match="already exists in"):
        house.does("persona.restore", persona="Carlos")
    with pytest.raises(UnknownRef, match="no archived persona is called `Dana`"):
        house.does("persona.restore", persona="Dana")


def test_a_folder_that_is_spelled_otherwise_than_its_row_is_told_and_takes_its_name(
    tmp_path: Path,
) -> None:
    of = watched(tmp_path)
    home = of.home / ".night-watch/agents"
    (home / "Carlos").rename(home / "carlos")
    of.bench.refresh()

    (found,) = (each for each in issues(of.bench.library) if each.verb == "persona.rename")
    of.does("persona.rename", **found.arguments)

    assert [path.name for path in home.iterdir()] == ["Carlos"]
    assert of.row("name") == "Carlos"
    assert not [each for each in issues(of.bench.library) if each.verb == "persona.rename"]


class BadSector(Disk):
    """Cannot read one file: the device answers with an error."""

    bad: Path | None = None

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name == "open" and args and args[0] == self.bad:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return call(*args, **kwargs)


def test_a_rename_is_refused_where_the_disk_gives_no_answer_on_a_file_that_may_name_the_persona(
    tmp_path: Path,
) -> None:
    readme = {"README.md": "Ask `.squad/agents/hill/charter.md` first.\n"}
    house = House(tmp_path, root={**SQUAD, **readme})
    disk = BadSector()
    bench = Session.open(house.root, Places.of(house.home), door="cli", clock=Clock(), disk=disk)
    before = house.tree()

    disk.bad = house.root / "README.md"
    with closing(bench), pytest.raises(NotPossible, match=r"README\.md") as refused:
        bench.apply(Intent("persona.rename", arguments={"persona": "Hill", "to": "Mara"}))

    assert refused.value.hint == "try again; nothing was written"
    assert house.tree() == before


def test_a_lesson_that_nobody_reviewed_waits_on_after_its_persona_was_renamed_and_back(
    tmp_path: Path,
) -> None:
    house = House(tmp_path, root=SQUAD)
    house.bench.begin_inbox()
    memory = house.root / ".squad/agents/hill/history.md"
    with memory.open("a") as file:
        file.write("- c, which an agent learnt\n")
    house.bench.refresh([memory])

    def waits() -> list[tuple[str, str, str]]:
        found = house.bench.library.aside.unreviewed.values()
        return [(each.what, each.title, each.path.parent.name) for each in found]

    before = waits()
    house.does("persona.rename", persona="Hill", to="Mara")
    renamed = waits()
    house.bench.undo()

    assert before == [("new", "c, which an agent learnt", "hill")]
    assert renamed == [("new", "c, which an agent learnt", "mara")]
    assert waits() == before
