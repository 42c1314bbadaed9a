"""What tools start with where files are long, commented, linked or oddly placed."""

from pathlib import Path

import pytest
from tests.plain_files import Repo, left


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


@pytest.fixture
def at_home(tmp_path: Path) -> Repo:
    """A root that lies in the home folder, as most do."""
    repo = Repo(tmp_path)
    repo.root = repo.home / "work" / "shop"
    repo.root.mkdir(parents=True)
    return repo


def test_a_persons_own_instructions_come_first_wherever_the_home_folder_lies(at_home: Repo) -> None:
    at_home.write(
        {
            "~/.claude/CLAUDE.md": "- me\n",
            "~/.claude/rules/mine.md": "- my rule\n",
            "~/CLAUDE.md": "- all of my folders\n",
            "CLAUDE.md": "- shop\n",
        }
    )

    start = at_home.start("Claude Code")

    assert start.text == "- me\n\n- my rule\n\n- all of my folders\n\n- shop"


def test_a_persons_own_instructions_are_loaded_from_a_home_folder_inside_the_root(
    repo: Repo,
) -> None:
    repo.home = repo.root / "home" / "ana"
    repo.write({"~/.claude/CLAUDE.md": "- me\n", "CLAUDE.md": "- all\n"})

    start = repo.start("Claude Code")

    assert start.text == "- me\n\n- all"
    assert start.left == ()


def test_a_persons_own_instructions_do_not_keep_agents_md_out(at_home: Repo) -> None:
    at_home.write({"~/.claude/CLAUDE.md": "- me\n", "AGENTS.md": "- shared\n"})

    start = at_home.start("Claude Code")

    assert start.text == "- me\n\n- shared"


def test_codex_goes_no_higher_than_the_checkout_that_it_is_started_in(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- all\n", "web/AGENTS.md": "- web\n"})

    without = repo.start("codex", folder="web")
    (repo.root / ".git").mkdir()
    within = repo.start("codex", folder="web")
    (repo.root / "web/.git").write_text("gitdir: elsewhere\n")
    nested = repo.start("codex", folder="web")

    assert [start.text for start in (without, within, nested)] == [
        "- web",
        "- all\n\n- web",
        "- web",
    ]
    assert "lies above" in left(nested, "AGENTS.md").why
