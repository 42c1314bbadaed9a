"""The memory that Gemini CLI keeps of a project below the home folder is found and loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.model.prompt import LeftOut

KEPT = "~/.gemini/tmp/shop-2/memory"
INDEX, NOTE = f"{KEPT}/MEMORY.md", f"{KEPT}/harbour.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path)
    listed = json.dumps({"projects": {str(made.root): "shop-2"}})
    return made.write({"~/.gemini/projects.json": listed, "GEMINI.md": "- Dock.\n"})


def left(repo: Repo) -> list[LeftOut]:
    return [each for each in repo.start("Gemini CLI").left if each.path == repo.path(NOTE)]


def test_the_index_stands_between_a_persons_file_and_the_projects(repo: Repo) -> None:
    repo.write({INDEX: "- Ask the pilot.\n", "~/.gemini/GEMINI.md": "- Be kind.\n"})

    assert repo.start("Gemini CLI").text.split("\n\n") == [
        "- Be kind.",
        "- Ask the pilot.",
        "- Dock.",
    ]


def test_a_note_beside_the_index_is_there_and_is_for_the_agent_to_open(repo: Repo) -> None:
    repo.write({INDEX: "- Ask the pilot.\n", NOTE: "- It silts up.\n"})

    assert [each.why for each in left(repo)] == [
        "the agent opens this file itself when it needs it"
    ]


def test_a_project_of_which_it_keeps_memory_is_one_that_it_is_used_in(repo: Repo) -> None:
    repo.path("GEMINI.md").unlink()
    repo.write({INDEX: "- Ask the pilot.\n"})

    assert [*repo.agents()] == ["Gemini CLI"]


def test_what_it_keeps_of_a_project_is_not_loaded_where_it_is_started_below(repo: Repo) -> None:
    repo.write({INDEX: "- Ask the pilot.\n", "sub/a.py": ""})

    assert "pilot" not in repo.start("Gemini CLI", folder="sub").text


def test_memory_that_comes_while_remem_is_open_counts_at_once(repo: Repo) -> None:
    repo.write({NOTE: "- It silts up.\n"})
    library = repo.library()

    repo.write({INDEX: "- Ask the pilot.\n"})
    library = library.refresh(frozenset({repo.path(INDEX)}))

    assert repo.path(INDEX) in [source.path for source in library.sources]


@pytest.mark.parametrize("said", ["[", "7", '{"projects": 7}', '{"projects": {"/x": "../.."}}'])
def test_a_list_of_projects_that_is_none_names_nothing(repo: Repo, said: str) -> None:
    repo.write({"~/.gemini/projects.json": said, INDEX: "- Ask the pilot.\n"})

    assert "pilot" not in repo.start("Gemini CLI").text
