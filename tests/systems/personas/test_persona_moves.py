import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.persona_files import (
    AGENTS,
    CARLOS,
    Shelf,
    add_database,
    ground_at,
    open_shelf,
    shelf_at,
    text_after,
    write,
)

from remem.base.errors import NotPossible, UnknownRef, UnsafeName
from remem.edit.yaml_read import parse_document
from remem.model.change import Change, Create, Intent, Json, Move, RowEdit
from remem.store.overlay import Overlay
from remem.systems.personas import new_persona
from remem.systems.personas.claude_agents import front_matter
from remem.systems.personas.moving import rename_archive_restore as plans
from remem.systems.personas.persona_verbs import (
    PersonaArchive,
    PersonaNew,
    PersonaRename,
    PersonaRestore,
)
from remem.systems.personas.team.people import everyone
from remem.systems.personas.team.squad import registry, roster

ARCHIVE = f"{AGENTS}/.archived"
CRITIC = "---\nname: critic\ndescription: Finds faults\n---\nHi.\n"
SQUAD = {
    ".squad/agents/hill/history.md": "# Hill — History\n\n- a\n- b\n",
    ".squad/agents/hill/charter.md": "# Hill — Backend\n\n## Boundaries\n",
    ".squad/team.md": "# Team\n\n| Name | Role | Charter |\n|---|---|---|\n"
    "| Fury | Writer | .squad/agents/fury/charter.md |\n"
    "| Hill | Core | .squad/agents/hill/charter.md |\n",
    ".squad/casting/registry.json": '{\n  "agents": {\n    "fury": {"persistent_name": "Fury"},\n'
    '    "hill": {"universe": "x", "persistent_name": "Hill"}\n  }\n}',
}


def intent(**arguments: Json) -> Intent:
    return Intent("persona", arguments=arguments)


def plan_new(shelf: Shelf, asked: Intent) -> Change:
    return new_persona.plan_new(shelf, asked, PersonaNew.from_json(asked.arguments))


def plan_rename(shelf: Shelf, asked: Intent) -> Change:
    return plans.plan_rename(shelf, asked, PersonaRename.from_json(asked.arguments))


def plan_archive(shelf: Shelf, asked: Intent) -> Change:
    return plans.plan_archive(shelf, asked, PersonaArchive.from_json(asked.arguments))


def plan_restore(shelf: Shelf, asked: Intent) -> Change:
    return plans.plan_restore(shelf, asked, PersonaRestore.from_json(asked.arguments))


def moves(change: Change, below: Path) -> list[tuple[str, str]]:
    return [
        (str(e.source.relative_to(below)), str(e.target.relative_to(below)))
        for e in change.effects
        if isinstance(e, Move)
    ]


def after(shelf: Shelf, change: Change) -> Shelf:
    """Return the shelf as it would be; edits of files that move show under their old names."""
    rest = [effect for effect in change.effects if isinstance(effect, Move | Create)]
    disk = Overlay(shelf.ground.disk, rest)
    return open_shelf(dataclasses.replace(shelf.ground, disk=disk))


def test_a_rename_moves_the_folder_and_names_every_ref_anew(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n- b\n- a\n"})

    change = plan_rename(shelf, intent(persona="carlos", to="Maya"))

    assert moves(change, shelf.ground.home) == [(f"{AGENTS}/Carlos", f"{AGENTS}/Maya")]
    assert change.title == "Rename Carlos to Maya"
    renamed = {entry.ref for source in after(shelf, change).sources for entry in source.entries}
    assert set(change.touched.values()) == renamed
    assert len(change.touched) == 3
    assert change.receipt == "1 file, 3 units = 3 in the new place · 0 lost, 0 added"


def test_a_taken_name_gets_the_time_and_the_person_is_told(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={f"{CARLOS}/main.md": "- a\n", f"{AGENTS}/maya/memories/acme/main.md": "- b\n"},
    )

    change = plan_rename(shelf, intent(persona="Carlos", to="Maya", beside=True))

    assert moves(change, shelf.ground.home / AGENTS) == [("Carlos", "Maya-20260504T120000Z")]
    assert any("beside the existing one" in note for note in change.notes)


def test_an_empty_folder_takes_a_name_too_and_then_numbers_follow(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})
    (shelf.ground.home / AGENTS / "Maya").mkdir()
    (shelf.ground.home / AGENTS / "Maya-20260504T120000Z").mkdir()

    change = plan_rename(shelf, intent(persona="Carlos", to="Maya", beside=True))

    assert moves(change, shelf.ground.home / AGENTS) == [("Carlos", "Maya-20260504T120000Z-2")]


