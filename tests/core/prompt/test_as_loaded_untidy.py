"""What tools start with where files are long, commented, linked or oddly placed."""

from pathlib import Path

import pytest
from tests.plain_files import SLUG, Repo, layers, left

from remem.core.checks.costly_starts import costly_starts
from remem.core.prompt.why import explain
from remem.model.prompt import Prompt, Reason
from remem.views.prompts.prompt import prompt_lines

MEMORY = f"~/.claude/projects/{SLUG}/memory/MEMORY.md"


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


def loaded_in(start: Prompt, name: str) -> list[str]:
    lines = (line for layer in start.layers if layer.name == name for line in layer.lines)
    return [line.text for line in lines]


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
    assert "is above" in left(nested, "AGENTS.md").why


def test_codex_reads_to_the_last_byte_of_its_limit(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- kept\n- " + "ä" * 20_000 + "\n- never\n"})

    start = repo.start("codex")

    lost = left(start, "AGENTS.md")
    assert len(start.text.encode()) == 32_768 + len("\ufffd".encode()) - 1
    assert (lost.first, lost.part) == (2, "from inside line 2 on")
    assert lost.why == "the agent loads only the first 32,768 bytes"
    reasons = [verdict.reason for verdict in start.verdicts]
    assert reasons == [None, Reason.NOT_LOADED, Reason.NOT_LOADED]


def test_a_first_line_beyond_the_limit_is_cut_and_what_is_lost_is_told(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "- all\n", MEMORY: "- " + "x" * 30_000 + "\n- never\n"})

    start = repo.start("Claude Code")

    (memory,) = (layer for layer in start.layers if layer.name.endswith("MEMORY.md"))
    (lost,) = start.left
    assert len(memory.text) == 25_000
    assert lost.part == "from inside line 1 on"
    (agent,) = repo.agents().values()
    assert [file.is_cut for file in agent.files] == [False, True]


def test_the_auto_memory_ends_with_a_whole_line_where_its_bytes_end(repo: Repo) -> None:
    line = "- " + "x" * 397 + "\n"
    repo.write({"CLAUDE.md": "- all\n", MEMORY: line * 70})

    start = repo.start("Claude Code")

    assert len(start.layers[-1].lines) == 62
    assert left(start, start.layers[-1].name).part == "from line 63 on"


def test_the_auto_memory_of_a_folder_with_an_emoji_is_found(repo: Repo) -> None:
    plain = repo.path(f"~/.claude/projects/{SLUG}")
    repo.root = repo.root / "fête 🎉"
    repo.write({"CLAUDE.md": "- all\n"})
    memory = plain.with_name(f"{plain.name}-f-te---") / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- noted\n")

    assert repo.start("Claude Code").text == "- all\n\n- noted"


def test_a_comment_ends_where_it_is_closed(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "<!-- a --> is text\n- stays\n<!-- gone -->\n- last\n<!--\nopen\n"})

    start = repo.start("Claude Code")

    assert start.text == "<!-- a --> is text\n- stays\n- last\n<!--\nopen"
    assert left(start, "CLAUDE.md").part == "line 3"


def test_the_lines_of_all_comments_are_told_the_first_line_too(repo: Repo) -> None:
    comment = "<!-- for\nmaintainers -->\n"
    repo.write({"CLAUDE.md": f"{comment}- a\n{comment}<!-- more -->\n- b\n"})

    lost = left(repo.start("Claude Code"), "CLAUDE.md")

    assert (lost.first, lost.part) == (1, "lines 1-2, 4-6")
    assert "removes standalone comments" in lost.why


