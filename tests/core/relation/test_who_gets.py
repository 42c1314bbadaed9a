"""Who gets a rule and who misses it, on repositories that several tools read."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.core.prompt.counter import Estimate
from remem.core.relation.who_gets import Cell, How, Matrix, Rule, who_gets

FILES = {
    ".git/HEAD": "",
    "CLAUDE.md": (
        "- Keep every line shorter than 100 characters in code\n"
        "- Never push to the main branch without a review\n"
        "- Tests name the behaviour that they hold\n"
    ),
    "AGENTS.md": (
        "- Keep every line shorter than 88 characters in code\n"
        "- Never push to the main branch without a review\n"
        "- Codex alone is told this rule about sandboxes\n"
    ),
    ".cursor/rules/css.mdc": '---\nglobs: "*.css"\n---\n- Colours come from variables only\n',
    ".github/copilot-instructions.md": "- Never push to the main branch without any review\n",
    "web/CLAUDE.md": "- No inline styles in any page of the web\n",
}
WORK = ("web/a.css", "b.py")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path).write(FILES)


def matrix_of(repo: Repo, *files: str) -> Matrix:
    return who_gets(repo.library(), Estimate(), files)


def rule(matrix: Matrix, words: str) -> Rule:
    return next(each for each in matrix.rules if words in each.title)


def cell(matrix: Matrix, words: str, name: str) -> Cell:
    place = [each.name for each in matrix.listeners].index(name)
    return rule(matrix, words).cells[place]


def how(matrix: Matrix, words: str) -> list[str]:
    return [each.how.value for each in rule(matrix, words).cells]


def test_each_tool_gets_a_rule_at_its_start_while_it_works_or_never(repo: Repo) -> None:
    matrix = matrix_of(repo, *WORK)

    assert [each.name for each in matrix.listeners] == [
        "Claude Code",
        "Codex",
        "Cursor",
        "GitHub Copilot",
    ]
    assert how(matrix, "Tests name") == ["start", "never", "never", "start"]
    assert how(matrix, "Colours come") == ["never", "never", "later", "never"]
    assert how(matrix, "No inline") == ["later", "never", "never", "later"]
    assert how(matrix, "Codex alone") == ["never", "start", "start", "start"]


def test_without_files_to_work_on_nothing_comes_later(repo: Repo) -> None:
    matrix = matrix_of(repo)

    assert {each.how for one in matrix.rules for each in one.cells} == {How.START, How.NEVER}


def test_it_says_from_where_how_often_and_for_how_many_tokens(repo: Repo) -> None:
    told = cell(matrix_of(repo, *WORK), "Never push", "GitHub Copilot")

    assert [each.layer for each in told.heard] == [
        "AGENTS.md",
        "CLAUDE.md",
        ".github/copilot-instructions.md",
    ]
    assert told.times == 3
    assert told.tokens == sum(each.tokens for each in told.heard) > 20


def test_it_says_why_somebody_misses_a_rule(repo: Repo) -> None:
    matrix = matrix_of(repo, *WORK)

    assert cell(matrix, "Codex alone", "Claude Code").why == (
        "Claude Code ignores it because `CLAUDE.md` exists"
    )
    assert cell(matrix, "Tests name", "Codex").why == "none of its files has it"
    later = cell(matrix, "No inline", "Claude Code").heard[0]
    assert later.joins == "the agent works on `web/a.css`, below `web/`"


def test_all_that_is_missed_for_one_reason_is_kept_once(repo: Repo) -> None:
    rules = "".join(f"- Lamp {number} of the quay is lit by hand\n" for number in range(50))
    repo.write({"AGENTS.md": FILES["AGENTS.md"] + rules})

    matrix = matrix_of(repo)

    missed = [cell for rule in matrix.rules for cell in rule.cells if cell.how is How.NEVER]
    assert len(missed) > 50
    assert len({id(cell) for cell in missed}) == len({cell.why for cell in missed})


def test_copies_that_drifted_apart_come_first_and_numbers_are_told(repo: Repo) -> None:
    matrix = matrix_of(repo)

    first, second, *rest = matrix.rules
    assert {first.title[:10], second.title[:10]} == {"Keep every", "Never push"}
    keep, push = rule(matrix, "Keep every"), rule(matrix, "Never push")
    assert (keep.texts, keep.files, keep.is_opposed) == (2, 2, True)
    assert (push.texts, push.files, push.is_opposed) == (2, 3, False)
    assert not any(each.drifted for each in rest)


def test_what_differs_in_a_number_within_one_file_is_another_rule(tmp_path: Path) -> None:
    text = "- Port 8080 belongs to the web server\n- Port 9090 belongs to the web server\n"
    matrix = matrix_of(Repo(tmp_path).write({"CLAUDE.md": text}))

    assert [len(each.copies) for each in matrix.rules] == [1, 1]


def test_front_matter_is_no_rule(repo: Repo) -> None:
    assert not [each for each in matrix_of(repo).rules if "globs" in each.title]


def test_a_comment_that_stands_alone_is_no_rule(repo: Repo) -> None:
    repo.write({"AGENTS.md": "<!-- Summed up by a scribe -->\n\n- Use tabs <!-- always -->\n"})

    titles = [each.title for each in matrix_of(repo).rules]

    assert not [title for title in titles if "scribe" in title]
    assert [title for title in titles if "Use tabs" in title]


def test_memories_of_named_agents_come_last(repo: Repo) -> None:
    noor = "---\nname: noor\ndescription: reads\nmemory: project\n---\nYou read.\n"
    memory = "- The cache is warm after the first start\n"
    repo.write({".claude/agents/noor.md": noor, ".claude/agent-memory/noor/MEMORY.md": memory})

    matrix = matrix_of(repo)

    assert matrix.rules[-1].title.startswith("The cache is warm")
    assert matrix.rules[-1].is_own
    assert [x.name for x in matrix.listeners if cell(matrix, "The cache", x.name).heard] == ["noor"]


def test_texts_that_only_share_their_subject_are_no_copies(tmp_path: Path) -> None:
    files = {
        "CLAUDE.md": "- The scanner boards a ticket offline and sends it to the manifest later\n",
        "AGENTS.md": "- Try the scanner in gloves before a story is called done\n",
        ".github/copilot-instructions.md": "- never the scanner\n",
    }
    matrix = matrix_of(Repo(tmp_path).write(files))

    assert [len(each.copies) for each in matrix.rules] == [1, 1, 1]


def test_a_role_for_which_nothing_is_composed_is_no_column_beside_its_agent(tmp_path: Path) -> None:
    noor = "---\nname: noor\ndescription: reads\n---\n- You read all of it\n"
    matrix = matrix_of(Repo(tmp_path).write({".git/HEAD": "", ".claude/agents/noor.md": noor}))

    assert [(each.name, each.tool) for each in matrix.listeners] == [("noor", "Claude Code")]


def test_a_short_rule_is_one_too(tmp_path: Path) -> None:
    matrix = matrix_of(Repo(tmp_path).write({"CLAUDE.md": "- use tabs\n"}))

    assert how(matrix, "use tabs") == ["start"]


def test_each_rule_is_found_by_any_of_its_copies(repo: Repo) -> None:
    matrix = matrix_of(repo)

    for one in matrix.rules:
        for entry in one.copies:
            assert matrix.rule_of(entry.ref) is one
