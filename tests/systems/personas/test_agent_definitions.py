"""Which files below `.claude/agents` are agents, as Claude Code takes them."""

from pathlib import Path

import pytest
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.errors import NotPossible
from remem.model.change import Json
from remem.systems.personas.claude_agents import SKIPPED
from remem.systems.personas.format import Personas

REVIEWER = "---\nname: reviewer\ndescription: Reviews\n---\nYou review.\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("# About these agents\n", "it has no front matter", id="a-read-me"),
        pytest.param(
            "---\nwrite_scope: [src]\n---\nYou.\n", "no `name` and no `desc", id="neither"
        ),
        pytest.param("---\nname: rev\n---\nYou.\n", "no `description`", id="no-description"),
        pytest.param("---\ndescription: d\n---\nYou.\n", "no `name`", id="no-name"),
        pytest.param("---\nname: ''\ndescription: d\n---\nYou.\n", "no `name`", id="empty-name"),
        pytest.param("---\nname: a\n- b\n---\nYou.\n", "cannot be read", id="not-yaml"),
        pytest.param("---\nname: -rev\ndescription: d\n---\nYou.\n", "starts with `-`", id="dash"),
        pytest.param(
            "---\nname: a:b\ndescription: d\n---\nYou.\n", ": it contains `:`", id="colon"
        ),
    ],
)
def test_a_file_that_claude_code_skips_is_shown_with_the_reason_and_is_no_agent(
    tmp_path: Path, text: str, why: str
) -> None:
    house = House(tmp_path, root={".claude/agents/rev.md": text})

    (source,) = house.bench.library.of_format("persona")

    (problem,) = (each for each in source.problems if each.code == SKIPPED)
    assert why in problem.message
    assert house.living() == []
    assert Personas().role_names(house.bench.library.ground, (source,)) == ()


def test_definitions_are_found_in_every_folder_below_and_are_called_by_their_name(
    tmp_path: Path,
) -> None:
    house = House(
        tmp_path,
        root={
            ".claude/agents/rev.md": REVIEWER,
            ".claude/agents/cloud/aws/x.md": REVIEWER.replace("reviewer", "aws-architect"),
            ".claude/agents/README.md": "# Agents\n",
        },
        home={".claude/agents/own/y.md": REVIEWER.replace("reviewer", "writer")},
    )

    assert house.living() == ["aws-architect", "reviewer", "writer"]


def test_definitions_between_the_root_and_the_top_of_its_checkout_count_too(
    tmp_path: Path,
) -> None:
    agents = tmp_path / ".claude/agents"
    agents.mkdir(parents=True)
    (agents / "rev.md").write_text(REVIEWER)
    house = House(tmp_path, root={"CLAUDE.md": "- a\n"})
    assert house.living() == []  # no checkout, so that nothing above belongs to it
    (tmp_path / ".git").mkdir()

    found = House(tmp_path / "pier", root={"CLAUDE.md": "- a\n"})

    assert found.living() == ["reviewer"]
    assert not any(source.is_writable for source in found.bench.library.of_format("persona"))


@pytest.mark.parametrize(
    ("verb", "told"), [("persona.rename", {"to": "LIESMICH"}), ("persona.archive", {})]
)
def test_a_verb_on_a_file_that_is_no_agent_refuses_with_the_reason(
    tmp_path: Path, verb: str, told: dict[str, Json]
) -> None:
    house = House(tmp_path, root={".claude/agents/README.md": "# Agents\n"})
    before = house.tree()

    with pytest.raises(NotPossible, match="no front matter"):
        house.does(verb, persona="README", **told)

    assert house.tree() == before


def test_a_new_name_follows_into_the_settings_by_which_a_session_begins(tmp_path: Path) -> None:
    settings = '{\n  "agent": "reviewer",\n  "model": "reviewer",\n  "x": "reviewers"\n}\n'
    house = House(
        tmp_path, root={".claude/agents/rev.md": REVIEWER, ".claude/settings.json": settings}
    )

    house.does("persona.rename", persona="reviewer", to="critic")

    after = (house.root / ".claude/settings.json").read_text()
    assert after == settings.replace('"agent": "reviewer",', '"agent": "critic",')


REMEMBERING = REVIEWER.replace("---\nYou", "memory: project\n---\nYou")


def _reads(folder: str) -> dict[str, str]:
    """Return an agent with a name that no folder bears, and memory in a folder."""
    text = REMEMBERING.replace("reviewer", "日本 guide")
    memory = f".claude/agent-memory/{folder}/MEMORY.md"
    return {".claude/agents/guide.md": text, memory: "- know the way\n"}


def test_memory_in_the_folder_that_the_name_of_an_agent_leads_to_is_that_agents(
    tmp_path: Path,
) -> None:
    house = House(tmp_path, root=_reads("---guide"))

    sources = house.bench.library.of_format("persona")

    assert [(source.owner, source.problems) for source in sources] == [("日本 guide", ())] * 2
    assert house.living() == ["日本 guide"]


def test_memory_in_a_folder_of_an_agents_own_name_that_is_not_read_is_told_of(
    tmp_path: Path,
) -> None:
    house = House(tmp_path, root=_reads("日本 guide"))

    (problem,) = (p for s in house.bench.library.of_format("persona") for p in s.problems)

    assert "has its memory in `---guide/`" in problem.message
    assert problem.hint == "rename the folder to `---guide`"


def test_a_new_name_moves_the_memory_to_where_claude_code_looks_for_it(tmp_path: Path) -> None:
    files = {
        ".claude/agents/reviewer.md": REMEMBERING,
        ".claude/agent-memory/reviewer/MEMORY.md": "- keep it small\n",
    }
    house = House(tmp_path, root=files)

    house.does("persona.rename", persona="reviewer", to="Chief Reviewer")

    assert (house.root / ".claude/agent-memory/Chief-Reviewer/MEMORY.md").is_file()
    assert house.living() == ["Chief Reviewer"]
    assert not [p for s in house.bench.library.of_format("persona") for p in s.problems]