def test_a_rename_may_change_only_the_case(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})

    change = plan_rename(shelf, intent(persona="Carlos", to="CARLOS"))

    assert moves(change, shelf.ground.home / AGENTS) == [("Carlos", "CARLOS")]
    assert change.notes == ()


def test_of_two_spellings_the_one_that_was_written_moves(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={f"{CARLOS}/main.md": "- a\n", f"{AGENTS}/carlos/memories/acme/main.md": "- b\n"},
    )

    change = plan_rename(shelf, intent(persona="carlos", to="Maya"))

    assert moves(change, shelf.ground.home / AGENTS) == [("carlos", "Maya")]


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "CON", "x\u202e", "a" * 129])
def test_a_name_that_cannot_be_one_is_unsafe(tmp_path: Path, name: str) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})

    with pytest.raises(UnsafeName):
        plan_rename(shelf, intent(persona="Carlos", to=name))
    with pytest.raises(UnsafeName):
        plan_new(shelf, intent(persona=name))


def test_nobody_and_nothing_new_are_said_so(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})

    with pytest.raises(UnknownRef, match="no persona is called `Dana`") as nobody:
        plan_rename(shelf, intent(persona="Dana", to="Maya"))
    with pytest.raises(UnknownRef) as near:
        plan_rename(shelf, intent(persona="carlo", to="Maya"))
    with pytest.raises(NotPossible):
        plan_rename(shelf, intent(persona="Carlos", to="Carlos"))

    assert nobody.value.hint == "known: `Carlos`"
    assert near.value.hint == "did you mean `Carlos`? known: `Carlos`"


def test_squads_charter_roster_and_registry_follow_in_the_same_change(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root=SQUAD)
    root = shelf.ground.root

    change = plan_rename(shelf, intent(persona="hill", to="Vega"))

    splices = tuple(e for e in change.effects if not isinstance(e, Move))
    charter = text_after(root / ".squad/agents/hill/charter.md", splices)
    assert charter == "# Vega — Backend\n\n## Boundaries\n"
    members = roster(text_after(root / ".squad/team.md", splices).encode())
    assert [(member.name, member.charter) for member in members] == [
        ("Fury", ".squad/agents/fury/charter.md"),
        ("Vega", ".squad/agents/vega/charter.md"),
    ]
    agents = registry(text_after(root / ".squad/casting/registry.json", splices).encode())
    assert agents["vega"] == {"universe": "x", "persistent_name": "Vega", "previous_name": "Hill"}
    assert "hill" not in agents
    assert agents["fury"] == {"persistent_name": "Fury"}
    assert isinstance(change.effects[-1], Move)


def test_a_registry_that_is_kept_by_role_keeps_its_keys(tmp_path: Path) -> None:
    by_role = (
        '{\n  "agents": {\n    "core-dev": {"persistent_name": "Hill", "status": "active"}\n  }\n}'
    )
    shelf = shelf_at(tmp_path, root={**SQUAD, ".squad/casting/registry.json": by_role})

    change = plan_rename(shelf, intent(persona="hill", to="Vega"))

    splices = tuple(e for e in change.effects if not isinstance(e, Move))
    text = text_after(shelf.ground.root / ".squad/casting/registry.json", splices)
    assert registry(text.encode()) == {
        "core-dev": {"persistent_name": "Vega", "status": "active", "previous_name": "Hill"}
    }


