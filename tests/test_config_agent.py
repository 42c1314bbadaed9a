from typing import Any

import pytest

from remem.core.settings import load_config

COMMAND = {"command": ["ask-a-model", "--quiet"], "timeout": 90}


def test_the_users_own_settings_name_the_agent_command() -> None:
    config, problems = load_config({"agent": COMMAND}, {})

    assert config.agent.command == ("ask-a-model", "--quiet")
    assert config.agent.timeout == 90
    assert problems == ()


def test_no_command_is_named_of_old_and_five_minutes_are_given() -> None:
    config, _ = load_config({}, {})

    assert config.agent.command == ()
    assert config.agent.timeout == 300


def test_a_roots_settings_name_no_program_and_say_so() -> None:
    config, [problem] = load_config({}, {"agent": COMMAND})

    assert config.agent.command == ()
    assert problem.code == "config-not-allowed"
    assert "`agent`" in problem.message
    assert "`remem config path`" in problem.hint


def test_a_roots_command_does_not_touch_the_users() -> None:
    config, problems = load_config({"agent": {"command": ["mine"]}}, {"agent": COMMAND})

    assert config.agent.command == ("mine",)
    assert config.agent.timeout == 300
    assert [problem.code for problem in problems] == ["config-not-allowed"]


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param({"command": "ask-a-model --quiet"}, id="a-line-for-a-shell"),
        pytest.param({"command": ["a"], "timeout": 0}, id="no-time"),
        pytest.param({"command": [["a"]]}, id="a-list-in-a-list"),
        pytest.param(["a"], id="a-list"),
    ],
)
def test_a_command_that_cannot_be_used_is_a_problem_and_nothing_runs(agent: Any) -> None:
    config, problems = load_config({"agent": agent}, {})

    assert config.agent.command == ()
    assert {problem.field for problem in problems} == {"agent"}


def test_an_unknown_key_of_the_agent_is_reported() -> None:
    _, [problem] = load_config({"agent": {"command": ["a"], "shell": True}}, {})

    assert (problem.code, problem.field) == ("config-unknown", "agent.shell")
