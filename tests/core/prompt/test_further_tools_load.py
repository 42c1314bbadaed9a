"""What Amp, Zed, Junie, Kiro, Roo Code, Continue, Aider, Goose, Warp and Crush start with."""

from pathlib import Path

import pytest
from tests.plain_files import Repo, layers, left


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


@pytest.mark.parametrize(
    ("tool", "own"),
    [
        ("Amp", "AGENT.md"),
        ("Zed", ".rules"),
        ("Junie", ".junie/guidelines.md"),
        ("Kiro", ".kiro/steering/tech.md"),
        ("Roo Code", ".roorules"),
        ("Continue", ".continue/rules/a.md"),
        ("Goose", ".goosehints"),
        ("Warp", "WARP.md"),
        ("Crush", "CRUSH.md"),
    ],
)
def test_a_tool_is_there_where_a_file_of_its_own_is(repo: Repo, tool: str, own: str) -> None:
    repo.write({own: "- run the tests\n"})

    assert set(repo.agents()) == {tool}
    assert layers(repo.start(tool)) == [own]


def test_amp_takes_one_file_of_each_folder_and_those_below_when_it_works_there(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- a\n",
            "AGENT.md": "- b\n",
            "CLAUDE.md": "- c\n",
            "web/CLAUDE.md": "- d\n",
            "~/.config/amp/AGENTS.md": "- mine\n",
            "~/.config/AGENTS.md": "- ours\n",
        }
    )

    assert layers(repo.start("Amp")) == [
        "~/.config/amp/AGENTS.md",
        "~/.config/AGENTS.md",
        "AGENTS.md",
    ]
    assert left(repo.start("Amp"), "CLAUDE.md").why == "shadowed by `AGENTS.md` beside it"
    assert "web/CLAUDE.md" in layers(repo.start("Amp", "web/a.css"))


def test_zed_takes_the_first_file_of_its_list_whole(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- a\n", ".clinerules/x.md": "- b\n", "CLAUDE.md": "- c\n"})

    assert layers(repo.start("Zed")) == ["AGENTS.md"]

    repo.write({".cursorrules": "- d\n", "~/.config/zed/AGENTS.md": "- mine\n"})

    assert layers(repo.start("Zed")) == ["~/.config/zed/AGENTS.md", ".cursorrules"]


def test_kiro_loads_steering_as_its_inclusion_says(repo: Repo) -> None:
    steering = ".kiro/steering"
    repo.write(
        {
            f"{steering}/product.md": "- always\n",
            f"{steering}/tech.md": "---\ninclusion: always\n---\n- said\n",
            f"{steering}/ui.md": "---\ninclusion: fileMatch\nfileMatchPattern: '*.tsx'\n---\n- u\n",
            f"{steering}/api.md": "---\ninclusion: auto\ndescription: of interfaces\n---\n- p\n",
            f"{steering}/help.md": "---\ninclusion: manual\n---\n- h\n",
            f"{steering}/odd.md": "---\ninclusion: often\n---\n- o\n",
        }
    )

    start = repo.start("Kiro")

    loaded = [f"{steering}/{name}.md" for name in ("odd", "product", "tech")]
    assert layers(start) == loaded
    assert "`*.tsx`" in left(start, f"{steering}/ui.md").why
    assert "description" in left(start, f"{steering}/api.md").why
    assert "names it" in left(start, f"{steering}/help.md").why
    assert f"{steering}/ui.md" in layers(repo.start("Kiro", "web/a.tsx"))
    (problem,) = repo.source(f"{steering}/odd.md").problems
    assert "`often` is no `inclusion` that is known" in problem.message


def test_roo_code_falls_back_to_its_one_file_where_no_folder_holds_rules(repo: Repo) -> None:
    repo.write({"AGENT.md": "- a\n", ".roorules": "- b\n", ".roo/rules-code/c.md": "- c\n"})

    assert layers(repo.start("Roo Code")) == ["AGENT.md", ".roorules"]
    assert "one mode alone" in left(repo.start("Roo Code"), ".roo/rules-code/c.md").why

    repo.write({".roo/rules/d.md": "- d\n", "~/.roo/rules/e.md": "- e\n", "AGENTS.md": "- f\n"})

    assert layers(repo.start("Roo Code")) == ["AGENTS.md", "~/.roo/rules/e.md", ".roo/rules/d.md"]


def test_goose_reads_both_its_names_on_each_level(repo: Repo) -> None:
    repo.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "AGENTS.md": "- a\n",
            ".goosehints": "- b\n",
            "web/.goosehints": "- c\n",
            "~/.config/goose/.goosehints": "- mine\n",
        }
    )

    assert layers(repo.start("Goose")) == [
        "~/.config/goose/.goosehints",
        "AGENTS.md",
        ".goosehints",
    ]
    assert layers(repo.start("Goose", folder="web"))[-1] == "web/.goosehints"
    assert layers(repo.start("Goose", "web/a.css"))[-1] == "web/.goosehints"


