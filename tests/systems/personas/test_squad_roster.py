"""Which table of `team.md` is the roster, and that nothing is written where there is no row."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.errors import NotPossible, Refused
from remem.model.change import Splice
from remem.systems.personas.team.people import everyone
from remem.systems.personas.team.squad import roster, slug

TEAM = """\
# Harbour team

> The ones who count the boats.

## Coordinator

| Name | Role | Notes |
|------|------|-------|
| Squad | Coordinator | Routes work |

## Members

| Name | Role | Charter | Status |
|------|------|---------|--------|
| Hill | Core | `.squad/agents/hill/charter.md` | ✅ Active |
| Ralph | Work Monitor | — | 🔄 Monitor |

## Coding Agent

| Name | Role | Charter | Status |
|------|------|---------|--------|
| @copilot | Coding Agent | — | 🤖 Coding Agent |
"""
FILES = {
    ".squad/agents/hill/history.md": "# Hill — History\n\n- a\n",
    ".squad/agents/hill/charter.md": "# Hill — Core\n\n## Boundaries\n",
}
HILL = "| Hill | Core | `.squad/agents/hill/charter.md` | ✅ Active |"


def house(at: Path, team: str = TEAM, more: Mapping[str, str] | None = None) -> House:
    return House(at, root={**FILES, ".squad/team.md": team, **(more or {})})


def team_of(of: House) -> str:
    return (of.root / ".squad/team.md").read_text()


@pytest.mark.parametrize(
    ("team", "names"),
    [
        pytest.param(TEAM, ["Hill", "Ralph"], id="below-members"),
        pytest.param(TEAM.replace("\n", "\r\n"), ["Hill", "Ralph"], id="with-crlf"),
        pytest.param(TEAM.replace("## Members", "## Crew"), ["Hill", "Ralph"], id="with-charters"),
        pytest.param("| Name | Role |\n|--|--|\n| Hill | Core |\n", ["Hill"], id="the-only-one"),
        pytest.param(TEAM.partition("## Members")[0], [], id="the-coordinators-alone"),
        pytest.param(
            TEAM.partition("| Name | Role | Charter")[0] + "\nNobody yet.\n\n## Coding Agent\n\n"
            "| Name | Role | Charter |\n|--|--|--|\n| @copilot | Coding Agent | — |\n",
            [],
            id="members-without-a-table",
        ),
        pytest.param(f"```md\n{TEAM}```\n", [], id="an-example-in-a-fence"),
    ],
)
def test_the_roster_is_the_table_of_members_and_never_the_coordinators(
    team: str, names: list[str]
) -> None:
    assert [member.name for member in roster(team.encode())] == names


def test_neither_the_coordinator_nor_the_coding_agent_is_a_persona(tmp_path: Path) -> None:
    assert house(tmp_path).living() == ["Hill", "Ralph"]


def test_a_rename_writes_the_row_of_the_members_and_nothing_else_of_the_team(
    tmp_path: Path,
) -> None:
    of = house(tmp_path)

    of.does("persona.rename", persona="Hill", to="vega")

    row = "| vega | Core | `.squad/agents/vega/charter.md` | ✅ Active |"
    assert team_of(of) == TEAM.replace(HILL, row)


@pytest.mark.parametrize(
    ("cell", "after"),
    [
        ("[Hill](https://example.org/Hill)", "[vega](https://example.org/Hill)"),
        ("**Hill**", "**vega**"),
        ("**[Hill](hill.md)**", "**[vega](hill.md)**"),
        ("`Hill`", "`vega`"),
    ],
)
def test_a_name_that_is_a_link_or_bold_on_the_roster_is_nobody_else_and_stays_so(
    cell: str, after: str, tmp_path: Path
) -> None:
    of = house(tmp_path, TEAM.replace("| Hill |", f"| {cell} |"))

    assert of.living() == ["Hill", "Ralph"]
    of.does("persona.rename", persona="Hill", to="vega")

    row = f"| {after} | Core | `.squad/agents/vega/charter.md` | ✅ Active |"
    assert team_of(of) == TEAM.replace(HILL, row)


@pytest.mark.parametrize(
    ("team", "away"),
    [
        pytest.param(TEAM, "Retired (was ✅ Active)", id="the-only-active-one"),
        pytest.param(
            TEAM.replace(HILL, HILL.replace("✅ Active", "🔄 Monitor")),
            "Retired (was 🔄 Monitor)",
            id="own-words",
        ),
        pytest.param(TEAM.replace("🔄 Monitor", "✅ Active"), "Retired", id="the-plain-word"),
    ],
)
def test_an_archived_member_is_retired_on_the_roster_and_comes_back_with_their_own_status(
    tmp_path: Path, team: str, away: str
) -> None:
    of = house(tmp_path, team)

    of.does("persona.archive", persona="Hill")
    retired = team_of(of)
    of.does("persona.restore", persona="hill")

    assert f"| Hill | Core | `.squad/agents/_alumni/hill/charter.md` | {away} |" in retired
    assert team_of(of) == team


def test_who_was_retired_without_a_word_of_their_own_does_not_get_that_of_somebody_else(
    tmp_path: Path,
) -> None:
    of = house(tmp_path)
    of.does("persona.archive", persona="Hill")
    roster = of.root / ".squad/team.md"
    roster.write_text(team_of(of).replace("Retired (was ✅ Active)", "🚫 Inactive"))

    of.does("persona.restore", persona="hill")

    assert team_of(of) == TEAM.replace(HILL, HILL.replace("✅ Active", "Active"))


def test_a_newcomer_gets_a_row_among_the_members(tmp_path: Path) -> None:
    of = house(tmp_path)

    of.does("persona.new", persona="vega", role="Tester")

    row = "| vega | Tester | `.squad/agents/vega/charter.md` | ✅ Active |\n"
    assert team_of(of) == TEAM.replace("🔄 Monitor |\n", f"🔄 Monitor |\n{row}")


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        pytest.param("persona.rename", {"persona": "Hill", "to": "vega"}, id="rename"),
        pytest.param("persona.archive", {"persona": "Hill"}, id="archive"),
    ],
)
def test_who_has_no_row_is_neither_renamed_nor_archived_and_nothing_is_written(
    tmp_path: Path, verb: str, arguments: dict[str, str]
) -> None:
    of = house(tmp_path, TEAM.replace(f"{HILL}\n", ""))
    before = of.tree()

    with pytest.raises(Refused, match="has no row of `hill`"):
        of.does(verb, **arguments)

    assert of.tree() == before


def test_a_folder_that_no_list_and_no_charter_knows_leaves_the_roster_as_it_is(
    tmp_path: Path,
) -> None:
    of = house(tmp_path, more={".squad/agents/stray/history.md": "# Stray\n\n- a\n"})
    before = of.tree()

    archived = of.does("persona.archive", persona="stray")
    of.does("persona.restore", persona="stray")
    restored = of.tree()
    of.does("persona.rename", persona="stray", to="Vega")

    assert "`team.md` does not list `stray`, and stays as it is" in archived.notes
    assert restored == before
    assert team_of(of) == TEAM
    assert (of.root / ".squad/agents/vega/history.md").is_file()


def test_the_coordinators_notes_are_read_and_nobodys_persona(tmp_path: Path) -> None:
    notes = {".squad/agents/coordinator/history.md": "# Coordinator\n\n- Clean before a build\n"}
    of = house(tmp_path, more=notes)
    before = of.tree()

    assert of.living() == ["Hill", "Ralph"]
    assert "Clean before a build" in [e.title for s in of.bench.library.sources for e in s.entries]
    for verb, more in (("persona.archive", {}), ("persona.rename", {"to": "Vega"})):
        with pytest.raises(NotPossible, match="the team's coordinator"):
            of.does(verb, persona="coordinator", **more)
    assert of.tree() == before


def test_a_coordinator_with_a_charter_is_a_persona_like_any_other(tmp_path: Path) -> None:
    folder = ".squad/agents/coordinator"
    more = {f"{folder}/charter.md": "# Coordinator — Lead\n", f"{folder}/history.md": "- a\n"}
    of = house(tmp_path, more=more)

    assert of.living() == ["coordinator", "Hill", "Ralph"]


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        pytest.param("persona.rename", {"persona": "Hill", "to": "vega"}, id="rename"),
        pytest.param("persona.archive", {"persona": "Hill"}, id="archive"),
        pytest.param("persona.restore", {"persona": "fury"}, id="restore"),
        pytest.param("persona.new", {"persona": "vega", "role": "Tester"}, id="new"),
    ],
)
def test_a_team_without_a_table_of_members_is_left_as_it_is_with_the_reason(
    tmp_path: Path, verb: str, arguments: dict[str, str]
) -> None:
    gone = {".squad/agents/_alumni/fury/history.md": "# Fury — History\n\n- a\n"}
    of = house(tmp_path, TEAM.partition("## Members")[0], gone)
    before = of.tree()

    with pytest.raises(Refused, match="has no table of members"):
        of.does(verb, **arguments)

    assert of.tree() == before


CELL = st.text(
    st.characters(blacklist_characters="|\r\n`#~", blacklist_categories=["Cs"]), min_size=1
)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=4))
def test_rows_of_the_coordinators_table_never_change_who_is_on_the_team(
    rows: list[tuple[str, str]],
) -> None:
    text = "".join(f"| {' '.join(a.split())} | {' '.join(b.split())} | x |\n" for a, b in rows)
    team = TEAM.replace("| Squad | Coordinator | Routes work |\n", text)

    assert [m.name for m in roster(team.encode())] == ["Hill", "Ralph"]


def test_folder_and_key_are_kebab_whatever_the_name_and_the_old_name_is_kept(
    tmp_path: Path,
) -> None:
    registry = '{"agents": {\n  "hill": {"persistent_name": "Hill", "status": "active"}\n}}\n'
    of = house(tmp_path, more={".squad/casting/registry.json": registry})

    of.does("persona.rename", persona="Hill", to="Maria Hill")
    of.does("persona.new", persona="Zed Two", role="Tester")

    after = json.loads((of.root / ".squad/casting/registry.json").read_text())["agents"]
    assert after["maria-hill"]["persistent_name"] == "Maria Hill"
    assert after["maria-hill"]["previous_name"] == "Hill"
    assert sorted(after) == ["maria-hill", "zed-two"]
    names = sorted(path.name for path in (of.root / ".squad/agents").iterdir())
    assert names == ["maria-hill", "zed-two"]
    assert "| Zed Two | Tester | `.squad/agents/zed-two/charter.md` |" in team_of(of)
    assert of.living() == ["Maria Hill", "Ralph", "Zed Two"]


@pytest.mark.parametrize("name", ["Ralph", "RALPH", "Ｒalph"])
def test_a_name_that_only_the_roster_has_is_taken_in_any_form(name: str, tmp_path: Path) -> None:
    of = house(tmp_path)
    before = of.tree()

    with pytest.raises(NotPossible, match="`Ralph` is taken"):
        of.does("persona.rename", persona="Hill", to=name)

    assert of.tree() == before


def test_the_name_of_who_is_inactive_on_the_roster_is_taken(tmp_path: Path) -> None:
    of = house(tmp_path)
    path = of.root / ".squad/team.md"
    path.write_text(
        path.read_text().replace("| Ralph |", "| Rogers | Gone | — | 🚫 Inactive |\n| Ralph |")
    )
    of.bench.refresh()
    before = of.tree()

    with pytest.raises(NotPossible, match="`Rogers` is taken in team"):
        of.does("persona.rename", persona="Hill", to="Rogers")

    assert of.tree() == before


@pytest.mark.parametrize("state", ["🚫 Inactive", "🔄 Monitor"])
def test_who_had_a_row_alone_and_gets_a_folder_has_the_charter_in_the_row(
    tmp_path: Path, state: str
) -> None:
    of = house(tmp_path)
    path = of.root / ".squad/team.md"
    path.write_text(
        path.read_text().replace("| Ralph |", f"| Rogers | Gone | — | {state} |\n| Ralph |")
    )
    of.bench.refresh()
    before = of.tree()

    of.does("persona.new", persona="Rogers", role="Tester")

    assert (of.root / ".squad/agents/rogers/charter.md").exists()
    told = "✅ Active" if "Inactive" in state else state
    assert f"| Rogers | Gone | `.squad/agents/rogers/charter.md` | {told} |\n" in team_of(of)
    of.bench.undo()
    assert of.tree() == before


def test_a_newcomers_charter_is_written_as_most_rows_write_theirs(tmp_path: Path) -> None:
    of = house(tmp_path)
    path = of.root / ".squad/team.md"
    path.write_text(path.read_text().replace("`", ""))
    of.bench.refresh()

    of.does("persona.new", persona="Zed", role="Tester")

    assert "| Zed | Tester | .squad/agents/zed/charter.md |" in team_of(of)


def test_one_file_that_names_who_is_gone_is_rewritten_where_that_is_asked_for(
    tmp_path: Path,
) -> None:
    of = house(tmp_path, more={"docs/team.md": "Hill builds.\n", "NOTES.md": "Hill sails.\n"})

    of.does("persona.rename", persona="Hill", to="Vega", files=["docs/team.md"])

    assert (of.root / "docs/team.md").read_text() == "Vega builds.\n"
    assert (of.root / "NOTES.md").read_text() == "Hill sails.\n"


def test_work_that_nobody_is_left_for_is_told(tmp_path: Path) -> None:
    routing = "| Work | Agent |\n|--|--|\n| Ports | Hill 🔧 |\n| Tests | Ralph, Hill |\n"
    of = house(tmp_path, more={".squad/routing.md": routing})

    change = of.does("persona.archive", persona="Hill")

    after = "| Work | Agent |\n|--|--|\n| Ports | — |\n| Tests | Ralph |\n"
    assert (of.root / ".squad/routing.md").read_text() == after
    assert "`.squad/routing.md` now has no owner for Ports" in change.notes
    assert change.title == "Archive Hill to .squad/agents/_alumni/hill"


def test_who_is_restored_is_told_which_work_still_has_no_owner(tmp_path: Path) -> None:
    routing = "| Work | Agent |\n|--|--|\n| Ports | Hill 🔧 |\n| Tests | Ralph |\n"
    of = house(tmp_path, more={".squad/routing.md": routing})
    of.does("persona.archive", persona="Hill")

    change = of.does("persona.restore", persona="Hill")

    owned = [note for note in change.notes if "no owner" in note]
    told = "`.squad/routing.md` has no owner for Ports: write `Hill` there if it is theirs"
    assert [note.replace("`hill`", "`Hill`") for note in owned] == [told]


def test_work_that_has_an_owner_and_nobody_to_stand_in_is_called_owned(tmp_path: Path) -> None:
    routing = (
        "| Work | Primary | Secondary |\n|--|--|--|\n| Ports | Ralph | — |\n"
        "| Tests | Ralph | Hill |\n| Boats | Hill | — |\n"
    )
    of = house(tmp_path, more={".squad/routing.md": routing})
    gone = of.does("persona.archive", persona="Hill")
    back = of.does("persona.restore", persona="Hill")

    for change in (gone, back):
        (told,) = [note for note in change.notes if "no owner" in note]
        assert "no owner for Boats" in told


def test_a_rename_leaves_nothing_that_points_at_the_old_name_and_no_false_file_name(
    tmp_path: Path,
) -> None:
    registry = {
        "agents": {
            "hill": {"persistent_name": "Hill", "status": "active"},
            "olga": {"persistent_name": "Olga", "status": "retired", "succeeded_by": "hill"},
        }
    }
    more = {
        ".squad/casting/registry.json": json.dumps(registry, indent=2),
        ".squad/agents/hill/charter.md": "# Hill — Core\n\n## Boundaries\n\n"
        "- Write to `.squad/decisions/inbox/hill-{slug}.md`.\n"
        "- Told in `.squad/decisions/inbox/hill-storm.md` and `docs/Hill.md`.\n",
        ".squad/decisions/inbox/dunlin-berths.md": "### 2026-05-04: Berths\n\nHill owns them.\n",
        "docs/Hill.md": "A hill.\n",
    }  # fmt: skip
    of = house(tmp_path, more=more)

    change = of.does("persona.rename", persona="Hill", to="Vega", references=True)

    agents = json.loads((of.root / ".squad/casting/registry.json").read_text())["agents"]
    assert agents["olga"]["succeeded_by"] == "vega"
    charter = (of.root / ".squad/agents/vega/charter.md").read_text()
    assert "inbox/vega-{slug}.md" in charter
    assert "Told in `.squad/decisions/inbox/hill-storm.md` and `docs/Hill.md`." in charter
    waiting = (of.root / ".squad/decisions/inbox/dunlin-berths.md").read_text()
    assert waiting == "### 2026-05-04: Berths\n\nVega owns them.\n"
    written = {each.path for each in change.effects if isinstance(each, Splice)}
    assert any(f" of {len(written)} files follow: " in note for note in change.notes)


def test_a_decision_that_waits_is_among_what_goes_on_naming_who_was_renamed(tmp_path: Path) -> None:
    berths = "### 2026-05-04: Berths\n\nHill owns them.\n"
    of = house(tmp_path, more={".squad/decisions/inbox/dunlin-berths.md": berths})

    change = of.does("persona.rename", persona="Hill", to="Vega")

    assert any("dunlin-berths.md` line 3: Hill owns them." in note for note in change.notes)
    assert (of.root / ".squad/decisions/inbox/dunlin-berths.md").read_text() == berths


def test_an_older_roster_is_the_table_below_team_roster() -> None:
    data = (
        b"# Team\n\n## Team Roster\n\n| Name | Role |\n|--|--|\n| Hill | Core |\n\n"
        b"## Coding Agent\n\n| Name | Role | Charter | Status |\n|--|--|--|--|\n"
        b"| @copilot | Bot | x | Active |\n"
    )
    assert [member.name for member in roster(data)] == ["Hill"]


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Steve Rogers", "steve-rogers"),
        ("Tony Stark (Iron Man)", "tony-stark-iron-man"),
        ("J.R. Tolkien", "j-r-tolkien"),
        ("Thor", "thor"),
        ("李雷", "李雷"),
    ],
)
def test_a_folder_is_called_as_squad_slugs_names(name: str, folder: str) -> None:
    assert slug(name) == folder


SETTINGS = '{"version": 1, "agentModelOverrides": {"hill": "opus", "fury": "haiku"}}\n'


def test_settings_by_agent_and_whose_inbox_it_is_follow_a_new_name(tmp_path: Path) -> None:
    charter = "# Hill — Core\n\nWrite to `.squad/decisions/inbox/hill-{slug}.md`.\n"
    more = {".squad/config.json": SETTINGS, ".squad/agents/hill/charter.md": charter}
    of = house(tmp_path, more=more)

    of.does("persona.rename", persona="Hill", to="Vega Two")

    assert (of.root / ".squad/config.json").read_text() == SETTINGS.replace('"hill"', '"vega-two"')
    moved = (of.root / ".squad/agents/vega-two/charter.md").read_text()
    assert moved == charter.replace("# Hill", "# Vega Two").replace("/hill-", "/vega-two-")


def test_a_setting_that_is_for_nobody_after_an_archive_is_told_and_stays(tmp_path: Path) -> None:
    of = house(tmp_path, more={".squad/config.json": SETTINGS})

    change = of.does("persona.archive", persona="Hill")

    assert any("`hill` in `agentModelOverrides`" in note for note in change.notes)
    assert (of.root / ".squad/config.json").read_text() == SETTINGS


@pytest.mark.parametrize(
    ("settings", "is_told"),
    [
        ('{"stateBackend": "two-layer"}', True),
        ('{"stateBackend": "local"}', False),
        ('{"stateLocation": "external"}', True),
        ('{"version": 1, "teamRoot": "../team"}', True),
        ("no json", False),
    ],
)
def test_a_team_that_keeps_its_memory_elsewhere_is_told(
    settings: str, is_told: bool, tmp_path: Path
) -> None:
    of = house(tmp_path, more={".squad/config.json": settings})
    codes = [problem.code for source in of.bench.library.sources for problem in source.problems]
    assert ("kept-elsewhere" in codes) is is_told


def test_who_is_inactive_on_the_roster_and_has_a_memory_is_in_use_and_called_inactive(
    tmp_path: Path,
) -> None:
    of = house(tmp_path, TEAM.replace("✅ Active", "🚫 Inactive").replace("🔄 Monitor", "Inactive"))
    found = {each.name: each for each in everyone(of.bench.library)}
    assert (found["Hill"].state, found["Hill"].archived) == ("inactive", False)
    assert (found["Ralph"].state, found["Ralph"].archived) == ("inactive", True)
    of.does("persona.archive", persona="Hill")
    (hill,) = (each for each in everyone(of.bench.library) if each.name.casefold() == "hill")
    assert (hill.state, hill.title) == ("archived", "Core")