def test_a_file_of_which_nothing_is_left_leaves_no_gap(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "<!-- only this -->\n",
            ".claude/rules/empty.md": "---\ndescription: nothing yet\n---\n",
            ".claude/rules/full.md": "- rule\n",
            ".claude/agents/bob.md": "---\nname: bob\ndescription: d\n"
            "memory: project\n---\nYou are Bob.\n",
            ".claude/agent-memory/bob/MEMORY.md": "",
        }
    )

    tool, bob = repo.start("Claude Code"), repo.start("bob")

    assert tool.text == "- rule\n\n- bob: d (Tools: All tools)"
    assert bob.text == "You are Bob.\n\n- rule"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<!-- @a.md -->\n- x\n", id="comment"),
        pytest.param("<!--\n@a.md\n-->\n- x\n", id="comment-of-lines"),
        pytest.param("- x <!-- see @a.md -->\n", id="comment-in-a-line"),
        pytest.param("Run `x\n@a.md` first\n", id="code-over-two-lines"),
        pytest.param("Run `` ` @a.md `` first\n", id="code-with-a-backtick"),
        pytest.param("So:\n\n    @a.md\n", id="indented-code"),
        pytest.param("1. ```sh\n   @a.md\n   ```\n", id="fence-in-a-numbered-item"),
        pytest.param("```\n```js\n@a.md\n```\n", id="a-fence-with-a-word-closes-none"),
        pytest.param("```\n- ```\n@a.md\n```\n", id="an-item-closes-no-fence"),
    ],
)
def test_claude_code_imports_nothing_from_comments_and_code(repo: Repo, text: str) -> None:
    repo.write({"CLAUDE.md": text, "a.md": "- a\n"})

    assert "a.md" not in layers(repo.start("Claude Code"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```npm test``` runs\n@a.md\n", id="code-in-a-line-is-no-fence"),
        pytest.param("- a lone ` sign\n- @a.md and `x`\n", id="items-share-no-code"),
        pytest.param("- item\n\n    @a.md\n", id="indented-in-an-item"),
        pytest.param("1. ```sh\n   x\n   ```\n2. @a.md\n", id="behind-a-fence-in-an-item"),
        pytest.param("<!-- note -->\n@a.md\n", id="behind-a-comment"),
    ],
)
def test_claude_code_imports_what_stands_beside_comments_and_code(repo: Repo, text: str) -> None:
    repo.write({"CLAUDE.md": text, "a.md": "- a\n"})

    assert "a.md" in layers(repo.start("Claude Code"))


def test_a_rule_imports_as_other_instructions_do(repo: Repo) -> None:
    repo.write({".claude/rules/a.md": "- rule @../../docs/b.md\n", "docs/b.md": "- b\n"})

    start = repo.start("Claude Code")

    assert start.text == "- rule @../../docs/b.md\n\n- b"
    assert start.left == ()


def test_what_is_no_text_is_not_imported(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "- see @logo.png\n", "logo.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"})

    start = repo.start("Claude Code")

    assert start.text == "- see @logo.png"
    assert "not text" in left(start, "logo.png").why


def test_an_import_that_lies_too_deep_is_called_as_other_files_are(repo: Repo) -> None:
    chain = {f"{n}.md": f"- {n} @{n + 1}.md\n" for n in range(1, 8)}
    repo.write({"CLAUDE.md": "@1.md\n", **chain, "AGENTS.md": "\ufeff\n\n"})

    start = repo.start("Claude Code")

    assert layers(start) == ["CLAUDE.md", *(f"{n}.md" for n in range(1, 5))]
    assert "more than 4 files deep" in left(start, "5.md").why


def test_gemini_puts_two_imports_of_a_line_behind_it_and_imports_in_comments(repo: Repo) -> None:
    repo.write(
        {
            "GEMINI.md": "See @./a.md and @./b.md\n<!-- @./c.md -->\n- last\n",
            "a.md": "- a\n",
            "b.md": "- b\n",
            "c.md": "- c\n",
        }
    )

    start = repo.start("gemini")

    assert start.text == (
        "See @./a.md and @./b.md\n\n- a\n\n- b\n\n<!-- @./c.md -->\n\n- c\n\n- last"
    )


