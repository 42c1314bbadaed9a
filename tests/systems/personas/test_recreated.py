"""A folder that an agent makes again under a persona's old name is found and joined to it."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import write

from remem.base.clock import Clock
from remem.base.errors import NotPossible, RememError, UnknownRef
from remem.core.relation.normal_form import norm
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent
from remem.model.done_by_others import Aside, RecreatedFolder
from remem.store.changes.steps import Moved
from remem.systems.personas.moving.recreated import problem_of, recreated_folders

HILL = ".squad/agents/hill"
WOODS = ".squad/agents/woods"
HISTORY = """\
# Hill — History

## Learnings

### 2026-05-01

- Ports are counted twice
- Bells ring at noon
"""
FILES: dict[str, str | bytes] = {
    ".squad/team.md": "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Hill | Tester |\n",
    f"{HILL}/charter.md": "# Hill — Tester\n",
    f"{HILL}/history.md": HISTORY,
}


class Team:
    """A Squad team at a real session, and an agent that goes on writing under old names."""

    def __init__(
        self, at: Path, files: dict[str, str | bytes] | None = None, clock: Clock | None = None
    ) -> None:
        self.root = at / "shop"
        write(self.root, files or FILES)
        (at / "home").mkdir()
        self.bench = Session.open(self.root, Places.of(at / "home"), door="cli", clock=clock)

    def does(self, verb: str, **arguments: str) -> str:
        """Carry out a verb and return its receipt."""
        done = self.bench.apply(Intent(verb, arguments={**arguments}))
        return done.change.receipt

    def writes(self, name: str, text: str | bytes) -> None:
        write(self.root, {name: text})
        self.bench.refresh()

    def found(self) -> tuple[RecreatedFolder, ...]:
        """Look for recreated in what the history has, and put them beside memory."""
        journal = self.bench.journal
        found = recreated_folders(
            self.bench.library,
            journal.standing(self.bench.root),
            lambda change: [
                (s.source, s.target) for s in journal.steps(change) if isinstance(s, Moved)
            ],
        )
        self.bench._library = self.bench.library.with_aside(Aside(recreated=found))
        return found

    def files(self) -> dict[str, bytes]:
        found = (path for path in (self.root / ".squad").rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}

    def lessons(self, folder: str) -> list[str]:
        sources = (s for s in self.bench.library.sources if folder in s.path.parts)
        return [e.title for s in sources for e in s.entries]


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def test_an_agent_that_makes_the_old_name_again_leaves_a_ghost(team: Team) -> None:
    team.does("persona.rename", persona="Hill", to="woods")
    before = team.found()

    team.writes(f"{HILL}/history.md", "## Learnings\n\n- Nets dry in the sun\n")
    (recreated,) = team.found()

    assert before == ()
    assert (recreated.persona, recreated.layout, recreated.archived) == ("hill", "squad", False)
    assert (recreated.old, recreated.new) == (team.root / HILL, team.root / WOODS)
    assert problem_of(recreated).message == (
        "`hill` was renamed to `woods`, but an agent recreated it in `squad`"
    )


def test_merging_a_ghost_adds_what_is_new_and_takes_the_ghost_away(team: Team) -> None:
    team.does("persona.rename", persona="Hill", to="woods")
    again = f"{HISTORY}- Nets dry in the sun\n\n### 2026-05-03\n\n- Ropes are checked\n"
    team.writes(f"{HILL}/history.md", again)
    team.writes(f"{HILL}/notes.txt", "tea\n")
    team.found()

    receipt = team.does("persona.absorb", persona="hill")

    assert receipt == "units 4 = 2 in woods/history.md + 2 already there · 0 lost, 0 added"
    history = (team.root / WOODS / "history.md").read_text()
    assert history.split("### 2026-05-01\n\n")[1] == (
        "- Ports are counted twice\n- Bells ring at noon\n- Nets dry in the sun\n\n"
        "### 2026-05-03\n\n- Ropes are checked\n"
    )
    assert (team.root / WOODS / "notes.txt").read_text() == "tea\n"
    assert not (team.root / HILL).exists()
    assert team.found() == ()


def test_a_merge_names_where_each_unit_of_the_ghost_went(team: Team) -> None:
    team.does("persona.rename", persona="Hill", to="woods")
    team.writes(f"{HILL}/history.md", f"{HISTORY}- Nets dry in the sun\n")
    team.found()
    said = {e.ref for s in team.bench.library.sources if HILL in str(s.path) for e in s.entries}

    change = team.bench.apply(Intent("persona.absorb", arguments={"persona": "hill"})).change

    assert set(change.touched) == said
    assert all(ref is not None and team.bench.library.has(ref) for ref in change.touched.values())


def test_undoing_the_merge_gives_the_ghost_back_to_the_byte(team: Team) -> None:
    team.does("persona.rename", persona="Hill", to="woods")
    team.writes(f"{HILL}/history.md", "- Nets dry in the sun\n")
    team.writes(f"{HILL}/deep/topic.md", "- Topics have files\n")
    before = team.files()
    team.found()
    team.does("persona.absorb", persona="hill")

    team.bench.undo()

    assert team.files() == before
    assert [recreated.persona for recreated in team.found()] == ["hill"]


def test_a_ghost_of_an_archived_persona_goes_into_the_archive(team: Team) -> None:
    team.does("persona.archive", persona="Hill")
    team.writes(f"{HILL}/history.md", "## Learnings\n\n- Nets dry in the sun\n")
    (recreated,) = team.found()

    team.does("persona.absorb", persona="Hill")

    assert recreated.archived
    assert "was archived" in problem_of(recreated).message
    assert b"- Nets dry in the sun" in (recreated.new / "history.md").read_bytes()
    assert team.found() == ()


def test_a_name_that_was_given_again_on_purpose_is_no_ghost(team: Team) -> None:
    team.does("persona.rename", persona="Hill", to="woods")
    team.does("persona.new", persona="hill", role="Baker")

    assert team.found() == ()


def test_a_persona_that_was_renamed_twice_or_back_is_found_where_it_lies(team: Team) -> None:
    team.does("persona.rename", persona="Hill", to="woods")
    team.does("persona.rename", persona="woods", to="Lake")
    team.writes(f"{HILL}/history.md", "- Nets dry in the sun\n")
    (recreated,) = team.found()
    team.does("persona.absorb", persona="hill")
    team.does("persona.rename", persona="Lake", to="woods")

    assert recreated.new == team.root / ".squad/agents/lake"
    assert team.found() == ()
    assert "Nets dry in the sun" in team.lessons("woods")


def test_a_renaming_that_was_undone_leaves_no_ghost(team: Team) -> None:
    team.does("persona.rename", persona="Hill", to="woods")

    team.bench.undo()

    assert team.found() == ()


def test_only_a_ghost_can_be_merged_as_one(team: Team) -> None:
    team.found()

    with pytest.raises(NotPossible, match="no recreated folder is called `hill`"):
        team.does("persona.absorb", persona="hill")


def test_a_missing_persona_is_named_and_nothing_is_written(team: Team) -> None:
    before = team.files()

    for verb, told in (("persona.rename", {"to": "Someone"}), ("persona.archive", {})):
        with pytest.raises(UnknownRef, match="no persona is called `Nobody`"):
            team.does(verb, persona="Nobody", **told)

    assert team.files() == before


def test_a_folder_that_went_before_its_key_was_pressed_is_no_harm(team: Team) -> None:
    intent = Intent("persona.archive", arguments={"persona": "Hill"})
    team.bench.plan(intent)
    (team.root / HILL).rename(team.root / "elsewhere")

    team.bench.apply(intent)

    assert not (team.root / ".squad/agents/_alumni").exists()
    assert "Hill" not in (team.root / ".squad/team.md").read_text()
    assert (team.root / "elsewhere/history.md").read_text() == HISTORY


def test_a_target_that_appears_in_the_last_moment_is_not_written_over(tmp_path: Path) -> None:
    def too_late() -> str:
        """Write as the commit asks for its name: the plan stands already."""
        write(tmp_path / "shop", {f"{WOODS}/history.md": "- Woods was here\n"})
        return token_hex()

    team = Team(tmp_path, clock=Clock(new_id=too_late))

    with pytest.raises(NotPossible, match="`woods` is taken in squad"):
        team.does("persona.rename", persona="Hill", to="woods")

    team.bench.close()
    assert (team.root / WOODS / "history.md").read_text() == "- Woods was here\n"
    assert (team.root / HILL / "history.md").read_text() == HISTORY


def test_a_name_that_differs_only_in_its_case_is_taken(team: Team) -> None:
    write(team.root, {".squad/agents/Woods/history.md": "- Woods was here\n"})
    team.bench.refresh()

    with pytest.raises(NotPossible, match="`Woods` is taken in squad"):
        team.does("persona.rename", persona="Hill", to="woods")

    assert (team.root / ".squad/agents/Woods/history.md").read_text() == "- Woods was here\n"
    assert not (team.root / WOODS).exists()


LINES = st.sampled_from(
    ["- Tea is hot", "- Nets dry", "* Bells ring at noon", "Plain words", "  - nested", "",
     "### 2026-05-01", "## Learnings", "### 2026-05-09", "1. first", "```", "- long\n  lines",
     "\u2028- odd"]
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(LINES, max_size=9).map("\n".join), st.lists(LINES, max_size=6).map("\n".join))
def test_whatever_a_ghost_says_is_said_by_the_persona_afterwards_or_nothing_is_written(
    tmp_path_factory: pytest.TempPathFactory, own: str, ghostly: str
) -> None:
    files = {**FILES, f"{HILL}/history.md": own}
    team = Team(tmp_path_factory.mktemp("team"), files)
    team.does("persona.rename", persona="Hill", to="woods")
    team.writes(f"{HILL}/history.md", ghostly)
    if not team.found():
        return
    said = {norm(text) for text in (*team.lessons("woods"), *team.lessons("hill"))}
    before = team.files()

    try:
        team.does("persona.absorb", persona="hill")
    except RememError:
        assert team.files() == before
        return
    finally:
        team.bench.close()

    assert {norm(text) for text in team.lessons("woods")} == said
    assert team.lessons("hill") == []
