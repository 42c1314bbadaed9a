"""Merging two personas, or two places of one: every unit is there, and undo is exact."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.test_touched import assert_names_all
from tests.persona_files import AGENTS, CARLOS
from tests.systems.personas.test_persona_lifecycle import SQUAD, House

from remem.base.errors import NotPossible, Refused, RememError, UnknownRef
from remem.core.session import Session
from remem.model.change import Intent
from remem.model.entry import Status
from remem.systems.personas.moving.several_places import difference, places_of, shared_places
from remem.systems.personas.team.people import Persona, everyone

MAYA = f"{AGENTS}/Maya/memories/acme"
AGENT = ".claude/agent-memory/scribe"
DEFINITION = "---\nname: scribe\ndescription: d\nmemory: user  # everywhere\n---\n\nYou write.\n"


def person(house: House, name: str) -> Persona:
    return next(p for p in everyone(house.bench.library) if p.name == name)


def units(house: House, *names: str) -> list[str]:
    """Return the text of every unit of memory in use of these personas."""
    return [
        entry.title
        for each in everyone(house.bench.library)
        if each.name in names and not each.archived
        for source in each.sources
        for entry in source.entries
        if entry.status is Status.ACTIVE
    ]


def test_the_memory_goes_unchanged_under_a_heading_and_its_owner_into_the_archive(
    tmp_path: Path,
) -> None:
    theirs = "- x\n\n## 2026-05-04\n* odd\tmarker\n  more\n"
    house = House(tmp_path, home={f"{CARLOS}/main.md": theirs, f"{MAYA}/main.md": "- m"})

    change = house.does("persona.merge", persona="carlos", into="Maya")

    today = house.bench.clock.today().isoformat()
    merged = (house.home / MAYA / "main.md").read_text()
    assert merged == f"- m\n\n## From Carlos ({today})\n\n{theirs}"
    assert change.receipt == "units 3 = 1 of Maya + 2 of Carlos · 0 lost, 0 added"
    assert (house.living(), house.archived()) == (["Maya"], ["Carlos"])
    (kept,) = (house.home / AGENTS / ".archived").glob("Carlos-*/memories/acme/main.md")
    assert kept.read_text() == theirs
    assert not (house.home / AGENTS / "Carlos").exists()


def test_each_unit_is_named_where_it_stands_now(tmp_path: Path) -> None:
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n- b\n", f"{MAYA}/main.md": "- m\n"})
    leaving = {e.ref for s in person(house, "Carlos").sources for e in s.entries}

    before = house.bench.library
    change = house.does("persona.merge", persona="Carlos", into="Maya")

    library = house.bench.library
    assert {library.entry(change.touched[ref] or ref).title for ref in leaving} == {"a", "b"}
    assert_names_all(before, library, change)


def test_undoing_a_merge_gives_back_the_whole_tree(tmp_path: Path) -> None:
    files = {**SQUAD, ".squad/agents/vega/history.md": "# Vega\n\n- v\n"}
    house = House(tmp_path, root=files)
    before = house.tree()
    house.does("persona.merge", persona="Hill", into="vega")
    merged = units(house, "vega")

    house.bench.undo()

    assert merged == ["v", "a", "b"]
    assert house.tree() == before


@pytest.mark.parametrize("broken", ["hill", "vega"])
@pytest.mark.parametrize(
    ("line", "said"),
    [(b"- b \0 c", "holds a NUL byte (line 3)"), (b"- caf\xe9", "is not UTF-8 (line 3)")],
)
def test_a_memory_that_is_no_text_says_so_and_is_merged_neither_way(
    tmp_path: Path, broken: str, line: bytes, said: str
) -> None:
    files: dict[str, str | bytes] = {**SQUAD, ".squad/agents/vega/history.md": "# Vega\n\n- v\n"}
    files[f".squad/agents/{broken}/history.md"] = b"# X\n\n%s\n- d\n" % line
    house = House(tmp_path, root=files)
    before = house.tree()

    with pytest.raises(NotPossible) as refused:
        house.does("persona.merge", persona="Hill", into="vega")

    assert str(refused.value) == f"`{broken}/history.md` {said}"
    assert house.tree() == before


def test_projects_and_topics_go_each_to_its_own_file(tmp_path: Path) -> None:
    other = f"{AGENTS}/Carlos/memories/other"
    house = House(
        tmp_path,
        home={
            f"{CARLOS}/main.md": "- a\n",
            f"{other}/main.md": "- o\n",
            f"{MAYA}/working.md": "- m\n",
            ".claude/agent-memory/carlos/MEMORY.md": "- c\n",
            ".claude/agent-memory/carlos/deep/topic.md": "- t\n",
            ".claude/agent-memory/Maya/MEMORY.md": "- n\n",
        },
    )

    change = house.does("persona.merge", persona="Carlos", into="Maya")

    assert change.receipt == "units 6 = 2 of Maya + 4 of Carlos · 0 lost, 0 added"
    assert "- a\n" in (house.home / MAYA / "working.md").read_text()
    assert "- o\n" in (house.home / AGENTS / "Maya/memories/other/main.md").read_text()
    topic = house.home / ".claude/agent-memory/Maya/deep/topic.md"
    assert "- t\n" in topic.read_text()


def test_into_somebody_of_another_tool_all_goes_to_the_end_of_the_one_memory(
    tmp_path: Path,
) -> None:
    maya = ".claude/agent-memory/Maya/MEMORY.md"
    house = House(tmp_path, root={**SQUAD, maya: "- m\n"}, home={f"{CARLOS}/main.md": "- c\n"})

    house.does("persona.merge", persona="Hill", into="Maya")
    house.does("persona.merge", persona="Carlos", into="Maya")

    text = (house.root / maya).read_text()
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        *("- m", "- a", "- b", "- c"),
    ]
    assert (house.living(), house.archived()) == (["Maya"], ["Carlos", "Fury", "hill"])


def test_two_places_that_could_take_a_memory_are_not_guessed_between(tmp_path: Path) -> None:
    house = House(
        tmp_path,
        root={**SQUAD, ".claude/agent-memory/Maya/MEMORY.md": "- m\n"},
        home={f"{MAYA}/main.md": "- m\n"},
    )

    with pytest.raises(NotPossible, match="has nothing in `squad`, but in"):
        house.does("persona.merge", persona="Hill", into="Maya")


def test_archived_units_stay_archived_and_are_told(tmp_path: Path) -> None:
    house = House(
        tmp_path,
        home={
            f"{CARLOS}/main.md": "- a\n",
            f"{CARLOS}/archive.md": "- old\n",
            f"{MAYA}/main.md": "- m\n",
        },
    )

    change = house.does("persona.merge", persona="Carlos", into="Maya")

    assert "1 archived unit of `Carlos` stay archived" in change.notes
    assert units(house, "Maya") == ["m", "a"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        pytest.param({"persona": "Carlos", "into": "carlos"}, NotPossible, "is one", id="itself"),
        pytest.param(
            {"persona": "Dana", "into": "Maya"}, UnknownRef, "no persona", id="no persona"
        ),
        pytest.param({"persona": "Carlos", "into": "Dana"}, UnknownRef, "`Dana`", id="into nobody"),
        pytest.param({"persona": "Empty", "into": "Maya"}, NotPossible, "no memory", id="empty"),
        pytest.param(
            {"persona": "Carlos", "into": "Noor"},
            NotPossible,
            "no memory to merge into",
            id="listed",
        ),
        pytest.param(
            {"persona": "Carlos", "into": "Broken"}, NotPossible, "is not UTF-8", id="bytes"
        ),
        pytest.param({"persona": "Carlos", "into": "Open"}, Refused, "would be parsed", id="fence"),
    ],
)
def test_what_cannot_be_merged_writes_nothing(
    tmp_path: Path, arguments: dict[str, str], error: type[RememError], message: str
) -> None:
    house = House(
        tmp_path,
        home={
            f"{CARLOS}/main.md": "- a\n",
            f"{MAYA}/main.md": "- m\n",
            f"{AGENTS}/Empty/memories/acme/main.md": "# Title only\n",
            f"{AGENTS}/Broken/memories/acme/main.md": b"- \xff\n",
            f"{AGENTS}/Open/memories/acme/main.md": "- m\n\n```sh\nopen\n",
        },
        root={".squad/team.md": "| Name | Role |\n|---|---|\n| Noor | Core |\n"},
    )
    before = house.tree()

    with pytest.raises(error, match=message):
        house.does("persona.merge", **arguments)

    assert house.tree() == before


def test_eleven_personas_merged_into_one_have_every_unit_that_they_had(tmp_path: Path) -> None:
    sections = (
        "- one {n}\n  wrapped\n",
        "\n## 2026-0{m}-1{m}\n\n| a | b |\n|---|---|\n| {n} | x |\n",
        "\nProse of {n}.\n\n```\n- no unit {n}\n```\n",
        "\n### Undated {n}\n1. first\n2. second\n",
    )
    files = {
        f"{AGENTS}/P{n:02}/memories/acme/main.md": "".join(
            part.format(n=n, m=n % 9 + 1) for part in sections[: n % 4 + 1]
        )
        for n in range(1, 12)
    }
    house = House(tmp_path, home=files)
    names = [f"P{n:02}" for n in range(1, 12)]
    before = sorted(units(house, *names))

    receipts = [house.does("persona.merge", persona=name, into="P01").receipt for name in names[1:]]

    assert sorted(units(house, "P01")) == before
    assert all("0 lost, 0 added" in receipt for receipt in receipts)
    assert receipts[-1].startswith(f"units {len(before)} = ")


LINES = st.lists(
    st.sampled_from(
        ["- tea", "* bell", "words", "  - nested", "", "### 2026-05-01", "# Top", "1. first", "```",
         "---", "- long\n  lines", "| a |\n|---|", "\u2028- odd"]
    ),
    max_size=9,
).map("\n".join)  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]))
def test_a_merge_keeps_every_unit_in_its_order_or_writes_nothing(
    tmp_path_factory: pytest.TempPathFactory, leaving: str, staying: str, newline: str
) -> None:
    home = {
        f"{CARLOS}/main.md": leaving.replace("\n", newline).encode(),
        f"{MAYA}/main.md": staying.encode(),
    }
    house = House(tmp_path_factory.mktemp("house"), home=home)
    before, said = house.tree(), [*units(house, "Maya"), *units(house, "Carlos")]

    try:
        house.does("persona.merge", persona="Carlos", into="Maya")
    except (NotPossible, Refused):
        assert house.tree() == before
    else:
        assert units(house, "Maya") == said
        assert (house.home / MAYA / "main.md").read_bytes().startswith(staying.encode())
        house.bench.undo()
        assert house.tree() == before
    house.bench.close()


def two_places(at: Path) -> House:
    """Return a house in which an agent has memory in the project and in the home folder."""
    return House(
        at,
        root={f"{AGENT}/MEMORY.md": "- a\n- both\n", ".claude/agents/scribe.md": DEFINITION},
        home={f"{AGENT}/MEMORY.md": "- Both.\n- u\n- both\n"},
    )


def test_two_places_of_a_name_are_listed_together_with_what_differs(tmp_path: Path) -> None:
    scribe = person(two_places(tmp_path), "scribe")

    one, other = places_of(scribe)
    told = difference(scribe, one, other)

    assert (one.name, other.name) == ("claude-project", "claude-user")
    assert [(a.title, b.title) for a, b in told.both] == [("both", "Both.")]
    assert [entry.title for entry in told.only_one] == ["a"]
    assert [entry.title for entry in told.only_other] == ["both", "u"]


def test_merging_places_archives_the_one_that_went_and_is_undone_whole(tmp_path: Path) -> None:
    house = two_places(tmp_path)
    before = house.tree()

    library = house.bench.library
    change = house.does(
        "persona.merge", persona="scribe", **{"from": "claude-project", "to": "claude-user"}
    )
    assert_names_all(library, house.bench.library, change)
    text = (house.home / AGENT / "MEMORY.md").read_text()
    used = [where.name for where in places_of(person(house, "scribe"))]
    house.bench.undo()

    today = house.bench.clock.today().isoformat()
    assert text == f"- Both.\n- u\n- both\n\n## From claude-project ({today})\n\n- a\n- both\n"
    assert change.receipt == "units 5 = 3 of claude-user + 2 of claude-project · 0 lost, 0 added"
    assert used == ["claude-user"]
    assert house.tree() == before


def test_moving_to_another_scope_lets_the_definition_load_it_there(tmp_path: Path) -> None:
    house = two_places(tmp_path)
    (house.root / AGENT / "MEMORY.md").unlink()
    (house.root / AGENT).rmdir()
    house.bench.refresh()

    change = house.does(
        "persona.move", persona="scribe", **{"from": "claude-user", "to": "claude-project"}
    )

    assert (house.root / AGENT / "MEMORY.md").read_text() == "- Both.\n- u\n- both\n"
    assert not (house.home / AGENT).exists()
    definition = (house.root / ".claude/agents/scribe.md").read_text()
    assert definition == DEFINITION.replace("memory: user", "memory: project")
    assert change.receipt == "1 file, 3 units = 3 in claude-project · 0 lost, 0 added"
    assert all(house.bench.library.has(ref) for ref in change.touched.values() if ref)


def test_a_memory_follows_its_project_to_another_name_of_the_folder(tmp_path: Path) -> None:
    house = House(
        tmp_path,
        home={
            f"{AGENTS}/Carlos/memories/old/main.md": "- a\n",
            f"{AGENTS}/Carlos/persona.yaml": "name: Carlos\n",
        },
    )

    before = house.bench.library
    change = house.does(
        "persona.move", persona="Carlos", **{"from": "night-watch/old", "to": "night-watch"}
    )

    assert (house.home / CARLOS / "main.md").read_text() == "- a\n"
    assert not (house.home / AGENTS / "Carlos/memories/old").exists()
    assert_names_all(before, house.bench.library, change)


def test_of_two_projects_only_the_one_that_is_merged_goes_into_the_archive(tmp_path: Path) -> None:
    other = f"{AGENTS}/Carlos/memories/other"
    house = House(tmp_path, home={f"{CARLOS}/main.md": "- a\n", f"{other}/main.md": "- o\n"})
    tree, library = house.tree(), house.bench.library

    places = {"from": "night-watch/other", "to": "night-watch/acme"}
    change = house.does("persona.merge", persona="Carlos", **places)
    assert_names_all(library, house.bench.library, change)
    (kept,) = (house.home / AGENTS / ".archived").glob("Carlos-*/memories/other/main.md")
    gone = not (house.home / other).exists()
    house.bench.undo()

    assert gone
    assert not kept.exists()
    assert house.tree() == tree


def test_of_a_squad_member_only_the_memory_moves_to_another_tool(tmp_path: Path) -> None:
    house = House(tmp_path, root=SQUAD)
    before = house.tree()

    house.does("persona.move", persona="Hill", **{"from": "squad", "to": "claude-project"})
    moved = house.tree()
    house.bench.undo()

    gone = {path.removeprefix(f"{house.root}/") for path in before.keys() - moved.keys()}
    assert gone == {".squad/agents/hill/history.md"}
    assert moved[str(house.root / ".claude/agent-memory/hill/MEMORY.md")].endswith(b"- a\n- b\n")
    assert house.tree() == before


@pytest.mark.parametrize(
    ("verb", "one", "other", "message"),
    [
        pytest.param("move", "claude-project", "claude-user", "has a memory in", id="taken"),
        pytest.param("merge", "claude-project", "squad", "no memory in `squad`", id="none there"),
        pytest.param("merge", "claude-local", "claude-user", "no memory in", id="nothing here"),
        pytest.param("merge", "claude-user", "nowhere", "no memory in `nowhere`", id="no place"),
        pytest.param("move", "claude-user", "claude-user", "is one place", id="same"),
    ],
)
def test_places_that_cannot_be_joined_are_said_so(
    tmp_path: Path, verb: str, one: str, other: str, message: str
) -> None:
    house = two_places(tmp_path)
    before = house.tree()

    with pytest.raises(RememError, match=message):
        house.does(f"persona.{verb}", persona="scribe", **{"from": one, "to": other})

    assert house.tree() == before


def test_another_repository_of_the_same_name_is_told_to_share_a_memory(tmp_path: Path) -> None:
    house = House(tmp_path / "one", home={f"{CARLOS}/main.md": "- a\n"})
    twin = tmp_path / "two/acme"
    twin.mkdir(parents=True)
    other = Session.open(twin, house.bench.places, door="cli")
    other.apply(Intent("init"))
    other.close()

    (told,) = shared_places(person(house, "Carlos"), house.bench.past.namesakes())

    assert told == (f"`night-watch/acme` is shared by name: it is also the memory of `{twin}`")
