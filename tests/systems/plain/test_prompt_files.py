"""A file, or a text of settings, stands for a tool's own system prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.core.checks.issues import issues
from remem.model.loader import STOPS

PROMPT = "the system prompt of {}"
SKILL = "---\nname: dock\ndescription: How to dock.\n---\n\nDock.\n"
LISTS = "descriptions of skills"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def trusted(repo: Repo, level: str = "trusted") -> str:
    return f'[projects."{repo.root}"]\ntrust_level = "{level}"\n'


def test_the_file_that_a_variable_names_stands_first_and_for_the_system_prompt(repo: Repo) -> None:
    repo.write(
        {
            ".gemini/.env": "GEMINI_API_KEY=x\nGEMINI_SYSTEM_MD=1\n",
            ".gemini/system.md": "You are a pilot.\n",
            "GEMINI.md": "- Dock.\n",
            ".gemini/skills/dock/SKILL.md": SKILL,
        }
    )

    start = repo.start("Gemini CLI")

    assert [layer.name for layer in start.layers] == [".gemini/system.md", "GEMINI.md"]
    assert PROMPT.format("Gemini CLI") not in start.unseen
    assert [each.why for each in start.left] == [
        "`.gemini/system.md` stands for the system prompt, and has no `${AgentSkills}`"
    ]


def test_a_prompt_that_has_a_place_for_the_list_of_skills_has_the_list(repo: Repo) -> None:
    repo.write(
        {
            ".env": "GEMINI_SYSTEM_MD=sys.md\n",
            "sys.md": "You are a pilot. ${AgentSkills}\n",
            "GEMINI.md": "- Dock.\n",
            ".gemini/skills/dock/SKILL.md": SKILL,
        }
    )

    assert LISTS in [layer.name for layer in repo.start("Gemini CLI").layers]


def test_a_file_that_is_not_there_keeps_the_tool_from_starting_and_health_says_so(
    repo: Repo,
) -> None:
    repo.write({".qwen/.env": "QWEN_SYSTEM_MD=none.md\n", "QWEN.md": "- Dock.\n"})

    start = repo.start("Qwen Code")
    (problem,) = (each.problem for each in issues(repo.library()) if each.problem.code == STOPS)

    assert start.layers == ()
    assert problem.message == (
        "Qwen Code does not start here: `QWEN_SYSTEM_MD` in `.qwen/.env` names `none.md`, and no "
        "such file is there"
    )
    assert problem.path == repo.path(".qwen/.env")
    assert repo.agents()["Qwen Code"].stopped == problem.message


def test_a_prompt_that_lies_where_remem_does_not_read_is_named(repo: Repo) -> None:
    outside = repo.root.parent / "sys.md"
    outside.write_text("You are a pilot.\n")
    repo.write({".env": f"GEMINI_SYSTEM_MD={outside}\n", "GEMINI.md": "- Dock.\n"})

    start = repo.start("Gemini CLI")

    assert f"`{outside}`, which `GEMINI_SYSTEM_MD` in `.env` names" in start.unseen
    assert [layer.name for layer in start.layers] == ["GEMINI.md"]


@pytest.mark.parametrize(
    ("agent", "names", "told"),
    [
        ("Gemini CLI", ".env", "GEMINI_SYSTEM_MD=~/keys.md\n"),
        ("Qwen Code", ".qwen/settings.json", '{"env": {"QWEN_SYSTEM_MD": "~/keys.md"}}'),
        ("Codex", ".codex/config.toml", 'model_instructions_file = "HOME/keys.md"\n'),
    ],
)
def test_what_comes_with_a_project_leads_to_nothing_outside_of_it(
    repo: Repo, agent: str, names: str, told: str
) -> None:
    repo.write(
        {
            names: told.replace("HOME", str(repo.home)),
            "~/keys.md": "secret\n",
            "~/.codex/config.toml": trusted(repo),
            "AGENTS.md": "- Dock.\n",
        }
    )

    start = repo.start(agent)

    assert "secret" not in start.text
    assert any("`~/keys.md`, which" in each for each in start.unseen)
    assert repo.path("~/keys.md") not in [source.path for source in repo.library().sources]


def test_a_variable_that_comes_while_remem_is_open_counts_at_once(repo: Repo) -> None:
    library = repo.write({"GEMINI.md": "- Dock.\n", "sys.md": "Pilot.\n"}).library()
    variables = repo.path(".gemini/.env")

    repo.write({".gemini/.env": "GEMINI_SYSTEM_MD=sys.md\n"})
    library = library.refresh(frozenset({variables}))

    assert "sys.md" in [source.name for source in library.sources]


def test_texts_of_codexs_settings_stand_in_the_prompt_in_its_order(repo: Repo) -> None:
    repo.write(
        {
            "~/.codex/config.toml": 'instructions = "Be a pilot."\n'
            'developer_instructions = """\nMoor.\n\nThen rest.\n"""\n',
            "AGENTS.md": "- Dock.\n",
        }
    )

    start = repo.start("Codex")

    assert [layer.name for layer in start.layers] == [
        "`instructions` of `~/.codex/config.toml`",
        "`developer_instructions` of `~/.codex/config.toml`",
        "AGENTS.md",
    ]
    assert start.layers[1].text == "Moor.\n\nThen rest."
    assert PROMPT.format("Codex") not in start.unseen


def test_what_codex_is_told_beside_leaves_its_own_prompt_in_place(repo: Repo) -> None:
    said = 'developer_instructions = "Moor."\n'
    repo.write({"~/.codex/config.toml": said, "AGENTS.md": "- Dock.\n"})

    assert PROMPT.format("Codex") in repo.start("Codex").unseen


def test_settings_of_a_folder_count_for_codex_where_a_person_trusts_it(repo: Repo) -> None:
    repo.write({".codex/config.toml": "project_doc_max_bytes = 4\n", "AGENTS.md": "- Dock.\n"})
    untold = repo.start("Codex").text
    told = repo.write({"~/.codex/config.toml": trusted(repo)}).start("Codex").text

    assert (untold, told) == ("- Dock.", "- Do")


def test_codex_loads_no_instructions_of_a_folder_that_is_called_untrusted(repo: Repo) -> None:
    repo.write(
        {
            "~/.codex/config.toml": trusted(repo, "untrusted"),
            "~/.codex/AGENTS.md": "- Rest.\n",
            "AGENTS.md": "- Dock.\n",
        }
    )

    start = repo.start("Codex")

    assert start.text == "- Rest."
    assert [each.why for each in start.left] == [
        "`trust_level` in `~/.codex/config.toml` calls the folder `untrusted`"
    ]


def test_a_key_that_codex_has_no_longer_keeps_it_from_starting(repo: Repo) -> None:
    repo.write({"~/.codex/config.toml": 'profile = "x"\n', "AGENTS.md": "- Dock.\n"})

    start = repo.start("Codex")

    assert start.layers == ()
    assert any("`profile` is no key of it any more" in each for each in start.notes)


def test_folders_that_gemini_includes_count_as_the_one_it_is_started_in(repo: Repo) -> None:
    repo.write(
        {
            ".gemini/settings.json": '{"context": {"includeDirectories": ["lib/sub", "../side"]}}',
            "GEMINI.md": "- Dock.\n",
            "lib/GEMINI.md": "- Moor.\n",
            "lib/sub/GEMINI.md": "- Rest.\n",
            "docs/GEMINI.md": "- Write.\n",
        }
    )
    (repo.root.parent / "side").mkdir()

    start = repo.start("Gemini CLI")

    assert [layer.name for layer in start.layers] == [
        "GEMINI.md",
        "lib/GEMINI.md",
        "lib/sub/GEMINI.md",
    ]
    assert any("`../side`" in each for each in start.unseen)


def test_a_folder_that_gemini_includes_and_is_not_there_keeps_it_from_starting(repo: Repo) -> None:
    settings = '{"context": {"includeDirectories": ["none"]}}'
    repo.write({".gemini/settings.json": settings, "GEMINI.md": "- Dock.\n"})

    assert "names `none`, and no such folder is there" in repo.agents()["Gemini CLI"].stopped


@pytest.mark.parametrize("loads", [True, False])
def test_folders_that_qwen_code_loads_from_are_named(repo: Repo, loads: bool) -> None:
    said = f'"includeDirectories": ["lib"], "loadFromIncludeDirectories": {str(loads).lower()}'
    repo.write({".qwen/settings.json": f'{{"context": {{{said}}}}}', "QWEN.md": "- Dock.\n"})

    unseen = repo.start("Qwen Code").unseen

    assert any("its files in `lib`" in each for each in unseen) is loads