def test_a_rename_follows_the_folder_into_a_tree_that_somebody_drew(tmp_path: Path) -> None:
    drawn = (
        "# Fury\n\n```\n.squad/\n└── agents/\n    ├── hill/\n    │   └── history.md\n"
        "    └── fury/   # writes\n```\n\nRead hill/history.md, not uphill/history.md.\n"
        "\n```\nsrc/\n├── hill/\n└── valley/\n```\n"
    )
    shelf = shelf_at(tmp_path, root={**SQUAD, ".squad/agents/fury/charter.md": drawn})

    change = plan_rename(shelf, intent(persona="hill", to="Vega"))

    splices = tuple(e for e in change.effects if not isinstance(e, Move))
    followed = text_after(shelf.ground.root / ".squad/agents/fury/charter.md", splices)
    assert followed == drawn.replace("    ├── hill/", "    ├── vega/").replace(
        "Read hill/", "Read vega/"
    )


def test_somebody_whom_only_lists_name_can_be_renamed(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root=SQUAD)

    change = plan_rename(shelf, intent(persona="Fury", to="Nova"))

    text = text_after(shelf.ground.root / ".squad/casting/registry.json", change.effects)
    assert registry(text.encode())["nova"] == {"persistent_name": "Nova", "previous_name": "Fury"}
    assert change.receipt == ""


def test_an_agents_definition_is_renamed_with_its_memory(tmp_path: Path) -> None:
    definition = (
        "---\n# who\nname: 'rev'  # short\ndescription: Reviews\nmemory: project\n---\n"
        "name: rev stays\n"
    )
    shelf = shelf_at(
        tmp_path,
        root={".claude/agents/rev.md": definition, ".claude/agent-memory/rev/MEMORY.md": "- a\n"},
    )
    root = shelf.ground.root

    change = plan_rename(shelf, intent(persona="rev", to="critic"))

    assert moves(change, root / ".claude") == [
        ("agent-memory/rev", "agent-memory/critic"),
        ("agents/rev.md", "agents/critic.md"),
    ]
    splices = tuple(e for e in change.effects if not isinstance(e, Move))
    text = text_after(root / ".claude/agents/rev.md", splices)
    assert text == definition.replace("'rev'", "critic")
    assert front_matter(text.encode())["name"] == "critic"


def test_all_places_of_a_name_move_in_one_change_unless_one_is_named(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={".squad/agents/carlos/history.md": "- s\n"},
        home={f"{CARLOS}/main.md": "- a\n"},
    )

    both = plan_rename(shelf, intent(persona="carlos", to="Maya"))
    one = plan_rename(shelf, intent(persona="carlos", to="Maya", layout="squad"))

    assert moves(both, tmp_path) == [
        (f"home/{AGENTS}/Carlos", f"home/{AGENTS}/Maya"),
        ("acme/.squad/agents/carlos", "acme/.squad/agents/maya"),
    ]
    assert both.notes[0] == "includes every place of `Carlos`: `night-watch`, `squad`"
    assert moves(one, tmp_path) == [("acme/.squad/agents/carlos", "acme/.squad/agents/maya")]


def test_the_row_of_the_database_changes_after_the_folder(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})
    path = add_database(shelf.ground.home, {"id": "7", "name": "Carlos", "role": "Builder"})
    shelf = open_shelf(shelf.ground)

    renamed = plan_rename(shelf, intent(persona="Carlos", to="Maya"))
    archived = plan_archive(shelf, intent(persona="Carlos"))

    now = 1_777_896_000_000
    assert renamed.effects[-1] == RowEdit(
        path,
        "agent_personas",
        {"id": "7"},
        {"name": "Carlos", "updated_at": 1},
        {"name": "Maya", "updated_at": now},
    )
    assert archived.effects[-1] == RowEdit(
        path,
        "agent_personas",
        {"id": "7"},
        {"is_active": 1, "updated_at": 1},
        {"is_active": 0, "updated_at": now},
    )


