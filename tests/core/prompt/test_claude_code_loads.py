"""What Claude Code 2.1.330 was seen to load: each test is a folder that it was started in."""

from pathlib import Path

import pytest
from tests.plain_files import SLUG, Repo, layers, left


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def test_agents_md_is_read_with_the_one_in_the_dot_folder_and_with_those_above(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- root\n",
            ".claude/AGENTS.md": "- hidden\n",
            "sub/AGENTS.md": "- sub\n",
            "sub/.claude/AGENTS.md": "- hidden below\n",
        }
    )

    at_root, in_sub = repo.start("Claude Code"), repo.start("Claude Code", folder="sub")

    assert layers(at_root) == ["AGENTS.md", ".claude/AGENTS.md"]
    assert "works on a file in `sub/`" in left(at_root, "sub/AGENTS.md").why
    assert "works on a file in `sub/" in left(at_root, "sub/.claude/AGENTS.md").why
    assert in_sub.text == "- root\n\n- hidden\n\n- sub\n\n- hidden below"


def test_a_claude_md_above_the_working_folder_keeps_every_agents_md_out(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "- ours\n", "sub/AGENTS.md": "- theirs\n"})

    starts = (
        repo.start("Claude Code"),
        repo.start("Claude Code", "sub/a.py"),
        repo.start("Claude Code", folder="sub"),
    )

    assert [layers(start) for start in starts] == [["CLAUDE.md"]] * 3
    reasons = {left(start, "sub/AGENTS.md").why for start in starts}
    assert reasons == {"Claude Code ignores it because `CLAUDE.md` exists"}


def test_a_folder_with_a_claude_md_of_its_own_keeps_its_agents_md_out(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- all\n",
            "sub/CLAUDE.md": "- sub\n",
            "sub/AGENTS.md": "- theirs\n",
            "other/AGENTS.md": "- other\n",
        }
    )

    start = repo.start("Claude Code", "sub/a.py", "other/b.py")

    assert layers(start) == ["AGENTS.md", "sub/CLAUDE.md", "other/AGENTS.md"]
    assert left(start, "sub/AGENTS.md").why == "shadowed by `sub/CLAUDE.md` beside it"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("<!-- for people -->\n", id="a-comment"),
    ],
)
def test_a_claude_md_that_says_nothing_keeps_agents_md_in(repo: Repo, text: str) -> None:
    repo.write({"CLAUDE.md": text, "AGENTS.md": "- all\n"})

    assert repo.start("Claude Code").text == "- all"


def test_agents_md_comes_behind_the_rules_of_its_folder(repo: Repo) -> None:
    repo.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "AGENTS.md": "- all\n",
            ".claude/rules/a.md": "- rule\n",
            "sub/AGENTS.md": "- sub\n",
            "sub/.claude/rules/b.md": "- rule of sub\n",
            f"~/.claude/projects/{SLUG}/memory/MEMORY.md": "- noted\n",
        }
    )

    start = repo.start("Claude Code", folder="sub")

    assert start.text == "- rule\n\n- all\n\n- rule of sub\n\n- sub\n\n- noted"


def test_an_import_from_outside_the_working_folder_asks_for_approval(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "- all @one.md\n",
            "one.md": "- one\n",
            "sub/CLAUDE.md": "- sub @../two.md @in.md\n",
            "sub/in.md": "- in\n",
            "two.md": "- two\n",
        }
    )

    at_root, in_sub = repo.start("Claude Code"), repo.start("Claude Code", folder="sub")

    assert layers(at_root) == ["CLAUDE.md", "one.md"]
    assert layers(in_sub) == ["CLAUDE.md", "sub/CLAUDE.md", "sub/in.md"]
    asks = "outside `sub/`, and Claude Code asks for approval first"
    assert all(asks in left(in_sub, name).why for name in ("one.md", "two.md"))


def test_what_a_persons_own_file_imports_needs_no_approval(repo: Repo) -> None:
    repo.write({"~/.claude/CLAUDE.md": "- me @~/more.md\n", "~/more.md": "- more\n"})

    assert repo.start("Claude Code").text == "- me @~/more.md\n\n- more"


def test_rules_are_shown_by_name_and_that_the_disk_orders_them_is_said(repo: Repo) -> None:
    one = repo.write({".claude/rules/b.md": "- b\n"}).start("Claude Code")

    two = repo.write({".claude/rules/a.md": "- a\n"}).start("Claude Code")

    assert two.text == "- a\n\n- b"
    assert one.notes == ()
    assert "the disk lists" in two.notes[0]


def test_the_folders_and_work_trees_of_a_repository_share_one_auto_memory(repo: Repo) -> None:
    memory = f"~/.claude/projects/{SLUG}/memory/MEMORY.md"
    repo.write({memory: "- noted\n", ".git/HEAD": "", "CLAUDE.md": "- all\n", "web/a.md": ""})
    top = repo.root
    tree = top.parent / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {top}/.git/worktrees/tree\n")

    texts = []
    for root in (top, top / "web", tree):
        repo.root = root
        texts.append(repo.start("Claude Code").text)

    assert texts == ["- all\n\n- noted", "- all\n\n- noted", "- noted"]


@pytest.mark.parametrize(
    ("paths", "is_in"),
    [
        pytest.param('["**"]', True, id="all"),
        pytest.param('"**"', True, id="a-string"),
        pytest.param('["**/**"]', True, id="twice"),
        pytest.param('["**/*"]', False, id="files"),
        pytest.param('["**", "src/**"]', False, id="and-more"),
    ],
)
def test_a_rule_for_everything_is_loaded_at_the_start(repo: Repo, paths: str, is_in: bool) -> None:
    repo.write({".claude/rules/a.md": f"---\npaths: {paths}\n---\n- rule\n"})

    assert repo.start("Claude Code").text == ("- rule" if is_in else "")