def test_a_line_that_imports_nothing_stays_where_it_is(repo: Repo) -> None:
    repo.write(
        {
            "GEMINI.md": "- one\n@./gone.md\n@alice\n@./a.md\n- two\n",
            "a.md": "- a\n@./GEMINI.md\n",
        }
    )

    start = repo.start("gemini")

    assert loaded_in(start, "GEMINI.md") == ["- one", "@./gone.md", "@alice", "- two"]
    assert loaded_in(start, "a.md") == ["- a", "@./GEMINI.md"]
    assert "circular" in " ".join(start.notes)


def test_why_says_where_an_entry_would_be_loaded(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "<!-- - for people -->\n\n- kept\n",
            MEMORY: "".join(f"- note {n}\n" for n in range(1, 203)),
            ".claude/rules/later.md": "---\npaths: src/**\n---\n- later\n",
            "~/.night-watch/agents/Priya/memories/shop/main.md": "- old\n- " + "x" * 8_000 + "\n",
        }
    )
    library = repo.library()

    def way_in(agent: str, text: str) -> str:
        entry = next(each for each in library.entries() if text in each.title)
        return explain(entry, repo.start(agent)).sentences[-1].removeprefix("To include it: ")

    assert way_in("Claude Code", "for people") == "move it out of comments and front matter"
    assert way_in("Claude Code", "note 202") == "move it up, or archive what precedes it"
    assert way_in("Claude Code", "later") == "move it to a file that is loaded at startup"
    assert way_in("Priya", "old") == "move it down, or archive what follows it"


def test_comments_are_no_loss_that_start_names(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "<!-- for people -->\n- kept\n", MEMORY: "- note\n" * 201})

    found = list(costly_starts(repo.agents().values(), window=0))

    assert [each.path and each.path.name for each in found] == ["MEMORY.md"]


def test_starts_that_one_file_makes_heavy_are_told_as_one(repo: Repo) -> None:
    """Of thirty agents that load one long file, thirty rows would hide all others."""
    named = {
        f".claude/agents/{name}.md": f"---\nname: {name}\ndescription: d\n---\n{said}\n"
        for name, said in (("ana", "You."), ("bo", "You look at the pier, too."))
    }
    repo.write({"CLAUDE.md": "- a rule of the quay\n" * 90, **named})
    agents = [each for each in repo.agents().values() if each.name in ("Claude Code", "ana", "bo")]

    (found,) = costly_starts(agents, window=1_000)

    most = max(agents, key=lambda each: each.tokens)
    assert found.agent == most
    assert found.path == repo.path("CLAUDE.md")
    assert found.problem.message.startswith(f"{most.name} and 2 others start with up to ≈")


def test_lines_of_a_file_with_crlf_are_shown_without_their_returns(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "# Quay\r\n\r\n- Moor by day\r\n- Ro\rw by night\r\n"})

    lines = prompt_lines(repo.start("Claude Code"), repo.library())

    shown = [line.text for line in lines if line.number]
    assert shown[:4] == ["# Quay", "", "- Moor by day", "- Ro␍w by night"]


def test_comments_in_notes_count_for_nothing_and_what_the_limit_cuts_is_called_so(
    repo: Repo,
) -> None:
    many = "".join(f"- note {n}\n" for n in range(1, 211))
    repo.write({"CLAUDE.md": "- all\n", MEMORY: f"---\na: b\n---\n<!-- a\nb -->\n\n{many}"})

    start = repo.start("Claude Code")

    (memory,) = (layer for layer in start.layers if layer.name.endswith("MEMORY.md"))
    (lost,) = start.left
    assert (memory.lines[0].text, memory.lines[-1].text) == ("- note 1", "- note 200")
    assert lost.part == "lines 1-5, 207-216"
    assert lost.why.startswith("the agent loads only the first 200 lines or 25,000 characters")