def test_a_persona_yaml_takes_the_new_name(tmp_path: Path) -> None:
    yaml = f"{AGENTS}/Carlos/persona.yaml"
    shelf = shelf_at(tmp_path, home={yaml: "role: Builder\nname: Carlos\nsoul: {}\n"})

    change = plan_rename(shelf, intent(persona="Carlos", to="Maya: x".replace(":", "")))

    splices = tuple(e for e in change.effects if not isinstance(e, Move))
    text = text_after(shelf.ground.home / yaml, splices)
    assert text == "role: Builder\nname: Maya x\nsoul: {}\n"


def test_an_archive_carries_the_time_and_a_second_one_a_number(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".claude/agent-memory/rev/MEMORY.md": "- a\n",
            ".claude/agents/rev.md": "---\nname: rev\ndescription: d\n---\nx\n",
        },
    )
    (shelf.ground.root / ".claude/agent-memory/.archived/rev-20260504T120000Z").mkdir(parents=True)

    change = plan_archive(shelf, intent(persona="rev"))

    assert moves(change, shelf.ground.root / ".claude/agent-memory") == [
        ("rev", ".archived/rev-20260504T120000Z-2")
    ]
    assert change.notes == (
        "the definition `agents/rev.md` stays; the agent will start with an empty memory",
    )
    archived = [p for p in everyone(after(shelf, change)) if p.archived]
    assert [(p.name, p.folder, p.units) for p in archived] == [("rev", "rev-20260504T120000Z-2", 1)]


def test_squads_archive_is_the_alumni_with_a_number(tmp_path: Path) -> None:
    files = {**SQUAD, ".squad/agents/_alumni/hill/history.md": "- old\n"}
    shelf = shelf_at(tmp_path, root=files)

    change = plan_archive(shelf, intent(persona="Hill"))

    assert moves(change, shelf.ground.root / ".squad/agents") == [("hill", "_alumni/hill-2")]


@pytest.mark.parametrize(
    "folder", ["Dana-20260222T093000Z", "Dana-1767225600000", "Dana-20260222T093000Z-2"]
)
def test_a_restored_persona_has_its_name_without_the_stamp(tmp_path: Path, folder: str) -> None:
    shelf = shelf_at(tmp_path, home={f"{ARCHIVE}/{folder}/memories/acme/main.md": "- a\n"})

    change = plan_restore(shelf, intent(persona="dana"))

    assert moves(change, shelf.ground.home / AGENTS) == [(f".archived/{folder}", "Dana")]
    assert [p.name for p in everyone(after(shelf, change)) if not p.archived] == ["Dana"]


def test_restoring_over_a_living_name_is_refused(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={
            f"{CARLOS}/main.md": "- a\n",
            f"{ARCHIVE}/carlos-20260101T000000Z/memories/acme/main.md": "- b\n",
        },
    )

    with pytest.raises(NotPossible, match="`Carlos` already exists"):
        plan_restore(shelf, intent(persona="carlos"))


def test_of_several_archives_the_folder_name_picks_one(tmp_path: Path) -> None:
    one, other = "Dana-20260101T000000Z", "Dana-20260102T000000Z"
    shelf = shelf_at(
        tmp_path,
        home={f"{ARCHIVE}/{name}/memories/acme/main.md": "- a\n" for name in (one, other)},
    )

    with pytest.raises(UnknownRef, match="archived 2 times") as error:
        plan_restore(shelf, intent(persona="Dana"))
    change = plan_restore(shelf, intent(persona=other))

    assert one in error.value.hint
    assert moves(change, shelf.ground.home / AGENTS) == [(f".archived/{other}", "Dana")]


