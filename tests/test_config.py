from typing import Any

import pytest

from remem.core.settings import STOCK_REASONS, USER_ONLY, load_config


def test_without_files_every_setting_has_its_default() -> None:
    config, problems = load_config({}, {})

    assert config.tokens.encoding == "o200k_base"
    assert config.reject.reasons == STOCK_REASONS
    assert problems == ()


def test_the_user_wins_over_the_root() -> None:
    config, _ = load_config({"theme": "nord"}, {"theme": "gruvbox", "glyphs": "ascii"})

    assert (config.theme, config.glyphs) == ("nord", "ascii")


def test_roles_of_both_files_are_joined() -> None:
    config, _ = load_config({"roles": {"Priya": ["qa"]}}, {"roles": {"Carlos": ["reviewer"]}})

    assert config.roles == {"Priya": ("qa",), "Carlos": ("reviewer",)}


@pytest.mark.parametrize("key", USER_ONLY)
def test_a_cloned_repository_cannot_set_what_runs_or_rebinds(key: str) -> None:
    value: Any = {"approve": "r"} if key == "keymap" else "rm -r"

    config, problems = load_config({}, {key: value})

    assert [problem.code for problem in problems] == ["config-not-allowed"]
    assert config.editor == ""
    assert config.keymap == {}


def test_a_layout_of_the_root_cannot_reach_the_home_folder() -> None:
    layout = {
        "name": "own",
        "base": "home",
        "folder": "x/{persona}",
        "memory": [{"pattern": "m.md"}],
    }

    config, problems = load_config({}, {"layouts": [layout]})

    assert config.layouts == ()
    assert "points outside the project" in problems[0].message


def test_the_users_own_layout_may_lie_in_the_home_folder() -> None:
    layout = {
        "name": "own",
        "base": "home",
        "folder": "x/{persona}",
        "memory": [{"pattern": "m.md"}],
    }

    config, problems = load_config({"layouts": [layout]}, {})

    assert [each.name for each in config.layouts] == ["own"]
    assert problems == ()


def test_a_wrong_value_falls_back_and_is_named() -> None:
    config, problems = load_config({"tokens": {"encoding": "p50k"}, "theme": "nord"}, {})

    assert config.tokens.encoding == "o200k_base"
    assert config.theme == "nord"
    assert "tokens.encoding" in problems[0].message


def test_an_unknown_key_is_a_problem_and_not_an_error() -> None:
    _, problems = load_config({"colour": "red", "tokens": {"budgets": 3}}, {})

    assert {problem.field for problem in problems} == {"colour", "tokens.budgets"}