def test_warp_takes_its_own_file_before_agents_md(repo: Repo) -> None:
    repo.write({"WARP.md": "- a\n", "AGENTS.md": "- b\n", "web/AGENTS.md": "- c\n"})

    assert layers(repo.start("Warp")) == ["WARP.md"]
    assert layers(repo.start("Warp", "web/a.css")) == ["WARP.md", "web/AGENTS.md"]


def test_crush_takes_what_its_list_names_with_front_matter_and_all(repo: Repo) -> None:
    repo.write(
        {
            "CRUSH.md": "- a\n",
            ".cursor/rules/x.mdc": "---\nglobs: '*.css'\n---\n- b\n",
            "web/CRUSH.md": "- c\n",
            "~/.config/crush/CRUSH.md": "- mine\n",
        }
    )

    start = repo.start("Crush")

    assert set(layers(start)) == {"CRUSH.md", ".cursor/rules/x.mdc", "~/.config/crush/CRUSH.md"}
    assert "globs: '*.css'" in start.text
    assert "started in `web/`" in left(start, "web/CRUSH.md").why


@pytest.mark.parametrize("said", ["GUIDE.md", "[GUIDE.md, docs/style.md]", "\n- ./GUIDE.md"])
def test_aider_reads_what_its_settings_name(repo: Repo, said: str) -> None:
    repo.write({"GUIDE.md": "- a\n", "docs/style.md": "- b\n", "CONVENTIONS.md": "- c\n"})

    assert "Aider" not in repo.agents()

    repo.write({".aider.conf.yml": f"read: {said}\n"})

    start = repo.start("Aider")
    assert "Aider" in repo.agents()
    assert layers(start) == ["GUIDE.md", "docs/style.md"][: 1 + said.count(",")]
    assert "names it" in left(start, "CONVENTIONS.md").why


@pytest.mark.parametrize("said", ["../out.md", "/etc/passwd", "~/x.md", "{a: b}", "[", "1", "''"])
def test_what_aiders_settings_name_outside_or_wrongly_is_left_alone(repo: Repo, said: str) -> None:
    repo.write({"AGENTS.md": "- a\n", ".aider.conf.yml": f"read: {said}\n"})

    assert repo.names() == ["AGENTS.md"]


def test_a_memory_that_its_settings_turn_off_is_left_out_for_hermes(repo: Repo) -> None:
    memories = dict.fromkeys(
        ("~/.hermes/memories/MEMORY.md", "~/.hermes/memories/USER.md"), "- a\n"
    )
    settings = "memory:\n  memory_enabled: no\n  user_profile_enabled: 'no'\n"
    repo.write({"AGENTS.md": "- all\n", **memories, "~/.hermes/config.yaml": settings})

    start = repo.start("Hermes")

    assert layers(start) == ["AGENTS.md", "~/.hermes/memories/USER.md"]
    why = "`memory_enabled` in `~/.hermes/config.yaml` turns it off"
    assert left(start, "~/.hermes/memories/MEMORY.md").why == why


def test_a_rule_of_continue_that_is_to_be_called_or_has_an_empty_switch_waits(repo: Repo) -> None:
    fronts = {"call": "invokable: true", "empty": "alwaysApply:", "all": "regex: ''"}
    rules = {f".continue/rules/{name}.md": f"---\n{x}\n---\n- a\n" for name, x in fronts.items()}
    repo.write({"AGENTS.md": "- all\n", **rules})

    assert layers(repo.start("Continue")) == ["AGENTS.md", ".continue/rules/all.md"]