def test_archiving_and_restoring_a_row_are_each_others_way_back(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path, home={f"{ARCHIVE}/Dana-20260101T000000Z/memories/acme/main.md": "- a\n"}
    )
    path = add_database(shelf.ground.home, {"id": "1", "name": "Dana", "is_active": 0})
    shelf = open_shelf(shelf.ground)

    change = plan_restore(shelf, intent(persona="Dana"))

    (row,) = [effect for effect in change.effects if isinstance(effect, RowEdit)]
    assert (row.before["is_active"], row.after["is_active"]) == (0, 1)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT is_active FROM agent_personas").fetchone() == (0,)


def test_a_new_persona_has_a_profile_that_is_read_back(tmp_path: Path) -> None:
    shelf = open_shelf(ground_at(tmp_path))

    change = plan_new(shelf, intent(persona="Maya", role='says "no": #1\n'))

    (effect,) = change.effects
    assert isinstance(effect, Create)
    assert effect.path == shelf.ground.home / AGENTS / "Maya/persona.yaml"
    value = parse_document(effect.data).value
    assert isinstance(value, dict)
    assert (value["name"], value["role"]) == ("Maya", 'says "no": #1')
    (person,) = everyone(after(shelf, change))
    assert (person.name, person.title, person.places) == ("Maya", 'says "no": #1', ("night-watch",))


def test_a_new_agent_gets_a_definition_that_loads_its_memory(tmp_path: Path) -> None:
    shelf = open_shelf(ground_at(tmp_path))

    change = plan_new(shelf, intent(persona="critic", layout="claude-project"))

    (effect,) = change.effects
    assert isinstance(effect, Create)
    assert effect.path == shelf.ground.root / ".claude/agents/critic.md"
    assert front_matter(effect.data)["memory"] == "project"


def test_a_new_member_of_a_squad_gets_charter_and_history(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root=SQUAD)

    change = plan_new(shelf, intent(persona="Vega", role="Tester"))

    names = [effect.path.name for effect in change.effects if isinstance(effect, Create)]
    assert names == ["charter.md", "history.md"]
    person = next(p for p in everyone(after(shelf, change)) if p.name == "vega")
    assert (person.title, person.places) == ("Tester", ("squad",))


@pytest.mark.parametrize("name", ["Hill", "HILL", "hill"])
def test_a_taken_name_is_refused_for_a_new_one(tmp_path: Path, name: str) -> None:
    shelf = shelf_at(tmp_path, root=SQUAD)

    with pytest.raises(NotPossible, match="`hill` is taken"):
        plan_new(shelf, intent(persona=name))


def test_a_new_persona_beside_an_agent_of_its_name_says_so(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={".claude/agents/critic.md": CRITIC})

    change = plan_new(shelf, intent(persona="Critic", layout="squad"))
    other = plan_new(shelf, intent(persona="Vega", layout="squad"))

    assert change.notes == ("`critic` is in `claude-project` already; both are shown as one",)
    assert other.notes == ()


def test_a_name_that_looks_like_another_is_told(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})
    write(shelf.ground.home, {f"{AGENTS}/Maya/memories/acme/main.md": "- b\n"})

    change = plan_rename(open_shelf(shelf.ground), intent(persona="Carlos", to="Мауа"))

    assert any("looks like" in note for note in change.notes)


def test_a_path_to_a_memory_that_its_agent_has_not_made_yet_follows_the_name(
    tmp_path: Path,
) -> None:
    definition = (
        "---\nname: rev\ndescription: Reviews\nmemory: project\n---\n"
        "Write only below `.claude/agent-memory/rev/`, and read what rev wrote.\n"
    )
    shelf = shelf_at(tmp_path, root={".claude/agents/rev.md": definition})
    root = shelf.ground.root

    change = plan_rename(shelf, intent(persona="rev", to="critic"))

    splices = tuple(e for e in change.effects if not isinstance(e, Move))
    text = text_after(root / ".claude/agents/rev.md", splices)
    assert "`.claude/agent-memory/critic/`, and read what rev wrote" in text
    assert "rev wrote" in "".join(change.notes)
